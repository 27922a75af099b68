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
	static struct bh_shipped *shipped;
	struct bh_err err = { 0 };

	if (shipped)
		return shipped;
	if (bh_shipped_load(&shipped, &err))
		abort();
	for (size_t i = 0; i < shipped->presets_count; i++) {
		fuzz_shorten(&shipped->presets[i].read);
		fuzz_shorten(&shipped->presets[i].write);
	}
	if (shipped->guards_count > FUZZ_WORDS)
		shipped->guards_count = FUZZ_WORDS;
	for (size_t i = 0; i < shipped->guards_count; i++) {
		fuzz_shorten(&shipped->guards[i].read);
		fuzz_shorten(&shipped->guards[i].write);
	}
	if (shipped->floors_count > FUZZ_WORDS)
		shipped->floors_count = FUZZ_WORDS;
	for (size_t i = 0; i < shipped->floors_count; i++) {
		fuzz_shorten(&shipped->floors[i].read);
		fuzz_shorten(&shipped->floors[i].write);
	}
	return shipped;
}

#endif
