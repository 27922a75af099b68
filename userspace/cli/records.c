/* SPDX-License-Identifier: GPL-2.0-only */
/* What comes out of the sandbox: each record is written, and one that asks for the sandbox's end gets it first. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/session.h"
#include "respond/freeze.h"
#include "respond/kill.h"

#define BH_KILL_LIMIT_MS 10000
#define BH_FREEZE_LIMIT_MS 10000
#define BH_LINES_MAX 200 /* records shown on standard error; the events file has more */
/* The events file grows by so many at once, and then by one in so much time: a session cannot fill the disk with denials. */
#define BH_EVENTS_AT_ONCE 2000
#define BH_EVENT_SHARE_NS 10000000

void bh_session_say(struct bh_session *session, const struct bh_lifecycle *what, bool print)
{
	struct bh_lifecycle said = *what;

	said.sequence = ++session->said;
	said.time_ns = (uint64_t)bh_boot_now();
	if (session->events)
		bh_lifecycle_json(&said, &session->context, session->events);
	if (print && !session->quiet)
		bh_lifecycle_text(&said, &session->context, bh_colour(STDERR_FILENO), stderr);
}

/* Says how the end went; the kill itself is over by then. */
static void bh_session_say_kill(struct bh_session *session, unsigned int reason, int64_t latency_us,
				const struct bh_kill_result *killed)
{
	struct bh_lifecycle what = { .class = session->ended_by ? "resource" : NULL,
				     .kind = "kill",
				     .verdict = "kill",
				     .severity = "critical",
				     .action = "kill",
				     .lost = -1 };
	char message[160];

	if (killed->empty)
		snprintf(message, sizeof(message), "sandbox '%s' was killed: %s", session->name,
			 bh_reason_text(reason));
	else
		snprintf(message, sizeof(message), "sandbox '%s' does not die; it stays stopped and enforced",
			 session->name);
	what.message = message;
	what.reason = bh_reason_code(reason);
	what.latency_us = latency_us;
	what.tasks = killed->tasks;
	bh_session_say(session, &what, true);
}

/* Takes an event's share of the file. What ends the sandbox needs none, for nothing comes after it. */
static bool bh_share_take(struct bh_session *session, const struct bh_event *event)
{
	int64_t now = bh_boot_now(), earliest = now - (int64_t)BH_EVENTS_AT_ONCE * BH_EVENT_SHARE_NS;

	if (event->verdict == BH_VERDICT_KILL)
		return true;
	if (session->written_until_ns < earliest)
		session->written_until_ns = earliest;
	if (session->written_until_ns + BH_EVENT_SHARE_NS > now)
		return false;
	session->written_until_ns += BH_EVENT_SHARE_NS;
	return true;
}

static void bh_session_write(struct bh_session *session, const struct bh_event *event)
{
	if (session->events && bh_share_take(session, event))
		bh_event_json(event, &session->context, session->events);
	else
		session->unwritten += session->events != NULL;
	if (session->quiet || session->printed > BH_LINES_MAX)
		return;
	if (session->printed++ == BH_LINES_MAX)
		fprintf(stderr, "bulkhead: further denials are counted, and written to the file of --events\n");
	else
		bh_event_text(event, &session->context, bh_colour(STDERR_FILENO), stderr);
}

/* Says how the freezing went, and how it ends: it is over by then, and whoever waits has to know. */
static void bh_session_say_freeze(struct bh_session *session, unsigned int reason, int64_t latency_us,
				  const struct bh_freeze_result *result)
{
	struct bh_lifecycle what = {
		.kind = "freeze", .verdict = "freeze", .severity = "critical", .action = "freeze", .lost = -1
	};
	char message[160];

	if (result->frozen)
		snprintf(message, sizeof(message), "sandbox '%s' was frozen as it is: %s", session->name,
			 bh_reason_text(reason));
	else
		snprintf(message, sizeof(message), "sandbox '%s' does not stand still; everything is denied to it",
			 session->name);
	what.message = message;
	what.reason = bh_reason_code(reason);
	what.latency_us = latency_us;
	what.tasks = result->tasks;
	bh_session_say(session, &what, true);
	fprintf(stderr, "bulkhead: sandbox '%s' stands frozen in %s; SIGINT or SIGTERM to process %d ends it\n",
		session->name, session->cgroup.path, (int)getpid());
}

