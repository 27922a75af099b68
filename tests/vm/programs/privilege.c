// SPDX-License-Identifier: GPL-2.0-only
/*
 * privilege WHAT [ARGUMENT]: one privileged operation by its system call. Says "won", or which call failed and how; the
 * status is 0 it worked, 1 it was refused with EPERM, 2 anything else.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <linux/quota.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int said(const char *call, long result)
{
	int error = errno;

	if (result >= 0)
		puts("won");
	else
		printf("%s: %s\n", call, error == EPERM ? "EPERM" : strerror(error));
	fflush(stdout); /* children end by _exit */
	return result >= 0 ? 0 : error == EPERM ? 1 : 2;
}

static int status_of(pid_t child)
{
	int status = 0;

	if (child < 0 || waitpid(child, &status, 0) != child)
		return said("fork", -1);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 3;
}

static int unshare_user(char **args)
{
	return said("unshare", unshare(CLONE_NEWUSER));
}

static int unshare_net(char **args)
{
	return said("unshare", unshare(CLONE_NEWNET));
}

/* The flags are in memory, where no filter of system calls can see them. */
static int clone_net(char **args)
{
	struct clone_args clone = { .flags = CLONE_NEWNET, .exit_signal = SIGCHLD };
	pid_t child = (pid_t)syscall(SYS_clone3, &clone, sizeof(clone));

	if (!child)
		_exit(said("clone3", 0));
	return child < 0 ? said("clone3", -1) : status_of(child);
}

static int join(char **args)
{
	int fd = (int)syscall(SYS_pidfd_open, getpid(), 0);

	return fd < 0 ? said("pidfd_open", -1) : said("setns", setns(fd, CLONE_NEWNET));
}

/* In a user namespace of its own a process has every capability; this one is never to be used. */
static int restart(char **args)
{
	pid_t child;

	if (unshare(CLONE_NEWUSER | CLONE_NEWPID))
		return said("unshare", -1);
	child = fork();
	if (!child)
		_exit(said("reboot", syscall(SYS_reboot, 0xfee1dead, 672274793, 0, NULL)));
	return status_of(child);
}

static int chroot_inside(char **args)
{
	return unshare(CLONE_NEWUSER) ? said("unshare", -1) : said("chroot", chroot(args[0]));
}

static int mount_it(char **args)
{
	return said("mount", mount("tmpfs", args[0], "tmpfs", 0, NULL));
}

static int remount(char **args)
{
	return said("remount", mount(NULL, args[0], NULL, MS_REMOUNT | MS_NOSUID, NULL));
}

static int unmount(char **args)
{
	return said("umount", umount2(args[0], 0));
}

static int make_filesystem(char **args)
{
	int fd = (int)syscall(SYS_fsopen, "tmpfs", 0);

	if (fd < 0)
		return said("fsopen", -1);
	if (syscall(SYS_fsconfig, fd, 6, NULL, NULL, 0)) /* FSCONFIG_CMD_CREATE */
		return said("fsconfig", -1);
	return said("fsmount", syscall(SYS_fsmount, fd, 0, 0));
}

static int move(char **args)
{
	int fd = (int)syscall(SYS_open_tree, AT_FDCWD, args[0], 1 | O_CLOEXEC); /* OPEN_TREE_CLONE */

	if (fd < 0)
		return said("open_tree", -1);
	return said("move_mount", syscall(SYS_move_mount, fd, "", AT_FDCWD, args[0], 4)); /* MOVE_MOUNT_F_EMPTY_PATH */
}

/* EINVAL: it was let, and then the kernel did not like the places. */
static int pivot(char **args)
{
	long result = syscall(SYS_pivot_root, args[0], args[0]);

	return said("pivot_root", result && (errno == EINVAL || errno == EBUSY) ? 0 : result);
}

static int change_root(char **args)
{
	return said("chroot", chroot(args[0]));
}

static int attach(char **args)
{
	pid_t child = fork();
	int result;

	if (!child) {
		pause();
		_exit(0);
	}
	result = said("ptrace", ptrace(PTRACE_ATTACH, child, NULL, NULL));
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return result;
}

/* Traced by its parent, of the same tool, it starts the program of another. */
static int traced_exec(char **args)
{
	pid_t child = fork();
	int status = 0;

	if (!child) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			_exit(said("traceme", -1));
		execv(args[0], args);
		_exit(said("exec", -1));
	}
	while (waitpid(child, &status, 0) == child && WIFSTOPPED(status))
		ptrace(PTRACE_CONT, child, NULL, NULL);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 3;
}

