/* SPDX-License-Identifier: GPL-2.0-only */
#include "respond/freeze.h"

#include <errno.h>

#include "base/cleanup.h"
#include "base/clock.h"

int bh_freeze_sandbox(const struct bh_cgroup *cgroup, int limit_ms, struct bh_freeze_result *ret_result)
{
	BH_CLOSE int watch = bh_cgroup_watch(cgroup, "cgroup.events");
	int64_t start = bh_boot_now(), end = start + (int64_t)limit_ms * 1000000;
	int result = bh_cgroup_write(cgroup, "cgroup.freeze", "1");

	/* the limit of each wait is for a change that came before it began */
	while (!result && !bh_cgroup_frozen(cgroup) && bh_boot_now() < end)
		bh_cgroup_wait(watch, 50);
	ret_result->frozen = !result && bh_cgroup_frozen(cgroup);
	ret_result->latency_us = (bh_boot_now() - start) / 1000;
	ret_result->tasks = bh_cgroup_tasks(cgroup);
	if (result)
		return result;
	return ret_result->frozen ? 0 : -ETIMEDOUT;
}
