/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The verdict: a pure function of a question and a compiled policy. No helpers, no kernel types, no state: the hooks, the
 * BPF_PROG_RUN program, `bulkhead explain` and the unit tests all run these lines.
 */
#ifndef BH_LIB_DECIDE_H
#define BH_LIB_DECIDE_H

#include "bpf/lib/program.h"
#include "bpf/lib/peer.h"
#include "bpf/lib/privilege.h"

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

/* Is it something that the policy or a guard forbids by name, and not only what nobody allowed? */
static BH_INLINE int bh_reason_forbids(__u32 reason)
{
	return reason == BH_REASON_F1 || reason == BH_REASON_X10 || reason == BH_REASON_N10 || reason == BH_REASON_U1;
}

/* The mode that holds for a reason: a class that is being rolled out may have one of its own. */
static BH_INLINE __u32 bh_mode_of(const struct bh_policy_head *head, __u32 reason)
{
	__u32 mode = head->modes[bh_reason_class_of(reason) & (BH_CLASS_SLOTS - 1)];

	return mode ? mode : head->mode;
}

/*
 * What is done about a reason that `tool` gave: BH_VERDICT_*. In observe mode only the floor is enforced, in grace mode
 * what is forbidden too. What is known too late to be refused ends the process at least.
 */
static BH_INLINE __u32 bh_verdict_of(const struct bh_policy_head *head, __u32 tool, __u32 reason, __u32 mode)
{
	__u32 class = bh_reason_class_of(reason), verdict;

	if (!reason)
		return BH_VERDICT_ALLOW;
	if (class != BH_CLASS_FLOOR &&
	    (mode == BH_MODE_OBSERVE || (mode == BH_MODE_GRACE && !bh_reason_forbids(reason))))
		return BH_VERDICT_ALLOW;
	verdict = head->respond[bh_tool_slot(tool)][class & (BH_CLASS_SLOTS - 1)];
	if (verdict == BH_VERDICT_KILL || verdict == BH_VERDICT_FREEZE)
		return verdict;
	return class == BH_CLASS_ARGS ? BH_VERDICT_TASK : BH_VERDICT_DENY;
}

#endif
