/* SPDX-License-Identifier: GPL-2.0-only */
/* Subcommands and options: those that a clause lacks for a command line, and those by which it lets one pass. */
#include <stdio.h>
#include <string.h>

#include "verify/repairing.h"

#define COST_FIRST 1u
#define COST_OPTION 1u
#define COST_VALUE 2u /* an option that also takes the next word, whatever that is */
#define COST_REMOVE 1u

#define WORDS_MAX BH_ARGS_WORDS_MAX
#define UNLISTED_MAX 6u /* options of one command line that are not listed: each may take the next word or not */

/* One clause and one command line. */
struct walk {
	const struct bh_tool *tool;
	size_t clause;
	const char *words[WORDS_MAX];
	size_t count;
	struct bh_atoms *atoms;
};

static void add(const struct walk *walk, uint8_t list, const char *item, const char *ending, unsigned int cost)
{
	char text[BH_ARGS_WORD_MAX + 4];
	struct bh_edit edit = { .list = list, .add = true, .owner = walk->tool->name.text, .clause = walk->clause };

	snprintf(text, sizeof(text), "%s%s", item, ending);
	edit.item = text;
	bh_atoms_add(walk->atoms, cost, &edit, NULL);
}

/* "-m:1" takes the next word: its length without that. */
static size_t option_length(const char *item, bool *ret_takes)
{
	size_t length = strlen(item);

	*ret_takes = length > 2 && strcmp(item + length - 2, ":1") == 0;
	return *ret_takes ? length - 2 : length;
}

/* The item of the clause that lets this word pass as an option; NULL: none. */
static const char *find_option(const struct bh_args_clause *clause, const char *word, bool *ret_takes_next)
{
	const char *found = NULL;

	*ret_takes_next = false;
	for (size_t i = 0; i < clause->options.count; i++) {
		const char *item = clause->options.items[i].text;
		bool takes;
		size_t length = option_length(item, &takes);

		if (strncmp(word, item, length) != 0)
			continue;
		if (takes && strncmp(word, "--", 2) == 0 && word[length] == '=') {
			*ret_takes_next = false;
			return item;
		}
		if (word[length] == '\0') {
			found = item;
			*ret_takes_next = takes;
		}
	}
	return found;
}

static bool has_first(const struct bh_args_clause *clause, const char *word)
{
	for (size_t i = 0; i < clause->first.count; i++)
		if (strcmp(clause->first.items[i].text, word) == 0)
			return true;
	return false;
}

/* How this option could be listed. Returns whether one way takes the next word: one that is an option itself is no value. */
static bool add_option(const struct walk *walk, size_t at)
{
	const char *word = walk->words[at];
	bool value = at + 1 < walk->count && walk->words[at + 1][0] != '-';
	char name[BH_ARGS_WORD_MAX + 1];
	const char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;

	if (equals) {
		snprintf(name, sizeof(name), "%.*s", (int)(equals - word), word);
		add(walk, BH_EDIT_OPTIONS, name, ":1", COST_VALUE);
		return false;
	}
	add(walk, BH_EDIT_OPTIONS, word, "", COST_OPTION);
	if (value)
		add(walk, BH_EDIT_OPTIONS, word, ":1", COST_VALUE);
	return value;
}

/* From word `at` on, read as policy.md 2.4.1 says, with what is missing added. */
static void walk_words(const struct walk *walk, size_t at, bool first, unsigned int unlisted)
{
	const struct bh_args_clause *clause = &walk->tool->args[walk->clause];

	for (; at < walk->count; at++) {
		const char *word = walk->words[at];
		bool takes;

		if (strcmp(word, "--") == 0)
			return; /* operands follow, or nothing that could be added */
		if (word[0] != '-' || !word[1]) {
			if (!first && !has_first(clause, word))
				add(walk, BH_EDIT_FIRST, word, "", COST_FIRST);
			first = true;
		} else if (find_option(clause, word, &takes)) {
			at += takes;
		} else if (add_option(walk, at) && unlisted < UNLISTED_MAX) {
			walk_words(walk, at + 2, first, unlisted + 1); /* the next word may be its value */
		}
	}
}

