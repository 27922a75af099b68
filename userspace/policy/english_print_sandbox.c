/* SPDX-License-Identifier: GPL-2.0-only */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/english_print.h"

/* ---- which sandboxes ---- */

/* The words of the form from `step` on, up to its slot, each behind a blank. */
static void add_form_words(struct bh_buf *buf, const struct bh_english_form *form, size_t step, bool plural)
{
	char word[32];

	for (; step < form->count && form->steps[step].kind == BH_STEP_WORD; step++)
		bh_buf_print(buf, "%s%s", buf->length ? " " : "",
			     bh_english_step_word(&form->steps[step], plural, word, sizeof(word)));
}

static void add_value(struct bh_buf *buf, const struct bh_select_term *term)
{
	struct bh_buf label = { 0 };

	if (!term->label.text) {
		bh_english_say_word(buf, term->value.text, false);
		return;
	}
	bh_buf_print(&label, "%s=%s", term->label.text, term->value.text);
	if (!label.error)
		bh_english_say_word(buf, (const char *)label.bytes, false);
	else
		buf->error = label.error;
	bh_buf_done(&label);
}

static size_t terms_of(const struct bh_select_clause *clause, unsigned int field)
{
	size_t count = 0;

	for (size_t i = 0; i < clause->count; i++)
		count += clause->terms[i].field == field;
	return count;
}

/* The terms of one field, all of them: "in namespaces a and b". step: 1 when the kind of sandbox was said. */
static void add_field(struct bh_english_print *print, struct bh_buf *buf, const struct bh_select_clause *clause,
		      unsigned int field, size_t step)
{
	const struct bh_english_form *form = &print->say.forms->selects[field];
	size_t count = terms_of(clause, field), written = 0;

	add_form_words(buf, form, step, count > 1);
	for (size_t i = 0; i < clause->count; i++) {
		if (clause->terms[i].field != field)
			continue;
		bh_buf_print(buf, "%s ", written == 0 ? "" : written + 1 == count ? " and" : ",");
		add_value(buf, &clause->terms[i]);
		written++;
	}
}

/* Does the field's form begin with the same kind of sandbox as the other's? */
static bool same_kind(const struct bh_english_forms *forms, unsigned int a, unsigned int b)
{
	const struct bh_english_step *left = &forms->selects[a].steps[0], *right = &forms->selects[b].steps[0];

	return left->length == right->length && memcmp(left->text, right->text, left->length) == 0;
}

static void print_clause(struct bh_english_print *print, const struct bh_select_clause *clause, bool first)
{
	const struct bh_english_forms *forms = print->say.forms;
	struct bh_buf buf = { 0 };
	unsigned int before = 0; /* the field said last */

	for (unsigned int field = 1; field < BH_COUNT_OF(forms->selects); field++) {
		bool goes_on = before && same_kind(forms, before, field);

		if (terms_of(clause, field) == 0)
			continue;
		if (before && !goes_on)
			bh_buf_print(&buf, " that are also");
		add_field(print, &buf, clause, field, goes_on ? 1 : 0);
		before = field;
	}
	bh_english_say_begin(&print->say, BH_SENTENCE_APPLIES);
	if (buf.error)
		print->say.out->error = buf.error;
	else if (buf.length)
		bh_english_say_item(&print->say, 0, (const char *)buf.bytes);
	if (first)
		bh_english_say_format(&print->say, 1, "%u", print->policy->select.priority);
	bh_english_say_end(&print->say);
	bh_buf_done(&buf);
}

void bh_english_print_select(struct bh_english_print *print)
{
	for (size_t i = 0; i < print->policy->select.count; i++)
		print_clause(print, &print->policy->select.any[i], i == 0);
}

/* ---- what a sandbox may use ---- */

enum cap_unit {
	BYTES,
	COUNT,
	MILLICPU,
	BYTES_PER_S,
	SECONDS,
};

static const enum cap_unit cap_units[BH_CAPS] = {
#define BH_CAP(number, id, key, unit, standard, english) [number] = unit,
#include "rules/caps.def"
#undef BH_CAP
};

