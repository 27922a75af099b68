/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Subset construction: one walk over the bytes follows all patterns at once. Most bytes of most states lead to one and the
 * same set, so a state costs what its patterns say about single bytes, not 256.
 */
#include "compile/automaton.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"

/* Where one byte leads, beside where most of them do. */
struct step {
	uint32_t to;
	uint8_t byte;
};

struct list {
	uint32_t *items;
	size_t count, capacity;
};

struct builder {
	const struct bh_nfa *nfa;
	struct bh_dfa *dfa;
	/* of the state in hand: where every byte leads, every byte but '/', and single ones */
	struct list all, name;
	struct step *steps;
	size_t steps_count, steps_capacity;
	struct list next; /* the target set in hand */
	uint32_t *stamp; /* by NFA state: the target set that last took it in */
	uint32_t stamps;
	uint32_t *single; /* by NFA state: DFA state + 1 of the set of it alone */
	uint32_t *table; /* DFA state + 1 by hash of its set, if that has more than one item */
	size_t table_size, table_used;
	size_t states_max;
	uint64_t work;
};

static int add_to(struct list *list, uint32_t state)
{
	if (BH_RESERVE(list->items, list->capacity, list->count + 1))
		return -ENOMEM;
	list->items[list->count++] = state;
	return 0;
}

static int add_range(struct builder *b, unsigned int low, unsigned int high, uint32_t to)
{
	if (low == 0 && high == 255)
		return add_to(&b->all, to);
	if (BH_RESERVE(b->steps, b->steps_capacity, b->steps_count + high - low + 1))
		return -ENOMEM;
	for (unsigned int byte = low; byte <= high; byte++)
		b->steps[b->steps_count++] = (struct step){ .to = to, .byte = (uint8_t)byte };
	return 0;
}

static int add_own_moves(struct builder *b, uint32_t state)
{
	int result;

	switch (b->nfa->states[state].token) {
	case BH_TOKEN_STAR:
		return add_to(&b->name, state);
	case BH_TOKEN_DEEP:
		return add_to(&b->name, state + 1);
	case BH_TOKEN_INSIDE:
		result = add_to(&b->name, state);
		return result ? result : add_range(b, '/', '/', state - 1);
	case BH_TOKEN_TAIL:
		return add_to(&b->all, state);
	default:
		return 0;
	}
}

static int collect_moves(struct builder *b, uint32_t from)
{
	int result = 0;

	b->all.count = b->name.count = b->steps_count = 0;
	for (size_t i = b->dfa->set_first[from]; i < b->dfa->set_first[from + 1] && !result; i++) {
		uint32_t state = b->dfa->set[i];
		uint32_t child = b->nfa->states[state].children;

		result = add_own_moves(b, state);
		for (; child && !result; child = b->nfa->states[child].sibling) {
			const struct bh_nfa_state *to = &b->nfa->states[child];

			result = to->token == BH_TOKEN_RANGE ? add_range(b, to->low, to->high, child) :
							       add_to(&b->name, child);
		}
	}
	return result;
}

static int compare_steps(const void *left, const void *right)
{
	const struct step *a = left, *b = right;

	if (a->byte != b->byte)
		return a->byte < b->byte ? -1 : 1;
	return a->to < b->to ? -1 : a->to > b->to;
}

static int compare_u32(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return left < right ? -1 : left > right;
}

/* Few items, as a rule, and those nearly in order. */
static void sort_set(uint32_t *items, size_t count)
{
	if (count > 32) {
		qsort(items, count, sizeof(*items), compare_u32);
		return;
	}
	for (size_t i = 1; i < count; i++) {
		uint32_t item = items[i];
		size_t at = i;

		for (; at > 0 && items[at - 1] > item; at--)
			items[at] = items[at - 1];
		items[at] = item;
	}
}

