/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the English front end share: words, forms of sentences, what matched, the document being built. */
#ifndef BH_POLICY_ENGLISH_PARTS_H
#define BH_POLICY_ENGLISH_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "policy/model.h"
#include "policy/node.h"

/* ---- english_lex.c: the text as words ---- */

struct bh_english_word {
	const char *text; /* without quotes, escapes, and the comma or stop behind it */
	struct bh_loc loc;
	bool quoted; /* then it is never a word of a form */
	bool comma, stop; /* stands right behind it */
};

struct bh_english_text {
	struct bh_english_word *words;
	size_t count, capacity;
	char *bytes; /* what the words point into */
};

/*
 * Splits a text that has passed bh_lexical_check. Bad strings (L060) and foreign letters (E102) are findings; their words
 * stay. Returns 0 and fills *ret_text (done frees it) or -ENOMEM.
 */
int bh_english_lex(const char *text, size_t length, struct bh_diags *diags, struct bh_english_text *ret_text);
void bh_english_text_done(struct bh_english_text *text);

/* Some of the words: a sentence, or what stands in a slot. */
struct bh_english_words {
	const struct bh_english_word *first;
	size_t count;
};

/* Is it this word of a form, bare and in any case? */
bool bh_english_is(const struct bh_english_word *word, const char *text);

/* As it was written, in one line, cut to the size. whole: with the comma or full stop behind it. */
void bh_english_quote(struct bh_english_words words, bool whole, char *buffer, size_t size);

/* ---- english_form.c: rules/english.def, ready to be compared ---- */

enum bh_english_sentence {
#define BH_SENTENCE(id, subject, form, build, way) BH_SENTENCE_##id,
#include "../../rules/english.def"
#undef BH_SENTENCE
	BH_SENTENCES
};

enum bh_english_subject {
	BH_SUBJECT_OWN,
	BH_SUBJECT_POLICY,
	BH_SUBJECT_TOOL,
};

enum bh_english_how {
	BH_HOW_ONE,
	BH_HOW_LIST,
	BH_HOW_STRING,
	BH_HOW_STRINGS,
	BH_HOW_PEERS,
	BH_HOW_SANDBOXES,
	BH_HOW_LIMITS,
};

/* A step through a form. OPEN, BAR and CLOSE enclose what may be left out (optional) or one of several. */
enum bh_english_step_kind {
	BH_STEP_WORD = 1,
	BH_STEP_COMMA,
	BH_STEP_SLOT,
	BH_STEP_OPTION, /* '[' */
	BH_STEP_OPTION_END,
	BH_STEP_CHOICE, /* '(' */
	BH_STEP_BAR,
	BH_STEP_CHOICE_END,
};

struct bh_english_step {
	uint8_t kind;
	uint8_t how; /* of a slot */
	uint8_t end; /* of OPTION, CHOICE and BAR: where the next BAR or the END stands */
	uint8_t length; /* of the text */
	uint8_t stem; /* of a word: the bytes of the text before its endings */
	const char *text; /* in the form; not terminated */
	struct {
		const char *text;
		uint8_t length;
	} endings[2]; /* of a word: for one, for several */
};

#define BH_FORM_STEPS 40u
#define BH_FORM_SLOTS 6u
#define BH_FORM_CHOICES 4u

struct bh_english_form {
	const char *text;
	struct bh_english_step steps[BH_FORM_STEPS];
	size_t count;
};

struct bh_english_forms {
	struct bh_english_form forms[BH_SENTENCES];
	struct bh_english_form selects[BH_SELECT_SERVICE_ACCOUNT + 1]; /* by enum bh_select_field; 0 unused */
	struct bh_english_form caps[BH_CAPS]; /* by enum bh_cap; 0 unused */
};

/* All forms, or NULL when out of memory. free() ends them. */
struct bh_english_forms *bh_english_forms_new(void);

/* The form as the table writes it, its subject, and the keys that lead to what it sets. */
const char *bh_english_form_text(enum bh_english_sentence sentence);
enum bh_english_subject bh_english_form_subject(enum bh_english_sentence sentence);
const char *bh_english_form_way(enum bh_english_sentence sentence);

