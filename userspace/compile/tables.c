/* SPDX-License-Identifier: GPL-2.0-only */
/* The path automaton goes into the tables. */
#include "compile/nets.h"
#include "compile/paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "bpf/lib/walk.h"

int bh_compile_add_accept(struct bh_compile *c, const struct bh_accept *accept, uint32_t *ret_id)
{
	struct bh_compiled *compiled = c->compiled;

	if (!compiled->accepts_count)
		compiled->accepts_count = 1;
	if (compiled->accepts_count >= BH_ACCEPTS_MAX)
		return bh_compile_too_many(c, "different meanings of a path", BH_ACCEPTS_MAX - 1);
	if (BH_RESERVE(compiled->accepts, compiled->accepts_capacity, compiled->accepts_count + 1))
		return -ENOMEM;
	compiled->accepts[compiled->accepts_count] = *accept;
	*ret_id = (uint32_t)compiled->accepts_count++;
	return 0;
}

/* Choices get theirs as their rows do. */
static int number_choices(struct bh_compile *c, const struct bh_paths *paths, struct bh_edge_row *row,
			  struct bh_choice_rules *choices, uint16_t *number, uint16_t *count)
{
	for (unsigned int from = 0; from < BH_TOOL_SLOTS; from++) {
		uint16_t old = row->to[from] & (uint16_t)~BH_NEXT_CHOICE;

		if (!(row->to[from] & BH_NEXT_CHOICE))
			continue;
		if (!number[old]) {
			choices[*count] = paths->choices[old];
			number[old] = ++*count;
		}
		row->to[from] = BH_NEXT_CHOICE | number[old];
	}
	return *count < BH_CHOICES_MAX ?
		       0 :
		       bh_compile_too_many(c, "different sets of conditions on programs", BH_CHOICES_MAX - 1);
}

/* Meanings and edge rows get their final numbers in the order in which the breadth-first walk meets them. */
static int number_accepts(struct bh_compile *c, const struct bh_paths *paths, struct bh_machine *machine,
			  struct bh_choice_rules *choices, uint16_t *ret_choices)
{
	struct bh_policy *tables = c->compiled->tables;
	BH_FREE uint32_t *accept_of = calloc(paths->accepts_count, sizeof(*accept_of));
	BH_FREE uint16_t *row_of = calloc(paths->edges_count, sizeof(*row_of));
	BH_FREE uint16_t *choice_of = calloc(paths->choices_count + 1, sizeof(*choice_of));
	uint32_t rows = 1;
	int result = 0;

	*ret_choices = 0;
	if (!accept_of || !row_of || !choice_of)
		return -ENOMEM;
	if (paths->choices_count >= BH_NEXT_CHOICE)
		return bh_compile_too_many(c, "different sets of conditions on programs", BH_CHOICES_MAX - 1);
	for (uint32_t s = 0; s < machine->states && !result; s++) {
		uint32_t old = machine->meaning[s], row;

		if (old && !accept_of[old]) {
			struct bh_accept accept = paths->accepts[old];

			row = accept.edge_row;
			if (row && !row_of[row]) {
				row_of[row] = (uint16_t)rows;
				tables->edges[rows] = paths->edges[row];
				result = number_choices(c, paths, &tables->edges[rows++], choices, choice_of,
							ret_choices);
			}
			accept.edge_row = row_of[row];
			if (!result)
				result = bh_compile_add_accept(c, &accept, &accept_of[old]);
		}
		machine->meaning[s] = accept_of[old];
	}
	tables->head.edge_rows = rows;
	return result;
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
	BH_FREE struct bh_choice_rules *choices = calloc(paths->choices_count + 1, sizeof(*choices));
	struct bh_machine machine;
	uint16_t choices_count = 0;
	int result = bh_machine_build(&paths->dfa, &machine);

	if (!result)
		result = choices ? number_accepts(c, paths, &machine, choices, &choices_count) : -ENOMEM;
	if (!result)
		result = bh_comb_add(comb, &machine, &tables->head.path_start);
	if (!result) {
		tables->head.self_start = own_start(comb, tables->head.path_start);
		c->compiled->states += machine.states - 1;
	}
	bh_machine_done(&machine);
	if (result == -E2BIG)
		return bh_paths_too_large(c, paths);
	if (!result)
		result = bh_compile_choices(c, comb, choices, choices_count);
	if (!result)
		result = bh_compile_obeyed_starts(c, comb);
	return result ? result : bh_compile_abstract(c, comb);
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
