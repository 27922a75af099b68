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

bool bh_scan_number(struct bh_scan *scan, uint32_t *ret_number)
{
	const char *at = scan->at;
	uint64_t number = 0;

	for (; at < scan->end && *at >= '0' && *at <= '9' && at - scan->at < 10; at++)
		number = number * 10 + (uint64_t)(*at - '0');
	if (at == scan->at || number > UINT32_MAX || (*scan->at == '0' && at - scan->at > 1))
		return false;
	scan->at = at;
	*ret_number = (uint32_t)number;
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
