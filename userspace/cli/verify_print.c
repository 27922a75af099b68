/* SPDX-License-Identifier: GPL-2.0-only */
/* What `bulkhead verify` found, as text and as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/output.h"
#include "cli/verification.h"
#include "event/event.h"
#include "verify/diff.h"

/* The query in words; the caller frees it. Never NULL but without memory. */
static char *bh_query_words(const struct bh_verification *v, const struct bh_query *query)
{
	struct bh_buf text = {};

	bh_query_print(query, v->opened.compiled, &text);
	return (char *)text.bytes;
}

static void bh_failure_id(const struct bh_failure *failure, char *ret_id, size_t size)
{
	if (failure->scenario)
		snprintf(ret_id, size, "%s", failure->scenario->id);
	else
		snprintf(ret_id, size, "compulsory/%s", failure->what);
}

/* "allow to git", "deny F1" */
static void bh_print_answer(const struct bh_verification *v, bool allow, unsigned int to, unsigned int reason)
{
	const char *name = bh_compiled_tool_name(v->opened.compiled, to);

	printf("%s", allow ? "allow" : "deny");
	if (allow && name)
		printf(", becoming %s", name);
	if (!allow && reason)
		printf(" %s", bh_reason_code(reason));
}

static void bh_print_rule(const struct bh_verification *v, const struct bh_rule *rule)
{
	printf("       rule %s", rule->id);
	if (rule->loc.line)
		printf("  %s:%u:%u\n", bh_diags_name(v->opened.diags), rule->loc.line, rule->loc.column);
	else if (rule->from)
		printf("  %s\n", rule->from);
	else /* a compiled policy does not know its source */
		putchar('\n');
}

static void bh_print_failure(const struct bh_verification *v, const struct bh_failure *failure, int width)
{
	const struct bh_scenario *scenario = failure->scenario;
	BH_FREE char *words = bh_query_words(v, &failure->query);
	const struct bh_reply *reply = &failure->reply;
	char id[80];

	bh_failure_id(failure, id, sizeof(id));
	printf("FAIL %-*s  %s   expected ", width, id, words ? words : "?");
	bh_print_answer(v, failure->allow, scenario && !failure->step ? scenario->to : 0,
			scenario && !failure->step ? scenario->reason : 0);
	printf(", got ");
	bh_print_answer(v, !reply->reason, reply->to, reply->reason);
	if (reply->misfit.code[0])
		printf("/%s", reply->misfit.code);
	if (failure->step)
		printf(" in step %zu of the story", failure->step);
	putchar('\n');
	if (reply->misfit.code[0])
		printf("       reason %s/%s: %s\n", bh_reason_code(reply->reason), reply->misfit.code,
		       reply->misfit.text);
	else if (reply->reason)
		printf("       reason %s: %s%s%s%s\n", bh_reason_code(reply->reason), bh_reason_text(reply->reason),
		       reply->second ? " (" : "", reply->second ? failure->query.other : "", reply->second ? ")" : "");
	if (reply->rule)
		bh_print_rule(v, reply->rule);
	if (scenario)
		printf("       expected in %s:%u:%u%s%s\n", v->scenario_paths[scenario->file - 1], scenario->loc.line,
		       scenario->loc.column, scenario->because ? ": " : "", scenario->because ? scenario->because : "");
	else if (!reply->reason)
		printf("       every policy is asked this; if it is meant, list the program by its name\n");
}

static void bh_print_failures(const struct bh_verification *v)
{
	const struct bh_report *report = &v->report;
	int width = 0;

	for (size_t i = 0; i < report->failures_count; i++) {
		char id[80];

		bh_failure_id(&report->failures[i], id, sizeof(id));
		width = (int)strlen(id) > width ? (int)strlen(id) : width;
	}
	for (size_t i = 0; i < report->failures_count; i++)
		bh_print_failure(v, &report->failures[i], width);
	if (report->failures_count == BH_FAILURES_MAX)
		printf("only the first %u answers that were not expected are shown\n", BH_FAILURES_MAX);
}

static void bh_print_uncovered(const struct bh_verification *v)
{
	for (size_t i = 0; i < bh_compiled_rules_count(v->opened.compiled); i++) {
		const struct bh_rule *rule = bh_compiled_rule(v->opened.compiled, i);
		struct bh_buf text = {};

		if (!bh_rule_is_own_grant(rule) || v->report.used[i])
			continue;
		bh_rule_describe(rule, &text);
		printf("unused  %-60s %s", text.error ? "?" : (const char *)text.bytes, rule->id);
		if (rule->loc.line)
			printf("  %s:%u:%u", bh_diags_name(v->opened.diags), rule->loc.line, rule->loc.column);
		putchar('\n');
		bh_buf_done(&text);
	}
}

