/* SPDX-License-Identifier: GPL-2.0-only */
/* The path automaton goes into the tables. */
#include "compile/paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "bpf/lib/walk.h"

/* Meanings and edge rows get their final numbers in the order in which the breadth-first walk meets them. */
static int number_accepts(struct bh_policy *tables, const struct bh_paths *paths, struct bh_machine *machine)
{
	BH_FREE uint32_t *accept_of = calloc(paths->accepts_count, sizeof(*accept_of));
	BH_FREE uint16_t *row_of = calloc(paths->edges_count, sizeof(*row_of));
	uint32_t accepts = 1, rows = 1;

	if (!accept_of || !row_of)
		return -ENOMEM;
	for (uint32_t s = 0; s < machine->states; s++) {
		uint32_t old = machine->meaning[s], row;

		if (old && !accept_of[old]) {
			accept_of[old] = accepts;
			tables->accepts[accepts] = paths->accepts[old];
			row = paths->accepts[old].edge_row;
			if (row && !row_of[row]) {
				row_of[row] = (uint16_t)rows;
				tables->edges[rows++] = paths->edges[row];
			}
			tables->accepts[accepts++].edge_row = row_of[row];
		}
		machine->meaning[s] = accept_of[old];
	}
	tables->head.accepts = accepts;
	tables->head.edge_rows = rows;
	return 0;
}

/* Where the walk of a process's own /proc/NUMBER begins: behind "/proc/self". */
static uint32_t own_start(const struct bh_comb *comb, uint32_t start)
{
	static const uint8_t own[16] = "/proc/self";

	return bh_walk(comb->cells, UINT32_MAX, start, own, 10, sizeof(own));
}

static int fill_tables(struct bh_compile *c, struct bh_paths *paths, struct bh_comb *comb)
{
	struct bh_policy *tables = c->compiled->tables;
	struct bh_machine machine;
	int result = bh_machine_build(&paths->dfa, &machine);

	if (!result)
		result = number_accepts(tables, paths, &machine);
	if (!result)
		result = bh_comb_add(comb, &machine, &tables->head.path_start);
	if (!result) {
		tables->head.self_start = own_start(comb, tables->head.path_start);
		c->compiled->states += machine.states - 1;
	}
	bh_machine_done(&machine);
	return result == -E2BIG ? bh_paths_too_large(c, paths) : result;
}

int bh_compile_paths(struct bh_compile *c, struct bh_comb *comb)
{
	struct bh_paths paths;
	int result = bh_paths_init(&paths);

	if (!result)
		result = bh_paths_collect(c, &paths);
	if (!result) {
		result = bh_dfa_build(&paths.nfa, &paths.dfa);
		if (result == -E2BIG)
			result = bh_paths_too_large(c, &paths);
	}
	if (!result)
		result = bh_paths_look_below(&paths);
	if (!result)
		result = bh_paths_mean(c, &paths);
	if (!result)
		result = bh_paths_lint(c, &paths);
	if (!result)
		result = bh_paths_lint_covered(c, &paths);
	if (!result)
		result = fill_tables(c, &paths, comb);
	bh_paths_done(&paths);
	return result;
}
