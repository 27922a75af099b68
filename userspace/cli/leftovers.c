/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/leftovers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "kernel/cgroup.h"
#include "respond/kill.h"

#define BH_KILL_LIMIT_MS 10000

int bh_registry_lock(struct bh_err *err)
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

static _Noreturn void bh_rest_wait(const char *folder)
{
	int lock, result = -EIO;

	/* nobody shall wait for us: not at the end of a pipe, nor for a lock */
	setsid();
	if (!syscall(SYS_close_range, 0, ~0U, 0) && !chdir("/")) {
		sleep(BH_REST_AFTER_S);
		lock = bh_registry_lock(NULL);
		result = lock < 0 ? lock : bh_core_rest(folder);
	}
	_exit(result ? 1 : 0);
}

void bh_rest_later(const char *folder)
{
	if (!fork())
		bh_rest_wait(folder);
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

int bh_sandbox_remove(struct bh_core *core, const char *name, const struct bh_cgroup *cgroup, struct bh_err *err)
{
	uint32_t number = bh_core_find(core, name);
	struct bh_sandbox sandbox;
	int result;

	if (number && !bh_core_sandbox(core, number, &sandbox)) {
		bh_core_unbind(core, number);
		bh_core_withdraw(core, sandbox.policy);
	}
	result = bh_cgroup_remove(cgroup);
	if (result)
		return bh_err_set(err, -result, "cannot remove sandbox '%s': %s", name, strerror(-result));
	bh_name_drop(name);
	return 0;
}

static int bh_leftover_end(struct bh_core *core, const char *name, const struct bh_cgroup *cgroup, const char *why,
			   struct bh_err *err)
{
	struct bh_kill_result killed;

	if (bh_kill_sandbox(cgroup, BH_KILL_LIMIT_MS, &killed))
		return bh_err_set(err, EBUSY, "sandbox '%s' does not die; it stays enforced", name);
	fprintf(stderr, "bulkhead: ended sandbox '%s' (%d processes), %s\n", name, killed.tasks, why);
	return bh_sandbox_remove(core, name, cgroup, err);
}

struct bh_tidy {
	struct bh_core *core;
	const struct bh_host *host;
	struct bh_err *err;
};

static int bh_leftover_visit(uint32_t number, const struct bh_sandbox *sandbox, void *data)
{
	struct bh_tidy *tidy = data;
	const char *name = (const char *)sandbox->name;
	struct bh_cgroup cgroup;
	BH_CLOSE int lock = bh_name_lock(name);

	if (lock < 0)
		return 0; /* its run lives */
	bh_cgroup_init(&cgroup, tidy->host->cgroup, name);
	if (!bh_cgroup_populated(&cgroup))
		return bh_sandbox_remove(tidy->core, name, &cgroup, tidy->err);
	if (sandbox->flags & BH_SANDBOX_STOPPED)
		return bh_leftover_end(tidy->core, name, &cgroup, "which had been stopped for a violation", tidy->err);
	fprintf(stderr,
		"bulkhead: sandbox '%s' lost its run and lives on (%d processes), enforced; end it: echo 1 >%s/cgroup.kill\n",
		name, bh_cgroup_tasks(&cgroup), cgroup.path);
	return 0;
}

/* Is any sandbox alive or about to be, whatever version's? */
static bool bh_anybody_runs(const struct bh_host *host)
{
	DIR *folder = opendir(BH_RUN_DIR);
	struct dirent *entry;
	struct bh_cgroup cgroup;
	bool found = false;

	while (folder && !found && (entry = readdir(folder))) {
		size_t length = strlen(entry->d_name);
		char name[NAME_MAX + 1];

		if (length < 5 || strcmp(entry->d_name + length - 4, ".run") != 0)
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)(length - 4), entry->d_name);
		bh_cgroup_init(&cgroup, host->cgroup, name);
		found = bh_cgroup_populated(&cgroup);
		if (!found) {
			BH_CLOSE int lock = bh_name_lock(name);

			found = lock < 0;
		}
	}
	if (folder)
		closedir(folder);
	return found;
}

int bh_leftovers_tidy(struct bh_core *core, const struct bh_host *host, struct bh_err *err)
{
	struct bh_tidy tidy = { .core = core, .host = host, .err = err };
	int result = bh_core_each(core, bh_leftover_visit, &tidy);

	if (!result && !bh_anybody_runs(host) && (result = bh_core_others_remove(core)))
		bh_err_set(err, -result, "cannot remove the programs of another version: %s", strerror(-result));
	return result;
}

int bh_name_take(struct bh_core *core, const struct bh_host *host, const char *name, int *ret_fd, struct bh_err *err)
{
	BH_CLOSE int lock = -EBADF;
	struct bh_cgroup cgroup;
	int result;

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
		result = bh_leftover_end(core, name, &cgroup, "left by a run that died", err);
	else
		result = bh_sandbox_remove(core, name, &cgroup, err);
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
