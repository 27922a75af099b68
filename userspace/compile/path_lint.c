/* SPDX-License-Identifier: GPL-2.0-only */
/* Questions about all paths at once, answered exactly by looking at every state of the automaton. */
#include "compile/paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"

struct lint {
	struct bh_compile *c;
	struct bh_paths *paths;
	uint32_t *program; /* by rule index: the first rule of the same program, for an edge */
	bool *reported; /* by rule index, of the first of its program */
	bool *alive; /* by rule index: grants something */
	const struct bh_path_mark **wall; /* by rule index: a prohibition that stands before it */
};

/* Who may really write here: what is prohibited is taken off. */
static uint32_t writers(const struct bh_paths *paths, size_t q)
{
	const struct bh_accept *accept = &paths->accepts[paths->dfa.meaning[q]];

	return accept->floor & BH_FLOOR_WRITE ? 0 : accept->write & ~accept->never_write;
}

/* The first mark of state q that grants write to one of `tools`. */
static const struct bh_path_mark *find_writer(const struct bh_paths *paths, size_t q, uint32_t tools)
{
	const struct bh_path_mark *mark, *found = NULL;
	size_t i, k;

	if (!tools)
		return NULL;
	BH_FOR_EACH_MARK(paths, q, i, k, mark)
	{
		if (mark->rule && mark->rule->then == BH_THEN_ALLOW && mark->access == BH_ACCESS_WRITE &&
		    (mark->tools & tools) && (!found || mark->rule_number < found->rule_number))
			found = mark;
	}
	return found;
}

static const struct bh_path_mark *find_exec(const struct bh_paths *paths, size_t q)
{
	const struct bh_path_mark *mark, *found = NULL;
	size_t i, k;

	BH_FOR_EACH_MARK(paths, q, i, k, mark)
	{
		if (bh_path_mark_is_edge(mark) && (!found || mark->rule_number < found->rule_number))
			found = mark;
	}
	return found;
}

/* Where the program itself is listed: an edge's own place is the may_run word. */
static struct bh_loc program_loc(const struct bh_compile *c, const struct bh_rule *rule)
{
	const struct bh_tool *tool = bh_compile_find_tool(c->policy, rule->to);

	for (size_t i = 0; tool && !rule->helper && i < tool->binaries.count; i++)
		if (strcmp(tool->binaries.items[i].word.text, rule->path) == 0)
			return tool->binaries.items[i].word.loc;
	return rule->loc;
}

/* beneath: it is not the program that may be written, but a directory above it, which can be exchanged. */
static void report_writable(struct lint *l, const struct bh_path_mark *program, const struct bh_path_mark *writer,
			    bool beneath)
{
	const struct bh_rule *rule = program->rule;
	bool *reported = &l->reported[l->program[program->rule_number - 1]];

	if (*reported)
		return;
	*reported = true;
	bh_diag_add(l->c->diags, BH_SEVERITY_ERROR, "E132", program_loc(l->c, rule),
		    "programs must lie where no tool may write", "%s '%s' of tool '%s' %s %s%s%s%s ('%s', %s %s)",
		    rule->helper ? "helper" : "binary", rule->path, rule->to,
		    beneath ? "lies beneath a directory that can be exchanged by" : "can be written by",
		    writer->rule->from ? "every tool" : "tool '", writer->rule->from ? "" : writer->rule->scope,
		    writer->rule->from ? "" : "'", "", writer->rule->path, writer->rule->from ? "preset" : "its",
		    writer->rule->from ? writer->rule->from : "write list");
}

/* A program at or beneath state q, by the shortest way. 0 or -ENOMEM. */
static int nearest_program(struct lint *l, uint32_t q, const struct bh_path_mark **ret_program)
{
	const struct bh_dfa *dfa = &l->paths->dfa;
	BH_FREE uint32_t *queue = calloc(dfa->states, sizeof(*queue));
	BH_FREE bool *seen = calloc(dfa->states, sizeof(*seen));
	size_t head = 0, tail = 0;

	if (!queue || !seen)
		return -ENOMEM;
	queue[tail++] = q;
	seen[q] = true;
	*ret_program = NULL;
	while (head < tail && !*ret_program) {
		q = queue[head++];
		*ret_program = find_exec(l->paths, q);
		for (size_t i = dfa->run_first[q]; i < dfa->run_first[q + 1]; i++)
			if (!seen[dfa->runs[i].to] && bh_paths_below(l->paths, dfa->runs[i].to) & BH_BELOW_PROGRAM) {
				seen[dfa->runs[i].to] = true;
				queue[tail++] = dfa->runs[i].to;
			}
	}
	return 0;
}

