/* SPDX-License-Identifier: GPL-2.0-only */
/* What each state of the path automaton means for all tools at once. */
#include "compile/paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* Of several never rules the one with the smallest id is named. */
static void note_never(const struct bh_compile *c, uint32_t *rule, uint32_t number)
{
	const struct bh_rule *rules = c->compiled->rules;

	if (!*rule || strcmp(rules[number - 1].id, rules[*rule - 1].id) < 0)
		*rule = number;
}

static void apply_never(const struct bh_compile *c, const struct bh_path_mark *mark, struct bh_accept *accept)
{
	switch (mark->access) {
	case BH_ACCESS_EXEC:
		note_never(c, &accept->never_run_rule, mark->rule_number);
		break;
	case BH_ACCESS_WRITE:
		accept->never_write |= mark->tools;
		note_never(c, &accept->never_write_rule, mark->rule_number);
		break;
	default:
		accept->never_read |= mark->tools;
		note_never(c, &accept->never_read_rule, mark->rule_number);
		break;
	}
}

/* Everything but edges. */
static void apply(const struct bh_compile *c, const struct bh_path_mark *mark, struct bh_accept *accept)
{
	if (mark->floor) {
		accept->floor |= mark->access == BH_ACCESS_WRITE ? BH_FLOOR_WRITE : BH_FLOOR_READ;
		return;
	}
	if (mark->rule->then == BH_THEN_NEVER) {
		apply_never(c, mark, accept);
		return;
	}
	switch (mark->access) {
	case BH_ACCESS_WRITE:
		accept->write |= mark->tools;
		break;
	case BH_ACCESS_LOAD:
		accept->load |= mark->tools;
		break;
	case BH_PATH_CONNECT:
		accept->unix_connect |= mark->tools;
		break;
	case BH_PATH_LISTEN:
		accept->unix_listen |= mark->tools;
		break;
	default:
		accept->read |= mark->tools;
		break;
	}
}

/* Code that some tool may write, or some sandbox wrote, can be loaded only where the policy says why. */
static void restrict_load(const struct bh_paths *paths, size_t q, struct bh_accept *accept)
{
	const struct bh_path_mark *mark;
	uint32_t excused = 0;
	size_t i, k;

	if (!accept->load)
		return;
	BH_FOR_EACH_MARK(paths, q, i, k, mark)
	{
		if (mark->access == BH_ACCESS_LOAD && mark->rule->reason)
			excused |= mark->tools;
	}
	if (accept->write)
		accept->load &= excused;
	accept->load_written = accept->load & excused;
}

/* Adds the rule to the ways of one tool. A way without conditions makes others to the same tool needless. */
static bool add_way(struct bh_choice_rules *ways, const struct bh_path_mark *mark)
{
	uint32_t kept = 0;

	for (uint32_t w = 0; w < ways->count; w++) {
		bool same = strcmp(ways->rules[w]->to, mark->rule->to) == 0;

		if (same && (bh_rule_is_free(ways->rules[w]) || bh_rule_asks_alike(ways->rules[w], mark->rule)))
			return true; /* which of two that ask alike is named makes no difference */
		if (same && bh_rule_is_free(mark->rule))
			continue;
		ways->rules[kept] = ways->rules[w];
		ways->numbers[kept++] = ways->numbers[w];
	}
	for (uint32_t w = kept; w < ways->count; w++) { /* so that equal ones are equal bytes */
		ways->rules[w] = NULL;
		ways->numbers[w] = 0;
	}
	ways->count = kept;
	if (kept == BH_WAYS)
		return false;
	while (kept && ways->numbers[kept - 1] > mark->rule_number) {
		ways->rules[kept] = ways->rules[kept - 1];
		ways->numbers[kept] = ways->numbers[kept - 1];
		kept--;
	}
	ways->rules[kept] = mark->rule;
	ways->numbers[kept] = mark->rule_number;
	ways->count++;
	return true;
}

/* The rules are told by their numbers. */
static bool same_ways(const struct bh_choice_rules *a, const struct bh_choice_rules *b)
{
	return a->count == b->count && memcmp(a->numbers, b->numbers, a->count * sizeof(a->numbers[0])) == 0;
}

static int find_choice(struct bh_paths *paths, const struct bh_choice_rules *ways, uint16_t *ret_next)
{
	size_t i = 0;

	while (i < paths->choices_count && !same_ways(&paths->choices[i], ways))
		i++;
	if (i == paths->choices_count) {
		if (BH_RESERVE(paths->choices, paths->choices_capacity, i + 1))
			return -ENOMEM;
		paths->choices[paths->choices_count++] = *ways;
	}
	/* more than fit are refused when they are numbered */
	*ret_next = (uint16_t)(BH_NEXT_CHOICE | (i < BH_NEXT_CHOICE ? i : BH_NEXT_CHOICE - 1));
	return 0;
}

