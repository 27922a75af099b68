/* SPDX-License-Identifier: GPL-2.0-only */
/* What each state of the path automaton means for all tools at once. */
#include "compile/paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static void report_ambiguous(struct bh_compile *c, const struct bh_path_mark *a, const struct bh_path_mark *b)
{
	const char *code = a->rule->helper || b->rule->helper ? "E142" : "E141";
	const struct bh_path_mark *at = b, *other = a;

	/* at the helper, or else at the later of the two edges */
	if (a->rule->helper || (!b->rule->helper && (a->rule->loc.line > b->rule->loc.line ||
						     (a->rule->loc.line == b->rule->loc.line &&
						      a->rule->loc.column > b->rule->loc.column)))) {
		at = a;
		other = b;
	}
	if (at->rule->helper)
		bh_diag_add(c->diags, BH_SEVERITY_ERROR, code, at->rule->loc,
			    "list the helpers one by one, or take the edge away",
			    "helper '%s' of tool '%s' is also a program of tool '%s', which it may run", at->rule->path,
			    at->rule->scope, other->rule->to);
	else
		bh_diag_add(c->diags, BH_SEVERITY_ERROR, code, at->rule->loc,
			    "give the tools different programs, or keep one of the edges",
			    "'%s' run by tool '%s' could become tool '%s' or tool '%s'", at->rule->path,
			    at->rule->scope, other->rule->to, at->rule->to);
}

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
	bool write = mark->access == BH_ACCESS_WRITE;

	if (mark->floor)
		accept->floor |= write ? BH_FLOOR_WRITE : BH_FLOOR_READ;
	else if (mark->rule->then == BH_THEN_NEVER)
		apply_never(c, mark, accept);
	else
		*(write ? &accept->write : &accept->read) |= mark->tools;
}

/* The edges that start in state q. Returns whether there are any. */
static bool mean_edges(struct bh_compile *c, const struct bh_paths *paths, size_t q, struct bh_edge_row *row)
{
	const struct bh_path_mark *edge_of[BH_TOOL_SLOTS] = { NULL }, *mark;
	bool edges = false;
	size_t i, k;

	BH_FOR_EACH_MARK(paths, q, i, k, mark)
	{
		if (!bh_path_mark_is_edge(mark))
			continue;
		edges = true;
		if (edge_of[mark->from] && edge_of[mark->from]->to != mark->to)
			report_ambiguous(c, edge_of[mark->from], mark);
		edge_of[mark->from] = mark;
		row->to[mark->from] = mark->to;
	}
	return edges;
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
	struct bh_edge_row row;
	struct bh_accept accept;
	bool any = bh_paths_pins(paths, q);
	int result = 0;
	size_t i, k;

	memset(&row, 0, sizeof(row));
	memset(&accept, 0, sizeof(accept));
	accept.floor = any ? BH_FLOOR_PINNED : 0;
	BH_FOR_EACH_MARK(paths, q, i, k, mark)
	{
		any = true;
		if (!bh_path_mark_is_edge(mark))
			apply(c, mark, &accept);
	}
	if (!accept.never_run_rule && mean_edges(c, paths, q, &row))
		result = find_edge_row(c, paths, &row, &accept.edge_row);
	return any && !result ? find_accept(c, paths, &accept, &paths->dfa.meaning[q]) : result;
}

int bh_paths_mean(struct bh_compile *c, struct bh_paths *paths)
{
	int result = 0;

	paths->table_size = 4 * BH_ACCEPTS_MAX;
	paths->table = calloc(paths->table_size, sizeof(*paths->table));
	if (!paths->table || BH_RESERVE(paths->accepts, paths->accepts_capacity, 1) ||
	    BH_RESERVE(paths->edges, paths->edges_capacity, 1))
		return -ENOMEM;
	paths->accepts_count = paths->edges_count = 1;
	for (size_t q = 0; q < paths->dfa.states && !result; q++)
		result = mean_state(c, paths, q);
	return result;
}
