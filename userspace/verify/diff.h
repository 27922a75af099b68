/* SPDX-License-Identifier: GPL-2.0-only */
/* What changes from one policy to another, rule by rule; ids are hashes of meanings, so sets of ids are compared. */
#ifndef BH_VERIFY_DIFF_H
#define BH_VERIFY_DIFF_H

#include "base/buf.h"
#include "compile/compile.h"

/* Bits. In doubt both are set. */
enum bh_effect {
	BH_EFFECT_NONE = 0, /* no verdict changes, or other rules say the same */
	BH_EFFECT_WIDER = 1, /* something that was denied may now be allowed, or is answered more weakly */
	BH_EFFECT_NARROWER = 2,
	BH_EFFECT_MIXED = 3,
};

/* A rule that only one of the policies has, or several of one preset or guard together. The rule belongs to its policy. */
struct bh_change {
	const struct bh_rule *rule; /* the first of them */
	const struct bh_rule
		*before; /* the same grant with other conditions, which this one takes the place of; or NULL */
	size_t count;
	bool added;
	enum bh_effect effect;
};

/* What is no rule: "mode: enforce -> observe". */
struct bh_setting {
	char *text;
	enum bh_effect effect;
};

/* One of the two policies. source: what it was compiled from; all borrowed. */
struct bh_diff_side {
	const struct bh_compiled *compiled;
	const struct bh_source_policy *source;
};

struct bh_diff {
	struct bh_change *items; /* grouped by tool */
	size_t count, capacity;
	struct bh_setting *settings;
	size_t settings_count, settings_capacity;
	size_t grants_added, grants_removed, grants_changed; /* allow rules */
	bool same; /* the same policy, by its hash */
	bool wider, narrower; /* both: mixed */
	bool reach, guards; /* changed */
};

/*
 * Compares two policies under the same floors. Wider is decided by rules and in doubt said: an allow rule that no single old
 * one covers, a prohibition that is gone and that no other covers, a weaker mode or response, a higher limit, a threshold
 * that is gone or reached later. Whom a policy is selected for and which warnings it accepts is named and is neither. A
 * directory that was held in its place for a program that is gone makes nothing wider: no tool could write its name (E132).
 * Returns 0 and fills a zeroed *ret_diff; -ENOMEM.
 */
int bh_diff_make(const struct bh_diff_side *before, const struct bh_diff_side *after, struct bh_diff *ret_diff);
void bh_diff_done(struct bh_diff *diff);

/* diff_settings.c: appends what differs beside the rules. 0 or -ENOMEM. */
int bh_diff_settings(const struct bh_source_policy *old, const struct bh_source_policy *new, struct bh_diff *diff);

/* Is everything that the rule says also said by one rule of the policy? False in doubt. */
bool bh_rule_is_covered(const struct bh_rule *rule, const struct bh_compiled *by);

/* Does every path of pattern `inner` match pattern `outer`? False in doubt. */
bool bh_pattern_contains(const char *outer, const char *inner);

/* cover_entry.c: does whoever may enter by `inner` as to arguments, environment and content enter by `outer`? False in doubt. */
bool bh_entry_is_covered(const struct bh_rule *outer, const struct bh_rule *inner);

/* describe_entry.c: adds what conditions `new` has other than `old`: "first += fetch; env: any -> listed". */
void bh_rule_describe_change(const struct bh_rule *old, const struct bh_rule *new, struct bh_buf *out);

/* Adds "agent    read   /srv/notes/" with its two stars: tool, verb, object in columns. */
void bh_rule_describe(const struct bh_rule *rule, struct bh_buf *out);

#endif
