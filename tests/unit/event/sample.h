/* SPDX-License-Identifier: GPL-2.0-only */
/* One well-formed record and the names around it, for every test of userspace/event. Include after cmocka's headers. */
#ifndef BH_TESTS_UNIT_EVENT_SAMPLE_H
#define BH_TESTS_UNIT_EVENT_SAMPLE_H

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "event/event.h"

static inline const char *sample_tool(const void *data, unsigned int tool)
{
	(void)data;
	return tool == 1 ? "agent" : tool == 2 ? "git" : tool == 3 ? "python" : NULL;
}

static inline const char *sample_rule(const void *data, uint32_t rule)
{
	(void)data;
	return rule == 7 ? "r-34230242659f" : NULL;
}

static const struct bh_event_context sample_context = {
	.boot_id = "6b3f1c52-90a4-4f0e-8d39-2f6f7a1f5f11",
	.node = "n1",
	.policy_name = "coding-agent",
	.policy_hash = "ec6c7cbf00112233445566778899aabbccddeeff00112233445566778899aabb",
	.sandbox_name = "coder-1",
	.sandbox_cgroup = "/bulkhead.slice/coder-1.scope",
	.sandbox_cgroup_id = 1234,
	.mode = BH_MODE_ENFORCE,
	.boot_offset_ns = 1795953600000000000, /* 2026-11-29T12:00:00Z */
	.tool_name = sample_tool,
	.rule_id = sample_rule,
};

static inline void sample_path(struct bh_event *event, const void *path, size_t length)
{
	memcpy(event->path, path, length);
	event->path[length] = '\0';
	event->path_length = (uint32_t)length + 1;
	event->length = (uint16_t)(BH_EVENT_FIXED + event->path_length);
}

/* A refusal in enforce mode by tool git, one second and a bit after the offset. */
static inline void sample_event(struct bh_event *event, uint8_t kind, uint16_t reason, const char *path)
{
	memset(event, 0, sizeof(*event));
	event->length = BH_EVENT_FIXED;
	event->version = BH_EVENT_VERSION;
	event->kind = kind;
	event->verdict = event->wanted = BH_VERDICT_DENY;
	event->reason = reason;
	event->sequence = 42;
	event->time_ns = 67123456789;
	event->cgroup_id = 1234;
	event->start_ns = 66000000001;
	event->sandbox = 1;
	event->pid = 301;
	event->tid = 302;
	event->ppid = 300;
	event->uid = 1000;
	event->tool = 2;
	memcpy(event->comm, "git", 4);
	memcpy(event->exe, "/usr/bin/git", 13);
	memcpy(event->ancestors[0], "node", 5);
	memcpy(event->ancestors[1], "bash", 5);
	if (path)
		sample_path(event, path, strlen(path));
}

static inline void sample_peer(struct bh_event *event, int family, const char *address, uint16_t port, uint8_t protocol)
{
	event->family = (uint16_t)family;
	event->port = port;
	event->protocol = protocol;
	if (address && inet_pton(family, address, event->address) != 1)
		abort();
}

/* What `write_it` writes into a stream, as a string the caller frees. */
#define SAMPLE_WRITTEN(out, write_it)                                                                                  \
	({                                                                                                             \
		char *written_ = NULL;                                                                                 \
		size_t written_length_ = 0;                                                                            \
		FILE *out = open_memstream(&written_, &written_length_);                                               \
		assert_non_null(out);                                                                                  \
		assert_int_equal(write_it, 0);                                                                         \
		assert_int_equal(fclose(out), 0);                                                                      \
		written_;                                                                                              \
	})

#endif
