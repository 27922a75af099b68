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

/* The scenarios' first steps. */
#define QUERY(number) set.items[number].steps[0].query

static void every_question_arrives(void **state)
{
	struct bh_exam exam = exam_of(SAMPLE);
	struct bh_scenario_set set = scenarios_of(
		&exam,
		SET "  - {id: a, tool: git, run: [/bin/x, \"\", a b], env: {A: \"\", B: c}, expect: deny}\n"
		    "  - {id: b, tool: git, sha256: 5f2b0a9c3d8e47f1a6b2c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f70819,\n"
		    "     run: /bin/x, expect: deny}\n"
		    "  - {id: c, tool: git, protocol: udp, connect: \"a.example:53\", answers: [\"::1\", 1.1.1.1],\n"
		    "     expect: deny}\n"
		    "  - {id: d, tool: git, connect: \"1.1.1.1:53\", protocol: udp, expect: deny}\n"
		    "  - {id: e, tool: git, dns: A.Example., expect: deny}\n"
		    "  - {id: f, tool: git, unix: \"@a\", expect: deny}\n"
		    "  - {id: g, tool: git, listen: 80, protocol: udp, expect: deny}\n"
		    "  - {id: h, tool: git, listen: /run/x, expect: deny}\n"
		    "  - {id: i, tool: git, privilege: mount, expect: deny}\n"
		    "  - {id: j, tool: git, capability: CAP_SYS_ADMIN, expect: deny}\n"
		    "  - {id: k, tool: git, load: /lib/x, expect: deny}\n");

	assert_int_equal(QUERY(0).args.length, 5);
	assert_memory_equal(QUERY(0).args.bytes, "\0a b", 5);
	assert_int_equal(QUERY(0).variables.length, 7);
	assert_memory_equal(QUERY(0).variables.bytes, "A=\0B=c", 7);
	assert_int_equal(QUERY(1).sha256[0], 0x5f);
	assert_int_equal(QUERY(1).sha256[31], 0x19);
	assert_string_equal(QUERY(2).host, "a.example");
	assert_int_equal(QUERY(2).net.protocol, IPPROTO_UDP);
	assert_int_equal(QUERY(2).answers_count, 2);
	assert_int_equal(QUERY(2).answers[0].family, 6);
	assert_int_equal(QUERY(2).answers[1].address[0], 1);
	assert_int_equal(QUERY(3).net.protocol, IPPROTO_UDP);
	assert_int_equal(QUERY(3).net.family, 4);
	assert_string_equal(QUERY(4).host, "A.Example.");
	assert_string_equal(QUERY(5).path, "@a");
	assert_int_equal(QUERY(6).net.port, 80);
	assert_int_equal(QUERY(6).net.protocol, IPPROTO_UDP);
	assert_string_equal(QUERY(7).path, "/run/x");
	assert_int_equal(QUERY(8).number, 1);
	assert_int_equal(QUERY(9).number, 21);
	assert_int_equal(QUERY(10).action, BH_ACTION_LOAD);
	bh_scenario_set_done(&set);
	exam_done(&exam);
}

/* Each scenario line and the code of its one finding. */
static void what_cannot_be_asked_is_said(void **state)
{
	static const struct {
		const char *line, *code;
	} cases[] = {
		{ "read: /x, env: {A: b}", "E405" },
		{ "env: {A: b}", "E402" },
		{ "connect: \"1.1.1.1:1\", answers: [1.1.1.1]", "E405" },
		{ "listen: /x, protocol: udp", "E405" },
		{ "dns: x, protocol: udp", "E405" },
		{ "story: [{run: /x}], sha256: \"\"", "E405" },
		{ "env: {A: b}, story: [{run: /x}]", "E405" },
		{ "run: /x y", "E106" },
		{ "run: []", "E106" },
		{ "run: {}", "E106" },
		{ "run: [/x, [y]]", "E106" },
		{ "run: /x, env: {\"\": y}", "E174" },
		{ "run: /x, env: {a: [y]}", "E106" },
		{ "run: /x, env: {a: }", "E106" },
		{ "run: /x, sha256: ABC", "E133" },
		{ "connect: a b.example:1", "E403" },
		{ "connect: \"a.example:\"", "E403" },
		{ "connect: \".example:1\"", "E403" },
		{ "connect: \"1.2.3:1\"", "E403" },
		{ "connect: \"a.example:1\", answers: [a]", "E403" },
		{ "connect: \"a.example:1\", answers: []", "E113" },
		{ "connect: \"a.example:1\", protocol: sctp", "E108" },
		{ "dns: a/b", "E302" },
		{ "unix: x", "E201" },
		{ "unix: \"@\"", "E207" },
		{ "listen: x", "E314" },
		{ "listen: 80-90", "E314" },
		{ "privilege: mont", "E108" },
		{ "capability: SYS_ADMIN", "E108" },
		{ "load: /x*", "E404" },
	};
	struct bh_exam exam = exam_of(SAMPLE);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bh_scenario_set set = { 0 };
		struct bh_diags *diags;
		char text[512];

		snprintf(text, sizeof(text), SET "  - {id: a, tool: git, expect: deny, %s}\n", cases[i].line);
		diags = bh_diags_new("s", text, strlen(text));
		assert_int_equal(bh_scenarios_parse(text, strlen(text), exam.compiled, diags, &set), -EINVAL);
		if (strcmp(bh_diags_get(diags, 0)->code, cases[i].code) != 0)
			fail_msg("%s: %s", cases[i].line, bh_diags_get(diags, 0)->code);
		bh_diags_free(diags);
		bh_scenario_set_done(&set);
	}
	exam_done(&exam);
}

