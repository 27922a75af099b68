// SPDX-License-Identifier: GPL-2.0-only
/* What the compiler finds out about all paths at once: directories that keep their names, rules that say nothing new. */
#include "build.h"

static struct bh_shipped *walls(const char *read, const char *write)
{
	static struct bh_prohibition guards[1];
	static struct bh_shipped shipped;

	guards[0] = (struct bh_prohibition){ build_word("wall"), build_words(read), build_words(write) };
	shipped = (struct bh_shipped){ .guards = guards, .guards_count = 1 };
	return &shipped;
}

static struct bh_source_policy grants(const char *read, const char *write)
{
	static struct bh_tool tools[1];

	tools[0] = build_tool((struct build_tool){ .name = "job",
						   .binaries = "/opt/tool/bin/job",
						   .helpers = "/opt/help/**",
						   .read = read,
						   .write = write });
	return build_policy(tools, 1);
}

static bool pinned(const struct bh_compiled *compiled, const char *path)
{
	return build_ask(compiled, path)->floor & BH_FLOOR_PINNED;
}

static void directories_above_a_guard_keep_their_names(void **state)
{
	struct bh_source_policy policy = grants(NULL, "/home/a/**");
	struct bh_compiled *compiled = build_compile(
		&policy, walls("/home/*/.config/gcloud/** /home/*/.boto", "/home/*/.config/gcloud/**"), NULL, NULL);

	assert_true(pinned(compiled, "/home"));
	assert_true(pinned(compiled, "/home/a"));
	assert_true(pinned(compiled, "/home/a/.config"));
	assert_true(pinned(compiled, "/home/a/.config/gcloud"));
	assert_true(pinned(compiled, "/home/a/.config/gcloud/x"));
	assert_false(pinned(compiled, "/home/a/.confi"));
	assert_false(pinned(compiled, "/home/a/.config2"));
	assert_false(pinned(compiled, "/home/a/.config/gcloud2"));
	assert_false(pinned(compiled, "/home/a/.boto"));
	assert_false(pinned(compiled, "/home/a/src"));
	assert_false(pinned(compiled, "/home/a/src/.config"));
	assert_false(pinned(compiled, "/homes"));
	assert_false(pinned(compiled, ""));
	bh_compiled_free(compiled);
}

static void directories_above_what_the_policy_forbids_keep_their_names(void **state)
{
	struct bh_source_policy policy = grants(NULL, "/w/**");
	struct bh_compiled *compiled;

	policy.never_read = build_words("/w/read/a");
	policy.never_write = build_words("/w/write/a");
	policy.never_run = build_words("/w/run/a");
	compiled = build_compile(&policy, NULL, NULL, NULL);
	assert_true(pinned(compiled, "/w"));
	assert_true(pinned(compiled, "/w/read"));
	assert_true(pinned(compiled, "/w/write"));
	assert_true(pinned(compiled, "/w/run"));
	assert_false(pinned(compiled, "/w/run/a"));
	assert_false(pinned(compiled, "/w/other"));
	bh_compiled_free(compiled);
}

static void directories_above_a_program_keep_their_names(void **state)
{
	struct bh_source_policy policy = grants("/work/**", "/work/**");
	struct bh_compiled *compiled = build_compile(&policy, NULL, NULL, NULL);

	assert_true(pinned(compiled, "/opt"));
	assert_true(pinned(compiled, "/opt/tool"));
	assert_true(pinned(compiled, "/opt/tool/bin"));
	assert_false(pinned(compiled, "/opt/tool/bin/job"));
	assert_true(pinned(compiled, "/opt/help/deep"));
	assert_false(pinned(compiled, "/opt/tool/lib"));
	assert_false(pinned(compiled, "/work"));
	assert_false(pinned(compiled, "/work/a"));
	bh_compiled_free(compiled);
}

