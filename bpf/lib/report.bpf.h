/* SPDX-License-Identifier: GPL-2.0-only */
/* From an answer to what the kernel does about it, and the record that says so. */
#ifndef BH_LIB_REPORT_BPF_H
#define BH_LIB_REPORT_BPF_H

#include "bpf/lib/decide.h"
#include "bpf/lib/scratch.bpf.h"
#include "bpf/lib/subject.bpf.h"

#define BH_EPERM 1
#define BH_SIGKILL 9

/* One question under judgement: who, where the record grows, what kind. */
struct bh_case {
	struct bh_subject subject;
	struct bh_scratch *scratch;
	__u32 kind;
	__u32 access;
};

#define BH_OUTSIDE 0 /* not ours: allow */
#define BH_REFUSE 1 /* ours, and already decided: deny without a record */
#define BH_JUDGE 2

/* The case of a subject that bh_subject_who has found to be inside. */
static BH_INLINE int bh_case_begin(struct bh_case *this, __u32 kind)
{
	bh_subject_policy(&this->subject);
	if (this->subject.sandbox && this->subject.sandbox->flags & (BH_SANDBOX_STOPPED | BH_SANDBOX_FROZEN)) {
		__sync_fetch_and_add(&this->subject.sandbox->denied, 1);
		if (this->subject.sandbox->flags & BH_SANDBOX_STOPPED)
			bpf_send_signal(BH_SIGKILL);
		return BH_REFUSE;
	}
	this->scratch = bh_scratch_claim();
	if (!this->scratch)
		return BH_REFUSE;
	this->kind = kind;
	__builtin_memset(&this->scratch->event, 0, BH_EVENT_FIXED);
	return BH_JUDGE;
}

static BH_INLINE int bh_case_open(struct bh_case *this, __u32 kind)
{
	return bh_subject_who(&this->subject) ? bh_case_begin(this, kind) : BH_OUTSIDE;
}

/* The mode that holds for a reason now: mode grace has an end, also when nobody of userspace is left to tell. */
static BH_INLINE __u32 bh_mode_now(const struct bh_policy_head *head, __u32 reason)
{
	__u32 mode = bh_mode_of(head, reason);

	return mode == BH_MODE_GRACE && bpf_ktime_get_boot_ns() >= head->grace_until_ns ? BH_MODE_ENFORCE : mode;
}

/* What is done now about a reason that this subject, which has a policy, gave. */
static BH_INLINE __u32 bh_verdict_now(const struct bh_subject *subject, __u32 reason)
{
	const struct bh_policy_head *head = &subject->policy->head;

	return bh_verdict_of(head, subject->tool, reason, bh_mode_now(head, reason));
}

static BH_INLINE void bh_event_ancestors(struct bh_event *event, struct task_struct *task)
{
	struct task_struct *parent = BPF_CORE_READ(task, group_leader, real_parent);

	event->ppid = BPF_CORE_READ(parent, tgid);
	for (int i = 0; i < (int)BH_ANCESTORS; i++) {
		if (!parent || !BPF_CORE_READ(parent, tgid))
			break;
		BPF_CORE_READ_STR_INTO(&event->ancestors[i], parent, comm);
		parent = BPF_CORE_READ(parent, real_parent, group_leader);
	}
}

BH_ONCE int bh_event_who(struct bh_scratch *scratch)
{
	struct bh_event *event = &scratch->event;
	struct bh_label *label = bh_current_label();
	struct task_struct *task = (void *)bpf_get_current_task();
	__u64 id = bpf_get_current_pid_tgid();

	if (!scratch)
		return 0;
	event->pid = id >> 32;
	event->tid = (__u32)id;
	event->uid = (__u32)bpf_get_current_uid_gid();
	event->time_ns = bpf_ktime_get_boot_ns();
	event->cgroup_id = bpf_get_current_cgroup_id();
	event->start_ns = BPF_CORE_READ(task, group_leader, start_boottime);
	bpf_get_current_comm(event->comm, sizeof(event->comm));
	if (label)
		__builtin_memcpy(event->exe, label->exe, sizeof(event->exe));
	bh_event_ancestors(event, task);
	return 0;
}

static BH_INLINE void bh_case_send(struct bh_case *this, const struct bh_answer *answer, __u32 verdict, __u32 wanted)
{
	struct bh_event *event = &this->scratch->event;
	struct bh_sandbox *sandbox = this->subject.sandbox;
	__u32 path = event->path_length;
	void *ring;

	event->version = BH_EVENT_VERSION;
	event->kind = this->kind;
	event->verdict = verdict;
	event->wanted = wanted;
	event->reason = answer->reason;
	event->rule = answer->rule;
	event->sandbox = this->subject.number;
	event->tool = this->subject.tool;
	event->access = this->access;
	bh_event_who(this->scratch);
	if (path > BH_PATH_MAX)
		path = event->path_length = 0;
	event->length = BH_EVENT_FIXED + path;
	if (sandbox)
		event->sequence = __sync_fetch_and_add(&sandbox->events, 1) + 1;
	ring = bpf_map_lookup_elem(&bh_rings, &this->subject.number);
	if (ring && !bpf_ringbuf_output(ring, event, BH_EVENT_FIXED + path, 0))
		return;
	bh_count(BH_COUNT_RING_FULL);
	if (sandbox)
		__sync_fetch_and_add(&sandbox->lost, 1);
}

/* Applies the answer, sends the record of a denial, frees the scratch. Returns what the hook returns: 0 or -EPERM. */
static BH_INLINE int bh_case_close(struct bh_case *this, struct bh_answer answer)
{
	struct bh_policy *policy = this->subject.policy;
	__u32 verdict = BH_VERDICT_DENY, wanted = BH_VERDICT_DENY;

	if (policy) {
		verdict = bh_verdict_now(&this->subject, answer.reason);
		wanted = bh_verdict_of(&policy->head, this->subject.tool, answer.reason, BH_MODE_ENFORCE);
	} else if (!answer.reason) {
		answer.reason = BH_REASON_R0;
	}
	if (answer.reason)
		bh_case_send(this, &answer, verdict, wanted);
	bh_scratch_release(this->scratch);
	if (verdict == BH_VERDICT_ALLOW)
		return 0;
	if (this->subject.sandbox) {
		__sync_fetch_and_add(&this->subject.sandbox->denied, 1);
		if (verdict == BH_VERDICT_KILL)
			__sync_fetch_and_or(&this->subject.sandbox->flags, BH_SANDBOX_STOPPED);
		if (verdict == BH_VERDICT_FREEZE)
			__sync_fetch_and_or(&this->subject.sandbox->flags, BH_SANDBOX_FROZEN);
	}
	if (verdict == BH_VERDICT_KILL || verdict == BH_VERDICT_TASK)
		bpf_send_signal(BH_SIGKILL);
	return -BH_EPERM;
}

static BH_INLINE struct bh_answer bh_reason(__u32 reason)
{
	struct bh_answer answer = { .reason = reason };

	return answer;
}

/* What is never allowed inside a sandbox, whatever its object: refuses there, lets pass outside. */
static BH_INLINE int bh_refuse(__u32 kind, __u32 reason)
{
	struct bh_case this = {};

	switch (bh_case_open(&this, kind)) {
	case BH_OUTSIDE:
		return 0;
	case BH_REFUSE:
		return -BH_EPERM;
	}
	return bh_case_close(&this, bh_reason(reason));
}

#endif
