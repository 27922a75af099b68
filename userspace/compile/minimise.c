/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Equal states of a large DFA. Most states lie on no circle: they are equal when they mean the same and their moves lead to
 * equal states, so each is looked up once, when all that it leads to is known. Only the core, which is what circles lead to,
 * needs refinement.
 */
#include "compile/automaton.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

struct minimise {
	const struct bh_dfa *dfa;
	uint32_t *class_of;
	uint32_t classes;
	uint32_t *order; /* states that lie on no circle, those that they lead to before them */
	size_t ordered;
	bool *core;
	uint32_t *sample; /* by class: one of its states */
	uint32_t *sink; /* by meaning: class + 1 of the states that no byte leaves */
	uint32_t *table; /* class + 1 by hash of its signature */
	size_t table_size;
};

static bool is_sink(const struct bh_dfa *dfa, uint32_t state)
{
	for (size_t i = dfa->run_first[state]; i < dfa->run_first[state + 1]; i++)
		if (dfa->runs[i].to != state)
			return false;
	return true;
}

/* By state, from where runs lead to it: pred[first[q] .. first[q + 1]). 0 or -ENOMEM. */
static int find_predecessors(const struct bh_dfa *dfa, size_t **ret_first, uint32_t **ret_pred)
{
	size_t *first = calloc(dfa->states + 2, sizeof(*first));
	uint32_t *pred = calloc(dfa->runs_count + 1, sizeof(*pred));

	*ret_first = first;
	*ret_pred = pred;
	if (!first || !pred)
		return -ENOMEM;
	for (size_t i = 0; i < dfa->runs_count; i++)
		first[dfa->runs[i].to + 2]++;
	for (size_t q = 0; q < dfa->states; q++)
		first[q + 2] += first[q + 1];
	/* state q fills at first[q + 1], which ends where the next one begins */
	for (size_t q = 0; q < dfa->states; q++)
		for (size_t i = dfa->run_first[q]; i < dfa->run_first[q + 1]; i++)
			pred[first[dfa->runs[i].to + 1]++] = (uint32_t)q;
	return 0;
}

/* Takes states off from below, each when all that it leads to is taken. `left`: runs that lead to what is not. */
static int peel_below(struct minimise *m, uint32_t *left)
{
	const struct bh_dfa *dfa = m->dfa;
	BH_FREE size_t *first = NULL;
	BH_FREE uint32_t *pred = NULL;
	int result = find_predecessors(dfa, &first, &pred);

	if (result)
		return result;
	for (uint32_t q = 0; q < dfa->states; q++) {
		left[q] = (uint32_t)(dfa->run_first[q + 1] - dfa->run_first[q]);
		if (is_sink(dfa, q)) {
			left[q] = 0;
			m->order[m->ordered++] = q;
		}
	}
	for (size_t at = 0; at < m->ordered; at++) {
		uint32_t q = m->order[at];

		for (size_t i = first[q]; i < first[q + 1]; i++)
			if (pred[i] != q && --left[pred[i]] == 0)
				m->order[m->ordered++] = pred[i];
	}
	return 0;
}

/* Takes off from above what nothing leads to that is still there, and puts it behind the order, the lowest first. */
static int peel_above(struct minimise *m, uint32_t *left)
{
	const struct bh_dfa *dfa = m->dfa;
	BH_FREE uint32_t *in = calloc(dfa->states, sizeof(*in));
	size_t begin = m->ordered, end;

	if (!in)
		return -ENOMEM;
	for (uint32_t q = 0; q < dfa->states; q++)
		for (size_t i = dfa->run_first[q]; left[q] && i < dfa->run_first[q + 1]; i++)
			in[dfa->runs[i].to]++;
	for (uint32_t q = 0; q < dfa->states; q++)
		if (left[q] && !in[q])
			m->order[m->ordered++] = q;
	for (size_t at = begin; at < m->ordered; at++) {
		uint32_t q = m->order[at];

		left[q] = 0;
		for (size_t i = dfa->run_first[q]; i < dfa->run_first[q + 1]; i++)
			if (--in[dfa->runs[i].to] == 0 && left[dfa->runs[i].to])
				m->order[m->ordered++] = dfa->runs[i].to;
	}
	end = m->ordered;
	for (size_t i = 0; i < (end - begin) / 2; i++) {
		uint32_t other = m->order[begin + i];

		m->order[begin + i] = m->order[end - 1 - i];
		m->order[end - 1 - i] = other;
	}
	return 0;
}

