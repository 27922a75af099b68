/* SPDX-License-Identifier: GPL-2.0-only */
/* One `bulkhead verify`: what was asked for, and what it needs until it has printed. */
#ifndef BH_CLI_VERIFICATION_H
#define BH_CLI_VERIFICATION_H

#include <jansson.h>

#include "base/hash.h"
#include "cli/command.h"
#include "kernel/core.h"
#include "verify/repair.h"
#include "verify/verify.h"

enum bh_engine_choice {
	BH_ENGINE_DEFAULT = 0, /* all where the kernel can be asked, else host */
	BH_ENGINE_HOST = 1,
	BH_ENGINE_BPF = 2,
	BH_ENGINE_ALL = BH_ENGINE_HOST | BH_ENGINE_BPF,
};

#define BH_VERIFY_SLOT 1u /* where the kernel finds the policy */

/* Zeroed to begin. */
struct bh_verification {
	/* the command line */
	const char *policy_path;
	char **scenario_paths;
	size_t scenarios_count;
	enum bh_engine_choice choice;
	const char *boundary_path, *folder;
	bool uncovered, json, repair, deep;
	unsigned int apply; /* the number of a proposal; 0: none */
	const char *by; /* who applies it */
	/* in use */
	struct bh_opened opened;
	struct bh_floor_net *floor;
	struct bh_core *core; /* NULL: the kernel is not asked */
	struct bh_engine engines[2];
	struct bh_judge judge;
	struct bh_scenario_set scenarios;
	struct bh_buf scenario_bytes; /* of all files, one after the other: what the lock names */
	struct bh_checks compulsory, boundary;
	struct bh_report report;
	struct bh_repair found; /* with `repair` */
	char applied_from[BH_HASH_TEXT]; /* the hash of the policy that a proposal was applied to; empty: none was */
	char locked[BH_HASH_TEXT]; /* hash of the scenarios in the lock; empty: none was written */
};

/* Prints failures, the summary and what was asked for, as text or JSON. */
void bh_verification_print(const struct bh_verification *verification);

/* Asks everything. Returns 0; negative errno with err. */
int bh_verification_ask(struct bh_verification *verification, struct bh_err *err);

/* Writes what belongs to a policy that passed: artifacts with -o, and the lock. approval: to be added to it; may be NULL. */
int bh_verification_keep(struct bh_verification *verification, const struct bh_proposal *approval, struct bh_err *err);

/* verify_repair.c: looks for proposals; prints them as text; as an object. */
int bh_repair_find(struct bh_verification *verification, struct bh_err *err);
void bh_repair_print(const struct bh_verification *verification);
json_t *bh_repair_json(const struct bh_verification *verification);
/* The edits of a proposal as lines of text. */
json_t *bh_proposal_edits_json(const struct bh_repair *repair, const struct bh_proposal *proposal);

/*
 * verify_apply.c: is applying refused, whatever the proposals? Then a usage error has been said and its code is returned.
 * bh_proposal_apply changes the policy's file, after all of it passed once more. Returns an exit code.
 */
int bh_apply_check(const struct bh_verification *verification);
int bh_proposal_apply(struct bh_verification *verification);

/* "host+bpf+definition" */
#define BH_ENGINES_TEXT 32u
void bh_verification_engines(const struct bh_verification *verification, char ret_text[BH_ENGINES_TEXT]);

#endif
