/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Detectors of one sandbox: thresholds of its policy, and the detections of rules/detections.def, as small state machines.
 *
 * They have no clock: time is that of what they are fed, so the same input in the same order gives the same alerts. Time
 * never runs backwards: what comes late counts as now. Windows are fixed: they begin at multiples of their length on the
 * real-time clock as it stood when the sandbox began (CLOCK_BOOTTIME + boot_offset_ns), so that a replay of JSON lines,
 * which have that clock, has the same windows. Arithmetic is by integers. Memory is bounded and all there from the start:
 * at most BH_DETECT_BYTES for a sandbox; where a table is full, what was used longest ago goes, and may count as new again.
 *
 * What is to be fed, beside the kernel's records of refusals:
 * - allowed starts: a record of kind exec, verdict and wanted ALLOW, reason NONE, path = the program, tool = the tool that
 *   the process is in from now on, pid and start_ns those of the process, exe = program that runs from now on or before;
 * - allowed opens, for writing at least: kinds file_open, file_write, file_link, file_rename, verdict ALLOW, with access;
 * - allowed connections: kinds connect and sendmsg, verdict ALLOW, with the address;
 * - ends of processes: kind exit;
 * - samples, flows and names (event/observed.h).
 * Whatever is not fed is not seen, and breaks nothing. docs/detections.md says what needs which.
 */
#ifndef BH_DETECT_DETECT_H
#define BH_DETECT_DETECT_H

#include <stddef.h>
#include <stdint.h>

#include "event/alert.h"
#include "event/observed.h"

#define BH_DETECT_BYTES 65536u
#define BH_DETECT_THRESHOLDS_MAX 64u
#define BH_DETECT_HONEY_MAX 32u

/* A signal over a value for a time, as a policy says it. */
struct bh_detect_threshold {
	uint16_t signal; /* number of rules/signals.def */
	uint8_t tool; /* 0: the whole sandbox */
	uint8_t respond; /* BH_ALERT_* */
	uint64_t over; /* in the signal's unit; of a rate: in each window */
	uint32_t window_ms; /* of a rate; else 0 */
	uint32_t for_ms; /* of a rate: rounded up to whole windows in a row */
};

/* Called while an input is taken in; the alert is borrowed for the call. */
typedef void bh_detect_emit(void *data, const struct bh_alert *alert);

struct bh_detect_config {
	const struct bh_detect_threshold *thresholds; /* copied */
	size_t thresholds_count;
	uint64_t memory_cap_bytes, pids_cap, cpu_cap_milli, wall_cap_s; /* of the policy; 0: none */
	int64_t boot_offset_ns; /* CLOCK_REALTIME - CLOCK_BOOTTIME; as in the events' context */
	const char *const *honey; /* paths that nobody has a reason to touch; copied */
	size_t honey_count;
	uint64_t learning_ns; /* after the first input: what is seen then is not new later. 0: nothing is ever called new */
	bh_detect_emit *emit;
	void *data; /* handed to emit */
};

struct bh_detect;

/* 0 and *ret, -EINVAL (more thresholds or honey than the maxima, a signal or window that does not exist), -ENOMEM. */
int bh_detect_new(const struct bh_detect_config *config, struct bh_detect **ret);
void bh_detect_free(struct bh_detect *detect);

/* Take in one thing each. None can fail. event: one that bh_event_check let through. */
void bh_detect_event(struct bh_detect *detect, const struct bh_event *event);
void bh_detect_sample(struct bh_detect *detect, const struct bh_sample *sample);
void bh_detect_flow(struct bh_detect *detect, const struct bh_flow *flow);
void bh_detect_query(struct bh_detect *detect, const struct bh_query *query);
/* Only time has passed. The same as a sample without counters, which is how a record says it. */
void bh_detect_tick(struct bh_detect *detect, uint64_t time_ns);

/* Alerts that were found and not emitted, because too many of the same kind came in a minute. */
uint64_t bh_detect_suppressed(const struct bh_detect *detect);

#endif
