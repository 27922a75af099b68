// SPDX-License-Identifier: GPL-2.0-only
#include "event/utf8.h"

#include <string.h>

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

/* Well-formed sequences by first byte (Unicode, table 3-7): only the second byte has bounds of its own. */
static const struct lead {
	unsigned char first, last; /* first bytes */
	unsigned char low, high; /* second byte */
	unsigned char length;
} leads[] = {
	{ 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
	{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
	{ 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

static const struct lead *find_lead(unsigned char byte)
{
	for (size_t i = 0; i < sizeof(leads) / sizeof(leads[0]); i++)
		if (byte >= leads[i].first && byte <= leads[i].last)
			return &leads[i];
	return NULL;
}

size_t bh_utf8_next(const unsigned char *bytes, size_t length, size_t *ret_bad)
{
	const struct lead *lead;
	unsigned char low, high;

	if (bytes[0] < 0x80)
		return 1;
	*ret_bad = 1;
	lead = find_lead(bytes[0]);
	if (!lead)
		return 0;
	low = lead->low;
	high = lead->high;
	for (size_t i = 1; i < lead->length; i++) {
		*ret_bad = i;
		if (i >= length || bytes[i] < low || bytes[i] > high)
			return 0;
		low = 0x80;
		high = 0xbf;
	}
	return lead->length;
}

uint32_t bh_utf8_hidden(const unsigned char *bytes, size_t length)
{
	uint32_t code;

	if (length == 1)
		return bytes[0] < 0x20 || bytes[0] == 0x7f ? bytes[0] : 0;
	if (length == 2 && bytes[0] == 0xc2 && bytes[1] < 0xa0)
		return bytes[1];
	if (length != 3 || bytes[0] != 0xe2)
		return 0;
	code = 0x2000u | (bytes[1] & 0x3fu) << 6 | (bytes[2] & 0x3fu);
	return (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ? code : 0;
}

size_t bh_utf8_repair(const void *bytes, size_t length, char *out, size_t size)
{
	const unsigned char *in = bytes;
	size_t used = 0;

	for (size_t i = 0; i < length;) {
		size_t bad = 0, good = bh_utf8_next(in + i, length - i, &bad), room = good ? good : 3;
		const void *from = good ? (const void *)(in + i) : replacement;

		if (!in[i])
			from = "@";
		if (used + room >= size)
			break;
		memcpy(out + used, from, room);
		used += room;
		i += good ? good : bad;
	}
	out[used] = '\0';
	return used;
}

size_t bh_escape(const void *bytes, size_t length, bool spaces, char *out, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *in = bytes;
	size_t used = 0, fits = 0; /* fits: how much leaves room for the dots */

	for (size_t i = 0; i < length; i++) {
		bool plain = (in[i] > ' ' && in[i] < 0x7f && in[i] != '\\') || (spaces && in[i] == ' ');
		size_t room = plain ? 1 : 4;

		if (used + room >= size) {
			memcpy(out + fits, "...", 4);
			return fits + 3;
		}
		if (plain) {
			out[used] = (char)in[i];
		} else {
			const char hex[] = { '\\', 'x', digits[in[i] >> 4], digits[in[i] & 15] };

			memcpy(out + used, hex, sizeof(hex));
		}
		used += room;
		if (used + 4 <= size)
			fits = used;
	}
	out[used] = '\0';
	return used;
}
