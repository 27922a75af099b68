/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "policy/quantity.h"

struct row {
	const char *text;
	uint64_t value;
	const char *fault; /* NULL: none */
};

#define MAX_TEXT "9007199254740991"
#define NOT_A_NUMBER "is not a number"
#define TOO_LARGE "is too large"

static void expect(const struct row *row, const char *fault, uint64_t value)
{
	if (!row->fault != !fault || (fault && strcmp(fault, row->fault) != 0))
		fail_msg("'%s': wanted '%s', got '%s'", row->text, row->fault ? row->fault : "", fault ? fault : "");
	if (!fault && value != row->value)
		fail_msg("'%s' is %llu", row->text, (unsigned long long)value);
}

static void counts_are_read(void **state)
{
	static const struct row rows[] = {
		{ "0", 0, NULL },
		{ "7", 7, NULL },
		{ MAX_TEXT, BH_QUANTITY_MAX, NULL },
		{ "9007199254740992", 0, TOO_LARGE },
		{ "18446744073709551617", 0, TOO_LARGE },
		{ "99999999999999999999999999999999999999999", 0, TOO_LARGE },
		{ "", 0, NOT_A_NUMBER },
		{ "-1", 0, NOT_A_NUMBER },
		{ "+1", 0, NOT_A_NUMBER },
		{ " 1", 0, NOT_A_NUMBER },
		{ "max", 0, NOT_A_NUMBER },
		{ "01", 0, "has a leading zero" },
		{ "00", 0, "has a leading zero" },
		{ "1 ", 0, "has an unknown unit" },
		{ "1e3", 0, "has an unknown unit" },
		{ "0x10", 0, "has an unknown unit" },
		{ "1.5", 0, "has an unknown unit" },
		{ "1Ki", 0, "has an unknown unit" },
	};

	for (size_t i = 0; i < BH_COUNT_OF(rows); i++) {
		uint64_t value = 0;
		const char *fault = bh_quantity_count(rows[i].text, &value);

		expect(&rows[i], fault, value);
	}
}

static void sizes_are_read(void **state)
{
	static const struct row rows[] = {
		{ "0", 0, NULL },
		{ "1500", 1500, NULL },
		{ "1Ki", 1024, NULL },
		{ "512Mi", UINT64_C(512) << 20, NULL },
		{ "2Gi", UINT64_C(2) << 30, NULL },
		{ "8191Ti", UINT64_C(8191) << 40, NULL },
		{ "8192Ti", 0, TOO_LARGE },
		{ "9007199254740991Ki", 0, TOO_LARGE },
		{ "1K", 0, "has an unknown unit" },
		{ "1M", 0, "has an unknown unit" },
		{ "1GB", 0, "has an unknown unit" },
		{ "1gi", 0, "has an unknown unit" },
		{ "1 Gi", 0, "has an unknown unit" },
		{ "1.5Gi", 0, "has an unknown unit" },
		{ "1Gi/s", 0, "has an unknown unit" },
		{ "Gi", 0, NOT_A_NUMBER },
	};

	for (size_t i = 0; i < BH_COUNT_OF(rows); i++) {
		uint64_t value = 0;
		const char *fault = bh_quantity_size(rows[i].text, &value);

		expect(&rows[i], fault, value);
	}
}

static void durations_are_read(void **state)
{
	static const struct row rows[] = {
		{ "0s", 0, NULL },
		{ "500ms", 500, NULL },
		{ "30s", 30000, NULL },
		{ "15m", 900000, NULL },
		{ "24h", 86400000, NULL },
		{ "30", 0, "has no unit" },
		{ "0", 0, "has no unit" },
		{ "30sec", 0, "has an unknown unit" },
		{ "1d", 0, "has an unknown unit" },
		{ "1h30m", 0, "has an unknown unit" },
		{ "9007199254740991h", 0, TOO_LARGE },
		{ "s", 0, NOT_A_NUMBER },
	};

	for (size_t i = 0; i < BH_COUNT_OF(rows); i++) {
		uint64_t value = 0;
		const char *fault = bh_quantity_duration(rows[i].text, &value);

		expect(&rows[i], fault, value);
	}
}

static void fractions_are_read(void **state)
{
	static const struct row rows[] = {
		{ "0.5", 500, NULL },
		{ "2", 2000, NULL },
		{ "2.0", 2000, NULL },
		{ "1.25", 1250, NULL },
		{ "0.001", 1, NULL },
		{ "0", 0, NULL },
		{ "0.0005", 0, "has too many digits behind the point" },
		{ "1.", 0, "ends with a point" },
		{ ".5", 0, NOT_A_NUMBER },
		{ "1.x", 0, NOT_A_NUMBER },
		{ "1,5", 0, NOT_A_NUMBER },
		{ "1.5.5", 0, NOT_A_NUMBER },
		{ "500m", 0, NOT_A_NUMBER },
		{ "00.5", 0, "has a leading zero" },
		{ MAX_TEXT, 0, TOO_LARGE },
	};

	for (size_t i = 0; i < BH_COUNT_OF(rows); i++) {
		uint64_t value = 0;
		const char *fault = bh_quantity_fraction(rows[i].text, 3, &value);

		expect(&rows[i], fault, value);
	}
}

