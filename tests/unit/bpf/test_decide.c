// SPDX-License-Identifier: GPL-2.0-only
/* Verdicts about files: every reason, on its edge from both sides. */
#include "sample.h"

#define R BH_ACCESS_READ
#define W BH_ACCESS_WRITE

static uint32_t file(uint32_t tool, uint32_t access, const char *path)
{
	return bh_decide_file(policy, tool, access, at(path, 0)).reason;
}

static void what_is_listed_is_allowed(void **state)
{
	assert_int_equal(file(WORKER, R, "/work/a"), 0);
	assert_int_equal(file(WORKER, W, "/work/a"), 0);
	assert_int_equal(file(WORKER, R | W, "/work/a/b"), 0);
	assert_int_equal(file(WORKER, R, "/work"), 0);
	assert_int_equal(file(GIT, R, "/etc/git"), 0);
	assert_int_equal(file(WORKER, R, "/"), 0);
}

static void what_is_not_listed_is_f2(void **state)
{
	assert_int_equal(file(WORKER, R, "/workx"), BH_REASON_F2);
	assert_int_equal(file(WORKER, R, "/work-evil/a"), BH_REASON_F2);
	assert_int_equal(file(WORKER, R, "/wor"), BH_REASON_F2);
	assert_int_equal(file(WORKER, W, "/work"), BH_REASON_F2);
	assert_int_equal(file(WORKER, W, "/lib/x"), BH_REASON_F2);
	assert_int_equal(file(WORKER, R, "work/a"), BH_REASON_F2);
	assert_int_equal(file(WORKER, R, ""), BH_REASON_F2);
}

static void each_access_asked_must_be_granted(void **state)
{
	assert_int_equal(file(GIT, R, "/work/a"), 0);
	assert_int_equal(file(GIT, W, "/work/a"), BH_REASON_F2);
	assert_int_equal(file(GIT, R | W, "/work/a"), BH_REASON_F2);
}

static void no_access_at_all_is_f2(void **state)
{
	assert_int_equal(file(WORKER, 0, "/work/a"), BH_REASON_F2);
	assert_int_equal(file(WORKER, BH_ACCESS_EXEC, "/work/a"), BH_REASON_F2);
	assert_int_equal(file(WORKER, BH_ACCESS_LOAD, "/work/a"), BH_REASON_F2);
}

static void another_tools_grant_does_not_count(void **state)
{
	assert_int_equal(file(WORKER, R, "/etc/git"), BH_REASON_F2);
	assert_int_equal(file(GIT, R, "/lib/x"), BH_REASON_F2);
}

static void no_tool_and_unknown_tools_have_no_files(void **state)
{
	static const uint32_t tools[] = {
		0, 3, 31, 32, 33, 34, 63, 64, 65, 66, 97, 128, 129, 255, 256, 257, UINT32_MAX
	};

	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++)
		assert_int_equal(file(tools[i], R, "/work/a"), BH_REASON_F2);
}

static void a_guard_beats_a_grant_with_f1_and_names_itself(void **state)
{
	struct bh_answer answer = bh_decide_file(policy, WORKER, R, at("/home/me/.ssh/id", 0));

	assert_int_equal(answer.reason, BH_REASON_F1);
	assert_string_equal(bh_compiled_rule(compiled, answer.rule - 1)->path, "/home/*/.ssh/**");
	assert_int_equal(bh_compiled_rule(compiled, answer.rule - 1)->access, R);
	answer = bh_decide_file(policy, WORKER, W, at("/work/.git/config", 0));
	assert_int_equal(answer.reason, BH_REASON_F1);
	assert_string_equal(bh_compiled_rule(compiled, answer.rule - 1)->path, "/work/.git/config");
	assert_int_equal(file(WORKER, R, "/home/me/.ssh"), BH_REASON_F1); /* listing it counts as reading */
	assert_int_equal(file(WORKER, R, "/home/me/.sshx"), 0);
	assert_int_equal(file(WORKER, W, "/work/.git/config2"), 0);
	answer = bh_decide_file(policy, WORKER, R, at("/work/own", 0));
	assert_int_equal(answer.reason, BH_REASON_F1);
	assert_string_equal(bh_compiled_rule(compiled, answer.rule - 1)->path, "/work/own");
	assert_int_equal(bh_decide_file(policy, GIT, R, at("/work/own", 0)).reason, BH_REASON_F1);
	assert_int_equal(bh_decide_file(policy, WORKER, W, at("/work/own", 0)).reason, 0);
}

