/* SPDX-License-Identifier: GPL-2.0-only */
/* What a rule asks of whoever enters a tool: arguments and environment. */
#include "compile/restore_parts.h"

#include <errno.h>

#include "compile/names.h"

/* Makes the clause one of this kind; keys of two kinds are none. */
static int be(struct restore *r, struct bh_args_clause *clause, uint8_t kind)
{
	if (clause->kind && clause->kind != kind)
		return bh_restore_not_canonical(r);
	clause->kind = kind;
	return 0;
}

static int clause_any(struct restore *r, const char *key, void *data)
{
	return LITERAL(r, "true") ? be(r, data, BH_ARGS_ANY) : bh_restore_not_canonical(r);
}

static int clause_exact(struct restore *r, const char *key, void *data)
{
	struct bh_args_clause *clause = data;
	int result = be(r, clause, BH_ARGS_EXACT);

	return result ? result : bh_restore_words(r, &clause->exact);
}

static int clause_first(struct restore *r, const char *key, void *data)
{
	struct bh_args_clause *clause = data;
	int result = be(r, clause, BH_ARGS_WORDS);

	return result ? result : bh_restore_words(r, &clause->first);
}

static int clause_operands(struct restore *r, const char *key, void *data)
{
	struct bh_args_clause *clause = data;
	int result = be(r, clause, BH_ARGS_WORDS);

	return result ? result : bh_restore_name(r, bh_names_operands, "kind of operands", &clause->operands);
}

static int clause_options(struct restore *r, const char *key, void *data)
{
	struct bh_args_clause *clause = data;
	int result = be(r, clause, BH_ARGS_WORDS);

	return result ? result : bh_restore_words(r, &clause->options);
}

static int clause_refuse(struct restore *r, const char *key, void *data)
{
	struct bh_args_clause *clause = data;
	int result = be(r, clause, BH_ARGS_ANY);

	return result ? result : bh_restore_words(r, &clause->refuse);
}

static int clause_require(struct restore *r, const char *key, void *data)
{
	struct bh_args_clause *clause = data;
	int result = be(r, clause, BH_ARGS_ANY);

	return result ? result : bh_restore_words(r, &clause->require);
}

static int clause_item(struct restore *r, void *data)
{
	static const struct bh_restore_key keys[] = {
		{ "any", clause_any, false },	      { "exact", clause_exact, false },
		{ "first", clause_first, false },     { "operands", clause_operands, false },
		{ "options", clause_options, false }, { "refuse", clause_refuse, false },
		{ "require", clause_require, false },
	};
	struct bh_tool *tool = data;
	int result;

	if (GROW(r, tool->args, tool->args_count))
		return -ENOMEM;
	result = OBJECT(r, keys, &tool->args[tool->args_count++]);
	if (!result && !tool->args[tool->args_count - 1].kind)
		result = bh_restore_not_canonical(r);
	return result;
}

static int env_keep(struct restore *r, const char *key, void *data)
{
	return bh_restore_words(r, &((struct bh_env *)data)->keep);
}

static int env_value(struct restore *r, const char *key, void *data)
{
	struct bh_pairs *pairs = &((struct bh_env *)data)->require;
	char value[BH_PATTERN_MAX + 1];

	if (!TEXT(r, value))
		return bh_restore_not_canonical(r);
	if (GROW(r, pairs->items, pairs->count))
		return -ENOMEM;
	pairs->count++;
	if (bh_restore_word(r, &pairs->items[pairs->count - 1].word, key))
		return -ENOMEM;
	return bh_restore_word(r, &pairs->items[pairs->count - 1].value, value);
}

static int env_require(struct restore *r, const char *key, void *data)
{
	static const struct bh_restore_key keys[] = { { NULL, env_value, false } };

	return OBJECT(r, keys, data);
}

static int restore_env(struct restore *r, struct bh_env *env)
{
	static const struct bh_restore_key keys[] = {
		{ "keep", env_keep, true },
		{ "require", env_require, true },
	};

	env->given = true;
	return OBJECT(r, keys, env);
}

/* Every rule that leads into a tool asks the same: what another one asks shows when the policy is compiled again. */
int bh_restore_entry(struct restore *r, struct bh_tool *tool, const struct bh_restore_rule *rule)
{
	bool *entered = &r->entered[tool - r->policy->tools];
	struct bh_scan here = r->scan;
	int result = 0;

	if (*entered)
		return 0;
	*entered = true;
	if (rule->args.at) {
		r->scan = rule->args;
		tool->args_given = true;
		result = bh_restore_list(r, clause_item, tool);
	}
	if (rule->env.at && !result) {
		r->scan = rule->env;
		result = restore_env(r, &tool->env);
	}
	if (!result)
		r->scan = here;
	return result;
}
