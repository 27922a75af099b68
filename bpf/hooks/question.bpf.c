// SPDX-License-Identifier: GPL-2.0-only
/* The verdict as a program that userspace runs with BPF_PROG_RUN: the hooks' own code over the hooks' own maps, no LSM needed. */
#include "bpf/lib/ask.h"
#include "bpf/lib/subject.bpf.h"

/* where userspace puts the texts before the run */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bh_texts);
} bh_ask_texts SEC(".maps");

SEC("syscall")
int bh_ask(struct bh_question *question)
{
	struct bh_policy *policy = bh_policy_in(question->slot);
	struct bh_question here = *question; /* the verifier takes no pointer into the context further */
	struct bh_floor_net *floor;
	struct bh_texts *texts;
	__u32 zero = 0;

	texts = bpf_map_lookup_elem(&bh_ask_texts, &zero);
	floor = bpf_map_lookup_elem(&bh_floor, &zero);
	if (!policy || !texts || !floor)
		return -1;
	if (bh_ask_answer(policy, floor, &here, texts))
		return -2;
	question->reason = here.reason;
	question->to = here.to;
	question->rule = here.rule;
	return 0;
}
