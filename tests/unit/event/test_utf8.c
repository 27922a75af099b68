// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "event/utf8.h"

#define BAD "\xef\xbf\xbd"

static const struct row {
	const char *in;
	const char *out;
} rows[] = {
	{ "", "" },
	{ "plain", "plain" },
	{ "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80" },
	{ "\x80", BAD },
	{ "a\xff"
	  "b",
	  "a" BAD "b" },
	{ "\xc0\xaf", BAD BAD }, /* overlong slash */
	{ "\xe0\x80\xaf", BAD BAD BAD }, /* overlong, three bytes */
	{ "\xf0\x80\x80\xaf", BAD BAD BAD BAD },
	{ "\xed\xa0\x80", BAD BAD BAD }, /* surrogate */
	{ "\xed\x9f\xbf", "\xed\x9f\xbf" }, /* last before the surrogates */
	{ "\xee\x80\x80", "\xee\x80\x80" }, /* first after them */
	{ "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf" }, /* U+10FFFF */
	{ "\xf4\x90\x80\x80", BAD BAD BAD BAD }, /* U+110000 */
	{ "\xf5\x80", BAD BAD },
	{ "x\xe2\x82", "x" BAD }, /* cut tail */
	{ "x\xf0\x9f\x98", "x" BAD },
	{ "\xe2\x82"
	  "A",
	  BAD "A" }, /* cut in the middle eats nothing that follows */
	{ "\xc3\xc3\xa9", BAD "\xc3\xa9" },
};

static void bad_bytes_become_the_replacement_character(void **state)
{
	char out[64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t length = bh_utf8_repair(rows[i].in, strlen(rows[i].in), out, sizeof(out));

		assert_string_equal(out, rows[i].out);
		assert_int_equal(length, strlen(rows[i].out));
	}
}

static void short_room_keeps_whole_characters(void **state)
{
	char out[4];

	assert_int_equal(bh_utf8_repair("ab\xe2\x82\xac", 5, out, sizeof(out)), 2);
	assert_string_equal(out, "ab");
	assert_int_equal(bh_utf8_repair("\xe2\x82\xac", 3, out, sizeof(out)), 3);
	assert_int_equal(bh_utf8_repair("\xff\xff", 2, out, sizeof(out)), 3);
	assert_int_equal(bh_utf8_repair("a", 1, out, 1), 0);
	assert_string_equal(out, "");
}

static void a_nul_of_an_abstract_name_is_shown_as_at(void **state)
{
	char out[16];

	assert_int_equal(bh_utf8_repair("\0bus\0x", 6, out, sizeof(out)), 6);
	assert_string_equal(out, "@bus@x");
}

static void repaired_text_is_stable(void **state)
{
	char once[64], twice[64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t length = bh_utf8_repair(rows[i].in, strlen(rows[i].in), once, sizeof(once));

		bh_utf8_repair(once, length, twice, sizeof(twice));
		assert_string_equal(once, twice);
	}
}

static void escaping_leaves_only_printable_ascii(void **state)
{
	unsigned char all[256];
	char out[BH_ESCAPE_ROOM(sizeof(all))];
	size_t length;

	for (size_t i = 0; i < sizeof(all); i++)
		all[i] = (unsigned char)i;
	length = bh_escape(all, sizeof(all), false, out, sizeof(out));
	assert_int_equal(length, strlen(out));
	for (const char *at = out; *at; at++)
		assert_true(*at > ' ' && *at < 0x7f);
	bh_escape("a b\\\033[2J\x9b", 9, false, out, sizeof(out));
	assert_string_equal(out, "a\\x20b\\x5c\\x1b[2J\\x9b");
	bh_escape("a b", 3, true, out, sizeof(out));
	assert_string_equal(out, "a b");
}

static void a_cut_escape_ends_in_dots_and_never_in_half_an_escape(void **state)
{
	char out[32];

	assert_int_equal(bh_escape("0123456789", 10, false, out, 8), 7);
	assert_string_equal(out, "0123...");
	bh_escape("0123\n56789", 10, false, out, 10);
	assert_string_equal(out, "0123...");
	bh_escape("0123456", 7, false, out, 8);
	assert_string_equal(out, "0123456");
	for (size_t size = 8; size < sizeof(out); size++)
		assert_true(bh_escape("\n\n\n\n\n\n\n\n\n\n", 10, false, out, size) < size);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_bytes_become_the_replacement_character),
		cmocka_unit_test(short_room_keeps_whole_characters),
		cmocka_unit_test(a_nul_of_an_abstract_name_is_shown_as_at),
		cmocka_unit_test(repaired_text_is_stable),
		cmocka_unit_test(escaping_leaves_only_printable_ascii),
		cmocka_unit_test(a_cut_escape_ends_in_dots_and_never_in_half_an_escape),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
