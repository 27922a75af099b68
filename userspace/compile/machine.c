/* SPDX-License-Identifier: GPL-2.0-only */
/* The minimal machine, with numbers that depend on the language alone. */
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

struct walk {
	const struct bh_dfa *dfa;
	const uint32_t *class_of;
	uint32_t *number; /* by class: machine state + 1; 0: not seen */
	uint32_t *sample; /* by machine state: a DFA state of its class */
	struct bh_machine *machine;
	size_t runs;
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

int bh_machine_build(const struct bh_dfa *dfa, struct bh_machine *ret_machine)
{
	BH_FREE uint32_t *class_of = calloc(dfa->states, sizeof(*class_of));
	BH_FREE uint32_t *number = calloc(dfa->states, sizeof(*number));
	BH_FREE uint32_t *sample = calloc(dfa->states, sizeof(*sample));
	struct walk walk = { dfa, class_of, number, sample, ret_machine, 0 };
	uint32_t classes;
	int result;

	memset(ret_machine, 0, sizeof(*ret_machine));
	if (!class_of || !number || !sample)
		return -ENOMEM;
	result = bh_dfa_refine(dfa, class_of, &classes);
	if (result)
		return result;
	ret_machine->run_first = calloc((size_t)classes + 1, sizeof(*ret_machine->run_first));
	ret_machine->meaning = calloc(classes, sizeof(*ret_machine->meaning));
	ret_machine->runs = calloc(dfa->runs_count, sizeof(*ret_machine->runs));
	if (!ret_machine->run_first || !ret_machine->meaning || !ret_machine->runs)
		return -ENOMEM;
	number_of(&walk, 0);
	ret_machine->start = number_of(&walk, 1);
	for (uint32_t at = 0; at < ret_machine->states; at++)
		add_moves(&walk, at);
	ret_machine->run_first[ret_machine->states] = walk.runs;
	return 0;
}