/* The states that are left lie on circles or between them; all that they lead to is core too. */
static int mark_core(struct minimise *m, const uint32_t *left, size_t *ret_count)
{
	const struct bh_dfa *dfa = m->dfa;
	BH_FREE uint32_t *queue = calloc(dfa->states, sizeof(*queue));
	size_t head = 0, tail = 0;

	if (!queue)
		return -ENOMEM;
	for (uint32_t q = 0; q < dfa->states; q++)
		if (left[q])
			m->core[queue[tail++] = q] = true;
	while (head < tail) {
		uint32_t q = queue[head++];

		for (size_t i = dfa->run_first[q]; i < dfa->run_first[q + 1]; i++)
			if (!m->core[dfa->runs[i].to])
				m->core[queue[tail++] = dfa->runs[i].to] = true;
	}
	*ret_count = tail;
	return 0;
}

static int split_dfa(struct minimise *m, size_t *ret_core)
{
	BH_FREE uint32_t *left = calloc(m->dfa->states, sizeof(*left));
	int result = left ? peel_below(m, left) : -ENOMEM;

	if (!result)
		result = peel_above(m, left);
	return result ? result : mark_core(m, left, ret_core);
}

/* The core as a DFA of its own; state i of it is state of[i]. */
static int copy_core(struct minimise *m, struct bh_dfa *core, uint32_t *of, uint32_t *number)
{
	const struct bh_dfa *dfa = m->dfa;
	size_t runs = 0;

	for (uint32_t q = 0; q < dfa->states; q++)
		if (m->core[q]) {
			number[q] = (uint32_t)core->states;
			of[core->states++] = q;
			runs += dfa->run_first[q + 1] - dfa->run_first[q];
		}
	core->run_first = calloc(core->states + 1, sizeof(*core->run_first));
	core->runs = calloc(runs + 1, sizeof(*core->runs));
	core->meaning = calloc(core->states + 1, sizeof(*core->meaning));
	if (!core->run_first || !core->runs || !core->meaning)
		return -ENOMEM;
	for (size_t i = 0; i < core->states; i++) {
		core->meaning[i] = dfa->meaning[of[i]];
		for (size_t k = dfa->run_first[of[i]]; k < dfa->run_first[of[i] + 1]; k++)
			core->runs[core->runs_count++] =
				(struct bh_run){ .to = number[dfa->runs[k].to], .last = dfa->runs[k].last };
		core->run_first[i + 1] = core->runs_count;
	}
	return 0;
}

static int refine_core(struct minimise *m, size_t count)
{
	BH_FREE uint32_t *of = calloc(count, sizeof(*of)), *class_of = calloc(count, sizeof(*class_of));
	BH_FREE uint32_t *number = calloc(m->dfa->states, sizeof(*number));
	struct bh_dfa core = { 0 };
	int result = of && class_of && number ? copy_core(m, &core, of, number) : -ENOMEM;

	if (!result)
		result = bh_dfa_refine(&core, class_of, &m->classes);
	for (size_t i = 0; i < core.states && !result; i++) {
		m->class_of[of[i]] = class_of[i];
		m->sample[class_of[i]] = of[i];
	}
	bh_dfa_done(&core);
	return result;
}

/* The next run of a signature: neighbouring runs into one class are one. */
static uint32_t next_run(const struct minimise *m, size_t *at, uint8_t *last)
{
	const struct bh_run *runs = m->dfa->runs;
	uint32_t class = m->class_of[runs[*at].to];

	while (runs[*at].last < 255 && m->class_of[runs[*at + 1].to] == class)
		(*at)++;
	*last = runs[(*at)++].last;
	return class;
}

