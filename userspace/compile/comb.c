/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lays a machine's rows into one another, first fit. States of near numbers go into the same chunk, and of those the
 * fullest rows first.
 */
#include "compile/automaton.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define ROW_CELLS 257u /* a head and a move on each byte */
#define GROUP_CELLS 8192u /* of rows that are sorted before they are placed */

/* Makes room for cells up to `end`. */
static int comb_grow(struct bh_comb *comb, uint32_t end)
{
	uint32_t size = comb->size ? comb->size : 4096;
	struct bh_cell *cells;
	uint64_t *map;

	if (end <= comb->size)
		return 0;
	if (end > comb->limit)
		return -E2BIG;
	while (size < end)
		size *= 2;
	if (size > comb->limit)
		size = comb->limit;
	map = realloc(comb->free_map, (size / 64 + 1) * sizeof(*map)); /* a word more, where nothing is free */
	if (!map)
		return -ENOMEM;
	comb->free_map = map;
	memset(map + comb->size / 64, 0xff, (size - comb->size) / 8);
	map[size / 64] = 0;
	cells = realloc(comb->cells, size * sizeof(*cells));
	if (!cells)
		return -ENOMEM;
	comb->cells = cells;
	memset(cells + comb->size, 0, (size - comb->size) * sizeof(*cells));
	comb->size = size;
	return 0;
}

int bh_comb_init(struct bh_comb *comb, uint32_t limit)
{
	int result;

	memset(comb, 0, sizeof(*comb));
	comb->limit = limit;
	result = comb_grow(comb, ROW_CELLS);
	if (result)
		return result;
	comb->cells[0] = (struct bh_cell){ .check = BH_CELL_HEAD, .next = BH_STATE_DEAD };
	comb->free_map[0] &= ~(uint64_t)1;
	comb->used = 1;
	return 0;
}

void bh_comb_done(struct bh_comb *comb)
{
	free(comb->free_map);
	free(comb->cells);
	memset(comb, 0, sizeof(*comb));
}

/* Which of the 64 cells from `at` on are free. */
static uint64_t free_from(const struct bh_comb *comb, uint32_t at)
{
	uint32_t word = at / 64, shift = at % 64;
	uint64_t low, high;

	if (at >= comb->size)
		return 0;
	low = comb->free_map[word] >> shift;
	high = shift ? comb->free_map[word + 1] << (64 - shift) : 0;
	return low | high;
}

struct move {
	uint32_t to;
	uint8_t byte;
};

struct row {
	uint32_t fallback; /* where most bytes lead: the head's next */
	uint32_t first; /* its moves, which lead elsewhere */
	uint32_t shape; /* rows of one shape move on the same bytes */
	uint16_t count;
};

struct layout {
	struct bh_comb *comb;
	const struct bh_machine *machine;
	struct row *rows; /* by state */
	struct move *moves;
	uint32_t *place; /* by state: its cell */
	uint32_t *shapes; /* state by hash of its shape; 0: free. The first of its shape */
	size_t shapes_size;
	uint32_t *hint; /* by shape: below it there is no place for one. What was taken stays taken. */
	uint32_t *order; /* the states in hand */
};

static uint32_t most_frequent(const struct bh_machine *machine, uint32_t state)
{
	uint32_t best = 0, best_count = 0;

	for (size_t i = machine->run_first[state]; i < machine->run_first[state + 1]; i++) {
		uint32_t to = machine->runs[i].to, count = 0, from = 0;

		for (size_t k = machine->run_first[state]; k < machine->run_first[state + 1]; k++) {
			count += machine->runs[k].to == to ? machine->runs[k].last + 1u - from : 0;
			from = machine->runs[k].last + 1u;
		}
		if (count > best_count || (count == best_count && to < best)) {
			best = to;
			best_count = count;
		}
		if (best_count >= 128)
			break;
	}
	return best;
}

static bool same_shape(const struct layout *l, const struct row *a, const struct row *b)
{
	if (a->count != b->count)
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		if (l->moves[a->first + i].byte != l->moves[b->first + i].byte)
			return false;
	return true;
}

static uint32_t find_shape(struct layout *l, uint32_t state)
{
	struct row *row = &l->rows[state];
	uint64_t hash = 0xcbf29ce484222325u;
	size_t slot;

	for (uint32_t i = 0; i < row->count; i++)
		hash = (hash ^ l->moves[row->first + i].byte) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29;
	for (slot = hash & (l->shapes_size - 1); l->shapes[slot]; slot = (slot + 1) & (l->shapes_size - 1))
		if (same_shape(l, &l->rows[l->shapes[slot]], row))
			return l->shapes[slot];
	l->shapes[slot] = state;
	return state;
}

/* Moves that are not the fallback's, of all states. 0 or -ENOMEM. */
static int fill_rows(struct layout *l)
{
	const struct bh_machine *m = l->machine;
	size_t count = 0, capacity = 0;

	for (uint32_t s = 1; s < m->states; s++) {
		unsigned int byte = 0;

		l->rows[s].fallback = most_frequent(m, s);
		for (size_t i = m->run_first[s]; i < m->run_first[s + 1]; i++) {
			capacity += m->runs[i].to != l->rows[s].fallback ? m->runs[i].last + 1u - byte : 0;
			byte = m->runs[i].last + 1u;
		}
	}
	l->moves = calloc(capacity + 1, sizeof(*l->moves));
	if (!l->moves || capacity > UINT32_MAX)
		return -ENOMEM;
	for (uint32_t s = 1; s < m->states; s++) {
		unsigned int byte = 0;

		l->rows[s].first = (uint32_t)count;
		for (size_t i = m->run_first[s]; i < m->run_first[s + 1]; i++)
			for (; byte <= m->runs[i].last; byte++)
				if (m->runs[i].to != l->rows[s].fallback)
					l->moves[count++] = (struct move){ .to = m->runs[i].to, .byte = (uint8_t)byte };
		l->rows[s].count = (uint16_t)(count - l->rows[s].first);
		l->rows[s].shape = find_shape(l, s);
	}
	return 0;
}

