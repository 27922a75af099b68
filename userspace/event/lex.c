// SPDX-License-Identifier: GPL-2.0-only
#include "event/lex.h"

#include <string.h>

#include "event/utf8.h"

void bh_lex_init(struct bh_lex *lex, const char *text, size_t length)
{
	*lex = (struct bh_lex){ .text = text, .at = text, .end = text + length };
}

bool bh_lex_fail(struct bh_lex *lex, const char *at, const char *fault)
{
	if (!lex->fault) {
		lex->fault = fault;
		lex->fault_at = at;
	}
	return false;
}

char bh_lex_peek(struct bh_lex *lex)
{
	while (lex->at < lex->end && (*lex->at == ' ' || *lex->at == '\t' || *lex->at == '\r'))
		lex->at++;
	return lex->at < lex->end && !lex->fault ? *lex->at : '\0';
}

bool bh_lex_take(struct bh_lex *lex, char wanted)
{
	if (bh_lex_peek(lex) != wanted) {
		switch (wanted) {
		case '{':
			return bh_lex_fail(lex, lex->at, "an object is expected");
		case '[':
			return bh_lex_fail(lex, lex->at, "a list is expected");
		case '"':
			return bh_lex_fail(lex, lex->at, "a string is expected");
		case ':':
			return bh_lex_fail(lex, lex->at, "':' is expected");
		default:
			return bh_lex_fail(lex, lex->at, "not JSON");
		}
	}
	lex->at++;
	return true;
}

bool bh_lex_end(struct bh_lex *lex)
{
	bh_lex_peek(lex);
	return !lex->fault && (lex->at == lex->end || bh_lex_fail(lex, lex->at, "text after the object"));
}

bool bh_lex_item(struct bh_lex *lex, char open, bool *first)
{
	char close = open == '{' ? '}' : ']', next;

	if (*first && !bh_lex_take(lex, open))
		return false;
	next = bh_lex_peek(lex);
	if (lex->fault)
		return false;
	if (next == close) {
		lex->at++;
		return false;
	}
	if (!*first && next != ',')
		return bh_lex_fail(lex, lex->at, next ? "',' or the end of it is expected" : "the line ends too early");
	if (!*first)
		lex->at++;
	*first = false;
	return true;
}

/* ---- Strings ---- */

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The four digits behind "\u". */
static bool take_hex(struct bh_lex *lex, uint32_t *ret)
{
	*ret = 0;
	if (lex->end - lex->at < 4)
		return bh_lex_fail(lex, lex->at, "four hexadecimal digits are expected");
	for (int i = 0; i < 4; i++) {
		int digit = hex_digit(*lex->at);

		if (digit < 0)
			return bh_lex_fail(lex, lex->at, "four hexadecimal digits are expected");
		*ret = *ret << 4 | (uint32_t)digit;
		lex->at++;
	}
	return true;
}

static bool take_code(struct bh_lex *lex, const char *start, uint32_t *ret)
{
	uint32_t low;

	if (!take_hex(lex, ret))
		return false;
	if (!*ret)
		return bh_lex_fail(lex, start, "a string with a zero byte");
	if (*ret < 0xd800 || *ret > 0xdfff)
		return true;
	if (*ret > 0xdbff || lex->end - lex->at < 2 || lex->at[0] != '\\' || lex->at[1] != 'u')
		return bh_lex_fail(lex, start, "half of a pair of surrogates");
	lex->at += 2;
	if (!take_hex(lex, &low))
		return false;
	if (low < 0xdc00 || low > 0xdfff)
		return bh_lex_fail(lex, start, "half of a pair of surrogates");
	*ret = 0x10000 + ((*ret - 0xd800) << 10) + (low - 0xdc00);
	return true;
}

