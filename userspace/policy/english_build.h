/* SPDX-License-Identifier: GPL-2.0-only */
/* The builders that rules/english.def names: each puts the sentence of build->match into the document. */
#ifndef BH_POLICY_ENGLISH_BUILD_H
#define BH_POLICY_ENGLISH_BUILD_H

#include "policy/english_parts.h"

/* english_build.c: one value, a list, and what most of them are */
void bh_english_build_policy(struct bh_english_build *build);
void bh_english_build_end(struct bh_english_build *build);
void bh_english_build_fixed(struct bh_english_build *build); /* the way's own value */
void bh_english_build_word(struct bh_english_build *build);
void bh_english_build_words(struct bh_english_build *build);
void bh_english_build_under(struct bh_english_build *build); /* directories become DIR and everything beneath */
void bh_english_build_none(struct bh_english_build *build); /* a list that stays empty, or as it is */
void bh_english_build_pair(struct bh_english_build *build);
void bh_english_build_grace(struct bh_english_build *build);
void bh_english_build_classes(struct bh_english_build *build); /* the way's value for each class */
void bh_english_build_respond(struct bh_english_build *build);
void bh_english_build_privilege(struct bh_english_build *build);
void bh_english_build_guard(struct bh_english_build *build);
void bh_english_build_accept(struct bh_english_build *build);

/* english_build_tool.c: programs, command lines, code */
void bh_english_build_tool(struct bh_english_build *build);
void bh_english_build_binaries(struct bh_english_build *build);
void bh_english_build_args_exact(struct bh_english_build *build);
void bh_english_build_args_none(struct bh_english_build *build);
void bh_english_build_args_any(struct bh_english_build *build);
void bh_english_build_args_any_words(struct bh_english_build *build);
void bh_english_build_args_first(struct bh_english_build *build);
void bh_english_build_args_free(struct bh_english_build *build);
void bh_english_build_args_words(struct bh_english_build *build);
void bh_english_build_args_operands(struct bh_english_build *build);
void bh_english_build_load(struct bh_english_build *build);
void bh_english_build_load_under(struct bh_english_build *build);

/* english_build_net.c: destinations, ports, names */
void bh_english_build_reach(struct bh_english_build *build);
void bh_english_build_ping(struct bh_english_build *build);
void bh_english_build_destination(struct bh_english_build *build);
void bh_english_build_destination_ping(struct bh_english_build *build);
void bh_english_build_listen(struct bh_english_build *build);
void bh_english_build_dns(struct bh_english_build *build);

/* english_build_sandbox.c: which sandboxes, and what they may use */
void bh_english_build_select(struct bh_english_build *build);
void bh_english_build_limits(struct bh_english_build *build);
void bh_english_build_threshold(struct bh_english_build *build);

/* What builders share. */

/* The mapping that the sentence's way begins in: the tool's, or the whole document. */
struct bh_node *bh_english_base(struct bh_english_build *build);

/* The value at the end of the sentence's way, made where it is missing. */
struct bh_node *bh_english_value(struct bh_english_build *build, enum bh_node_kind kind);

/* Adds each word of a list as an item. */
void bh_english_add_words(struct bh_english_build *build, struct bh_node *list, struct bh_english_words words);

/* A word as the value of a key. */
void bh_english_set_word(struct bh_english_build *build, struct bh_node *map, const char *key,
			 const struct bh_english_word *word);

/* DIR as DIR and everything beneath, in buffer: a path may be BH_PATTERN_MAX bytes long, what is longer is cut and refused. */
#define BH_UNDER_MAX 1100u
const char *bh_english_under(const char *directory, char buffer[BH_UNDER_MAX]);

/* An error at a word. */
void bh_english_refuse(struct bh_english_build *build, const char *code, const struct bh_english_word *word,
		       const char *hint, const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
