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

/* The kernel's numbers; <linux/capability.h> and vmlinux.h do not go together. */
#define BH_CAPABILITY(number, name) BH_KERNEL_##name = number,
enum bh_kernel_capability {
#include "rules/capabilities.def"
};
#undef BH_CAPABILITY

/* Capabilities whose only use is one of those operations. */
static BH_INLINE __u64 bh_capabilities_floor(void)
{
	return 1ull << BH_KERNEL_CAP_SYS_MODULE | 1ull << BH_KERNEL_CAP_SYS_RAWIO | 1ull << BH_KERNEL_CAP_SYS_PACCT |
	       1ull << BH_KERNEL_CAP_SYS_BOOT | 1ull << BH_KERNEL_CAP_MAC_OVERRIDE | 1ull << BH_KERNEL_CAP_MAC_ADMIN |
	       1ull << BH_KERNEL_CAP_SYSLOG | 1ull << BH_KERNEL_CAP_PERFMON | 1ull << BH_KERNEL_CAP_BPF;
}

static BH_INLINE struct bh_answer bh_answer_right(__u64 floor, __u64 allowed, __u32 number)
{
	struct bh_answer answer = {};

	if (number < 64 && floor >> number & 1)
		answer.reason = BH_REASON_C0;
	else if (number >= 64 || !(allowed >> number & 1))
		answer.reason = BH_REASON_C2;
	return answer;
}

/* May `tool` do this (BH_PRIVILEGE_*)? */
static BH_INLINE struct bh_answer bh_decide_privilege(const struct bh_policy *policy, __u32 tool, __u32 operation)
{
	return bh_answer_right(bh_privileges_floor(), bh_tool_known(policy, tool) ? policy->head.operations : 0,
			       operation);
}

/* May `tool` use this capability (CAP_*)? */
static BH_INLINE struct bh_answer bh_decide_capability(const struct bh_policy *policy, __u32 tool, __u32 capability)
{
	return bh_answer_right(bh_capabilities_floor(), bh_tool_known(policy, tool) ? policy->head.capabilities : 0,
			       capability);
}

#endif
