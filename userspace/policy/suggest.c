/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/suggest.h"

#include <stdio.h>
#include <string.h>

#define WORD_MAX 64u

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b; both at most WORD_MAX long. */
static unsigned int distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	unsigned int rows[3][WORD_MAX + 1];

	for (size_t j = 0; j <= b_length; j++)
		rows[0][j] = (unsigned int)j;
	for (size_t i = 1; i <= a_length; i++) {
		unsigned int *row = rows[i % 3], *above = rows[(i + 2) % 3], *higher = rows[(i + 1) % 3];

		row[0] = (unsigned int)i;
		for (size_t j = 1; j <= b_length; j++) {
			row[j] = least(above[j], row[j - 1]) + 1;
			row[j] = least(row[j], above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], higher[j - 2] + 1);
		}
	}
	return rows[a_length % 3][b_length];
}

void bh_suggest_offer(struct bh_suggestion *suggestion, const char *word, const char *offer)
{
	size_t word_length = strlen(word), offer_length = strlen(offer);
	unsigned int near, allowed;

	if (word_length == 0 || word_length > WORD_MAX || offer_length > WORD_MAX)
		return;
	/* A third of the word may differ: 'raed' is 'read', but 'x' is not 'ls'. */
	allowed = least(3, (unsigned int)(word_length > offer_length ? word_length : offer_length) / 3);
	near = distance(word, word_length, offer, offer_length);
	if (near > allowed)
		return;
	if (suggestion->best &&
	    (near > suggestion->distance || (near == suggestion->distance && strcmp(offer, suggestion->best) >= 0)))
		return;
	suggestion->best = offer;
	suggestion->distance = near;
}

const char *bh_suggest_hint(const struct bh_suggestion *suggestion, char *buffer, size_t size)
{
	if (!suggestion->best)
		return NULL;
	snprintf(buffer, size, "did you mean '%s'?", suggestion->best);
	return buffer;
}
