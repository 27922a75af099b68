/* SPDX-License-Identifier: GPL-2.0-only */
/* What a tool may do, and why, or what would let it. */
#include "cli/explain_ask.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/output.h"
#include "event/event.h"
#include "verify/repair.h"

#define BH_HINTS_SHOWN 3u

void bh_ask_print_place(const struct bh_ask *ask, const struct bh_rule *rule)
{
	if (rule->loc.line)
		printf("  %s:%u:%u", bh_diags_name(ask->opened.diags), rule->loc.line, rule->loc.column);
	else if (rule->from)
		printf("  %s", rule->from);
}

void bh_ask_json_rule(json_t *object, const struct bh_rule *rule)
{
	json_object_set_new(object, "rule", json_string(rule->id));
	if (rule->loc.line)
		json_object_set_new(object, "line", json_integer(rule->loc.line));
}

int bh_ask_open(struct bh_ask *ask)
{
	struct bh_err err = {};
	int code = bh_opened_init(&ask->opened, ask->policy_path, ask->json ? BH_FINDINGS_NONE : BH_FINDINGS_SERIOUS);

	if (code)
		return code;
	ask->floor = calloc(1, sizeof(*ask->floor));
	if (!ask->floor || bh_floor_compile(ask->opened.shipped, ask->floor, &err)) {
		bh_fail(&err);
		return BH_EXIT_INTERNAL;
	}
	ask->judge.exam = (struct bh_exam){ ask->opened.compiled, ask->opened.shipped, ask->floor };
	ask->engine = (struct bh_engine){ "host", bh_ask_tables, &ask->judge.exam };
	ask->judge.engines = &ask->engine;
	ask->judge.engines_count = 1;
	return BH_EXIT_OK;
}

void bh_ask_done(struct bh_ask *ask)
{
	bh_query_done(&ask->query);
	bh_buf_done(&ask->env);
	free(ask->floor);
	bh_opened_done(&ask->opened);
}

/* The verdict that the refusal has in the kernel. */
static uint32_t bh_ask_verdict(const struct bh_ask *ask, const struct bh_reply *reply)
{
	return bh_verdict_of(&bh_compiled_tables(ask->opened.compiled)->head, ask->query.tool, reply->reason,
			     BH_MODE_ENFORCE);
}

/* Of a program that may not be run: the rules that name it all the same. */
static void bh_print_edges(const struct bh_ask *ask)
{
	const char *before = "       edges considered: ";

	for (size_t i = 0; i < bh_compiled_rules_count(ask->opened.compiled); i++) {
		const struct bh_rule *rule = bh_compiled_rule(ask->opened.compiled, i);

		if (rule->class != BH_RULE_EXEC || rule->then != BH_THEN_ALLOW || strcmp(rule->scope, ask->tool) != 0 ||
		    !bh_rule_speaks_of_path(rule, ask->query.path))
			continue;
		printf("%s%s %s -> %s", before, rule->id, rule->scope, rule->to);
		bh_ask_print_place(ask, rule);
		before = ", ";
	}
	if (before[0] == ',')
		putchar('\n');
}

/* What a person could add, cheapest first; options that run other programs are named as such. */
static void bh_print_hints(const struct bh_ask *ask, const struct bh_reply *reply)
{
	struct bh_atoms atoms = {};
	struct bh_err err = {};
	size_t shown = 0;
	bool more = false;

	if (bh_repair_hints(ask->opened.source, &ask->judge.exam, &ask->query, reply, &atoms, &more, &err))
		more = false;
	if (more)
		printf("       to allow: more than one edit is needed; bulkhead verify --repair finds them\n");
	for (; shown < atoms.count && shown < BH_HINTS_SHOWN; shown++)
		printf("%s%s", shown ? "  or  " : "       to allow: ", atoms.items[shown].text);
	if (shown)
		putchar('\n');
	for (size_t i = 0; i < shown; i++) {
		const struct bh_edit *edit = &atoms.items[i].edits[0];

		if (edit->list == BH_EDIT_OPTIONS && bh_option_runs_programs(ask->query.path, edit->item)) {
			printf("       not advised: '%.*s' can name programs\n", (int)strcspn(edit->item, ":"),
			       edit->item);
			break;
		}
	}
	bh_atoms_done(&atoms);
}

