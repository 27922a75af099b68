// SPDX-License-Identifier: GPL-2.0-only
#include "drill/start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drill/try.h"

static int report = -1; /* the pipe's end in the child */

void try_start_failed(void)
{
	int error = errno;

	if (write(report, &error, sizeof(error)) < 0)
		_exit(125);
	_exit(126);
}

/* The program's status, whoever started it: those between us and it all end with 0. */
static int wait_for_all(void)
{
	int status = 0, kept = 0;

	for (;;) {
		pid_t pid = wait(&status);

		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			return kept;
		if (status)
			kept = status;
	}
}

int try_start(try_start_fn start, void *data, const char *what)
{
	int ends[2], error = 0, status;
	ssize_t got;
	pid_t pid;

	/* Orphans come to us, so that a program behind two forks can be waited for too. */
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) || pipe2(ends, O_CLOEXEC))
		return try_failed("prepare to start %s", what);
	pid = fork();
	if (pid < 0)
		return try_failed("fork");
	if (!pid) {
		close(ends[0]);
		report = ends[1];
		start(data);
		try_start_failed();
	}
	close(ends[1]);
	got = read(ends[0], &error, sizeof(error));
	close(ends[0]);
	status = wait_for_all();
	if (got == (ssize_t)sizeof(error)) {
		errno = error;
		return try_failed("start %s", what);
	}
	if ((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) ||
	    (WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGKILL))
		return try_refused("start %s: it was killed", what);
	if (WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127))
		return try_refused("start %s: the loader ended with %d", what, WEXITSTATUS(status));
	return try_won("start %s", what);
}
