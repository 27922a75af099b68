// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "tests/unit/detect/watched.h"

static void entropy_is_that_of_the_definition(void **state)
{
	static const char *const labels[] = { "",
					      "a",
					      "aa",
					      "ab",
					      "aab",
					      "www",
					      "example",
					      "0123456789abcdef",
					      "x4k9q2z",
					      "aaaab",
					      "mississippi-delta",
					      "q8w7e6r5t4y3u2i1o0p9a8s7d6f5g4h3" };

	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		size_t length = strlen(labels[i]);
		double want = 0;

		for (int byte = 0; byte < 256; byte++) {
			double times = 0;

			for (size_t j = 0; j < length; j++)
				times += (unsigned char)labels[i][j] == byte;
			if (times > 0)
				want -= times / (double)length * log2(times / (double)length);
		}
		assert_true(fabs(bh_entropy(labels[i], length) - want * 100) <= 1.5);
	}
}

static void only_a_label_is_looked_at(void **state)
{
	char label[300];

	memset(label, 'a', sizeof(label));
	label[200] = 'b';
	assert_int_equal(bh_entropy(label, sizeof(label)), 0);
}

static void keys_differ_by_seed_length_and_bytes(void **state)
{
	assert_true(bh_key(0, "abc", 3) != bh_key(1, "abc", 3));
	assert_true(bh_key(0, "abc", 3) != bh_key(0, "abd", 3));
	assert_true(bh_key(0, "abc\0", 4) != bh_key(0, "abc", 3));
	assert_true(bh_key(0, "", 0) != 0);
	assert_true(bh_key(0, "12345678", 8) != bh_key(0, "123456789", 9));
}

static void a_set_knows_what_was_put_in(void **state)
{
	static uint64_t slots[64];

	for (uint64_t i = 1; i <= 16; i++)
		assert_true(bh_keys_add(slots, 64, bh_key(i, "", 0)));
	for (uint64_t i = 1; i <= 16; i++)
		assert_true(bh_keys_has(slots, 64, bh_key(i, "", 0)));
	assert_false(bh_keys_has(slots, 64, bh_key(17, "", 0)));
	assert_false(bh_keys_add(slots, 64, bh_key(16, "", 0)));
}

static void what_was_used_longest_ago_goes_first(void **state)
{
	uint64_t slots[BH_KEY_WAYS] = { 0 };

	for (uint64_t key = 1; key <= 4; key++)
		bh_keys_add(slots, BH_KEY_WAYS, key);
	assert_false(bh_keys_add(slots, BH_KEY_WAYS, 1)); /* used again */
	assert_true(bh_keys_add(slots, BH_KEY_WAYS, 5));
	assert_true(bh_keys_has(slots, BH_KEY_WAYS, 1));
	assert_false(bh_keys_has(slots, BH_KEY_WAYS, 2));
}

static void every_signal_and_detection_has_its_words(void **state)
{
	unsigned int signals = 0;

	for (unsigned int i = 0; i < BH_WATCH_MOST; i++) {
		if (!bh_signal_forms[i].name)
			continue;
		assert_non_null(strchr(bh_signal_forms[i].name, '.'));
		signals++;
	}
	assert_int_equal(signals, 30);
	for (unsigned int i = 1; i < BH_DETECTIONS; i++) {
		assert_non_null(bh_detections[i].name);
		assert_true(bh_detections[i].meaning[strlen(bh_detections[i].meaning) - 1] != '.');
		assert_true(!bh_detections[i].mitre || bh_detections[i].mitre[0] == 'T');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entropy_is_that_of_the_definition),
		cmocka_unit_test(only_a_label_is_looked_at),
		cmocka_unit_test(keys_differ_by_seed_length_and_bytes),
		cmocka_unit_test(a_set_knows_what_was_put_in),
		cmocka_unit_test(what_was_used_longest_ago_goes_first),
		cmocka_unit_test(every_signal_and_detection_has_its_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