static void a_guard_counts_only_for_its_access(void **state)
{
	assert_int_equal(file(WORKER, R, "/work/.git/config"), 0);
	assert_int_equal(file(WORKER, W, "/work/secret"), 0);
	assert_int_equal(file(WORKER, R, "/work/secret"), BH_REASON_F1);
	assert_int_equal(file(WORKER, R | W, "/work/.git/config"), BH_REASON_F1);
}

static void of_two_guards_the_reading_one_is_named(void **state)
{
	struct bh_answer answer = bh_decide_file(policy, WORKER, R | W, at("/home/me/.ssh/id", 0));

	assert_int_equal(bh_compiled_rule(compiled, answer.rule - 1)->access, R);
	answer = bh_decide_file(policy, WORKER, W, at("/home/me/.ssh/id", 0));
	assert_int_equal(bh_compiled_rule(compiled, answer.rule - 1)->access, W);
}

static void a_guard_without_a_grant_is_f1_too(void **state)
{
	assert_int_equal(file(GIT, R, "/home/me/.ssh/id"), BH_REASON_F1);
	assert_int_equal(file(0, R, "/home/me/.ssh/id"), BH_REASON_F2); /* no tool: no guard needed */
}

static void the_floor_beats_everything_with_f0(void **state)
{
	assert_int_equal(file(WORKER, R, "/dev/mem"), BH_REASON_F0);
	assert_int_equal(file(WORKER, W, "/dev/mem"), BH_REASON_F0);
	assert_int_equal(file(GIT, R, "/dev/mem"), BH_REASON_F0);
	assert_int_equal(file(0, R, "/dev/mem"), BH_REASON_F0);
	assert_int_equal(file(200, R, "/dev/mem"), BH_REASON_F0);
	assert_int_equal(file(WORKER, W, "/proc/sys/kernel/core_pattern"), BH_REASON_F0);
	assert_int_equal(file(WORKER, R, "/dev/memory"), 0);
	assert_int_equal(file(WORKER, R, "/dev/me"), 0);
}

static void the_floor_counts_only_for_its_access(void **state)
{
	assert_int_equal(file(WORKER, R, "/dev/kmsg"), 0);
	assert_int_equal(file(WORKER, W, "/dev/kmsg"), BH_REASON_F0);
	assert_int_equal(file(WORKER, R | W, "/dev/kmsg"), BH_REASON_F0);
}

static void a_directory_above_forbidden_names_keeps_its_name_with_f4(void **state)
{
	assert_int_equal(bh_decide_move(policy, at("/home/me", 0)).reason, BH_REASON_F4);
	assert_int_equal(bh_decide_move(policy, at("/home/me/.ssh", 0)).reason, BH_REASON_F4);
	assert_int_equal(bh_decide_move(policy, at("/work/.git", 0)).reason, BH_REASON_F4);
	assert_int_equal(bh_decide_move(policy, at("/usr/bin", 0)).reason, BH_REASON_F4);
	assert_int_equal(bh_decide_move(policy, at("/home/me/src", 0)).reason, 0);
	assert_int_equal(bh_decide_move(policy, at("/work/.github", 0)).reason, 0);
	assert_int_equal(bh_decide_move(policy, at("/work/a", 0)).reason, 0);
}

/* Length and not content decides where a path ends; past the buffer nothing is listed. */
static void lengths_are_judged_on_their_edges(void **state)
{
	struct bh_path_question question = { &bytes, 0, 0, 0 };

	memset(&bytes, 'x', sizeof(bytes));
	memcpy(bytes.bytes, "/work/", 6);
	assert_int_equal(bh_decide_file(policy, WORKER, R, &question).reason, BH_REASON_F2);
	question.length = 1;
	assert_int_equal(bh_decide_file(policy, WORKER, R, &question).reason, 0); /* "/" */
	assert_int_equal(bh_decide_file(policy, GIT, R, &question).reason, BH_REASON_F2);
	for (question.length = 4095; question.length <= 4096; question.length++)
		assert_int_equal(bh_decide_file(policy, WORKER, R | W, &question).reason, 0);
	assert_int_equal(question.length, 4097);
	assert_int_equal(bh_decide_file(policy, WORKER, R, &question).reason, BH_REASON_F2);
	assert_int_equal(bh_decide_exec(policy, WORKER, &question).reason, BH_REASON_X1);
	question.length = UINT32_MAX;
	assert_int_equal(bh_decide_file(policy, WORKER, R, &question).reason, BH_REASON_F2);
}

static uint32_t proc(const char *path, uint32_t self)
{
	return bh_decide_file(policy, WORKER, R, at(path, self)).reason;
}

