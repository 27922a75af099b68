/* SPDX-License-Identifier: GPL-2.0-only */
/* "Did you mean": the known word nearest to a mistyped one. */
#ifndef BH_POLICY_SUGGEST_H
#define BH_POLICY_SUGGEST_H

#include <stddef.h>

/* Zero it to begin, offer it every known word, then read best. */
struct bh_suggestion {
	const char *best; /* borrowed from the offers; NULL: nothing is near enough */
	unsigned int distance;
};

/* Keeps `offer` when it is nearer to `word` than the offers before; ties go to the bytewise smaller one. */
void bh_suggest_offer(struct bh_suggestion *suggestion, const char *word, const char *offer);

/* Writes "did you mean 'BEST'?" into buffer and returns it; NULL without a suggestion. */
const char *bh_suggest_hint(const struct bh_suggestion *suggestion, char *buffer, size_t size);

#endif
