/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"

static void setting_returns_the_negative_error(void **state)
{
	struct bh_err err = { 0 };

	assert_int_equal(bh_err_set(&err, EINVAL, "line %d is odd", 7), -EINVAL);
	assert_string_equal(err.text, "line 7 is odd");
	assert_string_equal(err.hint, "");
}

static void setting_forgets_the_earlier_text_and_hint(void **state)
{
	struct bh_err err = { 0 };

	bh_err_set(&err, EINVAL, "first");
	bh_err_hint(&err, "try %s", "again");
	assert_string_equal(err.hint, "try again");
	bh_err_set(&err, ENOENT, "second");
	assert_string_equal(err.text, "second");
	assert_string_equal(err.hint, "");
}

static void goals_stack_up_in_front_of_the_fact(void **state)
{
	struct bh_err err = { 0 };

	bh_err_set(&err, ENOENT, "no such file");
	assert_int_equal(bh_err_goal(&err, -ENOENT, "cannot read %s", "p.yaml"), -ENOENT);
	assert_int_equal(bh_err_goal(&err, -ENOENT, "cannot start"), -ENOENT);
	assert_string_equal(err.text, "cannot start: cannot read p.yaml: no such file");
}

static void a_goal_keeps_the_hint(void **state)
{
	struct bh_err err = { 0 };

	bh_err_set(&err, EPERM, "refused");
	bh_err_hint(&err, "run as root");
	bh_err_goal(&err, -EPERM, "cannot load");
	assert_string_equal(err.hint, "run as root");
}

static void nobody_has_to_want_the_words(void **state)
{
	assert_int_equal(bh_err_set(NULL, EIO, "unheard"), -EIO);
	bh_err_hint(NULL, "unheard");
	assert_int_equal(bh_err_goal(NULL, -EIO, "unheard"), -EIO);
}

static void too_long_a_text_is_cut_and_still_ends(void **state)
{
	char longer[2000];
	struct bh_err err;

	memset(&err, 'x', sizeof(err));
	memset(longer, 'a', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	bh_err_set(&err, E2BIG, "%s", longer);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	bh_err_hint(&err, "%s", longer);
	assert_int_equal(strlen(err.hint), sizeof(err.hint) - 1);
	bh_err_goal(&err, -E2BIG, "%s", longer);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	bh_err_set(&err, E2BIG, "fact");
	bh_err_goal(&err, -E2BIG, "%.1020s", longer);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_int_equal(err.text[1020], ':');
}

static void a_percent_sign_in_the_fact_is_only_text(void **state)
{
	struct bh_err err = { 0 };

	bh_err_set(&err, EINVAL, "%s", "100%n%s");
	bh_err_goal(&err, -EINVAL, "goal");
	assert_string_equal(err.text, "goal: 100%n%s");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(setting_returns_the_negative_error),
		cmocka_unit_test(setting_forgets_the_earlier_text_and_hint),
		cmocka_unit_test(goals_stack_up_in_front_of_the_fact),
		cmocka_unit_test(a_goal_keeps_the_hint),
		cmocka_unit_test(nobody_has_to_want_the_words),
		cmocka_unit_test(too_long_a_text_is_cut_and_still_ends),
		cmocka_unit_test(a_percent_sign_in_the_fact_is_only_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