static int lint_programs(struct lint *l)
{
	const struct bh_paths *paths = l->paths;
	size_t before = bh_diags_errors(l->c->diags);
	int result = 0;

	for (size_t q = 0; q < paths->dfa.states; q++) {
		const struct bh_path_mark *mark, *writer = find_writer(paths, q, writers(paths, q));
		size_t i, k;

		if (!writer || !paths->accepts[paths->dfa.meaning[q]].edge_row)
			continue;
		BH_FOR_EACH_MARK(paths, q, i, k, mark)
		{
			if (bh_path_mark_is_edge(mark))
				report_writable(l, mark, writer, false);
		}
	}
	if (bh_diags_errors(l->c->diags) != before)
		return 0; /* what lies above a writable program is writable as a rule: say it once */
	for (size_t q = 0; q < paths->dfa.states && !result && bh_diags_errors(l->c->diags) == before; q++) {
		const struct bh_path_mark *program, *writer = find_writer(paths, q, writers(paths, q));
		uint32_t beneath;

		if (!writer)
			continue;
		beneath = bh_dfa_move(&paths->dfa, (uint32_t)q, '/');
		if (!(bh_paths_below(paths, beneath) & BH_BELOW_PROGRAM))
			continue;
		result = nearest_program(l, beneath, &program);
		if (!result && program)
			report_writable(l, program, writer, true);
	}
	return result;
}

/* Does something in state q take the whole of this grant away? An edge is for no tools but its own, and never.run for all. */
static const struct bh_path_mark *find_wall(const struct bh_paths *paths, size_t q, const struct bh_path_mark *grant)
{
	const struct bh_path_mark *mark;
	size_t i, k;

	BH_FOR_EACH_MARK(paths, q, i, k, mark)
	{
		if (mark->access == grant->access && (mark->floor || (mark->rule->then == BH_THEN_NEVER &&
								      (mark->tools & grant->tools) == grant->tools)))
			return mark;
	}
	return NULL;
}

/* Two edges to one program are one finding, where the program is listed. */
static void report_walled(struct lint *l, const struct bh_rule *rule, const struct bh_path_mark *wall)
{
	struct bh_loc loc = rule->class == BH_RULE_EXEC ? program_loc(l->c, rule) : rule->loc;
	const char *what = "the guard", *name = wall->floor ? wall->floor->name.text : wall->rule->from;

	if (bh_compile_said(l->c, "E210", loc))
		return;
	if (wall->floor) {
		what = "the always-blocked files";
	} else if (!name) {
		what = wall->access == BH_ACCESS_EXEC  ? "never.run" :
		       wall->access == BH_ACCESS_WRITE ? "never.write" :
							 "never.read";
		name = wall->rule->path;
	}
	bh_diag_add(l->c->diags, BH_SEVERITY_ERROR, "E210", loc, "remove it: it can never take effect",
		    "'%s' lies wholly inside %s '%s'", rule->path, what, name);
}

static void lint_grants(struct lint *l)
{
	const struct bh_compiled *compiled = l->c->compiled;

	for (size_t q = 0; q < l->paths->dfa.states; q++) {
		const struct bh_path_mark *mark;
		size_t i, k;

		if (!l->paths->dfa.meaning[q])
			continue;
		BH_FOR_EACH_MARK(l->paths, q, i, k, mark)
		{
			const struct bh_path_mark *wall;

			if (!mark->rule || mark->rule->then != BH_THEN_ALLOW || l->alive[mark->rule_number - 1])
				continue;
			wall = find_wall(l->paths, q, mark);
			l->alive[mark->rule_number - 1] = !wall;
			l->wall[mark->rule_number - 1] = wall;
		}
	}
	for (size_t i = 0; i < compiled->rules_count; i++)
		if (l->wall[i] && !l->alive[i] && compiled->rules[i].loc.line)
			report_walled(l, &compiled->rules[i], l->wall[i]);
}

/* Edges to one program from several tools are one program; so are helpers of one tool, each with its aliases. */
static int compare_programs(const void *left, const void *right, void *context)
{
	const struct bh_rule *rules = context;
	const struct bh_rule *a = &rules[*(const uint32_t *)left], *b = &rules[*(const uint32_t *)right];
	int order = strcmp(a->path, b->path);

	if (!order)
		order = strcmp(a->to, b->to);
	return order ? order : (int)a->helper - (int)b->helper;
}

static int find_programs(struct lint *l)
{
	struct bh_rule *rules = l->c->compiled->rules;
	size_t count = 0, total = l->c->compiled->rules_count;
	BH_FREE uint32_t *edges = calloc(total + 1, sizeof(*edges));

	if (!edges)
		return -ENOMEM;
	for (size_t i = 0; i < total; i++)
		if (rules[i].class == BH_RULE_EXEC && rules[i].then == BH_THEN_ALLOW)
			edges[count++] = (uint32_t)i;
	qsort_r(edges, count, sizeof(*edges), compare_programs, rules);
	for (size_t i = 0; i < count; i++)
		l->program[edges[i]] = i && compare_programs(&edges[i - 1], &edges[i], rules) == 0 ?
					       l->program[edges[i - 1]] :
					       edges[i];
	return 0;
}

int bh_paths_lint(struct bh_compile *c, struct bh_paths *paths)
{
	size_t rules = c->compiled->rules_count;
	BH_FREE bool *reported = calloc(rules + 1, sizeof(*reported));
	BH_FREE uint32_t *program = calloc(rules + 1, sizeof(*program));
	BH_FREE bool *alive = calloc(rules + 1, sizeof(*alive));
	BH_FREE const struct bh_path_mark **wall = calloc(rules + 1, sizeof(*wall));
	struct lint lint = { c, paths, program, reported, alive, wall };
	int result;

	if (!reported || !program || !alive || !wall)
		return -ENOMEM;
	lint_grants(&lint);
	result = find_programs(&lint);
	return result ? result : lint_programs(&lint);
}
