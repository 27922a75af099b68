/* SPDX-License-Identifier: GPL-2.0-only */
/* Lays a machine's rows into one another, first fit, fullest rows first. */
#include "compile/automaton.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define ROW_CELLS 257u /* a head and a move on each byte */

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

struct row {
	uint32_t fallback; /* where most bytes lead: the head's next */
	uint16_t count; /* bytes that lead elsewhere */
	uint8_t bytes[256];
	uint32_t to[256];
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
	}
	return best;
}

static void fill_row(const struct bh_machine *machine, uint32_t state, struct row *row)
{
	unsigned int byte = 0;

	row->fallback = most_frequent(machine, state);
	row->count = 0;
	for (size_t i = machine->run_first[state]; i < machine->run_first[state + 1]; i++)
		for (; byte <= machine->runs[i].last; byte++)
			if (machine->runs[i].to != row->fallback) {
				row->bytes[row->count] = (uint8_t)byte;
				row->to[row->count++] = machine->runs[i].to;
			}
}

/* The lowest cell where the row fits. What was taken stays taken, so a search resumes where its like ended. */
static int find_place(struct bh_comb *comb, const struct row *row, uint32_t *ret_place)
{
	uint32_t *hint = row->count == 1 ? &comb->hint[row->bytes[0]] : &comb->hint[256];
	uint32_t at = comb->hint[256];
	int result = 0;

	for (unsigned int i = 0; i < row->count; i++)
		if (comb->hint[row->bytes[i]] > at)
			at = comb->hint[row->bytes[i]];
	for (;; at += 64) {
		uint64_t fits;

		result = comb_grow(comb, at + 64 + ROW_CELLS);
		if (result)
			return result;
		fits = free_from(comb, at);
		if (at == *hint && row->count > 1 && !fits)
			*hint = at + 64;
		for (unsigned int i = 0; i < row->count && fits; i++)
			fits &= free_from(comb, at + 1 + row->bytes[i]);
		while (fits && (at + (uint32_t)__builtin_ctzll(fits)) % BH_CHUNK_CELLS > BH_CHUNK_CELLS - ROW_CELLS)
			fits &= fits - 1;
		if (fits) {
			at += (uint32_t)__builtin_ctzll(fits);
			if (row->count <= 1)
				*hint = at;
			*ret_place = at;
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

/* Machine states 1.. ordered by the size of their rows, largest first; equal ones by number. */
static int order_rows(const struct bh_machine *machine, uint32_t *order)
{
	BH_FREE uint16_t *sizes = calloc(machine->states, sizeof(*sizes));
	uint32_t first[258] = { 0 };
	struct row row;

	if (!sizes)
		return -ENOMEM;
	for (uint32_t s = 1; s < machine->states; s++) {
		fill_row(machine, s, &row);
		sizes[s] = (uint16_t)(256 - row.count);
		first[sizes[s] + 1]++;
	}
	for (unsigned int i = 0; i < 257; i++)
		first[i + 1] += first[i];
	for (uint32_t s = 1; s < machine->states; s++)
		order[first[sizes[s]]++] = s;
	return 0;
}

/* Takes the cells; `next` still names machine states, as their places are not all known yet. */
static int place_rows(struct bh_comb *comb, const struct bh_machine *machine, const uint32_t *order, uint32_t *place)
{
	struct row row;
	int result;

	for (uint32_t i = 0; i + 1 < machine->states; i++) {
		uint32_t at;

		fill_row(machine, order[i], &row);
		result = find_place(comb, &row, &at);
		if (result)
			return result;
		place[order[i]] = at;
		take_cell(comb, at, BH_CELL_HEAD | machine->meaning[order[i]]);
		for (unsigned int k = 0; k < row.count; k++)
			take_cell(comb, at + 1 + row.bytes[k], at);
	}
	return 0;
}

int bh_comb_add(struct bh_comb *comb, const struct bh_machine *machine, uint32_t *ret_start)
{
	BH_FREE uint32_t *order = calloc(machine->states, sizeof(*order));
	BH_FREE uint32_t *place = calloc(machine->states, sizeof(*place));
	struct row row;
	int result;

	if (!order || !place)
		return -ENOMEM;
	result = order_rows(machine, order);
	if (!result)
		result = place_rows(comb, machine, order, place);
	if (result)
		return result;
	for (uint32_t s = 1; s < machine->states; s++) {
		fill_row(machine, s, &row);
		comb->cells[place[s]].next = place[row.fallback];
		for (unsigned int k = 0; k < row.count; k++)
			comb->cells[place[s] + 1 + row.bytes[k]].next = place[row.to[k]];
	}
	*ret_start = place[machine->start];
	return 0;
}
