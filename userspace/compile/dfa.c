/* SPDX-License-Identifier: GPL-2.0-only */
/* Subset construction: one walk over the bytes follows all patterns at once. */
#include "compile/automaton.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

struct move {
	uint32_t to;
	uint8_t low, high;
};

struct builder {
	const struct bh_nfa *nfa;
	struct bh_dfa *dfa;
	struct move *moves; /* of the state in hand */
	size_t moves_count, moves_capacity;
	uint32_t *heap; /* targets, sorted by interval */
	size_t heap_capacity;
	uint32_t *next; /* the target set in hand */
	size_t next_count, next_capacity;
	uint32_t *stamp; /* by NFA state: the target set that last took it in */
	uint32_t stamps;
	uint32_t *table; /* DFA state + 1 by hash of its set */
	size_t table_size;
	uint64_t work;
};

static int add_move(struct builder *b, uint8_t low, uint8_t high, uint32_t to)
{
	if (BH_RESERVE(b->moves, b->moves_capacity, b->moves_count + 1))
		return -ENOMEM;
	b->moves[b->moves_count++] = (struct move){ .to = to, .low = low, .high = high };
	return 0;
}

static int add_not_slash(struct builder *b, uint32_t to)
{
	int result = add_move(b, 0, '/' - 1, to);

	return result ? result : add_move(b, '/' + 1, 255, to);
}

static int add_own_moves(struct builder *b, uint32_t state)
{
	int result;

	switch (b->nfa->states[state].token) {
	case BH_TOKEN_STAR:
		return add_not_slash(b, state);
	case BH_TOKEN_DEEP:
		return add_not_slash(b, state + 1);
	case BH_TOKEN_INSIDE:
		result = add_not_slash(b, state);
		return result ? result : add_move(b, '/', '/', state - 1);
	case BH_TOKEN_TAIL:
		return add_move(b, 0, 255, state);
	default:
		return 0;
	}
}

static int collect_moves(struct builder *b, uint32_t from)
{
	int result = 0;

	b->moves_count = 0;
	for (size_t i = b->dfa->set_first[from]; i < b->dfa->set_first[from + 1] && !result; i++) {
		uint32_t state = b->dfa->set[i];
		uint32_t child = b->nfa->states[state].children;

		result = add_own_moves(b, state);
		for (; child && !result; child = b->nfa->states[child].sibling) {
			const struct bh_nfa_state *to = &b->nfa->states[child];

			result = to->token == BH_TOKEN_RANGE ? add_move(b, to->low, to->high, child) :
							       add_not_slash(b, child);
		}
	}
	return result;
}

/* Takes a state into the set in hand, with all that is reached from it by nothing. Depth: tokens of one pattern. */
static int take(struct builder *b, uint32_t state)
{
	int result = 0;

	if (b->stamp[state] == b->stamps)
		return 0;
	b->stamp[state] = b->stamps;
	if (BH_RESERVE(b->next, b->next_capacity, b->next_count + 1))
		return -ENOMEM;
	b->next[b->next_count++] = state;
	for (uint32_t child = b->nfa->states[state].skips; child && !result; child = b->nfa->states[child].sibling)
		result = take(b, child);
	return result;
}

static int compare_u32(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return left < right ? -1 : left > right;
}

static uint64_t hash_set(const uint32_t *set, size_t count)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < count; i++)
		hash = (hash ^ set[i]) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29;
	return hash;
}

static int enlarge_table(struct builder *b)
{
	size_t size = b->table_size ? b->table_size * 2 : 1024;
	uint32_t *table = calloc(size, sizeof(*table));

	if (!table)
		return -ENOMEM;
	for (size_t q = 0; q < b->dfa->states; q++) {
		const uint32_t *set = b->dfa->set + b->dfa->set_first[q];
		size_t at = hash_set(set, b->dfa->set_first[q + 1] - b->dfa->set_first[q]) & (size - 1);

		while (table[at])
			at = (at + 1) & (size - 1);
		table[at] = (uint32_t)q + 1;
	}
	free(b->table);
	b->table = table;
	b->table_size = size;
	return 0;
}