/* The tracer itself becomes another tool, and would keep its hand on the first one's process. */
static int tracer_exec(char **args)
{
	pid_t child = fork();
	int result;

	if (!child) {
		pause();
		_exit(0);
	}
	if (ptrace(PTRACE_SEIZE, child, NULL, NULL)) {
		result = said("ptrace", -1);
	} else {
		execv(args[0], args);
		result = said("exec", -1);
	}
	kill(child, SIGKILL);
	return result;
}

static int ring(char **args)
{
	struct io_uring_params params = {};

	return said("io_uring_setup", syscall(SYS_io_uring_setup, 2, &params));
}

static int faults(char **args)
{
	return said("userfaultfd", syscall(SYS_userfaultfd, O_CLOEXEC | 1)); /* UFFD_USER_MODE_ONLY */
}

static int persona(char **args)
{
	return said("personality", personality(READ_IMPLIES_EXEC));
}

static int persona_ask(char **args)
{
	return said("personality", personality(0xffffffff) == -1 || personality(PER_LINUX) == -1 ? -1 : 0);
}

static int keys(char **args)
{
	return said("add_key", syscall(SYS_add_key, "user", "bulkhead", "x", 1, -3)); /* the session's ring */
}

static int perf(char **args)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .exclude_kernel = 1 };

	return said("perf_event_open", syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0));
}

static int log_read(char **args)
{
	char text[64];

	return said("syslog", klogctl(3, text, sizeof(text)));
}

static int swap(char **args)
{
	return said("swapon", syscall(SYS_swapon, args[0], 0));
}

static int quota(char **args)
{
	return said("quotactl", syscall(SYS_quotactl, QCMD(Q_SYNC, USRQUOTA), NULL, 0, NULL));
}

static int programs(char **args)
{
	union bpf_attr attr = { .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1 };

	return said("bpf", syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr)));
}

static int handle(char **args)
{
	struct {
		struct file_handle head;
		unsigned char bytes[128];
	} it = { .head.handle_bytes = 128 };
	int mount_id;

	if (name_to_handle_at(AT_FDCWD, args[0], &it.head, &mount_id, 0))
		return said("name_to_handle_at", -1);
	return said("open_by_handle_at", open_by_handle_at(AT_FDCWD, &it.head, O_RDONLY));
}

static int generic_netlink(char **args)
{
	return said("socket", socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 16));
}

static int give_away(char **args)
{
	return said("chown", chown(args[0], 12345, (gid_t)-1));
}

static int who(char **args)
{
	printf("%u %u\n", (unsigned int)geteuid(), (unsigned int)getegid());
	return 0;
}

static const struct {
	const char *name;
	int arguments;
	int (*run)(char **args);
} operations[] = {
	{ "unshare-user", 0, unshare_user },
	{ "unshare-net", 0, unshare_net },
	{ "clone-net", 0, clone_net },
	{ "setns", 0, join },
	{ "restart", 0, restart },
	{ "chroot-inside", 1, chroot_inside },
	{ "mount", 1, mount_it },
	{ "remount", 1, remount },
	{ "umount", 1, unmount },
	{ "fsmount", 0, make_filesystem },
	{ "move-mount", 1, move },
	{ "pivot", 1, pivot },
	{ "chroot", 1, change_root },
	{ "attach", 0, attach },
	{ "traced-exec", 1, traced_exec },
	{ "tracer-exec", 1, tracer_exec },
	{ "io-uring", 0, ring },
	{ "userfaultfd", 0, faults },
	{ "personality", 0, persona },
	{ "personality-ask", 0, persona_ask },
	{ "keyctl", 0, keys },
	{ "perf", 0, perf },
	{ "syslog", 0, log_read },
	{ "swapon", 1, swap },
	{ "quota", 0, quota },
	{ "bpf", 0, programs },
	{ "handle", 1, handle },
	{ "netlink", 0, generic_netlink },
	{ "chown", 1, give_away },
	{ "who", 0, who },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(operations) / sizeof(operations[0]); i++)
		if (!strcmp(argv[1], operations[i].name) && argc - 2 >= operations[i].arguments)
			return operations[i].run(argv + 2);
	fprintf(stderr, "usage: privilege OPERATION [ARGUMENT]\n");
	return 64;
}
