/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/diag.h"

#define ERROR BH_SEVERITY_ERROR

static struct bh_loc at(uint32_t line, uint32_t column, uint32_t width)
{
	return (struct bh_loc){ .line = line, .column = column, .width = width };
}

/* The caller frees *ret_text. */
static void print_to(const struct bh_diags *diags, bool colour, char **ret_text)
{
	size_t length;
	FILE *out = open_memstream(ret_text, &length);

	assert_non_null(out);
	bh_diags_print(diags, out, colour);
	fclose(out);
}

static void expect_one(const char *source, struct bh_loc loc, const char *hint, const char *wanted)
{
	struct bh_diags *diags = bh_diags_new("p.yaml", source, strlen(source));
	BH_FREE char *got = NULL;

	assert_non_null(diags);
	bh_diag_add(diags, ERROR, "E110", loc, hint, "unknown key '%s' in spec", "tool");
	print_to(diags, false, &got);
	assert_string_equal(got, wanted);
	bh_diags_free(diags);
}

static void a_finding_shows_place_line_caret_and_hint(void **state)
{
	expect_one("spec:\n  tool: x\n", at(2, 3, 4), "did you mean 'tools'?",
		   "p.yaml:2:3: error[E110]: unknown key 'tool' in spec\n"
		   "  tool: x\n"
		   "  ^~~~\n"
		   "    help: did you mean 'tools'?\n");
}

static void a_finding_without_hint_or_place_is_one_line(void **state)
{
	expect_one("spec:\n", at(0, 0, 0), NULL, "p.yaml: error[E110]: unknown key 'tool' in spec\n");
}

static void a_place_beyond_the_text_has_no_source_line(void **state)
{
	expect_one("spec:\n", at(9, 1, 1), NULL, "p.yaml:9:1: error[E110]: unknown key 'tool' in spec\n");
}

static void a_caret_beyond_the_line_stops_at_its_end(void **state)
{
	expect_one("ab\n", at(1, 900, 900), NULL, "p.yaml:1:900: error[E110]: unknown key 'tool' in spec\nab\n  ^\n");
}

static void terminal_escapes_in_the_source_line_are_not_printed(void **state)
{
	expect_one("\t\x1b[2J\xc3\xa9\xff\r\x7f tool\n", at(1, 10, 4), NULL,
		   "p.yaml:1:10: error[E110]: unknown key 'tool' in spec\n"
		   " ?[2J???? tool\n"
		   "         ^~~~\n");
}

static void terminal_escapes_in_names_texts_and_hints_are_escaped(void **state)
{
	struct bh_diags *diags = bh_diags_new("a\x1b[2J", "", 0);
	BH_FREE char *got = NULL;

	bh_diag_add(diags, ERROR, "E110", at(1, 1, 1), "\x07", "key '%s'", "\x1b]0;\xe2\x80\xae");
	print_to(diags, false, &got);
	assert_string_equal(got, "a\\x1b[2J:1:1: error[E110]: key '\\x1b]0;\\xe2\\x80\\xae'\n\n^\n    help: \\x07\n");
	bh_diags_free(diags);
}

static void a_long_text_is_cut(void **state)
{
	struct bh_diags *diags = bh_diags_new("p", "", 0);
	char key[5000];
	size_t length;

	memset(key, 'k', sizeof(key) - 1);
	key[sizeof(key) - 1] = '\0';
	bh_diag_add(diags, ERROR, "E110", at(1, 1, 1), key, "%s", key);
	length = strlen(bh_diags_get(diags, 0)->text);
	assert_in_range(length, 500, 520);
	assert_string_equal(bh_diags_get(diags, 0)->text + length - 3, "...");
	assert_in_range(strlen(bh_diags_get(diags, 0)->hint), 500, 520);
	bh_diags_free(diags);
}

static void a_long_line_is_cut_around_the_caret(void **state)
{
	char source[1001];
	struct bh_diags *diags;
	BH_FREE char *got = NULL;
	const char *line, *caret;

	memset(source, 'x', sizeof(source) - 1);
	source[sizeof(source) - 1] = '\0';
	source[700] = '!';
	diags = bh_diags_new("p", source, strlen(source));
	bh_diag_add(diags, ERROR, "E110", at(1, 701, 100000), NULL, "found");
	print_to(diags, false, &got);
	line = strchr(got, '\n') + 1;
	caret = strchr(line, '\n') + 1;
	assert_int_equal(strcspn(line, "!"), strcspn(caret, "^"));
	assert_in_range(strcspn(line, "\n"), 100, 126);
	assert_true(strcspn(caret, "\n") <= strcspn(line, "\n"));
	bh_diags_free(diags);
}

