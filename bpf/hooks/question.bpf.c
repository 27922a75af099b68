// SPDX-License-Identifier: GPL-2.0-only
/* The verdict as a program that userspace runs with BPF_PROG_RUN: the hooks' own code over the hooks' own maps, no LSM needed. */
#include "bpf/lib/ask.h"
#include "bpf/lib/subject.bpf.h"

/* questions, texts and answers; userspace maps them into its memory */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bh_ask_entry);
} bh_asked SEC(".maps");

/* bpf_loop step: one question. */
static long bh_ask_step(__u32 index, struct bh_ask_range *range)
{
	__u32 key = range->first + index, zero = 0;
	struct bh_ask_entry *entry = bpf_map_lookup_elem(&bh_asked, &key);
	struct bh_floor_net *floor = bpf_map_lookup_elem(&bh_floor, &zero);
	struct bh_policy *policy;

	if (!entry || !floor)
		return 1;
	policy = bh_policy_in(entry->question.slot);
	entry->answered = 0;
	if (policy)
		entry->answered = bh_ask_answer(policy, floor, &entry->question, &entry->texts) ? 2 : 1;
	return 0;
}

SEC("syscall")
int bh_ask(struct bh_ask_range *range)
{
	struct bh_ask_range here = *range;

	bpf_loop(here.count, bh_ask_step, &here, 0);
	return 0;
}
