// SPDX-License-Identifier: GPL-2.0-only
/* Ways to change what a name means. */
#include "drill/try.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int result(int failed, const char *verb, const char *path)
{
	return failed ? try_failed("%s %s", verb, path) : try_won("%s %s", verb, path);
}

static int rename_it(char **args)
{
	return result(rename(args[0], args[1]), "rename", args[0]);
}

static int exchange(char **args)
{
	return result(renameat2(AT_FDCWD, args[0], AT_FDCWD, args[1], RENAME_EXCHANGE), "exchange", args[0]);
}

static int link_it(char **args)
{
	return result(link(args[0], args[1]), "link", args[0]);
}

static int unlink_it(char **args)
{
	return result(unlink(args[0]), "unlink", args[0]);
}

static int mkdir_it(char **args)
{
	return result(mkdir(args[0], 0700), "make directory", args[0]);
}

static int rmdir_it(char **args)
{
	return result(rmdir(args[0]), "remove directory", args[0]);
}

static int symlink_it(char **args)
{
	return result(symlink(args[0], args[1]), "make symbolic link", args[1]);
}

static int mkfifo_it(char **args)
{
	return result(mkfifo(args[0], 0600), "make fifo", args[0]);
}

static int chmod_it(char **args)
{
	return result(chmod(args[0], 0777), "chmod", args[0]);
}

/* A name of 240 bytes per level: 18 levels are longer than any path the kernel prints whole. */
#define LEVELS 18

static int descend(const char *name)
{
	if (mkdir(name, 0700) || chdir(name))
		return -1;
	return 0;
}

static void climb(int levels, const char *name)
{
	while (levels-- > 0)
		if (chdir("..") || rmdir(name))
			return;
}

static int long_path(char **args)
{
	char name[241];
	int levels = 0, status;

	memset(name, 'd', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	if (chdir(args[0]))
		return try_failed("enter %s", args[0]);
	while (levels < LEVELS && !descend(name))
		levels++;
	if (levels < LEVELS) {
		status = try_failed("go down to level %d below %s", levels + 1, args[0]);
	} else {
		int fd = open("file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);

		status = fd < 0 ? try_failed("open a file of an endless path") :
				  try_won("open a file of an endless path");
		close(fd);
		unlink("file");
	}
	climb(levels, name);
	return status;
}

const struct try_trick try_names[] = {
	{ "rename", "OLD NEW", 2, rename_it },
	{ "exchange", "OLD NEW", 2, exchange },
	{ "link", "OLD NEW", 2, link_it },
	{ "unlink", "FILE", 1, unlink_it },
	{ "mkdir", "DIR", 1, mkdir_it },
	{ "rmdir", "DIR", 1, rmdir_it },
	{ "symlink", "TARGET LINK", 2, symlink_it },
	{ "mkfifo", "FILE", 1, mkfifo_it },
	{ "chmod", "FILE", 1, chmod_it },
	{ "long-path", "DIR", 1, long_path },
	{ 0 },
};
