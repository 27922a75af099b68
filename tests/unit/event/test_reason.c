// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "event/describe.h"
#include "tests/unit/event/sample.h"

static void reasons_keep_their_public_code_and_class(void **state)
{
	assert_string_equal(bh_reason_code(BH_REASON_X1), "X1");
	assert_int_equal(bh_reason_class(BH_REASON_X1), BH_CLASS_EXEC);
	assert_string_equal(bh_reason_code(30), "N0");
	assert_int_equal(bh_reason_class(BH_REASON_N0), BH_CLASS_FLOOR);
	assert_string_equal(bh_reason_code(63), "R3");
	assert_string_equal(bh_reason_text(BH_REASON_F2), "no rule of this tool lists this file");
}

static void unknown_reasons_have_no_code_class_or_label(void **state)
{
	const unsigned int unknown[] = { 0, 3, 29, 99, 65535, 4000000000u };

	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		assert_string_equal(bh_reason_code(unknown[i]), "?");
		assert_string_equal(bh_reason_text(unknown[i]), "unknown reason");
		assert_int_equal(bh_reason_class(unknown[i]), 0);
		assert_null(bh_reason_owasp(unknown[i])[0]);
		assert_null(bh_reason_mitre(unknown[i])[0]);
	}
}

static void every_kind_has_its_name(void **state)
{
	assert_null(bh_kind_name(0));
	for (unsigned int kind = BH_KIND_EXEC; kind <= BH_KIND_LAST; kind++)
		assert_non_null(bh_kind_name(kind));
	assert_null(bh_kind_name(BH_KIND_LAST + 1));
	assert_string_equal(bh_kind_name(BH_KIND_UNIX_CONNECT), "unix_connect");
}

static void labels_name_the_catalogue_entry(void **state)
{
	assert_string_equal(bh_reason_owasp(BH_REASON_X1)[0], "ASI05");
	assert_string_equal(bh_reason_owasp(BH_REASON_N0)[0], "ASI03");
	assert_string_equal(bh_reason_mitre(BH_REASON_N0)[0], "T1552.005");
	assert_null(bh_reason_mitre(BH_REASON_N0)[1]);
}

static void severity_follows_class_and_response(void **state)
{
	static const struct {
		uint8_t kind, wanted;
		uint16_t reason;
		const char *severity;
	} rows[] = {
		{ BH_KIND_EXEC, BH_VERDICT_DENY, BH_REASON_X1, "high" },
		{ BH_KIND_EXEC, BH_VERDICT_KILL, BH_REASON_X1, "critical" },
		{ BH_KIND_CONNECT, BH_VERDICT_DENY, BH_REASON_N2, "high" },
		{ BH_KIND_CONNECT, BH_VERDICT_DENY, BH_REASON_N0, "critical" },
		{ BH_KIND_FILE_OPEN, BH_VERDICT_DENY, BH_REASON_F2, "medium" },
		{ BH_KIND_FILE_OPEN, BH_VERDICT_DENY, BH_REASON_R1, "critical" },
		{ BH_KIND_NAMESPACE, BH_VERDICT_DENY, BH_REASON_C2, "high" },
		{ BH_KIND_EXIT, BH_VERDICT_ALLOW, BH_REASON_NONE, "info" },
	};
	static struct bh_event event;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		sample_event(&event, rows[i].kind, rows[i].reason, NULL);
		event.verdict = event.wanted = rows[i].wanted;
		assert_string_equal(bh_event_severity(&event), rows[i].severity);
		event.verdict = BH_VERDICT_ALLOW; /* observe mode: as severe */
		assert_string_equal(bh_event_severity(&event), rows[i].severity);
	}
}

static void times_are_utc_and_stay_within_four_digit_years(void **state)
{
	char when[BH_TIME_LEN];

	bh_event_time(0, 0, when);
	assert_string_equal(when, "1970-01-01T00:00:00.000000000Z");
	bh_event_time(5, INT64_MIN, when);
	assert_string_equal(when, "1970-01-01T00:00:00.000000000Z");
	bh_event_time(UINT64_MAX, INT64_MAX, when);
	assert_int_equal(strlen(when), 30);
	bh_event_time(1000000123, 1795953600000000000, when);
	assert_string_equal(when, "2026-11-29T12:00:01.000000123Z");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reasons_keep_their_public_code_and_class),
		cmocka_unit_test(unknown_reasons_have_no_code_class_or_label),
		cmocka_unit_test(every_kind_has_its_name),
		cmocka_unit_test(labels_name_the_catalogue_entry),
		cmocka_unit_test(severity_follows_class_and_response),
		cmocka_unit_test(times_are_utc_and_stay_within_four_digit_years),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
