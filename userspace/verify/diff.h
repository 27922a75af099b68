/* SPDX-License-Identifier: GPL-2.0-only */
/* What changes from one policy to another, rule by rule; ids are hashes of meanings, so sets of ids are compared. */
#ifndef BH_VERIFY_DIFF_H
#define BH_VERIFY_DIFF_H

#include "base/buf.h"
#include "compile/compile.h"

enum bh_effect {
	BH_EFFECT_NONE = 0, /* other rules say the same */
	BH_EFFECT_WIDER, /* something that was denied may now be allowed */
	BH_EFFECT_NARROWER,
};

/* A rule that only one of the policies has, or several of one preset or guard together. The rule belongs to its policy. */
struct bh_change {
	const struct bh_rule *rule; /* the first of them */
	size_t count;
	bool added;
	enum bh_effect effect;
};

#define BH_SETTINGS_MAX 80u
#define BH_SETTING_TEXT 112u

/* One of the two policies. source: what it was compiled from; all borrowed. */
struct bh_diff_side {
	const struct bh_compiled *compiled;
	const struct bh_source_policy *source;
};

struct bh_diff {
	struct bh_change *items; /* grouped by tool */
	size_t count, capacity;
	char settings[BH_SETTINGS_MAX][BH_SETTING_TEXT]; /* "mode: enforce -> observe" */
	size_t settings_count;
	size_t grants_added, grants_removed; /* allow rules */
	bool same; /* the same policy, by its hash */
	bool wider, narrower;
	bool reach, guards; /* changed */
};

/*
 * Compares two policies under the same floors. Wider is decided by rules and in doubt said: an allow rule that no single old
 * one covers, a prohibition that is gone and that no other covers, observing instead of enforcing. A directory that was held
 * in its place for a program that is gone makes nothing wider: no tool could write its name (E132). Returns 0 and fills a zeroed *ret_diff; -ENOMEM.
 */
int bh_diff_make(const struct bh_diff_side *before, const struct bh_diff_side *after, struct bh_diff *ret_diff);
void bh_diff_done(struct bh_diff *diff);

/* Is everything that the rule says also said by one rule of the policy? False in doubt. */
bool bh_rule_is_covered(const struct bh_rule *rule, const struct bh_compiled *by);

/* Does every path of pattern `inner` match pattern `outer`? False in doubt. */
bool bh_pattern_contains(const char *outer, const char *inner);

/* Adds "agent    read   /srv/notes/" with its two stars: tool, verb, object in columns. */
void bh_rule_describe(const struct bh_rule *rule, struct bh_buf *out);

#endif
