// SPDX-License-Identifier: GPL-2.0-only
/* Programs: which may start, and what tool the task becomes; and that children are what their parent is. */
#include "bpf/lib/command.bpf.h"
#include "bpf/lib/gain.bpf.h"
#include "bpf/lib/privileged.bpf.h"

/* A task of a governed cgroup that carries no label yet gets one: it stays in the sandbox wherever it goes from here. */
static BH_INLINE struct bh_label *bh_label_make(const struct bh_subject *subject)
{
	struct bh_label *label;
	struct bh_state *state;
	__u32 zero = 0;

	label = bpf_task_storage_get(&bh_labels, bpf_get_current_task_btf(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	state = bpf_map_lookup_elem(&bh_state, &zero);
	if (!label || !state) {
		bh_count(BH_COUNT_LABEL_FAULT);
		return NULL;
	}
	if (!label->head.sandbox) {
		label->head.sandbox = subject->number;
		label->head.tool = BH_TOOL_NONE;
		label->head.cookie = state->cookie;
	}
	return label;
}

static BH_INLINE __u32 bh_seccomp_filters(void)
{
	return BPF_CORE_READ(bpf_get_current_task_btf(), seccomp.filter_count.counter);
}

/* A new exec: notes what its commit asks and tells. */
static BH_INLINE void bh_exec_begin(const struct bh_event *event, struct linux_binprm *bprm, struct bh_label *label)
{
	label->head.next = 0;
	label->led = 0;
	label->words = bprm->argc > 1 ? bprm->argc - 1 : 0;
	__builtin_memset(label->next_exe, 0, sizeof(label->next_exe));
	if (event->path_length <= sizeof(label->next_exe))
		bpf_probe_read_kernel_str(label->next_exe, sizeof(label->next_exe), event->path);
}

/* Notes of a file that may be executed what the next round asks. Its path is not needed any more: a name takes its place. */
static BH_INLINE void bh_exec_note(struct bh_case *this, struct linux_binprm *bprm, struct bh_label *label, int later)
{
	struct bh_event *event = &this->scratch->event;
	struct bh_path_question name = { .path = (struct bh_path_bytes *)event->path };
	long length;

	length = bpf_probe_read_kernel_str(event->path, BH_PATH_MAX, bprm->interp);
	name.length = length > 1 ? length - 1 : 0;
	label->led = length == BH_PATH_MAX ||
		     bh_script_led(this->subject.policy, this->subject.tool, label->head.next, later, &name);
}

/*
 * The edge by which a new program starts. What stays with a task over its exec must not let the tool that it was reach into
 * the one that it becomes, or the other way round.
 */
static BH_INLINE struct bh_answer bh_judge_edge(struct bh_case *this, const struct bh_path_question *path,
						struct bh_label *label)
{
	struct bh_answer answer;
	int away;

	if (!this->subject.tool && this->subject.sandbox->flags & BH_SANDBOX_ENTERED)
		return bh_reason(BH_REASON_X1);
	answer = bh_decide_exec(this->subject.policy, this->subject.tool, path);
	away = answer.next && this->subject.tool &&
	       bh_next_tools(this->subject.policy, answer.next) != bh_tool_bit(this->subject.tool);
	/* a filter that the starter installed stays, and can answer the other tool's system calls in its stead */
	if (away && bh_seccomp_filters() != this->subject.sandbox->filters)
		return bh_reason(BH_REASON_X12);
	if (away && bh_traces(this))
		return bh_reason(BH_REASON_C2);
	label->head.next = answer.next;
	return answer;
}

/* A program without a name is in no tool's list: where it may run, it runs in the tool that starts it, whose rights it keeps. */
static BH_INLINE struct bh_answer bh_judge_nameless(struct bh_case *this, struct linux_binprm *bprm,
						    struct bh_label *label)
{
	if (!this->subject.policy)
		return bh_reason(BH_REASON_R0);
	if (!label)
		return bh_reason(BH_REASON_R4);
	if (!bh_nameless_allowed(&this->subject) || bprm->interp != bprm->filename || bh_file_changes_user(bprm->file))
		return bh_reason(BH_REASON_P0);
	bh_exec_begin(&this->scratch->event, bprm, label);
	label->head.next = this->subject.tool;
	bh_exec_note(this, bprm, label, 0);
	return bh_reason(BH_REASON_NONE);
}

static BH_INLINE struct bh_answer bh_judge_exec(struct bh_case *this, struct linux_binprm *bprm, struct bh_label *label)
{
	int later = bprm->interp != bprm->filename; /* the interpreter of what an edge already led to */
	struct bh_path_question path = {};
	struct bh_answer answer;
	__u32 fault;

	fault = bh_path_read(this, bprm->file, &path);
	if (fault)
		return bh_reason(fault);
	if (bh_file_unlinked(bprm->file))
		return bh_judge_nameless(this, bprm, label);
	if (!this->subject.policy || !this->subject.sandbox)
		return bh_reason(BH_REASON_R0);
	if (!label)
		return bh_reason(BH_REASON_R4);
	path.written = bh_is_written(bprm->file->f_inode);
	if (later) {
		answer = bh_decide_interpreter(this->subject.policy, label->head.next, &path);
		if (!answer.reason && label->led)
			answer.reason = BH_REASON_X13;
	} else {
		bh_exec_begin(&this->scratch->event, bprm, label);
		answer = bh_judge_edge(this, &path, label);
	}
	answer = bh_judge_gain(this, bprm->file, answer);
	if (!answer.reason)
		bh_exec_note(this, bprm, label, later);
	return answer;
}

SEC("lsm/bprm_check_security")
int BPF_PROG(bh_exec_check, struct linux_binprm *bprm, int ret)
{
	struct bh_case this = {};
	struct bh_label *label;

	if (ret)
		return ret;
	switch (bh_case_open(&this, BH_KIND_EXEC)) {
	case BH_OUTSIDE:
		return 0;
	case BH_REFUSE:
		return -BH_EPERM;
	}
	this.access = BH_ACCESS_EXEC;
	label = bh_label_make(&this.subject);
	return bh_case_close(&this, bh_judge_exec(&this, bprm, label));
}

/* Notes what the first program of a sandbox sees: the root and the filters that its later ones must have too. */
static BH_INLINE void bh_sandbox_enter(struct bh_subject *subject)
{
	struct bh_sandbox *sandbox = subject->sandbox;
	struct fs_struct *fs = bpf_get_current_task_btf()->fs;

	if (sandbox && fs && !subject->tool && !(sandbox->flags & BH_SANDBOX_ENTERED)) {
		sandbox->root_dentry = (__u64)fs->root.dentry;
		sandbox->root_mount = (__u64)fs->root.mnt;
		sandbox->filters = bh_seccomp_filters();
		__sync_fetch_and_or(&sandbox->flags, BH_SANDBOX_ENTERED);
	}
}

/*
 * Arguments and environment are judged, which can only end the task: the exec cannot be refused any more. Returns the tool
 * that it becomes; where a violation is only reported, the first that the file leads to; 0: it ends.
 */
static BH_INLINE __u32 bh_exec_choose(struct linux_binprm *bprm, __u32 next, __u32 words)
{
	struct bh_case this = {};
	struct bh_answer answer;
	const struct bh_choice *choice;

	if (bh_case_open(&this, BH_KIND_EXEC_ARGS) != BH_JUDGE)
		return 0;
	this.access = BH_ACCESS_EXEC;
	answer = bh_command_judge(&this, bprm, next, words);
	if (!(next & BH_NEXT_CHOICE)) /* no doubt which tool it is that may not start so */
		this.subject.tool = next;
	if (bh_case_close(&this, answer))
		return 0;
	if (answer.to || !this.subject.policy)
		return answer.to;
	choice = bh_choice_of(this.subject.policy, next);
	return choice ? choice->ways[0].to : next;
}

/* Puts the chosen tool on, or ends the task. The subject still tells the one before. */
static BH_INLINE void bh_label_commit(struct bh_subject *subject, struct bh_label *label, struct linux_binprm *bprm)
{
	__u32 next = label->head.next, tool = next;

	bh_sandbox_enter(subject);
	if (next & BH_NEXT_CHOICE || (subject->tool && subject->tool != next))
		tool = bh_exec_choose(bprm, next, label->words);
	label->head.tool = tool;
	label->head.next = 0;
	if (!tool)
		bpf_send_signal(BH_SIGKILL);
}

/*
 * Past the point of no return: the new image becomes the tool that the check chose, or dies before its first instruction.
 * A label that cannot be had now (kernel-facts 1) may be had at the next hook.
 */
SEC("lsm/bprm_committing_creds")
int BPF_PROG(bh_exec_commit, struct linux_binprm *bprm)
{
	struct bh_subject subject = {};
	struct bh_label *label;

	if (!bh_subject_find(&subject))
		return 0;
	label = bh_current_label();
	if (label)
		__builtin_memcpy(label->exe, label->next_exe, sizeof(label->exe));
	if (label && label->head.next) {
		bh_label_commit(&subject, label, bprm);
	} else if (!subject.next &&
		   !(subject.policy && bh_mode_now(&subject.policy->head, BH_REASON_X1) != BH_MODE_ENFORCE)) {
		/* no check has let it through; where that is only reported it runs on in its old tool */
		bpf_send_signal(BH_SIGKILL);
	}
	return 0;
}

SEC("lsm/bprm_committed_creds")
int BPF_PROG(bh_exec_done, struct linux_binprm *bprm)
{
	struct bh_subject subject = {};
	struct bh_label *label;

	if (!bh_subject_find(&subject) || !subject.next)
		return 0;
	label = bh_current_label();
	if (label) {
		__builtin_memcpy(label->exe, label->next_exe, sizeof(label->exe));
		bh_label_commit(&subject, label, bprm);
	} else {
		bh_count(BH_COUNT_LABEL_FAULT);
		bpf_send_signal(BH_SIGKILL);
	}
	return 0;
}

/* CLONE_NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET */
#define BH_CLONE_NAMESPACES 0x7e020080ul
#define BH_CLONE_INTO_CGROUP 0x200000000ul
#define BH_EAGAIN 11

/* Children inherit, io workers included. A child that could not be labelled must not be born. */
SEC("lsm/task_alloc")
int BPF_PROG(bh_task_alloc, struct task_struct *task, unsigned long clone_flags, int ret)
{
	struct bh_subject subject = {};
	struct bh_label *parent, *child;

	if (ret)
		return ret;
	if (!bh_subject_find(&subject))
		return 0;
	if (clone_flags & BH_CLONE_INTO_CGROUP) { /* out of the reach of limits and of the kill */
		ret = bh_refuse(BH_KIND_CGROUP_MOVE, BH_REASON_C2);
		if (ret)
			return ret;
	}
	if (clone_flags & BH_CLONE_NAMESPACES) {
		ret = bh_judge_privilege(BH_KIND_NAMESPACE, BH_PRIVILEGE_NAMESPACES);
		if (ret)
			return ret;
	}
	if (!subject.labelled) /* in the sandbox's cgroup, but not started yet: so will the child be */
		return 0;
	child = bpf_task_storage_get(&bh_labels, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!child) {
		bh_count(BH_COUNT_LABEL_FAULT);
		return -BH_EAGAIN;
	}
	parent = bh_current_label();
	if (parent)
		__builtin_memcpy(child->exe, parent->exe, sizeof(child->exe));
	child->head.sandbox = subject.number;
	child->head.tool = subject.tool;
	child->head.next = 0;
	child->head.cookie = subject.cookie;
	return 0;
}
