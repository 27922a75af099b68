/* SPDX-License-Identifier: GPL-2.0-only */
/* Why there is nothing to propose. */
#include <errno.h>
#include <string.h>

#include "verify/repairing.h"

static bool same_steps(const struct bh_scenario *a, const struct bh_scenario *b)
{
	if (a->steps_count != b->steps_count)
		return false;
	if (!a->every_tool && !b->every_tool && a->tool != b->tool)
		return false;
	/* "*" is every tool but not the sandbox before its first program */
	if (a->every_tool != b->every_tool && (a->every_tool ? b->tool : a->tool) == BH_TOOL_NONE)
		return false;
	for (size_t i = 0; i < a->steps_count; i++)
		if (!bh_query_same(&a->steps[i].query, &b->steps[i].query))
			return false;
	return true;
}

static bool are_opposite(const struct bh_scenario *a, const struct bh_scenario *b)
{
	if (a->allow != b->allow)
		return true;
	if (a->allow)
		return a->to && b->to && a->to != b->to;
	return a->reason && b->reason && a->reason != b->reason;
}

bool bh_repair_opposites(const struct bh_repair_task *task, struct bh_repair *repair)
{
	const struct bh_scenario_set *set = task->scenarios;

	for (size_t i = 0; i < set->count; i++)
		for (size_t k = i + 1; k < set->count; k++)
			if (same_steps(&set->items[i], &set->items[k]) &&
			    are_opposite(&set->items[i], &set->items[k])) {
				repair->end = BH_REPAIR_OPPOSITES;
				repair->first = &set->items[i];
				repair->second = &set->items[k];
				return true;
			}
	return false;
}

/* Is there a repair for these wants alone? */
static int try_wants(struct bh_search *search, struct bh_want *wants, size_t count, unsigned int edits, bool *ret_found)
{
	struct bh_search part = *search;
	int result;

	part.wants = (struct bh_wants){ wants, count, count };
	part.failing = count;
	part.whole = false;
	result = bh_search_levels(&part, edits);
	search->budget = part.budget;
	*ret_found = search->repair->count > 0;
	bh_proposals_forget(search->repair);
	return result;
}

static int add_unfixable(struct bh_search *search, const struct bh_want *want)
{
	struct bh_repair *repair = search->repair;
	bool pass;

	if (BH_RESERVE(repair->unfixable, repair->unfixable_capacity, repair->unfixable_count + 1))
		return bh_err_set(search->err, ENOMEM, "out of memory");
	repair->end = BH_REPAIR_UNFIXABLE;
	return bh_want_ask(search, search->task->exam->compiled, want, &repair->unfixable[repair->unfixable_count++],
			   &pass);
}

static int find_unfixable(struct bh_search *search, unsigned int edits)
{
	int result = 0;

	for (size_t i = 0; i < search->failing && search->budget && !result; i++) {
		struct bh_want want = search->wants.items[i];
		bool found = true;

		result = try_wants(search, &want, 1, edits, &found);
		if (!result && !found && search->budget)
			result = add_unfixable(search, &want);
	}
	return result;
}

/* Two of which each passes, or can be made to, but not the other then: the first of them fails now. */
static int find_clash(struct bh_search *search, unsigned int edits)
{
	for (size_t i = 0; i < search->failing; i++)
		for (size_t k = i + 1; k < search->wants.count && search->budget; k++) {
			struct bh_want pair[2] = { search->wants.items[i], search->wants.items[k] };
			bool found = true;
			int result;

			if (!pair[0].scenario || !pair[1].scenario || pair[0].scenario == pair[1].scenario)
				continue;
			result = try_wants(search, pair, 2, edits, &found);
			if (result)
				return result;
			if (found || !search->budget)
				continue;
			search->repair->end = BH_REPAIR_CLASH;
			search->repair->first = pair[0].scenario;
			search->repair->second = pair[1].scenario;
			return 0;
		}
	return 0;
}

int bh_search_explain(struct bh_search *search, unsigned int edits)
{
	int result;

	search->repair->end = BH_REPAIR_NONE;
	search->budget = BH_REPAIR_CANDIDATES;
	result = find_unfixable(search, edits);
	if (!result && search->repair->end == BH_REPAIR_NONE)
		result = find_clash(search, edits);
	return result;
}