static void directories_above_a_floor_keep_their_names(void **state)
{
	struct bh_prohibition floors[1] = { { build_word("own"), { 0 }, build_words("/etc/own/**") } };
	struct bh_shipped shipped = { .floors = floors, .floors_count = 1 };
	struct bh_source_policy policy = grants("/etc/own/x", NULL);
	struct bh_compiled *compiled = build_compile(&policy, &shipped, NULL, NULL);

	assert_int_equal(build_ask(compiled, "/etc")->floor, BH_FLOOR_PINNED);
	assert_int_equal(build_ask(compiled, "/etc/own")->floor, BH_FLOOR_PINNED);
	assert_int_equal(build_ask(compiled, "/etc/own/x")->floor, BH_FLOOR_PINNED | BH_FLOOR_WRITE);
	assert_int_equal(build_ask(compiled, "/etc/own/x")->read, 1);
	assert_int_equal(build_ask(compiled, "/etc/other")->floor, 0);
	bh_compiled_free(compiled);
}

static void what_stands_for_two_stars_may_be_moved(void **state)
{
	struct bh_source_policy policy = grants(NULL, "/w/**");
	struct bh_compiled *compiled =
		build_compile(&policy, walls(NULL, "/w/**/.git/hooks/** /**/*/.ssh/key /**/?x/**/key"), NULL, NULL);

	assert_true(pinned(compiled, "/w")); /* before the two stars */
	assert_false(pinned(compiled, "/v"));
	assert_false(pinned(compiled, "/w/repo"));
	assert_false(pinned(compiled, "/w/repo/deep"));
	assert_true(pinned(compiled, "/w/repo/.git")); /* behind them, by its name */
	assert_true(pinned(compiled, "/w/repo/.git/hooks"));
	assert_true(pinned(compiled, "/w/repo/.git/hooks/on"));
	assert_true(pinned(compiled, "/w/repo/.ssh"));
	assert_true(pinned(compiled, "/v/r/.ssh"));
	assert_false(pinned(compiled, "/.ssh"));
	assert_true(pinned(compiled, "/v/ax"));
	assert_false(pinned(compiled, "/v/ax/b"));
	bh_compiled_free(compiled);
}

static void two_patterns_of_one_trie_do_not_disturb_each_other(void **state)
{
	struct bh_source_policy policy = grants("/d/a/x /d/b/y", NULL);
	struct bh_compiled *compiled = build_compile(&policy, walls("/d/a/z /d/c", "/d/a/z"), NULL, NULL);

	assert_true(pinned(compiled, "/d"));
	assert_true(pinned(compiled, "/d/a"));
	assert_false(pinned(compiled, "/d/b"));
	assert_false(pinned(compiled, "/d/c"));
	bh_compiled_free(compiled);
}

static void never_rules_are_named_by_access(void **state)
{
	struct bh_source_policy policy = grants(NULL, "/d/**");
	struct bh_compiled *compiled = build_compile(&policy, walls("/d/k* /d/r", "/d/ke? /d/w"), NULL, NULL);
	const struct bh_accept *accept = build_ask(compiled, "/d/key");
	const struct bh_rule *read = bh_compiled_rule(compiled, accept->never_read_rule - 1);
	const struct bh_rule *write = bh_compiled_rule(compiled, accept->never_write_rule - 1);

	assert_string_equal(read->path, "/d/k*");
	assert_int_equal(read->access, BH_ACCESS_READ);
	assert_string_equal(write->path, "/d/ke?");
	assert_int_equal(write->access, BH_ACCESS_WRITE);
	accept = build_ask(compiled, "/d/r");
	assert_true(accept->never_read_rule && !accept->never_write_rule);
	accept = build_ask(compiled, "/d/w");
	assert_true(!accept->never_read_rule && accept->never_write_rule);
	bh_compiled_free(compiled);
}

/* W211 at the word number `at` of `read`, or none. */
static void assert_covered(const char *read, const char *write, size_t at, const char *text)
{
	struct bh_source_policy policy = grants(read, write);

	assert_finding(&policy, NULL, "W211", text, text ? policy.tools[0].read.items[at].loc.line : 0);
}

static void a_rule_inside_another_is_reported(void **state)
{
	assert_covered("/a/** /a/b/c", NULL, 1, "'/a/b/c' is covered by '/a/**' in the same list");
	assert_covered("/a/b/c /a/**", NULL, 0, "'/a/b/c' is covered by '/a/**'");
	assert_covered("/a/** /a", NULL, 1, "'/a' is covered by '/a/**'"); /* reading all beneath includes listing */
	assert_covered("/a/** /a/?c/**/x*y", NULL, 1, "'/a/?c/**/x*y'");
	assert_covered("/a/* /a/?b?", NULL, 1, "'/a/?b?'");
	assert_covered("/a/**/x /a/*/x", NULL, 1, "'/a/*/x'");
	assert_covered("/a/** /a/*", NULL, 1, "'/a/*'");
	assert_covered("/x /a/** /a/**/**", NULL, 2, "'/a/**/**'");
}

