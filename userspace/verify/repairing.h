/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of a repair share. */
#ifndef BH_VERIFY_REPAIRING_H
#define BH_VERIFY_REPAIRING_H

#include "verify/repair.h"

/* ---- repair_atoms.c: lists of atoms ---- */

/* Adds copies of one or two edits, unless they are there; running out of memory is remembered in error. */
void bh_atoms_add(struct bh_atoms *atoms, unsigned int cost, const struct bh_edit *edit, const struct bh_edit *with);
void bh_atoms_sort(struct bh_atoms *atoms);
/* The index of the atom of that text in a sorted list; count: it is not there. */
size_t bh_atoms_find(const struct bh_atoms *atoms, const char *text);

/* ---- repair_allow.c, repair_deny.c: what might change an answer ---- */

/* A version of the policy: what the atoms are made for. */
struct bh_version {
	const struct bh_source_policy *source;
	const struct bh_compiled *compiled; /* rules at least */
};

/* What would grant the query. reason: why it was denied. to: the tool that a program must become; 0: any. */
void bh_atoms_allow(const struct bh_version *version, const struct bh_query *query, const struct bh_reply *reply,
		    unsigned int to, struct bh_atoms *atoms);
/* What would take away that the query is allowed. */
void bh_atoms_deny(const struct bh_version *version, const struct bh_query *query, struct bh_atoms *atoms);
/* What might help against the failure. */
void bh_atoms_for(const struct bh_version *version, const struct bh_failure *failure, struct bh_atoms *atoms);

/*
 * repair_args.c: words that the clauses of the program's tools lack for this command line; or those that let it pass. to NULL:
 * of any tool. edge: only of tools that the asking one may run already.
 */
void bh_atoms_arguments(const struct bh_version *version, const struct bh_query *query, const char *to, bool edge,
			struct bh_atoms *atoms);
void bh_atoms_arguments_deny(const struct bh_version *version, const struct bh_query *query, struct bh_atoms *atoms);

bool bh_tool_has_binary(const struct bh_tool *tool, const char *path);
const struct bh_tool *bh_version_tool(const struct bh_version *version, const char *name);
const struct bh_destination *bh_version_destination(const struct bh_version *version, const char *name);

/* ---- repair_try.c: one version after the other ---- */

/* One thing that must hold: a scenario asked by one tool, or a compulsory question. */
struct bh_want {
	const struct bh_scenario *scenario; /* NULL: the check */
	unsigned int tool;
	const struct bh_check *check;
};

struct bh_wants {
	struct bh_want *items;
	size_t count, capacity;
};

/* A set of atoms of one proposal. */
struct bh_node_set {
	uint16_t atoms[BH_REPAIR_EDITS_DEEP]; /* ascending */
	uint8_t count, edits;
	unsigned int cost;
};

struct bh_search {
	const struct bh_repair_task *task;
	struct bh_repair *repair;
	struct bh_wants wants; /* those that fail now come first */
	size_t failing; /* how many those are */
	uint16_t base[BH_REPAIR_ATOMS]; /* atoms that every candidate has */
	size_t base_count;
	bool whole; /* compulsory questions and the boundary of a solution are asked too */
	size_t budget; /* candidates left */
	struct bh_err *err;
	/* of a failing candidate */
	struct bh_failure failure; /* the first that is not as expected; valid when `failed` */
	bool failed;
};

enum bh_outcome {
	BH_OUTCOME_SOLVED = 1,
	BH_OUTCOME_FAILS, /* search->failure says what */
	BH_OUTCOME_BLOCKED, /* the compiler has something against it */
	BH_OUTCOME_POINTLESS, /* one of its atoms changes nothing */
};

/* A candidate under examination. */
struct bh_candidate {
	struct bh_source_policy *source;
	struct bh_compiled *outline; /* NULL: not even that can be made of it */
	struct bh_compiled *compiled; /* of a solution */
};

/* Builds the version and asks it. Returns 0 and an outcome; negative errno with err. */
int bh_candidate_try(struct bh_search *search, const uint16_t *atoms, size_t count, struct bh_candidate *candidate,
		     enum bh_outcome *ret_outcome);
void bh_candidate_done(struct bh_candidate *candidate);

/* Asks a version one want. Returns 0, sets *ret_pass and, when false, *ret_failure. */
int bh_want_ask(const struct bh_search *search, const struct bh_compiled *compiled, const struct bh_want *want,
		struct bh_failure *ret_failure, bool *ret_pass);

/* Calls `add` for the index of each atom of the repair that might help against the failure of a candidate. */
int bh_candidate_helpers(struct bh_search *search, const struct bh_candidate *candidate, enum bh_outcome outcome,
			 bool *ret_helps /* by atom */);

/* ---- repair_search.c, repair_greedy.c, repair_clash.c ---- */

/* All sets of up to `edits` edits, by size; fills the repair's proposals from the first size that has any. */
int bh_search_levels(struct bh_search *search, unsigned int edits);
/* Lets go of all proposals. */
void bh_proposals_forget(struct bh_repair *repair);
int bh_search_greedy(struct bh_search *search);
/* Says why there is no proposal. */
int bh_search_explain(struct bh_search *search, unsigned int edits);
/* Do two scenarios ask opposite things of the same question? Then the repair says so. */
bool bh_repair_opposites(const struct bh_repair_task *task, struct bh_repair *repair);

#endif
