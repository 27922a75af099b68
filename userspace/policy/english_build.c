/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/english_build.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/english_words.h"
#include "policy/suggest.h"

static void (*const builders[BH_SENTENCES])(struct bh_english_build *build) = {
#define BH_SENTENCE(id, subject, form, build, way) [BH_SENTENCE_##id] = bh_english_build_##build,
#include "rules/english.def"
#undef BH_SENTENCE
};

void bh_english_put(struct bh_english_build *build)
{
	builders[build->match->sentence](build);
}

struct bh_node *bh_english_base(struct bh_english_build *build)
{
	bool tool = bh_english_form_subject(build->match->sentence) == BH_SUBJECT_TOOL;

	return tool ? build->tool : build->document->root;
}

struct bh_node *bh_english_value(struct bh_english_build *build, enum bh_node_kind kind)
{
	return bh_tree_way(build, bh_english_base(build), bh_english_form_way(build->match->sentence), kind,
			   build->match->words.first->loc);
}

void bh_english_add_words(struct bh_english_build *build, struct bh_node *list, struct bh_english_words words)
{
	const struct bh_english_word *word;
	size_t at = 0;

	while (bh_english_next(words, &at, &word))
		bh_tree_item(build, list, BH_NODE_WORD, word->text, word->loc);
}

void bh_english_set_word(struct bh_english_build *build, struct bh_node *map, const char *key,
			 const struct bh_english_word *word)
{
	bh_tree_set(build, map, key, word->text, word->loc);
}

const char *bh_english_under(const char *directory, char buffer[BH_UNDER_MAX])
{
	snprintf(buffer, BH_UNDER_MAX, "%s/**", strcmp(directory, "/") == 0 ? "" : directory);
	return buffer;
}

void bh_english_refuse(struct bh_english_build *build, const char *code, const struct bh_english_word *word,
		       const char *hint, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	bh_diag_add(build->diags, BH_SEVERITY_ERROR, code, word->loc, hint, "%s", text);
}

/* The only form that a policy can come in, so that nobody has to write it. */
void bh_english_build_policy(struct bh_english_build *build)
{
	const struct bh_english_word *first = build->match->words.first;
	struct bh_node *root = build->document->root;

	bh_tree_set(build, root, "apiVersion", "bulkhead.dev/v1", first->loc);
	bh_tree_set(build, root, "kind", "SandboxPolicy", first->loc);
	bh_english_build_word(build);
}

void bh_english_build_end(struct bh_english_build *build)
{
}

void bh_english_build_fixed(struct bh_english_build *build)
{
	const char *way = bh_english_form_way(build->match->sentence);

	bh_tree_set(build, bh_english_base(build), way, strchr(way, '=') + 1, build->match->words.first->loc);
}

void bh_english_build_word(struct bh_english_build *build)
{
	bh_english_set_word(build, bh_english_base(build), bh_english_form_way(build->match->sentence),
			    build->match->slots[0].first);
}

void bh_english_build_words(struct bh_english_build *build)
{
	bh_english_add_words(build, bh_english_value(build, BH_NODE_LIST), build->match->slots[0]);
}

void bh_english_build_under(struct bh_english_build *build)
{
	struct bh_node *list = bh_english_value(build, BH_NODE_LIST);
	const struct bh_english_word *word;
	char pattern[BH_UNDER_MAX];
	size_t at = 0;

	while (bh_english_next(build->match->slots[0], &at, &word))
		bh_tree_item(build, list, BH_NODE_WORD, bh_english_under(word->text, pattern), word->loc);
}

void bh_english_build_none(struct bh_english_build *build)
{
	bh_english_value(build, BH_NODE_LIST);
}

void bh_english_build_pair(struct bh_english_build *build)
{
	const struct bh_english_word *key = build->match->slots[0].first, *value = build->match->slots[1].first;

	bh_tree_add(build, bh_english_value(build, BH_NODE_MAP), key->text, key->loc, BH_NODE_WORD, value->text,
		    value->loc);
}

void bh_english_build_grace(struct bh_english_build *build)
{
	bh_english_build_fixed(build);
	bh_english_set_word(build, build->document->root, "spec.grace.until", build->match->slots[0].first);
}

/* Sets value for each class of rules that the sentence lists, in a mapping by class. */
static void set_classes(struct bh_english_build *build, const char *value)
{
	struct bh_node *map = bh_english_value(build, BH_NODE_MAP);
	const struct bh_english_word *word;
	size_t at = 0;

	while (bh_english_next(build->match->slots[0], &at, &word)) {
		struct bh_suggestion suggestion = { 0 };
		const char *key = bh_english_class_key(word, &suggestion);
		char hint[96];

		if (key)
			bh_tree_set(build, map, key, value, word->loc);
		else
			bh_english_refuse(build, "L040", word, bh_suggest_hint(&suggestion, hint, sizeof(hint)),
					  "'%.80s' is no class of rules; there are " BH_ENGLISH_CLASSES, word->text);
	}
}

void bh_english_build_classes(struct bh_english_build *build)
{
	set_classes(build, strchr(bh_english_form_way(build->match->sentence), '=') + 1);
}

void bh_english_build_respond(struct bh_english_build *build)
{
	set_classes(build, bh_english_actions[build->match->choices[0]]);
}

void bh_english_build_privilege(struct bh_english_build *build)
{
	const struct bh_english_word *name = build->match->slots[0].first, *reason = build->match->slots[1].first;
	struct bh_node *map = bh_english_value(build, BH_NODE_MAP);

	bh_tree_item(build, bh_tree_open(build, map, "allow", BH_NODE_LIST, name->loc), BH_NODE_WORD, name->text,
		     name->loc);
	bh_tree_add(build, bh_tree_open(build, map, "reasons", BH_NODE_MAP, name->loc), name->text, name->loc,
		    BH_NODE_WORD, reason->text, reason->loc);
}

/* An item of a list: a mapping with the sentence's slots under these keys. */
static void add_mapping(struct bh_english_build *build, const char *const *keys, size_t count)
{
	struct bh_node *list = bh_english_value(build, BH_NODE_LIST), *item;

	item = bh_tree_item(build, list, BH_NODE_MAP, "", build->match->words.first->loc);
	for (size_t i = 0; i < count; i++)
		bh_english_set_word(build, item, keys[i], build->match->slots[i].first);
}

void bh_english_build_guard(struct bh_english_build *build)
{
	static const char *const keys[] = { "lift", "reason" };

	add_mapping(build, keys, BH_COUNT_OF(keys));
}

void bh_english_build_accept(struct bh_english_build *build)
{
	static const char *const keys[] = { "code", "at", "reason" };

	add_mapping(build, keys, BH_COUNT_OF(keys));
}
