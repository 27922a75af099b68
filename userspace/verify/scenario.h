/* SPDX-License-Identifier: GPL-2.0-only */
/* Scenarios: what a person expects of a policy, as a file (policy.md 9.1). */
#ifndef BH_VERIFY_SCENARIO_H
#define BH_VERIFY_SCENARIO_H

#include "base/diag.h"
#include "verify/query.h"

#define BH_SCENARIOS_MAX (8u * 1024u * 1024u) /* bytes of a file: a written boundary is long */
#define BH_SCENARIOS_LIMIT 65536u /* in all files together */
#define BH_STORY_LIMIT 32u /* steps */

/* One question of a scenario. The tool is the scenario's or, in a story, the one that the step before ended in. */
struct bh_step {
	struct bh_query query; /* its strings are owned by the step */
	struct bh_loc loc; /* of the key that asks */
};

struct bh_scenario {
	char *id;
	struct bh_loc loc; /* of the id */
	size_t file; /* the number of the parse that read it */
	bool every_tool;
	unsigned int tool; /* else this one */
	struct bh_step *steps; /* all but the last must be allowed: they are the way there */
	size_t steps_count;
	bool allow; /* what is expected of the last */
	uint16_t reason; /* of a denial; 0: any */
	unsigned int to; /* the tool that it leads to; 0: any */
	char *because; /* may be NULL */
};

/* Zero it to begin. */
struct bh_scenario_set {
	struct bh_scenario *items;
	size_t count, capacity;
	size_t files;
};

void bh_scenario_set_done(struct bh_scenario_set *set);

/*
 * Adds the scenarios of one file. compiled: the policy they are about, for the names of tools. Findings go to diags.
 * Returns 0; -EINVAL when there are errors; -ENOMEM.
 */
int bh_scenarios_parse(const char *text, size_t length, const struct bh_compiled *compiled, struct bh_diags *diags,
		       struct bh_scenario_set *set);

#endif
