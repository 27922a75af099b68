// SPDX-License-Identifier: GPL-2.0-only
/* First the keys are taken as they come (below), then what they say is put together (read_event.c). */
#include "event/read.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "event/reading.h"

/* What a key's value is, and where it goes in struct bh_line_raw. */
enum form {
	WORD = 1, /* a text that fits */
	CUT, /* a text that may be longer */
	NUMBER,
	OBJECT,
	NAMES, /* the list of ancestors */
};

enum group {
	TOP,
	SANDBOX,
	PROCESS,
	FILE_,
	NETWORK,
	SAMPLE,
};

struct key {
	uint8_t group, form;
	uint8_t inner; /* group of an OBJECT */
	uint8_t given; /* enum bh_line_key */
	const char *name;
	size_t offset, size; /* size: of a text */
	uint64_t most; /* of a number */
};

#define AT(member) offsetof(struct bh_line_raw, member), sizeof(((struct bh_line_raw *)NULL)->member)
#define NO_LIMIT ((uint64_t)INT64_MAX)

static const struct key keys[] = {
	{ TOP, WORD, 0, BH_KEY_SCHEMA, "schema", AT(schema), 0 },
	{ TOP, WORD, 0, BH_KEY_TIME, "time", AT(time), 0 },
	{ TOP, WORD, 0, BH_KEY_KIND, "kind", AT(kind), 0 },
	{ TOP, WORD, 0, BH_KEY_VERDICT, "verdict", AT(verdict), 0 },
	{ TOP, WORD, 0, BH_KEY_WOULD, "would", AT(would), 0 },
	{ TOP, WORD, 0, BH_KEY_REASON, "reason", AT(reason), 0 },
	{ TOP, WORD, 0, BH_KEY_TOOL, "tool", AT(tool), 0 },
	{ TOP, CUT, 0, BH_KEY_NODE, "node", AT(node), 0 },
	{ TOP, CUT, 0, BH_KEY_MODE, "mode", AT(mode), 0 },
	{ TOP, OBJECT, SANDBOX, BH_KEY_SANDBOX, "sandbox", 0, 0, 0 },
	{ TOP, OBJECT, PROCESS, BH_KEY_PROCESS, "process", 0, 0, 0 },
	{ TOP, OBJECT, FILE_, BH_KEY_FILE, "file", 0, 0, 0 },
	{ TOP, OBJECT, NETWORK, BH_KEY_NETWORK, "network", 0, 0, 0 },
	{ TOP, OBJECT, SAMPLE, BH_KEY_SAMPLE, "sample", 0, 0, 0 },
	{ SANDBOX, WORD, 0, BH_KEY_SANDBOX_ID, "id", AT(sandbox), 0 },
	{ PROCESS, NUMBER, 0, BH_KEY_PID, "pid", AT(pid), UINT32_MAX },
	{ PROCESS, NUMBER, 0, BH_KEY_TID, "tid", AT(tid), UINT32_MAX },
	{ PROCESS, NUMBER, 0, BH_KEY_PPID, "ppid", AT(ppid), UINT32_MAX },
	{ PROCESS, NUMBER, 0, BH_KEY_UID, "uid", AT(uid), UINT32_MAX },
	{ PROCESS, NUMBER, 0, BH_KEY_START, "start_ns", AT(start_ns), NO_LIMIT },
	{ PROCESS, CUT, 0, BH_KEY_COMM, "comm", AT(comm), 0 },
	{ PROCESS, CUT, 0, BH_KEY_EXE, "exe", AT(exe), 0 },
	{ PROCESS, NAMES, 0, BH_KEY_ANCESTORS, "ancestors", 0, 0, 0 },
	{ FILE_, CUT, 0, BH_KEY_PATH, "path", AT(path), 0 },
	{ FILE_, WORD, 0, BH_KEY_ACCESS, "access", AT(access), 0 },
	{ NETWORK, WORD, 0, BH_KEY_FAMILY, "family", AT(family), 0 },
	{ NETWORK, WORD, 0, BH_KEY_PROTOCOL, "protocol", AT(protocol), 0 },
	{ NETWORK, CUT, 0, BH_KEY_ADDRESS, "address", AT(address), 0 },
	{ NETWORK, NUMBER, 0, BH_KEY_PORT, "port", AT(port), UINT16_MAX },
	{ NETWORK, NUMBER, 0, BH_KEY_BYTES, "bytes", AT(bytes), NO_LIMIT },
	{ NETWORK, WORD, 0, BH_KEY_NAME, "name", AT(name), 0 },
#define BH_SAMPLE(number, name, kind, source)                                                                          \
	{ SAMPLE, NUMBER, 0, BH_KEY_SAMPLE_FIRST + (number), #name, AT(values[number]), NO_LIMIT },
#include "rules/samples.def"
#undef BH_SAMPLE
};
_Static_assert(BH_KEY_SAMPLE_FIRST + BH_SAMPLE_FIELDS <= 64, "given is a set of 64");

static const struct key *find(unsigned int group, const char *name)
{
	for (size_t i = 0; i < BH_COUNT_OF(keys); i++)
		if (keys[i].group == group && strcmp(keys[i].name, name) == 0)
			return &keys[i];
	return NULL;
}

static bool take_names(struct bh_lex *lex, struct bh_line_raw *raw)
{
	bool first = true;
	size_t count = 0;
	char name[sizeof(raw->ancestors[0])];

	while (bh_lex_item(lex, '[', &first)) {
		if (!bh_lex_string(lex, name, sizeof(name), NULL))
			return false;
		if (count < BH_ANCESTORS)
			strcpy(raw->ancestors[count++], name);
	}
	return !lex->fault;
}

static bool take_word(struct bh_lex *lex, const struct key *key, struct bh_line_raw *raw)
{
	const char *start = lex->at;
	bool cut = false;

	if (!bh_lex_string(lex, (char *)raw + key->offset, key->size, &cut))
		return false;
	return !cut || key->form == CUT || bh_lex_fail(lex, start, "a text that is too long");
}

static bool take_object(struct bh_lex *lex, unsigned int group, unsigned int depth, struct bh_line_raw *raw);

/* NOLINTNEXTLINE(misc-no-recursion): groups nest once */
static bool take_value(struct bh_lex *lex, const struct key *key, unsigned int depth, struct bh_line_raw *raw)
{
	bh_lex_peek(lex);
	raw->columns[key->given] = (uint32_t)(lex->at - lex->text) + 1;
	raw->given |= UINT64_C(1) << key->given;
	switch (key->form) {
	case NUMBER:
		return bh_lex_number(lex, key->most, (uint64_t *)((char *)raw + key->offset));
	case OBJECT:
		return take_object(lex, key->inner, depth + 1, raw);
	case NAMES:
		return take_names(lex, raw);
	default:
		return take_word(lex, key, raw);
	}
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static bool take_object(struct bh_lex *lex, unsigned int group, unsigned int depth, struct bh_line_raw *raw)
{
	char name[32];
	bool first = true, cut;

	while (bh_lex_item(lex, '{', &first)) {
		const struct key *key;
		const char *start;

		bh_lex_peek(lex);
		start = lex->at;
		if (!bh_lex_string(lex, name, sizeof(name), &cut) || !bh_lex_take(lex, ':'))
			return false;
		key = cut ? NULL : find(group, name);
		if (key && raw->given & UINT64_C(1) << key->given)
			return bh_lex_fail(lex, start, "a key twice in one object");
		if (!(key ? take_value(lex, key, depth, raw) : bh_lex_skip(lex, depth + 1)))
			return false;
	}
	return !lex->fault;
}

int bh_line_fail(struct bh_line_fault *fault, size_t column, const char *format, ...)
{
	va_list args;

	fault->column = column;
	va_start(args, format);
	vsnprintf(fault->text, sizeof(fault->text), format, args);
	va_end(args);
	return -EINVAL;
}

int bh_line_read(const char *text, size_t length, struct bh_line *ret, struct bh_line_fault *ret_fault)
{
	struct bh_line_raw raw;
	struct bh_lex lex;

	if (length > BH_LINE_MAX)
		return bh_line_fail(ret_fault, BH_LINE_MAX, "the line is longer than %u bytes", BH_LINE_MAX);
	/* what is not given is empty; of the two long texts the first byte says so */
	memset(&raw, 0, offsetof(struct bh_line_raw, address) + 1);
	raw.path[0] = '\0';
	bh_lex_init(&lex, text, length);
	if (!take_object(&lex, TOP, 0, &raw) || !bh_lex_end(&lex))
		return bh_line_fail(ret_fault, (size_t)(lex.fault_at - text) + 1, "%s", lex.fault);
	return bh_line_build(&raw, ret, ret_fault);
}
