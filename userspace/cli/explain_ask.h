/* SPDX-License-Identifier: GPL-2.0-only */
/* One question to a policy on the command line. */
#ifndef BH_CLI_EXPLAIN_ASK_H
#define BH_CLI_EXPLAIN_ASK_H

#include <jansson.h>

#include "cli/command.h"
#include "verify/judge.h"

/* Zeroed to begin; bh_ask_done lets go of it. */
struct bh_ask {
	/* the command line */
	const char *policy_path, *tool, *object;
	enum bh_action action; /* 0: nothing was asked */
	const char *who; /* of --who-can */
	struct bh_buf env; /* variables of --env, as a block */
	bool json, english;
	/* in use */
	struct bh_opened opened;
	struct bh_floor_net *floor;
	struct bh_engine engine;
	struct bh_judge judge;
	struct bh_query query;
};

/* Opens the policy and makes it ready for questions. Returns an exit code. */
int bh_ask_open(struct bh_ask *ask);
void bh_ask_done(struct bh_ask *ask);

/* explain_ask.c: one tool is asked; explain_who.c: every tool. Both return an exit code. */
int bh_ask_answer(struct bh_ask *ask);
int bh_ask_who(struct bh_ask *ask);

/* "  policy.yaml:3:5", or the preset or guard; nothing for a compiled policy. */
void bh_ask_print_place(const struct bh_ask *ask, const struct bh_rule *rule);
void bh_ask_json_rule(json_t *object, const struct bh_rule *rule);

#endif
