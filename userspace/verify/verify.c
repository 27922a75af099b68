/* SPDX-License-Identifier: GPL-2.0-only */
#include "verify/verify.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool bh_rule_is_own_grant(const struct bh_rule *rule)
{
	/* the first program is no choice: without it nothing starts */
	return rule->then == BH_THEN_ALLOW && !rule->from && strcmp(rule->scope, "@entry") != 0;
}

static void keep_failure(struct bh_report *report, const struct bh_failure *failure)
{
	if (report->failures_count < BH_FAILURES_MAX)
		report->failures[report->failures_count++] = *failure;
}

/* Is the last step's reply what the scenario expects? */
static bool is_expected(const struct bh_scenario *scenario, const struct bh_reply *reply)
{
	if (scenario->allow)
		return !reply->reason && (!scenario->to || scenario->to == reply->to);
	return reply->reason && (!scenario->reason || scenario->reason == reply->reason);
}

int bh_scenario_run(const struct bh_judge *judge, const struct bh_scenario *scenario, unsigned int tool,
		    struct bh_report *report, struct bh_failure *ret_failure, bool *ret_pass, struct bh_err *err)
{
	*ret_pass = true;
	for (size_t i = 0; i < scenario->steps_count && *ret_pass; i++) {
		bool last = i + 1 == scenario->steps_count;
		struct bh_failure failure = { .scenario = scenario,
					      .query = scenario->steps[i].query,
					      .step = last ? 0 : i + 1,
					      .allow = !last || scenario->allow };
		int result;

		failure.query.tool = tool;
		result = bh_judge(judge, &failure.query, &failure.reply, err);
		if (result)
			return result;
		if (report)
			report->questions++;
		if (report && !failure.reply.reason)
			bh_judge_cover(judge->exam.compiled, &failure.query, report->used);
		if (last ? !is_expected(scenario, &failure.reply) : failure.reply.reason != 0) {
			*ret_failure = failure;
			*ret_pass = false;
		}
		if (failure.query.action == BH_ACTION_RUN)
			tool = failure.reply.to;
	}
	return 0;
}

static void count(struct bh_report *report, bool pass)
{
	if (pass)
		report->passed++;
	else
		report->failed++;
}

static int run_scenario(const struct bh_judge *judge, const struct bh_scenario *scenario, struct bh_report *report,
			struct bh_err *err)
{
	unsigned int first = scenario->every_tool ? 1 : scenario->tool;
	unsigned int last = scenario->every_tool ? bh_compiled_tables(judge->exam.compiled)->head.tools :
						   scenario->tool;
	bool pass = true, one = true;
	struct bh_failure failure;
	int result = 0;

	for (unsigned int tool = first; tool <= last && !result; tool++) {
		result = bh_scenario_run(judge, scenario, tool, report, &failure, &one, err);
		if (!result && !one)
			keep_failure(report, &failure);
		pass = pass && one;
	}
	if (!result)
		count(report, pass);
	return result;
}

/* *ret_allowed counts what was allowed. */
static int run_checks(const struct bh_judge *judge, const struct bh_checks *checks, struct bh_report *report,
		      size_t *ret_allowed, struct bh_err *err)
{
	for (size_t i = 0; i < checks->count; i++) {
		const struct bh_check *check = &checks->items[i];
		struct bh_failure failure = { .what = check->what, .query = check->query };
		int result = bh_judge(judge, &check->query, &failure.reply, err);

		if (result)
			return result;
		report->questions++;
		if (!failure.reply.reason)
			(*ret_allowed)++;
		if (check->denied && !failure.reply.reason)
			keep_failure(report, &failure);
		count(report, !check->denied || failure.reply.reason);
	}
	return 0;
}

int bh_verify(const struct bh_judge *judge, const struct bh_scenario_set *scenarios, const struct bh_checks *compulsory,
	      const struct bh_checks *boundary, struct bh_report *report, struct bh_err *err)
{
	size_t rules = bh_compiled_rules_count(judge->exam.compiled), ignored = 0;
	int result = 0;

	report->used = calloc(rules + 1, sizeof(*report->used));
	if (!report->used)
		return bh_err_set(err, ENOMEM, "out of memory");
	report->yours = scenarios->count;
	report->compulsory = compulsory->count;
	report->boundary = boundary->count;
	for (size_t i = 0; i < scenarios->count && !result; i++)
		result = run_scenario(judge, &scenarios->items[i], report, err);
	if (!result)
		result = run_checks(judge, compulsory, report, &ignored, err);
	if (!result)
		result = run_checks(judge, boundary, report, &report->boundary_allowed, err);
	for (size_t i = 0; i < rules; i++)
		if (bh_rule_is_own_grant(bh_compiled_rule(judge->exam.compiled, i))) {
			report->own_rules++;
			report->used_rules += report->used[i];
		}
	return result;
}

void bh_report_done(struct bh_report *report)
{
	free(report->used);
	memset(report, 0, sizeof(*report));
}
