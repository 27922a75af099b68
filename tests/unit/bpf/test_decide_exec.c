// SPDX-License-Identifier: GPL-2.0-only
/* Verdicts about programs, their interpreters and loadable code. */
#include "sample.h"

static uint32_t run(uint32_t tool, const char *path, uint32_t *ret_to)
{
	struct bh_answer answer = bh_decide_exec(policy, tool, at(path, 0));

	*ret_to = answer.to;
	return answer.reason;
}

static void an_edge_leads_into_another_tool(void **state)
{
	uint32_t to;

	assert_int_equal(run(WORKER, "/usr/bin/git", &to), 0);
	assert_int_equal(to, GIT);
}

static void a_helper_stays_in_its_tool(void **state)
{
	uint32_t to;

	assert_int_equal(run(WORKER, "/usr/bin/cat", &to), 0);
	assert_int_equal(to, WORKER);
	assert_int_equal(run(GIT, "/usr/lib/git/deep/x", &to), 0);
	assert_int_equal(to, GIT);
}

static void no_edge_is_x1(void **state)
{
	static const char *const paths[] = {
		"/usr/bin/gi",	"/usr/bin/git2", "/usr/bin/git/x", "/tmp/git",	  "/usr/bin",
		"/usr/lib/git", "/work/a",	 "/usr/bin/dash",  "usr/bin/git", ""
	};
	uint32_t to;

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		assert_int_equal(run(WORKER, paths[i], &to), BH_REASON_X1);
		assert_int_equal(to, 0);
	}
	assert_int_equal(run(GIT, "/usr/bin/git", &to), BH_REASON_X1); /* edges have a direction */
	assert_int_equal(run(GIT, "/usr/bin/worker", &to), BH_REASON_X1);
}

static void without_a_tool_there_is_only_the_entry(void **state)
{
	uint32_t to;

	assert_int_equal(run(BH_TOOL_NONE, "/usr/bin/worker", &to), 0);
	assert_int_equal(to, WORKER);
	assert_int_equal(run(BH_TOOL_NONE, "/usr/bin/git", &to), BH_REASON_X1);
	assert_int_equal(run(BH_TOOL_NONE, "/usr/bin/cat", &to), BH_REASON_X1);
	assert_int_equal(run(WORKER, "/usr/bin/worker", &to), BH_REASON_X1);
}

static void unknown_tools_run_and_reach_nothing(void **state)
{
	struct bh_net_question net = { { { 10, 1, 2, 3 } }, 443, 4, IPPROTO_TCP };
	uint32_t to;

	for (uint32_t tool = 3; tool < 600; tool++) {
		assert_int_equal(run(tool, "/usr/bin/worker", &to), BH_REASON_X1);
		assert_int_equal(run(tool, "/usr/bin/git", &to), BH_REASON_X1);
		assert_int_equal(run(tool, "/usr/bin/dash", &to), BH_REASON_X1);
		assert_int_equal(bh_decide_net(policy, &floor_net, tool, &net).reason, BH_REASON_N2);
		assert_int_equal(bh_decide_load(policy, tool, at("/lib/x", 0)).reason, BH_REASON_X8);
	}
}

static uint32_t exec_open(uint32_t tool, uint32_t next, const char *path)
{
	return bh_decide_exec_open(policy, tool, next, at(path, 0)).reason;
}

static void the_kernel_may_open_the_program_and_its_loader(void **state)
{
	assert_int_equal(exec_open(WORKER, 0, "/usr/bin/git"), 0);
	assert_int_equal(exec_open(WORKER, GIT, "/usr/bin/git"), 0);
	assert_int_equal(exec_open(BH_TOOL_NONE, 0, "/usr/bin/worker"), 0);
	assert_int_equal(exec_open(WORKER, GIT, "/usr/bin/dash"), 0); /* the next tool's interpreter */
	assert_int_equal(exec_open(WORKER, 0, "/lib/ld.so"), 0); /* readable, nobody writes it */
	assert_int_equal(exec_open(BH_TOOL_NONE, WORKER, "/lib/ld.so"), 0);
	assert_int_equal(exec_open(WORKER, GIT, "/etc/git"), 0); /* readable by the next tool */
}

static void the_kernel_may_not_open_other_files_to_run_them(void **state)
{
	assert_int_equal(exec_open(WORKER, 0, "/usr/bin/dash"), BH_REASON_X1);
	assert_int_equal(exec_open(WORKER, WORKER, "/usr/bin/dash"), BH_REASON_X1);
	assert_int_equal(exec_open(WORKER, 0, "/work/a"), BH_REASON_X1); /* writable by a tool */
	assert_int_equal(exec_open(GIT, 0, "/work/a"), BH_REASON_X1); /* writable, though not by this one */
	assert_int_equal(exec_open(GIT, 0, "/lib/ld.so"), BH_REASON_X1); /* not readable */
	assert_int_equal(exec_open(WORKER, 0, "/etc/git"), BH_REASON_X1);
	assert_int_equal(exec_open(BH_TOOL_NONE, 0, "/lib/ld.so"), BH_REASON_X1);
	assert_int_equal(exec_open(WORKER, 0, "/home/you/.ssh/x"), BH_REASON_X1); /* a guard */
	assert_int_equal(exec_open(WORKER, 0, "/dev/mem"), BH_REASON_X1);
	assert_int_equal(exec_open(WORKER, 0, "/lib/floor"), BH_REASON_X1);
	assert_int_equal(exec_open(WORKER, WORKER, "/usr/bin/worker"), BH_REASON_X1);
	assert_int_equal(exec_open(200, 201, "/lib/ld.so"), BH_REASON_X1);
}

