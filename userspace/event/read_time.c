// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "event/reading.h"

#define NS_PER_S UINT64_C(1000000000)
#define FIRST_YEAR 1970u
#define LAST_YEAR 2261u

/* `count` digits as a number. False: there are others. */
static bool digits(const char **at, unsigned int count, unsigned int *ret)
{
	*ret = 0;
	for (; count; count--, (*at)++) {
		if (**at < '0' || **at > '9')
			return false;
		*ret = *ret * 10 + (unsigned int)(**at - '0');
	}
	return true;
}

static bool literal(const char **at, char wanted)
{
	return *(*at)++ == wanted;
}

static bool is_leap(unsigned int year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static bool days_since_1970(unsigned int year, unsigned int month, unsigned int day, uint64_t *ret)
{
	static const uint8_t lengths[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	unsigned int length;

	if (year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12)
		return false;
	length = lengths[month - 1] + (month == 2 && is_leap(year));
	if (day < 1 || day > length)
		return false;
	*ret = (year - FIRST_YEAR) * 365 + day - 1;
	for (unsigned int y = FIRST_YEAR; y < year; y++)
		*ret += is_leap(y);
	for (unsigned int m = 1; m < month; m++)
		*ret += lengths[m - 1] + (m == 2 && is_leap(year));
	return true;
}

/* ".5": as nanoseconds. */
static bool fraction(const char **at, unsigned int *ret)
{
	unsigned int scale = NS_PER_S / 10, count = 0;

	*ret = 0;
	if (**at != '.')
		return true;
	for ((*at)++; **at >= '0' && **at <= '9' && count < 9; (*at)++, count++, scale /= 10)
		*ret += (unsigned int)(**at - '0') * scale;
	return count > 0;
}

bool bh_line_time(const char *text, uint64_t *ret_ns)
{
	unsigned int year, month, day, hour, minute, second, part;
	const char *at = text;
	uint64_t days;

	if (!digits(&at, 4, &year) || !literal(&at, '-') || !digits(&at, 2, &month) || !literal(&at, '-') ||
	    !digits(&at, 2, &day) || !literal(&at, 'T') || !digits(&at, 2, &hour) || !literal(&at, ':') ||
	    !digits(&at, 2, &minute) || !literal(&at, ':') || !digits(&at, 2, &second) || !fraction(&at, &part) ||
	    strcmp(at, "Z") != 0)
		return false;
	if (hour > 23 || minute > 59 || second > 59 || !days_since_1970(year, month, day, &days))
		return false;
	*ret_ns = (((days * 24 + hour) * 60 + minute) * 60 + second) * NS_PER_S + part;
	return true;
}
