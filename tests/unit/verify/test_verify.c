/* SPDX-License-Identifier: GPL-2.0-only */
/* Expectations against answers, the questions nobody wrote, and what is written down. */
#include "tests/unit/verify/sample.h"

static void pass(const char *scenarios, bool wanted)
{
	struct bh_exam exam = exam_of(SAMPLE);
	struct bh_scenario_set set = scenarios_of(&exam, scenarios);
	static struct bh_report report;

	assert_int_equal(verify(&exam, &set, NULL, NULL, &report), 0);
	if ((report.failed == 0) != wanted)
		fail_msg("passed %zu, failed %zu: %s", report.passed, report.failed, scenarios);
	bh_report_done(&report);
	bh_scenario_set_done(&set);
	exam_done(&exam);
}

static void an_answer_is_right_or_wrong(void **state)
{
	pass(SET "  - {id: a, tool: worker, read: /work/x, expect: allow}\n", true);
	pass(SET "  - {id: a, tool: worker, read: /work/x, expect: deny}\n", false);
	pass(SET "  - {id: a, tool: git, write: /work/x, expect: deny}\n", true);
	pass(SET "  - {id: a, tool: git, write: /work/x, expect: allow}\n", false);
	pass(SET "  - {id: a, tool: \"*\", read: /work/x, expect: allow}\n", true);
	pass(SET "  - {id: a, tool: \"*\", write: /work/x, expect: allow}\n", false);
}

static void reason_and_target_count(void **state)
{
	pass(SET "  - {id: a, tool: git, read: /home/u/.ssh/x, expect: deny, reason: F1}\n", true);
	pass(SET "  - {id: a, tool: git, read: /home/u/.ssh/x, expect: deny, reason: F2}\n", false);
	pass(SET "  - {id: a, tool: worker, run: /usr/bin/git, expect: allow, to: git}\n", true);
	pass(SET "  - {id: a, tool: worker, run: /usr/bin/git, expect: allow, to: worker}\n", false);
	pass(SET "  - {id: a, tool: worker, rename: [/work/a, /work/b], expect: allow}\n", true);
	pass(SET "  - {id: a, tool: worker, rename: [/work/a, /b], expect: deny, reason: F2}\n", true);
	pass(SET "  - {id: a, tool: worker, link: [/b, /work/a], expect: deny, reason: F2}\n", true);
	pass(SET "  - {id: a, tool: git, connect: \"[::ffff:10.1.2.3]:443\", expect: allow}\n", true);
}

static void a_story_changes_tools(void **state)
{
	pass(SET "  - {id: a, tool: \"@entry\", story: [{run: /usr/bin/worker}, {run: /usr/bin/git},\n"
		 "      {connect: \"10.1.2.3:443\"}], expect: allow}\n",
	     true);
	pass(SET "  - {id: a, tool: worker, story: [{run: /usr/bin/cat}, {connect: \"10.1.2.3:443\"}], expect: deny}\n",
	     true);
	/* a refused step on the way fails, even when the end would be as expected */
	pass(SET "  - {id: a, tool: git, story: [{run: /usr/bin/worker}, {write: /work/x}], expect: deny}\n", false);
}

static void coverage_counts_what_was_needed(void **state)
{
	struct bh_exam exam = exam_of(SAMPLE);
	struct bh_scenario_set set =
		scenarios_of(&exam, SET "  - {id: a, tool: worker, rename: [/work/a, /work/b], expect: allow}\n"
					"  - {id: b, tool: git, read: /work, expect: allow}\n"
					"  - {id: c, tool: git, write: /work/x, expect: deny}\n"
					"  - {id: d, tool: \"@entry\", run: /usr/bin/worker, expect: allow}\n");
	static struct bh_report report;

	assert_int_equal(verify(&exam, &set, NULL, NULL, &report), 0);
	assert_int_equal(report.failed, 0);
	/* git, cat, /work and x readable, /work writable by worker; /work readable, 10.1/16 reachable by git */
	assert_int_equal(report.own_rules, 7);
	assert_int_equal(report.used_rules, 2);
	bh_report_done(&report);
	bh_scenario_set_done(&set);
	exam_done(&exam);
}

