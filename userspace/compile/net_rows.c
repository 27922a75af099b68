/* SPDX-License-Identifier: GPL-2.0-only */
#include "compile/nets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

int bh_net_rows_init(struct bh_net_rows *rows, struct bh_compile *c)
{
	struct bh_net_row nothing;
	uint32_t number;

	memset(rows, 0, sizeof(*rows));
	memset(&nothing, 0, sizeof(nothing));
	rows->compile = c;
	c->compiled->tables->head.ranges = 1;
	if (BH_RESERVE(rows->resolved, rows->resolved_capacity, 1))
		return -ENOMEM;
	rows->resolved_count = 1;
	return bh_net_rows_find(rows, &nothing, &number);
}

void bh_net_rows_done(struct bh_net_rows *rows)
{
	for (size_t i = 0; i < rows->resolved_count; i++)
		free(rows->resolved[i].items);
	free(rows->resolved);
	free(rows->rows);
	free(rows->number);
	free(rows->list);
	memset(rows, 0, sizeof(*rows));
}

int bh_net_rows_list(struct bh_net_rows *rows, const struct bh_rule *rule)
{
	if (BH_RESERVE(rows->list, rows->list_capacity, rows->list_count + 1))
		return -ENOMEM;
	rows->list[rows->list_count++] =
		(struct bh_range){ .low = rule->port_low, .high = rule->port_high, .protocol = rule->protocol };
	return 0;
}

static int compare_ranges(const void *left, const void *right)
{
	const struct bh_range *a = left, *b = right;

	if (a->protocol != b->protocol)
		return a->protocol < b->protocol ? -1 : 1;
	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return a->high < b->high ? -1 : a->high > b->high;
}

/* Sorts the list; ranges that overlap or touch become one. */
static void merge_list(struct bh_net_rows *rows)
{
	struct bh_range *list = rows->list;
	size_t kept = 0;

	qsort(list, rows->list_count, sizeof(*list), compare_ranges);
	for (size_t i = 1; i < rows->list_count; i++) {
		if (list[i].protocol == list[kept].protocol && list[i].low <= list[kept].high + 1u) {
			if (list[i].high > list[kept].high)
				list[kept].high = list[i].high;
		} else {
			list[++kept] = list[i];
		}
	}
	rows->list_count = kept + 1;
}

/* Where the list lies in ranges[]; appended unless it is there already. */
static int place_list(struct bh_net_rows *rows, uint16_t *ret_first)
{
	struct bh_policy *tables = rows->compile->compiled->tables;
	size_t bytes = rows->list_count * sizeof(*rows->list), at = 1;

	while (at + rows->list_count <= tables->head.ranges && memcmp(&tables->ranges[at], rows->list, bytes) != 0)
		at++;
	if (at + rows->list_count > tables->head.ranges) {
		at = tables->head.ranges;
		if (rows->list_count > BH_RANGES_EACH)
			return bh_compile_too_many(rows->compile, "port ranges for one address and tool",
						   BH_RANGES_EACH);
		if (rows->list_count > BH_RANGES_MAX - at)
			return bh_compile_too_many(rows->compile, "port ranges", BH_RANGES_MAX - 1);
		memcpy(&tables->ranges[at], rows->list, bytes);
		tables->head.ranges += (uint32_t)rows->list_count;
	}
	*ret_first = (uint16_t)at;
	return 0;
}

int bh_net_rows_take(struct bh_net_rows *rows, struct bh_net_row *row, unsigned int tool)
{
	int result;

	if (!rows->list_count)
		return 0;
	merge_list(rows);
	result = place_list(rows, &row->range_first[tool]);
	row->range_count[tool] = (uint8_t)rows->list_count;
	rows->list_count = 0;
	return result;
}

static int compare_cidrs(const void *left, const void *right)
{
	const struct bh_cidr *a = left, *b = right;
	int order = memcmp(a->bytes, b->bytes, sizeof(a->bytes));

	if (a->family != b->family)
		return a->family < b->family ? -1 : 1;
	return order ? order : (int)a->prefix - (int)b->prefix;
}

static bool same_list(const struct bh_net_resolved *a, const struct bh_net_resolved *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (compare_cidrs(&a->items[i], &b->items[i]) != 0)
			return false;
	return true;
}

