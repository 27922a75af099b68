/* SPDX-License-Identifier: GPL-2.0-only */
/* The path automaton of one policy before it is laid into cells: patterns, and what each of them says. */
#ifndef BH_COMPILE_PATHS_H
#define BH_COMPILE_PATHS_H

#include "compile/choices.h"
#include "compile/compiled.h"

/* One statement about one pattern. Exactly one of rule and floor is set. */
struct bh_path_mark {
	uint32_t pattern;
	const struct bh_rule *rule;
	uint32_t rule_number; /* index + 1 */
	const struct bh_prohibition *floor;
	uint8_t access; /* BH_ACCESS_*, BH_PATH_* */
	uint8_t from; /* exec, allow */
	uint32_t tools; /* else, but for a floor: for whom */
};

/* Of unix rules, beside the bits of BH_ACCESS_*. */
#define BH_PATH_CONNECT 64u
#define BH_PATH_LISTEN 128u

/* Does it let a tool execute something? */
static inline bool bh_path_mark_is_edge(const struct bh_path_mark *mark)
{
	return mark->access == BH_ACCESS_EXEC && mark->rule->then == BH_THEN_ALLOW;
}

struct bh_paths {
	struct bh_nfa nfa;
	struct bh_dfa dfa;
	struct bh_path_mark *marks; /* sorted by pattern, then rule number */
	size_t count, capacity;
	size_t *first; /* marks of pattern p: first[p] .. first[p + 1] */
	uint8_t *below; /* by NFA state: BH_BELOW_* */
	bool *pins; /* by NFA state: a directory of this name keeps it */
	const struct bh_alias **aliases; /* by what is listed */
	size_t aliases_count;
	struct bh_accept *accepts; /* by meaning; [0] is nothing */
	size_t accepts_count, accepts_capacity;
	uint32_t *table; /* meaning by hash; 0: free */
	size_t table_size;
	struct bh_edge_row *edges; /* [0] is unused */
	size_t edges_count, edges_capacity;
	struct bh_choice_rules *choices; /* edges with BH_NEXT_CHOICE: index into these */
	size_t choices_count, choices_capacity;
};

int bh_paths_init(struct bh_paths *paths);
void bh_paths_done(struct bh_paths *paths);

/* Patterns and marks from the rules, the floors and the aliases. 0 or -ENOMEM. */
int bh_paths_collect(struct bh_compile *c, struct bh_paths *paths);

/* By NFA state, what its pattern or one that goes on from it leads to. */
#define BH_BELOW_PROGRAM 1u /* something executable */
#define BH_BELOW_WALL 2u /* a name that a floor or a never rule forbids */

/* Fills below and pins. 0 or -ENOMEM. */
int bh_paths_look_below(struct bh_paths *paths);

/* BH_BELOW_* of all that state q reaches, its own end included. */
uint8_t bh_paths_below(const struct bh_paths *paths, size_t q);

/* Whether a path that ends in state q keeps its name as a directory, because of what lies beneath it. */
bool bh_paths_pins(const struct bh_paths *paths, size_t q);

/* Fills dfa.meaning, accepts, edges and choices. 0, -EINVAL, -ENOMEM. */
int bh_paths_mean(struct bh_compile *c, struct bh_paths *paths);

/* E132 and E210 over the DFA. 0 or -ENOMEM. */
int bh_paths_lint(struct bh_compile *c, struct bh_paths *paths);

/* W211 over the DFA. 0 or -ENOMEM. */
int bh_paths_lint_covered(struct bh_compile *c, struct bh_paths *paths);

/* E204, naming the patterns that cost most. Returns -EINVAL, or -ENOMEM. */
int bh_paths_too_large(struct bh_compile *c, struct bh_paths *paths);

/* Every mark that state q accepts, in order: a for-loop head; i and k are size_t. */
#define BH_FOR_EACH_MARK(paths, q, i, k, mark)                                                                         \
	for (i = (paths)->dfa.set_first[q]; i < (paths)->dfa.set_first[(q) + 1]; i++)                                  \
		if ((paths)->nfa.states[(paths)->dfa.set[i]].pattern)                                                  \
			for (k = (paths)->first[(paths)->nfa.states[(paths)->dfa.set[i]].pattern - 1];                 \
			     k < (paths)->first[(paths)->nfa.states[(paths)->dfa.set[i]].pattern] &&                   \
			     ((mark) = &(paths)->marks[k], true);                                                      \
			     k++)

#endif
