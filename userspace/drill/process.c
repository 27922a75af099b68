// SPDX-License-Identifier: GPL-2.0-only
/* Ways out of the box itself, and at other processes. */
#include "drill/try.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static int user_namespace(char **args)
{
	return unshare(CLONE_NEWUSER) ? try_failed("make a user namespace") : try_won("make a user namespace");
}

/* A file of our own choosing becomes "/". */
static int change_root(char **args)
{
	if (unshare(CLONE_NEWUSER))
		return try_failed("make a user namespace");
	if (chroot(args[0]) || chdir("/"))
		return try_failed("make %s the root", args[0]);
	return try_won("make %s the root", args[0]);
}

static int plain_chroot(char **args)
{
	return chroot(args[0]) ? try_failed("make %s the root", args[0]) : try_won("make %s the root", args[0]);
}

static int mount_over(char **args)
{
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS))
		return try_failed("make user and mount namespaces");
	if (mount(args[0], args[1], NULL, MS_BIND, NULL))
		return try_failed("mount %s over %s", args[0], args[1]);
	return try_won("mount %s over %s", args[0], args[1]);
}

static int join_namespace(char **args)
{
	int fd = open(args[0], O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return try_failed("open %s", args[0]);
	return setns(fd, 0) ? try_failed("enter %s", args[0]) : try_won("enter %s", args[0]);
}

static int move_cgroup(char **args)
{
	char path[4096], pid[16];
	int fd, length = snprintf(pid, sizeof(pid), "%d", (int)getpid());

	snprintf(path, sizeof(path), "%s/cgroup.procs", args[0]);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return try_failed("open %s", path);
	if (write(fd, pid, (size_t)length) != length)
		return try_failed("move to %s", args[0]);
	return try_won("move to %s", args[0]);
}

static int clone_into_cgroup(char **args)
{
	struct clone_args how = { .flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD };
	int fd = open(args[0], O_PATH | O_DIRECTORY | O_CLOEXEC);
	pid_t pid;

	if (fd < 0)
		return try_failed("open %s", args[0]);
	how.cgroup = (uint64_t)fd;
	pid = (pid_t)syscall(SYS_clone3, &how, sizeof(how));
	if (pid < 0)
		return try_failed("be born in %s", args[0]);
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	return try_won("be born in %s", args[0]);
}

static int trace(pid_t pid)
{
	if (ptrace(PTRACE_SEIZE, pid, NULL, NULL))
		return try_failed("trace process %d", (int)pid);
	return try_won("trace process %d", (int)pid); /* our end lets it go */
}

static int trace_parent(char **args)
{
	return trace(getppid());
}

static int trace_pid(char **args)
{
	return trace((pid_t)try_number(args[0], 1, INT32_MAX));
}

/* Reads where our own stack lies: mapped there or not, a permission comes before. */
static int read_memory(char **args)
{
	pid_t pid = (pid_t)try_number(args[0], 1, INT32_MAX);
	char byte;
	struct iovec here = { .iov_base = &byte, .iov_len = 1 };
	struct iovec there = here;

	if (process_vm_readv(pid, &here, 1, &there, 1, 0) < 0 && errno != EFAULT)
		return try_failed("read the memory of process %d", (int)pid);
	return try_won("read the memory of process %d", (int)pid);
}

static int send_signal(char **args)
{
	pid_t pid = (pid_t)try_number(args[0], 1, INT32_MAX);
	int number = args[1] ? (int)try_number(args[1], 0, 64) : SIGTERM;

	return kill(pid, number) ? try_failed("signal process %d", (int)pid) : try_won("signal process %d", (int)pid);
}

const struct try_trick try_process[] = {
	{ "userns", "", 0, user_namespace },
	{ "chroot", "DIR", 1, change_root },
	{ "chroot-plain", "DIR", 1, plain_chroot },
	{ "mount-over", "FROM OVER", 2, mount_over },
	{ "setns", "FILE", 1, join_namespace },
	{ "move-cgroup", "CGROUP", 1, move_cgroup },
	{ "clone-into-cgroup", "CGROUP", 1, clone_into_cgroup },
	{ "ptrace-parent", "", 0, trace_parent },
	{ "ptrace", "PID", 1, trace_pid },
	{ "read-memory", "PID", 1, read_memory },
	{ "kill", "PID [SIGNAL]", 1, send_signal },
	{ 0 },
};
