/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Host names as an automaton that reads them from their end, so that a whole domain is one beginning; and abstract socket
 * names, each of which stands for itself.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "compile/nets.h"
#include "compile/trie.h"

/* One name rule, or a name that the floor blocks. */
struct mark {
	uint32_t node;
	const struct bh_rule *rule; /* NULL: the floor */
	unsigned int tool;
};

struct hosts {
	struct bh_trie trie;
	struct mark *marks; /* sorted by node */
	size_t count, capacity;
	size_t *first; /* by node */
};

static int add_host(struct hosts *hosts, const char *host, struct mark mark)
{
	bool wild = host[0] == '*' && host[1] == '.';
	const char *name = wild ? host + 1 : host; /* with its dot: something must come in front of it */
	size_t length = strlen(name);
	BH_FREE char *reversed = malloc(length + 1);

	if (!reversed || BH_RESERVE(hosts->marks, hosts->capacity, hosts->count + 1))
		return -ENOMEM;
	for (size_t i = 0; i < length; i++)
		reversed[i] = name[length - 1 - i];
	if (bh_trie_add(&hosts->trie, reversed, length, &mark.node))
		return -ENOMEM;
	if (wild)
		hosts->trie.nodes[mark.node].bits |= BH_TRIE_WILD;
	hosts->marks[hosts->count++] = mark;
	return 0;
}

static int collect(struct bh_compile *c, struct hosts *hosts)
{
	uint32_t root;
	int result = bh_trie_add(&hosts->trie, "", 0, &root);

	for (size_t i = 0; i < c->compiled->rules_count && !result; i++) {
		const struct bh_rule *rule = &c->compiled->rules[i];

		if (rule->class == BH_RULE_NET && rule->host)
			result = add_host(hosts, rule->host,
					  (struct mark){ .rule = rule,
							 .tool = bh_compiled_tool_id(c->compiled, rule->scope) });
	}
	for (size_t i = 0; i < c->shipped->blocked_names.count && !result; i++)
		result = add_host(hosts, c->shipped->blocked_names.items[i].text, (struct mark){ .rule = NULL });
	return result;
}

static int compare_marks(const void *left, const void *right)
{
	const struct mark *a = left, *b = right;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return a->rule < b->rule ? -1 : a->rule > b->rule; /* both in the one list of rules */
}

static int index_marks(struct hosts *hosts)
{
	hosts->first = calloc(hosts->trie.count + 1, sizeof(*hosts->first));
	if (!hosts->first)
		return -ENOMEM;
	if (hosts->count)
		qsort(hosts->marks, hosts->count, sizeof(*hosts->marks), compare_marks);
	for (size_t i = 0; i < hosts->count; i++)
		hosts->first[hosts->marks[i].node + 1] = i + 1;
	for (size_t n = 1; n <= hosts->trie.count; n++)
		if (!hosts->first[n])
			hosts->first[n] = hosts->first[n - 1];
	return 0;
}

/* What the rules at one node give to a tool: ports, and networks for answers. */
static int add_marks(struct hosts *hosts, uint32_t node, unsigned int tool, struct bh_net_rows *rows,
		     struct bh_net_resolved *networks)
{
	for (size_t i = hosts->first[node]; i < hosts->first[node + 1]; i++) {
		const struct mark *mark = &hosts->marks[i];
		const struct bh_cidrs *more;

		if (!mark->rule || mark->tool != tool)
			continue;
		more = &mark->rule->resolves_to;
		if (bh_net_rows_list(rows, mark->rule) ||
		    BH_RESERVE(networks->items, networks->capacity, networks->count + more->count + 1))
			return -ENOMEM;
		for (size_t k = 0; k < more->count; k++)
			networks->items[networks->count++] = more->items[k];
	}
	return 0;
}

/* Do the rules at the node cover the names of the place, which lies at it or beneath? */
static bool covers(const struct hosts *hosts, uint32_t node, const struct bh_trie_place *place)
{
	bool wild = hosts->trie.nodes[node].bits & BH_TRIE_WILD;

	return node == place->node - 1 ? place->left || !wild : wild;
}

static int mean_tool(struct hosts *hosts, const struct bh_trie_place *place, unsigned int tool,
		     struct bh_net_rows *rows, struct bh_net_row *row)
{
	struct bh_net_resolved networks = { 0 };
	int result = 0;

	for (uint32_t node = place->node - 1; node && !result; node = hosts->trie.nodes[node].parent)
		if (covers(hosts, node, place))
			result = add_marks(hosts, node, tool, rows, &networks);
	if (!result)
		result = bh_net_rows_resolve(rows, &networks, &row->resolved[tool]);
	if (!result)
		result = bh_net_rows_take(rows, row, tool);
	free(networks.items);
	return result;
}

static bool is_floor(const struct hosts *hosts, const struct bh_trie_place *place)
{
	for (uint32_t node = place->node - 1; node; node = hosts->trie.nodes[node].parent)
		for (size_t i = hosts->first[node]; covers(hosts, node, place) && i < hosts->first[node + 1]; i++)
			if (!hosts->marks[i].rule)
				return true;
	return false;
}

static int mean_place(struct bh_compile *c, struct hosts *hosts, const struct bh_trie_place *place,
		      struct bh_net_rows *rows, uint32_t *ret_row)
{
	struct bh_net_row row;
	int result = 0;

