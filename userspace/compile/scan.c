/* SPDX-License-Identifier: GPL-2.0-only */
#include "compile/scan.h"

#include <string.h>

bool bh_scan_literal(struct bh_scan *scan, const char *literal)
{
	size_t length = strlen(literal);

	if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, literal, length) != 0)
		return false;
	scan->at += length;
	return true;
}

#define NUMBER_END (UINT64_C(1) << 53) /* what a reader who counts in doubles still tells apart */

bool bh_scan_number64(struct bh_scan *scan, uint64_t *ret_number)
{
	const char *at = scan->at;
	uint64_t number = 0;

	for (; at < scan->end && *at >= '0' && *at <= '9' && at - scan->at < 16; at++)
		number = number * 10 + (uint64_t)(*at - '0');
	if (at == scan->at || number >= NUMBER_END || (*scan->at == '0' && at - scan->at > 1))
		return false;
	scan->at = at;
	*ret_number = number;
	return true;
}

bool bh_scan_number(struct bh_scan *scan, uint32_t *ret_number)
{
	struct bh_scan here = *scan;
	uint64_t number;

	if (!bh_scan_number64(&here, &number) || number > UINT32_MAX)
		return false;
	*scan = here;
	*ret_number = (uint32_t)number;
	return true;
}

bool bh_scan_skip(struct bh_scan *scan)
{
	const char *at = scan->at;
	bool quoted = false;
	size_t depth = 0;

	if (at == scan->end || (*at != '[' && *at != '{'))
		return false;
	for (; at < scan->end; at++) {
		if (quoted && *at == '\\' && scan->end - at > 1)
			at++;
		else if (*at == '"')
			quoted = !quoted;
		else if (!quoted && (*at == '[' || *at == '{'))
			depth++;
		else if (!quoted && (*at == ']' || *at == '}') && --depth == 0)
			break;
	}
	if (at == scan->end)
		return false;
	scan->at = at + 1;
	return true;
}

bool bh_scan_text(struct bh_scan *scan, char *ret_text, size_t size)
{
	const char *at = scan->at;
	size_t used = 0;

	if (at == scan->end || *at++ != '"')
		return false;
	for (; at < scan->end && *at != '"'; at++) {
		if (*at == '\\' && (++at == scan->end || (*at != '"' && *at != '\\')))
			return false;
		if (*at < 0x20 || *at > 0x7e || used + 1 >= size)
			return false;
		ret_text[used++] = *at;
	}
	if (at == scan->end)
		return false;
	ret_text[used] = '\0';
	scan->at = at + 1;
	return true;
}
