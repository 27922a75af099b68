// SPDX-License-Identifier: GPL-2.0-only
/* No rule that speaks of a path is left out of those near it. */
#include "tests/unit/compile/build.h"

#include "compile/definition.h"
#include "compile/near.h"
#include "tests/bpf/questions.h"

static struct bh_shipped *shipped;

static int set_up(void **state)
{
	return bh_shipped_load(&shipped, NULL) ? -1 : 0;
}

static int tear_down(void **state)
{
	bh_shipped_free(shipped);
	return 0;
}

/* Does the pattern match, or is the path the directory that a tree lies in? */
static bool speaks_of(const struct bh_rule *rule, const char *path)
{
	char above[1100];
	size_t length;

	if (!bh_rule_has_pattern(rule))
		return false;
	length = strlen(rule->path);
	if (bh_pattern_matches(rule->path, path) || strcmp(rule->path, path) == 0)
		return true;
	if (length < 4 || strcmp(rule->path + length - 3, "/**") != 0)
		return false;
	snprintf(above, sizeof(above), "%.*s", (int)(length - 3), rule->path);
	return bh_pattern_matches(above, path) || strncmp(path, above, length - 2) == 0;
}

static uint32_t assert_near(const struct bh_compiled *compiled, const char *path)
{
	size_t count = bh_compiled_rules_count(compiled);
	bool *is_near = calloc(count, sizeof(*is_near));
	const struct bh_rule *rule, *last = NULL;
	struct bh_near near;
	uint32_t speakers = 0;

	assert_non_null(is_near);
	BH_FOR_EACH_NEAR(compiled, path, &near, rule)
	{
		assert_true(!last || rule > last);
		last = rule;
		is_near[rule - bh_compiled_rule(compiled, 0)] = true;
	}
	for (size_t i = 0; i < count; i++)
		if (speaks_of(bh_compiled_rule(compiled, i), path)) {
			if (!is_near[i])
				print_error("'%s' is left out for '%s'\n", bh_compiled_rule(compiled, i)->path, path);
			assert_true(is_near[i]);
			speakers++;
		}
	free(is_near);
	return speakers;
}

static void rules_that_speak_of_a_path_are_near_it(void **state)
{
	static struct question question;
	uint32_t speakers = 0;

	for (uint32_t i = 0; i < 60; i++) {
		struct subject subject = { compile_random(shipped), shipped };

		for (uint32_t k = 0; k < 300; k++) {
			random_question(&subject, k % 2 ? BH_KIND_EXEC : BH_KIND_FILE_OPEN, &question);
			speakers += assert_near(subject.compiled, question.path);
		}
		for (size_t k = 0; k < bh_compiled_rules_count(subject.compiled); k++)
			if (bh_rule_has_pattern(bh_compiled_rule(subject.compiled, k)))
				speakers += assert_near(subject.compiled, bh_compiled_rule(subject.compiled, k)->path);
		bh_compiled_free(subject.compiled);
	}
	print_message("%u times a rule spoke\n", speakers);
	assert_true(speakers > 10000);
}

/* More directories that rules begin with than there is room for: then all rules are near. */
static void a_very_deep_path_is_near_to_all(void **state)
{
	static struct bh_tool tools[1];
	struct bh_source_policy policy;
	struct bh_compiled *compiled;
	char list[8192] = "", path[256] = "";

	for (int i = 0; i < 60; i++) {
		strcat(path, "/a");
		sprintf(list + strlen(list), "%s%s/*", i ? " " : "", path);
	}
	tools[0] = build_tool((struct build_tool){ .name = "job", .binaries = "/bin/job", .read = list });
	policy = build_policy(tools, 1);
	compiled = build_compile(&policy, NULL, NULL, NULL);
	assert_near(compiled, "/a/a");
	assert_int_equal(assert_near(compiled, path), 1);
	strcat(path, "/b");
	assert_int_equal(assert_near(compiled, path), 1);
	assert_non_null(bh_rule_for_file(compiled, "job", BH_ACCESS_READ, path));
	bh_compiled_free(compiled);
}

static void walls_are_programs_and_prohibitions(void **state)
{
	static struct bh_tool tools[1];
	struct bh_source_policy policy;
	struct bh_compiled *compiled;
	const struct bh_rule *rule;
	size_t walls = 0;

	tools[0] = build_tool((struct build_tool){
		.name = "job", .binaries = "/bin/job", .helpers = "/bin/h", .read = "/a /b/**", .write = "/c" });
	policy = build_policy(tools, 1);
	policy.never_read = build_words("/b/x /b/y");
	policy.never_run = build_words("/bin/no");
	compiled = build_compile(&policy, NULL, NULL, NULL);
	for (; (rule = bh_compiled_wall(compiled, walls)); walls++)
		assert_true(rule->class == BH_RULE_EXEC || rule->then == BH_THEN_NEVER);
	assert_int_equal(walls, 5);
	bh_compiled_free(compiled);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules_that_speak_of_a_path_are_near_it),
		cmocka_unit_test(a_very_deep_path_is_near_to_all),
		cmocka_unit_test(walls_are_programs_and_prohibitions),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
