/* SPDX-License-Identifier: GPL-2.0-only */
/* One `bulkhead verify`: what was asked for, and what it needs until it has printed. */
#ifndef BH_CLI_VERIFICATION_H
#define BH_CLI_VERIFICATION_H

#include "cli/command.h"
#include "kernel/core.h"
#include "verify/verify.h"

enum bh_engine_choice {
	BH_ENGINE_DEFAULT = 0, /* all where the kernel can be asked, else host */
	BH_ENGINE_HOST = 1,
	BH_ENGINE_BPF = 2,
	BH_ENGINE_ALL = BH_ENGINE_HOST | BH_ENGINE_BPF,
};

/* Zeroed to begin. */
struct bh_verification {
	/* the command line */
	const char *policy_path;
	char **scenario_paths;
	size_t scenarios_count;
	enum bh_engine_choice choice;
	const char *boundary_path, *folder;
	bool uncovered, json;
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
	char locked[BH_HASH_TEXT]; /* hash of the scenarios in the lock; empty: none was written */
};

/* Prints failures, the summary and what was asked for, as text or JSON. */
void bh_verification_print(const struct bh_verification *verification);

/* "host+bpf+definition" */
#define BH_ENGINES_TEXT 32u
void bh_verification_engines(const struct bh_verification *verification, char ret_text[BH_ENGINES_TEXT]);

#endif
