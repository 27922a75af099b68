/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

#define BH_CGROUP_NS_INITIAL 0xEFFFFFFBu /* PROC_CGROUP_INIT_INO of linux/proc_ns.h */
#define BH_DEPTH_WALK 64 /* sub-cgroups nested deeper than this are not ours to have made */

static int bh_cgroup_open_file(const struct bh_cgroup *cgroup, const char *file, int flags)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/%s", cgroup->path, file);
	return open(path, flags | O_CLOEXEC);
}

static ssize_t bh_cgroup_read(const struct bh_cgroup *cgroup, const char *file, char *ret_text, size_t size)
{
	BH_CLOSE int fd = bh_cgroup_open_file(cgroup, file, O_RDONLY);
	ssize_t count;

	if (fd < 0)
		return -errno;
	count = read(fd, ret_text, size - 1);
	if (count < 0)
		return -errno;
	ret_text[count] = '\0';
	return count;
}

int bh_cgroup_write(const struct bh_cgroup *cgroup, const char *file, const char *value)
{
	BH_CLOSE int fd = bh_cgroup_open_file(cgroup, file, O_WRONLY);
	size_t length = strlen(value);

	if (fd < 0)
		return -errno;
	return write(fd, value, length) == (ssize_t)length ? 0 : -errno;
}

/* In another cgroup namespace than the host's our root is not the root, so depths counted from it are not the kernel's. */
static bool bh_cgroup_namespace_initial(void)
{
	struct stat status;

	return !stat("/proc/self/ns/cgroup", &status) && status.st_ino == BH_CGROUP_NS_INITIAL;
}

void bh_cgroup_init(struct bh_cgroup *cgroup, const char *root, const char *name)
{
	unsigned int level = 0;

	memset(cgroup, 0, sizeof(*cgroup));
	snprintf(cgroup->name, sizeof(cgroup->name), "/" BH_SLICE "/%s.scope", name);
	snprintf(cgroup->path, sizeof(cgroup->path), "%s%s", root, cgroup->name);
	for (const char *at = cgroup->name; *at; at++)
		level += *at == '/';
	cgroup->levels = bh_cgroup_namespace_initial() ? 1u << level : ~0u;
}

int bh_cgroup_open(struct bh_cgroup *cgroup)
{
	struct stat status;

	if (stat(cgroup->path, &status))
		return -errno;
	cgroup->id = status.st_ino; /* kernfs: inode number and cgroup id are one 64-bit number */
	return 0;
}

int bh_cgroup_make(struct bh_cgroup *cgroup, struct bh_err *err)
{
	char slice[PATH_MAX];

	snprintf(slice, sizeof(slice), "%.*s", (int)(strrchr(cgroup->path, '/') - cgroup->path), cgroup->path);
	if (mkdir(slice, 0755) && errno != EEXIST)
		return bh_err_set(err, errno, "cannot make the cgroup %s: %s", slice, strerror(errno));
	if (mkdir(cgroup->path, 0755)) {
		if (errno == EEXIST)
			return -EEXIST;
		return bh_err_set(err, errno, "cannot make the cgroup %s: %s", cgroup->path, strerror(errno));
	}
	if (bh_cgroup_open(cgroup))
		return bh_err_set(err, errno, "cannot read the cgroup %s: %s", cgroup->path, strerror(errno));
	return 0;
}

int bh_cgroup_add(const struct bh_cgroup *cgroup, pid_t pid, struct bh_err *err)
{
	BH_CLOSE int fd = bh_cgroup_open_file(cgroup, "cgroup.procs", O_WRONLY);

	if (fd < 0 || dprintf(fd, "%d\n", (int)pid) < 0)
		return bh_err_set(err, errno, "cannot move process %d into %s: %s", (int)pid, cgroup->path,
				  strerror(errno));
	return 0;
}

int bh_cgroup_watch(const struct bh_cgroup *cgroup, const char *file)
{
	int fd = bh_cgroup_open_file(cgroup, file, O_RDONLY);

	return fd < 0 ? -errno : fd;
}

void bh_cgroup_wait(int watch, int ms)
{
	struct pollfd events = { .fd = watch, .events = POLLPRI };
	char byte;

	/* reading arms the next notification */
	if (pread(watch, &byte, 1, 0) < 0 && errno != EAGAIN)
		return;
	poll(&events, 1, ms);
}

bool bh_cgroup_populated(const struct bh_cgroup *cgroup)
{
	char text[256];
	ssize_t count = bh_cgroup_read(cgroup, "cgroup.events", text, sizeof(text));

	if (count < 0)
		return count != -ENOENT && count != -ENODEV;
	return strstr(text, "populated 1") != NULL;
}

bool bh_cgroup_frozen(const struct bh_cgroup *cgroup)
{
	char text[256];

	return bh_cgroup_read(cgroup, "cgroup.events", text, sizeof(text)) > 0 && strstr(text, "frozen 1");
}

/* Calls `visit` for every cgroup below `path`, deepest first, then for path itself. Stops at the first error. */
static int bh_cgroup_visit(const char *path, int depth, int (*visit)(const char *path, void *data), void *data)
{
	DIR *directory;
	struct dirent *entry;
	int result = 0;

	if (depth > BH_DEPTH_WALK)
		return -ELOOP;
	directory = opendir(path);
	if (!directory)
		return errno == ENOENT ? 0 : -errno;
	while (!result && (entry = readdir(directory))) {
		char below[PATH_MAX];

		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		if (snprintf(below, sizeof(below), "%s/%s", path, entry->d_name) >= (int)sizeof(below))
			result = -ENAMETOOLONG;
		else
			result = bh_cgroup_visit(below, depth + 1, visit, data);
	}
	closedir(directory);
	return result ? result : visit(path, data);
}

/* What is done with each process that a cgroup lists. */
struct bh_each_process {
	int count;
	int signal; /* 0: only counted */
};

static int bh_visit_processes(const char *path, void *data)
{
	struct bh_each_process *each = data;
	char file[PATH_MAX + 16], line[32];
	BH_FCLOSE FILE *processes = NULL;

	snprintf(file, sizeof(file), "%s/cgroup.procs", path);
	processes = fopen(file, "re");
	while (processes && fgets(line, sizeof(line), processes)) {
		long pid = strtol(line, NULL, 10);

		each->count++;
		/* 0: a process of another pid namespace, which only cgroup.kill could reach */
		if (each->signal && pid > 1)
			kill((pid_t)pid, each->signal);
	}
	return 0;
}

int bh_cgroup_tasks(const struct bh_cgroup *cgroup)
{
	struct bh_each_process each = {};

	bh_cgroup_visit(cgroup->path, 0, bh_visit_processes, &each);
	return each.count;
}

void bh_cgroup_signal(const struct bh_cgroup *cgroup, int signal)
{
	struct bh_each_process each = { .signal = signal };

	bh_cgroup_visit(cgroup->path, 0, bh_visit_processes, &each);
}

uint64_t bh_cgroup_memory_peak(const struct bh_cgroup *cgroup)
{
	char text[64];

	if (bh_cgroup_read(cgroup, "memory.peak", text, sizeof(text)) <= 0)
		return 0;
	return strtoull(text, NULL, 10);
}

static int bh_remove_one(const char *path, void *data)
{
	(void)data;
	return rmdir(path) && errno != ENOENT ? -errno : 0;
}

int bh_cgroup_remove(const struct bh_cgroup *cgroup)
{
	int result = bh_cgroup_visit(cgroup->path, 0, bh_remove_one, NULL);

	return result == -ENOENT ? 0 : result;
}
