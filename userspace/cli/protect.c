/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/protect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"

#define BH_OOM_FILE "/proc/self/oom_score_adj"
#define BH_OOM_SELF (-900) /* nearly last; -1000 would be never, which is for what the machine cannot do without */

static int bh_oom_write(int score)
{
	BH_CLOSE int fd = open(BH_OOM_FILE, O_WRONLY | O_CLOEXEC);
	char text[16];
	int length = snprintf(text, sizeof(text), "%d\n", score);

	if (fd < 0)
		return -errno;
	return write(fd, text, (size_t)length) == length ? 0 : -errno;
}

static int bh_oom_read(int *ret_score)
{
	BH_CLOSE int fd = open(BH_OOM_FILE, O_RDONLY | O_CLOEXEC);
	char text[16] = "";

	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		return -errno;
	*ret_score = (int)strtol(text, NULL, 10);
	return 0;
}

static int bh_descriptors_raise(uint64_t *ret_before)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files))
		return -errno;
	*ret_before = files.rlim_cur;
	files.rlim_cur = files.rlim_max;
	return setrlimit(RLIMIT_NOFILE, &files) ? -errno : 0;
}

int bh_protect_self(struct bh_unprotected *ret_before)
{
	static const struct rlimit no_core = { 0, 0 }; /* it would hold the policy, and fill a disk */
	int results[5];

	*ret_before = (struct bh_unprotected){ .open_files = RLIM_INFINITY };
	results[0] = bh_oom_read(&ret_before->oom_score);
	results[1] = ret_before->oom_score > BH_OOM_SELF ? bh_oom_write(BH_OOM_SELF) : 0;
	results[2] = bh_descriptors_raise(&ret_before->open_files);
	results[3] = setrlimit(RLIMIT_CORE, &no_core) ? -errno : 0;
	/* the way to a kill must not wait for a page that another process keeps from us */
	results[4] = mlockall(MCL_CURRENT | MCL_FUTURE) ? -errno : 0;
	for (size_t i = 0; i < BH_COUNT_OF(results); i++)
		if (results[i])
			return results[i];
	return 0;
}

static uint64_t bh_smaller(uint64_t one, uint64_t other)
{
	return one < other ? one : other;
}

int bh_protect_not(const struct bh_unprotected *before)
{
	return bh_oom_write(before->oom_score > 0 ? before->oom_score : 0);
}

int bh_limit_descriptors(pid_t pid, const struct bh_unprotected *before, uint64_t open_files)
{
	struct rlimit files;

	if (prlimit(pid, RLIMIT_NOFILE, NULL, &files))
		return -errno;
	if (open_files)
		files.rlim_max = bh_smaller(files.rlim_max, open_files);
	files.rlim_cur = bh_smaller(before->open_files, files.rlim_max);
	return prlimit(pid, RLIMIT_NOFILE, &files, NULL) ? -errno : 0;
}