/* How many checks of a kind there are for the tool. */
static size_t count_checks(const struct bh_checks *checks, const char *what, unsigned int tool)
{
	size_t count = 0;

	for (size_t i = 0; i < checks->count; i++)
		count += strcmp(checks->items[i].what, what) == 0 && checks->items[i].query.tool == tool;
	return count;
}

static void the_compulsory_questions_cover_every_floor_for_every_tool(void **state)
{
	struct bh_exam exam = exam_of(SAMPLE);
	struct bh_scenario_set none = { 0 };
	struct bh_checks checks = { 0 };
	static struct bh_report report;
	size_t guards = 0;

	assert_int_equal(bh_checks_compulsory(&exam, &checks), 0);
	for (size_t i = 0; i < shipped->guards_count; i++)
		if (!shipped->guards[i].below_workspaces)
			guards += shipped->guards[i].read.count + shipped->guards[i].write.count;
	for (unsigned int tool = WORKER; tool <= GIT; tool++) {
		assert_true(count_checks(&checks, "floor-address", tool) >= 2 * shipped->addresses_count);
		assert_true(count_checks(&checks, "floor-file", tool) > 10);
		assert_int_equal(count_checks(&checks, "guard", tool), guards);
		assert_true(count_checks(&checks, "shell", tool) > 0);
		assert_true(count_checks(&checks, "loader", tool) > 0);
	}
	assert_true(count_checks(&checks, "floor-address", BH_TOOL_NONE) > 0);
	assert_int_equal(verify(&exam, &none, &checks, NULL, &report), 0);
	assert_int_equal(report.failed, 0);
	assert_int_equal(report.passed, checks.count);
	bh_report_done(&report);
	bh_checks_done(&checks);
	exam_done(&exam);
}

static void a_pattern_that_happens_to_cover_a_shell_fails(void **state)
{
	struct bh_exam by_pattern = exam_of(HEAD "    worker: {binaries: [/usr/bin/worker], helpers: [/usr/bin/d*]}\n");
	struct bh_exam by_name =
		exam_of(HEAD "    worker: {binaries: [/usr/bin/worker], helpers: [/usr/bin/d*, /usr/bin/dash]}\n");
	struct bh_exam *exams[] = { &by_pattern, &by_name };
	struct bh_scenario_set none = { 0 };
	static struct bh_report report;

	for (size_t i = 0; i < 2; i++) {
		struct bh_checks checks = { 0 };

		assert_int_equal(bh_checks_compulsory(exams[i], &checks), 0);
		assert_int_equal(verify(exams[i], &none, &checks, NULL, &report), 0);
		assert_int_equal(report.failed, i == 0 ? 1 : 0);
		if (i == 0) {
			assert_string_equal(report.failures[0].what, "shell");
			assert_string_equal(report.failures[0].query.path, "/usr/bin/dash");
			assert_string_equal(report.failures[0].reply.rule->path, "/usr/bin/d*");
		}
		bh_report_done(&report);
		bh_checks_done(&checks);
		exam_done(exams[i]);
	}
}

static bool asks(const struct bh_checks *checks, unsigned int tool, enum bh_action action, const char *path)
{
	for (size_t i = 0; i < checks->count; i++) {
		const struct bh_query *query = &checks->items[i].query;
		char endpoint[BH_ENDPOINT_TEXT] = "";

		if (query->tool != tool || query->action != action)
			continue;
		if (action == BH_ACTION_CONNECT)
			bh_endpoint_text(&query->net, endpoint);
		if (strcmp(query->path ? query->path : endpoint, path) == 0)
			return true;
	}
	print_error("not asked: tool %u %s %s\n", tool, bh_action_name(action), path);
	return false;
}

