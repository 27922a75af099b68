/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"

static int bh_program_try(const char *path, struct bh_program *program)
{
	struct stat status;

	if (stat(path, &status))
		return -errno;
	if (!S_ISREG(status.st_mode) || access(path, X_OK))
		return -EACCES;
	if (path[0] == '/') {
		snprintf(program->path, sizeof(program->path), "%s", path);
		return 0;
	}
	return realpath(path, program->path) ? 0 : -errno;
}

int bh_program_find(char **argv, struct bh_program *ret_program, struct bh_err *err)
{
	const char *name = argv[0], *search = getenv("PATH");
	int result = -ENOENT;

	memset(ret_program, 0, sizeof(*ret_program));
	ret_program->argv = argv;
	if (strchr(name, '/')) {
		result = bh_program_try(name, ret_program);
	} else {
		search = search ? search : "/usr/local/bin:/usr/bin:/bin";
		for (const char *at = search; *name && *at; at += strcspn(at, ":"), at += *at == ':') {
			char path[PATH_MAX];
			int tried;

			snprintf(path, sizeof(path), "%.*s/%s", (int)strcspn(at, ":"), at, name);
			tried = bh_program_try(*at == ':' ? name : path, ret_program);
			if (!tried || result == -ENOENT)
				result = tried;
			if (!tried)
				break;
		}
	}
	if (!result)
		return 0;
	if (result == -EACCES)
		return bh_err_set(err, EACCES, "%s is not executable", name);
	return bh_err_set(err, ENOENT, "%s: command not found", name);
}

/* Runs in the child; only what is safe after fork. Failing here means not starting. */
static int bh_child_strip(const struct bh_program *program, const struct bh_rights *rights)
{
	/* a core file would hold what the tools may not hand to each other */
	static const struct rlimit no_core = { 0, 0 };
	sigset_t none;
	int result = bh_protect_not(&program->before);

	if (result)
		return result;
	sigemptyset(&none);
	/* System V IPC and message queues have no path that a rule could name: the sandbox has its own */
	if (unshare(CLONE_NEWIPC) || setrlimit(RLIMIT_CORE, &no_core))
		return -errno;
	result = bh_rights_drop(rights);
	if (result)
		return result;
	if (syscall(SYS_close_range, 3, ~0U, CLOSE_RANGE_CLOEXEC))
		return -errno;
	return sigprocmask(SIG_SETMASK, &none, NULL) ? -errno : 0;
}

static void bh_child_answer(int error, int failure)
{
	if (write(failure, &error, sizeof(error)) != sizeof(error))
		_exit(125);
}

static _Noreturn void bh_child_main(const struct bh_program *program, const struct bh_rights *rights, int release,
				    int failure)
{
	int error;
	char byte;

	/* before it is in the sandbox, where it may do none of this; the parent waits for the answer */
	error = -bh_child_strip(program, rights);
	bh_child_answer(error, failure);
	/* end of file: the parent is gone, and with it the reason to start */
	if (error || read(release, &byte, 1) != 1)
		_exit(125);
	bh_child_answer(open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) < 0 ? errno : 0, failure);
	if (read(release, &byte, 1) != 1)
		_exit(125);
	execv(program->path, program->argv);
	error = errno;
	bh_child_answer(error, failure);
	_exit(error == ENOENT ? 127 : 126);
}

/* Waits for what the child says. Returns 1 and its word, or 0 when it says nothing more. */
static int bh_child_hear(const struct bh_child *child, int *ret_error)
{
	ssize_t count;

	*ret_error = 0;
	do
		count = read(child->failure, ret_error, sizeof(*ret_error));
	while (count < 0 && errno == EINTR);
	return count == sizeof(*ret_error);
}

/* Sends the child on and waits for what it says, as bh_child_hear; negative errno. */
static int bh_child_step(struct bh_child *child, int *ret_error)
{
	return write(child->release, "", 1) == 1 ? bh_child_hear(child, ret_error) : -errno;
}

int bh_child_fork(const struct bh_program *program, const struct bh_rights *rights, struct bh_child *ret_child,
		  struct bh_err *err)
{
	int release[2] = { -EBADF, -EBADF }, failure[2] = { -EBADF, -EBADF };
	pid_t pid = -1;
	int error;

	if (!pipe2(release, O_CLOEXEC) && !pipe2(failure, O_CLOEXEC))
		pid = fork();
	if (!pid) {
		close(release[1]);
		bh_child_main(program, rights, release[0], failure[1]);
	}
	bh_cleanup_close(&release[0]);
	bh_cleanup_close(&failure[1]);
	ret_child->pid = pid;
	ret_child->release = release[1];
	ret_child->failure = failure[0];
	ret_child->pidfd = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -EBADF;
	if (ret_child->pidfd < 0) {
		error = errno;
		bh_child_done(ret_child);
		if (pid > 0)
			kill(pid, SIGKILL);
		return bh_err_set(err, error, "cannot start a process: %s", strerror(error));
	}
	if (!bh_child_hear(ret_child, &error) || error)
		return bh_err_set(err, error ? error : ECHILD, "cannot prepare a process: %s",
				  strerror(error ? error : ECHILD));
	return 0;
}

int bh_child_prove(struct bh_child *child, int *ret_error)
{
	int result = bh_child_step(child, ret_error);

	return result < 0 ? result : result ? 0 : -ECHILD;
}

int bh_child_release(struct bh_child *child, const struct bh_program *program)
{
	int error = 0, result = bh_limit_descriptors(child->pid, &program->before, program->open_files);

	if (!result)
		result = bh_child_step(child, &error);
	return result < 0 ? result : -error;
}

void bh_child_done(struct bh_child *child)
{
	bh_cleanup_close(&child->release);
	bh_cleanup_close(&child->failure);
	bh_cleanup_close(&child->pidfd);
	child->release = child->failure = child->pidfd = -EBADF;
}
