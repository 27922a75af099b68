/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The verdict: a pure function of a question and a compiled policy. No helpers, no kernel types, no state: the hooks, the
 * BPF_PROG_RUN program, `bulkhead explain` and the unit tests all run these lines.
 */
#ifndef BH_LIB_DECIDE_H
#define BH_LIB_DECIDE_H

#include "bpf/lib/address.h"
#include "bpf/lib/walk.h"

/* An answer. reason 0: allowed. rule: index + 1 of the never rule that decided, else 0. */
struct bh_answer {
	__u16 reason;
	__u8 to; /* exec: the tool that the task becomes */
	__u8 pad0;
	__u32 rule;
};

/*
 * One path as the hooks read it. bytes holds BH_PATH_MAX readable bytes, length without the NUL. self: the number under
 * which procfs shows the asking process, 0 when the file does not lie on procfs; /proc/<self> is walked as /proc/self.
 */
struct bh_path_question {
	const __u8 *bytes;
	__u32 length;
	__u32 self;
};

static __always_inline __u32 bh_tool_bit(__u32 tool)
{
	return tool >= 1 && tool <= BH_TOOLS_MAX ? 1u << ((tool - 1) & 31) : 0;
}

/* Bytes of "/proc/<self>" at the beginning of the path, when the next byte ends that component; else 0. */
static __always_inline __u32 bh_own_proc_prefix(const __u8 *bytes, __u32 length, __u32 self)
{
	__u32 number = 0, i;

	if (length < 7 || bytes[0] != '/' || bytes[1] != 'p' || bytes[2] != 'r' || bytes[3] != 'o' || bytes[4] != 'c' ||
	    bytes[5] != '/')
		return 0;
	for (i = 6; i < 17; i++) {
		if (i >= length || bytes[i] == '/')
			break;
		if (bytes[i] < '0' || bytes[i] > '9')
			return 0;
		number = number * 10 + (bytes[i] - '0');
	}
	return i > 6 && i < 17 && number == self ? i : 0;
}

static __always_inline const struct bh_accept *bh_path_accept(const struct bh_policy *policy, const struct bh_path_question *path)
{
	static const __u8 own[16] = "/proc/self";
	__u32 start = policy->head.path_start, skip = 0, state, accept;

	if (path->self) {
		skip = bh_own_proc_prefix(path->bytes, path->length, path->self);
		if (skip)
			start = bh_walk(policy->cells, BH_CELLS - 1, start, own, sizeof("/proc/self") - 1, 16);
	}
	state = bh_walk_from(policy->cells, BH_CELLS - 1, start, path->bytes, skip, path->length, BH_PATH_MAX);
	accept = bh_accept_of(policy->cells, BH_CELLS - 1, state);
	return &policy->accepts[accept & (BH_ACCEPTS_MAX - 1)];
}

/* May `tool` open, create or change this file? access: BH_ACCESS_READ | BH_ACCESS_WRITE, every bit must be granted. */
static __always_inline struct bh_answer bh_decide_file(const struct bh_policy *policy, __u32 tool, __u32 access,
						       const struct bh_path_question *path)
{
	struct bh_answer answer = {};
	const struct bh_accept *accept = bh_path_accept(policy, path);
	__u32 bit = bh_tool_bit(tool);
	int read = access & BH_ACCESS_READ, write = access & BH_ACCESS_WRITE;

	if ((read && accept->floor & BH_FLOOR_READ) || (write && accept->floor & BH_FLOOR_WRITE)) {
		answer.reason = BH_REASON_F0;
	} else if ((read && accept->never_read & bit) || (write && accept->never_write & bit)) {
		answer.reason = BH_REASON_F1;
		answer.rule = accept->never_rule;
	} else if (!bit || !(read || write) || (read && !(accept->read & bit)) || (write && !(accept->write & bit))) {
		answer.reason = BH_REASON_F2;
	}
	return answer;
}

/*
 * May `tool` execute this file, and what does it become? BH_TOOL_NONE asks for the entry edge.
 */
static __always_inline struct bh_answer bh_decide_exec(const struct bh_policy *policy, __u32 tool,
						       const struct bh_path_question *path)
{
	struct bh_answer answer = {};
	const struct bh_accept *accept = bh_path_accept(policy, path);
	__u32 row = accept->edge_row;

	if (tool <= BH_TOOLS_MAX && row < BH_EDGE_ROWS_MAX)
		answer.to = policy->edges[row].to[tool];
	if (!answer.to)
		answer.reason = BH_REASON_X1;
	return answer;
}

/*
 * May the kernel open this file on the way to a program that `tool` may run: the program itself, its loader, the interpreter
 * of a script? The loader and interpreter count when the tool may read them and no tool of the policy may write them.
 */
