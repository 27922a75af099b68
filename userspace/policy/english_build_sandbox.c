/* SPDX-License-Identifier: GPL-2.0-only */
/* Which sandboxes a policy is for, what all of one may use, and what happens beyond. */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/english_build.h"

enum select_kind {
	WORD,
	LIST,
	LABELS,
	PATTERN,
};

static const struct {
	const char *group, *key;
	enum select_kind kind;
} fields[] = {
#define BH_SELECT(number, id, group, key, kind, english) [number] = { group, key, kind },
#include "rules/select.def"
#undef BH_SELECT
};

static const char *const cap_keys[] = {
#define BH_CAP(number, id, key, unit, standard, english) [number] = key,
#include "rules/caps.def"
#undef BH_CAP
};

/* ---- "pods in namespace agents labelled app=coder" ---- */

/* Does the kind of sandbox that the form begins with stand there? */
static bool kind_is(const struct bh_english_form *form, const struct bh_english_word *word)
{
	return bh_english_step_is(&form->steps[0], word);
}

/* The field that the words from `at` on name, of the kind of sandbox in `noun`; 0: none. Its value stands at *ret_value. */
static unsigned int find_field(const struct bh_english_forms *forms, const struct bh_english_word *noun,
			       struct bh_english_words words, size_t at, size_t *ret_value)
{
	for (unsigned int i = 1; i < BH_COUNT_OF(forms->selects); i++) {
		const struct bh_english_form *form = &forms->selects[i];
		size_t fit = bh_english_words_fit(&form->steps[1], form->count - 1, words, at);

		if (fit == 0 || !kind_is(form, noun) || at + fit >= words.count)
			continue;
		*ret_value = at + fit;
		return i;
	}
	return 0;
}

static bool is_kind(const struct bh_english_forms *forms, const struct bh_english_word *word)
{
	for (unsigned int i = 1; i < BH_COUNT_OF(forms->selects); i++)
		if (kind_is(&forms->selects[i], word))
			return true;
	return false;
}

static void add_labels(struct bh_english_build *build, struct bh_node *map, struct bh_english_words labels)
{
	const struct bh_english_word *word;
	size_t at = 0;

	while (bh_english_next(labels, &at, &word)) {
		const char *equals = strchr(word->text, '=');
		char key[400]; /* longer than any key may be */

		if (!equals) {
			bh_english_refuse(build, "L040", word, "write app=coder",
					  "'%.80s' is no label: it needs a key and a value", word->text);
			continue;
		}
		snprintf(key, sizeof(key), "%.*s", (int)strcspn(word->text, "="), word->text);
		bh_tree_add(build, map, key, word->loc, BH_NODE_WORD, equals + 1, word->loc);
	}
}

static void add_field(struct bh_english_build *build, struct bh_node *clause, unsigned int field,
		      struct bh_english_words values)
{
	struct bh_loc loc = values.first->loc;
	struct bh_node *group = clause;

	if (fields[field].group[0])
		group = bh_tree_open(build, clause, fields[field].group, BH_NODE_MAP, loc);
	switch (fields[field].kind) {
	case LIST:
		bh_english_add_words(build, bh_tree_open(build, group, fields[field].key, BH_NODE_LIST, loc), values);
		break;
	case LABELS:
		add_labels(build, bh_tree_open(build, group, fields[field].key, BH_NODE_MAP, loc), values);
		break;
	default:
		bh_english_set_word(build, group, fields[field].key, values.first);
		break;
	}
}

static void refuse_sandboxes(struct bh_english_build *build, const struct bh_english_word *word, bool kind)
{
	const struct bh_english_form *const selects = build->forms->selects;
	char hint[512];
	size_t used = (size_t)snprintf(hint, sizeof(hint), "write");

	for (unsigned int i = 1; i < BH_COUNT_OF(build->forms->selects) && used < sizeof(hint); i++)
		used += (size_t)snprintf(hint + used, sizeof(hint) - used, "%s '%s'", i > 1 ? "," : "",
					 selects[i].text);
	bh_english_refuse(build, "L040", word, hint,
			  kind ? "'%.80s' is no kind of sandbox" : "'%.80s' does not say which", word->text);
}

/* "that are also": where the next kind of sandbox stands; 0: it is not there. */
static size_t also(struct bh_english_words words, size_t at)
{
	return at + 3 < words.count && bh_english_is(&words.first[at], "that") &&
			       bh_english_is(&words.first[at + 1], "are") &&
			       bh_english_is(&words.first[at + 2], "also") ?
		       at + 3 :
		       0;
}

