/* SPDX-License-Identifier: GPL-2.0-only */
#include "respond/kill.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#include "base/cleanup.h"

static int64_t bh_now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int bh_kill_sandbox(const struct bh_cgroup *cgroup, int limit_ms, struct bh_kill_result *ret_result)
{
	BH_CLOSE int watch = bh_cgroup_watch(cgroup, "cgroup.events");
	int64_t start = bh_now_us(), end = start + (int64_t)limit_ms * 1000;
	bool by_kernel;

	ret_result->tasks = bh_cgroup_tasks(cgroup);
	by_kernel = bh_cgroup_write(cgroup, "cgroup.kill", "1") == 0;
	if (!by_kernel)
		bh_cgroup_write(cgroup, "cgroup.freeze", "1");
	while (bh_cgroup_populated(cgroup) && bh_now_us() < end) {
		if (!by_kernel)
			bh_cgroup_signal(cgroup, SIGKILL);
		bh_cgroup_wait(watch, by_kernel ? 50 : 5);
	}
	ret_result->latency_us = bh_now_us() - start;
	ret_result->empty = !bh_cgroup_populated(cgroup);
	return ret_result->empty ? 0 : -ETIMEDOUT;
}