/* The lowest cell from the chunk in hand on where the row fits. */
static int find_place(struct layout *l, const struct row *row, uint32_t *ret_place)
{
	struct bh_comb *comb = l->comb;
	const struct move *moves = l->moves + row->first;
	uint32_t at = l->hint[row->shape] > comb->base ? l->hint[row->shape] : comb->base;

	for (;; at += 64) {
		uint64_t fits;
		int result = comb_grow(comb, at + 64 + ROW_CELLS);

		if (result)
			return result;
		fits = free_from(comb, at);
		for (uint32_t i = 0; i < row->count && fits; i++)
			fits &= free_from(comb, at + 1 + moves[i].byte);
		while (fits && (at + (uint32_t)__builtin_ctzll(fits)) % BH_CHUNK_CELLS > BH_CHUNK_CELLS - ROW_CELLS)
			fits &= fits - 1;
		if (fits) {
			at += (uint32_t)__builtin_ctzll(fits);
			*ret_place = l->hint[row->shape] = at;
			return 0;
		}
	}
}

static void take_cell(struct bh_comb *comb, uint32_t at, uint32_t check)
{
	comb->cells[at].check = check;
	comb->free_map[at / 64] &= ~((uint64_t)1 << (at % 64));
	if (at >= comb->used)
		comb->used = at + 1;
}

/* The states [from, until) into `order`, the fullest rows first; equal ones by number. */
static void order_rows(struct layout *l, uint32_t from, uint32_t until)
{
	uint32_t first[258] = { 0 };

	for (uint32_t s = from; s < until; s++)
		first[256 - l->rows[s].count + 1]++;
	for (unsigned int i = 0; i < 257; i++)
		first[i + 1] += first[i];
	for (uint32_t s = from; s < until; s++)
		l->order[first[256 - l->rows[s].count]++] = s;
}

/*
 * Takes the cells of the states [from, until), from the chunk in hand on; where moves lead is written later, as not all
 * places are known yet. When a part of them did not fit into that chunk any more, the next ones begin in the one behind it.
 */
static int place_rows(struct layout *l, uint32_t from, uint32_t until)
{
	uint32_t end = l->comb->base + BH_CHUNK_CELLS, outside = 0;

	order_rows(l, from, until);
	for (uint32_t i = 0; i < until - from; i++) {
		const struct row *row = &l->rows[l->order[i]];
		uint32_t at;
		int result = find_place(l, row, &at);

		if (result)
			return result;
		l->place[l->order[i]] = at;
		outside += at >= end;
		take_cell(l->comb, at, BH_CELL_HEAD | l->machine->meaning[l->order[i]]);
		for (uint32_t k = 0; k < row->count; k++)
			take_cell(l->comb, at + 1 + l->moves[row->first + k].byte, at);
	}
	if (outside > (until - from) / 8)
		l->comb->base = end;
	return 0;
}

static int place_groups(struct layout *l)
{
	uint32_t states = l->machine->states;
	int result = 0;

	for (uint32_t from = 1, until; from < states && !result; from = until) {
		uint32_t cells = 0;

		for (until = from; until < states && cells < GROUP_CELLS; until++)
			cells += 1u + l->rows[until].count;
		result = place_rows(l, from, until);
	}
	return result;
}

static void write_moves(struct layout *l)
{
	struct bh_cell *cells = l->comb->cells;

	for (uint32_t s = 1; s < l->machine->states; s++) {
		const struct row *row = &l->rows[s];

		cells[l->place[s]].next = l->place[row->fallback];
		for (uint32_t k = 0; k < row->count; k++)
			cells[l->place[s] + 1 + l->moves[row->first + k].byte].next =
				l->place[l->moves[row->first + k].to];
	}
}

int bh_comb_add(struct bh_comb *comb, const struct bh_machine *machine, uint32_t *ret_start)
{
	BH_FREE struct row *rows = calloc(machine->states, sizeof(*rows));
	BH_FREE uint32_t *place = calloc(machine->states, sizeof(*place));
	BH_FREE uint32_t *hint = calloc(machine->states, sizeof(*hint));
	BH_FREE uint32_t *order = calloc(machine->states, sizeof(*order));
	struct layout l = {
		.comb = comb, .machine = machine, .rows = rows, .place = place, .hint = hint, .order = order
	};
	int result = rows && place && hint && order ? 0 : -ENOMEM;

	for (l.shapes_size = 256; l.shapes_size < 2 * (size_t)machine->states;)
		l.shapes_size *= 2;
	l.shapes = calloc(l.shapes_size, sizeof(*l.shapes));
	if (!result)
		result = l.shapes ? fill_rows(&l) : -ENOMEM;
	if (!result)
		result = place_groups(&l);
	if (!result) {
		write_moves(&l);
		*ret_start = place[machine->start];
	}
	free(l.moves);
	free(l.shapes);
	return result;
}
