/* SPDX-License-Identifier: GPL-2.0-only */
/* Limits of a whole sandbox, and what is watched in it. */
#include <string.h>

#include "base/cleanup.h"
#include "policy/catalogue.h"
#include "policy/fields.h"
#include "policy/quantity.h"
#include "policy/suggest.h"

#define LONGEST_MS (UINT64_C(24) * 60 * 60 * 1000) /* a threshold waits for */
#define MOST_PERCENT 100u
#define MOST_BITS 800u /* hundredths: no label has more than eight bits in a byte */

void bh_read_resources(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_resources *resources = field;

	resources->given = true;
	bh_fields_read(reader, "resources", "spec.resources", at->key, at->value, resources);
}

void bh_read_caps(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	bh_fields_read(reader, "caps", "spec.resources.caps", at->key, at->value, field);
}

void bh_read_io(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	bh_fields_read(reader, "io", "spec.resources.caps.io", at->key, at->value, field);
}

void bh_read_disk(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	bh_fields_read(reader, "disk", "spec.resources.caps.disk", at->key, at->value, field);
}

/* By unit: how a cap is written. */
static const char *const cap_hints[] = {
	[BH_CAP_BYTES] = "write 512Mi or 2Gi",
	[BH_CAP_COUNT] = "write a number, as in 512",
	[BH_CAP_MILLICPU] = "write 0.5 or 2",
	[BH_CAP_BYTES_PER_S] = "write what is possible in each second, as in 50Mi",
	[BH_CAP_SECONDS] = "write 30s, 15m or 24h",
};

/* What the kernel can keep; BH_CAPS entries. Below `least` a cap stops every program, above `most` it is none. */
static const struct {
	uint64_t least, most;
	const char *least_text;
} cap_ranges[BH_CAPS] = {
	[BH_CAP_MEMORY] = { 4 << 20, BH_QUANTITY_MAX, "4Mi" },
	[BH_CAP_SWAP] = { 0, BH_QUANTITY_MAX, "0" },
	[BH_CAP_PIDS] = { 1, 4194304, "1" },
	[BH_CAP_CPU] = { 10, 8192000, "0.01" },
	[BH_CAP_IO_READ] = { 4 << 10, BH_QUANTITY_MAX, "4Ki" },
	[BH_CAP_IO_WRITE] = { 4 << 10, BH_QUANTITY_MAX, "4Ki" },
	[BH_CAP_DISK] = { 4 << 10, BH_QUANTITY_MAX, "4Ki" },
	[BH_CAP_WALL] = { 1, 366 * 24 * 3600, "1s" },
	[BH_CAP_OPEN_FILES] = { 3, 1 << 30, "3" },
};

static const char *cap_parse(const char *text, enum bh_cap_unit unit, uint64_t *ret_value)
{
	const char *fault;

	switch (unit) {
	case BH_CAP_BYTES:
	case BH_CAP_BYTES_PER_S:
		return bh_quantity_size(text, ret_value);
	case BH_CAP_MILLICPU:
		return bh_quantity_fraction(text, 3, ret_value);
	case BH_CAP_SECONDS:
		fault = bh_quantity_duration(text, ret_value);
		if (!fault && *ret_value % 1000)
			fault = "is not a number of whole seconds";
		*ret_value /= 1000;
		return fault;
	default:
		return bh_quantity_count(text, ret_value);
	}
}

/* Words that people and other programs write for "no limit". */
static bool says_unlimited(const char *text)
{
	static const char *const words[] = { "-1", "infinity", "max", "none", "unlimited" };

	for (size_t i = 0; i < BH_COUNT_OF(words); i++)
		if (strcmp(words[i], text) == 0)
			return true;
	return false;
}

static bool is_mandatory(unsigned int cap)
{
	return cap == BH_CAP_MEMORY || cap == BH_CAP_PIDS;
}

/* E350: memory and tasks always have a limit, for without one a sandbox takes the machine, and what guards it, down. */
static void refuse_unlimited(struct bh_reader *reader, const struct bh_at *at, const struct bh_cap_entry *cap)
{
	if (is_mandatory(at->number))
		bh_refuse(reader, "E350", at->value, cap_hints[cap->unit],
			  "'%s' always has a limit, and '%.32s' would be none", cap->name, at->value->text);
	else
		bh_refuse(reader, "E353", at->value,
			  cap->standard == BH_UNLIMITED ? "leave it out: then it has no limit" : cap_hints[cap->unit],
			  "'%.32s' is not a limit", at->value->text);
}

