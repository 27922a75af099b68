/* SPDX-License-Identifier: GPL-2.0-only */
/* The `if` of a rule (policy.md 6.3). What a rule does not ask is left out. */
#include "compile/canon_parts.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "compile/names.h"

static json_t *text_of(const char *text)
{
	return text ? json_string(text) : NULL;
}

/* Every key of its kind, also with nothing in it. */
static json_t *clause_of(const struct bh_args_clause *clause)
{
	switch (clause->kind) {
	case BH_ARGS_EXACT:
		return json_pack("{s:o}", "exact", bh_canon_list(&clause->exact));
	case BH_ARGS_WORDS:
		return json_pack("{s:o, s:o, s:o}", "first", bh_canon_list(&clause->first), "operands",
				 text_of(bh_name_text(bh_names_operands, clause->operands)), "options",
				 bh_canon_list(&clause->options));
	default:
		return json_pack("{s:b, s:o, s:o}", "any", 1, "refuse", bh_canon_list(&clause->refuse), "require",
				 bh_canon_list(&clause->require));
	}
}

char *bh_canon_clause(const struct bh_args_clause *clause)
{
	json_t *object = clause_of(clause);
	char *text = object ? bh_canon_text(object) : NULL;

	json_decref(object);
	return text;
}

static json_t *args_of(const struct bh_rule *rule)
{
	json_t *array = json_array();
	int result = 0;

	for (size_t i = 0; i < rule->args_count && !result; i++)
		result = bh_canon_append(array, clause_of(&rule->args[i]));
	return bh_canon_finish(array, result);
}

static json_t *env_of(const struct bh_env *env)
{
	json_t *require = json_object();
	int result = 0;

	for (size_t i = 0; i < env->require.count && !result; i++)
		result = bh_canon_put(require, env->require.items[i].word.text,
				      json_string(env->require.items[i].value.text));
	return json_pack("{s:o, s:o}", "keep", bh_canon_list(&env->keep), "require", bh_canon_finish(require, result));
}

static json_t *exec_of(const struct bh_rule *rule)
{
	json_t *object = json_pack("{s:s}", "path", rule->path);
	int result = 0;

	if (rule->args_given)
		result = bh_canon_put(object, "args", args_of(rule));
	if (rule->env && !result)
		result = bh_canon_put(object, "env", env_of(rule->env));
	if (rule->helper && !result)
		result = bh_canon_put(object, "helper", json_true());
	if (rule->sha256 && !result)
		result = bh_canon_put(object, "sha256", json_string(rule->sha256));
	if (rule->to && !result)
		result = bh_canon_put(object, "to", json_string(rule->to));
	return bh_canon_finish(object, result);
}

/* A list of one: a number, or two in a text; of none where every port is meant. */
static json_t *ports_of(const struct bh_rule *rule)
{
	char range[16];

	if (!rule->port_low)
		return json_array();
	if (rule->port_low == rule->port_high)
		return json_pack("[i]", rule->port_low);
	snprintf(range, sizeof(range), "%u-%u", rule->port_low, rule->port_high);
	return json_pack("[s]", range);
}

static json_t *net_of(const struct bh_rule *rule)
{
	char cidr[BH_CIDR_TEXT];
	json_t *object = json_object();
	int result;

	bh_cidr_text(&rule->cidr, cidr);
	result = bh_canon_put(object, rule->host ? "host" : "cidr", json_string(rule->host ? rule->host : cidr));
	if (rule->protocol && !result)
		result = bh_canon_put(object, "ports", ports_of(rule));
	if (rule->protocol && !result)
		result = bh_canon_put(object, "proto", text_of(bh_name_text(bh_names_protocols, rule->protocol)));
	if (rule->resolves_to.count && !result)
		result = bh_canon_put(object, "resolves_to", bh_canon_blocks(&rule->resolves_to, false));
	if (rule->sni && !result)
		result = bh_canon_put(object, "sni", json_true());
	return bh_canon_finish(object, result);
}

static json_t *file_of(const struct bh_rule *rule)
{
	json_t *object = json_pack("{s:s, s:s}", "op", bh_name_text(bh_names_access, rule->access), "path", rule->path);

	return bh_canon_finish(object, rule->reason ? bh_canon_put(object, "reason", json_string(rule->reason)) : 0);
}

json_t *bh_canon_condition(const struct bh_rule *rule)
{
	switch (rule->class) {
	case BH_RULE_EXEC:
		return exec_of(rule);
	case BH_RULE_FILE:
		return file_of(rule);
	case BH_RULE_UNIX:
		return json_pack("{s:s, s:s}", "op", bh_name_text(bh_names_unix, rule->unix_op),
				 rule->unix_op == BH_UNIX_ABSTRACT ? "name" : "path", rule->path);
	case BH_RULE_LISTEN:
		return json_pack("{s:o, s:o}", "ports", ports_of(rule), "proto",
				 text_of(bh_name_text(bh_names_protocols, rule->protocol)));
	default:
		return net_of(rule);
	}
}

/* Is the text its own JSON, but for quotes and backslashes? */
static bool is_printable(const char *text)
{
	while (*text >= 0x20 && *text < 0x7f)
		text++;
	return !*text;
}

/* What most rules of a large policy are; the same text as the value's. */
static char *file_text(const struct bh_rule *rule)
{
	struct bh_buf out = { 0 };

	bh_buf_add_text(&out, "{\"op\":\"");
	bh_buf_add_text(&out, bh_name_text(bh_names_access, rule->access));
	bh_buf_add_text(&out, "\",\"path\":\"");
	for (const char *at = rule->path; *at;) {
		size_t plain = strcspn(at, "\"\\");

		bh_buf_add(&out, at, plain);
		at += plain;
		if (*at) {
			bh_buf_add_text(&out, "\\");
			bh_buf_add(&out, at++, 1);
		}
	}
	bh_buf_add_text(&out, "\"}");
	if (!out.error)
		return (char *)out.bytes;
	bh_buf_done(&out);
	return NULL;
}

char *bh_canon_condition_text(const struct bh_rule *rule)
{
	json_t *condition;
	char *text;

	if (rule->class == BH_RULE_FILE && !rule->reason && is_printable(rule->path))
		return file_text(rule);
	condition = bh_canon_condition(rule);
	text = condition ? bh_canon_text(condition) : NULL;
	json_decref(condition);
	return text;
}
