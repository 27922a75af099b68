// SPDX-License-Identifier: GPL-2.0-only
/* The verdict as a program that userspace runs with BPF_PROG_RUN: the hooks' own code over the hooks' own maps, no LSM needed. */
#include "bpf/lib/path.bpf.h"

/* where userspace puts the path before the run */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bh_path_bytes);
} bh_ask_path SEC(".maps");

SEC("syscall")
int bh_ask(struct bh_question *question)
{
	struct bh_policy *policy = bh_policy_in(question->slot);
	struct bh_path_question path = {};
	struct bh_answer answer = {};
	struct bh_floor_net *floor;
	__u32 zero = 0;

	path.path = bpf_map_lookup_elem(&bh_ask_path, &zero);
	floor = bpf_map_lookup_elem(&bh_floor, &zero);
	if (!policy || !path.path || !floor)
		return -1;
	path.length = question->path_length;
	path.self = question->self;
	if (question->kind == BH_KIND_EXEC) {
		answer = bh_decide_exec(policy, question->tool, &path);
	} else if (question->kind == BH_KIND_FILE_OPEN) {
		answer = bh_decide_file(policy, question->tool, question->access, &path);
	} else if (question->kind == BH_KIND_CONNECT) {
		struct bh_net_question net = { .port = question->port,
					       .family = question->family,
					       .protocol = question->protocol };

		__builtin_memcpy(net.address.bytes, question->address, sizeof(net.address.bytes));
		answer = bh_decide_net(policy, floor, question->tool, &net);
	} else {
		return -2;
	}
	question->reason = answer.reason;
	question->to = answer.to;
	question->rule = answer.rule;
	return 0;
}
