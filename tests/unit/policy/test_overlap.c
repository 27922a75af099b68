/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "policy/overlap.h"

/* A pattern against a text, byte by byte: the definition. */
static bool fits(const char *pattern, const char *text, bool component)
{
	if (strcmp(pattern, "**") == 0 && !component)
		return true;
	if (*pattern == '*') {
		for (;; text++) {
			if (fits(pattern + 1, text, true))
				return true;
			if (!*text || *text == '/')
				return false;
		}
	}
	if (!*pattern || !*text)
		return !*pattern && !*text;
	if (*pattern != *text && (*pattern != '?' || *text == '/'))
		return false;
	return fits(pattern + 1, text + 1, *text != '/');
}

static void random_text(char *text, size_t most, const char *letters, unsigned int *seed)
{
	size_t length = (size_t)rand_r(seed) % most;

	*text++ = '/';
	for (size_t i = 0; i < length; i++)
		*text++ = letters[(size_t)rand_r(seed) % strlen(letters)];
	*text = '\0';
}

static void patterns_meet_where_some_text_fits_both(void **state)
{
	assert_true(bh_patterns_meet("/a", "/a"));
	assert_false(bh_patterns_meet("/a", "/b"));
	assert_false(bh_patterns_meet("/a", "/ab"));
	assert_true(bh_patterns_meet("/a*", "/*b"));
	assert_false(bh_patterns_meet("/a*", "/b*"));
	assert_false(bh_patterns_meet("/*", "/a/b"));
	assert_true(bh_patterns_meet("/x/**", "/x/a/b"));
	assert_false(bh_patterns_meet("/x/**", "/xa/b"));
	assert_true(bh_patterns_meet("/x/**", "/*/b-*.scope"));
	assert_true(bh_patterns_meet("agent@*.service", "agent@?.service"));
	assert_false(bh_patterns_meet("agent@*.service", "agents@*.service"));
	assert_true(bh_patterns_meet("*a*a*a*a*a*a*a*a*", "*b*b*b*b*b*b*b*b*"));
}

/* 200,000 random pairs and texts: never "disjoint" where a text fits both. */
static void no_text_fits_two_patterns_that_do_not_meet(void **state)
{
	unsigned int seed = 7, both = 0;

	for (unsigned int i = 0; i < 200000; i++) {
		char a[16], b[16], text[16];

		random_text(a, 6, "ab*/?", &seed);
		random_text(b, 6, "ab*/?", &seed);
		random_text(text, 6, "ab/", &seed);
		if (strstr(a, "**") || strstr(b, "**"))
			continue;
		if (i % 3 == 0)
			strcat(a, "/**");
		if (!fits(a, text, true) || !fits(b, text, true))
			continue;
		both++;
		if (!bh_patterns_meet(a, b) || !bh_patterns_meet(b, a))
			fail_msg("%s fits %s and %s", text, a, b);
	}
	assert_true(both > 500);
}

static struct bh_select_term term(uint8_t field, const char *label, const char *value)
{
	return (struct bh_select_term){ field,
					{ (char *)(uintptr_t)label, { 0 } },
					{ (char *)(uintptr_t)value, { 0 } } };
}

static bool meet(struct bh_select_term *a, size_t a_count, struct bh_select_term *b, size_t b_count)
{
	struct bh_select_clause one = { .terms = a, .count = a_count }, two = { .terms = b, .count = b_count };
	struct bh_select first = { .given = true, .priority = 100, .any = &one, .count = 1 };
	struct bh_select second = { .given = true, .priority = 100, .any = &two, .count = 1 };
	bool found = bh_select_meets(&first, &second) == &two;

	assert_true(found == (bh_select_meets(&second, &first) == &one));
	second.priority = 101;
	assert_null(bh_select_meets(&first, &second));
	second.priority = 100;
	second.given = false;
	assert_null(bh_select_meets(&first, &second));
	return found;
}

static void clauses_are_disjoint_by_one_field_that_cannot_hold_for_both(void **state)
{
	struct bh_select_term coder[] = { term(BH_SELECT_NAMESPACE, NULL, "agents"),
					  term(BH_SELECT_POD_LABEL, "app", "coder"),
					  term(BH_SELECT_POD_CONTAINER, NULL, "main"),
					  term(BH_SELECT_POD_CONTAINER, NULL, "side") };
	struct bh_select_term same_app[] = { term(BH_SELECT_POD_LABEL, "app", "coder") };
	struct bh_select_term other_app[] = { term(BH_SELECT_POD_LABEL, "app", "web") };
	struct bh_select_term other_key[] = { term(BH_SELECT_POD_LABEL, "tier", "web") };
	struct bh_select_term side[] = { term(BH_SELECT_POD_CONTAINER, NULL, "side") };
	struct bh_select_term elsewhere[] = { term(BH_SELECT_POD_CONTAINER, NULL, "x"),
					      term(BH_SELECT_POD_CONTAINER, NULL, "y") };
	struct bh_select_term two_labels[] = { term(BH_SELECT_POD_LABEL, "tier", "web"),
					       term(BH_SELECT_POD_LABEL, "app", "web") };
	struct bh_select_term name[] = { term(BH_SELECT_NAME, NULL, "coder") };
	struct bh_select_term scope[] = { term(BH_SELECT_CGROUP, NULL, "/a/*.scope") };
	struct bh_select_term slice[] = { term(BH_SELECT_CGROUP, NULL, "/a/x.slice") };

	assert_true(meet(coder, BH_COUNT_OF(coder), same_app, 1));
	assert_false(meet(coder, BH_COUNT_OF(coder), other_app, 1));
	assert_true(meet(coder, BH_COUNT_OF(coder), other_key, 1));
	assert_true(meet(coder, BH_COUNT_OF(coder), side, 1));
	assert_false(meet(coder, BH_COUNT_OF(coder), elsewhere, 2));
	assert_false(meet(coder, BH_COUNT_OF(coder), two_labels, 2));
	assert_true(meet(coder, BH_COUNT_OF(coder), name, 1));
	assert_false(meet(scope, 1, slice, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_meet_where_some_text_fits_both),
		cmocka_unit_test(no_text_fits_two_patterns_that_do_not_meet),
		cmocka_unit_test(clauses_are_disjoint_by_one_field_that_cannot_hold_for_both),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
