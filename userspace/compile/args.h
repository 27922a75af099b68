/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Command lines and environments as automata (policy.md 2.4.1). What is walked are the strings as they lie in a program's
 * memory: one behind the other, each with its NUL.
 */
#ifndef BH_COMPILE_ARGS_H
#define BH_COMPILE_ARGS_H

#include "compile/explore.h"
#include "policy/model.h"

/* The clauses of one way; one must match. */
struct bh_args_way {
	const struct bh_args_clause *clauses;
	size_t count;
};

#define BH_ARGS_STATES_MAX 65536u /* of one automaton, before it is made minimal */

/*
 * The automaton of up to BH_WAYS ways; a state's meaning is the set of ways that the arguments so far fit. As bh_explore.
 * Past the limit *ret_worst is the clause with the most states of its own.
 */
int bh_args_explore(const struct bh_args_way *ways, size_t count, struct bh_dfa *ret_dfa,
		    struct bh_explored *ret_explored, const struct bh_args_clause **ret_worst);

/* The automaton of an environment; meaning 1: it is right. As bh_explore. */
int bh_env_explore(const struct bh_env *env, struct bh_dfa *ret_dfa, struct bh_explored *ret_explored);

/* The option without its ":1", and whether it takes a value. */
size_t bh_args_option(const char *text, bool *ret_value);

/* Bytes of which an operand may consist when a clause says `words`. */
bool bh_args_plain(uint8_t byte);

#endif