static bool take_words(const struct bh_query *query, struct walk *walk)
{
	BH_FOR_EACH_STRING(&query->args, word)
	{
		if (walk->count == WORDS_MAX || strlen(word) > BH_ARGS_WORD_MAX)
			return false;
		walk->words[walk->count++] = word;
	}
	return true;
}

/* Is there an edge from the asking tool? */
static bool is_edge(const struct bh_version *version, const char *tool, const struct bh_tool *target, const char *path)
{
	const struct bh_tool *from = bh_version_tool(version, tool);

	if (!bh_tool_has_binary(target, path))
		return false;
	if (!from)
		return strcmp(version->source->entry.text, target->name.text) == 0;
	for (size_t i = 0; i < from->may_run.count; i++)
		if (strcmp(from->may_run.items[i].text, target->name.text) == 0)
			return true;
	return false;
}

void bh_atoms_arguments(const struct bh_version *version, const struct bh_query *query, const char *to, bool edge,
			struct bh_atoms *atoms)
{
	const char *tool = bh_query_tool(query, version->compiled);
	struct walk walk = { .atoms = atoms };

	if (!take_words(query, &walk))
		return;
	for (size_t i = 0; i < version->source->tools_count; i++) {
		walk.tool = &version->source->tools[i];
		if ((to && strcmp(to, walk.tool->name.text) != 0) || !bh_tool_has_binary(walk.tool, query->path) ||
		    (edge && !is_edge(version, tool, walk.tool, query->path)))
			continue;
		for (walk.clause = 0; walk.clause < walk.tool->args_count; walk.clause++)
			if (walk.tool->args[walk.clause].kind == BH_ARGS_WORDS)
				walk_words(&walk, 0, !walk.tool->args[walk.clause].first.count, 0);
	}
}

static void remove_word(const struct walk *walk, uint8_t list, const char *item)
{
	struct bh_edit edit = { .list = list, .owner = walk->tool->name.text, .clause = walk->clause, .item = item };

	bh_atoms_add(walk->atoms, COST_REMOVE, &edit, NULL);
}

/* What the clause has of this command line. Without any subcommand it would need none: one stays. */
static void walk_used(const struct walk *walk)
{
	const struct bh_args_clause *clause = &walk->tool->args[walk->clause];
	bool first = clause->first.count == 0, takes;

	for (size_t at = 0; at < walk->count; at++) {
		const char *word = walk->words[at], *option;

		if (strcmp(word, "--") == 0)
			return;
		if (word[0] != '-' || !word[1]) {
			if (!first && clause->first.count > 1 && has_first(clause, word))
				remove_word(walk, BH_EDIT_FIRST, word);
			first = true;
			continue;
		}
		option = find_option(clause, word, &takes);
		if (option)
			remove_word(walk, BH_EDIT_OPTIONS, option);
		at += option && takes;
	}
}

void bh_atoms_arguments_deny(const struct bh_version *version, const struct bh_query *query, struct bh_atoms *atoms)
{
	const char *tool = bh_query_tool(query, version->compiled);
	struct walk walk = { .atoms = atoms };

	if (!take_words(query, &walk))
		return;
	for (size_t i = 0; i < version->source->tools_count; i++) {
		walk.tool = &version->source->tools[i];
		if (!is_edge(version, tool, walk.tool, query->path))
			continue;
		for (walk.clause = 0; walk.clause < walk.tool->args_count; walk.clause++)
			if (walk.tool->args[walk.clause].kind == BH_ARGS_WORDS &&
			    bh_args_fit(&walk.tool->args[walk.clause], 1, &query->args, NULL))
				walk_used(&walk);
	}
}
