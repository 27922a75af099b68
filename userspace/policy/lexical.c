/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdint.h>
#include <string.h>

#include "policy/node.h"

/* Where the scan is; columns count characters, as the YAML scanner does. */
struct scan {
	const unsigned char *at, *end;
	struct bh_loc loc;
	bool carriage_return_seen;
	struct bh_diags *diags;
};

static void refuse(struct scan *scan, const char *hint, const char *what)
{
	bh_diag_add(scan->diags, BH_SEVERITY_ERROR, "E102", scan->loc, hint, "%s", what);
}

/* Decodes one UTF-8 character; returns its bytes, 0 when it is malformed, overlong, a surrogate or out of range. */
static size_t decode(const unsigned char *at, size_t left, uint32_t *ret_point)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t bytes = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
	uint32_t point = at[0] & (0x7fu >> bytes);

	if (at[0] < 0xc2 || at[0] > 0xf4 || bytes > left)
		return 0;
	for (size_t i = 1; i < bytes; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		point = point << 6 | (at[i] & 0x3f);
	}
	if (point < smallest[bytes] || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))
		return 0;
	*ret_point = point;
	return bytes;
}

/* Characters that are not even safe in a comment: they end the line for the parser, or change what a person sees. */
static const char *deceptive(uint32_t point)
{
	if (point >= 0x80 && point < 0xa0)
		return "a control character is not allowed";
	if (point == 0x2028 || point == 0x2029)
		return "a Unicode line end is not allowed";
	if ((point >= 0x200b && point <= 0x200f) || (point >= 0x202a && point <= 0x202e) ||
	    (point >= 0x2060 && point <= 0x206f) || point == 0x061c || point == 0x00ad)
		return "an invisible or bidirectional mark is not allowed";
	if (point == 0xfeff)
		return "a byte order mark is not allowed";
	if (point >= 0xe0000 && point <= 0xe007f)
		return "an invisible tag character is not allowed";
	return NULL;
}

static void check_ascii(struct scan *scan, unsigned char byte)
{
	if (byte == '\t') {
		refuse(scan, "indent with spaces", "a tab is not allowed");
	} else if (byte == '\r') {
		if (!scan->carriage_return_seen)
			refuse(scan, "save the file with Unix line ends", "a carriage return is not allowed");
		scan->carriage_return_seen = true;
	} else if (byte < 0x20 || byte == 0x7f) {
		refuse(scan, NULL, "a control character is not allowed");
	}
}

/* Checks one character above ASCII; returns how many bytes it took. */
static size_t check_foreign(struct scan *scan)
{
	uint32_t point = 0;
	size_t bytes = decode(scan->at, (size_t)(scan->end - scan->at), &point);
	const char *finding;

	if (bytes == 0) {
		refuse(scan, "policies are ASCII; comments may be UTF-8", "this is not UTF-8");
		return 1;
	}
	finding = deceptive(point);
	if (finding)
		refuse(scan, NULL, finding);
	return bytes;
}

bool bh_lexical_check(const char *text, size_t length, struct bh_diags *diags)
{
	struct scan scan = {
		.at = (const unsigned char *)text,
		.end = (const unsigned char *)text + length,
		.loc = { .line = 1, .column = 1, .width = 1 },
		.diags = diags,
	};
	size_t before = bh_diags_errors(diags);

	while (scan.at < scan.end) {
		size_t bytes = 1;

		if (*scan.at == '\n') {
			scan.loc.line++;
			scan.loc.column = 0;
		} else if (*scan.at < 0x80) {
			check_ascii(&scan, *scan.at);
		} else {
			bytes = check_foreign(&scan);
		}
		scan.at += bytes;
		scan.loc.column++;
	}
	return bh_diags_errors(diags) == before;
}
