/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of the printer, in the order in which they write. */
#ifndef BH_POLICY_ENGLISH_PRINT_H
#define BH_POLICY_ENGLISH_PRINT_H

#include "policy/amount.h"
#include "policy/english_say.h"
#include "policy/model.h"

struct bh_english_print {
	struct bh_english_say say;
	const struct bh_source_policy *policy;
};

/* english_print_sandbox.c: who the policy is for; what a sandbox may use, and what happens beyond */
void bh_english_print_select(struct bh_english_print *print);
void bh_english_print_resources(struct bh_english_print *print);

/* english_print_tool.c: one tool, without the line before it */
void bh_english_print_tool(struct bh_english_print *print, const struct bh_tool *tool);

/* english_print_net.c: what a tool reaches; destinations that stand for themselves; who resolves names */
void bh_english_print_reach(struct bh_english_print *print, const struct bh_tool *tool);
void bh_english_print_destinations(struct bh_english_print *print);
void bh_english_print_dns(struct bh_english_print *print);

/* english_print.c: what the others share */

/* A list of names or words as one sentence; nothing when it is empty. */
void bh_english_print_words(struct bh_english_print *print, enum bh_english_sentence sentence,
			    const struct bh_words *words);

/* Must lists keep their order? An accepted warning may name a place in one of them. */
bool bh_english_print_is_ordered(const struct bh_english_print *print);

/*
 * A list of path patterns: a sentence for each kind, or, where the order counts, for each run of one. under: its sentence for DIR and everything
 * beneath; the two that follow it in rules/english.def are for exact paths and for other patterns.
 */
void bh_english_print_paths(struct bh_english_print *print, enum bh_english_sentence under,
			    const struct bh_words *paths);

/* What kind of sentence a pattern wants: 0 under, 1 exact, 2 matching. */
unsigned int bh_english_path_kind(const char *pattern);

/* Puts a pattern into slot 0 as its kind of sentence has it. */
void bh_english_print_path(struct bh_english_print *print, const char *pattern);

/* What follows violations, grouped by what follows; those that are 0 are left out. */
void bh_english_print_respond(struct bh_english_print *print, enum bh_english_sentence sentence,
			      const uint8_t respond[BH_CLASSES]);

/* The sockets of a tool or of all. under: the sentence for connecting to sockets under; the seven that follow are the others. */
void bh_english_print_sockets(struct bh_english_print *print, enum bh_english_sentence under,
			      const struct bh_unix *sockets);

#endif