/* As on the command line of explain, and printed again. */
static void a_question_is_typed(void **state)
{
	static const struct {
		enum bh_action action;
		const char *text, *printed;
	} good[] = {
		{ BH_ACTION_RUN, " /bin/x  a 'b c' \"d'\"e \"\"", "git runs /bin/x a \"b c\" \"d'e\" \"\"" },
		{ BH_ACTION_RUN, "/bin/x", "git runs /bin/x" },
		{ BH_ACTION_RUN, "'/bin/x y' z", "git runs \"/bin/x y\" z" },
		{ BH_ACTION_READ, "/x y", "git reads /x y" },
		{ BH_ACTION_CONNECT, "a.example:443", "git connects to a.example:443" },
		{ BH_ACTION_CONNECT, "[::1]:53/udp", "git connects to [::1]:53 by UDP" },
		{ BH_ACTION_DNS, "a.example", "git asks for the name a.example" },
		{ BH_ACTION_UNIX, "@x", "git connects to the socket @x" },
		{ BH_ACTION_LISTEN, "80/udp", "git listens on port 80 by UDP" },
		{ BH_ACTION_LISTEN, "/run/x", "git listens on the socket /run/x" },
		{ BH_ACTION_PRIVILEGE, "mount", "git uses the privilege mount" },
		{ BH_ACTION_CAPABILITY, "CAP_CHOWN", "git uses CAP_CHOWN" },
	};
	static const struct {
		enum bh_action action;
		const char *text;
	} bad[] = {
		{ BH_ACTION_RUN, "x" },		 { BH_ACTION_RUN, "" },
		{ BH_ACTION_RUN, "/x 'y" },	 { BH_ACTION_READ, "x" },
		{ BH_ACTION_CONNECT, "x" },	 { BH_ACTION_CONNECT, "a:0" },
		{ BH_ACTION_DNS, "" },		 { BH_ACTION_UNIX, "@" },
		{ BH_ACTION_LISTEN, "0" },	 { BH_ACTION_PRIVILEGE, "nothing" },
		{ BH_ACTION_CAPABILITY, "all" }, { BH_ACTION_RENAME, "/a" },
	};
	struct bh_exam exam = exam_of(SAMPLE);
	struct bh_query query;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct bh_buf text = { 0 };
		struct bh_query copy;

		assert_int_equal(bh_query_parse(good[i].action, good[i].text, &query, NULL), 0);
		query.tool = GIT;
		assert_int_equal(bh_query_copy(&query, &copy), 0);
		assert_true(bh_query_same(&query, &copy));
		bh_query_print(&copy, exam.compiled, &text);
		assert_string_equal((char *)text.bytes, good[i].printed);
		bh_buf_done(&text);
		bh_query_done(&copy);
		bh_query_done(&query);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (bh_query_parse(bad[i].action, bad[i].text, &query, NULL) != -EINVAL)
			fail_msg("'%s' was taken", bad[i].text);
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
		cmocka_unit_test(every_question_arrives),
		cmocka_unit_test(what_cannot_be_asked_is_said),
		cmocka_unit_test(a_question_is_typed),
		cmocka_unit_test(ids_are_single_across_files),
		cmocka_unit_test(endpoints_have_one_form),
		cmocka_unit_test(a_story_is_bounded),
		cmocka_unit_test(a_story_is_the_only_question),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
