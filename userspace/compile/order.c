/* SPDX-License-Identifier: GPL-2.0-only */
#include "compile/order.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compiled.h"

/* The next byte of the canonical text; 0 behind the closing quote. A byte with an escape counts as two. */
static unsigned char next_byte(const char **at, bool *escaped)
{
	unsigned char byte = (unsigned char)**at;

	if (!byte)
		return 0;
	if ((byte == '"' || byte == '\\') && !*escaped) {
		*escaped = true;
		return '\\';
	}
	*escaped = false;
	++*at;
	return byte;
}

int bh_order_texts(const char *a, const char *b)
{
	bool a_escaped = false, b_escaped = false;
	const char *left = a, *right = b;

	for (;;) {
		unsigned char x = next_byte(&left, &a_escaped), y = next_byte(&right, &b_escaped);

		if (!x && !y)
			return 0;
		/* one has ended: its closing quote against the other's byte, which is no quote without its escape */
		x = x ? x : '"';
		y = y ? y : '"';
		if (x != y)
			return x < y ? -1 : 1;
	}
}

static int order_places(struct bh_loc a, struct bh_loc b)
{
	if (a.line != b.line)
		return a.line < b.line ? -1 : 1;
	return a.column < b.column ? -1 : a.column > b.column;
}

static int compare_words(const void *left, const void *right)
{
	const struct bh_word *a = left, *b = right;
	int order = bh_order_texts(a->text, b->text);

	return order ? order : order_places(a->loc, b->loc);
}

size_t bh_order_words(struct bh_word *words, size_t count)
{
	size_t kept = 0;

	if (count)
		qsort(words, count, sizeof(*words), compare_words);
	for (size_t i = 0; i < count; i++)
		if (!i || strcmp(words[kept - 1].text, words[i].text) != 0)
			words[kept++] = words[i];
	return kept;
}

int bh_order_cidrs(const struct bh_cidr *a, const struct bh_cidr *b)
{
	char left[BH_CIDR_TEXT], right[BH_CIDR_TEXT];

	bh_cidr_text(a, left);
	bh_cidr_text(b, right);
	return bh_order_texts(left, right);
}

static int compare_blocks(const void *left, const void *right)
{
	const struct bh_cidr *a = left, *b = right;
	int order = bh_order_cidrs(a, b);

	return order ? order : order_places(a->loc, b->loc);
}

size_t bh_order_blocks(struct bh_cidr *cidrs, size_t count)
{
	size_t kept = 0;

	if (count)
		qsort(cidrs, count, sizeof(*cidrs), compare_blocks);
	for (size_t i = 0; i < count; i++)
		if (!i || bh_order_cidrs(&cidrs[kept - 1], &cidrs[i]) != 0)
			cidrs[kept++] = cidrs[i];
	return kept;
}