static void add_clause(struct bh_english_build *build, struct bh_node *clause, struct bh_english_words words)
{
	const struct bh_english_word *noun = words.first;
	size_t at = 1;

	if (!is_kind(build->forms, noun)) {
		refuse_sandboxes(build, noun, true);
		return;
	}
	do {
		size_t value = 0, end;
		unsigned int field = find_field(build->forms, noun, words, at, &value);

		if (!field) {
			refuse_sandboxes(build, &words.first[at < words.count ? at : at - 1], false);
			return;
		}
		end = fields[field].kind == LIST || fields[field].kind == LABELS ? bh_english_list_end(words, value) :
										   value + 1;
		if (end == 0) {
			refuse_sandboxes(build, &words.first[value], false);
			return;
		}
		add_field(build, clause, field, (struct bh_english_words){ &words.first[value], end - value });
		at = end;
		if (also(words, at) && is_kind(build->forms, &words.first[also(words, at)])) {
			noun = &words.first[also(words, at)];
			at = also(words, at) + 1;
		}
	} while (at < words.count);
}

/* One number holds for all clauses; saying it again changes nothing, saying another is a mistake. */
static void set_priority(struct bh_english_build *build, struct bh_node *select, const struct bh_english_word *word)
{
	const struct bh_node *key = select ? select->first : NULL;

	while (key && (strcmp(key->text, "priority") != 0 || strcmp(key->next->text, word->text) != 0))
		key = key->next->next;
	if (!key)
		bh_english_set_word(build, select, "priority", word);
}

void bh_english_build_select(struct bh_english_build *build)
{
	struct bh_node *select = bh_english_value(build, BH_NODE_MAP);
	struct bh_english_words words = build->match->slots[0];
	struct bh_node *any = bh_tree_open(build, select, "any", BH_NODE_LIST, words.first->loc);

	add_clause(build, bh_tree_item(build, any, BH_NODE_MAP, "", words.first->loc), words);
	if (build->match->slots[1].count > 0)
		set_priority(build, select, build->match->slots[1].first);
}

/* ---- "1Gi of memory, 32 processes and 15m of time" ---- */

static void refuse_limit(struct bh_english_build *build, struct bh_english_words limit)
{
	const struct bh_english_form *const caps = build->forms->caps;
	struct bh_english_word place = *limit.first;
	char hint[512], quote[80];
	size_t used = (size_t)snprintf(hint, sizeof(hint), "write an amount, then");

	for (unsigned int i = 1; i < BH_CAPS && used < sizeof(hint); i++)
		used += (size_t)snprintf(hint + used, sizeof(hint) - used, "%s '%s'", i > 1 ? "," : "", caps[i].text);
	place.loc = bh_english_loc(limit);
	bh_english_quote(limit, false, quote, sizeof(quote));
	bh_english_refuse(build, "L020", &place, hint, "not a limit: '%s'", quote);
}

/* Up to the comma or "and" that ends the limit; words behind it are skipped by the caller. */
static struct bh_english_words next_limit(struct bh_english_words words, size_t *at)
{
	struct bh_english_words limit;

	while (*at < words.count && bh_english_is(&words.first[*at], "and"))
		(*at)++;
	limit = (struct bh_english_words){ &words.first[*at], 0 };
	while (*at < words.count && !bh_english_is(&words.first[*at], "and")) {
		limit.count++;
		if (words.first[(*at)++].comma)
			break;
	}
	return limit;
}

/* The cap that the words behind the amount name, all of them; 0: none. */
static unsigned int find_cap(const struct bh_english_forms *forms, struct bh_english_words limit)
{
	for (unsigned int i = 1; i < BH_CAPS; i++) {
		const struct bh_english_form *form = &forms->caps[i];

		if (bh_english_words_fit(form->steps, form->count, limit, 1) > 0 && limit.count == 1 + form->count)
			return i;
	}
	return 0;
}

void bh_english_build_limits(struct bh_english_build *build)
{
	struct bh_node *caps = bh_english_value(build, BH_NODE_MAP);
	size_t at = 0;

	for (;;) {
		struct bh_english_words limit = next_limit(build->match->slots[0], &at);
		unsigned int cap;

		if (limit.count == 0)
			return;
		cap = find_cap(build->forms, limit);
		if (!cap) {
			refuse_limit(build, limit);
			continue;
		}
		bh_english_set_word(build, caps, cap_keys[cap], limit.first);
		if (cap == BH_CAP_DISK)
			bh_english_set_word(build, caps, "disk.path", &limit.first[limit.count - 1]);
	}
}

/* ---- "If network.denied is over 20/min, freeze the sandbox." ---- */

void bh_english_build_threshold(struct bh_english_build *build)
{
	static const char *const responses[] = { "alert", "freeze", "kill" };
	static const char *const keys[] = { "signal", "tool", "over", "for" };
	const struct bh_english_match *match = build->match;
	struct bh_node *list = bh_english_value(build, BH_NODE_LIST), *item;

	item = bh_tree_item(build, list, BH_NODE_MAP, "", match->words.first->loc);
	for (size_t i = 0; i < BH_COUNT_OF(keys); i++)
		if (match->slots[i].count > 0)
			bh_english_set_word(build, item, keys[i], match->slots[i].first);
	bh_tree_set(build, item, "respond", responses[match->choices[0]],
		    match->words.first[match->words.count - 3].loc);
}
