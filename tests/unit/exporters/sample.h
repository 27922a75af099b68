/* SPDX-License-Identifier: GPL-2.0-only */
/* The events that every wire format is tested with. Include after cmocka's headers. */
#ifndef BH_TESTS_UNIT_EXPORTERS_SAMPLE_H
#define BH_TESTS_UNIT_EXPORTERS_SAMPLE_H

#include "exporters/encode.h"
#include "tests/unit/event/sample.h"

/* A file read that a guard forbids. */
static inline void export_file(struct bh_export *record)
{
	struct bh_event event;

	sample_event(&event, BH_KIND_FILE_OPEN, BH_REASON_F1, "/home/a b/.ssh/id_rsa");
	event.access = BH_ACCESS_READ;
	event.rule = 7;
	bh_export_event(&event, &sample_context, record);
}

/* The cloud's metadata, and with it the sandbox's end. */
static inline void export_connect(struct bh_export *record)
{
	struct bh_event event;

	sample_event(&event, BH_KIND_CONNECT, BH_REASON_N0, NULL);
	sample_peer(&event, AF_INET, "169.254.169.254", 80, IPPROTO_TCP);
	event.verdict = event.wanted = BH_VERDICT_KILL;
	bh_export_event(&event, &sample_context, record);
}

/* A path that would end the line, the value and the field of every format. */
static inline void export_hostile(struct bh_export *record)
{
	static const char path[] = "/x\n<34>1 - - - - - -\"]\\|=\x7f\xc2\x85\xe2\x80\xae\xff";
	struct bh_event event;

	sample_event(&event, BH_KIND_EXEC, BH_REASON_X1, path);
	event.access = BH_ACCESS_EXEC;
	memcpy(event.comm, "a\"]=|\n\\\xff", 9);
	bh_export_event(&event, &sample_context, record);
}

static inline void export_kill(struct bh_export *record)
{
	static const struct bh_lifecycle kill = {
		.class = "resource",
		.kind = "kill",
		.verdict = "kill",
		.severity = "critical",
		.reason = "L1",
		.message = "sandbox 'coder-1' was killed: the sandbox used up its memory",
		.sequence = 3,
		.time_ns = 67123456789,
		.latency_us = 420,
		.tasks = 17,
		.action = "kill",
		.lost = -1
	};

	bh_export_lifecycle(&kill, &sample_context, record);
}

static inline void export_begin(struct bh_export *record)
{
	static const struct bh_lifecycle begin = { .kind = "bind_policy",
						   .verdict = "allow",
						   .severity = "info",
						   .message = "policy 'coding-agent' is in force in sandbox 'coder-1'",
						   .sequence = 1,
						   .latency_us = -1,
						   .lost = -1 };

	bh_export_lifecycle(&begin, &sample_context, record);
}

/* A detector's, about a peer that no record names. */
static inline void export_alert(struct bh_export *record)
{
	static const struct bh_alert alert = { .name = "network.denied",
					       .class = "network",
					       .severity = "high",
					       .text = "many connections were refused",
					       .threshold = true,
					       .respond = BH_ALERT_ONLY,
					       .tool = 2,
					       .sequence = 9,
					       .time_ns = 67123456789,
					       .value = 21,
					       .limit = 20,
					       .window_ms = 60000 };

	bh_export_alert(&alert, &sample_context, record);
}

#endif
