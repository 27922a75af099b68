/* SPDX-License-Identifier: GPL-2.0-only */
/* The limits of a sandbox as its cgroup keeps them: written, read back, and what came of them. */
#ifndef BH_KERNEL_CAPS_H
#define BH_KERNEL_CAPS_H

#include <stdint.h>

#include "base/err.h"
#include "compile/compile.h"
#include "kernel/cgroup.h"

/*
 * Writes memory, swap, pids, cpu and io limits to the cgroup, which is below the cgroup v2 mount `root`, and reads each back.
 * Controllers that are not handed down from the root are. Memory that runs out ends all of the sandbox, never a part.
 * Returns 0; -EOPNOTSUPP with err, naming the controller and what to do, when this host cannot keep one of them. The other
 * limits (disk, wall, open files) are no matter of the cgroup.
 */
int bh_caps_apply(const struct bh_cgroup *cgroup, const char *root, const struct bh_resources *resources,
		  struct bh_err *err);

/* How often a limit was met since the cgroup was made. */
struct bh_caps_met {
	uint64_t oom_kills; /* processes that were killed for want of memory */
	uint64_t forks_refused; /* for pids.max */
};

/* From the cgroup's memory.events and pids.events; what cannot be read is 0. */
void bh_caps_met(const struct bh_cgroup *cgroup, struct bh_caps_met *ret_met);

#endif
