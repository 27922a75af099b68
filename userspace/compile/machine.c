/* SPDX-License-Identifier: GPL-2.0-only */
/* The minimal machine, its states numbered for the layout. */
#include "compile/automaton.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

void bh_machine_done(struct bh_machine *machine)
{
	free(machine->run_first);
	free(machine->runs);
	free(machine->meaning);
	memset(machine, 0, sizeof(*machine));
}

/* States numbered in breadth: the first bytes of all paths. */
#define BROAD_STATES 2048u
#define COMMON UINT32_MAX

/*
 * The order of the states: first those numbered in breadth, where every path begins; then what several of the subtrees
 * below lead to, the ends of names above all, each behind what it leads to; then each subtree's own. A path thus goes from
 * the beginning to a subtree and on to the ends, which are far apart only twice.
 */
struct walk {
	const struct bh_dfa *dfa;
	const uint32_t *class_of;
	uint32_t *number; /* by class: machine state + 1; 0: not seen */
	uint32_t *owner; /* by class: the subtree that leads to it, from 1; COMMON: several do */
	uint32_t *one_of; /* by class: a DFA state */
	uint32_t *sample; /* by machine state: a DFA state of its class */
	struct bh_machine *machine;
	size_t runs;
	uint32_t *stack; /* DFA states on the way down */
	size_t *at; /* by place on the stack: the next run to follow */
	uint32_t *spare; /* a second stack */
};

static uint32_t number_of(struct walk *w, uint32_t state)
{
	uint32_t class = w->class_of[state];

	if (!w->number[class]) {
		w->sample[w->machine->states++] = state;
		w->number[class] = w->machine->states;
	}
	return w->number[class] - 1;
}

static bool is_numbered(const struct walk *w, uint32_t state)
{
	return w->number[w->class_of[state]] != 0;
}

/* Numbers what state `from` leads to, the whole of one subtree before the next. */
static void number_below(struct walk *w, uint32_t from)
{
	const struct bh_dfa *dfa = w->dfa;
	size_t depth = 1;

	w->stack[0] = from;
	w->at[0] = dfa->run_first[from];
	while (depth) {
		uint32_t state = w->stack[depth - 1], to;

		if (w->at[depth - 1] == dfa->run_first[state + 1]) {
			depth--;
			continue;
		}
		to = dfa->runs[w->at[depth - 1]++].to;
		if (is_numbered(w, to))
			continue;
		number_of(w, to);
		w->stack[depth] = to;
		w->at[depth++] = dfa->run_first[to];
	}
}

/* What several subtrees lead to, with all that it leads to. */
static void mark_common(struct walk *w, uint32_t state)
{
	size_t depth = 0;

	w->spare[depth++] = state;
	w->owner[w->class_of[state]] = COMMON;
	while (depth) {
		state = w->spare[--depth];
		for (size_t i = w->dfa->run_first[state]; i < w->dfa->run_first[state + 1]; i++) {
			uint32_t to = w->dfa->runs[i].to, *owner = &w->owner[w->class_of[to]];

			if (is_numbered(w, to) || *owner == COMMON)
				continue;
			*owner = COMMON;
			w->spare[depth++] = to;
		}
	}
}

/* Notes what the subtree below `from` leads to. */
static void claim_below(struct walk *w, uint32_t from, uint32_t subtree)
{
	size_t depth = 0;

	w->stack[depth++] = from;
	while (depth) {
		uint32_t state = w->stack[--depth];

		for (size_t i = w->dfa->run_first[state]; i < w->dfa->run_first[state + 1]; i++) {
			uint32_t to = w->dfa->runs[i].to, *owner = &w->owner[w->class_of[to]];

			if (is_numbered(w, to) || *owner == COMMON || *owner == subtree)
				continue;
			if (*owner) {
				mark_common(w, to);
				continue;
			}
			*owner = subtree;
			w->stack[depth++] = to;
		}
	}
}

/* Numbers every state. */
static void number_all(struct walk *w, uint32_t classes)
{
	struct bh_machine *m = w->machine;
	uint32_t at = 0, broad;

	number_of(w, 0);
	m->start = number_of(w, 1);
	for (; at < m->states && m->states < BROAD_STATES; at++)
		for (size_t i = w->dfa->run_first[w->sample[at]]; i < w->dfa->run_first[w->sample[at] + 1]; i++)
			number_of(w, w->dfa->runs[i].to);
	broad = m->states;
	for (uint32_t i = at; i < broad; i++)
		claim_below(w, w->sample[i], i + 1);
	/* classes are numbered from below, see minimise.c */
	for (uint32_t class = 0; class < classes; class ++)
		if (w->owner[class] == COMMON)
			number_of(w, w->one_of[class]);
	for (; at < broad; at++)
		number_below(w, w->sample[at]);
}

static void add_moves(struct walk *w, uint32_t at)
{
	struct bh_machine *m = w->machine;
	uint32_t state = w->sample[at];

	m->run_first[at] = w->runs;
	m->meaning[at] = w->dfa->meaning[state];
	for (size_t i = w->dfa->run_first[state]; i < w->dfa->run_first[state + 1]; i++) {
		struct bh_run run = { .to = number_of(w, w->dfa->runs[i].to), .last = w->dfa->runs[i].last };

		if (w->runs > m->run_first[at] && m->runs[w->runs - 1].to == run.to)
			m->runs[w->runs - 1].last = run.last;
		else
			m->runs[w->runs++] = run;
	}
}

static int build_machine(struct walk *w, uint32_t classes)
{
	struct bh_machine *m = w->machine;

	m->run_first = calloc((size_t)classes + 1, sizeof(*m->run_first));
	m->meaning = calloc(classes, sizeof(*m->meaning));
	m->runs = calloc(w->dfa->runs_count, sizeof(*m->runs));
	if (!m->run_first || !m->meaning || !m->runs)
		return -ENOMEM;
	for (uint32_t q = (uint32_t)w->dfa->states; q-- > 0;)
		w->one_of[w->class_of[q]] = q;
	number_all(w, classes);
	for (uint32_t at = 0; at < m->states; at++)
		add_moves(w, at);
	m->run_first[m->states] = w->runs;
	return 0;
}

int bh_machine_build(const struct bh_dfa *dfa, struct bh_machine *ret_machine)
{
	size_t n = dfa->states;
	BH_FREE uint32_t *class_of = calloc(n, sizeof(*class_of));
	struct walk walk = { .dfa = dfa, .class_of = class_of, .machine = ret_machine };
	uint32_t classes;
	int result = class_of ? bh_dfa_classes(dfa, class_of, &classes) : -ENOMEM;

	memset(ret_machine, 0, sizeof(*ret_machine));
	if (result)
		return result;
	walk.number = calloc(classes, sizeof(*walk.number));
	walk.owner = calloc(classes, sizeof(*walk.owner));
	walk.one_of = calloc(classes, sizeof(*walk.one_of));
	walk.sample = calloc(classes, sizeof(*walk.sample));
	walk.stack = calloc((size_t)classes + 1, sizeof(*walk.stack));
	walk.at = calloc((size_t)classes + 1, sizeof(*walk.at));
	walk.spare = calloc((size_t)classes + 1, sizeof(*walk.spare));
	if (walk.number && walk.owner && walk.one_of && walk.sample && walk.stack && walk.at && walk.spare)
		result = build_machine(&walk, classes);
	else
		result = -ENOMEM;
	free(walk.number);
	free(walk.owner);
	free(walk.one_of);
	free(walk.sample);
	free(walk.stack);
	free(walk.at);
	free(walk.spare);
	return result;
}