static void bh_print_denied(const struct bh_ask *ask, const struct bh_reply *reply, const char *question)
{
	static const char *const words[] = { NULL, NULL, "DENY", "KILL", "FREEZE", "DENY" };
	uint32_t verdict = bh_ask_verdict(ask, reply);

	printf("%s  %s\n       reason %s", words[verdict], question, bh_reason_code(reply->reason));
	if (reply->misfit.code[0])
		printf("/%s: %s", reply->misfit.code, reply->misfit.text);
	else
		printf(": %s", bh_reason_text(reply->reason));
	if (reply->second)
		printf(" (%s)", ask->query.other);
	printf("%s\n", verdict == BH_VERDICT_TASK ? " (the process is killed before it begins)" : "");
	if (reply->rule) {
		printf("       rule %s", reply->rule->id);
		bh_ask_print_place(ask, reply->rule);
		putchar('\n');
	}
	if (ask->query.action == BH_ACTION_RUN)
		bh_print_edges(ask);
	bh_print_hints(ask, reply);
}

static void bh_print_reply(const struct bh_ask *ask, const struct bh_reply *reply, const char *question)
{
	const char *to = bh_compiled_tool_name(ask->opened.compiled, reply->to);

	if (reply->reason) {
		bh_print_denied(ask, reply, question);
		return;
	}
	printf("ALLOW  %s", question);
	if (to)
		printf(" and becomes %s", to);
	putchar('\n');
	if (reply->rule) {
		printf("       rule %s", reply->rule->id);
		bh_ask_print_place(ask, reply->rule);
		putchar('\n');
	}
}

static void bh_print_reply_json(const struct bh_ask *ask, const struct bh_reply *reply, const char *question)
{
	static const char *const verdicts[] = { NULL, "allow", "deny", "kill", "freeze", "task" };
	const char *to = bh_compiled_tool_name(ask->opened.compiled, reply->to);
	uint32_t verdict = reply->reason ? bh_ask_verdict(ask, reply) : BH_VERDICT_ALLOW;
	json_t *object = json_pack("{s:i, s:s, s:s, s:s, s:s, s:s, s:s}", "schema_version", 1, "verdict",
				   verdicts[verdict], "tool", ask->tool, "action", bh_action_name(ask->action),
				   "object", ask->object, "question", question, "policy",
				   bh_compiled_hash(ask->opened.compiled));

	if (reply->reason) {
		json_object_set_new(object, "reason", json_string(bh_reason_code(reply->reason)));
		json_object_set_new(object, "message", json_string(bh_reason_text(reply->reason)));
	}
	if (reply->misfit.code[0])
		json_object_set_new(object, "detail",
				    json_pack("{s:s, s:s}", "code", reply->misfit.code, "text", reply->misfit.text));
	if (to)
		json_object_set_new(object, "becomes", json_string(to));
	if (reply->rule)
		bh_ask_json_rule(object, reply->rule);
	bh_json_print(object);
}

int bh_ask_answer(struct bh_ask *ask)
{
	struct bh_buf question = {};
	struct bh_reply reply;
	struct bh_err err = {};

	ask->query.tool = bh_compiled_tool_id(ask->opened.compiled, ask->tool);
	if (!ask->query.tool && strcmp(ask->tool, "@entry") != 0)
		return bh_usage(&bh_command_explain, "policy '%s' has no tool '%s'",
				bh_compiled_name(ask->opened.compiled), ask->tool);
	if (bh_judge(&ask->judge, &ask->query, &reply, &err)) {
		bh_fail(&err);
		return BH_EXIT_INTERNAL;
	}
	bh_query_print(&ask->query, ask->opened.compiled, &question);
	if (ask->json)
		bh_print_reply_json(ask, &reply, question.error ? "?" : (char *)question.bytes);
	else
		bh_print_reply(ask, &reply, question.error ? "?" : (char *)question.bytes);
	bh_buf_done(&question);
	return reply.reason ? BH_EXIT_NO : BH_EXIT_OK;
}
