/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a tool asks of its command line and environment, copied out of the model: sets sorted, each member once, so that
 * rules and tables are the same however the source spelled them.
 */
#include "compile/compiled.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/canon_parts.h"
#include "compile/order.h"

static int copy_word(struct bh_compile *c, struct bh_word *to, const struct bh_word *from)
{
	to->loc = from->loc;
	to->text = from->text ? bh_compiled_keep(c->compiled, from->text) : NULL;
	return to->text || !from->text ? 0 : -ENOMEM;
}

static int copy_words(struct bh_compile *c, struct bh_words *to, const struct bh_words *from)
{
	int result = 0;

	to->items = bh_compiled_hold(c->compiled, from->count + 1, sizeof(*to->items));
	if (!to->items)
		return -ENOMEM;
	for (size_t i = 0; i < from->count && !result; i++)
		result = copy_word(c, &to->items[i], &from->items[i]);
	to->count = from->count;
	return result;
}

static int copy_set(struct bh_compile *c, struct bh_words *to, const struct bh_words *from)
{
	int result = copy_words(c, to, from);

	if (!result)
		to->count = bh_order_words(to->items, to->count);
	return result;
}

/* Only what its kind has. */
static int copy_clause(struct bh_compile *c, struct bh_args_clause *to, const struct bh_args_clause *from)
{
	int result = 0;

	to->loc = from->loc;
	to->kind = from->kind;
	if (from->kind == BH_ARGS_EXACT)
		return copy_words(c, &to->exact, &from->exact);
	if (from->kind == BH_ARGS_WORDS) {
		to->operands = from->operands ? from->operands : BH_OPERANDS_NONE;
		result = copy_set(c, &to->first, &from->first);
		return result ? result : copy_set(c, &to->options, &from->options);
	}
	result = copy_set(c, &to->require, &from->require);
	return result ? result : copy_set(c, &to->refuse, &from->refuse);
}

/* A clause and its canonical text. */
struct sortable {
	struct bh_args_clause clause;
	char *text; /* owned */
};

static int compare_sortables(const void *left, const void *right)
{
	const struct sortable *a = left, *b = right;
	int order = strcmp(a->text, b->text);

	if (order)
		return order;
	return a->clause.loc.line < b->clause.loc.line ? -1 : a->clause.loc.line > b->clause.loc.line;
}

/* Different clauses, sorted. */
static int sort_clauses(struct bh_entry_form *form, struct sortable *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < form->args_count; i++) {
		list[i].clause = form->args[i];
		list[i].text = bh_canon_clause(&form->args[i]);
		if (!list[i].text)
			return -ENOMEM;
	}
	if (form->args_count)
		qsort(list, form->args_count, sizeof(*list), compare_sortables);
	for (size_t i = 0; i < form->args_count; i++)
		if (!i || strcmp(list[i - 1].text, list[i].text) != 0)
			form->args[kept++] = list[i].clause;
	form->args_count = kept;
	return 0;
}

static int make_args(struct bh_compile *c, const struct bh_tool *tool, struct bh_entry_form *form)
{
	BH_FREE struct sortable *list = calloc(tool->args_count + 1, sizeof(*list));
	int result = list ? 0 : -ENOMEM;

	form->args = bh_compiled_hold(c->compiled, tool->args_count + 1, sizeof(*form->args));
	if (!form->args)
		return -ENOMEM;
	form->args_count = tool->args_count;
	for (size_t i = 0; i < tool->args_count && !result; i++)
		result = copy_clause(c, &form->args[i], &tool->args[i]);
	if (!result)
		result = sort_clauses(form, list);
	for (size_t i = 0; list && i < tool->args_count; i++)
		free(list[i].text);
	return result;
}

static int compare_pairs(const void *left, const void *right)
{
	const struct bh_pair *a = left, *b = right;
	int order = strcmp(a->word.text, b->word.text);

	return order ? order : strcmp(a->value.text, b->value.text);
}

/* Two values for one variable can never both be there. */
static size_t sort_required(struct bh_compile *c, struct bh_pairs *pairs)
{
	size_t kept = 0;

	if (pairs->count)
		qsort(pairs->items, pairs->count, sizeof(*pairs->items), compare_pairs);
	for (size_t i = 0; i < pairs->count; i++) {
		const struct bh_pair *last = kept ? &pairs->items[kept - 1] : NULL, *pair = &pairs->items[i];

		if (!last || strcmp(last->word.text, pair->word.text) != 0)
			pairs->items[kept++] = *pair;
		else if (strcmp(last->value.text, pair->value.text) != 0)
			bh_diag_add(c->diags, BH_SEVERITY_ERROR, "E101", pair->word.loc, "keep one of the two values",
				    "variable '%s' must have two different values", pair->word.text);
	}
	return kept;
}

static int make_env(struct bh_compile *c, const struct bh_env *from, struct bh_entry_form *form)
{
	struct bh_env *env = bh_compiled_hold(c->compiled, 1, sizeof(*env));
	struct bh_pairs *require = env ? &env->require : NULL;
	int result = env ? copy_set(c, &env->keep, &from->keep) : -ENOMEM;

	if (result)
		return result;
	env->given = true;
	env->loc = from->loc;
	require->count = from->require.count;
	require->items = bh_compiled_hold(c->compiled, require->count + 1, sizeof(*require->items));
	if (!require->items)
		return -ENOMEM;
	for (size_t i = 0; i < require->count && !result; i++) {
		result = copy_word(c, &require->items[i].word, &from->require.items[i].word);
		if (!result)
			result = copy_word(c, &require->items[i].value, &from->require.items[i].value);
	}
	if (!result)
		require->count = sort_required(c, require);
	form->env = env;
	return result;
}

int bh_compile_forms(struct bh_compile *c)
{
	int result = 0;

	c->forms = bh_compiled_hold(c->compiled, c->policy->tools_count + 1, sizeof(*c->forms));
	if (!c->forms)
		return -ENOMEM;
	for (size_t i = 0; i < c->policy->tools_count && !result; i++) {
		const struct bh_tool *tool = &c->policy->tools[i];

		if (tool->args_given)
			result = make_args(c, tool, &c->forms[i]);
		if (!result && tool->env.given)
			result = make_env(c, &tool->env, &c->forms[i]);
	}
	return result;
}