/* Does a form begin with this word, in any case? */
bool bh_english_may_begin(const char *word, size_t length);

/* The word of a form with its first (plural: second) ending, in buffer. */
const char *bh_english_step_word(const struct bh_english_step *step, bool plural, char *buffer, size_t size);

/* Is it that word of a form, with either ending? */
bool bh_english_step_is(const struct bh_english_step *step, const struct bh_english_word *word);

/* ---- english_match.c ---- */

/* A sentence that fits a form. Slots and choices count in the order of the form; what may be left out and has no slot is a choice, 0 or 1. */
struct bh_english_match {
	enum bh_english_sentence sentence;
	struct bh_english_words words, slots[BH_FORM_SLOTS]; /* count 0: left out */
	uint8_t choices[BH_FORM_CHOICES];
};

/* The form that the words fit, all of them; false: none. */
bool bh_english_match(const struct bh_english_forms *forms, struct bh_english_words words,
		      struct bh_english_match *ret_match);

/* The next item of a list, without "and"; false at its end. Start with *at = 0. */
bool bh_english_next(struct bh_english_words list, size_t *at, const struct bh_english_word **ret_item);

/* Where the list of words that begins at `at` ends; 0: none does. */
size_t bh_english_list_end(struct bh_english_words words, size_t at);

/* How many words from `at` on are the form's, up to its first slot; 0: they are not all there. */
size_t bh_english_words_fit(const struct bh_english_step *steps, size_t count, struct bh_english_words words,
			    size_t at);

/* ---- english_tree.c: the document that YAML would have given ---- */

struct bh_english_build {
	struct bh_document *document;
	struct bh_diags *diags;
	const struct bh_english_forms *forms;
	const struct bh_english_match *match; /* the sentence that is being put in */
	struct bh_node *tool; /* the mapping of the tool that "It" is; NULL: none yet */
	struct bh_node *clause; /* of its command lines, still open for more; NULL: none */
	enum bh_english_sentence clause_kind; /* ARGS_ANY or ARGS_FIRST */
	unsigned int destinations; /* the number of the last that was given a name */
	bool out_of_memory;
};

/* All functions do nothing, and return NULL, for a NULL parent and without memory, which build remembers. */

/* The value of a key of that kind in a mapping, made where it is missing. */
struct bh_node *bh_tree_open(struct bh_english_build *build, struct bh_node *map, const char *key,
			     enum bh_node_kind kind, struct bh_loc loc);

/* The same for a way of keys, "files.read"; what follows a '=' is left out. Mappings are made on the way. */
struct bh_node *bh_tree_way(struct bh_english_build *build, struct bh_node *map, const char *way,
			    enum bh_node_kind kind, struct bh_loc loc);

/* A key with a value of that kind, whether it is there or not: a second one is found when the mapping is complete. */
struct bh_node *bh_tree_add(struct bh_english_build *build, struct bh_node *map, const char *key, struct bh_loc key_loc,
			    enum bh_node_kind kind, const char *text, struct bh_loc loc);

/* A single word at the end of a way. If one is there already, that is a finding (E112). */
void bh_tree_set(struct bh_english_build *build, struct bh_node *map, const char *way, const char *text,
		 struct bh_loc loc);

/* Another item of a list. */
struct bh_node *bh_tree_item(struct bh_english_build *build, struct bh_node *list, enum bh_node_kind kind,
			     const char *text, struct bh_loc loc);

/* ---- english_build.c ---- */

/* Puts the sentence that build->match holds into the document. */
void bh_english_put(struct bh_english_build *build);

/* ---- english_diagnose.c ---- */

/* Says why no form fits. Returns the form that is closest; BH_SENTENCES where another thing is wrong. */
enum bh_english_sentence bh_english_diagnose(const struct bh_english_forms *forms, struct bh_english_words words,
					     struct bh_diags *diags);

/* From the first word to the last in its line. */
struct bh_loc bh_english_loc(struct bh_english_words words);

#endif
