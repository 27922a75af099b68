/* SPDX-License-Identifier: GPL-2.0-only */
/* Hooks that ask for one privileged operation: their whole case, without a path. */
#ifndef BH_LIB_PRIVILEGED_BPF_H
#define BH_LIB_PRIVILEGED_BPF_H

#include "bpf/lib/report.bpf.h"

/* operation: BH_PRIVILEGE_*. Returns what the hook returns. */
static BH_INLINE int bh_judge_privilege(__u32 kind, __u32 operation)
{
	struct bh_case this = {};

	switch (bh_case_open(&this, kind)) {
	case BH_OUTSIDE:
		return 0;
	case BH_REFUSE:
		return -BH_EPERM;
	}
	this.scratch->event.number = operation + 1;
	if (!this.subject.policy)
		return bh_case_close(&this, bh_reason(BH_REASON_R0));
	return bh_case_close(&this, bh_decide_privilege(this.subject.policy, this.subject.tool, operation));
}

#endif
