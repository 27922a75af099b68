/* SPDX-License-Identifier: GPL-2.0-only */
/* Edges on which arguments, environment or content decide: what is chosen from, and the automata that choose. */
#ifndef BH_COMPILE_CHOICES_H
#define BH_COMPILE_CHOICES_H

#include "compile/compiled.h"

/* Rules of one tool about one program, by number; different ones. */
struct bh_choice_rules {
	const struct bh_rule *rules[BH_WAYS];
	uint32_t numbers[BH_WAYS]; /* index + 1 */
	uint32_t count;
};

/* Does the rule let its target be entered by whatever is given to the program? */
bool bh_rule_is_free(const struct bh_rule *rule);

/* Do both ask for the same? */
bool bh_rule_asks_alike(const struct bh_rule *a, const struct bh_rule *b);

/*
 * Fills choices[] and hashes[] of the tables from the choices in their final order, and places their automata. E141 where one
 * command line fits two tools, E142 for a helper that is such. 0, -EINVAL, -ENOMEM.
 */
int bh_compile_choices(struct bh_compile *c, struct bh_comb *comb, const struct bh_choice_rules *choices, size_t count);

/* Places the automata of variables that each tool's programs obey. 0, -EINVAL, -ENOMEM. */
int bh_compile_obeyed_starts(struct bh_compile *c, struct bh_comb *comb);

#endif
