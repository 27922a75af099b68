/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The fewest edits after which a policy does what its scenarios expect (policy.md 9.4). Nothing is changed here: these are
 * proposals for a person. Never among them: lifting guards, touching floors, removing prohibitions, wildcards but D and all
 * beneath it, `any`, runs_code, wider networks.
 */
#ifndef BH_VERIFY_REPAIR_H
#define BH_VERIFY_REPAIR_H

#include "policy/edit.h"
#include "verify/verify.h"

#define BH_PROPOSALS_MAX 3u
#define BH_REPAIR_EDITS 3u /* looked for exhaustively */
#define BH_REPAIR_EDITS_DEEP 4u
#define BH_REPAIR_CANDIDATES 20000u /* tried at most; then a greedy search goes on */
#define BH_REPAIR_ATOMS 64u /* of one proposal; only a greedy one has more than BH_REPAIR_EDITS_DEEP */

/* What is done together or not at all. */
struct bh_atom {
	struct bh_edit edits[2]; /* their strings are owned by the atom */
	size_t edits_count;
	unsigned int cost;
	char *text; /* in words: what it is known and sorted by */
};

struct bh_atoms {
	struct bh_atom *items; /* sorted, each once, when bh_atoms_sort has been called */
	size_t count, capacity;
	int error; /* -ENOMEM once memory ran out */
};

struct bh_proposal {
	uint16_t atoms[BH_REPAIR_ATOMS]; /* of the repair, ascending */
	size_t count;
	unsigned int edits, cost;
	struct bh_source_policy *source; /* the policy with the edits; what was added has no place in a text */
	struct bh_compiled *compiled;
};

enum bh_repair_end {
	BH_REPAIR_FOUND = 1,
	BH_REPAIR_GREEDY, /* found, but there may be one with fewer edits */
	BH_REPAIR_OPPOSITES, /* `first` and `second` ask opposite things of the same question */
	BH_REPAIR_CLASH, /* each can be met alone, not both */
	BH_REPAIR_UNFIXABLE, /* no edit makes any of these pass */
	BH_REPAIR_NONE, /* nothing was found, and no reason that is simpler */
};

struct bh_repair {
	struct bh_atoms atoms;
	struct bh_proposal proposals[BH_PROPOSALS_MAX]; /* cheapest first */
	size_t count;
	enum bh_repair_end end;
	size_t candidates; /* how many versions of the policy were tried */
	const struct bh_scenario *first, *second; /* of BH_REPAIR_OPPOSITES and BH_REPAIR_CLASH */
	struct bh_failure *unfixable; /* as they fail now */
	size_t unfixable_count, unfixable_capacity;
};

/* All borrowed. */
struct bh_repair_task {
	const struct bh_source_policy *source;
	const struct bh_exam *exam; /* of the policy as it is */
	const struct bh_diags *diags; /* what its compiler found */
	const struct bh_scenario_set *scenarios;
	const struct bh_checks *compulsory; /* of the policy as it is */
	bool deep;
};

/* Fills a zeroed *repair, which points into the task. Returns 0; negative errno with err. */
int bh_repair_make(const struct bh_repair_task *task, struct bh_repair *repair, struct bh_err *err);
void bh_repair_done(struct bh_repair *repair);

void bh_atoms_done(struct bh_atoms *atoms);

/*
 * Each edit that alone makes a denied question allowed, cheapest first. *ret_more: there is none, but several together might.
 * Returns 0; negative errno with err.
 */
int bh_repair_hints(const struct bh_source_policy *source, const struct bh_exam *exam, const struct bh_query *query,
		    const struct bh_reply *reply, struct bh_atoms *ret_atoms, bool *ret_more, struct bh_err *err);

/* A policy's text with the edits of a proposal in it, read and compiled again. Zero it to begin. */
struct bh_rewritten {
	struct bh_buf text;
	struct bh_diags *diags; /* about the text, under the name of the file */
	struct bh_source_policy *source;
	struct bh_compiled *compiled;
};

/*
 * Edits the text in place. The result must mean exactly what the proposal does, by its hash, or it is refused. name: of the
 * file. Returns 0; -EINVAL with err; -ENOMEM with err.
 */
int bh_proposal_write(const struct bh_repair *repair, const struct bh_proposal *proposal,
		      const struct bh_shipped *shipped, const char *name, const char *text, size_t length,
		      struct bh_rewritten *ret_written, struct bh_err *err);
void bh_rewritten_done(struct bh_rewritten *written);

#endif