/* The edge of one tool: into one other without conditions, or a choice. */
static int mean_edge(const struct bh_compile *c, struct bh_paths *paths, unsigned int from,
		     const struct bh_choice_rules *ways, struct bh_edge_row *row, struct bh_accept *accept)
{
	for (uint32_t w = 0; w < ways->count; w++) {
		uint32_t bit = 1u << (bh_compiled_tool_id(c->compiled, ways->rules[w]->to) - 1);

		accept->image |= bit;
		if (bh_rule_is_free(ways->rules[w]) && from <= BH_TOOLS_MAX && from && bit == 1u << (from - 1))
			accept->helper |= bit;
	}
	if (ways->count == 1 && bh_rule_is_free(ways->rules[0])) {
		row->to[from] = (uint16_t)bh_compiled_tool_id(c->compiled, ways->rules[0]->to);
		return 0;
	}
	return ways->count ? find_choice(paths, ways, &row->to[from]) : 0;
}

static int find_edge_row(struct bh_compile *c, struct bh_paths *paths, const struct bh_edge_row *row, uint16_t *ret_row)
{
	size_t i = 1;

	while (i < paths->edges_count && memcmp(&paths->edges[i], row, sizeof(*row)) != 0)
		i++;
	if (i >= paths->edges_count) {
		i = paths->edges_count ? paths->edges_count : 1;
		if (i >= BH_EDGE_ROWS_MAX)
			return bh_compile_too_many(c, "different rows of exec edges", BH_EDGE_ROWS_MAX - 1);
		if (BH_RESERVE(paths->edges, paths->edges_capacity, i + 1))
			return -ENOMEM;
		paths->edges[i] = *row;
		paths->edges_count = i + 1;
	}
	*ret_row = (uint16_t)i;
	return 0;
}

/* The edges that start in state q. */
static int mean_edges(struct bh_compile *c, struct bh_paths *paths, size_t q, struct bh_accept *accept)
{
	struct bh_choice_rules ways_of[BH_TOOL_SLOTS];
	const struct bh_path_mark *mark;
	struct bh_edge_row row;
	int result = 0;
	size_t i, k;

	memset(&row, 0, sizeof(row));
	memset(ways_of, 0, sizeof(ways_of));
	BH_FOR_EACH_MARK(paths, q, i, k, mark)
	{
		if (!bh_path_mark_is_edge(mark))
			continue;
		if (!add_way(&ways_of[mark->from], mark))
			return bh_compile_too_many(c, "edges of one tool by one program", BH_WAYS);
	}
	for (unsigned int from = 0; from < BH_TOOL_SLOTS && !result; from++)
		result = mean_edge(c, paths, from, &ways_of[from], &row, accept);
	return result ? result : find_edge_row(c, paths, &row, &accept->edge_row);
}

static uint64_t hash_accept(const struct bh_accept *accept)
{
	const uint8_t *bytes = (const uint8_t *)accept;
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < sizeof(*accept); i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3u;
	return hash ^ hash >> 32;
}

static int find_accept(struct bh_compile *c, struct bh_paths *paths, const struct bh_accept *accept, uint32_t *ret_id)
{
	size_t slot = hash_accept(accept) & (paths->table_size - 1);

	for (; paths->table[slot]; slot = (slot + 1) & (paths->table_size - 1))
		if (memcmp(&paths->accepts[paths->table[slot]], accept, sizeof(*accept)) == 0) {
			*ret_id = paths->table[slot];
			return 0;
		}
	if (paths->accepts_count >= BH_ACCEPTS_MAX)
		return bh_compile_too_many(c, "different meanings of a path", BH_ACCEPTS_MAX - 1);
	if (BH_RESERVE(paths->accepts, paths->accepts_capacity, paths->accepts_count + 1))
		return -ENOMEM;
	paths->accepts[paths->accepts_count] = *accept;
	paths->table[slot] = *ret_id = (uint32_t)paths->accepts_count++;
	return 0;
}

static int mean_state(struct bh_compile *c, struct bh_paths *paths, size_t q)
{
	const struct bh_path_mark *mark;
	struct bh_accept accept;
	bool any = bh_paths_pins(paths, q), edges = false;
	int result = 0;
	size_t i, k;

	memset(&accept, 0, sizeof(accept));
	accept.floor = any ? BH_FLOOR_PINNED : 0;
	BH_FOR_EACH_MARK(paths, q, i, k, mark)
	{
		any = true;
		if (bh_path_mark_is_edge(mark))
			edges = true;
		else
			apply(c, mark, &accept);
	}
	restrict_load(paths, q, &accept);
	if (edges && !accept.never_run_rule)
		result = mean_edges(c, paths, q, &accept);
	return any && !result ? find_accept(c, paths, &accept, &paths->dfa.meaning[q]) : result;
}

int bh_paths_mean(struct bh_compile *c, struct bh_paths *paths)
{
	int result = 0;

	for (paths->table_size = 1024; paths->table_size < 2 * BH_ACCEPTS_MAX;)
		paths->table_size *= 2;
	paths->table = calloc(paths->table_size, sizeof(*paths->table));
	if (!paths->table || BH_RESERVE(paths->accepts, paths->accepts_capacity, 1) ||
	    BH_RESERVE(paths->edges, paths->edges_capacity, 1))
		return -ENOMEM;
	paths->accepts_count = paths->edges_count = 1;
	for (size_t q = 0; q < paths->dfa.states && !result; q++)
		result = mean_state(c, paths, q);
	return result;
}
