/* SPDX-License-Identifier: GPL-2.0-only */
/* A little of everything that ships: all of it would make each compilation twenty times as slow and find no more. */
#ifndef TESTS_FUZZ_SHIPPED_H
#define TESTS_FUZZ_SHIPPED_H

#include <stdlib.h>

#include "policy/parse.h"

#define FUZZ_WORDS 3u /* of each list */

static inline void fuzz_shorten(struct bh_words *words)
{
	if (words->count > FUZZ_WORDS)
		words->count = FUZZ_WORDS;
}

/* Made at the first call, kept to the end. */
static inline const struct bh_shipped *fuzz_shipped(void)
{
	static struct bh_shipped *little;
	struct bh_err err = { 0 };

	if (little)
		return little;
	if (bh_shipped_load(&little, &err))
		abort();
	for (size_t i = 0; i < little->presets_count; i++) {
		fuzz_shorten(&little->presets[i].read);
		fuzz_shorten(&little->presets[i].write);
	}
	if (little->guards_count > FUZZ_WORDS)
		little->guards_count = FUZZ_WORDS;
	for (size_t i = 0; i < little->guards_count; i++) {
		fuzz_shorten(&little->guards[i].read);
		fuzz_shorten(&little->guards[i].write);
	}
	if (little->floors_count > FUZZ_WORDS)
		little->floors_count = FUZZ_WORDS;
	for (size_t i = 0; i < little->floors_count; i++) {
		fuzz_shorten(&little->floors[i].read);
		fuzz_shorten(&little->floors[i].write);
	}
	return little;
}

#endif
