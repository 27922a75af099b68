/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/quantity.h"

#include <stddef.h>
#include <string.h>

#include "base/cleanup.h"

#define TOO_LARGE "is too large"

/* A unit and how much it stands for. */
struct unit {
	const char *text;
	uint64_t size;
};

/* Reads digits at *at and moves on behind them. NULL or what is wrong. */
static const char *digits(const char **at, uint64_t *ret_number)
{
	const char *start = *at;
	uint64_t number = 0;

	for (; **at >= '0' && **at <= '9'; (*at)++) {
		number = number * 10 + (uint64_t)(**at - '0');
		if (number > BH_QUANTITY_MAX)
			return TOO_LARGE;
	}
	if (*at == start)
		return "is not a number";
	if (start[0] == '0' && *at - start > 1)
		return "has a leading zero";
	*ret_number = number;
	return NULL;
}

/* A number and one of the units; length: of the text. */
static const char *with_unit(const char *text, size_t length, const struct unit *units, size_t count,
			     uint64_t *ret_amount)
{
	const char *at = text, *fault;
	uint64_t number;
	size_t left;

	fault = digits(&at, &number);
	if (fault)
		return fault;
	left = length - (size_t)(at - text);
	for (size_t i = 0; i < count; i++) {
		if (strlen(units[i].text) != left || memcmp(units[i].text, at, left) != 0)
			continue;
		if (number > BH_QUANTITY_MAX / units[i].size)
			return TOO_LARGE;
		*ret_amount = number * units[i].size;
		return NULL;
	}
	return left ? "has an unknown unit" : "has no unit";
}

static const struct unit plain[] = { { "", 1 } };
static const struct unit sizes[] = {
	{ "", 1 },
	{ "Ki", UINT64_C(1) << 10 },
	{ "Mi", UINT64_C(1) << 20 },
	{ "Gi", UINT64_C(1) << 30 },
	{ "Ti", UINT64_C(1) << 40 },
};
static const struct unit durations[] = { { "ms", 1 }, { "s", 1000 }, { "m", 60 * 1000 }, { "h", 60 * 60 * 1000 } };
static const struct unit windows[] = { { "s", 1000 }, { "min", 60 * 1000 }, { "h", 60 * 60 * 1000 } };

const char *bh_quantity_count(const char *text, uint64_t *ret_count)
{
	return with_unit(text, strlen(text), plain, BH_COUNT_OF(plain), ret_count);
}

const char *bh_quantity_size(const char *text, uint64_t *ret_bytes)
{
	return with_unit(text, strlen(text), sizes, BH_COUNT_OF(sizes), ret_bytes);
}

const char *bh_quantity_duration(const char *text, uint64_t *ret_ms)
{
	return with_unit(text, strlen(text), durations, BH_COUNT_OF(durations), ret_ms);
}

const char *bh_quantity_fraction(const char *text, unsigned int places, uint64_t *ret_parts)
{
	const char *at = text, *fault;
	uint64_t number;

	fault = digits(&at, &number);
	if (fault)
		return fault;
	if (at[0] == '.' && at[1] == '\0')
		return "ends with a point";
	if (*at == '.')
		at++;
	for (unsigned int i = 0; i < places; i++) {
		if (number > BH_QUANTITY_MAX / 10 - 1)
			return TOO_LARGE;
		number = number * 10 + (*at >= '0' && *at <= '9' ? (uint64_t)(*at++ - '0') : 0);
	}
	if (*at >= '0' && *at <= '9')
		return "has too many digits behind the point";
	if (*at)
		return "is not a number";
	*ret_parts = number;
	return NULL;
}

const char *bh_quantity_rate(const char *text, bool bytes, uint64_t *ret_amount, uint32_t *ret_window_ms)
{
	const char *slash = strchr(text, '/');
	const struct unit *units = bytes ? sizes : plain;
	size_t count = bytes ? BH_COUNT_OF(sizes) : BH_COUNT_OF(plain);
	const char *fault;

	if (!slash)
		return "does not say in which time";
	for (size_t i = 0; i < BH_COUNT_OF(windows); i++) {
		if (strcmp(windows[i].text, slash + 1) != 0)
			continue;
		fault = with_unit(text, (size_t)(slash - text), units, count, ret_amount);
		if (!fault)
			*ret_window_ms = (uint32_t)windows[i].size;
		return fault;
	}
	return "has a time that is none";
}

/* Two digits at their place, within low..high. */
static bool two(const char *at, unsigned int low, unsigned int high, unsigned int *ret_number)
{
	unsigned int number = (unsigned int)(at[0] - '0') * 10 + (unsigned int)(at[1] - '0');

	*ret_number = number;
	return number >= low && number <= high;
}

static bool is_leap(unsigned int year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/* In years that begin in March: then the leap day is the last of one. 719468 days lie between that count's 0 and 1970. */
static int64_t days_since_1970(unsigned int year, unsigned int month, unsigned int day)
{
	int64_t march_year = (int64_t)year - (month <= 2), march_month = (month + 9) % 12;

	return march_year * 365 + march_year / 4 - march_year / 100 + march_year / 400 + (march_month * 153 + 2) / 5 +
	       (int64_t)day - 1 - 719468;
}

const char *bh_quantity_date(const char *text, int64_t *ret_seconds)
{
	static const char form[] = "dddd-dd-ddTdd:dd:ddZ";
	static const unsigned int lengths[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	unsigned int century, rest, year, month, day, hour, minute, second, length;

	if (strlen(text) != sizeof(form) - 1)
		return "is not a date and time in UTC";
	for (size_t i = 0; i < sizeof(form) - 1; i++)
		if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
			return "is not a date and time in UTC";
	if (!two(text, 20, 99, &century) || !two(text + 2, 0, 99, &rest))
		return "lies before 2000";
	year = century * 100 + rest;
	if (!two(text + 5, 1, 12, &month))
		return "has a month that is none";
	length = lengths[month - 1] + (month == 2 && is_leap(year));
	if (!two(text + 8, 1, length, &day))
		return "has a day that is none";
	if (!two(text + 11, 0, 23, &hour) || !two(text + 14, 0, 59, &minute) || !two(text + 17, 0, 59, &second))
		return "has a time that is none";
	*ret_seconds = days_since_1970(year, month, day) * 86400 + hour * 3600 + minute * 60 + second;
	return NULL;
}
