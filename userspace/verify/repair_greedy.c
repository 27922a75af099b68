/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where trying all sets takes too long or no small one will do: always the edit after which the fewest expectations fail, or,
 * when no single one helps, the fewest that together mend one of them; in the end without each that turned out to be needless.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "verify/repairing.h"

#define GREEDY_STEPS 4000u /* versions tried */

struct greedy {
	struct bh_search *search;
	uint16_t atoms[BH_REPAIR_ATOMS];
	size_t count;
	bool *helps;
	size_t steps; /* left */
};

/* How many wants a version does not meet; SIZE_MAX: it cannot be made. helps: what might help against the first. */
static int count_failing(struct greedy *greedy, const uint16_t *atoms, size_t count, bool *helps, size_t *ret_failing)
{
	struct bh_search *search = greedy->search;
	struct bh_candidate candidate = { 0 };
	enum bh_outcome outcome;
	int result = bh_candidate_try(search, atoms, count, &candidate, &outcome);

	greedy->steps -= greedy->steps > 0;
	*ret_failing = outcome == BH_OUTCOME_SOLVED ? 0 : SIZE_MAX;
	if (!result && helps && outcome != BH_OUTCOME_POINTLESS)
		result = bh_candidate_helpers(search, &candidate, outcome, helps);
	for (size_t i = 0; i < search->wants.count && outcome == BH_OUTCOME_FAILS && candidate.outline && !result;
	     i++) {
		struct bh_failure failure;
		bool pass;

		if (i == 0)
			*ret_failing = 0;
		result = bh_want_ask(search, candidate.outline, &search->wants.items[i], &failure, &pass);
		*ret_failing += !pass;
	}
	/* all expectations are met, but something else is wrong */
	if (outcome == BH_OUTCOME_FAILS && *ret_failing == 0)
		*ret_failing = 1;
	bh_candidate_done(&candidate);
	return result;
}

static bool is_chosen(const struct greedy *greedy, size_t atom)
{
	for (size_t i = 0; i < greedy->count; i++)
		if (greedy->atoms[i] == atom)
			return true;
	return false;
}

/* Adds the best next edit, if there is one after which fewer fail than now. */
static int choose(struct greedy *greedy, size_t failing_now)
{
	const struct bh_atoms *atoms = &greedy->search->repair->atoms;
	size_t best = atoms->count, fewest = failing_now;
	int result = 0;

	for (size_t i = 0; i < atoms->count && !result && greedy->steps; i++) {
		size_t failing;

		if (!greedy->helps[i] || is_chosen(greedy, i))
			continue;
		greedy->atoms[greedy->count] = (uint16_t)i;
		result = count_failing(greedy, greedy->atoms, greedy->count + 1, NULL, &failing);
		if (!result && (failing < fewest || (failing == fewest && best < atoms->count &&
						     atoms->items[i].cost < atoms->items[best].cost))) {
			best = i;
			fewest = failing;
		}
	}
	if (result || best == atoms->count)
		return result;
	greedy->atoms[greedy->count++] = (uint16_t)best;
	return 0;
}

/* What is met now, and the first want that is not: what the next edits are for. */
static int list_wants(struct greedy *greedy, struct bh_wants *wants)
{
	struct bh_search *search = greedy->search;
	struct bh_candidate candidate = { 0 };
	enum bh_outcome outcome;
	int result = bh_candidate_try(search, greedy->atoms, greedy->count, &candidate, &outcome);
	bool one = false;

	wants->items = calloc(search->wants.count + 1, sizeof(*wants->items));
	if (!wants->items) {
		bh_candidate_done(&candidate);
		return bh_err_set(search->err, ENOMEM, "out of memory");
	}
	for (size_t i = 0; i < search->wants.count && !result && candidate.outline; i++) {
		struct bh_failure failure;
		bool pass = false;

		result = bh_want_ask(search, candidate.outline, &search->wants.items[i], &failure, &pass);
		if (pass || !one)
			wants->items[wants->count++] = search->wants.items[i];
		one = one || !pass;
	}
	bh_candidate_done(&candidate);
	return result;
}

