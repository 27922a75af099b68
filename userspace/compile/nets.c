/* SPDX-License-Identifier: GPL-2.0-only */
/* Networks: the address automata, and what a tool may reach at each of their ends; then names and ports to listen on. */
#include "compile/nets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

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
	struct bh_net_rows rows;
	struct bh_machine hosts;
	uint32_t listen; /* row */
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

/* Every mark that state q accepts: a for-loop head; i and k are size_t. */
#define FOR_EACH_MARK(family, q, i, k, mark)                                                                           \
	for (i = (family)->dfa.set_first[q]; i < (family)->dfa.set_first[(q) + 1]; i++)                                \
		if ((family)->nfa.states[(family)->dfa.set[i]].pattern)                                                \
			for (k = (family)->first[(family)->nfa.states[(family)->dfa.set[i]].pattern - 1];              \
			     k < (family)->first[(family)->nfa.states[(family)->dfa.set[i]].pattern] &&                \
			     ((mark) = &(family)->marks[k], true);                                                     \
			     k++)

/* Of the rules that forbid the addresses of state q the one with the smallest id, by number; 0: there is none. */
static uint32_t never_rule(const struct bh_compile *c, const struct family *family, size_t q)
{
	const struct bh_rule *best = NULL;
	const struct mark *mark;
	size_t i, k;

	FOR_EACH_MARK(family, q, i, k, mark)
	{
		if (mark->rule->then == BH_THEN_NEVER && (!best || strcmp(mark->rule->id, best->id) < 0))
			best = mark->rule;
	}
	return best ? (uint32_t)(best - c->compiled->rules) + 1 : 0;
}

static int mean_state(struct bh_compile *c, struct nets *nets, struct family *family, size_t q)
{
	const struct mark *mark;
	struct bh_net_row row;
	int result = 0;
	size_t i, k;

	memset(&row, 0, sizeof(row));
	row.never_rule = never_rule(c, family, q);
	for (unsigned int tool = 1; tool <= c->compiled->tools && !row.never_rule && !result; tool++) {
		FOR_EACH_MARK(family, q, i, k, mark)
		{
			if (mark->tool == tool && !result)
				result = bh_net_rows_list(&nets->rows, mark->rule);
		}
		if (!result)
			result = bh_net_rows_take(&nets->rows, &row, tool);
	}
	return result ? result : bh_net_rows_find(&nets->rows, &row, &family->dfa.meaning[q]);
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

static int build_listen(struct bh_compile *c, struct nets *nets)
{
	struct bh_net_row row;
	int result = 0;

	memset(&row, 0, sizeof(row));
	for (unsigned int tool = 1; tool <= c->compiled->tools && !result; tool++) {
		for (size_t i = 0; i < c->compiled->rules_count && !result; i++) {
			const struct bh_rule *rule = &c->compiled->rules[i];

			if (rule->class == BH_RULE_LISTEN &&
			    strcmp(rule->scope, bh_compiled_tool_name(c->compiled, tool)) == 0)
				result = bh_net_rows_list(&nets->rows, rule);
		}
		if (!result)
			result = bh_net_rows_take(&nets->rows, &row, tool);
	}
	return result ? result : bh_net_rows_find(&nets->rows, &row, &nets->listen);
}

/* In the order in which the walks meet them, IPv4 first. */
static int number_rows(struct bh_compile *c, struct nets *nets)
{
	struct bh_machine *const machines[] = { &nets->families[0].machine, &nets->families[1].machine, &nets->hosts };
	int result = bh_net_rows_number(&nets->rows);

	for (unsigned int m = 0; m < 3 && !result; m++)
		for (uint32_t s = 0; s < machines[m]->states; s++)
			machines[m]->meaning[s] = bh_net_rows_final(&nets->rows, machines[m]->meaning[s]);
	if (!result)
		c->compiled->tables->head.listen_row = bh_net_rows_final(&nets->rows, nets->listen);
	return result;
}

static int place_machine(struct bh_compile *c, const struct bh_machine *machine, struct bh_comb *comb,
			 uint32_t *ret_start)
{
	c->compiled->states += machine->states - 1;
	return bh_comb_add(comb, machine, ret_start);
}

/* The addresses first: they have no way into other chunks than the first. */
static int place(struct bh_compile *c, struct nets *nets, struct bh_comb *comb)
{
	struct bh_policy_head *head = &c->compiled->tables->head;
	int result = place_machine(c, &nets->families[0].machine, comb, &head->net4_start);

	if (!result)
		result = place_machine(c, &nets->families[1].machine, comb, &head->net6_start);
	if (!result)
		result = bh_net_rows_place(&nets->rows, comb);
	if (result == -E2BIG || (!result && comb->used > BH_CHUNK_CELLS))
		return bh_compile_too_many(c, "cells for networks", BH_CHUNK_CELLS);
	if (!result)
		result = place_machine(c, &nets->hosts, comb, &head->names_start);
	if (result == -E2BIG)
		return bh_compile_too_many(c, "cells for host names", BH_CHUNKS_MAX * BH_CHUNK_CELLS);
	return result;
}

static int build(struct bh_compile *c, struct nets *nets, struct bh_comb *comb)
{
	int result = bh_net_rows_init(&nets->rows, c);

	for (unsigned int f = 0; f < 2 && !result; f++)
		result = bh_nfa_init(&nets->families[f].nfa);
	if (!result)
		result = collect(c, nets);
	for (unsigned int f = 0; f < 2 && !result; f++)
		result = build_family(c, nets, &nets->families[f]);
	if (!result)
		result = bh_hosts_build(c, &nets->rows, &nets->hosts);
	if (!result)
		result = build_listen(c, nets);
	if (!result)
		result = number_rows(c, nets);
	return result ? result : place(c, nets, comb);
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
	bh_machine_done(&nets.hosts);
	bh_net_rows_done(&nets.rows);
	return result;
}
