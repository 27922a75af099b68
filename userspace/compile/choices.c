/* SPDX-License-Identifier: GPL-2.0-only */
#include "compile/choices.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "compile/args.h"
#include "compile/obeyed.h"

/* An automaton that was placed already, by what it was made of. */
struct placed {
	const void *made_of[BH_WAYS]; /* the ways' clauses; of an environment the first only */
	uint32_t start;
};

struct choices {
	struct bh_compile *compile;
	struct bh_comb *comb;
	struct placed *placed;
	size_t placed_count, placed_capacity;
};

bool bh_rule_is_free(const struct bh_rule *rule)
{
	return !rule->sha256 && !rule->args_given && !rule->env;
}

bool bh_rule_asks_alike(const struct bh_rule *a, const struct bh_rule *b)
{
	bool content = a->sha256 && b->sha256 ? !strcmp(a->sha256, b->sha256) : a->sha256 == b->sha256;

	return content && a->args_given == b->args_given && a->args == b->args && a->args_count == b->args_count &&
	       a->env == b->env;
}

static uint32_t find_placed(const struct choices *k, const void *const made_of[BH_WAYS])
{
	for (size_t i = 0; i < k->placed_count; i++)
		if (memcmp(k->placed[i].made_of, made_of, sizeof(k->placed[i].made_of)) == 0)
			return k->placed[i].start;
	return 0;
}

/* Minimises the machine and lays it into the cells. */
static int place(struct choices *k, const struct bh_dfa *dfa, const void *const made_of[BH_WAYS], uint32_t *ret_start)
{
	struct bh_machine machine;
	int result = bh_machine_build(dfa, &machine);

	if (!result)
		result = bh_comb_add(k->comb, &machine, ret_start);
	if (!result) {
		k->compile->compiled->states += machine.states - 1;
		result = BH_RESERVE(k->placed, k->placed_capacity, k->placed_count + 1);
	}
	if (!result) {
		memcpy(k->placed[k->placed_count].made_of, made_of, sizeof(k->placed[0].made_of));
		k->placed[k->placed_count++].start = *ret_start;
	}
	bh_machine_done(&machine);
	if (result == -E2BIG)
		return bh_compile_too_many(k->compile, "cells for arguments and environments",
					   BH_CHUNKS_MAX * BH_CHUNK_CELLS);
	return result;
}

static int too_large(struct choices *k, struct bh_loc loc, const char *what, const char *tool, const char *hint)
{
	bh_diag_add(k->compile->diags, BH_SEVERITY_ERROR, "E204", loc.line ? loc : k->compile->policy->name.loc, hint,
		    "%s of tool '%s' need more than %u states", what, tool, BH_ARGS_STATES_MAX);
	return -EINVAL;
}

/* ---- Two tools by one command line ---- */

/* Adds the block as a command line: words that a shell would not take as they stand are quoted. */
static void print_words(const uint8_t *block, size_t length, struct bh_buf *out)
{
	for (size_t at = 0; at < length; at++) {
		size_t end = at;
		bool plain = block[at] != '\0';

		for (; block[end]; end++)
			plain = plain && bh_args_plain(block[end]);
		bh_buf_add(out, plain ? " " : " '", plain ? 1 : 2);
		for (; at < end; at++) {
			if (isprint(block[at]) && block[at] != '\'')
				bh_buf_add(out, &block[at], 1);
			else
				bh_buf_print(out, "\\x%02x", block[at]);
		}
		if (!plain)
			bh_buf_add(out, "'", 1);
	}
}

static bool is_later(const struct bh_rule *a, const struct bh_rule *b)
{
	return a->loc.line > b->loc.line || (a->loc.line == b->loc.line && a->loc.column > b->loc.column);
}

