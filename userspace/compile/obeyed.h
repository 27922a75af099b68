/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Variables that programs obey: whoever sets them for a program has it run other code. From one tool into another none goes
 * that the dynamic loader obeys, or one of the programs that the other tool may run (guards of rules/guards.yaml).
 */
#ifndef BH_COMPILE_OBEYED_H
#define BH_COMPILE_OBEYED_H

#include <stdbool.h>
#include <stdint.h>

#include "compile/explore.h"

/* Both end with NULL; a name that ends in `*` stands for all that begin so. Owned by the compiled policy. */
struct bh_family {
	const char **variables;
	const char **except; /* of these, the ones that may enter */
};
#define BH_FAMILIES_MAX 32u

/* Is that the program's name, or with a version behind it (python3.11)? path: exact, or a pattern that its file could match. */
bool bh_program_is(const char *path, const char *program);

/* The automaton of environments without a variable of these families (a set, as bits); meaning 1. As bh_explore. */
int bh_obeyed_explore(const struct bh_family *families, uint64_t set, struct bh_dfa *ret_dfa,
		      struct bh_explored *ret_explored);

#endif
