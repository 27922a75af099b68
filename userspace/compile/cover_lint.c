/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * W211: a rule of the policy that says nothing which another one of the same tool and access does not say. Exact: A is
 * covered by B when B holds in each state in which A does, of those that some path without empty components reaches.
 */
#include "compile/paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

/* Marks looked at for the whole policy; past it no more is found, which costs a warning and nothing else. */
#define WORK_MAX (1u << 26)

struct cover {
	struct bh_compile *c;
	struct bh_paths *paths;
	bool *named; /* by DFA state: some path as the kernel prints it ends here */
	size_t *first; /* states of rule i: states[first[i] .. first[i + 1]) */
	uint32_t *states;
	uint64_t work;
};

/* A rule that its author wrote as a path of one tool: a file, or a helper. */
static bool is_own(const struct bh_path_mark *mark)
{
	return mark->rule && mark->rule->loc.line && !mark->rule->from && mark->rule->then == BH_THEN_ALLOW &&
	       (mark->rule->class == BH_RULE_FILE || mark->rule->helper);
}

static bool same_list(const struct bh_rule *a, const struct bh_rule *b)
{
	return a->class == b->class && a->access == b->access && a->unix_op == b->unix_op &&
	       strcmp(a->scope, b->scope) == 0;
}

/* Which states do paths reach that have no empty component? A node is a state and whether the last byte was '/'. */
static int find_named(struct cover *cover)
{
	const struct bh_dfa *dfa = &cover->paths->dfa;
	BH_FREE bool *seen = calloc(2 * dfa->states, sizeof(*seen));
	BH_FREE size_t *queue = calloc(2 * dfa->states, sizeof(*queue));
	size_t head = 0, tail = 0;

	cover->named = calloc(dfa->states, sizeof(*cover->named));
	if (!cover->named || !seen || !queue)
		return -ENOMEM;
	queue[tail++] = 2; /* the start, no slash yet */
	seen[2] = true;
	while (head < tail) {
		size_t from = queue[head++], state = from / 2;
		unsigned int low = 0;

		for (size_t i = dfa->run_first[state]; i < dfa->run_first[state + 1]; i++) {
			unsigned int last = dfa->runs[i].last;
			size_t name = 2 * (size_t)dfa->runs[i].to, slash = name + 1;

			if ((low != '/' || last != '/') && !seen[name])
				seen[queue[tail++] = name] = cover->named[name / 2] = true;
			if (low <= '/' && last >= '/' && from % 2 == 0 && !seen[slash])
				seen[queue[tail++] = slash] = true;
			low = last + 1;
		}
	}
	return 0;
}

/* By rule, the states in which it holds. 0 or -ENOMEM. */
static int list_states(struct cover *cover)
{
	const struct bh_paths *paths = cover->paths;
	size_t rules = cover->c->compiled->rules_count, total = 0;
	const struct bh_path_mark *mark;
	size_t i, k;

	cover->first = calloc(rules + 2, sizeof(*cover->first));
	if (!cover->first)
		return -ENOMEM;
	for (size_t q = 0; q < paths->dfa.states; q++) {
		if (!cover->named[q] || !paths->dfa.meaning[q])
			continue;
		BH_FOR_EACH_MARK(paths, q, i, k, mark)
		{
			if (is_own(mark))
				cover->first[mark->rule_number + 1]++;
		}
	}
	for (size_t r = 0; r <= rules; r++)
		total = cover->first[r + 1] += total;
	cover->states = calloc(total + 1, sizeof(*cover->states));
	if (!cover->states)
		return -ENOMEM;
	/* rule i fills at first[i + 1], which ends where the next one begins */
	for (size_t q = 0; q < paths->dfa.states; q++) {
		if (!cover->named[q] || !paths->dfa.meaning[q])
			continue;
		BH_FOR_EACH_MARK(paths, q, i, k, mark)
		{
			if (is_own(mark))
				cover->states[cover->first[mark->rule_number]++] = (uint32_t)q;
		}
	}
	return 0;
}

static bool holds(struct cover *cover, const struct bh_rule *rule, uint32_t q)
{
	const struct bh_path_mark *mark;
	size_t i, k;

	BH_FOR_EACH_MARK(cover->paths, q, i, k, mark)
	{
		cover->work++;
		if (mark->rule == rule)
			return true;
	}
	return false;
}

/* Does `wide` hold in each of the states of rule `index`? */
static bool covers(struct cover *cover, const struct bh_rule *wide, size_t index)
{
	for (size_t i = cover->first[index]; i < cover->first[index + 1]; i++)
		if (!holds(cover, wide, cover->states[i]))
			return false;
	return cover->work < WORK_MAX;
}

static bool comes_before(const struct bh_rule *a, const struct bh_rule *b)
{
	return a->loc.line != b->loc.line ? a->loc.line < b->loc.line : a->loc.column < b->loc.column;
}

/* Of two that say the same, the later one is too much. */
static const struct bh_rule *find_cover(struct cover *cover, size_t index)
{
	const struct bh_rule *rules = cover->c->compiled->rules, *rule = &rules[index];
	const struct bh_path_mark *mark;
	size_t i, k;

	BH_FOR_EACH_MARK(cover->paths, cover->states[cover->first[index]], i, k, mark)
	{
		cover->work++;
		if (!is_own(mark) || mark->rule == rule || !same_list(mark->rule, rule) ||
		    !covers(cover, mark->rule, index))
			continue;
		if (comes_before(mark->rule, rule) || !covers(cover, rule, (size_t)(mark->rule - rules)))
			return mark->rule;
	}
	return NULL;
}

int bh_paths_lint_covered(struct bh_compile *c, struct bh_paths *paths)
{
	struct cover cover = { .c = c, .paths = paths };
	int result = find_named(&cover);

	if (!result)
		result = list_states(&cover);
	for (size_t i = 0; i < c->compiled->rules_count && !result && cover.work < WORK_MAX; i++) {
		const struct bh_rule *rule = &c->compiled->rules[i], *wide = NULL;

		if (cover.first[i] < cover.first[i + 1])
			wide = find_cover(&cover, i);
		if (wide)
			bh_diag_add(c->diags, BH_SEVERITY_WARNING, "W211", rule->loc, "remove it: it adds nothing",
				    "'%s' is covered by '%s' in the same list", rule->path, wide->path);
	}
	free(cover.named);
	free(cover.first);
	free(cover.states);
	return result;
}
