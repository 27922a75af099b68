/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Partition refinement. States are equal when they mean the same and their moves lead to equal states. A class splits by
 * its members' signatures (their runs, targets replaced by classes); the largest part keeps the name, so a state is
 * renamed at most log n times, and only the predecessors of renamed states are looked at again.
 */
#include "compile/automaton.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct refine {
	const struct bh_dfa *dfa;
	uint32_t *class_of;
	uint32_t *member, *place; /* members sorted by class; place[state]: its index there */
	uint32_t *first, *size, *marked; /* by class; the marked members come first */
	uint32_t *clean; /* by class: where the members begin that stay together with the unmarked ones */
	uint32_t classes;
	uint64_t *hash; /* by state, of its signature */
	bool *starts; /* by place: a new part begins here */
	size_t *pred_first;
	uint32_t *pred;
	uint32_t *dirty, *touched, *changed, *spare;
	uint32_t dirty_count, touched_count, changed_count;
	bool *is_dirty;
};

/* The next run of a signature: neighbouring runs into one class are one. */
static uint32_t next_run(const struct refine *r, size_t *at, uint8_t *last)
{
	const struct bh_run *runs = r->dfa->runs;
	uint32_t class = r->class_of[runs[*at].to];

	while (runs[*at].last < 255 && r->class_of[runs[*at + 1].to] == class)
		(*at)++;
	*last = runs[(*at)++].last;
	return class;
}

static uint64_t hash_signature(const struct refine *r, uint32_t state)
{
	size_t at = r->dfa->run_first[state];
	uint64_t hash = 0x9e3779b97f4a7c15u;
	uint8_t last;

	do {
		uint32_t class = next_run(r, &at, &last);

		hash = (hash ^ ((uint64_t) class << 8 | last)) * 0xff51afd7ed558ccdu;
		hash ^= hash >> 32;
	} while (last < 255);
	return hash;
}

/* Exact: a hash that happens to agree must not merge two states. */
static int compare_signatures(const void *left, const void *right, void *context)
{
	const struct refine *r = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	size_t at_a = r->dfa->run_first[a], at_b = r->dfa->run_first[b];
	uint8_t last_a, last_b;

	if (r->hash[a] != r->hash[b])
		return r->hash[a] < r->hash[b] ? -1 : 1;
	do {
		uint32_t class_a = next_run(r, &at_a, &last_a), class_b = next_run(r, &at_b, &last_b);

		if (class_a != class_b)
			return class_a < class_b ? -1 : 1;
		if (last_a != last_b)
			return last_a < last_b ? -1 : 1;
	} while (last_a < 255);
	return 0;
}

static void mark(struct refine *r, uint32_t state)
{
	uint32_t class = r->class_of[state];
	uint32_t to = r->first[class] + r->marked[class], from = r->place[state];
	uint32_t other = r->member[to];

	r->member[to] = state;
	r->place[state] = to;
	r->member[from] = other;
	r->place[other] = from;
	if (!r->marked[class]++)
		r->touched[r->touched_count++] = class;
}

/* Sorts a class's marked members into parts; the part that agrees with the unmarked ones goes to the end, beside them. */
static void sort_class(struct refine *r, uint32_t class)
{
	uint32_t *member = r->member + r->first[class];
	uint32_t marked = r->marked[class], from = marked, until = marked;

	qsort_r(member, marked, sizeof(*member), compare_signatures, r);
	if (marked < r->size[class]) {
		const uint32_t *sample = &member[marked];

		for (from = 0; from < marked && compare_signatures(&member[from], sample, r) != 0;)
			from++;
		for (until = from; until < marked && compare_signatures(&member[until], sample, r) == 0;)
			until++;
		memcpy(r->spare, member + from, (until - from) * sizeof(*member));
		memmove(member + from, member + until, (marked - until) * sizeof(*member));
		memcpy(member + marked - (until - from), r->spare, (until - from) * sizeof(*member));
	}
	r->clean[class] = r->first[class] + marked - (until - from);
	for (uint32_t i = 0; i < marked - (until - from); i++)
		if (!i || compare_signatures(&member[i - 1], &member[i], r) != 0)
			r->starts[r->first[class] + i] = true;
	for (uint32_t i = 0; i < marked; i++)
		r->place[member[i]] = r->first[class] + i;
}

/* End of the part that begins at `at`. */
static uint32_t part_end(const struct refine *r, uint32_t class, uint32_t at, uint32_t end)
{
	if (at == r->clean[class])
		return end;
	for (at++; at < r->clean[class] && !r->starts[at];)
		at++;
	return at;
}

static void rename_part(struct refine *r, uint32_t from, uint32_t until)
{
	uint32_t class = r->classes++;

	r->first[class] = from;
	r->size[class] = until - from;
	r->marked[class] = 0;
	for (uint32_t i = from; i < until; i++) {
		r->class_of[r->member[i]] = class;
		r->changed[r->changed_count++] = r->member[i];
	}
}

