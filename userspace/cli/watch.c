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
#include "cli/limits.h"
#include "cli/modes.h"

#define BH_CHECK_MS 250

/*
 * A signal for us. From the terminal the sandbox has it too; from another process it is passed on. The second one, or a
 * hang-up, ends the sandbox; so does any while it is frozen, when it could not take it.
 */
static bool bh_session_signal(struct bh_session *session, int signals, unsigned int *count)
{
	struct signalfd_siginfo info;

	if (read(signals, &info, sizeof(info)) != sizeof(info) || info.ssi_signo == SIGCHLD)
		return false;
	if (session->frozen) {
		bh_session_end_frozen(session);
		return true;
	}
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

/* Has a count of the cgroup changed? Reading arms the next notification. */
static bool bh_count_changed(const struct pollfd *count)
{
	char byte;

	return count->revents && pread(count->fd, &byte, 1, 0) >= 0;
}

enum bh_watched {
	BH_WATCH_EVENTS,
	BH_WATCH_CHILD,
	BH_WATCH_SIGNALS,
	BH_WATCH_MEMORY,
	BH_WATCH_PIDS,
	BH_WATCH_WALL,
	BH_WATCHED
};

int bh_session_watch(struct bh_session *session, struct bh_err *err)
{
	BH_CLEANUP(bh_limits_unwatch) struct bh_limits_watch limits = { -EBADF, -EBADF, -EBADF };
	BH_CLOSE int signals = -EBADF;
	struct pollfd fds[BH_WATCHED];
	unsigned int count = 0;
	sigset_t mask;
	int result = 0;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP);
	sigaddset(&mask, SIGQUIT);
	signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	fds[BH_WATCH_EVENTS] = (struct pollfd){ .fd = bh_core_events_fd(session->core), .events = POLLIN };
	fds[BH_WATCH_CHILD] = (struct pollfd){ .fd = session->child.pidfd, .events = POLLIN };
	fds[BH_WATCH_SIGNALS] = (struct pollfd){ .fd = signals, .events = POLLIN };
	if (fds[BH_WATCH_EVENTS].fd < 0 || signals < 0)
		return bh_err_set(err, errno, "cannot watch the sandbox: %s", strerror(errno));
	result = bh_limits_watch(session, &limits, err);
	fds[BH_WATCH_MEMORY] = (struct pollfd){ .fd = limits.memory, .events = POLLPRI };
	fds[BH_WATCH_PIDS] = (struct pollfd){ .fd = limits.pids, .events = POLLPRI };
	fds[BH_WATCH_WALL] = (struct pollfd){ .fd = limits.wall, .events = POLLIN };
	while (!result && !session->killed && !bh_child_ended(session)) {
		int ready = poll(fds, BH_WATCHED, BH_CHECK_MS);

		if (ready < 0 && errno != EINTR)
			return bh_err_set(err, errno, "cannot wait for the sandbox: %s", strerror(errno));
		if (ready < 0)
			continue;
		if (fds[BH_WATCH_EVENTS].revents)
			result = bh_session_drain(session, err);
		bh_session_check(session);
		bh_session_modes_check(session);
		if (bh_count_changed(&fds[BH_WATCH_MEMORY]))
			bh_limits_look(session);
		if (bh_count_changed(&fds[BH_WATCH_PIDS]))
			bh_limits_look(session);
		if (fds[BH_WATCH_WALL].revents)
			bh_limits_time_over(session);
		if (fds[BH_WATCH_SIGNALS].revents && bh_session_signal(session, signals, &count))
			break;
	}
	return result;
}
