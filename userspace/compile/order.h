/* SPDX-License-Identifier: GPL-2.0-only */
/* The order of sets in canonical JSON (policy.md 6.2): bytewise by the canonical text of each member. */
#ifndef BH_COMPILE_ORDER_H
#define BH_COMPILE_ORDER_H

#include <stddef.h>

#include "policy/model.h"

/* As strcmp, of the two texts in quotes and with their escapes: "a " comes before "a". */
int bh_order_texts(const char *a, const char *b);

/* As strcmp, of the two networks as texts. */
int bh_order_cidrs(const struct bh_cidr *a, const struct bh_cidr *b);

/* Sorts; of equal ones the first in the source stays. Nothing is freed. Returns how many are left. */
size_t bh_order_words(struct bh_word *words, size_t count);
size_t bh_order_blocks(struct bh_cidr *cidrs, size_t count);

#endif
