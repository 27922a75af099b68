/* SPDX-License-Identifier: GPL-2.0-only */
/* Words that begin alike share their beginnings. Node 0 is the empty word. */
#ifndef BH_COMPILE_TRIE_H
#define BH_COMPILE_TRIE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Marks every byte of every word. */
void bh_trie_bytes(const struct bh_trie *trie, bool seen[256]);

#endif