static void the_boundary_has_both_sides_of_each_grant(void **state)
{
	struct bh_exam exam = exam_of(SAMPLE);
	struct bh_checks checks = { 0 };

	assert_int_equal(bh_checks_boundary(&exam, &checks), 0);
	assert_true(asks(&checks, WORKER, BH_ACTION_WRITE, "/work/x"));
	assert_true(asks(&checks, WORKER, BH_ACTION_WRITE, "/work"));
	assert_true(asks(&checks, WORKER, BH_ACTION_WRITE, "/work-evil/x"));
	assert_true(asks(&checks, WORKER, BH_ACTION_RENAME, "/work"));
	assert_true(asks(&checks, WORKER, BH_ACTION_LINK, "/work-evil/x"));
	assert_true(asks(&checks, WORKER, BH_ACTION_READ, "/home/x/x"));
	assert_true(asks(&checks, WORKER, BH_ACTION_RUN, "/usr/bin/cat-evil"));
	assert_true(asks(&checks, WORKER, BH_ACTION_RUN, "/usr/bin/ca"));
	assert_true(asks(&checks, WORKER, BH_ACTION_RUN, "/tmp/cat"));
	assert_true(asks(&checks, GIT, BH_ACTION_RUN, "/usr/bin/cat"));
	assert_true(asks(&checks, GIT, BH_ACTION_WRITE, "/work/x"));
	assert_true(asks(&checks, GIT, BH_ACTION_CONNECT, "10.1.0.0:443"));
	assert_true(asks(&checks, GIT, BH_ACTION_CONNECT, "10.1.255.255:443"));
	assert_true(asks(&checks, GIT, BH_ACTION_CONNECT, "10.0.255.255:443"));
	assert_true(asks(&checks, GIT, BH_ACTION_CONNECT, "10.2.0.0:443"));
	assert_true(asks(&checks, GIT, BH_ACTION_CONNECT, "10.1.0.0:442"));
	assert_true(asks(&checks, GIT, BH_ACTION_CONNECT, "[::ffff:10.1.0.0]:443"));
	assert_true(asks(&checks, WORKER, BH_ACTION_CONNECT, "10.1.0.0:443"));
	bh_checks_done(&checks);
	exam_done(&exam);
}

static void the_written_boundary_passes_and_is_the_same_each_time(void **state)
{
	struct bh_exam exam = exam_of(SAMPLE);
	struct bh_judge judge = { .exam = exam };
	struct bh_buf texts[2] = { { 0 }, { 0 } };
	struct bh_scenario_set set;
	static struct bh_report report;
	size_t written = 0;

	for (size_t i = 0; i < 2; i++) {
		struct bh_checks checks = { 0 };

		assert_int_equal(bh_checks_boundary(&exam, &checks), 0);
		assert_int_equal(bh_boundary_write(&judge, &checks, &texts[i], NULL), 0);
		written = checks.count;
		bh_checks_done(&checks);
	}
	assert_string_equal(texts[0].bytes, texts[1].bytes);
	set = scenarios_of(&exam, (const char *)texts[0].bytes);
	assert_int_equal(set.count, written);
	assert_int_equal(verify(&exam, &set, NULL, NULL, &report), 0);
	assert_int_equal(report.failed, 0);
	assert_int_equal(report.used_rules, report.own_rules);
	bh_report_done(&report);
	bh_scenario_set_done(&set);
	bh_buf_done(&texts[0]);
	bh_buf_done(&texts[1]);
	exam_done(&exam);
}

static void a_list_keeps_each_query_once(void **state)
{
	struct bh_checks checks = { 0 };
	char path[32];

	for (unsigned int i = 0; i < 6000; i++) {
		struct bh_query query = { .action = BH_ACTION_READ, .tool = 1, .path = path };

		snprintf(path, sizeof(path), "/x/%u", i % 3000);
		bh_checks_add(&checks, &query, "boundary", false);
	}
	assert_int_equal(checks.error, 0);
	assert_int_equal(checks.count, 3000);
	bh_checks_done(&checks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_is_right_or_wrong),
		cmocka_unit_test(reason_and_target_count),
		cmocka_unit_test(a_story_changes_tools),
		cmocka_unit_test(coverage_counts_what_was_needed),
		cmocka_unit_test(the_compulsory_questions_cover_every_floor_for_every_tool),
		cmocka_unit_test(a_pattern_that_happens_to_cover_a_shell_fails),
		cmocka_unit_test(the_boundary_has_both_sides_of_each_grant),
		cmocka_unit_test(the_written_boundary_passes_and_is_the_same_each_time),
		cmocka_unit_test(a_list_keeps_each_query_once),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
