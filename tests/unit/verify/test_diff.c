/* SPDX-License-Identifier: GPL-2.0-only */
/* What counts as wider. */
#include "tests/unit/verify/sample.h"

#include "verify/diff.h"

static struct bh_source_policy *sources[2];
static struct bh_compiled *compileds[2];

static void let_go(void)
{
	for (size_t i = 0; i < 2; i++) {
		bh_compiled_free(compileds[i]);
		bh_source_policy_free(sources[i]);
		compileds[i] = NULL;
		sources[i] = NULL;
	}
}

/* The policies stay until the next comparison. */
static struct bh_diff compare(const char *old, const char *new)
{
	struct bh_diff_side sides[2];
	struct bh_diff diff = { 0 };

	let_go();
	sample_compile(old, &sources[0], &compileds[0]);
	sample_compile(new, &sources[1], &compileds[1]);
	for (size_t i = 0; i < 2; i++)
		sides[i] = (struct bh_diff_side){ compileds[i], sources[i] };
	assert_int_equal(bh_diff_make(&sides[0], &sides[1], &diff), 0);
	return diff;
}

static int tear_down_policies(void **state)
{
	let_go();
	return tear_down(state);
}

#define SAME 0
#define WIDER 1
#define NARROWER 2
#define CHANGED 3

static void verdict(const char *old, const char *new, int wanted)
{
	struct bh_diff diff = compare(old, new);
	int got = diff.same ? SAME : diff.wider ? WIDER : diff.narrower ? NARROWER : CHANGED;

	if (got != wanted)
		fail_msg("verdict %d, not %d: %s -> %s", got, wanted, old, new);
	bh_diff_done(&diff);
}

/* Both ways. */
static void wider(const char *old, const char *new)
{
	verdict(old, new, WIDER);
	verdict(new, old, NARROWER);
}

#define ONE(rest) HEAD "    worker: {binaries: [/usr/bin/worker], " rest "}\n"

static void spelling_is_no_difference(void **state)
{
	verdict(SAMPLE, SAMPLE, SAME);
	verdict(ONE("files: {read: [/a, /b]}"), "# a comment\n" ONE("files:   {read: [/b, /a]}"), SAME);
}

static void a_new_grant_is_wider(void **state)
{
	wider(ONE("files: {read: [/a]}"), ONE("files: {read: [/a, /b]}"));
	wider(ONE("files: {read: [/a/b]}"), ONE("files: {read: [/a/**]}"));
	wider(ONE("files: {read: [/a/*]}"), ONE("files: {read: [/a/**]}"));
	wider(ONE("files: {read: [/a]}"), ONE("files: {read: [/a], write: [/a]}"));
	wider(ONE("helpers: [/usr/bin/cat]"), ONE("helpers: [/usr/bin/cat, /usr/bin/ls]"));
	wider(HEAD WORKER_TOOL "    git: {binaries: [/usr/bin/git]}\n", HEAD WORKER_TOOL GIT_TOOL FORGE);
}

static void a_grant_that_another_covers_changes_nothing(void **state)
{
	verdict(ONE("files: {read: [/a/**]}"), ONE("files: {read: [/a/**, /a/b]}"), CHANGED);
	verdict(ONE("files: {read: [/a/**]}"), ONE("files: {read: [/a/**, /a]}"), CHANGED);
	verdict(ONE("files: {read: [/a/**, \"/a/b*\"]}"), ONE("files: {read: [/a/**]}"), CHANGED);
}

static void networks_and_ports_are_compared_by_what_they_hold(void **state)
{
#define NET(cidr, ports)                                                                                               \
	HEAD "    worker: {binaries: [/usr/bin/worker], reach: [a]}\n"                                                 \
	     "  egress: {destinations: {a: {cidrs: [" cidr "], ports: [" ports "]}}}\n"
	wider(NET("10.1.0.0/16", "443"), NET("10.0.0.0/8", "443"));
	wider(NET("10.1.0.0/16", "443"), NET("10.1.0.0/16", "440-450"));
	verdict(NET("10.1.0.0/16", "443"), NET("10.2.0.0/16", "443"), WIDER);
	verdict(NET("10.1.0.0/16", "1-9"), NET("10.1.0.0/16", "1-9, 5"), CHANGED);
#undef NET
}

static void modes_are_part_of_it_and_responses_are_named(void **state)
{
	struct bh_diff diff;

	wider(SAMPLE, SAMPLE "  mode: observe\n");
	verdict(SAMPLE, SAMPLE "  respond: {exec: kill}\n", CHANGED);
	diff = compare(SAMPLE, SAMPLE "  respond: {exec: kill}\n");
	assert_int_equal(diff.settings_count, 1);
	assert_string_equal(diff.settings[0], "respond.exec: deny -> kill");
	bh_diff_done(&diff);
}

static void code_in_memory_is_a_right(void **state)
{
	struct bh_diff diff = compare(ONE("helpers: [/a]"), ONE("jit: true, helpers: [/a]"));

	assert_true(diff.wider && !diff.narrower);
	assert_string_equal(diff.settings[0], "tools.worker.jit: false -> true");
	bh_diff_done(&diff);
	diff = compare(ONE("jit: true, helpers: [/a]"), ONE("helpers: [/a]"));
	assert_true(!diff.wider && diff.narrower);
	bh_diff_done(&diff);
}

static void what_a_tool_says_of_itself_is_named(void **state)
{
	struct bh_diff diff = compare(ONE("helpers: [/a]"), ONE("runs_code: true, helpers: [/a]"));

	assert_true(!diff.same && !diff.wider && !diff.narrower);
	assert_int_equal(diff.count, 0);
	assert_int_equal(diff.settings_count, 1);
	assert_string_equal(diff.settings[0], "tools.worker.runs_code: false -> true");
	bh_diff_done(&diff);
}

static void presets_are_one_change_each(void **state)
{
	struct bh_diff diff = compare(SAMPLE, SAMPLE "  presets: [tls-roots]\n");

	assert_int_equal(diff.count, 1);
	assert_true(diff.items[0].count > 3);
	assert_string_equal(diff.items[0].rule->scope, "*");
	assert_true(diff.wider && !diff.narrower && !diff.reach && !diff.guards);
	bh_diff_done(&diff);
}

static void containment_errs_on_one_side(void **state)
{
	assert_true(bh_pattern_contains("/a/**", "/a/b"));
	assert_true(bh_pattern_contains("/a/**", "/a/*/c"));
	assert_true(bh_pattern_contains("/a/*", "/a/b"));
	assert_true(bh_pattern_contains("/a/*", "/a/*"));
	assert_false(bh_pattern_contains("/a/**", "/a"));
	assert_false(bh_pattern_contains("/a/**", "/ab/*"));
	assert_false(bh_pattern_contains("/a/*", "/a/b/c"));
	assert_false(bh_pattern_contains("/a/*", "/a/**"));
	assert_false(bh_pattern_contains("/a/b*", "/a/*"));
	assert_false(bh_pattern_contains("/*/b/**", "/*/b/c*")); /* true, but not seen */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_in_memory_is_a_right),
		cmocka_unit_test(spelling_is_no_difference),
		cmocka_unit_test(a_new_grant_is_wider),
		cmocka_unit_test(a_grant_that_another_covers_changes_nothing),
		cmocka_unit_test(networks_and_ports_are_compared_by_what_they_hold),
		cmocka_unit_test(modes_are_part_of_it_and_responses_are_named),
		cmocka_unit_test(what_a_tool_says_of_itself_is_named),
		cmocka_unit_test(presets_are_one_change_each),
		cmocka_unit_test(containment_errs_on_one_side),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down_policies);
}
