/* SPDX-License-Identifier: GPL-2.0-only */
/* The answer that keeps evidence: every process of a sandbox stops where it is. */
#ifndef BH_RESPOND_FREEZE_H
#define BH_RESPOND_FREEZE_H

#include <stdint.h>

#include "kernel/cgroup.h"

struct bh_freeze_result {
	int tasks; /* processes that stand still */
	int64_t latency_us; /* from the call to the cgroup that says so */
	bool frozen; /* false: the limit passed first, or the kernel refused */
};

/*
 * Freezes the cgroup and waits until the kernel says that everything in it stands, at most limit_ms. Killing works on a
 * frozen sandbox as on any. Returns 0, -ETIMEDOUT, or negative errno; *ret_result is filled always.
 */
int bh_freeze_sandbox(const struct bh_cgroup *cgroup, int limit_ms, struct bh_freeze_result *ret_result);

#endif
