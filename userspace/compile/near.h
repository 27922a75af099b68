/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which rules may speak of a path. Nothing is decided here: rules are left out that cannot, because the directory that
 * their pattern begins with is none above the path. It spares whoever asks rule by rule all but a few of a hundred thousand.
 */
#ifndef BH_COMPILE_NEAR_H
#define BH_COMPILE_NEAR_H

#include <stddef.h>
#include <stdint.h>

#include "compile/compile.h"

/* Rules whose patterns have the same beginning: numbers[first .. first + count), in canonical order. */
struct bh_near_group {
	uint32_t first, count;
	uint32_t length; /* of the beginning, which is that of each of them */
};

struct bh_near_index {
	uint32_t *numbers; /* of rules, from 0 */
	struct bh_near_group *groups;
	uint32_t *table; /* group + 1 by hash of its beginning */
	size_t count, table_size;
	uint32_t *walls; /* numbers of rules that forbid a file, or let something be executed or forbid it */
	size_t walls_count;
};

/* 0 or -ENOMEM; bh_near_done in any case. */
int bh_near_build(const struct bh_rule *rules, size_t count, struct bh_near_index *ret_index);
void bh_near_done(struct bh_near_index *index);

/* More than a path has as a rule: one for each '/', and its own. */
#define BH_NEAR_GROUPS 40u

struct bh_near {
	const struct bh_compiled *compiled;
	const uint32_t *at[BH_NEAR_GROUPS], *end[BH_NEAR_GROUPS];
	size_t groups;
	size_t all; /* of a path that has more groups than there is room for: the next of all rules, from 1 */
};

/*
 * Those rules in canonical order, NULL at the end: every file, exec and unix rule whose pattern matches the path, or covers
 * the pattern that path is, and some others.
 */
void bh_near_begin(const struct bh_compiled *compiled, const char *path, struct bh_near *ret_near);
const struct bh_rule *bh_near_next(struct bh_near *near);

/* In canonical order, NULL at the end: those about programs, and about files those that forbid. */
const struct bh_rule *bh_compiled_wall(const struct bh_compiled *compiled, size_t index);

#define BH_FOR_EACH_NEAR(compiled, path, near, rule)                                                                   \
	for (bh_near_begin(compiled, path, near); ((rule) = bh_near_next(near));)

#endif
