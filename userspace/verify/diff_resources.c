/* SPDX-License-Identifier: GPL-2.0-only */
/* Limits and thresholds: a higher limit is wider, and so is what is reached later or answered more weakly. */
#include <stdio.h>
#include <string.h>

#include "compile/names.h"
#include "policy/catalogue.h"
#include "policy/amount.h"
#include "verify/diff_parts.h"

#define THRESHOLD_TEXT 128u

static void compare_caps(struct bh_settings *s, const struct bh_resources *old, const struct bh_resources *new)
{
	for (const struct bh_name *cap = bh_names_caps; cap->text; cap++) {
		uint64_t had = bh_cap_value(old, cap->number), has = bh_cap_value(new, cap->number);
		char before[BH_AMOUNT_TEXT], after[BH_AMOUNT_TEXT];

		if (had != has)
			bh_settings_note(s, bh_more_is(BH_EFFECT_WIDER, had, has), "resources.caps.%s: %s -> %s",
					 cap->text, bh_amount_cap(cap->number, had, before),
					 bh_amount_cap(cap->number, has, after));
	}
}

static enum bh_signal_kind kind_of(unsigned int signal)
{
	for (const struct bh_signal_entry *it = bh_signals; it->name; it++)
		if (it->number == signal)
			return it->kind;
	return BH_SIGNAL_COUNT;
}

/* "over 20/min for 30s: kill" */
static const char *threshold_text(const struct bh_threshold *it, char text[THRESHOLD_TEXT])
{
	const char *window = it->window_ms == 3600000 ? "/h" :
			     it->window_ms == 60000   ? "/min" :
			     it->window_ms	      ? "/s" :
							"";
	char over[BH_AMOUNT_TEXT], time[BH_AMOUNT_TEXT];

	switch (kind_of(it->signal)) {
	case BH_SIGNAL_BYTES_RATE:
		bh_amount_bytes(it->over, over);
		break;
	case BH_SIGNAL_BITS:
		bh_amount_fraction(it->over, 2, over);
		break;
	default:
		snprintf(over, sizeof(over), "%llu", (unsigned long long)it->over);
		break;
	}
	snprintf(text, THRESHOLD_TEXT, "over %s%s for %s: %s", over, window, bh_amount_milliseconds(it->for_ms, time),
		 bh_name_text(bh_names_responses, it->respond));
	return text;
}

static bool same_subject(const struct bh_threshold *a, const struct bh_threshold *b)
{
	return a->signal == b->signal && !a->tool.text == !b->tool.text &&
	       (!a->tool.text || strcmp(a->tool.text, b->tool.text) == 0);
}

static bool same_threshold(const struct bh_threshold *a, const struct bh_threshold *b)
{
	return same_subject(a, b) && a->over == b->over && a->window_ms == b->window_ms && a->for_ms == b->for_ms &&
	       a->respond == b->respond;
}

/* The one threshold with this signal and tool that the other policy does not have; NULL: none, or several. */
static const struct bh_threshold *only_own(const struct bh_resources *of, const struct bh_resources *other,
					   const struct bh_threshold *like)
{
	const struct bh_threshold *found = NULL;

	for (size_t i = 0; i < of->thresholds_count; i++) {
		size_t k = 0;

		if (!same_subject(&of->thresholds[i], like))
			continue;
		while (k < other->thresholds_count && !same_threshold(&of->thresholds[i], &other->thresholds[k]))
			k++;
		if (k < other->thresholds_count)
			continue;
		if (found)
			return NULL;
		found = &of->thresholds[i];
	}
	return found;
}

/* In doubt, as with windows of different lengths, both. */
static enum bh_effect effect_of(const struct bh_threshold *old, const struct bh_threshold *new)
{
	enum bh_effect effect = bh_more_is(BH_EFFECT_WIDER, old->for_ms, new->for_ms);

	effect |= old->window_ms == new->window_ms ? bh_more_is(BH_EFFECT_WIDER, old->over, new->over) :
						     BH_EFFECT_MIXED;
	return effect |
	       bh_more_is(BH_EFFECT_NARROWER, bh_response_strength(old->respond), bh_response_strength(new->respond));
}

static void note_one(struct bh_settings *s, const struct bh_threshold *it, bool added)
{
	char text[THRESHOLD_TEXT];

	bh_settings_note(s, added ? BH_EFFECT_NARROWER : BH_EFFECT_WIDER, "resources.thresholds %s= %s%s%s %s",
			 added ? "+" : "-", bh_name_text(bh_names_signals, it->signal), it->tool.text ? " of " : "",
			 it->tool.text ? it->tool.text : "", threshold_text(it, text));
}

/* Those that only `of` has. A pair is named once, by the new policy. */
static void compare_thresholds(struct bh_settings *s, const struct bh_resources *of, const struct bh_resources *other,
			       bool added)
{
	char before[THRESHOLD_TEXT], after[THRESHOLD_TEXT];

	for (size_t i = 0; i < of->thresholds_count; i++) {
		const struct bh_threshold *it = &of->thresholds[i], *pair = NULL;
		size_t k = 0;

		while (k < other->thresholds_count && !same_threshold(it, &other->thresholds[k]))
			k++;
		if (k < other->thresholds_count)
			continue;
		if (only_own(of, other, it))
			pair = only_own(other, of, it);
		if (!pair)
			note_one(s, it, added);
		else if (added)
			bh_settings_note(s, effect_of(pair, it), "resources.thresholds.%s%s%s: %s -> %s",
					 bh_name_text(bh_names_signals, it->signal), it->tool.text ? " of " : "",
					 it->tool.text ? it->tool.text : "", threshold_text(pair, before),
					 threshold_text(it, after));
	}
}

void bh_settings_resources(struct bh_settings *s, const struct bh_resources *old, const struct bh_resources *new)
{
	compare_caps(s, old, new);
	if (old->disk_path.text && new->disk_path.text && strcmp(old->disk_path.text, new->disk_path.text) != 0)
		bh_settings_note(s, BH_EFFECT_MIXED, "resources.caps.disk.path: %s -> %s", old->disk_path.text,
				 new->disk_path.text);
	compare_thresholds(s, new, old, true);
	compare_thresholds(s, old, new, false);
}
