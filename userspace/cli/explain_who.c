/* SPDX-License-Identifier: GPL-2.0-only */
/* Which tools may do it, by which rule, and who may start them. */
#include "cli/explain_ask.h"

#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "verify/speaks.h"

/* "first=fetch|push", "exact", "any": what an edge asks for. */
static void bh_add_clause(struct bh_buf *out, const struct bh_args_clause *clause)
{
	if (clause->kind != BH_ARGS_WORDS) {
		bh_buf_print(out, clause->kind == BH_ARGS_EXACT ? "exact" : "any");
		return;
	}
	bh_buf_print(out, "first=");
	for (size_t i = 0; i < clause->first.count; i++)
		bh_buf_print(out, "%s%s", i ? "|" : "", clause->first.items[i].text);
}

/* The tools that lead into this one: "agent (args first=fetch|push), bash". */
static void bh_add_entries(const struct bh_ask *ask, const char *tool, struct bh_buf *out)
{
	const char *last = "";

	for (size_t i = 0; i < bh_compiled_rules_count(ask->opened.compiled); i++) {
		const struct bh_rule *rule = bh_compiled_rule(ask->opened.compiled, i);

		if (rule->class != BH_RULE_EXEC || rule->then != BH_THEN_ALLOW || rule->helper || !rule->to ||
		    strcmp(rule->to, tool) != 0 || strcmp(rule->scope, last) == 0)
			continue;
		bh_buf_print(out, "%s%s", last[0] ? ", " : "", rule->scope);
		last = rule->scope;
		for (size_t k = 0; k < rule->args_count; k++) {
			bh_buf_print(out, k ? ", " : " (args ");
			bh_add_clause(out, &rule->args[k]);
		}
		if (rule->args_count)
			bh_buf_print(out, ")");
	}
}

static void bh_print_who(const struct bh_ask *ask, const char *tool, const struct bh_reply *reply, const char *entries)
{
	const char *to = bh_compiled_tool_name(ask->opened.compiled, reply->to);

	printf("%-12s", tool);
	if (reply->rule) {
		printf(" %s", reply->rule->id);
		bh_ask_print_place(ask, reply->rule);
	}
	if (to)
		printf("  becomes %s", to);
	if (entries[0])
		printf("  entered from: %s", entries);
	putchar('\n');
}

static json_t *bh_who_json(const struct bh_ask *ask, const char *tool, const struct bh_reply *reply,
			   const char *entries)
{
	const char *to = bh_compiled_tool_name(ask->opened.compiled, reply->to);
	json_t *object = json_pack("{s:s, s:s}", "tool", tool, "entered_from", entries);

	if (reply->rule)
		bh_ask_json_rule(object, reply->rule);
	if (to)
		json_object_set_new(object, "becomes", json_string(to));
	return object;
}

/* One tool that may, printed or added. */
static void bh_say_who(const struct bh_ask *ask, const char *tool, const struct bh_reply *reply, json_t *array)
{
	struct bh_buf entries = {};
	const char *words;

	bh_add_entries(ask, tool, &entries);
	words = entries.bytes && !entries.error ? (char *)entries.bytes : "";
	if (ask->json)
		json_array_append_new(array, bh_who_json(ask, tool, reply, words));
	else
		bh_print_who(ask, tool, reply, words);
	bh_buf_done(&entries);
}

/* A program alone is asked about whatever it is told: each rule that names it counts. Returns how many do. */
static size_t bh_find_edges(const struct bh_ask *ask, json_t *array)
{
	size_t found = 0;

	for (size_t i = 0; i < bh_compiled_rules_count(ask->opened.compiled); i++) {
		const struct bh_rule *rule = bh_compiled_rule(ask->opened.compiled, i);
		struct bh_reply reply = { .rule = rule };

		if (rule->class != BH_RULE_EXEC || !bh_rule_speaks_of_path(rule, ask->query.path))
			continue;
		if (rule->then == BH_THEN_NEVER) /* of every tool: these come first */
			return 0;
		reply.to = (uint8_t)bh_compiled_tool_id(ask->opened.compiled, rule->to);
		bh_say_who(ask, rule->scope, &reply, array);
		found++;
	}
	return found;
}

/* Returns 0; negative errno with err. */
static int bh_find_tools(struct bh_ask *ask, json_t *array, size_t *ret_found, struct bh_err *err)
{
	int result = 0;

	for (unsigned int tool = 0; !result && (tool == 0 || bh_compiled_tool_name(ask->opened.compiled, tool));
	     tool++) {
		struct bh_reply reply;

		ask->query.tool = tool;
		result = bh_judge(&ask->judge, &ask->query, &reply, err);
		if (result || reply.reason)
			continue;
		(*ret_found)++;
		bh_say_who(ask, bh_query_tool(&ask->query, ask->opened.compiled), &reply, array);
	}
	return result;
}

int bh_ask_who(struct bh_ask *ask)
{
	json_t *array = json_array();
	struct bh_err err = {};
	size_t found = 0;
	int result = 0;

	if (ask->query.action == BH_ACTION_RUN && !ask->query.args.length && !ask->query.variables.length)
		found = bh_find_edges(ask, array);
	else
		result = bh_find_tools(ask, array, &found, &err);
	if (ask->json && result >= 0)
		bh_json_print(json_pack("{s:i, s:s, s:s, s:O}", "schema_version", 1, "policy",
					bh_compiled_hash(ask->opened.compiled), "question", ask->who, "tools", array));
	else if (!found && result >= 0)
		printf("no tool may %s\n", ask->who);
	json_decref(array);
	if (result < 0)
		bh_fail(&err);
	return result < 0 ? BH_EXIT_INTERNAL : found ? BH_EXIT_OK : BH_EXIT_NO;
}
