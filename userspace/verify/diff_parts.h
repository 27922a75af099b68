/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of diff_settings.c share. */
#ifndef BH_VERIFY_DIFF_PARTS_H
#define BH_VERIFY_DIFF_PARTS_H

#include "verify/diff.h"

/* The two policies and where what differs is said. */
struct bh_settings {
	const struct bh_source_policy *old, *new;
	struct bh_diff *diff;
	int error; /* -ENOMEM: something is missing */
};

/* Says it. */
void bh_settings_note(struct bh_settings *s, enum bh_effect effect, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The effect when there is more of it, the other one when there is less; none stays none. */
enum bh_effect bh_more_is(enum bh_effect effect, uint64_t old, uint64_t new);

/* The larger, the more a response does. */
unsigned int bh_response_strength(unsigned int response);

/* diff_resources.c */
void bh_settings_resources(struct bh_settings *s, const struct bh_resources *old, const struct bh_resources *new);

#endif
