/* SPDX-License-Identifier: GPL-2.0-only */
#include "verify/repair.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "verify/repairing.h"

void bh_proposals_forget(struct bh_repair *repair)
{
	for (size_t i = 0; i < repair->count; i++) {
		bh_compiled_free(repair->proposals[i].compiled);
		bh_source_policy_free(repair->proposals[i].source);
	}
	repair->count = 0;
}

void bh_repair_done(struct bh_repair *repair)
{
	bh_proposals_forget(repair);
	bh_atoms_done(&repair->atoms);
	free(repair->unfixable);
	memset(repair, 0, sizeof(*repair));
}

static int out_of_memory(struct bh_search *search)
{
	return bh_err_set(search->err, ENOMEM, "out of memory");
}

/* Notes what must hold, those that fail now in front. */
static int add_want(struct bh_search *search, struct bh_want want)
{
	struct bh_wants *wants = &search->wants;
	struct bh_failure failure;
	bool pass;
	int result = bh_want_ask(search, search->task->exam->compiled, &want, &failure, &pass);

	if (result || (pass && !want.scenario))
		return result;
	if (BH_RESERVE(wants->items, wants->capacity, wants->count + 1))
		return out_of_memory(search);
	wants->items[wants->count++] = want;
	if (pass)
		return 0;
	wants->items[wants->count - 1] = wants->items[search->failing];
	wants->items[search->failing++] = want;
	return 0;
}

static int list_wants(struct bh_search *search)
{
	const struct bh_scenario_set *set = search->task->scenarios;
	const struct bh_checks *checks = search->task->compulsory;
	int result = 0;

	for (size_t i = 0; i < set->count && !result; i++) {
		struct bh_want want = { .scenario = &set->items[i], .tool = set->items[i].tool };

		if (!want.scenario->every_tool) {
			result = add_want(search, want);
			continue;
		}
		for (want.tool = 1; bh_compiled_tool_name(search->task->exam->compiled, want.tool) && !result;
		     want.tool++)
			result = add_want(search, want);
	}
	for (size_t i = 0; i < checks->count && !result; i++)
		if (checks->items[i].denied)
			result = add_want(search, (struct bh_want){ .check = &checks->items[i] });
	return result;
}

#define ATOMS_MAX 4096u /* more failures than that are not mended at once */

/* What might help against any of the failures. */
static int list_atoms(struct bh_search *search)
{
	struct bh_version version = { search->task->source, search->task->exam->compiled };
	struct bh_atoms *atoms = &search->repair->atoms;
	int result = 0;

	for (size_t i = 0; i < search->failing && !result && atoms->count < ATOMS_MAX; i++) {
		struct bh_failure failure;
		bool pass = true;

		result = bh_want_ask(search, search->task->exam->compiled, &search->wants.items[i], &failure, &pass);
		if (!result && !pass)
			bh_atoms_for(&version, &failure, atoms);
	}
	bh_atoms_sort(atoms);
	return atoms->error ? out_of_memory(search) : result;
}

static int find_proposals(struct bh_search *search)
{
	unsigned int edits = search->task->deep ? BH_REPAIR_EDITS_DEEP : BH_REPAIR_EDITS;
	struct bh_repair *repair = search->repair;
	int result = bh_search_levels(search, edits);

	repair->end = BH_REPAIR_FOUND;
	if (result || repair->count)
		return result;
	repair->end = BH_REPAIR_GREEDY;
	result = bh_search_greedy(search);
	if (result || repair->count)
		return result;
	return bh_search_explain(search, edits);
}

int bh_repair_make(const struct bh_repair_task *task, struct bh_repair *repair, struct bh_err *err)
{
	struct bh_search search = {
		.task = task, .repair = repair, .whole = true, .budget = BH_REPAIR_CANDIDATES, .err = err
	};
	int result;

	if (bh_repair_opposites(task, repair))
		return 0;
	result = list_wants(&search);
	if (!result)
		result = list_atoms(&search);
	if (!result)
		result = find_proposals(&search);
	free(search.wants.items);
	return result;
}
