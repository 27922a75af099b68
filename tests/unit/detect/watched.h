/* SPDX-License-Identifier: GPL-2.0-only */
/* A detector whose alerts are remembered, and records to feed it. Include after cmocka's headers. */
#ifndef BH_TESTS_UNIT_DETECT_WATCHED_H
#define BH_TESTS_UNIT_DETECT_WATCHED_H

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "detect/private.h"

#define SECOND BH_NS_PER_S
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
/* Real time at which tests begin: an hour begins then, so that every window does. */
#define START (UINT64_C(495000) * HOUR)

#define ALERTS_MOST 64u

static struct watched {
	struct bh_detect *detect;
	struct bh_alert alerts[ALERTS_MOST];
	size_t count;
	uint64_t now; /* what the next input's time is */
} watched;

static inline void watched_emit(void *data, const struct bh_alert *alert)
{
	assert_ptr_equal(data, &watched);
	assert_true(watched.count < ALERTS_MOST);
	watched.alerts[watched.count++] = *alert;
	assert_int_equal(alert->sequence, watched.count);
}

/* A new detector with these; what is 0 stands for nothing. */
static inline void watch_with(struct bh_detect_config config)
{
	bh_detect_free(watched.detect);
	watched = (struct watched){ .now = START };
	config.emit = watched_emit;
	config.data = &watched;
	assert_int_equal(bh_detect_new(&config, &watched.detect), 0);
}

/* One threshold, and limits of 100 MiB, 100 tasks, 1 CPU and 100 s. */
static inline void watch(unsigned int signal, uint64_t over, uint32_t window_ms, uint32_t for_ms)
{
	struct bh_detect_threshold threshold = { .signal = (uint16_t)signal,
						 .respond = BH_ALERT_KILL,
						 .over = over,
						 .window_ms = window_ms,
						 .for_ms = for_ms };

	watch_with((struct bh_detect_config){ .thresholds = &threshold,
					      .thresholds_count = 1,
					      .memory_cap_bytes = 100 << 20,
					      .pids_cap = 100,
					      .cpu_cap_milli = 1000,
					      .wall_cap_s = 100 });
}

/* How many alerts of that name there are. */
static inline size_t alerts_of(const char *name)
{
	size_t count = 0;

	for (size_t i = 0; i < watched.count; i++)
		count += strcmp(watched.alerts[i].name, name) == 0;
	return count;
}

static inline int free_watched(void **state)
{
	(void)state;
	bh_detect_free(watched.detect);
	watched.detect = NULL;
	return 0;
}

/* A record that was let through: process 100 of tool 1, running /usr/bin/node, child of process 1. */
static struct bh_event record;

static inline void begin_record(unsigned int kind, const char *path)
{
	memset(&record, 0, sizeof(record));
	record.version = BH_EVENT_VERSION;
	record.kind = (uint8_t)kind;
	record.verdict = record.wanted = BH_VERDICT_ALLOW;
	record.pid = record.tid = 100;
	record.ppid = 1;
	record.start_ns = 1;
	record.tool = 1;
	strcpy((char *)record.exe, "/usr/bin/node");
	record.length = BH_EVENT_FIXED;
	if (path) {
		strcpy((char *)record.path, path);
		record.path_length = (uint32_t)strlen(path) + 1;
		record.length = (uint16_t)(record.length + record.path_length);
	}
}

static inline void begin_refusal(unsigned int kind, unsigned int reason, const char *path)
{
	begin_record(kind, path);
	record.reason = (uint16_t)reason;
	record.verdict = record.wanted = BH_VERDICT_DENY;
}

static inline void begin_peer(unsigned int kind, const char *address, uint16_t port)
{
	begin_record(kind, NULL);
	record.family = strchr(address, ':') ? AF_INET6 : AF_INET;
	record.protocol = IPPROTO_TCP;
	record.port = port;
	assert_int_equal(inet_pton(record.family, address, record.address), 1);
}

/* What is fed is what the kernel could have sent. */
static inline void feed(void)
{
	const struct bh_event *checked;

	record.time_ns = watched.now;
	assert_int_equal(bh_event_check(&record, sizeof(record), &checked), 0);
	bh_detect_event(watched.detect, &record);
}

static inline void feed_start(const char *program, unsigned int tool)
{
	begin_record(BH_KIND_EXEC, program);
	record.tool = (uint8_t)tool;
	feed();
}

static inline void feed_sample(enum bh_sample_field field, uint64_t value)
{
	struct bh_sample sample = { .time_ns = watched.now, .have = 1u << field };

	sample.values[field] = value;
	bh_detect_sample(watched.detect, &sample);
}

static inline void feed_query(const char *name, bool refused)
{
	struct bh_query query = {
		.time_ns = watched.now, .name = name, .length = strlen(name), .tool = 1, .refused = refused
	};

	bh_detect_query(watched.detect, &query);
}

static inline void feed_flow(const char *address, uint16_t port, uint64_t bytes)
{
	struct bh_flow flow = { .time_ns = watched.now,
				.bytes = bytes,
				.family = AF_INET,
				.port = port,
				.protocol = IPPROTO_TCP,
				.tool = 1 };

	assert_int_equal(inet_pton(AF_INET, address, flow.address), 1);
	bh_detect_flow(watched.detect, &flow);
}

#endif
