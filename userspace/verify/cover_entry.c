/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether one rule lets in everybody whom another does: command lines, environments, contents. */
#include <string.h>

#include "compile/fits.h"
#include "verify/diff.h"

static bool has_word(const struct bh_words *words, const char *text)
{
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->items[i].text, text) == 0)
			return true;
	return false;
}

static bool has_words(const struct bh_words *outer, const struct bh_words *inner)
{
	for (size_t i = 0; i < inner->count; i++)
		if (!has_word(outer, inner->items[i].text))
			return false;
	return true;
}

/* One command line: is it one of the clause's? */
static bool admits_line(const struct bh_args_clause *outer, const struct bh_words *line)
{
	const char *words[BH_ARGS_WORDS_MAX];
	uint8_t bytes[BH_ARGS_MAX];
	struct bh_block block = { .bytes = bytes };

	if (line->count > BH_ARGS_WORDS_MAX)
		return false;
	for (size_t i = 0; i < line->count; i++)
		words[i] = line->items[i].text;
	block.length = bh_block_fill(words, line->count, BH_ARGS_WORDS_MAX, bytes, sizeof(bytes));
	return block.length <= sizeof(bytes) && bh_args_fit(outer, 1, &block, NULL);
}

/* More options, more subcommands, more operands. A subcommand can be an operand where none is asked for. */
static bool holds_words(const struct bh_args_clause *outer, const struct bh_args_clause *inner)
{
	if (!has_words(&outer->options, &inner->options) || outer->operands < inner->operands)
		return false;
	if (!outer->first.count)
		return !inner->first.count || outer->operands == BH_OPERANDS_ANY;
	return inner->first.count && has_words(&outer->first, &inner->first);
}

static bool holds_clause(const struct bh_args_clause *outer, const struct bh_args_clause *inner)
{
	if (inner->kind == BH_ARGS_EXACT)
		return admits_line(outer, &inner->exact);
	if (outer->kind == BH_ARGS_WORDS)
		return inner->kind == BH_ARGS_WORDS && holds_words(outer, inner);
	if (outer->kind != BH_ARGS_ANY)
		return false;
	if (inner->kind == BH_ARGS_WORDS) /* its words are not looked at one by one */
		return !outer->require.count && !outer->refuse.count;
	return has_words(&inner->require, &outer->require) && has_words(&inner->refuse, &outer->refuse);
}

/* Clauses are ors: each of the one must lie in one of the other. */
static bool args_are_covered(const struct bh_rule *outer, const struct bh_rule *inner)
{
	if (!outer->args_given)
		return true;
	if (!inner->args_given)
		return false;
	for (size_t i = 0; i < inner->args_count; i++) {
		size_t k = 0;

		while (k < outer->args_count && !holds_clause(&outer->args[k], &inner->args[i]))
			k++;
		if (k == outer->args_count)
			return false;
	}
	return true;
}

/* Do the names allow all that `name` does, which may be the beginning of names? */
static bool keeps(const struct bh_words *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++) {
		const char *text = names->items[i].text;
		size_t length = strlen(text);

		if (strcmp(text, name) == 0 ||
		    (length && text[length - 1] == '*' && strncmp(text, name, length - 1) == 0))
			return true;
	}
	return false;
}

static const struct bh_pair *find_required(const struct bh_pairs *pairs, const char *name)
{
	for (size_t i = 0; i < pairs->count; i++)
		if (strcmp(pairs->items[i].word.text, name) == 0)
			return &pairs->items[i];
	return NULL;
}

static bool env_is_covered(const struct bh_env *outer, const struct bh_env *inner)
{
	if (!outer)
		return true;
	if (!inner)
		return false;
	for (size_t i = 0; i < outer->require.count; i++) {
		const struct bh_pair *pair = find_required(&inner->require, outer->require.items[i].word.text);

		if (!pair || strcmp(pair->value.text, outer->require.items[i].value.text) != 0)
			return false;
	}
	for (size_t i = 0; i < inner->keep.count; i++)
		if (!keeps(&outer->keep, inner->keep.items[i].text) &&
		    !find_required(&outer->require, inner->keep.items[i].text))
			return false;
	for (size_t i = 0; i < inner->require.count; i++)
		if (!keeps(&outer->keep, inner->require.items[i].word.text) &&
		    !find_required(&outer->require, inner->require.items[i].word.text))
			return false;
	return true;
}

bool bh_entry_is_covered(const struct bh_rule *outer, const struct bh_rule *inner)
{
	if (outer->sha256 && (!inner->sha256 || strcmp(outer->sha256, inner->sha256) != 0))
		return false;
	return args_are_covered(outer, inner) && env_is_covered(outer->env, inner->env);
}
