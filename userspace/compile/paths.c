/* SPDX-License-Identifier: GPL-2.0-only */
/* Which patterns there are, and what each of them says. */
#include "compile/paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"

int bh_paths_init(struct bh_paths *paths)
{
	memset(paths, 0, sizeof(*paths));
	return bh_nfa_init(&paths->nfa);
}

void bh_paths_done(struct bh_paths *paths)
{
	bh_nfa_done(&paths->nfa);
	bh_dfa_done(&paths->dfa);
	free(paths->marks);
	free(paths->first);
	free(paths->below);
	free(paths->pins);
	free(paths->aliases);
	free(paths->accepts);
	free(paths->table);
	free(paths->edges);
	free(paths->choices);
	memset(paths, 0, sizeof(*paths));
}

static int add_one(struct bh_paths *paths, struct bh_path_mark mark, const char *text)
{
	if (BH_RESERVE(paths->marks, paths->capacity, paths->count + 1))
		return -ENOMEM;
	if (bh_nfa_add_path(&paths->nfa, text, &mark.pattern))
		return -ENOMEM;
	paths->marks[paths->count++] = mark;
	return 0;
}

/* Reading all beneath D includes listing D itself. */
static int add_with_directory(struct bh_paths *paths, const struct bh_path_mark *mark, const char *text)
{
	BH_FREE char *directory = NULL;
	size_t length = strlen(text);
	int result = add_one(paths, *mark, text);

	if (result || mark->access != BH_ACCESS_READ || length < 3 || strcmp(text + length - 3, "/**") != 0)
		return result;
	directory = strndup(text, length > 3 ? length - 3 : 1);
	return directory ? add_one(paths, *mark, directory) : -ENOMEM;
}

static int compare_aliases(const void *left, const void *right)
{
	const struct bh_alias *const *a = left, *const *b = right;
	int order = strcmp((*a)->listed, (*b)->listed);

	return order ? order : strcmp((*a)->resolved, (*b)->resolved);
}

static int sort_aliases(const struct bh_compile *c, struct bh_paths *paths)
{
	size_t count = c->aliases ? c->aliases->count : 0;

	paths->aliases = calloc(count + 1, sizeof(*paths->aliases));
	if (!paths->aliases)
		return -ENOMEM;
	for (; paths->aliases_count < count; paths->aliases_count++)
		paths->aliases[paths->aliases_count] = &c->aliases->items[paths->aliases_count];
	qsort(paths->aliases, count, sizeof(*paths->aliases), compare_aliases);
	return 0;
}