static void a_rule_that_adds_one_path_is_not_reported(void **state)
{
	assert_covered("/a/** /ab/c", NULL, 0, NULL);
	assert_covered("/a/* /a/b/c", NULL, 0, NULL);
	assert_covered("/a/* /a", NULL, 0, NULL);
	assert_covered("/a/*x /a/x*", NULL, 0, NULL);
	assert_covered("/a/b* /a/c* /a/?", NULL, 0, NULL); /* no single rule covers it */
	assert_covered("/a/**", "/a/b", 0, NULL); /* another access */
}

static void rules_of_other_tools_and_presets_do_not_count(void **state)
{
	static struct bh_tool tools[2];
	static char base[] = "base";
	struct bh_preset preset = { .name = base, .version = 1, .read = build_words("/a/**") };
	struct bh_shipped shipped = { .presets = &preset, .presets_count = 1 };
	struct bh_source_policy policy;

	tools[0] = build_tool(
		(struct build_tool){ .name = "one", .binaries = "/bin/one", .may_run = "two", .read = "/a/b" });
	tools[1] = build_tool((struct build_tool){ .name = "two", .binaries = "/bin/two", .read = "/a/**" });
	policy = build_policy(tools, 2);
	policy.presets = build_words("base");
	assert_finding(&policy, &shipped, "W211", NULL, 0);
}

static void a_helper_inside_another_is_reported(void **state)
{
	static struct bh_tool tools[1];
	struct bh_source_policy policy;

	tools[0] =
		build_tool((struct build_tool){ .name = "a", .binaries = "/bin/a", .helpers = "/lib/x/y /lib/x/**" });
	policy = build_policy(tools, 1);
	assert_finding(&policy, NULL, "W211", "'/lib/x/y'", tools[0].helpers.items[0].loc.line);
}

static void more_port_ranges_than_the_verdict_reads_are_refused(void **state)
{
	static struct bh_tool tools[1];
	struct bh_cidr cidr = build_cidr("10.0.0.0", 8);
	struct bh_port_range ports[BH_RANGES_EACH + 1];
	struct bh_destination destination = { .name = build_word("far"),
					      .cidrs = { &cidr, 1 },
					      .ports = { ports, BH_RANGES_EACH },
					      .protocol = IPPROTO_TCP };
	struct bh_source_policy policy;

	for (unsigned int i = 0; i <= BH_RANGES_EACH; i++)
		ports[i] = (struct bh_port_range){ .low = (uint16_t)(10 * i + 1), .high = (uint16_t)(10 * i + 5) };
	tools[0] = build_tool((struct build_tool){ .name = "a", .binaries = "/bin/a", .reach = "far" });
	policy = build_policy(tools, 1);
	policy.destinations = &destination;
	policy.destinations_count = 1;
	assert_finding(&policy, NULL, "E204", NULL, 0);
	destination.ports.count++;
	assert_finding(&policy, NULL, "E204", "more than 64 port ranges", 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(directories_above_a_guard_keep_their_names),
		cmocka_unit_test(directories_above_what_the_policy_forbids_keep_their_names),
		cmocka_unit_test(directories_above_a_program_keep_their_names),
		cmocka_unit_test(directories_above_a_floor_keep_their_names),
		cmocka_unit_test(what_stands_for_two_stars_may_be_moved),
		cmocka_unit_test(two_patterns_of_one_trie_do_not_disturb_each_other),
		cmocka_unit_test(never_rules_are_named_by_access),
		cmocka_unit_test(a_rule_inside_another_is_reported),
		cmocka_unit_test(a_rule_that_adds_one_path_is_not_reported),
		cmocka_unit_test(rules_of_other_tools_and_presets_do_not_count),
		cmocka_unit_test(a_helper_inside_another_is_reported),
		cmocka_unit_test(more_port_ranges_than_the_verdict_reads_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
