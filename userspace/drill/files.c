// SPDX-License-Identifier: GPL-2.0-only
/* Ways to the content of a file. */
#include "drill/try.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "drill/uring.h"

static int read_plain(char **args)
{
	return try_read_fd(open(args[0], O_RDONLY | O_CLOEXEC), args[0]);
}

static int read_procfd(char **args)
{
	char alias[64];
	int fd = open(args[0], O_PATH | O_CLOEXEC);

	if (fd < 0)
		return try_failed("open %s as a path", args[0]);
	snprintf(alias, sizeof(alias), "/proc/self/fd/%d", fd);
	return try_read_fd(open(alias, O_RDONLY | O_CLOEXEC), alias);
}

static int read_openat2(char **args)
{
	struct open_how how = { .flags = O_RDONLY | O_CLOEXEC };

	return try_read_fd((int)syscall(SYS_openat2, AT_FDCWD, args[0], &how, sizeof(how)), args[0]);
}

static int read_procroot(char **args)
{
	char alias[4096];

	snprintf(alias, sizeof(alias), "/proc/self/root%s", args[0]);
	return try_read_fd(open(alias, O_RDONLY | O_CLOEXEC), alias);
}

static int read_uring(char **args)
{
	int fd = try_uring_open(args[0]);

	if (fd < 0)
		errno = -fd;
	return try_read_fd(fd, args[0]);
}

static int read_mmap(char **args)
{
	int fd = open(args[0], O_RDONLY | O_CLOEXEC);
	void *page;

	if (fd < 0)
		return try_failed("open %s", args[0]);
	page = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0);
	return page == MAP_FAILED ? try_failed("map %s", args[0]) : try_won("map %s", args[0]);
}

static int write_with(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600), status;

	if (fd < 0)
		return try_failed("open %s for writing", path);
	status = write(fd, "x", 1) == 1 ? try_won("write %s", path) : try_failed("write %s", path);
	close(fd);
	return status;
}

static int write_plain(char **args)
{
	return write_with(args[0], O_WRONLY | O_CREAT);
}

static int append(char **args)
{
	return write_with(args[0], O_WRONLY | O_APPEND);
}

static int write_procfd(char **args)
{
	char alias[64];
	int fd = open(args[0], O_PATH | O_CLOEXEC);

	if (fd < 0)
		return try_failed("open %s as a path", args[0]);
	snprintf(alias, sizeof(alias), "/proc/self/fd/%d", fd);
	return write_with(alias, O_WRONLY);
}

static int cut(char **args)
{
	return truncate(args[0], 0) ? try_failed("truncate %s", args[0]) : try_won("truncate %s", args[0]);
}

static int tmpfile_link(char **args)
{
	int fd = open(args[0], O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	char alias[64];

	if (fd < 0)
		return try_failed("make an unnamed file in %s", args[0]);
	snprintf(alias, sizeof(alias), "/proc/self/fd/%d", fd);
	if (linkat(AT_FDCWD, alias, AT_FDCWD, args[1], AT_SYMLINK_FOLLOW))
		return try_failed("name an unnamed file %s", args[1]);
	return try_won("name an unnamed file %s", args[1]);
}

const struct try_trick try_files[] = {
	{ "read", "FILE", 1, read_plain },
	{ "read-via-procfd", "FILE", 1, read_procfd },
	{ "read-openat2", "FILE", 1, read_openat2 },
	{ "read-procroot", "FILE", 1, read_procroot },
	{ "read-uring", "FILE", 1, read_uring },
	{ "read-mmap", "FILE", 1, read_mmap },
	{ "write", "FILE", 1, write_plain },
	{ "append", "FILE", 1, append },
	{ "write-via-procfd", "FILE", 1, write_procfd },
	{ "truncate", "FILE", 1, cut },
	{ "tmpfile-link", "DIR NEW", 2, tmpfile_link },
	{ 0 },
};
