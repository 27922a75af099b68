/* SPDX-License-Identifier: GPL-2.0-only */
/* What the readers of a scenario file share. */
#ifndef BH_VERIFY_READING_H
#define BH_VERIFY_READING_H

#include "policy/schema.h"
#include "policy/suggest.h"
#include "verify/scenario.h"

#define BH_KIND_ANY 0 /* of a key's value: the reader looks itself */

struct bh_reading {
	struct bh_reader reader; /* diags, and whether memory ran out */
	const struct bh_compiled *compiled;
	struct bh_scenario_set *set;
};

/* A scenario or step under construction. */
struct bh_scenario_draft {
	struct bh_scenario *scenario;
	struct bh_step *step; /* where a question goes */
	const struct bh_node *question; /* the key that asked first */
	const struct bh_node *expect, *reason, *to; /* where they were given */
	const struct bh_node *of_run, *protocol, *answers; /* keys that say more about a question */
	bool misread; /* it has a key that could not be read, which may have been the question */
};

struct bh_scenario_key {
	const char *name;
	int kind; /* enum bh_node_kind, or BH_KIND_ANY */
	unsigned int flags; /* BH_KEY_* */
	void (*read)(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft);
};

/* As bh_fields_read, for a table of its own. */
void bh_reading_fields(struct bh_reading *reading, const struct bh_scenario_key *keys, size_t count, const char *label,
		       const struct bh_node *owner, const struct bh_node *map, struct bh_scenario_draft *draft);

/* The keys of a step, all of which are keys of a scenario too. */
extern const struct bh_scenario_key bh_question_keys[];
extern const size_t bh_question_keys_count;

/* question_peer.c: sockets and privileges. */
void bh_question_connect(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft);
void bh_question_protocol(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft);
void bh_question_answers(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft);
void bh_question_dns(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft);
void bh_question_unix(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft);
void bh_question_listen(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft);
void bh_question_privilege(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft);
void bh_question_capability(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft);

/* Notes that this key asks; false, after a finding: another one did before. */
bool bh_question_begin(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft,
		       enum bh_action action);
/* A copy of a path that is one, else NULL after a finding. */
char *bh_question_path(struct bh_reading *reading, const struct bh_node *node);
/* What single keys of a question cannot know. */
void bh_question_check(struct bh_reading *reading, const struct bh_scenario_draft *draft);

/* The number of a reason's public code; 0: none of that name. */
uint16_t bh_reason_number(const char *code, struct bh_suggestion *suggestion);

#endif