/* Takes a state into the set in hand, with all that is reached from it by nothing. Depth: tokens of one pattern. */
static int take(struct builder *b, uint32_t state)
{
	int result;

	if (b->stamp[state] == b->stamps)
		return 0;
	b->stamp[state] = b->stamps;
	result = add_to(&b->next, state);
	for (uint32_t child = b->nfa->states[state].skips; child && !result; child = b->nfa->states[child].sibling)
		result = take(b, child);
	return result;
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
	for (size_t i = 0; i < b->table_size; i++) {
		size_t q = b->table[i] - 1u, at;

		if (!b->table[i])
			continue;
		at = hash_set(b->dfa->set + b->dfa->set_first[q], b->dfa->set_first[q + 1] - b->dfa->set_first[q]);
		for (at &= size - 1; table[at];)
			at = (at + 1) & (size - 1);
		table[at] = b->table[i];
	}
	free(b->table);
	b->table = table;
	b->table_size = size;
	return 0;
}

/* A state for the set in hand. */
static int append_state(struct builder *b, uint32_t *ret_state)
{
	struct bh_dfa *dfa = b->dfa;

	if (dfa->states >= b->states_max || b->next.count > BH_DFA_SET_MAX - dfa->set_count)
		return -E2BIG;
	if (BH_RESERVE(dfa->set, dfa->set_capacity, dfa->set_count + b->next.count + 1) ||
	    BH_RESERVE(dfa->set_first, dfa->set_first_capacity, dfa->states + 2) ||
	    BH_RESERVE(dfa->run_first, dfa->run_first_capacity, dfa->states + 2) ||
	    BH_RESERVE(dfa->meaning, dfa->meaning_capacity, dfa->states + 1))
		return -ENOMEM;
	for (size_t i = 0; i < b->next.count; i++)
		dfa->set[dfa->set_count++] = b->next.items[i];
	*ret_state = (uint32_t)dfa->states++;
	dfa->set_first[dfa->states] = dfa->set_count;
	return 0;
}

static int find_in_table(struct builder *b, uint32_t *ret_state)
{
	const struct bh_dfa *dfa = b->dfa;
	size_t slot, count = b->next.count;
	int result = b->table_used * 2 >= b->table_size ? enlarge_table(b) : 0;

	if (result)
		return result;
	slot = hash_set(b->next.items, count) & (b->table_size - 1);
	for (; b->table[slot]; slot = (slot + 1) & (b->table_size - 1)) {
		uint32_t q = b->table[slot] - 1;

		if (dfa->set_first[q + 1] - dfa->set_first[q] == count &&
		    memcmp(dfa->set + dfa->set_first[q], b->next.items, count * sizeof(*b->next.items)) == 0) {
			*ret_state = q;
			return 0;
		}
	}
	result = append_state(b, ret_state);
	if (!result) {
		b->table[slot] = *ret_state + 1;
		b->table_used++;
	}
	return result;
}

/* The DFA state of the set in hand. */
static int find_state(struct builder *b, uint32_t *ret_state)
{
	uint32_t *single;
	int result = 0;

	if (b->next.count == 0) {
		*ret_state = BH_STATE_DEAD;
		return 0;
	}
	if (b->next.count > 1) {
		sort_set(b->next.items, b->next.count);
		return find_in_table(b, ret_state);
	}
	single = &b->single[b->next.items[0]];
	if (!*single) {
		result = append_state(b, ret_state);
		*single = result ? 0 : *ret_state + 1;
	}
	*ret_state = *single - 1;
	return result;
}

/* The state that the steps [from, until) lead to, with what every byte does, and every byte but '/' unless it is that one. */
static int find_target(struct builder *b, size_t from, size_t until, bool slash, uint32_t *ret_state)
{
	int result = 0;

	b->next.count = 0;
	b->stamps++;
	b->work += 1 + b->all.count + b->name.count + until - from;
	if (b->work > BH_DFA_WORK_MAX)
		return -E2BIG;
	for (size_t i = 0; i < b->all.count && !result; i++)
		result = take(b, b->all.items[i]);
	for (size_t i = 0; i < b->name.count && !slash && !result; i++)
		result = take(b, b->name.items[i]);
	for (size_t i = from; i < until && !result; i++)
		result = take(b, b->steps[i].to);
	return result ? result : find_state(b, ret_state);
}