static __always_inline struct bh_answer bh_decide_exec_open(const struct bh_policy *policy, __u32 tool, __u32 next_tool,
							    const struct bh_path_question *path)
{
	struct bh_answer answer = {};
	const struct bh_accept *accept = bh_path_accept(policy, path);
	__u32 row = accept->edge_row, bits = bh_tool_bit(tool) | bh_tool_bit(next_tool);

	if (tool <= BH_TOOLS_MAX && row < BH_EDGE_ROWS_MAX && policy->edges[row].to[tool])
		return answer;
	if (next_tool && next_tool <= BH_TOOLS_MAX && row < BH_EDGE_ROWS_MAX && policy->edges[row].to[next_tool] == next_tool)
		return answer;
	if (!(accept->read & bits) || accept->write || accept->never_read & bits || accept->floor & BH_FLOOR_READ)
		answer.reason = BH_REASON_X1;
	return answer;
}

/* May a script of the tool that the task is about to become be run by this interpreter (`#!`, binfmt_misc)? */
static __always_inline struct bh_answer bh_decide_interpreter(const struct bh_policy *policy, __u32 next_tool,
							      const struct bh_path_question *path)
{
	struct bh_answer answer = {};
	const struct bh_accept *accept = bh_path_accept(policy, path);
	__u32 row = accept->edge_row;

	if (!next_tool || next_tool > BH_TOOLS_MAX || row >= BH_EDGE_ROWS_MAX || policy->edges[row].to[next_tool] != next_tool)
		answer.reason = BH_REASON_X6;
	return answer;
}

/* An address that a task wants to talk to. family 4 or 6; IPv4 in the first four bytes; port in host byte order. */
struct bh_net_question {
	__u8 address[16];
	__u16 port;
	__u8 family;
	__u8 protocol;
};

static __always_inline int bh_net_listed(const struct bh_policy *policy, __u32 tool, __u32 state, __u32 port, __u32 protocol)
{
	__u32 accept = bh_accept_of(policy->cells, BH_CELLS - 1, state);
	const struct bh_net_row *row = &policy->nets[accept & (BH_NET_ROWS_MAX - 1)];
	__u32 first, count, i;

	if (!tool || tool > BH_TOOLS_MAX)
		return 0;
	first = row->range_first[tool];
	count = row->range_count[tool];
	for (i = 0; i < 64; i++) {
		const struct bh_range *range = &policy->ranges[(first + i) & (BH_RANGES_MAX - 1)];

		if (i >= count)
			break;
		if (range->protocol == protocol && port >= range->low && port <= range->high)
			return 1;
	}
	return 0;
}

/*
 * May `tool` send to this address? The floor comes first, whatever the policy says. An IPv4-mapped address is judged as
 * the IPv4 address it is, because the kernel connects there by IPv4.
 */
static __always_inline struct bh_answer bh_decide_net(const struct bh_policy *policy, const struct bh_floor_net *floor,
						      __u32 tool, const struct bh_net_question *question)
{
	struct bh_answer answer = {};
	__u8 ipv4[16] = {};
	__u32 state;

	if (question->family != 4 && question->family != 6) {
		answer.reason = BH_REASON_N7;
		return answer;
	}
	if (bh_floor_blocks(floor, question->family, question->address, question->port)) {
		answer.reason = BH_REASON_N0;
		return answer;
	}
	if (question->family == 4)
		state = bh_walk(policy->cells, BH_CELLS - 1, policy->head.net4_start, question->address, 4, 4);
	else if (bh_hidden_ipv4(question->address, ipv4) == BH_HIDDEN_MAPPED)
		state = bh_walk(policy->cells, BH_CELLS - 1, policy->head.net4_start, ipv4, 4, 4);
	else
		state = bh_walk(policy->cells, BH_CELLS - 1, policy->head.net6_start, question->address, 16, 16);
	if (!bh_net_listed(policy, tool, state, question->port, question->protocol))
		answer.reason = BH_REASON_N2;
	return answer;
}

#define BH_REASON(number, code, class, text)                                                                           \
	case number:                                                                                                   \
		return BH_CLASS_##class;

/* The response class of a reason; 0 for an unknown number. */
static __always_inline __u32 bh_reason_class_of(__u32 reason)
{
	switch (reason) {
#include "rules/reasons.def"
	default:
		return 0;
	}
}
#undef BH_REASON

/*
 * What is done about a reason: BH_VERDICT_ALLOW, _DENY or _KILL. In observe mode only the floor is enforced.
 */
static __always_inline __u32 bh_verdict_of(const struct bh_policy_head *head, __u32 reason, __u32 mode)
{
	__u32 class = bh_reason_class_of(reason);

	if (!reason)
		return BH_VERDICT_ALLOW;
	if (mode == BH_MODE_OBSERVE && class != BH_CLASS_FLOOR)
		return BH_VERDICT_ALLOW;
	if (class && class < BH_CLASSES && head->respond[class] == BH_VERDICT_KILL)
		return BH_VERDICT_KILL;
	return BH_VERDICT_DENY;
}

#endif
