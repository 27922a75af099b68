/* SPDX-License-Identifier: GPL-2.0-only */
/* Between the two steps of reading a line: what its known keys hold. */
#ifndef BH_EVENT_READING_H
#define BH_EVENT_READING_H

#include "event/read.h"
#include "event/lex.h"

enum bh_line_key {
	BH_KEY_SCHEMA,
	BH_KEY_TIME,
	BH_KEY_KIND,
	BH_KEY_VERDICT,
	BH_KEY_WOULD,
	BH_KEY_REASON,
	BH_KEY_TOOL,
	BH_KEY_NODE,
	BH_KEY_MODE,
	BH_KEY_SANDBOX,
	BH_KEY_PROCESS,
	BH_KEY_FILE,
	BH_KEY_NETWORK,
	BH_KEY_SAMPLE,
	BH_KEY_SANDBOX_ID,
	BH_KEY_PID,
	BH_KEY_TID,
	BH_KEY_PPID,
	BH_KEY_UID,
	BH_KEY_START,
	BH_KEY_COMM,
	BH_KEY_EXE,
	BH_KEY_ANCESTORS,
	BH_KEY_PATH,
	BH_KEY_ACCESS,
	BH_KEY_FAMILY,
	BH_KEY_PROTOCOL,
	BH_KEY_ADDRESS,
	BH_KEY_PORT,
	BH_KEY_BYTES,
	BH_KEY_NAME,
	BH_KEY_SAMPLE_FIRST, /* and behind it the others, by number */
};
#define BH_LINE_KEYS 64u

struct bh_line_raw {
	uint64_t given; /* a set of enum bh_line_key */
	uint32_t columns[BH_LINE_KEYS]; /* where their values begin */
	char schema[32], time[40], kind[32], verdict[16], would[16], reason[8];
	char tool[64], node[BH_LINE_NODE], mode[16], sandbox[256], access[8], family[16], protocol[16],
		name[BH_NAME_MAX + 1];
	char comm[16], exe[128], ancestors[BH_ANCESTORS][16];
	uint64_t pid, tid, ppid, uid, start_ns, port, bytes;
	uint64_t values[BH_SAMPLE_FIELDS];
	char address[BH_PATH_MAX]; /* from here on: see bh_line_read */
	char path[BH_PATH_MAX];
};

/* Fills the fault. Returns -EINVAL. */
int bh_line_fail(struct bh_line_fault *fault, size_t column, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* read_event.c: from the keys to what they mean. 0 or -EINVAL with *fault. */
int bh_line_build(const struct bh_line_raw *raw, struct bh_line *ret, struct bh_line_fault *fault);

/* RFC 3339 in UTC, with up to nine digits of a second, 1970 to 2261; nanoseconds. False: it is not. */
bool bh_line_time(const char *text, uint64_t *ret_ns);

#endif