static void bh_session_freeze(struct bh_session *session, const struct bh_event *event, unsigned int reason)
{
	struct bh_freeze_result result;
	int64_t latency_us;

	session->frozen = true;
	bh_freeze_sandbox(&session->cgroup, BH_FREEZE_LIMIT_MS, &result);
	latency_us = event ? (bh_boot_now() - (int64_t)event->time_ns) / 1000 : result.latency_us;
	if (event)
		bh_session_write(session, event);
	bh_session_say_freeze(session, reason, latency_us, &result);
}

void bh_session_end_frozen(struct bh_session *session)
{
	struct bh_lifecycle what = {
		.kind = "kill", .verdict = "kill", .severity = "info", .action = "kill", .lost = -1
	};
	struct bh_kill_result killed;
	char message[160];

	session->killed = true;
	bh_kill_sandbox(&session->cgroup, BH_KILL_LIMIT_MS, &killed);
	snprintf(message, sizeof(message), "sandbox '%s', which was frozen, was killed by a signal to its run",
		 session->name);
	what.message = message;
	what.latency_us = killed.latency_us;
	what.tasks = killed.tasks;
	bh_session_say(session, &what, true);
}

/* A record that asks for the sandbox's end, or for its freezing, gets it before anything is written. */
static void bh_session_receive(void *data, const void *bytes, size_t length)
{
	struct bh_session *session = data;
	struct bh_kill_result killed;
	const struct bh_event *event;
	int64_t latency_ns;

	if (bh_event_check(bytes, length, &event)) {
		fprintf(stderr, "bulkhead: a record of %zu bytes that this version does not know was passed over\n",
			length);
		return;
	}
	if (!session->proven && event->tool == BH_TOOL_NONE && event->pid == (uint32_t)session->child.pid) {
		session->proven = true; /* our own question, asked to see whether it is answered */
		return;
	}
	if (event->verdict == BH_VERDICT_FREEZE && !session->frozen && !session->killed) {
		bh_session_freeze(session, event, event->reason);
		return;
	}
	if (event->verdict != BH_VERDICT_KILL || session->killed) {
		bh_session_write(session, event);
		return;
	}
	session->killed = true;
	bh_kill_sandbox(&session->cgroup, BH_KILL_LIMIT_MS, &killed);
	latency_ns = bh_boot_now() - (int64_t)event->time_ns;
	bh_session_write(session, event);
	bh_session_say_kill(session, event->reason, latency_ns / 1000, &killed);
}

int bh_session_drain(struct bh_session *session, struct bh_err *err)
{
	int result = bh_core_events_read(session->core, bh_session_receive, session);

	if (session->events && fflush(session->events))
		return bh_err_set(err, errno, "cannot write the events file: %s", strerror(errno));
	return result < 0 ? bh_err_set(err, -result, "cannot read events: %s", strerror(-result)) : 0;
}

void bh_session_end(struct bh_session *session, unsigned int reason)
{
	struct bh_kill_result killed;

	session->killed = true;
	bh_kill_sandbox(&session->cgroup, BH_KILL_LIMIT_MS, &killed);
	bh_session_say_kill(session, reason, killed.latency_us, &killed);
}

void bh_session_check(struct bh_session *session)
{
	struct bh_sandbox sandbox;

	if (session->killed || bh_core_sandbox(session->core, session->number, &sandbox))
		return;
	if (sandbox.flags & BH_SANDBOX_FROZEN && !session->frozen)
		bh_session_freeze(session, NULL, BH_REASON_R3);
	if (!(sandbox.flags & BH_SANDBOX_STOPPED))
		return;
	bh_session_end(session, BH_REASON_R3);
}
