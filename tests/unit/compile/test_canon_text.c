// SPDX-License-Identifier: GPL-2.0-only
/* Canonical text that is written at once is the text that jansson makes of the same values. */
#include "tests/unit/compile/build.h"

#include "compile/canon_parts.h"

static uint64_t seed = 7;

static uint32_t roll(uint32_t sides)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % sides;
}

static void assert_same_text(const struct bh_rule *rule)
{
	json_t *value = bh_canon_condition(rule);
	char *want = bh_canon_text(value), *got = bh_canon_condition_text(rule);

	assert_true(want && got);
	assert_string_equal(got, want);
	json_decref(value);
	free(want);
	free(got);
}

static void conditions_are_written_as_values_are(void **state)
{
	static const char bytes[] = "ab/*?.\"\\'{}[]:,~ \t\x7f\xc3\xa9";

	for (uint32_t i = 0; i < 5000; i++) {
		char path[40] = "/";
		struct bh_rule rule = { .class = BH_RULE_FILE, .path = path };
		uint32_t length = roll(30);

		for (uint32_t k = 1; k <= length; k++)
			path[k] = bytes[roll(i % 2 ? 16 : 18)];
		if (i % 8 == 0)
			strcat(path, "\xc3\xa9");
		rule.access = (uint8_t)(roll(3) == 0 ? BH_ACCESS_LOAD : 1 + roll(2));
		rule.reason = roll(5) ? NULL : "because";
		assert_same_text(&rule);
		rule.class = BH_RULE_EXEC;
		rule.reason = NULL;
		rule.to = roll(2) ? "tool" : NULL;
		assert_same_text(&rule);
	}
}

static void a_policy_is_canonical_json_as_a_whole(void **state)
{
	static struct bh_tool tools[2];
	struct bh_source_policy policy;
	struct bh_compiled *compiled;
	json_t *value;
	char *text;
	size_t length;

	tools[0] = build_tool((struct build_tool){ .name = "rules",
						   .binaries = "/bin/a",
						   .may_run = "b",
						   .read = "/\"rules\":[] /x\\y /z",
						   .write = "/w" });
	tools[1] = build_tool((struct build_tool){ .name = "b", .binaries = "/bin/b" });
	policy = build_policy(tools, 2);
	compiled = build_compile(&policy, NULL, NULL, NULL);
	value = json_loads(bh_compiled_json(compiled, &length), JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(value);
	text = bh_canon_text(value);
	assert_string_equal(text, bh_compiled_json(compiled, NULL));
	assert_int_equal(length, strlen(text));
	assert_int_equal(json_array_size(json_object_get(value, "rules")), bh_compiled_rules_count(compiled));
	for (size_t i = 0; i < bh_compiled_rules_count(compiled); i++) {
		char *rule = bh_canon_text(json_array_get(json_object_get(value, "rules"), i));

		assert_string_equal(rule, bh_compiled_rule(compiled, i)->json);
		free(rule);
	}
	free(text);
	json_decref(value);
	bh_compiled_free(compiled);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions_are_written_as_values_are),
		cmocka_unit_test(a_policy_is_canonical_json_as_a_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