/* example: with its leading space; NULL: any command line. */
static void report_ambiguous(struct bh_compile *c, const struct bh_rule *a, const struct bh_rule *b,
			     const char *example)
{
	const struct bh_rule *at = b, *other = a;

	/* at the helper, or else at the later of the two edges */
	if (a->helper || (!b->helper && is_later(a, b))) {
		at = a;
		other = b;
	}
	if (bh_compile_said(c, at->helper ? "E142" : "E141", at->loc))
		return; /* from several tools by the same words */
	if (at->helper)
		bh_diag_add(c->diags, BH_SEVERITY_ERROR, "E142", at->loc,
			    "list the helpers one by one, or take the edge away",
			    "helper '%s' of tool '%s' is also a program of tool '%s', which it may run", at->path,
			    at->scope, other->to);
	else if (!example)
		bh_diag_add(c->diags, BH_SEVERITY_ERROR, "E141", at->loc,
			    "give the tools different programs or arguments, or keep one of the edges",
			    "'%s' run by tool '%s' could become tool '%s' or tool '%s'", at->path, at->scope, other->to,
			    at->to);
	else
		bh_diag_add(c->diags, BH_SEVERITY_ERROR, "E141", at->loc,
			    "give the tools arguments that no command line fits both of, or keep one of the edges",
			    "'%s%.200s' run by tool '%s' could become tool '%s' or tool '%s'", at->path, example,
			    at->scope, other->to, at->to);
}

/* The two lowest ways of a set that lead to different tools. */
static bool two_targets(const struct bh_choice_rules *choice, uint32_t ways, uint32_t *ret_a, uint32_t *ret_b)
{
	for (uint32_t a = 0; a < choice->count; a++)
		for (uint32_t b = a + 1; b < choice->count; b++)
			if (ways >> a & ways >> b & 1 && strcmp(choice->rules[a]->to, choice->rules[b]->to) != 0) {
				*ret_a = a;
				*ret_b = b;
				return true;
			}
	return false;
}

/* E141 or E142 by the shortest command line that fits two tools. dfa NULL: no way asks for arguments. */
static int check_targets(struct bh_compile *c, const struct bh_choice_rules *choice, uint32_t any,
			 const struct bh_dfa *dfa, const struct bh_explored *explored)
{
	uint32_t a, b;

	if (two_targets(choice, any, &a, &b)) {
		report_ambiguous(c, choice->rules[a], choice->rules[b], NULL);
		return 0;
	}
	for (uint32_t q = 1; dfa && q < dfa->states; q++) {
		struct bh_buf block = { 0 }, words = { 0 };
		int error;

		if (!two_targets(choice, dfa->meaning[q] | any, &a, &b))
			continue;
		bh_buf_add(&words, "", 0);
		bh_explored_example(explored, q, &block);
		print_words(block.bytes, block.length, &words);
		error = block.error ? block.error : words.error;
		if (!error && block.length <= BH_ARGS_MAX)
			report_ambiguous(c, choice->rules[a], choice->rules[b],
					 words.bytes ? (const char *)words.bytes : "");
		bh_buf_done(&block);
		bh_buf_done(&words);
		return error;
	}
	return 0;
}

/* ---- The parts of a choice ---- */

static int place_args(struct choices *k, const struct bh_choice_rules *rules, struct bh_choice *choice)
{
	struct bh_args_way ways[BH_WAYS] = { { NULL, 0 } };
	const void *made_of[BH_WAYS] = { NULL };
	const struct bh_args_clause *worst;
	struct bh_explored explored;
	struct bh_dfa dfa;
	size_t clauses = 0;
	int result;

	for (uint32_t w = 0; w < rules->count; w++) {
		if (!rules->rules[w]->args_given) {
			choice->args_any |= (uint8_t)(1u << w);
			continue;
		}
		ways[w] = (struct bh_args_way){ rules->rules[w]->args, rules->rules[w]->args_count };
		made_of[w] = rules->rules[w]->args;
		clauses += rules->rules[w]->args_count;
	}
	if (!clauses)
		return check_targets(k->compile, rules, choice->args_any, NULL, NULL);
	choice->args_start = find_placed(k, made_of);
	if (choice->args_start && rules->count == 1)
		return 0;
	result = bh_args_explore(ways, rules->count, &dfa, &explored, &worst);
	if (!result)
		result = check_targets(k->compile, rules, choice->args_any, &dfa, &explored);
	if (!result && !choice->args_start)
		result = place(k, &dfa, made_of, &choice->args_start);
	if (result == -E2BIG)
		result = too_large(k, worst->loc, "the arguments", rules->rules[0]->to,
				   "ask for fewer words in `require`, or for fewer clauses");
	bh_dfa_done(&dfa);
	bh_explored_done(&explored);
	return result;
}

