/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading scenario files. Their messages are in tests/golden/verify.sh. */
#include "tests/unit/verify/sample.h"

#include <netinet/in.h>

static void every_key_arrives(void **state)
{
	struct bh_exam exam = exam_of(SAMPLE);
	struct bh_scenario_set set = scenarios_of(
		&exam,
		SET "  - {id: a.B-1_x, tool: \"*\", run: /usr/bin/git, expect: allow, to: git, because: why not}\n"
		    "  - {id: b, tool: git, rename: [/a, /b], expect: deny, reason: F4}\n"
		    "  - {id: c, tool: \"@entry\", connect: \"[2001:db8::1]:443\", expect: deny}\n"
		    "  - {id: d, tool: worker, story: [{run: [\"/usr/bin/g t\"]}, {read: /}], expect: allow}\n");

	assert_int_equal(set.count, 4);
	assert_true(set.items[0].every_tool && set.items[0].allow);
	assert_int_equal(set.items[0].to, GIT);
	assert_string_equal(set.items[0].because, "why not");
	assert_int_equal(set.items[0].loc.line, 5);
	assert_int_equal(set.items[1].tool, GIT);
	assert_int_equal(set.items[1].reason, BH_REASON_F4);
	assert_int_equal(set.items[1].steps[0].query.action, BH_ACTION_RENAME);
	assert_string_equal(set.items[1].steps[0].query.other, "/b");
	assert_int_equal(set.items[2].tool, BH_TOOL_NONE);
	assert_false(set.items[2].every_tool);
	assert_int_equal(set.items[2].steps[0].query.net.family, 6);
	assert_int_equal(set.items[2].steps[0].query.net.port, 443);
	assert_int_equal(set.items[3].steps_count, 2);
	assert_string_equal(set.items[3].steps[0].query.path, "/usr/bin/g t");
	assert_string_equal(set.items[3].steps[1].query.path, "/");
	bh_scenario_set_done(&set);
	exam_done(&exam);
}

static void ids_are_single_across_files(void **state)
{
	static const char text[] = SET "  - {id: a, tool: git, read: /x, expect: deny}\n";
	struct bh_exam exam = exam_of(SAMPLE);
	struct bh_scenario_set set = scenarios_of(&exam, text);
	struct bh_diags *diags = bh_diags_new("second.yaml", text, strlen(text));

	assert_int_equal(bh_scenarios_parse(text, strlen(text), exam.compiled, diags, &set), -EINVAL);
	assert_string_equal(bh_diags_get(diags, 0)->code, "E401");
	assert_string_equal(bh_diags_get(diags, 0)->hint, "another file has it");
	bh_diags_free(diags);
	bh_scenario_set_done(&set);
	exam_done(&exam);
}

static void endpoints_have_one_form(void **state)
{
	static const char *const good[] = { "192.0.2.1:443", "[2001:db8::1]:1", "[::ffff:10.0.0.1]:65535" };
	static const char *const bad[] = { "192.0.2.1",	      "192.0.2.1:",    "192.0.2.1:0",	 "192.0.2.1:65536",
					   "192.0.2.1:80-90", "192.0.2.1: 80", "192.0.2.1:+80",	 "2001:db8::1:80",
					   "[192.0.2.1]:80",  "[2001:db8::1]", "[]:80",		 ":80",
					   "[2001:db8::1:80", "192.0.2.01:80", "192.0.2.1:0080", "" };
	struct bh_net_question net;
	char text[BH_ENDPOINT_TEXT];

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(bh_endpoint_parse(good[i], &net));
		assert_int_equal(net.protocol, IPPROTO_TCP);
		bh_endpoint_text(&net, text);
		assert_string_equal(text, good[i]);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (bh_endpoint_parse(bad[i], &net))
			fail_msg("'%s' was taken", bad[i]);
}

static void a_story_is_bounded(void **state)
{
	struct bh_exam exam = exam_of(SAMPLE);
	struct bh_scenario_set set = { 0 };
	struct bh_buf text = { 0 };
	struct bh_diags *diags;

	bh_buf_print(&text, SET "  - {id: a, tool: git, expect: deny, story: [{read: /x}");
	for (unsigned int i = 0; i < BH_STORY_LIMIT; i++)
		bh_buf_print(&text, ", {read: /x}");
	bh_buf_print(&text, "]}\n");
	diags = bh_diags_new("long.yaml", (const char *)text.bytes, text.length);
	assert_int_equal(bh_scenarios_parse((const char *)text.bytes, text.length, exam.compiled, diags, &set),
			 -EINVAL);
	assert_string_equal(bh_diags_get(diags, 0)->code, "E113");
	bh_diags_free(diags);
	bh_buf_done(&text);
	bh_scenario_set_done(&set);
	exam_done(&exam);
}

static void a_story_is_the_only_question(void **state)
{
	static const char *const others[] = { "run: /x", "read: /x", "rename: [/x, /y]", "connect: \"192.0.2.1:1\"" };
	struct bh_exam exam = exam_of(SAMPLE);

	for (size_t i = 0; i < 2 * sizeof(others) / sizeof(others[0]); i++) {
		struct bh_scenario_set set = { 0 };
		struct bh_diags *diags;
		char text[512];

		snprintf(text, sizeof(text), SET "  - {id: a, tool: git, expect: deny, %s, %s}\n",
			 i % 2 ? "story: [{read: /x}]" : others[i / 2], i % 2 ? others[i / 2] : "story: [{read: /x}]");
		diags = bh_diags_new("s", text, strlen(text));
		assert_int_equal(bh_scenarios_parse(text, strlen(text), exam.compiled, diags, &set), -EINVAL);
		assert_int_equal(bh_diags_errors(diags), 1);
		assert_string_equal(bh_diags_get(diags, 0)->code, "E402");
		bh_diags_free(diags);
		bh_scenario_set_done(&set);
	}
	exam_done(&exam);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_arrives),
		cmocka_unit_test(ids_are_single_across_files),
		cmocka_unit_test(endpoints_have_one_form),
		cmocka_unit_test(a_story_is_bounded),
		cmocka_unit_test(a_story_is_the_only_question),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
