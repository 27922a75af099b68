/* SPDX-License-Identifier: GPL-2.0-only */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "policy/amount.h"
#include "policy/catalogue.h"
#include "policy/model.h"

/* A number of units; the last unit divides every number. */
struct unit {
	uint64_t size;
	const char *name;
};

static const char *in_units(uint64_t number, const struct unit *units, char buffer[BH_AMOUNT_TEXT])
{
	while (units->size > 1 && (number == 0 || number % units->size != 0))
		units++;
	snprintf(buffer, BH_AMOUNT_TEXT, "%" PRIu64 "%s", number / units->size, units->name);
	return buffer;
}

const char *bh_amount_bytes(uint64_t bytes, char buffer[BH_AMOUNT_TEXT])
{
	static const struct unit units[] = {
		{ UINT64_C(1) << 40, "Ti" },
		{ UINT64_C(1) << 30, "Gi" },
		{ UINT64_C(1) << 20, "Mi" },
		{ UINT64_C(1) << 10, "Ki" },
		{ 1, "" },
	};

	return in_units(bytes, units, buffer);
}

const char *bh_amount_seconds(uint64_t seconds, char buffer[BH_AMOUNT_TEXT])
{
	static const struct unit units[] = { { 3600, "h" }, { 60, "m" }, { 1, "s" } };

	return in_units(seconds, units, buffer);
}

const char *bh_amount_milliseconds(uint64_t milliseconds, char buffer[BH_AMOUNT_TEXT])
{
	if (milliseconds % 1000 == 0)
		return bh_amount_seconds(milliseconds / 1000, buffer);
	snprintf(buffer, BH_AMOUNT_TEXT, "%" PRIu64 "ms", milliseconds);
	return buffer;
}

const char *bh_amount_fraction(uint64_t number, unsigned int digits, char buffer[BH_AMOUNT_TEXT])
{
	uint64_t scale = 1;
	size_t length;

	for (unsigned int i = 0; i < digits; i++)
		scale *= 10;
	snprintf(buffer, BH_AMOUNT_TEXT, "%" PRIu64 ".%0*" PRIu64, number / scale, (int)digits, number % scale);
	length = strlen(buffer);
	while (buffer[length - 1] == '0')
		length--;
	length -= buffer[length - 1] == '.';
	buffer[length] = '\0';
	return buffer;
}

const char *bh_amount_cap(unsigned int cap, uint64_t value, char buffer[BH_AMOUNT_TEXT])
{
	if (value == BH_UNLIMITED)
		return "none";
	switch (bh_caps[cap].unit) {
	case BH_CAP_BYTES:
		return bh_amount_bytes(value, buffer);
	case BH_CAP_BYTES_PER_S:
		bh_amount_bytes(value, buffer);
		strcat(buffer, "/s"); /* there is room: 20 digits at most stand before it */
		return buffer;
	case BH_CAP_MILLICPU:
		return bh_amount_fraction(value, 3, buffer);
	case BH_CAP_SECONDS:
		return bh_amount_seconds(value, buffer);
	default:
		snprintf(buffer, BH_AMOUNT_TEXT, "%" PRIu64, value);
		return buffer;
	}
}

const char *bh_amount_date(int64_t seconds, char buffer[BH_AMOUNT_TEXT])
{
	time_t time = (time_t)seconds;
	struct tm parts;

	if (!gmtime_r(&time, &parts) || !strftime(buffer, BH_AMOUNT_TEXT, "%Y-%m-%dT%H:%M:%SZ", &parts))
		buffer[0] = '\0';
	return buffer;
}