static void bh_print_text(const struct bh_verification *v)
{
	const struct bh_report *report = &v->report;
	size_t unused = report->own_rules - report->used_rules;
	char engines[BH_ENGINES_TEXT];

	bh_verification_engines(v, engines);
	bh_print_failures(v);
	if (v->uncovered)
		bh_print_uncovered(v);
	printf("engine %s   %zu scenarios (%zu yours, %zu compulsory, %zu boundary)   %zu pass", engines,
	       report->passed + report->failed, report->yours, report->compulsory, report->boundary, report->passed);
	if (report->failed)
		printf(", %zu fail", report->failed);
	printf("\nboundary: %zu deny, %zu allow   coverage %zu/%zu allow rules",
	       report->boundary - report->boundary_allowed, report->boundary_allowed, report->used_rules,
	       report->own_rules);
	if (unused)
		printf(" (%zu unused%s)", unused, v->uncovered ? "" : ": --uncovered");
	putchar('\n');
	if (v->applied_from[0])
		printf("applied proposal %u to %s by %s: %.8s -> %.8s\n", v->apply, v->policy_path, v->by,
		       v->applied_from, bh_compiled_hash(v->opened.compiled));
	if (v->boundary_path)
		printf("wrote %s (%zu scenarios): read the answers\n", v->boundary_path, report->boundary);
	if (v->locked[0])
		printf("locked %s %.8s with %s%.8s\n", bh_compiled_name(v->opened.compiled),
		       bh_compiled_hash(v->opened.compiled),
		       v->scenarios_count ? "scenarios " : "no scenarios of yours",
		       v->scenarios_count ? v->locked : "");
}

static void bh_json_add_rule(json_t *object, const struct bh_rule *rule)
{
	json_object_set_new(object, "rule", json_string(rule->id));
	if (rule->loc.line)
		json_object_set_new(object, "line", json_integer(rule->loc.line));
	if (rule->from)
		json_object_set_new(object, "from", json_string(rule->from));
}

static json_t *bh_failure_json(const struct bh_verification *v, const struct bh_failure *failure)
{
	BH_FREE char *words = bh_query_words(v, &failure->query);
	const struct bh_scenario *scenario = failure->scenario;
	json_t *object;
	char id[80];

	bh_failure_id(failure, id, sizeof(id));
	object = json_pack("{s:s, s:s, s:s, s:s, s:s}", "id", id, "tool",
			   bh_query_tool(&failure->query, v->opened.compiled), "question", words ? words : "?",
			   "expected", failure->allow ? "allow" : "deny", "got",
			   failure->reply.reason ? "deny" : "allow");
	if (failure->reply.reason)
		json_object_set_new(object, "reason", json_string(bh_reason_code(failure->reply.reason)));
	if (failure->reply.misfit.code[0])
		json_object_set_new(object, "detail",
				    json_pack("{s:s, s:s}", "code", failure->reply.misfit.code, "text",
					      failure->reply.misfit.text));
	if (failure->reply.to)
		json_object_set_new(object, "becomes",
				    json_string(bh_compiled_tool_name(v->opened.compiled, failure->reply.to)));
	if (failure->reply.rule)
		bh_json_add_rule(object, failure->reply.rule);
	if (failure->step)
		json_object_set_new(object, "step", json_integer((json_int_t)failure->step));
	if (scenario) {
		json_object_set_new(object, "scenario_file", json_string(v->scenario_paths[scenario->file - 1]));
		json_object_set_new(object, "scenario_line", json_integer(scenario->loc.line));
	}
	return object;
}

static json_t *bh_uncovered_json(const struct bh_verification *v)
{
	json_t *array = json_array();

	for (size_t i = 0; i < bh_compiled_rules_count(v->opened.compiled); i++) {
		const struct bh_rule *rule = bh_compiled_rule(v->opened.compiled, i);
		json_t *one;

		if (!bh_rule_is_own_grant(rule) || v->report.used[i])
			continue;
		one = json_object();
		bh_json_add_rule(one, rule);
		json_array_append_new(array, one);
	}
	return array;
}

static void bh_print_json(const struct bh_verification *v)
{
	const struct bh_report *report = &v->report;
	json_t *failures = json_array(), *object;
	char engines[BH_ENGINES_TEXT];

	bh_verification_engines(v, engines);
	for (size_t i = 0; i < report->failures_count; i++)
		json_array_append_new(failures, bh_failure_json(v, &report->failures[i]));
	object = json_pack("{s:i, s:b, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I}", "schema_version", 1, "ok",
			   !report->failed, "policy", bh_compiled_name(v->opened.compiled), "hash",
			   bh_compiled_hash(v->opened.compiled), "engines", engines, "yours", (json_int_t)report->yours,
			   "compulsory", (json_int_t)report->compulsory, "boundary", (json_int_t)report->boundary,
			   "boundary_allowed", (json_int_t)report->boundary_allowed, "passed",
			   (json_int_t)report->passed, "failed", (json_int_t)report->failed);
	json_object_set_new(object, "questions", json_integer((json_int_t)report->questions));
	json_object_set_new(object, "failures", failures);
	json_object_set_new(object, "coverage",
			    json_pack("{s:I, s:I}", "rules", (json_int_t)report->own_rules, "used",
				      (json_int_t)report->used_rules));
	if (v->uncovered)
		json_object_set_new(object, "uncovered", bh_uncovered_json(v));
	if (v->applied_from[0])
		json_object_set_new(object, "applied",
				    json_pack("{s:i, s:s, s:s, s:s, s:o}", "proposal", (int)v->apply, "by", v->by,
					      "old", v->applied_from, "new", bh_compiled_hash(v->opened.compiled),
					      "edits",
					      bh_proposal_edits_json(&v->found, &v->found.proposals[v->apply - 1])));
	else if (v->repair)
		json_object_set_new(object, "repair", bh_repair_json(v));
	if (v->locked[0])
		json_object_set_new(object, "locked_scenarios", json_string(v->locked));
	bh_json_print(object);
}

void bh_verification_print(const struct bh_verification *v)
{
	if (v->json)
		bh_print_json(v);
	else
		bh_print_text(v);
	if (!v->json && v->repair && !v->applied_from[0])
		bh_repair_print(v);
}
