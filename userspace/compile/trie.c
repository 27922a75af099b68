/* SPDX-License-Identifier: GPL-2.0-only */
#include "compile/trie.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

uint32_t bh_trie_next(const struct bh_trie *trie, uint32_t node, uint8_t byte)
{
	uint32_t child = trie->count ? trie->nodes[node].children : 0;

	while (child && trie->nodes[child].byte != byte)
		child = trie->nodes[child].sibling;
	return child;
}

int bh_trie_add(struct bh_trie *trie, const char *word, size_t length, uint32_t *ret_node)
{
	uint32_t at = 0;

	if (BH_RESERVE(trie->nodes, trie->capacity, trie->count + length + 1))
		return -ENOMEM;
	if (!trie->count)
		trie->nodes[trie->count++] = (struct bh_trie_node){ 0 };
	for (size_t i = 0; i < length; i++) {
		uint32_t next = bh_trie_next(trie, at, (uint8_t)word[i]);

		if (!next) {
			next = (uint32_t)trie->count++;
			trie->nodes[next] = (struct bh_trie_node){ .sibling = trie->nodes[at].children,
								   .parent = at,
								   .byte = (uint8_t)word[i] };
			trie->nodes[at].children = next;
		}
		at = next;
	}
	*ret_node = at;
	return 0;
}

void bh_trie_done(struct bh_trie *trie)
{
	free(trie->nodes);
	memset(trie, 0, sizeof(*trie));
}

void bh_trie_bytes(const struct bh_trie *trie, bool seen[256])
{
	for (size_t i = 1; i < trie->count; i++)
		seen[trie->nodes[i].byte] = true;
}

static void step(const void *data, const uint8_t *from, uint8_t byte, uint8_t *to)
{
	const struct bh_trie *trie = data;
	struct bh_trie_place at;
	uint32_t node, next;

	memcpy(&at, from, sizeof(at));
	node = at.node - 1;
	next = at.left ? 0 : bh_trie_next(trie, node, byte);
	if (next) {
		at.node = next + 1;
	} else if (!at.left) {
		while (node && !(trie->nodes[node].bits & BH_TRIE_WILD))
			node = trie->nodes[node].parent;
		if (!node)
			return; /* dead */
		at = (struct bh_trie_place){ .node = node + 1, .left = 1 };
	}
	memcpy(to, &at, sizeof(at));
}

static uint32_t mean(const void *data, const uint8_t *state)
{
	return 0;
}

int bh_trie_explore(const struct bh_trie *trie, struct bh_dfa *ret_dfa, struct bh_explored *ret_explored)
{
	static const struct bh_trie_place start = { .node = 1 };
	static const uint8_t group[256];
	bool single[256] = { false };
	struct bh_explore explore = {
		.size = sizeof(start), .step = step, .mean = mean, .data = trie, .limit = BH_TRIE_PLACES_MAX
	};

	bh_trie_bytes(trie, single);
	bh_explore_classes(&explore, single, group);
	return bh_explore(&explore, (const uint8_t *)&start, ret_dfa, ret_explored);
}
