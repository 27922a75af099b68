/* SPDX-License-Identifier: GPL-2.0-only */
/* Writing sentences: a form, what goes into its slots, lines of at most 120 columns. */
#ifndef BH_POLICY_ENGLISH_SAY_H
#define BH_POLICY_ENGLISH_SAY_H

#include "base/buf.h"
#include "policy/english_parts.h"

/* The sentence in the making, and where sentences go. */
struct bh_english_say {
	struct bh_buf *out;
	const struct bh_english_forms *forms;
	enum bh_english_sentence sentence;
	struct {
		struct bh_buf items; /* each ends with a NUL */
		size_t count;
	} slots[BH_FORM_SLOTS];
	uint8_t choices[BH_FORM_CHOICES];
};

void bh_english_say_done(struct bh_english_say *say);

/* Begins a sentence; then its slots and choices are filled in any order, then it is written. */
void bh_english_say_begin(struct bh_english_say *say, enum bh_english_sentence sentence);

/* An item of a slot. Quotes are added where the slot or the text wants them; PEERS, SANDBOXES and LIMITS are taken as they are. */
void bh_english_say_item(struct bh_english_say *say, size_t slot, const char *text);
void bh_english_say_format(struct bh_english_say *say, size_t slot, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Which alternative, or whether what may be left out is said: numbered as in struct bh_english_match. */
void bh_english_say_choice(struct bh_english_say *say, size_t choice, uint8_t value);

void bh_english_say_end(struct bh_english_say *say);

/* A sentence without slots, or with one word or text in the first. */
void bh_english_say_plain(struct bh_english_say *say, enum bh_english_sentence sentence);
void bh_english_say_one(struct bh_english_say *say, enum bh_english_sentence sentence, const char *text);

/* The text as one word that reads back as it is: bare, or in quotes. buf is added to. */
void bh_english_say_word(struct bh_buf *buf, const char *text, bool quoted);

/* An empty line. */
void bh_english_say_break(struct bh_english_say *say);

#endif