static void split_class(struct refine *r, uint32_t class)
{
	uint32_t begin = r->first[class], end = begin + r->size[class];
	uint32_t keep = begin, keep_size = 0;

	for (uint32_t at = begin, until; at < end; at = until) {
		until = part_end(r, class, at, end);
		if (until - at > keep_size) {
			keep = at;
			keep_size = until - at;
		}
	}
	for (uint32_t at = begin, until; at < end; at = until) {
		until = part_end(r, class, at, end);
		if (at != keep)
			rename_part(r, at, until);
	}
	for (uint32_t at = begin; at < r->clean[class]; at++)
		r->starts[at] = false;
	r->first[class] = keep;
	r->size[class] = keep_size;
	r->marked[class] = 0;
}

static void make_dirty(struct refine *r, uint32_t state)
{
	if (!r->is_dirty[state]) {
		r->is_dirty[state] = true;
		r->dirty[r->dirty_count++] = state;
	}
}

/* All signatures of a round are taken before the first class is renamed. */
static void refine_once(struct refine *r)
{
	r->touched_count = r->changed_count = 0;
	for (uint32_t i = 0; i < r->dirty_count; i++) {
		r->is_dirty[r->dirty[i]] = false;
		r->hash[r->dirty[i]] = hash_signature(r, r->dirty[i]);
		mark(r, r->dirty[i]);
	}
	r->dirty_count = 0;
	for (uint32_t i = 0; i < r->touched_count; i++) {
		uint32_t class = r->touched[i], sample = r->first[class] + r->marked[class];

		if (r->marked[class] < r->size[class])
			r->hash[r->member[sample]] = hash_signature(r, r->member[sample]);
		sort_class(r, class);
	}
	for (uint32_t i = 0; i < r->touched_count; i++)
		split_class(r, r->touched[i]);
	for (uint32_t i = 0; i < r->changed_count; i++)
		for (size_t k = r->pred_first[r->changed[i]]; k < r->pred_first[r->changed[i] + 1]; k++)
			make_dirty(r, r->pred[k]);
}

static void find_predecessors(struct refine *r)
{
	const struct bh_dfa *dfa = r->dfa;

	for (size_t i = 0; i < dfa->runs_count; i++)
		r->pred_first[dfa->runs[i].to + 1]++;
	for (size_t q = 0; q < dfa->states; q++)
		r->pred_first[q + 1] += r->pred_first[q];
	for (size_t q = 0; q < dfa->states; q++)
		for (size_t i = dfa->run_first[q]; i < dfa->run_first[q + 1]; i++)
			r->pred[r->pred_first[dfa->runs[i].to]++] = (uint32_t)q;
	memmove(r->pred_first + 1, r->pred_first, dfa->states * sizeof(*r->pred_first));
	r->pred_first[0] = 0;
}

static int compare_meanings(const void *left, const void *right, void *context)
{
	const struct refine *r = context;
	uint32_t a = r->dfa->meaning[*(const uint32_t *)left], b = r->dfa->meaning[*(const uint32_t *)right];

	return a < b ? -1 : a > b;
}

static void first_classes(struct refine *r)
{
	uint32_t states = (uint32_t)r->dfa->states;

	for (uint32_t q = 0; q < states; q++)
		r->member[q] = q;
	qsort_r(r->member, states, sizeof(*r->member), compare_meanings, r);
	for (uint32_t i = 0; i < states; i++) {
		if (!i || compare_meanings(&r->member[i - 1], &r->member[i], r) != 0)
			r->first[r->classes++] = i;
		r->place[r->member[i]] = i;
		r->class_of[r->member[i]] = r->classes - 1;
		r->size[r->classes - 1]++;
		make_dirty(r, r->member[i]);
	}
}

static int refine_alloc(struct refine *r)
{
	size_t n = r->dfa->states;
	uint32_t **arrays[] = { &r->member, &r->place, &r->first,   &r->size,	 &r->marked,
				&r->clean,  &r->dirty, &r->touched, &r->changed, &r->spare };
	bool complete = true;

	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++) {
		*arrays[i] = calloc(n, sizeof(**arrays[i]));
		complete = complete && *arrays[i];
	}
	r->hash = calloc(n, sizeof(*r->hash));
	r->starts = calloc(n, sizeof(*r->starts));
	r->is_dirty = calloc(n, sizeof(*r->is_dirty));
	r->pred_first = calloc(n + 2, sizeof(*r->pred_first));
	r->pred = calloc(r->dfa->runs_count + 1, sizeof(*r->pred));
	return complete && r->hash && r->starts && r->is_dirty && r->pred_first && r->pred ? 0 : -ENOMEM;
}

static void refine_done(struct refine *r)
{
	void *arrays[] = { r->member,  r->place, r->first, r->size,   r->marked,   r->clean,	  r->dirty, r->touched,
			   r->changed, r->spare, r->hash,  r->starts, r->is_dirty, r->pred_first, r->pred };

	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
		free(arrays[i]);
}

int bh_dfa_refine(const struct bh_dfa *dfa, uint32_t *class_of, uint32_t *ret_classes)
{
	struct refine r = { .dfa = dfa, .class_of = class_of };
	int result = refine_alloc(&r);

	if (!result) {
		find_predecessors(&r);
		first_classes(&r);
		while (r.dirty_count)
			refine_once(&r);
		*ret_classes = r.classes;
	}
	refine_done(&r);
	return result;
}