static void findings_come_in_source_order(void **state)
{
	struct bh_diags *diags = bh_diags_new("p", "", 0);

	bh_diag_add(diags, ERROR, "E3", at(2, 5, 1), NULL, "third");
	bh_diag_add(diags, ERROR, "E1", at(1, 9, 1), NULL, "first");
	bh_diag_add(diags, BH_SEVERITY_WARNING, "W4", at(2, 5, 1), NULL, "fourth");
	bh_diag_add(diags, BH_SEVERITY_NOTE, "N2", at(2, 1, 1), NULL, "second");
	assert_string_equal(bh_diags_get(diags, 0)->text, "first");
	assert_string_equal(bh_diags_get(diags, 1)->text, "second");
	assert_string_equal(bh_diags_get(diags, 2)->text, "third");
	assert_string_equal(bh_diags_get(diags, 3)->text, "fourth");
	assert_null(bh_diags_get(diags, 4));
	assert_int_equal(bh_diags_errors(diags), 2);
	assert_int_equal(bh_diags_warnings(diags), 1);
	bh_diags_free(diags);
}

static void the_fifty_first_error_is_counted_but_not_kept(void **state)
{
	struct bh_diags *diags = bh_diags_new("p", "", 0);
	BH_FREE char *got = NULL;

	for (uint32_t i = 1; i <= 53; i++)
		bh_diag_add(diags, ERROR, "E1", at(i, 1, 1), NULL, "finding");
	bh_diag_add(diags, BH_SEVERITY_WARNING, "W1", at(1, 1, 1), NULL, "a warning has its own room");
	assert_int_equal(bh_diags_errors(diags), 53);
	assert_int_equal(bh_diags_count(diags), 51);
	print_to(diags, false, &got);
	assert_non_null(strstr(got, "p: 3 more errors not shown\n"));
	bh_diags_free(diags);
}

static void errors_may_be_fewer_but_warnings_are_not(void **state)
{
	struct bh_diags *diags = bh_diags_new("p", "", 0);
	BH_FREE char *got = NULL;

	bh_diags_keep_errors(diags, 20);
	bh_diags_keep_errors(diags, 30);
	for (unsigned int i = 0; i < 22; i++) {
		bh_diag_add(diags, BH_SEVERITY_ERROR, "E1", (struct bh_loc){ 1, 1, 1 }, NULL, "error");
		bh_diag_add(diags, BH_SEVERITY_WARNING, "W1", (struct bh_loc){ 1, 1, 1 }, NULL, "warning");
	}
	assert_int_equal(bh_diags_count(diags), 20 + 22);
	assert_int_equal(bh_diags_errors(diags), 22);
	print_to(diags, false, &got);
	assert_non_null(strstr(got, "p: 2 more errors not shown\n"));
	assert_null(strstr(got, "more warnings"));
	bh_diags_free(diags);
}

static void colour_is_only_there_when_asked_for(void **state)
{
	struct bh_diags *diags = bh_diags_new("p", "x\n", 2);
	BH_FREE char *plain = NULL, *coloured = NULL;

	bh_diag_add(diags, ERROR, "E1", at(1, 1, 1), NULL, "finding");
	print_to(diags, false, &plain);
	print_to(diags, true, &coloured);
	assert_null(strchr(plain, '\033'));
	assert_non_null(strchr(coloured, '\033'));
	bh_diags_free(diags);
}

static void freeing_nothing_is_fine(void **state)
{
	bh_diags_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_finding_shows_place_line_caret_and_hint),
		cmocka_unit_test(a_finding_without_hint_or_place_is_one_line),
		cmocka_unit_test(a_place_beyond_the_text_has_no_source_line),
		cmocka_unit_test(a_caret_beyond_the_line_stops_at_its_end),
		cmocka_unit_test(terminal_escapes_in_the_source_line_are_not_printed),
		cmocka_unit_test(terminal_escapes_in_names_texts_and_hints_are_escaped),
		cmocka_unit_test(a_long_text_is_cut),
		cmocka_unit_test(a_long_line_is_cut_around_the_caret),
		cmocka_unit_test(findings_come_in_source_order),
		cmocka_unit_test(the_fifty_first_error_is_counted_but_not_kept),
		cmocka_unit_test(errors_may_be_fewer_but_warnings_are_not),
		cmocka_unit_test(colour_is_only_there_when_asked_for),
		cmocka_unit_test(freeing_nothing_is_fine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