static int place_env(struct choices *k, const struct bh_rule *rule, uint32_t *ret_start)
{
	const void *made_of[BH_WAYS] = { rule->env };
	struct bh_explored explored;
	struct bh_dfa dfa;
	int result;

	*ret_start = rule->env ? find_placed(k, made_of) : 0;
	if (*ret_start || !rule->env)
		return 0;
	result = bh_env_explore(rule->env, &dfa, &explored);
	if (!result)
		result = place(k, &dfa, made_of, ret_start);
	if (result == -E2BIG)
		result = too_large(k, rule->env->loc, "the environment rules", rule->to, "require fewer variables");
	bh_dfa_done(&dfa);
	bh_explored_done(&explored);
	return result;
}

static uint8_t nibble(char digit)
{
	return (uint8_t)(digit >= 'a' ? digit - 'a' + 10 : digit - '0');
}

static int place_hash(struct choices *k, const char *text, uint16_t *ret_hash)
{
	struct bh_policy *tables = k->compile->compiled->tables;
	uint8_t hash[32];
	uint32_t i = 1;

	if (!text)
		return 0;
	for (size_t at = 0; at < sizeof(hash); at++)
		hash[at] = (uint8_t)(nibble(text[2 * at]) << 4 | nibble(text[2 * at + 1]));
	while (i < tables->head.hashes && memcmp(tables->hashes[i], hash, sizeof(hash)) != 0)
		i++;
	if (i == BH_HASHES_MAX)
		return bh_compile_too_many(k->compile, "different contents of programs", BH_HASHES_MAX - 1);
	memcpy(tables->hashes[i], hash, sizeof(hash));
	if (i == tables->head.hashes)
		tables->head.hashes++;
	*ret_hash = (uint16_t)i;
	return 0;
}

static int fill_choice(struct choices *k, const struct bh_choice_rules *rules, struct bh_choice *choice)
{
	int result = 0;

	choice->count = (uint8_t)rules->count;
	for (uint32_t w = 0; w < rules->count && !result; w++) {
		struct bh_way *way = &choice->ways[w];

		way->to = (uint8_t)bh_compiled_tool_id(k->compile->compiled, rules->rules[w]->to);
		way->rule = rules->numbers[w];
		choice->targets |= 1u << (way->to - 1);
		result = place_hash(k, rules->rules[w]->sha256, &way->hash);
		if (!result)
			result = place_env(k, rules->rules[w], &way->env_start);
	}
	return result ? result : place_args(k, rules, choice);
}

int bh_compile_choices(struct bh_compile *c, struct bh_comb *comb, const struct bh_choice_rules *choices, size_t count)
{
	struct choices k = { .compile = c, .comb = comb };
	struct bh_policy *tables = c->compiled->tables;
	int result = 0;

	tables->head.hashes = tables->head.choices = 1;
	if (count > BH_CHOICES_MAX - 1)
		return bh_compile_too_many(c, "different sets of conditions on programs", BH_CHOICES_MAX - 1);
	for (size_t i = 0; i < count && !result; i++)
		result = fill_choice(&k, &choices[i], &tables->choices[tables->head.choices++]);
	free(k.placed);
	return result;
}

static int place_obeyed(struct choices *k, unsigned int tool)
{
	const struct bh_compiled *compiled = k->compile->compiled;
	uint32_t *starts = compiled->tables->head.obeyed_start;
	const void *made_of[BH_WAYS] = { NULL };
	struct bh_explored explored;
	struct bh_dfa dfa;
	int result;

	for (unsigned int other = 1; other < tool; other++)
		if (compiled->obeyed[other] == compiled->obeyed[tool]) {
			starts[tool] = starts[other];
			return 0;
		}
	result = bh_obeyed_explore(compiled->families, compiled->obeyed[tool], &dfa, &explored);
	if (!result)
		result = place(k, &dfa, made_of, &starts[tool]);
	bh_dfa_done(&dfa);
	bh_explored_done(&explored);
	return result;
}

int bh_compile_obeyed_starts(struct bh_compile *c, struct bh_comb *comb)
{
	struct choices k = { .compile = c, .comb = comb };
	int result = 0;

	for (unsigned int tool = 1; tool <= c->compiled->tools && !result; tool++)
		result = place_obeyed(&k, tool);
	free(k.placed);
	return result;
}