static int append_state(struct builder *b, size_t slot)
{
	struct bh_dfa *dfa = b->dfa;

	if (dfa->states >= BH_DFA_STATES_MAX || b->next_count > BH_DFA_SET_MAX - dfa->set_count)
		return -E2BIG;
	if (BH_RESERVE(dfa->set, dfa->set_capacity, dfa->set_count + b->next_count + 1) ||
	    BH_RESERVE(dfa->set_first, dfa->set_first_capacity, dfa->states + 2) ||
	    BH_RESERVE(dfa->run_first, dfa->run_first_capacity, dfa->states + 2) ||
	    BH_RESERVE(dfa->meaning, dfa->meaning_capacity, dfa->states + 1))
		return -ENOMEM;
	if (b->next_count)
		memcpy(dfa->set + dfa->set_count, b->next, b->next_count * sizeof(*b->next));
	dfa->set_count += b->next_count;
	b->table[slot] = (uint32_t)++dfa->states;
	dfa->set_first[dfa->states] = dfa->set_count;
	return 0;
}

/* The DFA state of the set in hand. */
static int find_state(struct builder *b, uint32_t *ret_state)
{
	struct bh_dfa *dfa = b->dfa;
	size_t slot;
	int result;

	if (dfa->states * 2 >= b->table_size) {
		result = enlarge_table(b);
		if (result)
			return result;
	}
	if (b->next_count > 1)
		qsort(b->next, b->next_count, sizeof(*b->next), compare_u32);
	slot = hash_set(b->next, b->next_count) & (b->table_size - 1);
	for (; b->table[slot]; slot = (slot + 1) & (b->table_size - 1)) {
		uint32_t q = b->table[slot] - 1;
		size_t count = dfa->set_first[q + 1] - dfa->set_first[q];

		if (count == b->next_count &&
		    (!count || !memcmp(dfa->set + dfa->set_first[q], b->next, count * sizeof(*b->next)))) {
			*ret_state = q;
			return 0;
		}
	}
	result = append_state(b, slot);
	*ret_state = (uint32_t)dfa->states - 1;
	return result;
}

static int add_run(struct bh_dfa *dfa, size_t first, uint32_t to, uint8_t last)
{
	if (dfa->runs_count > first && dfa->runs[dfa->runs_count - 1].to == to) {
		dfa->runs[dfa->runs_count - 1].last = last;
		return 0;
	}
	if (BH_RESERVE(dfa->runs, dfa->runs_capacity, dfa->runs_count + 1))
		return -ENOMEM;
	dfa->runs[dfa->runs_count++] = (struct bh_run){ .to = to, .last = last };
	return 0;
}

/* The bytes fall into intervals on which all moves agree: interval_of[byte]; their number is returned. */
static unsigned int cut_intervals(const struct builder *b, uint16_t interval_of[257], uint8_t last[256])
{
	bool cut[257] = { false };
	unsigned int count = 0;

	for (size_t i = 0; i < b->moves_count; i++)
		cut[b->moves[i].low] = cut[b->moves[i].high + 1] = true;
	for (unsigned int byte = 0; byte < 256; byte++) {
		interval_of[byte] = (uint16_t)count;
		if (byte == 255 || cut[byte + 1])
			last[count++] = (uint8_t)byte;
	}
	interval_of[256] = (uint16_t)count;
	return count;
}

