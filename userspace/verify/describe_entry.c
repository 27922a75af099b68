/* SPDX-License-Identifier: GPL-2.0-only */
/* In words, how the conditions of one grant differ between two policies. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/canon_parts.h"
#include "compile/names.h"
#include "compile/order.h"
#include "verify/diff.h"

/* Parts are separated by "; ". */
static void begin(struct bh_buf *out)
{
	if (out->length)
		bh_buf_print(out, "; ");
}

static bool has_word(const struct bh_words *words, const char *text)
{
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->items[i].text, text) == 0)
			return true;
	return false;
}

/* "NAME += a, b": what is only in `more`. */
static void describe_more(const char *name, const char *sign, const struct bh_words *more, const struct bh_words *less,
			  struct bh_buf *out)
{
	bool any = false;

	for (size_t i = 0; i < more->count; i++) {
		if (has_word(less, more->items[i].text))
			continue;
		if (!any)
			begin(out);
		if (any)
			bh_buf_print(out, ", %s", more->items[i].text);
		else
			bh_buf_print(out, "%s %s= %s", name, sign, more->items[i].text);
		any = true;
	}
}

static void describe_set(const char *name, const struct bh_words *old, const struct bh_words *new, struct bh_buf *out)
{
	describe_more(name, "+", new, old, out);
	describe_more(name, "-", old, new, out);
}

static void describe_clause(const char *sign, const struct bh_args_clause *clause, struct bh_buf *out)
{
	BH_FREE char *text = bh_canon_clause(clause);

	begin(out);
	if (text)
		bh_buf_print(out, "args %s= %s", sign, text);
	else
		out->error = -ENOMEM;
}

static bool same_words(const struct bh_words *a, const struct bh_words *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (strcmp(a->items[i].text, b->items[i].text) != 0)
			return false;
	return true;
}

static bool same_clause(const struct bh_args_clause *a, const struct bh_args_clause *b)
{
	return a->kind == b->kind && a->operands == b->operands && same_words(&a->exact, &b->exact) &&
	       same_words(&a->first, &b->first) && same_words(&a->options, &b->options) &&
	       same_words(&a->require, &b->require) && same_words(&a->refuse, &b->refuse);
}

/* Of the clauses that only `rule` has, the first behind `after`; NULL: none. */
static const struct bh_args_clause *next_own(const struct bh_rule *rule, const struct bh_rule *other,
					     const struct bh_args_clause *after)
{
	for (size_t k = after ? (size_t)(after - rule->args) + 1 : 0; k < rule->args_count; k++) {
		size_t i = 0;

		while (i < other->args_count && !same_clause(&rule->args[k], &other->args[i]))
			i++;
		if (i == other->args_count)
			return &rule->args[k];
	}
	return NULL;
}

static void describe_words(const struct bh_args_clause *old, const struct bh_args_clause *new, struct bh_buf *out)
{
	describe_set("first", &old->first, &new->first, out);
	describe_set("options", &old->options, &new->options, out);
	if (old->operands != new->operands) {
		begin(out);
		bh_buf_print(out, "operands: %s -> %s", bh_name_text(bh_names_operands, old->operands),
			     bh_name_text(bh_names_operands, new->operands));
	}
	describe_set("require", &old->require, &new->require, out);
	describe_set("refuse", &old->refuse, &new->refuse, out);
}

/* The only clause of this kind that only `rule` has; NULL: none, or several. */
static const struct bh_args_clause *only_own(const struct bh_rule *rule, const struct bh_rule *other, uint8_t kind)
{
	const struct bh_args_clause *found = NULL;

	for (const struct bh_args_clause *it = next_own(rule, other, NULL); it; it = next_own(rule, other, it)) {
		if (it->kind != kind)
			continue;
		if (found)
			return NULL;
		found = it;
	}
	return found;
}

/* Is it one of two clauses of a kind of which each policy has one of its own? Command lines have no words to compare. */
static bool is_paired(const struct bh_rule *old, const struct bh_rule *new, uint8_t kind)
{
	return kind != BH_ARGS_EXACT && only_own(old, new, kind) && only_own(new, old, kind);
}

