/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All sets of one edit, then of two, and so on. A set that fails is only extended by what might help against its first
 * failure: every larger set that solves it has one of those, so none is missed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "verify/repairing.h"

/* Sets that wait to be tried, by their number of edits, and all that were ever put there. */
struct queue {
	struct bh_node_set *items;
	size_t count, capacity;
};

struct levels {
	struct bh_search *search;
	struct queue level[BH_REPAIR_EDITS_DEEP + 1];
	unsigned int edits; /* at most */
	struct bh_node_set *seen; /* open addressing; count 0: free */
	size_t seen_count, seen_size;
	bool *helps;
};

static uint64_t hash_set(const struct bh_node_set *set)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < set->count; i++)
		hash = (hash ^ set->atoms[i]) * 0x100000001b3u;
	return hash ^ hash >> 29;
}

static bool same_set(const struct bh_node_set *a, const struct bh_node_set *b)
{
	return a->count == b->count && memcmp(a->atoms, b->atoms, a->count * sizeof(a->atoms[0])) == 0;
}

static struct bh_node_set *find_place(struct bh_node_set *seen, size_t size, const struct bh_node_set *set)
{
	size_t at = hash_set(set) & (size - 1);

	while (seen[at].count && !same_set(&seen[at], set))
		at = (at + 1) & (size - 1);
	return &seen[at];
}

/* Notes the set. 1: it was there; 0; -ENOMEM. */
static int note_seen(struct levels *levels, const struct bh_node_set *set)
{
	struct bh_node_set *place;

	if (2 * (levels->seen_count + 1) > levels->seen_size) {
		size_t size = levels->seen_size ? 2 * levels->seen_size : 1024;
		struct bh_node_set *seen = calloc(size, sizeof(*seen));

		if (!seen)
			return -ENOMEM;
		for (size_t i = 0; i < levels->seen_size; i++)
			if (levels->seen[i].count)
				*find_place(seen, size, &levels->seen[i]) = levels->seen[i];
		free(levels->seen);
		levels->seen = seen;
		levels->seen_size = size;
	}
	place = find_place(levels->seen, levels->seen_size, set);
	if (place->count)
		return 1;
	*place = *set;
	levels->seen_count++;
	return 0;
}

/* The set with one more, in order. False when it is in it already or there is no room. */
static bool extend(const struct levels *levels, const struct bh_node_set *set, uint16_t atom,
		   struct bh_node_set *ret_set)
{
	const struct bh_atom *added = &levels->search->repair->atoms.items[atom];
	size_t at = set->count;

	if (set->edits + added->edits_count > levels->edits)
		return false;
	*ret_set = *set;
	for (; at > 0 && set->atoms[at - 1] > atom; at--)
		ret_set->atoms[at] = set->atoms[at - 1];
	if (at > 0 && set->atoms[at - 1] == atom)
		return false;
	ret_set->atoms[at] = atom;
	ret_set->count++;
	ret_set->edits = (uint8_t)(ret_set->edits + added->edits_count);
	ret_set->cost += added->cost;
	return true;
}

static int push_extended(struct levels *levels, const struct bh_node_set *set)
{
	for (size_t i = 0; i < levels->search->repair->atoms.count; i++) {
		struct bh_node_set next;
		struct queue *queue;
		int result;

		if (!levels->helps[i] || !extend(levels, set, (uint16_t)i, &next))
			continue;
		result = note_seen(levels, &next);
		if (result > 0)
			continue;
		queue = &levels->level[next.edits];
		if (result || BH_RESERVE(queue->items, queue->capacity, queue->count + 1))
			return bh_err_set(levels->search->err, ENOMEM, "out of memory");
		queue->items[queue->count++] = next;
	}
	return 0;
}

/* By cost, then by the words of the edits, which is the order of the atoms. */
static int compare_sets(const void *left, const void *right)
{
	const struct bh_node_set *a = left, *b = right;

	if (a->cost != b->cost)
		return a->cost < b->cost ? -1 : 1;
	for (size_t i = 0; i < a->count && i < b->count; i++)
		if (a->atoms[i] != b->atoms[i])
			return a->atoms[i] < b->atoms[i] ? -1 : 1;
	return (int)a->count - (int)b->count;
}

/* The candidate's model and tables become the proposal's. */
static void keep_proposal(struct bh_repair *repair, const struct bh_node_set *set, struct bh_candidate *candidate)
{
	struct bh_proposal *proposal = &repair->proposals[repair->count++];

	*proposal = (struct bh_proposal){ .count = set->count, .edits = set->edits, .cost = set->cost };
	memcpy(proposal->atoms, set->atoms, set->count * sizeof(set->atoms[0]));
	proposal->source = BH_TAKE(candidate->source);
	proposal->compiled = BH_TAKE(candidate->compiled);
}

static int try_set(struct levels *levels, const struct bh_node_set *set)
{
	struct bh_search *search = levels->search;
	struct bh_candidate candidate = { 0 };
	uint16_t atoms[BH_REPAIR_ATOMS + BH_REPAIR_EDITS_DEEP];
	enum bh_outcome outcome;
	int result;

	memcpy(atoms, search->base, search->base_count * sizeof(atoms[0]));
	memcpy(atoms + search->base_count, set->atoms, set->count * sizeof(atoms[0]));
	result = bh_candidate_try(search, atoms, search->base_count + set->count, &candidate, &outcome);

	search->budget--;
	if (!result && outcome == BH_OUTCOME_SOLVED) {
		keep_proposal(search->repair, set, &candidate);
	} else if (!result && outcome != BH_OUTCOME_POINTLESS && set->edits < levels->edits) {
		memset(levels->helps, 0, search->repair->atoms.count * sizeof(*levels->helps));
		result = bh_candidate_helpers(search, &candidate, outcome, levels->helps);
		if (!result)
			result = push_extended(levels, set);
	}
	bh_candidate_done(&candidate);
	return result;
}

static int try_level(struct levels *levels, unsigned int edits)
{
	struct queue *queue = &levels->level[edits];
	int result = 0;

	if (queue->count)
		qsort(queue->items, queue->count, sizeof(*queue->items), compare_sets);
	for (size_t i = 0; i < queue->count && !result; i++) {
		if (!levels->search->budget || levels->search->repair->count == BH_PROPOSALS_MAX)
			break;
		result = try_set(levels, &queue->items[i]);
	}
	return result;
}

int bh_search_levels(struct bh_search *search, unsigned int edits)
{
	BH_FREE bool *helps = calloc(search->repair->atoms.count + 1, sizeof(*helps));
	struct levels levels = { .search = search, .edits = edits, .helps = helps };
	struct bh_node_set none = { .count = 0 };
	int result = helps ? try_set(&levels, &none) : bh_err_set(search->err, ENOMEM, "out of memory");

	for (unsigned int i = 1; i <= edits && !result && !search->repair->count && search->budget; i++)
		result = try_level(&levels, i);
	for (unsigned int i = 0; i <= BH_REPAIR_EDITS_DEEP; i++)
		free(levels.level[i].items);
	free(levels.seen);
	return result;
}
