/* SPDX-License-Identifier: GPL-2.0-only */
/* What is known of a sandbox besides the kernel's records: counters of its cgroup, traffic by destination, names asked for. */
#ifndef BH_EVENT_OBSERVED_H
#define BH_EVENT_OBSERVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "event/event.h"

enum bh_sample_field {
#define BH_SAMPLE(number, name, kind, source) BH_SAMPLE_##name = number,
#include "rules/samples.def"
#undef BH_SAMPLE
	BH_SAMPLE_FIELDS
};

/* The counters at one moment. */
struct bh_sample {
	uint64_t time_ns; /* CLOCK_BOOTTIME */
	uint32_t have; /* bit f: values[f] is known */
	uint64_t values[BH_SAMPLE_FIELDS];
};

/* Bytes sent to one destination since this was last said of it. */
struct bh_flow {
	uint64_t time_ns; /* CLOCK_BOOTTIME */
	uint64_t bytes;
	uint16_t family; /* AF_INET, AF_INET6 */
	uint16_t port; /* host byte order */
	uint8_t protocol;
	uint8_t tool; /* 0: unknown */
	uint8_t address[16]; /* as in struct bh_event */
};

/* A host name that was asked of a resolver. */
struct bh_query {
	uint64_t time_ns; /* CLOCK_BOOTTIME */
	const char *name; /* borrowed; small letters, no dot at the end */
	size_t length; /* at most BH_NAME_MAX is looked at */
	uint8_t tool; /* 0: unknown */
	bool refused;
};

/*
 * Each as a line of bulkhead.event/1 (kinds "sample", "flow" and "dns"), so that a record of a sandbox is whole: a replay
 * has what its detectors had. Return 0, -ENOMEM, -EIO.
 */
int bh_sample_json(const struct bh_sample *sample, const struct bh_event_context *context, FILE *out);
int bh_flow_json(const struct bh_flow *flow, const struct bh_event_context *context, FILE *out);
int bh_query_json(const struct bh_query *query, const struct bh_event_context *context, FILE *out);

#endif
