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
 * One path as the hooks read it. length: without the NUL. self: the number under
 * which procfs shows the asking process, 0 when the file does not lie on procfs; /proc/<self> is walked as /proc/self.
 */
struct bh_path_question {
	const struct bh_path_bytes *path;
	__u32 length;
	__u32 self;
};

static BH_INLINE __u32 bh_tool_bit(__u32 tool)
{
	return tool >= 1 && tool <= BH_TOOLS_MAX ? 1u << ((tool - 1) & 31) : 0;
}

/* Bytes of "/proc/<self>" at the beginning of the path, when the next byte ends that component; else 0. */
BH_ONCE __u32 bh_own_proc_prefix(const struct bh_path_bytes *path, __u32 length, __u32 self)
{
	__u64 number = 0; /* eleven digits at most: no overflow makes a stranger's number ours */
	__u32 i;

	if (!path || !self || length < 7)
		return 0;
	if (path->bytes[0] != '/' || path->bytes[1] != 'p' || path->bytes[2] != 'r' || path->bytes[3] != 'o' ||
	    path->bytes[4] != 'c' || path->bytes[5] != '/' || path->bytes[6] == '0')
		return 0;
	for (i = 6; i < 17; i++) {
		if (i >= length || path->bytes[i] == '/')
			break;
		if (path->bytes[i] < '0' || path->bytes[i] > '9')
			return 0;
		number = number * 10 + (path->bytes[i] - '0');
	}
	return i < 17 && number == self ? i : 0;
}

/* Accept id of a path. */
BH_ONCE __u32 bh_path_accept_id(const struct bh_policy *policy, const struct bh_path_bytes *path, __u32 length,
				__u32 self)
{
	__u32 skip, state;

	if (!policy || !path)
		return 0;
	skip = bh_own_proc_prefix(path, length, self);
	state = skip ? policy->head.self_start : policy->head.path_start;
	return bh_state_accept(policy, bh_walk_path(policy, path, state, skip, length));
}

static BH_INLINE const struct bh_accept *bh_path_accept(const struct bh_policy *policy,
							const struct bh_path_question *question)
{
	__u32 accept = bh_path_accept_id(policy, question->path, question->length, question->self);

	return &policy->accepts[accept & (BH_ACCEPTS_MAX - 1)];
}

/* May `tool` open, create or change this file? access: BH_ACCESS_READ | BH_ACCESS_WRITE, every bit must be granted. */
static BH_INLINE struct bh_answer bh_decide_file(const struct bh_policy *policy, __u32 tool, __u32 access,
						 const struct bh_path_question *path)
{
	struct bh_answer answer = {};
	const struct bh_accept *accept = bh_path_accept(policy, path);
	__u32 bit = bh_tool_bit(tool);
	int read = access & BH_ACCESS_READ, write = access & BH_ACCESS_WRITE;

	if ((read && accept->floor & BH_FLOOR_READ) || (write && accept->floor & BH_FLOOR_WRITE)) {
		answer.reason = BH_REASON_F0;
	} else if (read && accept->never_read & bit) {
		answer.reason = BH_REASON_F1;
		answer.rule = accept->never_read_rule;
	} else if (write && accept->never_write & bit) {
		answer.reason = BH_REASON_F1;
		answer.rule = accept->never_write_rule;
	} else if (!bit || !(read || write) || (read && !(accept->read & bit)) || (write && !(accept->write & bit))) {
		answer.reason = BH_REASON_F2;
	}
	return answer;
}

/* May a directory of this name be moved away, or another be put in its place? Asked after bh_decide_file said yes. */
static BH_INLINE struct bh_answer bh_decide_move(const struct bh_policy *policy, const struct bh_path_question *path)
{
	struct bh_answer answer = {};

	if (bh_path_accept(policy, path)->floor & BH_FLOOR_PINNED)
		answer.reason = BH_REASON_F4;
	return answer;
}

/* A tool's column in the tables by tool. Numbers that no policy gives share the last one, which is empty. */
static BH_INLINE __u32 bh_tool_slot(__u32 tool)
{
	return (tool <= BH_TOOLS_MAX ? tool : BH_TOOL_SLOTS - 1) & (BH_TOOL_SLOTS - 1);
}

/* The tool that `tool` becomes by executing a file with these rights; 0: no edge. Masked, so that no table leads out of the policy. */
static BH_INLINE __u32 bh_edge(const struct bh_policy *policy, const struct bh_accept *accept, __u32 tool)
{
	return policy->edges[accept->edge_row & (BH_EDGE_ROWS_MAX - 1)].to[bh_tool_slot(tool)];
}

/* No edge: because the policy forbids everybody this program, or for `reason`. */
static BH_INLINE void bh_answer_no_edge(struct bh_answer *answer, const struct bh_accept *accept, __u16 reason)
{
	answer->reason = accept->never_run_rule ? BH_REASON_X10 : reason;
	answer->rule = accept->never_run_rule;
}

/*
 * May `tool` execute this file, and what does it become? BH_TOOL_NONE asks for the entry edge.
 */
static BH_INLINE struct bh_answer bh_decide_exec(const struct bh_policy *policy, __u32 tool,
						 const struct bh_path_question *path)
{
	struct bh_answer answer = {};
	const struct bh_accept *accept = bh_path_accept(policy, path);

	if (!accept->never_run_rule)
		answer.to = bh_edge(policy, accept, tool);
	if (!answer.to)
		bh_answer_no_edge(&answer, accept, BH_REASON_X1);
	return answer;
}

