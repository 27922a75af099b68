/* SPDX-License-Identifier: GPL-2.0-only */
/* Words with a meaning of their own: classes of rules, what follows a violation, and what no sentence can have. */
#ifndef BH_POLICY_ENGLISH_WORDS_H
#define BH_POLICY_ENGLISH_WORDS_H

#include "policy/english_parts.h"
#include "policy/suggest.h"

#define BH_ENGLISH_CLASSES "floor, exec, argument, file, network and privilege rules"

/* How a policy spells what follows a violation, in the order in which sentences offer it. */
#define BH_ENGLISH_ACTIONS 4u
extern const char *const bh_english_actions[BH_ENGLISH_ACTIONS];

/* The key of a class of rules, "argument" -> "args"; NULL: none, and what is near is offered to the suggestion. */
const char *bh_english_class_key(const struct bh_english_word *word, struct bh_suggestion *suggestion);

/* What sentences call the class of that number (BH_CLASS_*). */
const char *bh_english_class_word(unsigned int class);

enum bh_english_word_kind {
	BH_WORD_VAGUE,
	BH_WORD_NEGATION,
};

/* The first words that rules/english-words.def has under that kind; false: none. */
bool bh_english_find_word(struct bh_english_words words, enum bh_english_word_kind kind,
			  struct bh_english_words *ret_found);

#endif