int bh_net_rows_resolve(struct bh_net_rows *rows, struct bh_net_resolved *list, uint8_t *ret_number)
{
	size_t kept = 0, i = 0;

	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), compare_cidrs);
	for (size_t k = 0; k < list->count; k++)
		if (!kept || compare_cidrs(&list->items[kept - 1], &list->items[k]) != 0)
			list->items[kept++] = list->items[k];
	list->count = kept;
	while (i < rows->resolved_count && !same_list(&rows->resolved[i], list))
		i++;
	if (i == BH_RESOLVED_MAX)
		return bh_compile_too_many(rows->compile, "different sets of networks for answers",
					   BH_RESOLVED_MAX - 1);
	if (i == rows->resolved_count) {
		if (BH_RESERVE(rows->resolved, rows->resolved_capacity, i + 1))
			return -ENOMEM;
		rows->resolved[rows->resolved_count++] = *list;
		memset(list, 0, sizeof(*list));
	}
	*ret_number = (uint8_t)i;
	return 0;
}

int bh_net_rows_find(struct bh_net_rows *rows, const struct bh_net_row *row, uint32_t *ret_row)
{
	size_t i = 0;

	while (i < rows->count && memcmp(&rows->rows[i], row, sizeof(*row)) != 0)
		i++;
	if (i == rows->count) {
		if (i >= BH_NET_ROWS_MAX)
			return bh_compile_too_many(rows->compile, "different sets of reachable ports",
						   BH_NET_ROWS_MAX - 1);
		if (BH_RESERVE(rows->rows, rows->capacity, i + 1))
			return -ENOMEM;
		memcpy(&rows->rows[rows->count++], row, sizeof(*row));
	}
	*ret_row = (uint32_t)i;
	return 0;
}

int bh_net_rows_number(struct bh_net_rows *rows)
{
	rows->number = calloc(rows->count + 1, sizeof(*rows->number));
	rows->numbered = rows->compile->compiled->tables->head.net_rows = 1;
	return rows->number ? 0 : -ENOMEM;
}

uint32_t bh_net_rows_final(struct bh_net_rows *rows, uint32_t row)
{
	struct bh_policy *tables = rows->compile->compiled->tables;

	if (row && !rows->number[row]) {
		memcpy(&tables->nets[rows->numbered], &rows->rows[row], sizeof(rows->rows[row]));
		rows->number[row] = rows->numbered++;
		tables->head.net_rows = rows->numbered;
	}
	return rows->number[row];
}

/* The addresses of one family in a list. Nothing is placed when there are none. */
static int place_networks(struct bh_net_rows *rows, const struct bh_net_resolved *list, uint8_t family,
			  struct bh_comb *comb, uint32_t *ret_start)
{
	struct bh_nfa nfa;
	struct bh_dfa dfa = { 0 };
	struct bh_machine machine = { 0 };
	uint32_t pattern;
	int result = bh_nfa_init(&nfa);

	for (size_t i = 0; i < list->count && !result; i++)
		if (list->items[i].family == family)
			result = bh_nfa_add_cidr(&nfa, &list->items[i], &pattern);
	if (!result)
		result = bh_dfa_build(&nfa, &dfa);
	for (size_t q = 0; q < dfa.states && !result; q++)
		for (size_t i = dfa.set_first[q]; i < dfa.set_first[q + 1]; i++)
			dfa.meaning[q] |= nfa.states[dfa.set[i]].pattern != 0;
	if (!result)
		result = bh_machine_build(&dfa, &machine);
	if (!result) {
		result = bh_comb_add(comb, &machine, ret_start);
		rows->compile->compiled->states += machine.states - 1;
	}
	bh_nfa_done(&nfa);
	bh_dfa_done(&dfa);
	bh_machine_done(&machine);
	return result;
}

int bh_net_rows_place(struct bh_net_rows *rows, struct bh_comb *comb)
{
	struct bh_policy *tables = rows->compile->compiled->tables;
	int result = 0;

	tables->head.resolved = (uint32_t)rows->resolved_count;
	for (size_t i = 1; i < rows->resolved_count && !result; i++) {
		result = place_networks(rows, &rows->resolved[i], 4, comb, &tables->resolved[i].net4_start);
		if (!result)
			result = place_networks(rows, &rows->resolved[i], 6, comb, &tables->resolved[i].net6_start);
	}
	return result;
}
