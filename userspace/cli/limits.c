/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/limits.h"

#include <errno.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"

static const struct bh_limit *bh_limit_of(const struct bh_session *session, enum bh_cap cap)
{
	return &session->opened.source->resources.caps[cap];
}

int bh_limits_set(struct bh_session *session, struct bh_err *err)
{
	const struct bh_resources *resources = &session->opened.source->resources;
	const struct bh_limit *disk = bh_limit_of(session, BH_CAP_DISK);
	int result = bh_caps_apply(&session->cgroup, session->host.cgroup, resources, err);

	if (!result && disk->value != BH_UNLIMITED && resources->disk_path.text)
		result = bh_disk_limit(resources->disk_path.text, disk->value, &session->disk, err);
	return result;
}

void bh_limits_of_program(const struct bh_session *session, struct bh_program *program)
{
	const struct bh_limit *files = bh_limit_of(session, BH_CAP_OPEN_FILES);

	program->open_files = files->value == BH_UNLIMITED ? 0 : files->value;
}

static int bh_wall_start(const struct bh_session *session, int *ret_timer)
{
	const struct bh_limit *wall = bh_limit_of(session, BH_CAP_WALL);
	struct itimerspec when = { .it_value.tv_sec = (time_t)wall->value };
	BH_CLOSE int timer = -EBADF;

	if (wall->value == BH_UNLIMITED)
		return 0;
	timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	if (timer < 0 || timerfd_settime(timer, 0, &when, NULL))
		return -errno;
	*ret_timer = bh_take_fd(&timer);
	return 0;
}

int bh_limits_watch(const struct bh_session *session, struct bh_limits_watch *ret_watch, struct bh_err *err)
{
	struct bh_limits_watch watch = { .memory = bh_cgroup_watch(&session->cgroup, "memory.events"),
					 .pids = bh_cgroup_watch(&session->cgroup, "pids.events"),
					 .wall = -EBADF };
	int result = bh_wall_start(session, &watch.wall);

	if (!result && watch.memory < 0)
		result = watch.memory;
	if (!result && watch.pids < 0)
		result = watch.pids;
	if (!result) {
		*ret_watch = watch;
		return 0;
	}
	bh_limits_unwatch(&watch);
	return bh_err_set(err, -result, "cannot watch the sandbox's limits: %s", strerror(-result));
}

void bh_limits_unwatch(struct bh_limits_watch *watch)
{
	bh_cleanup_close(&watch->memory);
	bh_cleanup_close(&watch->pids);
	bh_cleanup_close(&watch->wall);
	watch->memory = watch->pids = watch->wall = -EBADF;
}

/* Ends the sandbox for a limit; the kernel has begun already when its memory ran out. */
static void bh_limits_end(struct bh_session *session, unsigned int reason)
{
	session->ended_by = reason;
	bh_session_end(session, reason);
}

static void bh_limits_say_pids(struct bh_session *session)
{
	struct bh_lifecycle what = { .class = "resource",
				     .kind = "threshold",
				     .verdict = "deny",
				     .severity = "medium",
				     .reason = bh_reason_code(BH_REASON_L2),
				     .latency_us = -1,
				     .lost = -1 };
	char message[192];

	snprintf(message, sizeof(message), "sandbox '%s' may have %llu processes; a further one was not started",
		 session->name, (unsigned long long)bh_limit_of(session, BH_CAP_PIDS)->value);
	what.message = message;
	bh_session_say(session, &what, true);
}

void bh_limits_look(struct bh_session *session)
{
	struct bh_caps_met before = session->met;

	bh_caps_met(&session->cgroup, &session->met);
	if (session->met.forks_refused && !before.forks_refused)
		bh_limits_say_pids(session);
	if (session->met.oom_kills && !before.oom_kills && !session->killed)
		bh_limits_end(session, BH_REASON_L1);
}

void bh_limits_time_over(struct bh_session *session)
{
	if (!session->killed)
		bh_limits_end(session, BH_REASON_L3);
}

void bh_limits_summary(const struct bh_session *session, char *buffer, size_t size)
{
	unsigned long long refused = session->met.forks_refused;
	size_t length = 0;

	buffer[0] = '\0';
	if (session->ended_by)
		length = (size_t)snprintf(buffer, size, "  %s",
					  session->ended_by == BH_REASON_L1 ? "out of memory" : "time over");
	if (refused && length < size)
		snprintf(buffer + length, size - length, "  process limit met %llu time%s", refused,
			 refused == 1 ? "" : "s");
}
