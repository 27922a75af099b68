// SPDX-License-Identifier: GPL-2.0-only
/* Ways to execute a file that a check of names alone would not see. */
#include "drill/try.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "drill/start.h"

#define LOADER "/lib64/ld-linux-x86-64.so.2"

extern char **environ;

/* fd >= 0: execute what it holds; else path. */
struct image {
	int fd;
	const char *path;
	char **argv;
};

static void run_image(void *data)
{
	struct image *image = data;

	if (image->fd >= 0)
		syscall(SYS_execveat, image->fd, "", image->argv, environ, AT_EMPTY_PATH);
	else
		execve(image->path, image->argv, environ);
}

static int run_path(const char *path, char **argv)
{
	struct image image = { .fd = -1, .path = path, .argv = argv };

	return try_start(run_image, &image, path);
}

static int run_fd(int fd, char *file, const char *what)
{
	char *argv[] = { file, NULL };
	struct image image = { .fd = fd, .argv = argv };

	return try_start(run_image, &image, what);
}

/* Copies file into fd. Returns 0, or -1 with errno. */
static int copy(const char *file, int fd)
{
	char block[65536];
	int from = open(file, O_RDONLY | O_CLOEXEC), failed = 0;
	ssize_t got;

	if (from < 0)
		return -1;
	while ((got = read(from, block, sizeof(block))) > 0)
		if (write(fd, block, (size_t)got) != got) {
			failed = 1;
			break;
		}
	close(from);
	return got < 0 || failed ? -1 : 0;
}

/* A read-only descriptor instead of fd: what is open for writing cannot be executed. */
static int reopen(int fd)
{
	char alias[64];
	int fresh;

	snprintf(alias, sizeof(alias), "/proc/self/fd/%d", fd);
	fresh = open(alias, O_RDONLY | O_CLOEXEC);
	close(fd);
	return fresh;
}

static int exec_plain(char **args)
{
	return run_path(args[0], args);
}

static int exec_memfd(char **args)
{
	int fd = memfd_create("memory", MFD_CLOEXEC);

	if (fd < 0 || copy(args[0], fd))
		return try_failed("copy %s into memory", args[0]);
	return run_fd(fd, args[0], "a program in memory");
}

static int exec_tmpfile(char **args)
{
	int fd = open(args[1], O_TMPFILE | O_RDWR | O_CLOEXEC, 0700);

	if (fd < 0 || copy(args[0], fd))
		return try_failed("copy %s into an unnamed file in %s", args[0], args[1]);
	fd = reopen(fd);
	return fd < 0 ? try_failed("reopen an unnamed file") : run_fd(fd, args[0], "an unnamed file");
}

static int exec_deleted(char **args)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/deleted-%d", args[1], (int)getpid());
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
	if (fd < 0)
		return try_failed("create %s", path);
	if (copy(args[0], fd)) {
		int status = try_failed("copy %s to %s", args[0], path);

		unlink(path);
		return status;
	}
	fd = reopen(fd);
	unlink(path);
	return fd < 0 ? try_failed("reopen %s", path) : run_fd(fd, args[0], "a deleted file");
}

/* O_PATH: no open of the file that a check could see. */
static int exec_fd(char **args)
{
	int fd = open(args[0], O_PATH | O_CLOEXEC);

	return fd < 0 ? try_failed("open %s as a path", args[0]) : run_fd(fd, args[0], args[0]);
}

static int exec_ldso(char **args)
{
	char loader[] = LOADER;
	char *argv[] = { loader, args[0], NULL };

	return run_path(loader, argv);
}

static int exec_under(const char *where, char **args)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s%s", where, args[0]);
	return run_path(path, args);
}

static int exec_procroot(char **args)
{
	return exec_under("/proc/self/root", args);
}

static int exec_copy(char **args)
{
	int fd = open(args[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700), failed;

	if (fd < 0)
		return try_failed("create %s", args[1]);
	failed = copy(args[0], fd);
	close(fd);
	return failed ? try_failed("copy %s to %s", args[0], args[1]) : run_path(args[1], args);
}

/* Code from a file straight into this process, no exec at all. */
static int map_exec(char **args)
{
	int fd = open(args[0], O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return try_failed("open %s", args[0]);
	if (mmap(NULL, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		return try_failed("map %s executable", args[0]);
	return try_won("map %s executable", args[0]);
}

const struct try_trick try_exec[] = {
	{ "exec", "FILE ARGUMENTS...", 1, exec_plain },
	{ "exec-memfd", "FILE", 1, exec_memfd },
	{ "exec-tmpfile", "FILE DIR", 2, exec_tmpfile },
	{ "exec-deleted", "FILE DIR", 2, exec_deleted },
	{ "exec-fd", "FILE", 1, exec_fd },
	{ "exec-ldso", "FILE", 1, exec_ldso },
	{ "exec-procroot", "FILE", 1, exec_procroot },
	{ "exec-copy", "FILE NEW", 2, exec_copy },
	{ "map-exec", "FILE", 1, map_exec },
	{ 0 },
};
