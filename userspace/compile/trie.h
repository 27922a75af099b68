/* SPDX-License-Identifier: GPL-2.0-only */
/* Words that begin alike share their beginnings. Node 0 is the empty word. */
#ifndef BH_COMPILE_TRIE_H
#define BH_COMPILE_TRIE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compile/explore.h"

struct bh_trie_node {
	uint32_t children, sibling, parent; /* node numbers; 0 ends a list */
	uint32_t bits; /* the caller's: what ends here */
	uint32_t number; /* the caller's */
	uint8_t byte;
};

/* Zero it to begin. */
struct bh_trie {
	struct bh_trie_node *nodes;
	size_t count, capacity;
};

/* Adds the word, or finds it; its node. 0 or -ENOMEM. */
int bh_trie_add(struct bh_trie *trie, const char *word, size_t length, uint32_t *ret_node);
void bh_trie_done(struct bh_trie *trie);

/* The node that the byte leads to; 0: none. */
uint32_t bh_trie_next(const struct bh_trie *trie, uint32_t node, uint8_t byte);

/*
 * The trie as an automaton. A node with this bit stands for everything that goes on from it; without it a string that leaves
 * the trie is dead.
 */
#define BH_TRIE_WILD 1u

/* A state of it: bytes of explored.states. */
struct bh_trie_place {
	uint32_t node; /* + 1 */
	uint32_t left; /* 1: the string has left the trie, behind this node, which is the last wild one on its way */
};
#define BH_TRIE_PLACES_MAX (1u << 22)

/* All its states, without meanings. As bh_explore. */
int bh_trie_explore(const struct bh_trie *trie, struct bh_dfa *ret_dfa, struct bh_explored *ret_explored);

/* Marks every byte of every word. */
void bh_trie_bytes(const struct bh_trie *trie, bool seen[256]);

#endif
