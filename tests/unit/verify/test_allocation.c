/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The n-th allocation fails, for every n that reading scenarios, making up questions and asking them needs: the answer is
 * "out of memory", never a crash and never a pass.
 */
#include "tests/unit/verify/sample.h"

#include "verify/diff.h"
#include "verify/repair.h"
#include "tests/unit/allocation.h"

static const char scenarios[] = SET
	"  - {id: a, tool: worker, run: /usr/bin/git, expect: allow, to: git, because: why}\n"
	"  - {id: b, tool: \"*\", story: [{read: /work/x}, {rename: [/work/a, /b]}], expect: deny}\n"
	"  - {id: c, tool: git, connect: \"10.1.2.3:443\", expect: allow}\n";

/* One try with the n-th allocation failing; returns whether that allocation was reached. */
static bool try_scenarios(const struct bh_exam *exam, long n)
{
	struct bh_scenario_set set = { 0 };
	struct bh_diags *diags;
	bool reached;
	int result = -ENOMEM;

	left = n;
	diags = bh_diags_new("s", scenarios, strlen(scenarios));
	if (diags)
		result = bh_scenarios_parse(scenarios, strlen(scenarios), exam->compiled, diags, &set);
	reached = left < 0;
	left = -1;
	assert_true(reached ? result < 0 : result == 0);
	bh_scenario_set_done(&set);
	bh_diags_free(diags);
	return reached;
}

static char *complete; /* what try_questions writes with all the memory it wants: n negative */

/* The questions of this policy, asked and written down. */
static bool try_questions(struct bh_exam *exam, long n)
{
	struct bh_engine engine = { "host", bh_ask_tables, exam };
	struct bh_judge judge = { *exam, &engine, 1 };
	struct bh_checks boundary = { 0 };
	struct bh_scenario_set none = { 0 };
	static struct bh_report report;
	struct bh_buf text = { 0 };
	struct bh_err err = { 0 };
	bool reached;
	int result;

	left = n;
	result = bh_checks_boundary(exam, &boundary);
	if (!result)
		result = bh_verify(&judge, &none, &boundary, &boundary, &report, &err);
	if (!result)
		result = bh_boundary_write(&judge, &boundary, &text, &err);
	reached = left < 0;
	left = -1;
	/* printing and sorting may do without some of it: then nothing may be missing */
	if (n < 0)
		complete = strdup((const char *)text.bytes);
	else if (result != -ENOMEM && (result || !text.bytes || strcmp(complete, (const char *)text.bytes) != 0))
		fail_msg("allocation %ld: %d %s", n, result, err.text);
	bh_buf_done(&text);
	bh_report_done(&report);
	bh_checks_done(&boundary);
	return reached;
}

#define DIFFERENCES 9u

static bool try_diff(const struct bh_diff_side *before, const struct bh_diff_side *after, long n)
{
	struct bh_diff diff = { 0 };
	bool reached;
	int result;

	left = n;
	result = bh_diff_make(before, after, &diff);
	reached = left < 0;
	left = -1;
	if (result != -ENOMEM) {
		assert_int_equal(result, 0);
		assert_int_equal(diff.count, DIFFERENCES);
	}
	bh_diff_done(&diff);
	return reached;
}

static void scenarios_survive_every_failing_allocation(void **state)
{
	struct bh_exam exam;
	long n = 0;

#ifdef SANITISED
	skip();
#endif
	exam = exam_of(SAMPLE);
	while (try_scenarios(&exam, n))
		n++;
	assert_true(n > 50);
	exam_done(&exam);
}

static void questions_survive_every_failing_allocation(void **state)
{
	struct bh_exam exam;
	long n = 0;

#ifdef SANITISED
	skip();
#endif
	exam = exam_of(HEAD "    a: {binaries: [/bin/a], files: {write: [/w/**]}}\n    worker: {binaries: [/bin/b]}\n");
	try_questions(&exam, -1);
	while (try_questions(&exam, n))
		n++;
	assert_true(n > 50);
	free(complete);
	exam_done(&exam);
}

static void a_comparison_survives_every_failing_allocation(void **state)
{
	struct bh_source_policy *sources[2];
	struct bh_compiled *compileds[2];
	struct bh_diff_side before, after;
	long n = 0;

#ifdef SANITISED
	skip();
#endif
	sample_compile(HEAD "    worker: {binaries: [/bin/b]}\n", &sources[0], &compileds[0]);
	sample_compile(SAMPLE, &sources[1], &compileds[1]);
	before = (struct bh_diff_side){ compileds[0], sources[0] };
	after = (struct bh_diff_side){ compileds[1], sources[1] };
	while (try_diff(&before, &after, n))
		n++;
	assert_true(n > 2);
	for (size_t i = 0; i < 2; i++) {
		bh_compiled_free(compileds[i]);
		bh_source_policy_free(sources[i]);
	}
}

/* Two versions of a policy are alike when what is proposed is: the first time with all the memory it wants. */
static bool try_repair(const struct bh_repair_task *task, const char *text, long n)
{
	struct bh_rewritten written = { 0 };
	struct bh_repair repair = { 0 };
	struct bh_err err = { 0 };
	bool reached;
	int result;

	left = n;
	result = bh_repair_make(task, &repair, &err);
	if (!result && repair.count)
		result = bh_proposal_write(&repair, &repair.proposals[0], shipped, "p", text, strlen(text), &written,
					   &err);
	reached = left < 0;
	left = -1;
	/* sorting may do without: then nothing may be missing */
	if (result != -ENOMEM && (result || repair.end != BH_REPAIR_FOUND || repair.proposals[0].edits != 2))
		fail_msg("allocation %ld: %d %s", n, result, err.text);
	bh_rewritten_done(&written);
	bh_repair_done(&repair);
	return reached;
}

static void a_repair_survives_failing_allocations(void **state)
{
	static const char text[] = HEAD "    worker: {binaries: [/bin/b], helpers: [/bin/c]}\n";
	struct bh_repair_task task = { 0 };
	struct bh_source_policy *source;
	struct bh_compiled *compiled;
	struct bh_checks compulsory = { 0 };
	struct bh_scenario_set set;
	struct bh_diags *diags;
	struct bh_exam exam;
	long n = 0;

#ifdef SANITISED
	skip();
#endif
	sample_compile(text, &source, &compiled);
	diags = bh_diags_new("", "", 0);
	exam = (struct bh_exam){ compiled, shipped, &floor_net };
	set = scenarios_of(&exam, SET "  - {id: a, tool: worker, run: /bin/c, expect: deny}\n"
				      "  - {id: b, tool: worker, read: /d, expect: allow}\n");
	task = (struct bh_repair_task){ source, &exam, diags, &set, &compulsory, false };
	/* each of the first, then fewer and fewer: later ones are the same again in another version of the policy */
	while (try_repair(&task, text, n))
		n += 1 + n / 100;
	assert_true(n > 1000);
	bh_scenario_set_done(&set);
	bh_diags_free(diags);
	bh_compiled_free(compiled);
	bh_source_policy_free(source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scenarios_survive_every_failing_allocation),
		cmocka_unit_test(questions_survive_every_failing_allocation),
		cmocka_unit_test(a_comparison_survives_every_failing_allocation),
		cmocka_unit_test(a_repair_survives_failing_allocations),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