/* The first alias of that text, or where it would be. */
static size_t find_alias(const struct bh_paths *paths, const char *text)
{
	size_t low = 0, high = paths->aliases_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(paths->aliases[middle]->listed, text) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int add_mark(struct bh_paths *paths, const struct bh_path_mark *mark, const char *text)
{
	int result = add_with_directory(paths, mark, text);

	for (size_t i = find_alias(paths, text); i < paths->aliases_count && !result; i++) {
		if (strcmp(paths->aliases[i]->listed, text) != 0)
			break;
		result = add_with_directory(paths, mark, paths->aliases[i]->resolved);
	}
	return result;
}

static int add_rule(struct bh_compile *c, struct bh_paths *paths, uint32_t number)
{
	const struct bh_rule *rule = &c->compiled->rules[number - 1];
	struct bh_path_mark mark = { .rule = rule, .rule_number = number, .access = rule->access };
	unsigned int tool = bh_compiled_tool_id(c->compiled, rule->scope);

	if (!bh_rule_has_pattern(rule))
		return 0;
	if (rule->class == BH_RULE_EXEC)
		mark.access = BH_ACCESS_EXEC;
	if (rule->class == BH_RULE_UNIX)
		mark.access = rule->unix_op == BH_UNIX_LISTEN ? BH_PATH_LISTEN : BH_PATH_CONNECT;
	if (rule->class == BH_RULE_EXEC && rule->then == BH_THEN_ALLOW) {
		mark.from = (uint8_t)(strcmp(rule->scope, "@attach") == 0 ? BH_TOOL_ATTACH : tool); /* "@entry": 0 */
	} else if (tool) {
		mark.tools = 1u << (tool - 1);
	} else {
		mark.tools = UINT32_MAX >> (BH_TOOLS_MAX - c->compiled->tools);
	}
	return add_mark(paths, &mark, rule->path);
}

static int add_floor(struct bh_paths *paths, const struct bh_prohibition *floor)
{
	struct bh_path_mark mark = { .floor = floor, .access = BH_ACCESS_READ };
	int result = 0;

	for (size_t i = 0; i < floor->read.count && !result; i++)
		result = add_mark(paths, &mark, floor->read.items[i].text);
	mark.access = BH_ACCESS_WRITE;
	for (size_t i = 0; i < floor->write.count && !result; i++)
		result = add_mark(paths, &mark, floor->write.items[i].text);
	return result;
}

static int compare_marks(const void *left, const void *right)
{
	const struct bh_path_mark *a = left, *b = right;

	if (a->pattern != b->pattern)
		return a->pattern < b->pattern ? -1 : 1;
	if (a->rule_number != b->rule_number)
		return a->rule_number < b->rule_number ? -1 : 1;
	return a->access < b->access ? -1 : a->access > b->access;
}

int bh_paths_collect(struct bh_compile *c, struct bh_paths *paths)
{
	int result = sort_aliases(c, paths);

	for (size_t i = 0; i < c->compiled->rules_count && !result; i++)
		result = add_rule(c, paths, (uint32_t)i + 1);
	for (size_t i = 0; i < c->shipped->floors_count && !result; i++)
		result = add_floor(paths, &c->shipped->floors[i]);
	if (result)
		return result;
	paths->first = calloc(paths->nfa.patterns + 1, sizeof(*paths->first));
	if (!paths->first)
		return -ENOMEM;
	if (paths->count)
		qsort(paths->marks, paths->count, sizeof(*paths->marks), compare_marks);
	for (size_t i = 0; i < paths->count; i++)
		paths->first[paths->marks[i].pattern + 1] = i + 1;
	return 0;
}

/* The text that a person wrote for the pattern. */
static const char *pattern_text(const struct bh_paths *paths, size_t pattern)
{
	const struct bh_path_mark *mark = &paths->marks[paths->first[pattern]];

	return mark->rule ? mark->rule->path : mark->floor->name.text;
}

static bool costs_more(const struct bh_paths *paths, const uint64_t *costs, size_t a, size_t b)
{
	if (costs[a] != costs[b])
		return costs[a] > costs[b];
	return strcmp(pattern_text(paths, a), pattern_text(paths, b)) < 0;
}

int bh_paths_too_large(struct bh_compile *c, struct bh_paths *paths)
{
	BH_FREE uint64_t *costs = calloc(paths->nfa.patterns + 1, sizeof(*costs));
	struct bh_loc loc = c->policy->name.loc;
	struct bh_buf names = { 0 };
	size_t worst[3], count = 0;

	if (!costs || bh_dfa_costs(&paths->nfa, &paths->dfa, costs))
		return -ENOMEM;
	for (size_t p = 0; p < paths->nfa.patterns; p++) {
		size_t at = count < 3 ? count++ : 3;

		for (; at > 0 && costs_more(paths, costs, p, worst[at - 1]); at--)
			if (at < 3)
				worst[at] = worst[at - 1];
		if (at < 3)
			worst[at] = p;
	}
	for (size_t i = 0; i < count; i++)
		bh_buf_print(&names, "%s'%s'", i ? ", " : "", pattern_text(paths, worst[i]));
	if (count && paths->marks[paths->first[worst[0]]].rule && paths->marks[paths->first[worst[0]]].rule->loc.line)
		loc = paths->marks[paths->first[worst[0]]].rule->loc;
	if (!names.error)
		bh_diag_add(c->diags, BH_SEVERITY_ERROR, "E204", loc,
			    "name directories with /** instead of many files, and use fewer wildcards inside names",
			    "the paths of this policy do not fit its table of %u cells; these cost most: %s",
			    BH_CHUNKS_MAX * BH_CHUNK_CELLS, names.bytes ? (const char *)names.bytes : "");
	bh_buf_done(&names);
	return names.error ? -ENOMEM : -EINVAL;
}