/*
 * May the kernel open this file on the way to a program that `tool` may run: the program itself, its loader, the interpreter
 * of a script? The loader and interpreter count when the tool may read them and no tool of the policy may write them; a
 * loader that nobody may run is still one: whether it is run is asked by bh_decide_exec and bh_decide_interpreter.
 */
static BH_INLINE struct bh_answer bh_decide_exec_open(const struct bh_policy *policy, __u32 tool, __u32 next_tool,
						      const struct bh_path_question *path)
{
	struct bh_answer answer = {};
	const struct bh_accept *accept = bh_path_accept(policy, path);
	__u32 bits = bh_tool_bit(tool) | bh_tool_bit(next_tool);

	if (!accept->never_run_rule &&
	    (bh_edge(policy, accept, tool) || (next_tool && bh_edge(policy, accept, next_tool) == next_tool)))
		return answer;
	if (!(accept->read & bits) || accept->write || accept->never_read & bits || accept->floor & BH_FLOOR_READ)
		bh_answer_no_edge(&answer, accept, BH_REASON_X1);
	return answer;
}

/* May a script of the tool that the task is about to become be run by this interpreter (`#!`, binfmt_misc)? */
static BH_INLINE struct bh_answer bh_decide_interpreter(const struct bh_policy *policy, __u32 next_tool,
							const struct bh_path_question *path)
{
	struct bh_answer answer = {};
	const struct bh_accept *accept = bh_path_accept(policy, path);

	if (accept->never_run_rule || !next_tool || bh_edge(policy, accept, next_tool) != next_tool)
		bh_answer_no_edge(&answer, accept, BH_REASON_X6);
	return answer;
}

/* Whether executing this file can lead to `tool`: its own image is then mapped by the kernel. */
BH_ONCE __u32 bh_edge_leads(const struct bh_policy *policy, __u32 row, __u32 tool)
{
	if (!policy)
		return 0;
	for (__u32 from = 0; from <= BH_TOOLS_MAX; from++) {
		if (policy->edges[row & (BH_EDGE_ROWS_MAX - 1)].to[from & (BH_TOOL_SLOTS - 1)] == tool)
			return 1;
	}
	return 0;
}

/* May `tool` map this file as code? Its own image; else what it may read and no tool of the policy may write. */
static BH_INLINE struct bh_answer bh_decide_load(const struct bh_policy *policy, __u32 tool,
						 const struct bh_path_question *path)
{
	struct bh_answer answer = {};
	const struct bh_accept *accept = bh_path_accept(policy, path);
	__u32 bit = bh_tool_bit(tool);

	if (bit && bh_edge_leads(policy, accept->edge_row, tool))
		return answer;
	if (!(accept->read & bit) || accept->write || accept->never_read & bit || accept->floor & BH_FLOOR_READ)
		answer.reason = BH_REASON_X8;
	return answer;
}

/* May `tool` run code in memory that no file stands behind, or that differs from its file, or could? */
static BH_INLINE struct bh_answer bh_decide_jit(const struct bh_policy *policy, __u32 tool)
{
	struct bh_answer answer = {};

	if (!(policy->head.jit & bh_tool_bit(tool)))
		answer.reason = BH_REASON_X11;
	return answer;
}

/* An address that a task wants to talk to. family 4 or 6; IPv4 in the first four bytes; port in host byte order. */
struct bh_net_question {
	struct bh_address address;
	__u16 port;
	__u8 family;
	__u8 protocol;
};

BH_ONCE __u32 bh_net_listed(const struct bh_policy *policy, __u32 tool, __u32 accept, __u32 port, __u32 protocol)
{
	const struct bh_net_row *row;
	__u32 first, count, i;

	if (!policy)
		return 0;
	row = &policy->nets[accept & (BH_NET_ROWS_MAX - 1)];
	first = row->range_first[bh_tool_slot(tool)];
	count = row->range_count[bh_tool_slot(tool)];
	for (i = 0; i < BH_RANGES_EACH; i++) {
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
static BH_INLINE struct bh_answer bh_decide_net(const struct bh_policy *policy, const struct bh_floor_net *floor,
						__u32 tool, const struct bh_net_question *question)
{
	struct bh_answer answer = {};
	struct bh_address ipv4 = {};
	__u32 accept;

	if (question->family != 4 && question->family != 6) {
		answer.reason = BH_REASON_N7;
		return answer;
	}
	if (bh_floor_blocks(floor, question->family, &question->address, question->port)) {
		answer.reason = BH_REASON_N0;
		return answer;
	}
	if (question->family == 4)
		accept = bh_walk_address(policy, &question->address, policy->head.net4_start, 4);
	else if (bh_hidden_ipv4(question->address.bytes, ipv4.bytes) == BH_HIDDEN_MAPPED)
		accept = bh_walk_address(policy, &ipv4, policy->head.net4_start, 4);
	else
		accept = bh_walk_address(policy, &question->address, policy->head.net6_start, 16);
	if (!bh_net_listed(policy, tool, accept, question->port, question->protocol))
		answer.reason = BH_REASON_N2;
	return answer;
}

#define BH_REASON(number, code, class, text)                                                                           \
	case number:                                                                                                   \
		return BH_CLASS_##class;

/* The response class of a reason; 0 for an unknown number. */
static BH_INLINE __u32 bh_reason_class_of(__u32 reason)
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
static BH_INLINE __u32 bh_verdict_of(const struct bh_policy_head *head, __u32 reason, __u32 mode)
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