/* A few edits that mend the first failing want and break nothing. */
static int choose_several(struct greedy *greedy)
{
	struct bh_search part = *greedy->search;
	struct bh_repair *repair = part.repair;
	int result;

	part.wants = (struct bh_wants){ 0 };
	part.whole = false;
	part.budget = greedy->steps;
	memcpy(part.base, greedy->atoms, greedy->count * sizeof(part.base[0]));
	part.base_count = greedy->count;
	result = list_wants(greedy, &part.wants);
	if (!result)
		result = bh_search_levels(&part, BH_REPAIR_EDITS);
	greedy->steps = part.budget;
	for (size_t i = 0; !result && repair->count && i < repair->proposals[0].count; i++)
		if (greedy->count < BH_REPAIR_ATOMS)
			greedy->atoms[greedy->count++] = repair->proposals[0].atoms[i];
	bh_proposals_forget(repair);
	free(part.wants.items);
	return result;
}

/* Takes out what is not needed, the most expensive first. */
static int thin_out(struct greedy *greedy)
{
	int result = 0;

	for (size_t i = greedy->count; i-- > 0 && !result && greedy->count > 1;) {
		uint16_t without[BH_REPAIR_ATOMS];
		size_t used = 0, failing;

		for (size_t k = 0; k < greedy->count; k++)
			if (k != i)
				without[used++] = greedy->atoms[k];
		result = count_failing(greedy, without, used, NULL, &failing);
		if (result || failing)
			continue;
		memcpy(greedy->atoms, without, used * sizeof(without[0]));
		greedy->count = used;
	}
	return result;
}

static int compare_indices(const void *left, const void *right)
{
	return (int)*(const uint16_t *)left - (int)*(const uint16_t *)right;
}

static int keep(struct greedy *greedy)
{
	struct bh_repair *repair = greedy->search->repair;
	struct bh_candidate candidate = { 0 };
	struct bh_proposal proposal = { .count = greedy->count };
	enum bh_outcome outcome;
	int result;

	qsort(greedy->atoms, greedy->count, sizeof(greedy->atoms[0]), compare_indices);
	result = bh_candidate_try(greedy->search, greedy->atoms, greedy->count, &candidate, &outcome);
	if (!result && outcome == BH_OUTCOME_SOLVED) {
		memcpy(proposal.atoms, greedy->atoms, greedy->count * sizeof(greedy->atoms[0]));
		for (size_t i = 0; i < greedy->count; i++) {
			proposal.edits += (unsigned int)repair->atoms.items[greedy->atoms[i]].edits_count;
			proposal.cost += repair->atoms.items[greedy->atoms[i]].cost;
		}
		proposal.source = BH_TAKE(candidate.source);
		proposal.compiled = BH_TAKE(candidate.compiled);
		repair->proposals[repair->count++] = proposal;
	}
	bh_candidate_done(&candidate);
	return result;
}

int bh_search_greedy(struct bh_search *search)
{
	size_t size = search->repair->atoms.count + 1, failing = 0, count;
	BH_FREE bool *helps = calloc(size, sizeof(*helps));
	struct greedy greedy = { .search = search, .helps = helps, .steps = GREEDY_STEPS };
	int result = 0;

	if (!helps)
		return bh_err_set(search->err, ENOMEM, "out of memory");
	do {
		count = greedy.count;
		memset(helps, 0, size * sizeof(*helps));
		if (!result)
			result = count_failing(&greedy, greedy.atoms, greedy.count, helps, &failing);
		if (!result && failing && greedy.count < BH_REPAIR_ATOMS)
			result = choose(&greedy, failing);
		if (!result && failing && greedy.count == count && greedy.steps)
			result = choose_several(&greedy);
	} while (!result && failing && greedy.count > count && greedy.steps);
	if (!result && !failing)
		result = thin_out(&greedy);
	return result || failing ? result : keep(&greedy);
}