static void an_interpreter_is_a_helper_or_a_program_of_the_next_tool(void **state)
{
	assert_int_equal(bh_decide_interpreter(policy, GIT, at("/usr/bin/dash", 0)).reason, 0);
	assert_int_equal(bh_decide_interpreter(policy, WORKER, at("/usr/bin/cat", 0)).reason, 0);
	assert_int_equal(bh_decide_interpreter(policy, WORKER, at("/usr/bin/dash", 0)).reason, BH_REASON_X6);
	assert_int_equal(bh_decide_interpreter(policy, WORKER, at("/usr/bin/git", 0)).reason, BH_REASON_X6);
	assert_int_equal(bh_decide_interpreter(policy, GIT, at("/usr/bin/git", 0)).reason, 0);
	assert_int_equal(bh_decide_interpreter(policy, GIT, at("/work/a", 0)).reason, BH_REASON_X6);
	assert_int_equal(bh_decide_interpreter(policy, 0, at("/usr/bin/worker", 0)).reason, BH_REASON_X6);
	assert_int_equal(bh_decide_interpreter(policy, 0, at("/work/a", 0)).reason, BH_REASON_X6);
	assert_int_equal(bh_decide_interpreter(policy, 66, at("/usr/bin/dash", 0)).reason, BH_REASON_X6);
}

static void a_script_for_another_tool_goes_by_a_listed_name(void **state)
{
	static const char *const others[] = { "git",
					      "./git",
					      "-c",
					      "",
					      "/usr/bin/../bin/git",
					      "/usr/bin//git",
					      "/work/git",
					      "/proc/self/root/usr/bin/git",
					      "/dev/fd/7",
					      "/usr/bin/dash" };

	assert_false(bh_script_led(policy, WORKER, GIT, 0, at("/usr/bin/git", 0)));
	assert_false(bh_script_led(policy, WORKER, GIT, 1, at("/usr/bin/dash", 0)));
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		assert_true(bh_script_led(policy, WORKER, GIT, 0, at(others[i], 0)));
		assert_false(bh_script_led(policy, GIT, GIT, 0, at(others[i], 0)));
		assert_false(bh_script_led(policy, BH_TOOL_NONE, WORKER, 0, at(others[i], 0)));
	}
	assert_true(bh_script_led(policy, WORKER, GIT, 1, at("/work/git", 0)));
}

static void what_nobody_may_run_is_x10_and_names_the_rule(void **state)
{
	struct bh_answer answer = bh_decide_exec(policy, GIT, at("/usr/bin/never-a", 0));
	uint32_t to;

	assert_int_equal(answer.reason, BH_REASON_X10);
	assert_int_equal(answer.to, 0);
	assert_string_equal(bh_compiled_rule(compiled, answer.rule - 1)->path, "/usr/bin/never-*");
	assert_int_equal(run(GIT, "/usr/lib/git/never", &to), BH_REASON_X10);
	assert_int_equal(run(WORKER, "/usr/bin/never-a", &to), BH_REASON_X10);
	assert_int_equal(run(BH_TOOL_NONE, "/usr/bin/never-a", &to), BH_REASON_X10);
	assert_int_equal(run(200, "/usr/bin/never-a", &to), BH_REASON_X10);
	assert_int_equal(run(GIT, "/usr/bin/never", &to), 0);
	assert_int_equal(run(GIT, "/usr/lib/git/never/a", &to), 0);
	assert_int_equal(bh_decide_interpreter(policy, GIT, at("/usr/bin/never-a", 0)).reason, BH_REASON_X10);
	assert_int_equal(exec_open(GIT, 0, "/usr/lib/git/never"), BH_REASON_X10);
	assert_int_equal(exec_open(WORKER, GIT, "/usr/lib/git/never"), BH_REASON_X10);
	assert_int_equal(exec_open(GIT, 0, "/usr/bin/never-a"), 0); /* as another program's loader: it may be read */
	assert_int_equal(bh_decide_load(policy, GIT, at("/usr/lib/git/never", 0)).reason, BH_REASON_X8);
	assert_int_equal(bh_decide_load(policy, GIT, at("/usr/bin/never-a", 0)).reason, 0);
}

static uint32_t load(uint32_t tool, const char *path)
{
	return bh_decide_load(policy, tool, at(path, 0)).reason;
}

