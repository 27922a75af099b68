/* SPDX-License-Identifier: GPL-2.0-only */
/* The last answer: every process of a sandbox ends. */
#ifndef BH_RESPOND_KILL_H
#define BH_RESPOND_KILL_H

#include <stdint.h>

#include "kernel/cgroup.h"

struct bh_kill_result {
	int tasks; /* processes found before the kill */
	int64_t latency_us; /* from the call to the empty cgroup */
	bool empty; /* false: the limit passed first */
};

/*
 * Kills through cgroup.kill; where the kernel has none (before 5.14) freezes the cgroup and signals until nothing is left.
 * Waits for nobody but the cgroup, at most limit_ms. Returns 0, -ETIMEDOUT, or negative errno; *ret_result is filled always.
 */
int bh_kill_sandbox(const struct bh_cgroup *cgroup, int limit_ms, struct bh_kill_result *ret_result);

#endif