	memset(&row, 0, sizeof(row));
	row.floor = is_floor(hosts, place);
	for (unsigned int tool = 1; tool <= c->compiled->tools && !row.floor && !result; tool++)
		result = mean_tool(hosts, place, tool, rows, &row);
	return result ? result : bh_net_rows_find(rows, &row, ret_row);
}

static int build(struct bh_compile *c, struct hosts *hosts, struct bh_net_rows *rows, struct bh_machine *ret_machine)
{
	struct bh_explored explored;
	struct bh_dfa dfa;
	int result = bh_trie_explore(&hosts->trie, &dfa, &explored);

	for (uint32_t q = 1; q < explored.count && !result; q++)
		result = mean_place(c, hosts, (const struct bh_trie_place *)explored.states + q, rows, &dfa.meaning[q]);
	if (result == -E2BIG)
		result = bh_compile_too_many(c, "characters of host names", BH_TRIE_PLACES_MAX);
	if (!result)
		result = bh_machine_build(&dfa, ret_machine);
	bh_dfa_done(&dfa);
	bh_explored_done(&explored);
	return result;
}

int bh_hosts_build(struct bh_compile *c, struct bh_net_rows *rows, struct bh_machine *ret_machine)
{
	struct hosts hosts;
	int result;

	memset(&hosts, 0, sizeof(hosts));
	result = collect(c, &hosts);
	if (!result)
		result = index_marks(&hosts);
	if (!result)
		result = build(c, &hosts, rows, ret_machine);
	bh_trie_done(&hosts.trie);
	free(hosts.marks);
	free(hosts.first);
	return result;
}

/* ---- Abstract socket names ---- */

/* The names, and by node the tools that may use it. */
static int collect_abstract(struct bh_compile *c, struct bh_trie *trie, uint32_t **ret_tools)
{
	uint32_t node, *tools;
	int result = bh_trie_add(trie, "", 0, &node);

	for (size_t i = 0; i < c->compiled->rules_count && !result; i++) {
		const struct bh_rule *rule = &c->compiled->rules[i];

		if (rule->class == BH_RULE_UNIX && rule->unix_op == BH_UNIX_ABSTRACT)
			result = bh_trie_add(trie, rule->path, strlen(rule->path), &node);
	}
	*ret_tools = tools = calloc(trie->count + 1, sizeof(*tools));
	if (result || !tools)
		return -ENOMEM;
	for (size_t i = 0; i < c->compiled->rules_count && !result; i++) {
		const struct bh_rule *rule = &c->compiled->rules[i];

		if (rule->class != BH_RULE_UNIX || rule->unix_op != BH_UNIX_ABSTRACT)
			continue;
		result = bh_trie_add(trie, rule->path, strlen(rule->path), &node);
		tools[node] |= 1u << (bh_compiled_tool_id(c->compiled, rule->scope) - 1);
	}
	return result;
}

/* The accept of a set of tools; looked for among those that were added here, from `first` on. */
static int find_accept(struct bh_compile *c, size_t first, uint32_t tools, uint32_t *ret_accept)
{
	const struct bh_compiled *compiled = c->compiled;
	struct bh_accept accept;
	size_t i = first;

	while (i < compiled->accepts_count && compiled->accepts[i].unix_connect != tools)
		i++;
	if (i < compiled->accepts_count) {
		*ret_accept = (uint32_t)i;
		return 0;
	}
	memset(&accept, 0, sizeof(accept));
	accept.unix_connect = accept.unix_listen = tools;
	return bh_compile_add_accept(c, &accept, ret_accept);
}

static int place_abstract(struct bh_compile *c, const struct bh_dfa *dfa, struct bh_comb *comb)
{
	struct bh_machine machine;
	int result = bh_machine_build(dfa, &machine);

	if (!result)
		result = bh_comb_add(comb, &machine, &c->compiled->tables->head.abstract_start);
	if (!result)
		c->compiled->states += machine.states - 1;
	bh_machine_done(&machine);
	return result == -E2BIG ? bh_compile_too_many(c, "cells for abstract names", BH_CHUNKS_MAX * BH_CHUNK_CELLS) :
				  result;
}

int bh_compile_abstract(struct bh_compile *c, struct bh_comb *comb)
{
	size_t first = c->compiled->accepts_count ? c->compiled->accepts_count : 1;
	BH_FREE uint32_t *tools = NULL;
	struct bh_trie trie = { 0 };
	struct bh_explored explored = { 0 };
	struct bh_dfa dfa = { 0 };
	int result = collect_abstract(c, &trie, &tools);

	if (!result)
		result = bh_trie_explore(&trie, &dfa, &explored);
	for (uint32_t q = 1; q < explored.count && !result; q++) {
		uint32_t node = ((const struct bh_trie_place *)explored.states + q)->node - 1;

		if (tools[node])
			result = find_accept(c, first, tools[node], &dfa.meaning[q]);
	}
	if (result == -E2BIG)
		result = bh_compile_too_many(c, "characters of abstract names", BH_TRIE_PLACES_MAX);
	if (!result)
		result = place_abstract(c, &dfa, comb);
	bh_trie_done(&trie);
	bh_dfa_done(&dfa);
	bh_explored_done(&explored);
	return result;
}
