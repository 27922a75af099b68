/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Verdicts about privileged operations and capabilities. */
#ifndef BH_LIB_PRIVILEGE_H
#define BH_LIB_PRIVILEGE_H

#include "bpf/lib/answer.h"

/* Operations that no policy can allow. */
static BH_INLINE __u64 bh_privileges_floor(void)
{
	__u64 set = 0;

#define BH_PRIVILEGE(bit, id, name, floor, text) set |= (__u64)(floor) << (bit);
#include "rules/privileges.def"
#undef BH_PRIVILEGE
	return set;
}

/* Capabilities whose only use is one of those operations. */
#define BH_CAPABILITIES_FLOOR                                                                                          \
	(1ull << BH_CAP_SYS_MODULE | 1ull << BH_CAP_SYS_RAWIO | 1ull << BH_CAP_SYS_PACCT | 1ull << BH_CAP_SYS_BOOT |   \
	 1ull << BH_CAP_MAC_OVERRIDE | 1ull << BH_CAP_MAC_ADMIN | 1ull << BH_CAP_SYSLOG | 1ull << BH_CAP_PERFMON |     \
	 1ull << BH_CAP_BPF)
/* capabilities(7); vmlinux.h does not have them and must not be mixed with linux/capability.h */
#define BH_CAP_SYS_MODULE 16
#define BH_CAP_SYS_RAWIO 17
#define BH_CAP_SYS_PACCT 20
#define BH_CAP_SYS_BOOT 22
#define BH_CAP_MAC_OVERRIDE 32
#define BH_CAP_MAC_ADMIN 33
#define BH_CAP_SYSLOG 34
#define BH_CAP_PERFMON 38
#define BH_CAP_BPF 39

static BH_INLINE struct bh_answer bh_answer_right(__u64 floor, __u64 allowed, __u32 tool, __u32 number)
{
	struct bh_answer answer = {};

	if (number < 64 && floor >> number & 1)
		answer.reason = BH_REASON_C0;
	else if (number >= 64 || !bh_tool_bit(tool) || !(allowed >> number & 1))
		answer.reason = BH_REASON_C2;
	return answer;
}

/* May `tool` do this (BH_PRIVILEGE_*)? */
static BH_INLINE struct bh_answer bh_decide_privilege(const struct bh_policy *policy, __u32 tool, __u32 operation)
{
	return bh_answer_right(bh_privileges_floor(), policy->head.operations, tool, operation);
}

/* May `tool` use this capability (CAP_*)? */
static BH_INLINE struct bh_answer bh_decide_capability(const struct bh_policy *policy, __u32 tool, __u32 capability)
{
	return bh_answer_right(BH_CAPABILITIES_FLOOR, policy->head.capabilities, tool, capability);
}

#endif