static size_t encode(uint32_t code, char out[static 4])
{
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = (char)(0xc0 | code >> 6);
		out[1] = (char)(0x80 | (code & 0x3f));
		return 2;
	}
	if (code < 0x10000) {
		out[0] = (char)(0xe0 | code >> 12);
		out[1] = (char)(0x80 | (code >> 6 & 0x3f));
		out[2] = (char)(0x80 | (code & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | code >> 18);
	out[1] = (char)(0x80 | (code >> 12 & 0x3f));
	out[2] = (char)(0x80 | (code >> 6 & 0x3f));
	out[3] = (char)(0x80 | (code & 0x3f));
	return 4;
}

/* One character behind the backslash. Returns its length in out, 0: a fault. */
static size_t take_escape(struct bh_lex *lex, char out[static 4])
{
	static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
	const char *start = lex->at++, *found;
	uint32_t code;

	if (lex->at == lex->end)
		return bh_lex_fail(lex, lex->at, "the line ends within a string");
	if (*lex->at == 'u') {
		lex->at++;
		return take_code(lex, start, &code) ? encode(code, out) : 0;
	}
	found = *lex->at ? strchr(names, *lex->at) : NULL;
	if (!found)
		return bh_lex_fail(lex, start, "no escape of JSON");
	lex->at++;
	out[0] = values[found - names];
	return 1;
}

/* One character as it stands. Returns its length in out, 0: a fault. */
static size_t take_plain(struct bh_lex *lex, char out[static 4])
{
	size_t bad = 0, length;

	if ((unsigned char)*lex->at < ' ')
		return bh_lex_fail(lex, lex->at, "a control character within a string");
	length = bh_utf8_next((const unsigned char *)lex->at, (size_t)(lex->end - lex->at), &bad);
	if (!length)
		return bh_lex_fail(lex, lex->at, "not UTF-8");
	memcpy(out, lex->at, length);
	lex->at += length;
	return length;
}

/* Bytes up to the next that is more than a plain character, into the buffer as far as there is room. */
static size_t take_run(struct bh_lex *lex, char *buffer, size_t room)
{
	const char *start = lex->at;
	size_t length = 0;

	while (lex->at < lex->end && length < room && *lex->at >= ' ' && *lex->at != '"' && *lex->at != '\\' &&
	       *lex->at < 0x7f) {
		lex->at++;
		length++;
	}
	memcpy(buffer, start, length);
	return length;
}

bool bh_lex_string(struct bh_lex *lex, char *buffer, size_t size, bool *ret_cut)
{
	bool cut = false;
	size_t used = 0, length;
	char character[4];

	if (!bh_lex_take(lex, '"'))
		return false;
	for (;;) {
		if (!cut)
			used += take_run(lex, buffer + used, size - 1 - used);
		if (lex->at == lex->end)
			return bh_lex_fail(lex, lex->at, "the line ends within a string");
		if (*lex->at == '"')
			break;
		length = *lex->at == '\\' ? take_escape(lex, character) : take_plain(lex, character);
		if (!length)
			return false;
		cut |= length > size - 1 - used;
		if (cut)
			continue;
		memcpy(buffer + used, character, length);
		used += length;
	}
	lex->at++;
	buffer[used] = '\0';
	if (ret_cut)
		*ret_cut = cut;
	return true;
}

/* ---- Numbers, and what is passed over ---- */

static bool is_digit(const struct bh_lex *lex)
{
	return lex->at < lex->end && *lex->at >= '0' && *lex->at <= '9';
}

bool bh_lex_number(struct bh_lex *lex, uint64_t most, uint64_t *ret)
{
	const char *start;
	uint64_t value = 0;

	bh_lex_peek(lex);
	start = lex->at;
	if (lex->fault || !is_digit(lex))
		return bh_lex_fail(lex, start, "a whole number is expected");
	if (*lex->at == '0' && lex->end - lex->at > 1 && lex->at[1] >= '0' && lex->at[1] <= '9')
		return bh_lex_fail(lex, start, "a number with a leading zero");
	for (; is_digit(lex); lex->at++)
		if (__builtin_mul_overflow(value, 10u, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*lex->at - '0'), &value))
			return bh_lex_fail(lex, start, "a number that is too large");
	if (lex->at < lex->end && (*lex->at == '.' || *lex->at == 'e' || *lex->at == 'E'))
		return bh_lex_fail(lex, start, "a whole number is expected");
	if (value > most)
		return bh_lex_fail(lex, start, "a number that is too large");
	*ret = value;
	return true;
}

static bool skip_digits(struct bh_lex *lex)
{
	if (!is_digit(lex))
		return bh_lex_fail(lex, lex->at, "a digit is expected");
	while (is_digit(lex))
		lex->at++;
	return true;
}

static bool skip_number(struct bh_lex *lex)
{
	if (*lex->at == '-')
		lex->at++;
	if (lex->at < lex->end && *lex->at == '0')
		lex->at++;
	else if (!skip_digits(lex))
		return false;
	if (lex->at < lex->end && *lex->at == '.') {
		lex->at++;
		if (!skip_digits(lex))
			return false;
	}
	if (lex->at == lex->end || (*lex->at != 'e' && *lex->at != 'E'))
		return true;
	lex->at++;
	if (lex->at < lex->end && (*lex->at == '+' || *lex->at == '-'))
		lex->at++;
	return skip_digits(lex);
}

static bool skip_word(struct bh_lex *lex, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(lex->end - lex->at) < length || memcmp(lex->at, word, length) != 0)
		return bh_lex_fail(lex, lex->at, "not JSON");
	lex->at += length;
	return true;
}

static bool skip_string(struct bh_lex *lex)
{
	char nothing[8];

	return bh_lex_string(lex, nothing, sizeof(nothing), NULL);
}

/* NOLINTNEXTLINE(misc-no-recursion): bounded by BH_LEX_DEPTH */
static bool skip_items(struct bh_lex *lex, char open, unsigned int depth)
{
	bool first = true;

	if (depth >= BH_LEX_DEPTH)
		return bh_lex_fail(lex, lex->at, "too many objects or lists within each other");
	while (bh_lex_item(lex, open, &first)) {
		if (open == '{' && (!skip_string(lex) || !bh_lex_take(lex, ':')))
			return false;
		if (!bh_lex_skip(lex, depth + 1))
			return false;
	}
	return !lex->fault;
}

/* NOLINTNEXTLINE(misc-no-recursion) */
bool bh_lex_skip(struct bh_lex *lex, unsigned int depth)
{
	char next = bh_lex_peek(lex);

	switch (next) {
	case '"':
		return skip_string(lex);
	case '{':
	case '[':
		return skip_items(lex, next, depth);
	case 't':
		return skip_word(lex, "true");
	case 'f':
		return skip_word(lex, "false");
	case 'n':
		return skip_word(lex, "null");
	case '\0':
		return bh_lex_fail(lex, lex->at, "the line ends too early");
	default:
		if (next == '-' || (next >= '0' && next <= '9'))
			return skip_number(lex);
		return bh_lex_fail(lex, lex->at, "not JSON");
	}
}