static void rates_are_read(void **state)
{
	static const struct {
		struct row row;
		bool bytes;
		uint32_t window_ms;
	} rows[] = {
		{ { "20/min", 20, NULL }, false, 60000 },
		{ { "200/s", 200, NULL }, false, 1000 },
		{ { "0/h", 0, NULL }, false, 3600000 },
		{ { "200Mi/h", UINT64_C(200) << 20, NULL }, true, 3600000 },
		{ { "1500/s", 1500, NULL }, true, 1000 },
		{ { "20", 0, "does not say in which time" }, false, 0 },
		{ { "200Mi/h", 0, "has an unknown unit" }, false, 0 },
		{ { "20/m", 0, "has a time that is none" }, false, 0 },
		{ { "20/", 0, "has a time that is none" }, false, 0 },
		{ { "20/day", 0, "has a time that is none" }, false, 0 },
		{ { "20/s/s", 0, "has a time that is none" }, false, 0 },
		{ { "/s", 0, NOT_A_NUMBER }, false, 0 },
		{ { "8192Ti/s", 0, TOO_LARGE }, true, 0 },
	};

	for (size_t i = 0; i < BH_COUNT_OF(rows); i++) {
		uint64_t value = 0;
		uint32_t window = 0;
		const char *fault = bh_quantity_rate(rows[i].row.text, rows[i].bytes, &value, &window);

		expect(&rows[i].row, fault, value);
		assert_int_equal(window, rows[i].window_ms);
	}
}

static void dates_are_read(void **state)
{
	static const struct row rows[] = {
		{ "2000-01-01T00:00:00Z", 946684800, NULL },
		{ "2026-12-14T00:00:00Z", 1797206400, NULL },
		{ "2028-02-29T23:59:59Z", 1835481599, NULL },
		{ "2000-02-29T00:00:00Z", 951782400, NULL },
		{ "9999-12-31T23:59:59Z", 253402300799, NULL },
		{ "1999-12-31T23:59:59Z", 0, "lies before 2000" },
		{ "2027-02-29T00:00:00Z", 0, "has a day that is none" },
		{ "2100-02-29T00:00:00Z", 0, "has a day that is none" },
		{ "2026-04-31T00:00:00Z", 0, "has a day that is none" },
		{ "2026-04-00T00:00:00Z", 0, "has a day that is none" },
		{ "2026-13-01T00:00:00Z", 0, "has a month that is none" },
		{ "2026-00-01T00:00:00Z", 0, "has a month that is none" },
		{ "2026-12-14T24:00:00Z", 0, "has a time that is none" },
		{ "2026-12-14T23:60:00Z", 0, "has a time that is none" },
		{ "2026-12-14T23:59:60Z", 0, "has a time that is none" },
		{ "2026-12-14", 0, "is not a date and time in UTC" },
		{ "2026-12-14T00:00:00", 0, "is not a date and time in UTC" },
		{ "2026-12-14T00:00:00z", 0, "is not a date and time in UTC" },
		{ "2026-12-14 00:00:00Z", 0, "is not a date and time in UTC" },
		{ "2026-12-14T00:00:00+00:00", 0, "is not a date and time in UTC" },
		{ "2026-12-14T00:00:00.5Z", 0, "is not a date and time in UTC" },
		{ "2026-1-14T00:00:00Z", 0, "is not a date and time in UTC" },
		{ "", 0, "is not a date and time in UTC" },
	};

	for (size_t i = 0; i < BH_COUNT_OF(rows); i++) {
		int64_t value = 0;
		const char *fault = bh_quantity_date(rows[i].text, &value);

		expect(&rows[i], fault, (uint64_t)value);
	}
}

/* Against the C library, over leap years and the turns of centuries. */
static void every_day_is_where_the_calendar_has_it(void **state)
{
	for (int64_t day = 10957; day < 10957 + 200000; day++) {
		time_t wanted = day * 86400 + day % 86400;
		int64_t value = 0;
		struct tm parts;
		char text[32];

		assert_non_null(gmtime_r(&wanted, &parts));
		assert_true(strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts) > 0);
		assert_null(bh_quantity_date(text, &value));
		assert_int_equal(value, wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_read),
		cmocka_unit_test(sizes_are_read),
		cmocka_unit_test(durations_are_read),
		cmocka_unit_test(fractions_are_read),
		cmocka_unit_test(rates_are_read),
		cmocka_unit_test(dates_are_read),
		cmocka_unit_test(every_day_is_where_the_calendar_has_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