static const char *cap_text(enum cap_unit unit, uint64_t value, char buffer[BH_AMOUNT_TEXT])
{
	switch (unit) {
	case MILLICPU:
		return bh_amount_fraction(value, 3, buffer);
	case SECONDS:
		return bh_amount_seconds(value, buffer);
	case COUNT:
		snprintf(buffer, BH_AMOUNT_TEXT, "%" PRIu64, value);
		return buffer;
	default:
		return bh_amount_bytes(value, buffer);
	}
}

static void add_cap(struct bh_english_print *print, unsigned int cap, uint64_t value)
{
	const struct bh_word *path = &print->policy->resources.disk_path;
	char amount[BH_AMOUNT_TEXT];
	struct bh_buf buf = { 0 };

	bh_buf_print(&buf, "%s", cap_text(cap_units[cap], value, amount));
	add_form_words(&buf, &print->say.forms->caps[cap], 0, strcmp(amount, "1") != 0);
	if (cap == BH_CAP_DISK && path->text) {
		bh_buf_add(&buf, " ", 1);
		bh_english_say_word(&buf, path->text, false);
	}
	if (buf.error)
		print->say.out->error = buf.error;
	else
		bh_english_say_item(&print->say, 0, (const char *)buf.bytes);
	bh_buf_done(&buf);
}

static void print_caps(struct bh_english_print *print)
{
	const struct bh_resources *resources = &print->policy->resources;
	bool any = false;

	bh_english_say_begin(&print->say, BH_SENTENCE_LIMITS);
	for (unsigned int cap = 1; cap < BH_CAPS; cap++) {
		if (!resources->caps[cap].given || resources->caps[cap].value == BH_UNLIMITED)
			continue;
		any = true;
		add_cap(print, cap, resources->caps[cap].value);
	}
	if (any)
		bh_english_say_end(&print->say);
}

enum signal_kind {
	SIGNAL_PERCENT,
	SIGNAL_COUNT,
	SIGNAL_RATE,
	SIGNAL_BYTES_RATE,
	SIGNAL_BITS,
};

static const struct {
	unsigned int number;
	const char *name;
	enum signal_kind kind;
} signals[] = {
#define BH_SIGNAL(number, class, name, kind, text) { number, #class "." #name, SIGNAL_##kind },
#include "rules/signals.def"
#undef BH_SIGNAL
};

static const char *window_text(uint32_t window_ms)
{
	return window_ms == 0 ? "" : window_ms == 1000 ? "/s" : window_ms == 60000 ? "/min" : "/h";
}

static void add_signal(struct bh_english_print *print, const struct bh_threshold *threshold)
{
	char amount[BH_AMOUNT_TEXT];

	for (size_t i = 0; i < BH_COUNT_OF(signals); i++) {
		if (signals[i].number != threshold->signal)
			continue;
		bh_english_say_item(&print->say, 0, signals[i].name);
		if (signals[i].kind == SIGNAL_BYTES_RATE)
			bh_amount_bytes(threshold->over, amount);
		else if (signals[i].kind == SIGNAL_BITS)
			bh_amount_fraction(threshold->over, 2, amount);
		else
			snprintf(amount, sizeof(amount), "%" PRIu64, threshold->over);
		bh_english_say_format(&print->say, 2, "%s%s", amount, window_text(threshold->window_ms));
	}
}

static void print_threshold(struct bh_english_print *print, const struct bh_threshold *threshold)
{
	static const uint8_t responses[] = { BH_RESPOND_ALERT, BH_RESPOND_FREEZE, BH_RESPOND_KILL };
	char duration[BH_AMOUNT_TEXT];

	bh_english_say_begin(&print->say, BH_SENTENCE_THRESHOLD);
	add_signal(print, threshold);
	if (threshold->tool.text)
		bh_english_say_item(&print->say, 1, threshold->tool.text);
	if (threshold->for_ms)
		bh_english_say_item(&print->say, 3, bh_amount_milliseconds(threshold->for_ms, duration));
	for (uint8_t i = 0; i < (uint8_t)sizeof(responses); i++)
		if (threshold->respond == responses[i])
			bh_english_say_choice(&print->say, 0, i);
	bh_english_say_end(&print->say);
}

void bh_english_print_resources(struct bh_english_print *print)
{
	print_caps(print);
	for (size_t i = 0; i < print->policy->resources.thresholds_count; i++)
		print_threshold(print, &print->policy->resources.thresholds[i]);
}
