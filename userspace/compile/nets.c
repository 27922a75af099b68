/* SPDX-License-Identifier: GPL-2.0-only */
/* Networks: the address automata, and what a tool may reach at each of their ends. */
#include "compile/compiled.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"

/* One net rule's block as a pattern. */
struct mark {
	uint32_t pattern;
	const struct bh_rule *rule;
	unsigned int tool;
};

struct family {
	struct bh_nfa nfa;
	struct bh_dfa dfa;
	struct bh_machine machine;
	struct mark *marks; /* sorted by pattern */
	size_t count, capacity;
	size_t *first;
};

struct nets {
	struct family families[2]; /* IPv4, IPv6 */
	struct bh_net_row *rows; /* by meaning; [0] is nothing */
	size_t rows_count, rows_capacity;
	struct bh_range *list; /* of one tool at one state */
	size_t list_count, list_capacity;
};

static int collect(struct bh_compile *c, struct nets *nets)
{
	for (size_t i = 0; i < c->compiled->rules_count; i++) {
		const struct bh_rule *rule = &c->compiled->rules[i];
		struct family *family = &nets->families[rule->cidr.family == 6];
		struct mark mark = { .rule = rule, .tool = bh_compiled_tool_id(c->compiled, rule->scope) };

		if (rule->class != BH_RULE_NET || rule->host)
			continue;
		if (BH_RESERVE(family->marks, family->capacity, family->count + 1) ||
		    bh_nfa_add_cidr(&family->nfa, &rule->cidr, &mark.pattern))
			return -ENOMEM;
		family->marks[family->count++] = mark;
	}
	return 0;
}

static int compare_marks(const void *left, const void *right)
{
	const struct mark *a = left, *b = right;

	if (a->pattern != b->pattern)
		return a->pattern < b->pattern ? -1 : 1;
	return a->rule < b->rule ? -1 : a->rule > b->rule; /* both in the one list of rules */
}