/* Sorts the moves' targets by interval: those of interval i are heap[first[i] .. first[i + 1]). */
static int spread(struct builder *b, const uint16_t interval_of[257], unsigned int count, size_t first[257])
{
	size_t fill[257];

	memset(first, 0, 257 * sizeof(*first));
	for (size_t i = 0; i < b->moves_count; i++)
		for (unsigned int k = interval_of[b->moves[i].low]; k < interval_of[b->moves[i].high + 1]; k++)
			first[k + 1]++;
	for (unsigned int k = 0; k < count; k++)
		first[k + 1] += first[k];
	b->work += first[count] + 1;
	if (b->work > BH_DFA_WORK_MAX)
		return -E2BIG;
	if (BH_RESERVE(b->heap, b->heap_capacity, first[count] + 1))
		return -ENOMEM;
	memcpy(fill, first, sizeof(fill));
	for (size_t i = 0; i < b->moves_count; i++)
		for (unsigned int k = interval_of[b->moves[i].low]; k < interval_of[b->moves[i].high + 1]; k++)
			b->heap[fill[k]++] = b->moves[i].to;
	return 0;
}

static int expand(struct builder *b, uint32_t from)
{
	uint16_t interval_of[257];
	uint8_t last[256];
	size_t first[257], run_first = b->dfa->runs_count;
	unsigned int count;
	uint32_t to;
	int result = collect_moves(b, from);

	if (result)
		return result;
	count = cut_intervals(b, interval_of, last);
	result = spread(b, interval_of, count, first);
	for (unsigned int k = 0; k < count && !result; k++) {
		b->next_count = 0;
		b->stamps++;
		for (size_t i = first[k]; i < first[k + 1] && !result; i++)
			result = take(b, b->heap[i]);
		if (!result)
			result = find_state(b, &to);
		if (!result)
			result = add_run(b->dfa, run_first, to, last[k]);
	}
	b->dfa->run_first[from + 1] = b->dfa->runs_count;
	return result;
}

static int run_builder(struct builder *b)
{
	uint32_t state;
	int result;

	b->stamp = calloc(b->nfa->count, sizeof(*b->stamp));
	if (!b->stamp || BH_RESERVE(b->dfa->set_first, b->dfa->set_first_capacity, 2))
		return -ENOMEM;
	result = find_state(b, &state); /* the empty set: dead */
	b->stamps = 1;
	if (!result)
		result = take(b, 0);
	if (!result)
		result = find_state(b, &state);
	for (uint32_t q = 0; q < b->dfa->states && !result; q++)
		result = expand(b, q);
	return result;
}

int bh_dfa_build(const struct bh_nfa *nfa, struct bh_dfa *ret_dfa)
{
	struct builder b = { .nfa = nfa, .dfa = ret_dfa };
	int result;

	memset(ret_dfa, 0, sizeof(*ret_dfa));
	result = run_builder(&b);
	free(b.moves);
	free(b.heap);
	free(b.next);
	free(b.stamp);
	free(b.table);
	return result;
}

void bh_dfa_done(struct bh_dfa *dfa)
{
	free(dfa->run_first);
	free(dfa->set_first);
	free(dfa->runs);
	free(dfa->set);
	free(dfa->meaning);
	memset(dfa, 0, sizeof(*dfa));
}

uint32_t bh_dfa_move(const struct bh_dfa *dfa, uint32_t state, uint8_t byte)
{
	size_t i = dfa->run_first[state];

	while (dfa->runs[i].last < byte)
		i++;
	return dfa->runs[i].to;
}

int bh_dfa_costs(const struct bh_nfa *nfa, const struct bh_dfa *dfa, uint64_t *costs)
{
	uint64_t *seen = calloc(nfa->count, sizeof(*seen));

	if (!seen)
		return -ENOMEM;
	for (size_t i = 0; i < dfa->set_count; i++)
		seen[dfa->set[i]]++;
	for (size_t p = 0; p < nfa->patterns; p++) {
		costs[p] = 0;
		for (uint32_t at = nfa->ends[p]; at; at = nfa->states[at].parent)
			costs[p] += seen[at] + (nfa->states[at].token == BH_TOKEN_DEEP ? seen[at + 1] : 0);
	}
	free(seen);
	return 0;
}
