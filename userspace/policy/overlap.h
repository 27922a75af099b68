/* SPDX-License-Identifier: GPL-2.0-only */
/* Can two policies be for the same sandbox? Then neither is bound (policy.md 2.3), so it is better known before. */
#ifndef BH_POLICY_OVERLAP_H
#define BH_POLICY_OVERLAP_H

#include <stdbool.h>

#include "policy/model.h"

/*
 * Is there a text that both patterns match? `*` stands for any bytes but '/', `?` for one of these, two stars behind a final slash
 * for any bytes. Patterns longer than BH_PATTERN_MAX are taken to meet.
 */
bool bh_patterns_meet(const char *a, const char *b);

/*
 * The clause of `b` that may match a sandbox which `a` matches too, both having the same priority. NULL: their selectors
 * are provably disjoint, one of them has none, or the priorities decide.
 */
const struct bh_select_clause *bh_select_meets(const struct bh_select *a, const struct bh_select *b);

#endif
