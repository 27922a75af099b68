/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "policy/suggest.h"

static const char *best(const char *word)
{
	static const char *const known[] = { "tools", "entry", "mode", "presets", "read", "respond", "ls", "write" };
	struct bh_suggestion suggestion = { 0 };

	for (size_t i = 0; i < BH_COUNT_OF(known); i++)
		bh_suggest_offer(&suggestion, word, known[i]);
	return suggestion.best;
}

static void a_slip_finds_the_word_that_was_meant(void **state)
{
	assert_string_equal(best("tool"), "tools");
	assert_string_equal(best("raed"), "read");
	assert_string_equal(best("entyr"), "entry");
	assert_string_equal(best("prests"), "presets");
	assert_string_equal(best("respon"), "respond");
}

static void a_foreign_word_finds_nothing(void **state)
{
	char endless[5000];

	memset(endless, 'x', sizeof(endless) - 1);
	endless[sizeof(endless) - 1] = '\0';
	assert_null(best("colour"));
	assert_null(best("x"));
	assert_null(best(""));
	assert_null(best(endless));
}

static void equal_distance_goes_to_the_bytewise_smaller_word(void **state)
{
	struct bh_suggestion one = { 0 }, other = { 0 };
	char hint[64];

	bh_suggest_offer(&one, "cat", "bat");
	bh_suggest_offer(&one, "cat", "hat");
	bh_suggest_offer(&other, "cat", "hat");
	bh_suggest_offer(&other, "cat", "bat");
	assert_string_equal(one.best, "bat");
	assert_string_equal(other.best, "bat");
	assert_string_equal(bh_suggest_hint(&one, hint, sizeof(hint)), "did you mean 'bat'?");
}

static void without_a_suggestion_there_is_no_hint(void **state)
{
	struct bh_suggestion none = { 0 };
	char hint[64] = "untouched";

	assert_null(bh_suggest_hint(&none, hint, sizeof(hint)));
	assert_string_equal(hint, "untouched");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slip_finds_the_word_that_was_meant),
		cmocka_unit_test(a_foreign_word_finds_nothing),
		cmocka_unit_test(equal_distance_goes_to_the_bytewise_smaller_word),
		cmocka_unit_test(without_a_suggestion_there_is_no_hint),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