void bh_read_cap(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_resources *resources = field;
	const struct bh_cap_entry *cap = &bh_caps[at->number];
	const char *fault;
	uint64_t value = 0;

	if (says_unlimited(at->value->text)) {
		refuse_unlimited(reader, at, cap);
		return;
	}
	fault = cap_parse(at->value->text, cap->unit, &value);
	if (fault) {
		bh_refuse(reader, "E353", at->value, cap_hints[cap->unit], "'%.64s' %s", at->value->text, fault);
		return;
	}
	if (is_mandatory(at->number) && (value == 0 || value > cap_ranges[at->number].most))
		refuse_unlimited(reader, at, cap);
	else if (value < cap_ranges[at->number].least)
		bh_refuse(reader, "E353", at->value, cap_hints[cap->unit], "'%.64s' is less than %s: nothing could run",
			  at->value->text, cap_ranges[at->number].least_text);
	else if (value > cap_ranges[at->number].most)
		bh_refuse(reader, "E353", at->value, cap_hints[cap->unit], "'%.64s' is more than any machine has",
			  at->value->text);
	else
		resources->caps[at->number] = (struct bh_limit){ .given = true, .value = value, .loc = at->value->loc };
}

/* ---- Thresholds ---- */

void bh_read_signal(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	uint16_t *signal = field;
	struct bh_suggestion suggestion = { 0 };
	char hint[96];

	for (const struct bh_signal_entry *entry = bh_signals; entry->name; entry++) {
		const char *short_name = strchr(entry->name, '.') + 1;

		if (strcmp(entry->name, at->value->text) == 0) {
			*signal = entry->number;
			return;
		}
		bh_suggest_offer(&suggestion, at->value->text, entry->name);
		if (strcmp(short_name, at->value->text) == 0)
			suggestion = (struct bh_suggestion){ entry->name, 0 };
	}
	bh_refuse(reader, "E125", at->value, bh_suggest_hint(&suggestion, hint, sizeof(hint)), "unknown signal '%.80s'",
		  at->value->text);
}

/* It can only be read when the signal is known: bh_read_thresholds does. */
void bh_read_over(struct bh_reader *reader, const struct bh_at *at, void *field)
{
}

void bh_read_for(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	uint32_t *for_ms = field;
	uint64_t value = 0;
	const char *fault = bh_quantity_duration(at->value->text, &value);

	if (!fault && value > LONGEST_MS)
		fault = "is longer than 24h";
	if (fault)
		bh_refuse(reader, "E353", at->value, "write 0s, 30s or 15m", "'%.64s' %s", at->value->text, fault);
	else
		*for_ms = (uint32_t)value;
}

static const struct bh_signal_entry *find_signal(uint16_t number)
{
	const struct bh_signal_entry *entry = bh_signals;

	while (entry->name && entry->number != number)
		entry++;
	return entry;
}

/* By kind: how the value of a signal is written. */
static const char *const signal_hints[] = {
	[BH_SIGNAL_PERCENT] = "it is a percentage: write 90",
	[BH_SIGNAL_COUNT] = "it is a number: write 20",
	[BH_SIGNAL_RATE] = "it is a rate: write 200/s, 20/min or 5/h",
	[BH_SIGNAL_BYTES_RATE] = "it is a rate in bytes: write 1Mi/s, 50Mi/min or 200Mi/h",
	[BH_SIGNAL_BITS] = "it is a number of bits: write 3.5",
};

static const char *over_parse(const char *text, enum bh_signal_kind kind, struct bh_threshold *threshold)
{
	const char *fault;

	switch (kind) {
	case BH_SIGNAL_PERCENT:
		fault = bh_quantity_count(text, &threshold->over);
		return !fault && threshold->over > MOST_PERCENT ? "is more than 100" : fault;
	case BH_SIGNAL_BITS:
		fault = bh_quantity_fraction(text, 2, &threshold->over);
		return !fault && threshold->over > MOST_BITS ? "is more than 8 bits" : fault;
	case BH_SIGNAL_RATE:
	case BH_SIGNAL_BYTES_RATE:
		return bh_quantity_rate(text, kind == BH_SIGNAL_BYTES_RATE, &threshold->over, &threshold->window_ms);
	default:
		return bh_quantity_count(text, &threshold->over);
	}
}

static void read_over(struct bh_reader *reader, const struct bh_node *item, struct bh_threshold *threshold)
{
	const struct bh_signal_entry *signal = find_signal(threshold->signal);
	const struct bh_node *over = bh_key_find(item, "over");
	const char *fault;

	if (!signal->name || !over || over->next->kind != BH_NODE_WORD || over->next->empty)
		return;
	fault = over_parse(over->next->text, signal->kind, threshold);
	if (!fault)
		return;
	bh_refuse(reader, "E353", over->next, signal_hints[signal->kind], "'%.64s' %s", over->next->text, fault);
	threshold->signal = 0; /* nothing more is to be said about it */
}

void bh_read_thresholds(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_resources *resources = field;

	if (!bh_few_enough(reader, at, BH_THRESHOLDS_LIMIT))
		return;
	resources->thresholds = bh_reader_array(reader, at->value->count, sizeof(*resources->thresholds));
	if (!resources->thresholds)
		return;
	for (const struct bh_node *item = at->value->first; item; item = item->next) {
		struct bh_threshold *threshold = &resources->thresholds[resources->thresholds_count];

		if (!bh_item_is_map(reader, at, item))
			continue;
		threshold->loc = item->loc;
		bh_fields_read(reader, "threshold", "spec.resources.thresholds", item, item, threshold);
		read_over(reader, item, threshold);
		resources->thresholds_count++;
	}
}
