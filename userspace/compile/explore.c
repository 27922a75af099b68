/* SPDX-License-Identifier: GPL-2.0-only */
#include "compile/explore.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

struct visit {
	const struct bh_explore *explore;
	struct bh_explored *explored;
	struct bh_dfa *dfa;
	uint32_t *table; /* state + 1 by hash; 0: free */
	size_t table_size;
};

void bh_explored_done(struct bh_explored *explored)
{
	free(explored->states);
	free(explored->parent);
	free(explored->by);
	memset(explored, 0, sizeof(*explored));
}

static uint64_t hash_state(const uint8_t *state, size_t size)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ state[i]) * 0x100000001b3u;
	return hash ^ hash >> 29;
}

static const uint8_t *state_at(const struct visit *v, uint32_t state)
{
	return v->explored->states + state * v->explore->size;
}

/* Where in the table the state is, or would go. */
static size_t slot_of(const struct visit *v, const uint8_t *state)
{
	size_t size = v->explore->size, slot = hash_state(state, size) & (v->table_size - 1);

	while (v->table[slot] && memcmp(state_at(v, v->table[slot] - 1), state, size) != 0)
		slot = (slot + 1) & (v->table_size - 1);
	return slot;
}

static int enlarge(struct visit *v)
{
	size_t size = v->table_size ? 2 * v->table_size : 1024;
	uint32_t *table = calloc(size, sizeof(*table));

	if (!table)
		return -ENOMEM;
	free(v->table);
	v->table = table;
	v->table_size = size;
	for (uint32_t i = 0; i < v->explored->count; i++)
		table[slot_of(v, state_at(v, i))] = i + 1;
	return 0;
}

static int append(struct visit *v, const uint8_t *state, uint32_t parent, uint8_t by)
{
	struct bh_explored *e = v->explored;
	size_t size = v->explore->size;

	if (e->count >= v->explore->limit)
		return -E2BIG;
	if (BH_RESERVE(e->states, e->states_capacity, (e->count + 1) * size) ||
	    BH_RESERVE(e->parent, e->parent_capacity, e->count + 1) ||
	    BH_RESERVE(e->by, e->by_capacity, e->count + 1) ||
	    BH_RESERVE(v->dfa->meaning, v->dfa->meaning_capacity, e->count + 1) ||
	    BH_RESERVE(v->dfa->run_first, v->dfa->run_first_capacity, e->count + 2))
		return -ENOMEM;
	memcpy(e->states + e->count * size, state, size);
	e->parent[e->count] = parent;
	e->by[e->count] = by;
	v->dfa->meaning[e->count] = v->explore->mean(v->explore->data, state);
	e->count++;
	return 0;
}

/* The number of the state, a new one if it was not seen yet. */
static int find(struct visit *v, const uint8_t *state, uint32_t parent, uint8_t by, uint32_t *ret_number)
{
	size_t slot;
	int result = 0;

	if (2 * (size_t)v->explored->count >= v->table_size)
		result = enlarge(v);
	if (result)
		return result;
	slot = slot_of(v, state);
	if (!v->table[slot]) {
		result = append(v, state, parent, by);
		if (result)
			return result;
		v->table[slot] = v->explored->count;
	}
	*ret_number = v->table[slot] - 1;
	return 0;
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

/* All moves of one state. next: room for a state. */
static int expand(struct visit *v, uint32_t from, uint8_t *next)
{
	uint32_t to[256];
	size_t first = v->dfa->runs_count;
	int result = 0;

	v->dfa->run_first[from] = first;
	for (unsigned int byte = 0; byte < 256 && !result; byte++) {
		uint8_t like = v->explore->like[byte];

		if (like < byte) {
			to[byte] = to[like];
		} else {
			memset(next, 0, v->explore->size);
			if (from)
				v->explore->step(v->explore->data, state_at(v, from), (uint8_t)byte, next);
			result = find(v, next, from, (uint8_t)byte, &to[byte]);
		}
		if (!result)
			result = add_run(v->dfa, first, to[byte], (uint8_t)byte);
	}
	return result;
}

static int run(struct visit *v, const uint8_t *start)
{
	BH_FREE uint8_t *next = calloc(1, v->explore->size);
	uint32_t number;
	int result = next ? find(v, next, 0, 0, &number) : -ENOMEM;

	if (!result)
		result = find(v, start, 0, 0, &number);
	for (uint32_t q = 0; q < v->explored->count && !result; q++)
		result = expand(v, q, next);
	if (result)
		return result;
	v->dfa->run_first[v->explored->count] = v->dfa->runs_count;
	v->dfa->states = v->explored->count;
	return 0;
}

int bh_explore(const struct bh_explore *explore, const uint8_t *start, struct bh_dfa *ret_dfa,
	       struct bh_explored *ret_explored)
{
	struct visit visit = { .explore = explore, .explored = ret_explored, .dfa = ret_dfa };
	int result;

	memset(ret_dfa, 0, sizeof(*ret_dfa));
	memset(ret_explored, 0, sizeof(*ret_explored));
	result = run(&visit, start);
	free(visit.table);
	return result;
}

void bh_explored_example(const struct bh_explored *explored, uint32_t state, struct bh_buf *out)
{
	size_t length = 0, begin = out->length;

	for (uint32_t at = state; at > 1; at = explored->parent[at])
		length++;
	for (size_t i = 0; i < length; i++)
		bh_buf_add(out, "", 1);
	if (out->error)
		return;
	for (uint32_t at = state; at > 1; at = explored->parent[at])
		out->bytes[begin + --length] = explored->by[at];
}

void bh_explore_classes(struct bh_explore *explore, const bool single[256], const uint8_t group[256])
{
	int first[256];

	for (unsigned int i = 0; i < 256; i++)
		first[i] = -1;
	for (unsigned int byte = 0; byte < 256; byte++) {
		if (!single[byte] && first[group[byte]] < 0)
			first[group[byte]] = (int)byte;
		explore->like[byte] = single[byte] ? (uint8_t)byte : (uint8_t)first[group[byte]];
	}
}
