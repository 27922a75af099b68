/* SPDX-License-Identifier: GPL-2.0-only */
/* Who asks: the current task's sandbox and tool. The first question of every hook, so the cheapest. */
#ifndef BH_LIB_SUBJECT_BPF_H
#define BH_LIB_SUBJECT_BPF_H

#include "bpf/maps.bpf.h"

struct bh_subject {
	struct bh_sandbox *sandbox;
	struct bh_policy *policy; /* NULL: not bound yet or not readable, nothing is allowed */
	__u32 number; /* of the sandbox */
	__u32 tool;
	__u32 next; /* of an exec that is under way: as in struct bh_edge_row */
	__u32 labelled; /* known by its label; else by its cgroup */
	__u64 cookie;
};

#define BH_STORAGE_WALK 16

/*
 * bpf_task_storage_get() answers NULL on a labelled task when its lock is busy (6.1 with preempt=full: every fourth time
 * under load). The list behind it is only ever added to by the task itself, so it can be read without the lock; the cookie
 * tells our element from other owners'. Fills found and returns its sandbox, 0 when the task carries no label.
 */
BH_ONCE __u32 bh_label_walk(struct bh_label_head *found, __u64 cookie)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct bpf_local_storage *storage = BPF_CORE_READ(task, bpf_storage);
	struct hlist_node *node;

	if (!storage || !found)
		return 0;
	node = BPF_CORE_READ(storage, list.first);
	for (int i = 0; i < BH_STORAGE_WALK; i++) {
		struct bpf_local_storage_elem *element;
		struct bh_label_head label = {};

		if (!node)
			break;
		element = (void *)node - bpf_core_field_offset(struct bpf_local_storage_elem, snode);
		if (bpf_probe_read_kernel(&label, sizeof(label), &element->sdata.data))
			break;
		if (label.cookie == cookie) {
			bh_count(BH_COUNT_LABEL_WALK);
			*found = label;
			return label.sandbox;
		}
		node = BPF_CORE_READ(node, next);
	}
	return 0;
}

/*
 * The sandbox whose cgroup the task is in or under, and how deep that cgroup lies: number | depth << 16; 0: none. Looks only
 * at the depths in `levels`.
 */
BH_ONCE __u32 bh_sandbox_by_cgroup(__u32 levels)
{
	for (int level = 0; level < (int)BH_DEPTH_MAX; level++) {
		__u64 id;
		__u32 *number;

		if (!(levels >> level))
			break;
		if (!(levels >> level & 1))
			continue;
		id = bpf_get_current_ancestor_cgroup_id(level);
		if (!id)
			break;
		number = bpf_map_lookup_elem(&bh_cgroups, &id);
		if (number)
			return *number | (__u32)level << 16;
	}
	return 0;
}

/*
 * The kernel acts with other credentials than the task's own: overlayfs at its layers, in the mounter's name. A task cannot
 * bring this about: io_uring's registered credentials are refused (uring_override_creds).
 */
static BH_INLINE int bh_in_anothers_name(void)
{
	struct task_struct *task = bpf_get_current_task_btf();

	return task->cred != task->real_cred;
}

static BH_INLINE struct bh_label *bh_current_label(void)
{
	return bpf_task_storage_get(&bh_labels, bpf_get_current_task_btf(), 0, 0);
}

static BH_INLINE struct bh_policy *bh_policy_in(__u32 slot)
{
	void *inner = bpf_map_lookup_elem(&bh_policies, &slot);
	__u32 zero = 0;

	return inner ? bpf_map_lookup_elem(inner, &zero) : NULL;
}

/* Fills subject but for its policy. Returns 1 inside a sandbox, 0 outside. */
static BH_INLINE int bh_subject_who(struct bh_subject *subject)
{
	struct bh_label *label = bh_current_label();
	struct bh_label_head found = {};
	__u32 zero = 0, place = 0;

	if (label) {
		found = label->head;
	} else {
		struct bh_state *state = bpf_map_lookup_elem(&bh_state, &zero);

		if (!state)
			return 0;
		if (bpf_get_current_task_btf()->bpf_storage)
			bh_label_walk(&found, state->cookie);
		if (!found.sandbox)
			place = bh_sandbox_by_cgroup(state->levels);
	}
	subject->number = found.sandbox ? found.sandbox : place & 0xffff;
	subject->tool = found.tool;
	subject->next = found.next;
	subject->labelled = found.sandbox != 0;
	subject->cookie = found.cookie;
	if (!subject->number)
		return 0;
	subject->sandbox = bpf_map_lookup_elem(&bh_sandboxes, &subject->number);
	if (subject->sandbox && place)
		subject->sandbox->level = place >> 16; /* userspace in a cgroup namespace cannot know it */
	return 1;
}

static BH_INLINE void bh_subject_policy(struct bh_subject *subject)
{
	if (subject->sandbox && subject->sandbox->flags & BH_SANDBOX_BOUND)
		subject->policy = bh_policy_in(subject->sandbox->policy);
}

/* Fills subject. Returns 1 inside a sandbox, 0 outside. */
static BH_INLINE int bh_subject_find(struct bh_subject *subject)
{
	if (!bh_subject_who(subject))
		return 0;
	bh_subject_policy(subject);
	return 1;
}

#endif
