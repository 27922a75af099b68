/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/leftovers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "kernel/cgroup.h"
#include "kernel/core.h"
#include "respond/kill.h"

#define BH_KILL_LIMIT_MS 10000

/* Taking a name and tidying must not see each other half-way: one lock over both. */
static int bh_registry_lock(struct bh_err *err)
{
	int fd;

	if (mkdir(BH_RUN_DIR, 0700) && errno != EEXIST)
		return bh_err_set(err, errno, "cannot make " BH_RUN_DIR ": %s", strerror(errno));
	fd = open(BH_RUN_DIR "/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0 || flock(fd, LOCK_EX)) {
		bh_err_set(err, errno, "cannot lock " BH_RUN_DIR "/lock: %s", strerror(errno));
		bh_cleanup_close(&fd);
		return -EIO;
	}
	return fd;
}

static void bh_name_path(const char *name, char *ret_path, size_t size)
{
	snprintf(ret_path, size, BH_RUN_DIR "/%s.run", name);
}

/* The lock of a name; -EWOULDBLOCK while its run lives. */
static int bh_name_lock(const char *name)
{
	char path[PATH_MAX];
	int fd;

	bh_name_path(name, path, sizeof(path));
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return -errno;
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		int error = errno;

		close(fd);
		return -error;
	}
	return fd;
}

static int bh_leftover_remove(const char *name, const struct bh_cgroup *cgroup, struct bh_err *err)
{
	int result = bh_pins_remove(name);

	if (!result)
		result = bh_cgroup_remove(cgroup);
	if (result)
		return bh_err_set(err, -result, "cannot remove what is left of sandbox '%s': %s", name,
				  strerror(-result));
	bh_name_drop(name);
	return 0;
}

static int bh_leftover_end(const char *name, const struct bh_cgroup *cgroup, const char *why, struct bh_err *err)
{
	struct bh_kill_result killed;

	if (bh_kill_sandbox(cgroup, BH_KILL_LIMIT_MS, &killed))
		return bh_err_set(err, EBUSY, "sandbox '%s' does not die; it stays enforced", name);
	fprintf(stderr, "bulkhead: ended sandbox '%s' (%d processes), %s\n", name, killed.tasks, why);
	return bh_leftover_remove(name, cgroup, err);
}

struct bh_tidy {
	const struct bh_host *host;
	struct bh_err *err;
};

static int bh_leftover_visit(const char *name, void *data)
{
	struct bh_tidy *tidy = data;
	struct bh_cgroup cgroup;
	struct bh_sandbox sandbox = {};
	BH_CLOSE int lock = bh_name_lock(name);

	if (lock < 0)
		return 0; /* its run lives */
	bh_cgroup_init(&cgroup, tidy->host->cgroup, name);
	if (!bh_cgroup_populated(&cgroup))
		return bh_leftover_remove(name, &cgroup, tidy->err);
	if (!bh_pins_sandbox(name, &sandbox) && sandbox.flags & BH_SANDBOX_STOPPED)
		return bh_leftover_end(name, &cgroup, "which had been stopped for a violation", tidy->err);
	fprintf(stderr,
		"bulkhead: sandbox '%s' lost its run and lives on (%d processes), enforced; end it: echo 1 >%s/cgroup.kill\n",
		name, bh_cgroup_tasks(&cgroup), cgroup.path);
	return 0;
}

int bh_leftovers_tidy(const struct bh_host *host, struct bh_err *err)
{
	struct bh_tidy tidy = { .host = host, .err = err };
	BH_CLOSE int registry = bh_registry_lock(err);

	return registry < 0 ? registry : bh_pins_each(bh_leftover_visit, &tidy);
}

int bh_name_take(const struct bh_host *host, const char *name, int *ret_fd, struct bh_err *err)
{
	BH_CLOSE int registry = bh_registry_lock(err);
	BH_CLOSE int lock = -EBADF;
	struct bh_cgroup cgroup;
	int result = 0;

	if (registry < 0)
		return registry;
	lock = bh_name_lock(name);
	if (lock == -EWOULDBLOCK) {
		bh_err_set(err, EEXIST, "a sandbox named '%s' is running", name);
		bh_err_hint(err, "give another name with --name, or none");
		return -EEXIST;
	}
	if (lock < 0)
		return bh_err_set(err, -lock, "cannot take the name '%s': %s", name, strerror(-lock));
	bh_cgroup_init(&cgroup, host->cgroup, name);
	if (bh_cgroup_populated(&cgroup))
		result = bh_leftover_end(name, &cgroup, "left by a run that died", err);
	else
		result = bh_leftover_remove(name, &cgroup, err);
	if (result)
		return result;
	/* the removal took the lock file away: make and hold a new one */
	bh_cleanup_close(&lock);
	lock = bh_name_lock(name);
	if (lock < 0)
		return bh_err_set(err, -lock, "cannot take the name '%s': %s", name, strerror(-lock));
	*ret_fd = bh_take_fd(&lock);
	return 0;
}

void bh_name_drop(const char *name)
{
	char path[PATH_MAX];

	bh_name_path(name, path, sizeof(path));
	unlink(path);
}
