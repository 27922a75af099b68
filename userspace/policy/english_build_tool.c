/* SPDX-License-Identifier: GPL-2.0-only */
/* The programs of a tool, its command lines, and what it may load. */
#include <string.h>

#include "policy/english_build.h"

/* Programs, with the hash of their content if there is one. Mappings, so that a place may end with the item or with its path. */
static void add_binaries(struct bh_english_build *build, struct bh_english_words paths, struct bh_english_words hash)
{
	struct bh_node *list = bh_tree_open(build, build->tool, "binaries", BH_NODE_LIST, paths.first->loc), *item;
	const struct bh_english_word *path;
	size_t at = 0, count = 0;

	while (bh_english_next(paths, &at, &path)) {
		if (hash.count > 0 && count++ == 1)
			bh_english_refuse(build, "L040", path,
					  "write a sentence for each: 'It also runs PATH with SHA-256 HEX.'",
					  "two programs cannot have one hash");
		item = bh_tree_item(build, list, BH_NODE_MAP, "", path->loc);
		bh_english_set_word(build, item, "path", path);
		if (hash.count > 0)
			bh_english_set_word(build, item, "sha256", hash.first);
	}
}

/* Another way to call the tool; build->clause when more may be said about it. */
static struct bh_node *begin_clause(struct bh_english_build *build, enum bh_english_sentence kind)
{
	struct bh_loc loc = build->match->words.first->loc;
	struct bh_node *list = bh_tree_open(build, build->tool, "args", BH_NODE_LIST, loc);

	build->clause = bh_tree_item(build, list, BH_NODE_MAP, "", loc);
	build->clause_kind = kind;
	return build->clause;
}

/* The clause that was begun last, if it is of that kind; else a new one. */
static struct bh_node *open_clause(struct bh_english_build *build, enum bh_english_sentence kind)
{
	return build->clause && build->clause_kind == kind ? build->clause : begin_clause(build, kind);
}

static void add_first(struct bh_english_build *build, struct bh_english_words words)
{
	struct bh_node *clause = begin_clause(build, BH_SENTENCE_ARGS_FIRST);

	bh_english_add_words(build, bh_tree_open(build, clause, "first", BH_NODE_LIST, words.first->loc), words);
}

void bh_english_build_tool(struct bh_english_build *build)
{
	const struct bh_english_match *match = build->match;
	const struct bh_english_word *name = match->slots[0].first;
	struct bh_node *tools = bh_english_value(build, BH_NODE_MAP);

	build->tool = bh_tree_add(build, tools, name->text, name->loc, BH_NODE_MAP, "", name->loc);
	build->clause = NULL;
	add_binaries(build, match->slots[1], match->slots[2]);
	if (match->slots[3].count > 0)
		add_first(build, match->slots[3]);
}

void bh_english_build_binaries(struct bh_english_build *build)
{
	add_binaries(build, build->match->slots[0], build->match->slots[1]);
}

/* A sentence that is a clause of its own; an open one is over. */
void bh_english_build_args_exact(struct bh_english_build *build)
{
	struct bh_node *clause = begin_clause(build, BH_SENTENCE_ARGS_EXACT);
	struct bh_english_words strings = build->match->slots[0];
	struct bh_node *list = bh_tree_open(build, clause, "exact", BH_NODE_LIST, strings.first->loc);

	for (size_t i = 0; i < strings.count; i++)
		bh_tree_item(build, list, BH_NODE_WORD, strings.first[i].text, strings.first[i].loc);
}

void bh_english_build_args_none(struct bh_english_build *build)
{
	struct bh_node *clause = begin_clause(build, BH_SENTENCE_ARGS_EXACT);

	bh_tree_open(build, clause, "exact", BH_NODE_LIST, build->match->words.first->loc);
}

static struct bh_node *begin_any(struct bh_english_build *build)
{
	struct bh_node *clause = begin_clause(build, BH_SENTENCE_ARGS_ANY);

	bh_tree_set(build, clause, "any", "true", build->match->words.first->loc);
	return clause;
}

void bh_english_build_args_any(struct bh_english_build *build)
{
	begin_any(build);
}

void bh_english_build_args_any_words(struct bh_english_build *build)
{
	struct bh_english_words strings = build->match->slots[0];
	const char *key = bh_english_form_way(build->match->sentence);
	bool open = build->clause && build->clause_kind == BH_SENTENCE_ARGS_ANY;
	struct bh_node *list = bh_tree_open(build, open ? build->clause : begin_any(build), key, BH_NODE_LIST,
					    build->match->words.first->loc);

	for (size_t i = 0; i < strings.count; i++)
		bh_tree_item(build, list, BH_NODE_WORD, strings.first[i].text, strings.first[i].loc);
}

void bh_english_build_args_first(struct bh_english_build *build)
{
	add_first(build, build->match->slots[0]);
}

void bh_english_build_args_free(struct bh_english_build *build)
{
	begin_clause(build, BH_SENTENCE_ARGS_FIRST);
}

void bh_english_build_args_words(struct bh_english_build *build)
{
	struct bh_node *clause = open_clause(build, BH_SENTENCE_ARGS_FIRST);
	const char *key = bh_english_form_way(build->match->sentence);

	bh_english_add_words(build, bh_tree_open(build, clause, key, BH_NODE_LIST, build->match->words.first->loc),
			     build->match->slots[0]);
}

void bh_english_build_args_operands(struct bh_english_build *build)
{
	static const char *const operands[] = { "none", "words", "any" };

	bh_tree_set(build, open_clause(build, BH_SENTENCE_ARGS_FIRST), "operands", operands[build->match->choices[0]],
		    build->match->words.first->loc);
}

/* What may be loaded as code; the reason stands with each path. */
static void add_load(struct bh_english_build *build, bool under)
{
	struct bh_english_words paths = build->match->slots[0], reason = build->match->slots[1];
	struct bh_node *list = bh_english_value(build, BH_NODE_LIST), *item;
	const struct bh_english_word *path;
	char buffer[BH_UNDER_MAX];
	size_t at = 0;

	while (bh_english_next(paths, &at, &path)) {
		const char *text = under ? bh_english_under(path->text, buffer) : path->text;

		item = bh_tree_item(build, list, BH_NODE_MAP, "", path->loc);
		bh_tree_set(build, item, "path", text, path->loc);
		if (reason.count > 0)
			bh_english_set_word(build, item, "reason", reason.first);
	}
}

void bh_english_build_load(struct bh_english_build *build)
{
	add_load(build, false);
}

void bh_english_build_load_under(struct bh_english_build *build)
{
	add_load(build, true);
}
