/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What lies beneath a directory. Any way through the trie of patterns can be walked to its end by some name, so what a
 * state leads to is what ends at it or further out: it is noted from each end back to the root.
 */
#include "compile/paths.h"

#include <errno.h>
#include <stdlib.h>

static uint8_t kind_of(const struct bh_path_mark *mark)
{
	if (mark->floor || mark->rule->then == BH_THEN_NEVER)
		return BH_BELOW_WALL;
	return mark->access == BH_ACCESS_EXEC ? BH_BELOW_PROGRAM : 0;
}

static bool is_slash(const struct bh_nfa_state *state)
{
	return state->token == BH_TOKEN_RANGE && state->low == '/' && state->high == '/';
}

/* Is the component that ends here one that the pattern names, and not any name at any depth? */
static bool is_named(const struct bh_nfa *nfa, uint32_t at)
{
	bool letters = false, within = true;

	for (; at; at = nfa->states[at].parent) {
		const struct bh_nfa_state *state = &nfa->states[at];

		if (state->token == BH_TOKEN_DEEP)
			return letters;
		within = within && !is_slash(state);
		letters = letters || (within && state->token == BH_TOKEN_RANGE);
	}
	return true;
}

/* Does state `at` go on over a '/' to something forbidden or executable? */
static bool pins(const struct bh_paths *paths, uint32_t at)
{
	const struct bh_nfa *nfa = &paths->nfa;

	if (nfa->states[at].token == BH_TOKEN_TAIL)
		return paths->below[at] != 0;
	for (uint32_t child = nfa->states[at].children; child; child = nfa->states[child].sibling)
		if (paths->below[child] && is_slash(&nfa->states[child]))
			return is_named(nfa, at);
	return false;
}

int bh_paths_look_below(struct bh_paths *paths)
{
	const struct bh_nfa *nfa = &paths->nfa;

	paths->below = calloc(nfa->count, sizeof(*paths->below));
	paths->pins = calloc(nfa->count, sizeof(*paths->pins));
	if (!paths->below || !paths->pins)
		return -ENOMEM;
	for (size_t i = 0; i < paths->count; i++) {
		uint8_t kind = kind_of(&paths->marks[i]);
		uint32_t at = nfa->ends[paths->marks[i].pattern];

		for (; at && (paths->below[at] & kind) != kind; at = nfa->states[at].parent) {
			paths->below[at] |= kind;
			if (nfa->states[at].token == BH_TOKEN_DEEP)
				paths->below[at + 1] |= kind;
		}
	}
	for (uint32_t at = 1; at < nfa->count; at++)
		paths->pins[at] = pins(paths, at);
	return 0;
}

uint8_t bh_paths_below(const struct bh_paths *paths, size_t q)
{
	uint8_t below = 0;

	for (size_t i = paths->dfa.set_first[q]; i < paths->dfa.set_first[q + 1]; i++)
		below |= paths->below[paths->dfa.set[i]];
	return below;
}

/*
 * A directory above a forbidden name, or above a program, must not be moved away: beneath another name its files would be
 * open, and in its place others could be put. In a pattern with `**` in the middle the directories that stand for the `**`,
 * and a component of nothing but wildcards behind it, are not counted: that would pin every directory. This leaves open:
 * with A, two stars, x forbidden, a directory beneath A that holds an x may be moved. To anywhere beneath A the pattern
 * follows it; out of A, to where the same tool may write too, its x is free. Who forbids so must not grant that.
 */
bool bh_paths_pins(const struct bh_paths *paths, size_t q)
{
	for (size_t i = paths->dfa.set_first[q]; i < paths->dfa.set_first[q + 1]; i++)
		if (paths->pins[paths->dfa.set[i]])
			return true;
	return false;
}
