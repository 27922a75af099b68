/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What all verdicts share: the answer, sets of tools, and what a policy says about a path. */
#ifndef BH_LIB_ANSWER_H
#define BH_LIB_ANSWER_H

#include "bpf/lib/walk.h"

/* An answer. reason 0: allowed. rule: index + 1 of the never rule that decided, else 0. */
struct bh_answer {
	__u16 reason;
	__u8 to; /* exec: the tool that the task becomes */
	__u8 pad0;
	__u32 rule;
	__u32 next; /* exec check: what its commit has to decide on, as in struct bh_edge_row */
};

/*
 * One path as the hooks read it. length: without the NUL. self: the number under
 * which procfs shows the asking process, 0 when the file does not lie on procfs; /proc/<self> is walked as /proc/self.
 * written: some sandbox opened the file for writing, under whatever name.
 */
struct bh_path_question {
	const struct bh_path_bytes *path;
	__u32 length;
	__u32 self;
	__u32 written;
};

static BH_INLINE __u32 bh_tool_bit(__u32 tool)
{
	return tool >= 1 && tool <= BH_TOOLS_MAX ? 1u << ((tool - 1) & 31) : 0;
}

/* Is it a tool of this policy? For what is allowed to all of them. */
static BH_INLINE int bh_tool_known(const struct bh_policy *policy, __u32 tool)
{
	return bh_tool_bit(tool) && tool <= policy->head.tools;
}

/* A tool's column in the tables by tool. Numbers that no policy gives share the last one, which is empty. */
static BH_INLINE __u32 bh_tool_slot(__u32 tool)
{
	__u32 slot = tool <= BH_TOOLS_MAX || tool == BH_TOOL_ATTACH ? tool : BH_TOOL_SLOTS - 1;

	BH_OPAQUE(slot);
	return slot & (BH_TOOL_SLOTS - 1);
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
	return bh_accept_at(policy, bh_path_accept_id(policy, question->path, question->length, question->self));
}

#endif