/* Where one clause of a kind differs, its words; else whole clauses. */
static void describe_args(const struct bh_rule *old, const struct bh_rule *new, struct bh_buf *out)
{
	static const uint8_t kinds[] = { BH_ARGS_WORDS, BH_ARGS_ANY };

	if (old->args_given != new->args_given) {
		begin(out);
		bh_buf_print(out, "args: %s -> %s", old->args_given ? "listed" : "any",
			     new->args_given ? "listed" : "any");
		return;
	}
	for (size_t i = 0; i < BH_COUNT_OF(kinds); i++)
		if (is_paired(old, new, kinds[i]))
			describe_words(only_own(old, new, kinds[i]), only_own(new, old, kinds[i]), out);
	for (const struct bh_args_clause *it = next_own(new, old, NULL); it; it = next_own(new, old, it))
		if (!is_paired(old, new, it->kind))
			describe_clause("+", it, out);
	for (const struct bh_args_clause *it = next_own(old, new, NULL); it; it = next_own(old, new, it))
		if (!is_paired(old, new, it->kind))
			describe_clause("-", it, out);
}

static const char *value_of(const struct bh_env *env, const char *name)
{
	for (size_t i = 0; i < env->require.count; i++)
		if (strcmp(env->require.items[i].word.text, name) == 0)
			return env->require.items[i].value.text;
	return NULL;
}

static void describe_required(const char *sign, const struct bh_env *more, const struct bh_env *less,
			      struct bh_buf *out)
{
	for (size_t i = 0; i < more->require.count; i++) {
		const struct bh_pair *pair = &more->require.items[i];
		const char *value = value_of(less, pair->word.text);

		if (value && strcmp(value, pair->value.text) == 0)
			continue;
		begin(out);
		bh_buf_print(out, "env.require %s= %s=%s", sign, pair->word.text, pair->value.text);
	}
}

static void describe_env(const struct bh_rule *old, const struct bh_rule *new, struct bh_buf *out)
{
	if (!old->env && !new->env)
		return;
	if (!old->env || !new->env) {
		begin(out);
		bh_buf_print(out, "env: %s -> %s", old->env ? "listed" : "any", new->env ? "listed" : "any");
		return;
	}
	describe_set("env.keep", &old->env->keep, &new->env->keep, out);
	describe_required("+", new->env, old->env, out);
	describe_required("-", old->env, new->env, out);
}

static void describe_hash(const struct bh_rule *old, const struct bh_rule *new, struct bh_buf *out)
{
	if (!old->sha256 && !new->sha256)
		return;
	if (old->sha256 && new->sha256 && strcmp(old->sha256, new->sha256) == 0)
		return;
	begin(out);
	bh_buf_print(out, "sha256: %.8s -> %.8s", old->sha256 ? old->sha256 : "any", new->sha256 ? new->sha256 : "any");
}

static bool has_block(const struct bh_cidrs *cidrs, const struct bh_cidr *cidr)
{
	for (size_t i = 0; i < cidrs->count; i++)
		if (bh_order_cidrs(&cidrs->items[i], cidr) == 0)
			return true;
	return false;
}

static void describe_blocks(const char *sign, const struct bh_cidrs *more, const struct bh_cidrs *less,
			    struct bh_buf *out)
{
	char text[BH_CIDR_TEXT];

	for (size_t i = 0; i < more->count; i++) {
		if (has_block(less, &more->items[i]))
			continue;
		begin(out);
		bh_cidr_text(&more->items[i], text);
		bh_buf_print(out, "resolves_to %s= %s", sign, text);
	}
}

void bh_rule_describe_change(const struct bh_rule *old, const struct bh_rule *new, struct bh_buf *out)
{
	describe_args(old, new, out);
	describe_env(old, new, out);
	describe_hash(old, new, out);
	describe_blocks("+", &new->resolves_to, &old->resolves_to, out);
	describe_blocks("-", &old->resolves_to, &new->resolves_to, out);
	if (old->sni != new->sni) {
		begin(out);
		bh_buf_print(out, "sni: %s -> %s", old->sni ? "true" : "false", new->sni ? "true" : "false");
	}
	if (old->reason != new->reason && (!old->reason || !new->reason || strcmp(old->reason, new->reason) != 0)) {
		begin(out);
		bh_buf_print(out, "reason: %s", new->reason ? new->reason : "none");
	}
}