static void code_is_loaded_from_what_no_tool_writes(void **state)
{
	assert_int_equal(load(WORKER, "/lib/libc.so"), 0);
	assert_int_equal(load(WORKER, "/usr/bin/worker"), 0); /* its own image */
	assert_int_equal(load(GIT, "/usr/bin/git"), 0);
	assert_int_equal(load(GIT, "/usr/bin/dash"), 0);
	assert_int_equal(load(WORKER, "/usr/bin/git"), BH_REASON_X8);
	assert_int_equal(load(GIT, "/lib/libc.so"), BH_REASON_X8);
	assert_int_equal(load(WORKER, "/work/lib.so"), BH_REASON_X8);
	assert_int_equal(load(GIT, "/work/lib.so"), BH_REASON_X8);
	assert_int_equal(load(WORKER, "/home/you/.ssh/x"), BH_REASON_X8);
	assert_int_equal(load(WORKER, "/dev/mem"), BH_REASON_X8);
	assert_int_equal(load(WORKER, "/lib/floor"), BH_REASON_X8);
	assert_int_equal(load(0, "/lib/libc.so"), BH_REASON_X8);
	assert_int_equal(load(0, "/usr/bin/worker"), BH_REASON_X8);
}

static const struct bh_path_question *written(const char *path)
{
	static struct bh_path_question question;

	question = *at(path, 0);
	question.written = 1;
	return &question;
}

static void what_a_sandbox_wrote_is_no_code(void **state)
{
	struct bh_answer answer = bh_decide_exec(policy, WORKER, written("/usr/bin/git"));

	assert_int_equal(answer.reason, BH_REASON_X9);
	assert_int_equal(answer.to, 0);
	assert_int_equal(answer.next, 0);
	assert_int_equal(bh_decide_exec(policy, WORKER, written("/usr/bin/cat")).reason, BH_REASON_X9);
	assert_int_equal(bh_decide_exec(policy, WORKER, written("/usr/bin/other")).reason, BH_REASON_X1);
	assert_int_equal(bh_decide_exec(policy, WORKER, written("/usr/bin/never-a")).reason, BH_REASON_X10);
	assert_int_equal(bh_decide_interpreter(policy, GIT, written("/usr/bin/dash")).reason, BH_REASON_X9);
	assert_int_equal(bh_decide_interpreter(policy, GIT, written("/usr/bin/cat")).reason, BH_REASON_X6);
	assert_int_equal(bh_decide_exec_open(policy, WORKER, 0, written("/usr/bin/git")).reason, BH_REASON_X9);
	assert_int_equal(bh_decide_exec_open(policy, WORKER, 0, written("/lib/ld.so")).reason, BH_REASON_X9);
	assert_int_equal(bh_decide_exec_open(policy, WORKER, 0, written("/usr/bin/other")).reason, BH_REASON_X1);
	assert_int_equal(bh_decide_load(policy, WORKER, written("/lib/libc.so")).reason, BH_REASON_X9);
	assert_int_equal(bh_decide_load(policy, WORKER, written("/usr/bin/worker")).reason, BH_REASON_X9);
	assert_int_equal(bh_decide_load(policy, WORKER, written("/work/lib.so")).reason, BH_REASON_X8);
	/* it stays a file */
	assert_int_equal(bh_decide_file(policy, WORKER, BH_ACCESS_READ, written("/work/a")).reason, 0);
}

static void only_a_tool_with_jit_runs_code_in_memory(void **state)
{
	assert_int_equal(policy->head.jit, 1u << (GIT - 1));
	assert_int_equal(bh_decide_jit(policy, GIT).reason, 0);
	assert_int_equal(bh_decide_jit(policy, WORKER).reason, BH_REASON_X11);
	assert_int_equal(bh_decide_jit(policy, BH_TOOL_NONE).reason, BH_REASON_X11);
	for (uint32_t tool = 3; tool < 600; tool++)
		assert_int_equal(bh_decide_jit(policy, tool).reason, BH_REASON_X11);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_edge_leads_into_another_tool),
		cmocka_unit_test(a_helper_stays_in_its_tool),
		cmocka_unit_test(no_edge_is_x1),
		cmocka_unit_test(without_a_tool_there_is_only_the_entry),
		cmocka_unit_test(unknown_tools_run_and_reach_nothing),
		cmocka_unit_test(the_kernel_may_open_the_program_and_its_loader),
		cmocka_unit_test(the_kernel_may_not_open_other_files_to_run_them),
		cmocka_unit_test(an_interpreter_is_a_helper_or_a_program_of_the_next_tool),
		cmocka_unit_test(a_script_for_another_tool_goes_by_a_listed_name),
		cmocka_unit_test(what_nobody_may_run_is_x10_and_names_the_rule),
		cmocka_unit_test(code_is_loaded_from_what_no_tool_writes),
		cmocka_unit_test(what_a_sandbox_wrote_is_no_code),
		cmocka_unit_test(only_a_tool_with_jit_runs_code_in_memory),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
