// SPDX-License-Identifier: GPL-2.0-only
/* Ways to execute a file from a process that its watcher may have lost sight of. */
#include "drill/try.h"

#include <errno.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drill/start.h"

extern char **environ;

static void double_fork(void *data)
{
	char **args = data;
	pid_t pid = fork();

	if (pid < 0)
		return;
	if (pid)
		_exit(0);
	setsid();
	pid = fork();
	if (pid < 0)
		return;
	if (pid)
		_exit(0);
	execve(args[0], args, environ);
}

static void *thread_main(void *data)
{
	char **args = data;

	execve(args[0], args, environ);
	try_start_failed();
}

static void thread(void *data)
{
	pthread_t id;
	int error = pthread_create(&id, NULL, thread_main, data);

	if (!error)
		error = pthread_join(id, NULL);
	errno = error;
}

static void vfork_child(void *data)
{
	char **args = data;
	volatile int error = 0;
	int status;
	/* the trick is that this is no fork; what the child does is what a program of the wild does */
	pid_t pid = vfork(); /* NOLINT(clang-analyzer-security.insecureAPI.vfork) */

	if (pid < 0)
		return;
	if (!pid) {
		execve(args[0], args, environ);
		error = errno; /* NOLINT(clang-analyzer-unix.Vfork): memory is shared: the parent sees it */
		_exit(126);
	}
	if (error) {
		errno = error;
		return;
	}
	if (waitpid(pid, &status, 0) == pid)
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static int fork_exec(char **args)
{
	return try_start(double_fork, args, args[0]);
}

static int thread_exec(char **args)
{
	return try_start(thread, args, args[0]);
}

static int vfork_exec(char **args)
{
	return try_start(vfork_child, args, args[0]);
}

const struct try_trick try_spawn[] = {
	{ "fork-exec", "FILE ARGUMENTS...", 1, fork_exec },
	{ "thread-exec", "FILE ARGUMENTS...", 1, thread_exec },
	{ "vfork-exec", "FILE ARGUMENTS...", 1, vfork_exec },
	{ 0 },
};
