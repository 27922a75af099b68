/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines of bulkhead.event/1 back into what they were written from, as far as detectors need it. */
#ifndef BH_EVENT_READ_H
#define BH_EVENT_READ_H

#include <stddef.h>
#include <stdint.h>

#include "event/observed.h"

#define BH_LINE_MAX 262144u /* bytes of a line */
#define BH_LINE_NODE 256u /* room for a host name */

enum bh_line_what {
	BH_LINE_OTHER = 1, /* of the schema, and nothing for detectors: lifecycle, alerts, kinds of later versions */
	BH_LINE_EVENT,
	BH_LINE_SAMPLE,
	BH_LINE_FLOW,
	BH_LINE_QUERY,
};

/*
 * One line. Times are those of the line (CLOCK_REALTIME), so a context's boot_offset_ns is 0. Of tools there are names only:
 * the caller sets the numbers.
 */
struct bh_line {
	enum bh_line_what what;
	uint64_t time_ns;
	char sandbox[256]; /* empty: the line names none */
	char tool[64]; /* empty: none */
	char node[BH_LINE_NODE]; /* empty: none */
	uint8_t mode; /* BH_MODE_*; 0: none, or one without a name of ours */
	union {
		struct bh_event event; /* as bh_event_check lets it through; strings that were too long are cut */
		struct bh_sample sample;
		struct bh_flow flow;
		struct bh_query query;
	};
	char name[BH_NAME_MAX + 1]; /* query.name points here */
};

struct bh_line_fault {
	size_t column; /* from 1, in bytes */
	char text[160]; /* what is wrong, without a full stop, in printable ASCII */
};

/*
 * Strict: valid JSON in valid UTF-8, one object, the schema, a time and a kind; known keys once and of their type. Unknown
 * keys and kinds are passed over, as contract.md asks. length: without the newline. 0, or -EINVAL with *ret_fault.
 */
int bh_line_read(const char *text, size_t length, struct bh_line *ret, struct bh_line_fault *ret_fault);

#endif