static int add_run(struct bh_dfa *dfa, size_t first, uint32_t to, unsigned int last)
{
	if (dfa->runs_count > first && dfa->runs[dfa->runs_count - 1].to == to) {
		dfa->runs[dfa->runs_count - 1].last = (uint8_t)last;
		return 0;
	}
	if (BH_RESERVE(dfa->runs, dfa->runs_capacity, dfa->runs_count + 1))
		return -ENOMEM;
	dfa->runs[dfa->runs_count++] = (struct bh_run){ .to = to, .last = (uint8_t)last };
	return 0;
}

/* The state in hand: `usual` is where the bytes lead that no step is about, and `slash` the same for '/'. */
struct expansion {
	size_t first_run;
	uint32_t usual, slash;
	unsigned int byte; /* up to here the runs are made */
};

/* Runs for the bytes up to `end`, which is not included. */
static int fill(struct builder *b, struct expansion *x, unsigned int end)
{
	int result = 0;

	if (x->byte < end && x->byte < '/')
		result = add_run(b->dfa, x->first_run, x->usual, end > '/' ? '/' - 1 : end - 1);
	if (x->byte <= '/' && end > '/' && !result)
		result = add_run(b->dfa, x->first_run, x->slash, '/');
	if (end > '/' + 1 && x->byte < end && !result)
		result = add_run(b->dfa, x->first_run, x->usual, end - 1);
	x->byte = end;
	return result;
}

static int expand(struct builder *b, uint32_t from)
{
	struct expansion x = { .first_run = b->dfa->runs_count };
	int result = collect_moves(b, from);

	if (b->steps_count > 1)
		qsort(b->steps, b->steps_count, sizeof(*b->steps), compare_steps);
	if (!result)
		result = find_target(b, 0, 0, false, &x.usual);
	if (!result)
		result = find_target(b, 0, 0, true, &x.slash);
	for (size_t i = 0, until; i < b->steps_count && !result; i = until) {
		uint8_t byte = b->steps[i].byte;
		uint32_t to;

		for (until = i + 1; until < b->steps_count && b->steps[until].byte == byte;)
			until++;
		result = fill(b, &x, byte);
		if (!result)
			result = find_target(b, i, until, byte == '/', &to);
		if (!result)
			result = add_run(b->dfa, x.first_run, to, byte);
		x.byte = byte + 1u;
	}
	if (!result)
		result = fill(b, &x, 256);
	b->dfa->run_first[from + 1] = b->dfa->runs_count;
	return result;
}

static int run_builder(struct builder *b)
{
	uint32_t state;
	int result;

	b->stamp = calloc(b->nfa->count, sizeof(*b->stamp));
	b->single = calloc(b->nfa->count, sizeof(*b->single));
	if (!b->stamp || !b->single || BH_RESERVE(b->dfa->set_first, b->dfa->set_first_capacity, 2))
		return -ENOMEM;
	result = append_state(b, &state); /* the empty set: dead */
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
	b.states_max = BH_DFA_STATES_MIN + BH_DFA_STATES_EACH * nfa->count;
	if (b.states_max > BH_DFA_STATES_MAX)
		b.states_max = BH_DFA_STATES_MAX;
	result = run_builder(&b);
	free(b.all.items);
	free(b.name.items);
	free(b.steps);
	free(b.next.items);
	free(b.stamp);
	free(b.single);
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
	BH_FREE uint64_t *seen = calloc(nfa->count, sizeof(*seen));

	if (!seen)
		return -ENOMEM;
	for (size_t i = 0; i < dfa->set_count; i++)
		seen[dfa->set[i]]++;
	for (size_t p = 0; p < nfa->patterns; p++) {
		costs[p] = 0;
		for (uint32_t at = nfa->ends[p]; at; at = nfa->states[at].parent)
			costs[p] += seen[at] + (nfa->states[at].token == BH_TOKEN_DEEP ? seen[at + 1] : 0);
	}
	return 0;
}
