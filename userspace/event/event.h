/* SPDX-License-Identifier: GPL-2.0-only */
/* An event as userspace knows it: the kernel's record, checked, joined with the names of its sandbox; and its two written forms. */
#ifndef BH_EVENT_EVENT_H
#define BH_EVENT_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "bpf/abi.h"

/* Names that the record's numbers stand for. Everything is borrowed for the call. */
struct bh_event_context {
	const char *boot_id; /* the kernel's, 36 characters */
	const char *node; /* host name */
	const char *policy_name, *policy_hash;
	const char *sandbox_name, *sandbox_cgroup; /* cgroup: path from the cgroup root */
	uint64_t sandbox_cgroup_id;
	uint8_t mode; /* BH_MODE_* */
	uint8_t modes[BH_CLASS_SLOTS]; /* by class of response, 0: as mode */
	int64_t boot_offset_ns; /* CLOCK_REALTIME - CLOCK_BOOTTIME */
	const char *(*tool_name)(const void *data, unsigned int tool); /* NULL answer: no such tool */
	const char *(*rule_id)(const void *data, uint32_t rule); /* rule: index + 1; NULL answer: none */
	const void *data; /* handed to both */
};

/* Things that userspace itself reports: begin, end, kill, lost events, limits. */
struct bh_lifecycle {
	const char *class; /* contract.md; NULL: "lifecycle" */
	const char *kind; /* contract.md: bind_policy, exit, kill, threshold, drop, coverage */
	const char *verdict; /* allow, kill, alert, ... or NULL */
	const char *severity;
	const char *reason; /* code or NULL */
	const char *message; /* one English sentence */
	uint64_t sequence; /* userspace's own count; id becomes "<boot>-u<sequence>" */
	uint64_t time_ns; /* CLOCK_BOOTTIME */
	int64_t latency_us; /* response: event to empty cgroup; -1: no response part */
	int64_t tasks; /* response: tasks that were killed */
	const char *action; /* response: "kill" or NULL */
	int64_t lost; /* drop: events lost; -1: none */
};

/*
 * Checks a record from the ring: length, version, kind, verdict, NUL-terminated strings, path within length.
 * Returns 0 and sets *ret_event, which points into bytes; -EPROTO for anything else.
 */
int bh_event_check(const void *bytes, size_t length, const struct bh_event **ret_event);

const char *bh_reason_code(unsigned int reason); /* "X1"; "?" for an unknown number */
const char *bh_reason_text(unsigned int reason);
unsigned int bh_reason_class(unsigned int reason); /* BH_CLASS_*; 0 unknown */
const char *bh_kind_name(unsigned int kind); /* "file_open"; NULL unknown */

const char *bh_event_operation(const struct bh_event *event); /* "mount", "CAP_SYS_ADMIN"; NULL: it names none */
const char *bh_event_operation_text(const struct bh_event *event); /* what the operation covers; NULL: it names none */

/*
 * Writes contract.md's JSON line (with its newline) to out. Strings become valid UTF-8. Returns 0, -ENOMEM, -EIO.
 */
int bh_event_json(const struct bh_event *event, const struct bh_event_context *context, FILE *out);
int bh_lifecycle_json(const struct bh_lifecycle *lifecycle, const struct bh_event_context *context, FILE *out);

/* One readable line: time, tool, kind, verdict, reason, object, why. colour: ANSI. Foreign bytes are escaped. */
int bh_event_text(const struct bh_event *event, const struct bh_event_context *context, bool colour, FILE *out);
int bh_lifecycle_text(const struct bh_lifecycle *lifecycle, const struct bh_event_context *context, bool colour,
		      FILE *out);

#endif