static uint64_t hash_signature(const struct minimise *m, uint32_t state)
{
	size_t at = m->dfa->run_first[state];
	uint64_t hash = 0x9e3779b97f4a7c15u ^ m->dfa->meaning[state];
	uint8_t last;

	do {
		uint32_t class = next_run(m, &at, &last);

		hash = (hash ^ ((uint64_t) class << 8 | last)) * 0xff51afd7ed558ccdu;
		hash ^= hash >> 32;
	} while (last < 255);
	return hash;
}

static bool same_signature(const struct minimise *m, uint32_t a, uint32_t b)
{
	size_t at_a = m->dfa->run_first[a], at_b = m->dfa->run_first[b];
	uint8_t last_a, last_b;

	if (m->dfa->meaning[a] != m->dfa->meaning[b])
		return false;
	do {
		if (next_run(m, &at_a, &last_a) != next_run(m, &at_b, &last_b) || last_a != last_b)
			return false;
	} while (last_a < 255);
	return true;
}

/* Where the class of states like this one is noted, or would be. */
static size_t find_slot(const struct minimise *m, uint32_t state)
{
	size_t slot = hash_signature(m, state) & (m->table_size - 1);

	while (m->table[slot] && !same_signature(m, m->sample[m->table[slot] - 1], state))
		slot = (slot + 1) & (m->table_size - 1);
	return slot;
}

static uint32_t new_class(struct minimise *m, uint32_t state)
{
	m->sample[m->classes] = state;
	return m->classes++;
}

/* The classes that refinement made are found by what is looked up later, sinks by their meaning. */
static void note_core(struct minimise *m)
{
	for (uint32_t class = 0; class < m->classes; class ++) {
		uint32_t state = m->sample[class];
		size_t at = m->dfa->run_first[state];
		uint8_t last;

		m->table[find_slot(m, state)] = class + 1;
		if (next_run(m, &at, &last) == class && last == 255)
			m->sink[m->dfa->meaning[state]] = class + 1;
	}
}

static void look_up(struct minimise *m, uint32_t state)
{
	uint32_t *sink = is_sink(m->dfa, state) ? &m->sink[m->dfa->meaning[state]] : NULL;
	size_t slot;

	if (sink && *sink) {
		m->class_of[state] = *sink - 1;
		return;
	}
	if (sink) {
		m->class_of[state] = new_class(m, state);
		*sink = m->class_of[state] + 1;
		m->table[find_slot(m, state)] = *sink;
		return;
	}
	slot = find_slot(m, state);
	if (!m->table[slot])
		m->table[slot] = new_class(m, state) + 1;
	m->class_of[state] = m->table[slot] - 1;
}

static int minimise_alloc(struct minimise *m)
{
	size_t n = m->dfa->states, meanings = 0;

	for (size_t q = 0; q < n; q++)
		if (m->dfa->meaning[q] > meanings)
			meanings = m->dfa->meaning[q];
	for (m->table_size = 1024; m->table_size < 2 * n;)
		m->table_size *= 2;
	m->order = calloc(n + 1, sizeof(*m->order));
	m->core = calloc(n + 1, sizeof(*m->core));
	m->sample = calloc(n + 1, sizeof(*m->sample));
	m->sink = calloc(meanings + 1, sizeof(*m->sink));
	m->table = calloc(m->table_size, sizeof(*m->table));
	return m->order && m->core && m->sample && m->sink && m->table ? 0 : -ENOMEM;
}

int bh_dfa_classes(const struct bh_dfa *dfa, uint32_t *class_of, uint32_t *ret_classes)
{
	struct minimise m = { .dfa = dfa, .class_of = class_of };
	size_t core = 0;
	int result = minimise_alloc(&m);

	if (!result)
		result = split_dfa(&m, &core);
	if (!result && core)
		result = refine_core(&m, core);
	if (!result) {
		note_core(&m);
		for (size_t i = 0; i < m.ordered; i++)
			if (!m.core[m.order[i]])
				look_up(&m, m.order[i]);
		*ret_classes = m.classes;
	}
	free(m.order);
	free(m.core);
	free(m.sample);
	free(m.sink);
	free(m.table);
	return result;
}
