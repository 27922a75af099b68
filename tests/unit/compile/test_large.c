// SPDX-License-Identifier: GPL-2.0-only
/* Policies of twenty thousand rules: cells in several chunks, and what they say against the definition. */
#include "tests/unit/compile/build.h"

#include "tests/bench/large.h"
#include "bpf/lib/decide.h"
#include "tests/bpf/difference.h"

#define RULES 20000u

static struct bh_shipped *shipped;
static struct bh_floor_net floor_net;

static int set_up(void **state)
{
	return bh_shipped_load(&shipped, NULL) || bh_floor_compile(shipped, &floor_net, NULL) ? -1 : 0;
}

static int tear_down(void **state)
{
	bh_shipped_free(shipped);
	return 0;
}

static struct bh_compiled *compile_large(char kind, uint32_t rules)
{
	struct large *large = large_new(kind, rules);
	struct bh_diags *diags = bh_diags_new("large", "", 0);
	struct bh_compiled *compiled = NULL;

	assert_true(large && diags);
	assert_int_equal(bh_compile(&large->policy, shipped, NULL, diags, &compiled), 0);
	assert_true(bh_compiled_rules_count(compiled) >= rules);
	bh_diags_free(diags);
	large_free(large);
	return compiled;
}

/* How often a walk goes to another chunk. */
static uint32_t changes(const struct bh_policy *policy, const char *text)
{
	static struct bh_path_bytes bytes;
	uint32_t length = (uint32_t)strlen(text), at = policy->head.path_start, count = 0;

	if (length > BH_PATH_MAX)
		return 0;
	memcpy(bytes.bytes, text, length);
	for (uint32_t i = 0; i < length; i++) {
		uint32_t next = bh_walk_path(policy, &bytes, at, i, i + 1);

		count += next / BH_CHUNK_CELLS != at / BH_CHUNK_CELLS;
		at = next;
	}
	return count;
}

static void agrees(char kind, uint32_t questions)
{
	static const uint32_t kinds[] = { BH_KIND_FILE_OPEN, BH_KIND_EXEC, BH_KIND_FILE_OPEN, BH_KIND_MMAP_EXEC };
	struct subject subject = { compile_large(kind, RULES), shipped };
	const struct bh_policy *policy = bh_compiled_tables(subject.compiled);
	struct bh_exam exam = { subject.compiled, shipped, &floor_net };
	static struct question question;
	uint32_t allowed = 0, changed = 0;

	for (uint32_t i = 0; i < questions; i++) {
		struct bh_question got, want;
		struct bh_asked asked;
		char text[6000];

		random_question(&subject, kinds[i % 4], &question);
		got = want = question_of(&question);
		asked = texts_of(&question);
		assert_int_equal(bh_ask_tables(&exam, &got, &asked), 0);
		assert_int_equal(bh_ask_definition(&exam, &want, &asked), 0);
		if (!same_answer(&got, &want)) {
			describe_difference(&question, "the tables", &got, &want, text, sizeof(text));
			fail_msg("%s", text);
		}
		allowed += !got.reason;
		changed += changes(policy, question.path);
	}
	print_message("%c: %u cells in %u chunks, %u questions, %u allowed, %u changes of the chunk\n", kind,
		      policy->head.cells, policy->head.chunks, questions, allowed, changed);
	assert_true(allowed > questions / 20);
	assert_true(policy->head.blocks > 1);
	assert_true(changed < 2 * questions); /* else the layout scatters what a path walks through */
	bh_compiled_free(subject.compiled);
}

static void many_files_agree_with_the_definition(void **state)
{
	agrees(LARGE_FILES, 400);
}

static void many_partial_patterns_agree_with_the_definition(void **state)
{
	agrees(LARGE_MIXED, 600);
}

/* Each of them has a rule number of its own, and so a meaning of its own. */
static void many_prohibitions_agree_with_the_definition(void **state)
{
	agrees(LARGE_NEVER, 400);
}

static void the_order_of_many_rules_changes_nothing(void **state)
{
	struct large *large = large_new(LARGE_MIXED, 3000);
	struct bh_words *read;
	struct bh_diags *diags = bh_diags_new("large", "", 0);
	struct bh_compiled *first = compile_large(LARGE_MIXED, 3000), *again = NULL;

	assert_true(large && diags);
	read = &large->tools[0].read;
	for (size_t i = 0; i < read->count / 2; i++) {
		struct bh_word other = read->items[i];

		read->items[i] = read->items[read->count - 1 - i];
		read->items[read->count - 1 - i] = other;
	}
	assert_int_equal(bh_compile(&large->policy, shipped, NULL, diags, &again), 0);
	assert_string_equal(bh_compiled_hash(first), bh_compiled_hash(again));
	assert_memory_equal(bh_compiled_tables(first), bh_compiled_tables(again),
			    bh_policy_bytes(bh_compiled_tables(first)));
	bh_compiled_free(first);
	bh_compiled_free(again);
	bh_diags_free(diags);
	large_free(large);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_files_agree_with_the_definition),
		cmocka_unit_test(many_partial_patterns_agree_with_the_definition),
		cmocka_unit_test(many_prohibitions_agree_with_the_definition),
		cmocka_unit_test(the_order_of_many_rules_changes_nothing),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
