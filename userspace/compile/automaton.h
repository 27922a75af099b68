/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From patterns over byte strings to cells: NFA (a trie of tokens), DFA, minimal machine, comb. Paths and addresses go
 * the same way. What an accepting state means is the caller's business: it turns sets of patterns into numbers.
 */
#ifndef BH_COMPILE_AUTOMATON_H
#define BH_COMPILE_AUTOMATON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/abi.h"
#include "policy/model.h"

/* How one NFA state is reached from its parent. */
enum bh_token {
	BH_TOKEN_ROOT = 0,
	BH_TOKEN_RANGE, /* by one byte of low..high */
	BH_TOKEN_ONE, /* `?`: by one byte but '/' */
	BH_TOKEN_STAR, /* `*`: by nothing; stays on any byte but '/' */
	BH_TOKEN_DEEP, /* `**` in the middle: by nothing; through BH_TOKEN_INSIDE and '/' back to itself */
	BH_TOKEN_INSIDE, /* always the state after its BH_TOKEN_DEEP */
	BH_TOKEN_TAIL, /* final `**`: by one byte but '/'; stays on every byte */
};

/* Links are state numbers; 0 (the root, nobody's child) ends a list. */
struct bh_nfa_state {
	uint32_t parent, children, skips, sibling; /* skips: the children reached by nothing */
	uint32_t pattern; /* number + 1 of the pattern that ends here; 0: none */
	uint8_t token, low, high;
};

struct bh_nfa {
	struct bh_nfa_state *states;
	size_t count, capacity;
	uint32_t *ends; /* by pattern: its last state */
	size_t patterns, ends_capacity;
};

int bh_nfa_init(struct bh_nfa *nfa); /* 0 or -ENOMEM */
void bh_nfa_done(struct bh_nfa *nfa);

/* Adds a pattern and gives its number; one that says the same in other words gets the same number. 0 or -ENOMEM. */
int bh_nfa_add_path(struct bh_nfa *nfa, const char *text, uint32_t *ret_pattern);
int bh_nfa_add_cidr(struct bh_nfa *nfa, const struct bh_cidr *cidr, uint32_t *ret_pattern);

/* Moves of one state: the bytes up to `last` (from the end of the previous run) lead to `to`. The last run ends at 255. */
struct bh_run {
	uint32_t to;
	uint8_t last;
};

/* State q: runs[run_first[q] .. run_first[q + 1]). State 0 is dead, state 1 the start. */
struct bh_dfa {
	size_t states;
	size_t *run_first, *set_first;
	size_t run_first_capacity, set_first_capacity;
	struct bh_run *runs;
	size_t runs_count, runs_capacity;
	uint32_t *set; /* NFA states, ascending, set_first[q] .. set_first[q + 1] */
	size_t set_count, set_capacity;
	uint32_t *meaning; /* by state, 0: nothing. The caller fills it. */
	size_t meaning_capacity;
};

/* States there may be: as many as the patterns have tokens a few times over, so that a pattern that explodes stops early. */
#define BH_DFA_STATES_MIN (1u << 19)
#define BH_DFA_STATES_EACH 8u
#define BH_DFA_STATES_MAX (1u << 23)
#define BH_DFA_SET_MAX (1u << 24)
#define BH_DFA_WORK_MAX (1u << 28) /* moves looked at: bounds the time */

/*
 * Subset construction. 0, -ENOMEM, or -E2BIG past a limit: *ret_dfa then holds what was built so far, for
 * bh_dfa_costs. The caller calls bh_dfa_done in any case.
 */
int bh_dfa_build(const struct bh_nfa *nfa, struct bh_dfa *ret_dfa);
void bh_dfa_done(struct bh_dfa *dfa);
uint32_t bh_dfa_move(const struct bh_dfa *dfa, uint32_t state, uint8_t byte);

/* By pattern: in how many sets its states occur. costs has nfa->patterns items. 0 or -ENOMEM. */
int bh_dfa_costs(const struct bh_nfa *nfa, const struct bh_dfa *dfa, uint64_t *costs);

/*
 * The minimal machine, numbered so that states between which a path moves are near one another. State 0 is dead; start is 1,
 * or 0 if all is dead.
 */
struct bh_machine {
	uint32_t states, start;
	size_t *run_first;
	struct bh_run *runs;
	uint32_t *meaning;
};

/*
 * Classes of equal states, numbered from below: what lies on no circle comes behind all that it leads to. class_of has
 * dfa->states items. 0 or -ENOMEM.
 */
int bh_dfa_classes(const struct bh_dfa *dfa, uint32_t *class_of, uint32_t *ret_classes);
/* The same by refinement alone, which circles need and which takes longer. */
int bh_dfa_refine(const struct bh_dfa *dfa, uint32_t *class_of, uint32_t *ret_classes);

/* Minimises a DFA whose meanings are filled in. 0 or -ENOMEM; the caller calls bh_machine_done. */
int bh_machine_build(const struct bh_dfa *dfa, struct bh_machine *ret_machine);
void bh_machine_done(struct bh_machine *machine);

/* Cells being filled, by one machine or several. */
struct bh_comb {
	struct bh_cell *cells; /* zero where nothing lies; readable up to each row's last possible move */
	uint32_t limit; /* cells there may be */
	uint32_t size; /* cells there are memory for: a multiple of 64 */
	uint32_t used; /* index of the highest taken cell, plus 1 */
	uint32_t base; /* the chunk in hand begins here: those below it are as good as full */
	uint64_t *free_map; /* bit i: cell i is free */
};

int bh_comb_init(struct bh_comb *comb, uint32_t limit); /* a multiple of 64. 0 or -ENOMEM */
void bh_comb_done(struct bh_comb *comb);

/*
 * Places a machine, each row within one chunk; a state's meaning becomes its accept id. 0 and *ret_start, -ENOMEM, -E2BIG
 * when the cells are full.
 */
int bh_comb_add(struct bh_comb *comb, const struct bh_machine *machine, uint32_t *ret_start);

#endif