static void a_process_reads_its_own_proc_entry(void **state)
{
	assert_int_equal(proc("/proc/123/status", 123), 0);
	assert_int_equal(proc("/proc/123", 123), 0); /* as /proc/self, which the grant includes */
	assert_int_equal(proc("/proc/123/task/123/x", 123), 0);
	assert_int_equal(proc("/proc/self/status", 123), 0);
	assert_int_equal(proc("/proc/4194304/status", 4194304), 0);
	assert_int_equal(proc("/proc/4294967295/status", UINT32_MAX), 0);
}

static void a_process_does_not_read_anothers_proc_entry(void **state)
{
	assert_int_equal(proc("/proc/123/status", 12), BH_REASON_F2);
	assert_int_equal(proc("/proc/123/status", 1234), BH_REASON_F2);
	assert_int_equal(proc("/proc/123/status", 23), BH_REASON_F2);
	assert_int_equal(proc("/proc/123/status", 0), BH_REASON_F2);
	assert_int_equal(proc("/proc/1234/status", 123), BH_REASON_F2);
	assert_int_equal(proc("/proc/12/status", 123), BH_REASON_F2);
	assert_int_equal(proc("/proc//status", 0), BH_REASON_F2);
}

static void only_a_whole_number_is_ones_own(void **state)
{
	assert_int_equal(proc("/proc/123x/status", 123), BH_REASON_F2);
	assert_int_equal(proc("/proc/x123/status", 123), BH_REASON_F2);
	assert_int_equal(proc("/proc/-123/status", 123), BH_REASON_F2);
	assert_int_equal(proc("/proc/ 123/status", 123), BH_REASON_F2);
	assert_int_equal(proc("/proc/12:/status", 130), BH_REASON_F2); /* ':' follows '9' */
	assert_int_equal(proc("/proc/0123/status", 123), BH_REASON_F2); /* procfs prints no such name */
	assert_int_equal(proc("/proc/0/status", 0), BH_REASON_F2);
	assert_int_equal(proc("/proc123/status", 123), BH_REASON_F2);
	assert_int_equal(proc("/prox/123/status", 123), BH_REASON_F2);
	assert_int_equal(proc("/a/proc/123/status", 123), BH_REASON_F2);
	assert_int_equal(proc("proc/123/status", 123), BH_REASON_F2);
	assert_int_equal(proc("/proc/", 123), BH_REASON_F2);
	assert_int_equal(proc("/proc", 123), BH_REASON_F2);
}

static void a_number_that_overflows_is_not_ones_own(void **state)
{
	assert_int_equal(proc("/proc/4294967419/status", 123), BH_REASON_F2); /* 2^32 + 123 */
	assert_int_equal(proc("/proc/8589934715/status", 123), BH_REASON_F2); /* 2^33 + 123 */
	assert_int_equal(proc("/proc/99999999999/status", 1215752191), BH_REASON_F2); /* eleven digits, mod 2^32 */
	assert_int_equal(proc("/proc/18446744073709551739/status", 123), BH_REASON_F2); /* 2^64 + 123 */
	assert_int_equal(proc("/proc/340282366920938463463374607431768211579/status", 123), BH_REASON_F2);
}

static void ones_own_number_is_judged_as_self_and_not_by_number(void **state)
{
	assert_int_equal(proc("/proc/12/x", 0), 0);
	assert_int_equal(proc("/proc/12/x", 13), 0);
	assert_int_equal(proc("/proc/12/y", 0), BH_REASON_F2);
	assert_int_equal(proc("/proc/12/y", 12), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_listed_is_allowed),
		cmocka_unit_test(what_is_not_listed_is_f2),
		cmocka_unit_test(each_access_asked_must_be_granted),
		cmocka_unit_test(no_access_at_all_is_f2),
		cmocka_unit_test(another_tools_grant_does_not_count),
		cmocka_unit_test(no_tool_and_unknown_tools_have_no_files),
		cmocka_unit_test(a_guard_beats_a_grant_with_f1_and_names_itself),
		cmocka_unit_test(a_guard_counts_only_for_its_access),
		cmocka_unit_test(of_two_guards_the_reading_one_is_named),
		cmocka_unit_test(a_guard_without_a_grant_is_f1_too),
		cmocka_unit_test(the_floor_beats_everything_with_f0),
		cmocka_unit_test(the_floor_counts_only_for_its_access),
		cmocka_unit_test(a_directory_above_forbidden_names_keeps_its_name_with_f4),
		cmocka_unit_test(lengths_are_judged_on_their_edges),
		cmocka_unit_test(a_process_reads_its_own_proc_entry),
		cmocka_unit_test(a_process_does_not_read_anothers_proc_entry),
		cmocka_unit_test(only_a_whole_number_is_ones_own),
		cmocka_unit_test(a_number_that_overflows_is_not_ones_own),
		cmocka_unit_test(ones_own_number_is_judged_as_self_and_not_by_number),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