static int index_marks(struct family *family)
{
	family->first = calloc(family->nfa.patterns + 1, sizeof(*family->first));
	if (!family->first)
		return -ENOMEM;
	if (family->count)
		qsort(family->marks, family->count, sizeof(*family->marks), compare_marks);
	for (size_t i = 0; i < family->count; i++)
		family->first[family->marks[i].pattern + 1] = i + 1;
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
static void merge_list(struct nets *nets)
{
	struct bh_range *list = nets->list;
	size_t kept = 0;

	if (!nets->list_count)
		return;
	qsort(list, nets->list_count, sizeof(*list), compare_ranges);
	for (size_t i = 1; i < nets->list_count; i++) {
		if (list[i].protocol == list[kept].protocol && list[i].low <= list[kept].high + 1u) {
			if (list[i].high > list[kept].high)
				list[kept].high = list[i].high;
		} else {
			list[++kept] = list[i];
		}
	}
	nets->list_count = kept + 1;
}

/* What one tool may reach at state q. */
static int list_ranges(struct nets *nets, const struct family *family, size_t q, unsigned int tool)
{
	nets->list_count = 0;
	for (size_t i = family->dfa.set_first[q]; i < family->dfa.set_first[q + 1]; i++) {
		uint32_t pattern = family->nfa.states[family->dfa.set[i]].pattern;

		for (size_t k = pattern ? family->first[pattern - 1] : 0; pattern && k < family->first[pattern]; k++) {
			const struct mark *mark = &family->marks[k];

			if (mark->tool != tool)
				continue;
			if (BH_RESERVE(nets->list, nets->list_capacity, nets->list_count + 1))
				return -ENOMEM;
			nets->list[nets->list_count++] = (struct bh_range){ .low = mark->rule->port_low,
									    .high = mark->rule->port_high,
									    .protocol = mark->rule->protocol };
		}
	}
	merge_list(nets);
	return 0;
}

/* Where the list lies in ranges[]; appended unless it is there already. */
static int place_list(struct bh_compile *c, const struct nets *nets, uint16_t *ret_first)
{
	struct bh_policy *tables = c->compiled->tables;
	size_t bytes = nets->list_count * sizeof(*nets->list), at = 1;

	while (at + nets->list_count <= tables->head.ranges && memcmp(&tables->ranges[at], nets->list, bytes) != 0)
		at++;
	if (at + nets->list_count > tables->head.ranges) {
		at = tables->head.ranges;
		if (nets->list_count > BH_RANGES_EACH)
			return bh_compile_too_many(c, "port ranges for one address and tool", BH_RANGES_EACH);
		if (nets->list_count > BH_RANGES_MAX - at)
			return bh_compile_too_many(c, "port ranges", BH_RANGES_MAX - 1);
		memcpy(&tables->ranges[at], nets->list, bytes);
		tables->head.ranges += (uint32_t)nets->list_count;
	}
	*ret_first = (uint16_t)at;
	return 0;
}

static int find_row(struct bh_compile *c, struct nets *nets, const struct bh_net_row *row, uint32_t *ret_row)
{
	size_t i = 0;

	while (i < nets->rows_count && memcmp(&nets->rows[i], row, sizeof(*row)) != 0)
		i++;
	if (i == nets->rows_count) {
		if (i >= BH_NET_ROWS_MAX)
			return bh_compile_too_many(c, "different sets of reachable ports", BH_NET_ROWS_MAX - 1);
		if (BH_RESERVE(nets->rows, nets->rows_capacity, i + 1))
			return -ENOMEM;
		nets->rows[nets->rows_count++] = *row;
	}
	*ret_row = (uint32_t)i;
	return 0;
}

/* Does the policy forbid the addresses of state q to every tool? */
static bool is_forbidden(const struct family *family, size_t q)
{
	for (size_t i = family->dfa.set_first[q]; i < family->dfa.set_first[q + 1]; i++) {
		uint32_t pattern = family->nfa.states[family->dfa.set[i]].pattern;

		for (size_t k = pattern ? family->first[pattern - 1] : 0; pattern && k < family->first[pattern]; k++)
			if (family->marks[k].rule->then == BH_THEN_NEVER)
				return true;
	}
	return false;
}

static int mean_state(struct bh_compile *c, struct nets *nets, struct family *family, size_t q)
{
	unsigned int tools = is_forbidden(family, q) ? 0 : c->compiled->tools;
	struct bh_net_row row;
	int result = 0;

	memset(&row, 0, sizeof(row));
	for (unsigned int tool = 1; tool <= tools && !result; tool++) {
		result = list_ranges(nets, family, q, tool);
		if (result || !nets->list_count)
			continue;
		result = place_list(c, nets, &row.range_first[tool]);
		row.range_count[tool] = (uint8_t)nets->list_count;
	}
	return result ? result : find_row(c, nets, &row, &family->dfa.meaning[q]);
}

static int build_family(struct bh_compile *c, struct nets *nets, struct family *family)
{
	int result = index_marks(family);

	if (!result)
		result = bh_dfa_build(&family->nfa, &family->dfa);
	for (size_t q = 0; q < family->dfa.states && !result; q++)
		result = mean_state(c, nets, family, q);
	return result ? result : bh_machine_build(&family->dfa, &family->machine);
}

/* Rows get their final numbers in the order in which the walks meet them, IPv4 first. */
static int number_rows(struct bh_compile *c, struct nets *nets)
{
	struct bh_policy *tables = c->compiled->tables;
	BH_FREE uint32_t *number = calloc(nets->rows_count, sizeof(*number));
	uint32_t count = 1;

	if (!number)
		return -ENOMEM;
	for (unsigned int f = 0; f < 2; f++)
		for (uint32_t s = 0; s < nets->families[f].machine.states; s++) {
			uint32_t old = nets->families[f].machine.meaning[s];

			if (old && !number[old]) {
				tables->nets[count] = nets->rows[old];
				number[old] = count++;
			}
			nets->families[f].machine.meaning[s] = number[old];
		}
	tables->head.net_rows = count;
	return 0;
}

static int build(struct bh_compile *c, struct nets *nets, struct bh_comb *comb)
{
	struct bh_policy *tables = c->compiled->tables;
	struct bh_net_row nothing;
	uint32_t meaning;
	int result = bh_nfa_init(&nets->families[0].nfa);

	memset(&nothing, 0, sizeof(nothing));
	tables->head.ranges = tables->head.resolved = 1;
	if (!result)
		result = bh_nfa_init(&nets->families[1].nfa);
	if (!result)
		result = find_row(c, nets, &nothing, &meaning);
	if (!result)
		result = collect(c, nets);
	for (unsigned int f = 0; f < 2 && !result; f++)
		result = build_family(c, nets, &nets->families[f]);
	if (!result)
		result = number_rows(c, nets);
	for (unsigned int f = 0; f < 2 && !result; f++) {
		result = bh_comb_add(comb, &nets->families[f].machine,
				     f ? &tables->head.net6_start : &tables->head.net4_start);
		c->compiled->states += nets->families[f].machine.states - 1;
	}
	if (result == -E2BIG || (!result && comb->used > BH_CHUNK_CELLS))
		return bh_compile_too_many(c, "cells for networks", BH_CHUNK_CELLS);
	return result;
}

int bh_compile_nets(struct bh_compile *c, struct bh_comb *comb)
{
	struct nets nets;
	int result;

	memset(&nets, 0, sizeof(nets));
	result = build(c, &nets, comb);
	for (unsigned int f = 0; f < 2; f++) {
		bh_nfa_done(&nets.families[f].nfa);
		bh_dfa_done(&nets.families[f].dfa);
		bh_machine_done(&nets.families[f].machine);
		free(nets.families[f].marks);
		free(nets.families[f].first);
	}
	free(nets.rows);
	free(nets.list);
	return result;
}
