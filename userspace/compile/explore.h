/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a machine that is given by its step to a DFA: every state that can be reached is visited, breadth first. For what the
 * tokens of automaton.h cannot say: command lines and environments, which are counted and remembered, not only compared.
 */
#ifndef BH_COMPILE_EXPLORE_H
#define BH_COMPILE_EXPLORE_H

#include "base/buf.h"
#include "compile/automaton.h"

/* The machine. A state is a string of bytes; all zero: dead, from where there is no way back. */
struct bh_explore {
	size_t size; /* bytes of a state */
	void (*step)(const void *data, const uint8_t *from, uint8_t byte, uint8_t *to); /* `to` is zeroed */
	uint32_t (*mean)(const void *data, const uint8_t *state); /* 0: nothing */
	const void *data;
	uint8_t like[256]; /* the byte that moves all states as this one does; itself, or a smaller one */
	uint32_t limit; /* of states */
};

/* What was visited, by DFA state. */
struct bh_explored {
	uint8_t *states;
	uint32_t *parent; /* the state from which it was first reached */
	uint8_t *by; /* and the byte */
	uint32_t count;
	size_t states_capacity, parent_capacity, by_capacity;
};

/*
 * Fills the DFA, meanings included; state 1 is the start, 0 dead. Returns 0, -ENOMEM, or -E2BIG past the limit: explored
 * then holds what was visited. The caller calls bh_dfa_done and bh_explored_done in any case.
 */
int bh_explore(const struct bh_explore *explore, const uint8_t *start, struct bh_dfa *ret_dfa,
	       struct bh_explored *ret_explored);
void bh_explored_done(struct bh_explored *explored);

/* The shortest string that leads to the state, added to out. */
void bh_explored_example(const struct bh_explored *explored, uint32_t state, struct bh_buf *out);

/* Sets `like` from marks: bytes with equal marks move alike, and so does each marked `single` only as itself. */
void bh_explore_classes(struct bh_explore *explore, const bool single[256], const uint8_t group[256]);

#endif
