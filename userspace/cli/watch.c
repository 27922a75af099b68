/* SPDX-License-Identifier: GPL-2.0-only */
/* While the sandbox lives: wait for records, for its first program, and for signals to us. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/session.h"

#define BH_CHECK_MS 250

/*
 * A signal for us. From the terminal the sandbox has it too; from another process it is passed on. The second one, or a
 * hang-up, ends the sandbox.
 */
static bool bh_session_signal(struct bh_session *session, int signals, unsigned int *count)
{
	struct signalfd_siginfo info;

	if (read(signals, &info, sizeof(info)) != sizeof(info) || info.ssi_signo == SIGCHLD)
		return false;
	if (++*count > 1 || info.ssi_signo == SIGHUP)
		return true;
	if (info.ssi_code != SI_KERNEL)
		kill(session->child.pid, (int)info.ssi_signo);
	return false;
}

static bool bh_child_ended(struct bh_session *session)
{
	return session->status >= 0 || waitpid(session->child.pid, &session->status, WNOHANG) == session->child.pid;
}

int bh_session_watch(struct bh_session *session, struct bh_err *err)
{
	BH_CLOSE int signals = -EBADF;
	struct pollfd fds[3];
	unsigned int count = 0;
	sigset_t mask;
	int result = 0;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP);
	sigaddset(&mask, SIGQUIT);
	signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	fds[0] = (struct pollfd){ .fd = bh_core_events_fd(session->core), .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = session->child.pidfd, .events = POLLIN };
	fds[2] = (struct pollfd){ .fd = signals, .events = POLLIN };
	if (fds[0].fd < 0 || signals < 0)
		return bh_err_set(err, errno, "cannot watch the sandbox: %s", strerror(errno));
	while (!result && !session->killed && !bh_child_ended(session)) {
		int ready = poll(fds, 3, BH_CHECK_MS);

		if (ready < 0 && errno != EINTR)
			return bh_err_set(err, errno, "cannot wait for the sandbox: %s", strerror(errno));
		if (ready < 0)
			continue;
		if (fds[0].revents)
			result = bh_session_drain(session, err);
		bh_session_check(session);
		if (fds[2].revents && bh_session_signal(session, signals, &count))
			break;
	}
	return result;
}
