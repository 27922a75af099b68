/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/english_say.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"

#define COLUMNS 120u
#define INDENT "    " /* of a sentence's further lines */

void bh_english_say_done(struct bh_english_say *say)
{
	for (size_t i = 0; i < BH_FORM_SLOTS; i++)
		bh_buf_done(&say->slots[i].items);
}

void bh_english_say_begin(struct bh_english_say *say, enum bh_english_sentence sentence)
{
	say->sentence = sentence;
	memset(say->choices, 0, sizeof(say->choices));
	for (size_t i = 0; i < BH_FORM_SLOTS; i++) {
		say->slots[i].items.length = 0;
		say->slots[i].count = 0;
	}
}

void bh_english_say_item(struct bh_english_say *say, size_t slot, const char *text)
{
	bh_buf_add(&say->slots[slot].items, text, strlen(text) + 1);
	say->slots[slot].count++;
}

void bh_english_say_format(struct bh_english_say *say, size_t slot, const char *format, ...)
{
	BH_FREE char *text = NULL;
	va_list args;
	int length;

	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	if (length < 0) {
		text = NULL; /* its value is undefined after a failure */
		say->out->error = -ENOMEM;
		return;
	}
	bh_english_say_item(say, slot, text);
}

void bh_english_say_choice(struct bh_english_say *say, size_t choice, uint8_t value)
{
	say->choices[choice] = value;
}

/* Would it be read as another word, or as more than one? */
static bool needs_quotes(const char *text)
{
	size_t length = strlen(text);

	return length == 0 || strpbrk(text, " \"\n") || text[0] == '#' || strchr(".,", text[length - 1]) ||
	       strcasecmp(text, "and") == 0 || strcasecmp(text, "any") == 0;
}

void bh_english_say_word(struct bh_buf *buf, const char *text, bool quoted)
{
	if (!quoted && !needs_quotes(text)) {
		bh_buf_add(buf, text, strlen(text));
		return;
	}
	bh_buf_add(buf, "\"", 1);
	for (; *text; text++) {
		if (*text == '\n')
			bh_buf_add(buf, "\\n", 2);
		else
			bh_buf_print(buf, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
	}
	bh_buf_add(buf, "\"", 1);
}

/* ---- from form and slots to words, each ended by a NUL ---- */

struct words {
	struct bh_buf buf;
	const struct bh_english_say *say;
	size_t slot, choice; /* the next of each */
};

static void end_word(struct words *words, const char *mark)
{
	bh_buf_add(&words->buf, mark, strlen(mark) + 1);
}

/* Puts a mark behind the word before. */
static void mark_last(struct words *words, const char *mark)
{
	if (words->buf.length == 0)
		return;
	words->buf.length--;
	end_word(words, mark);
}

/* Text of several words: blanks within quotes are part of one. */
static void add_phrase(struct words *words, const char *text)
{
	bool quoted = false;

	for (; *text; text++) {
		if (*text == ' ' && !quoted) {
			end_word(words, "");
			continue;
		}
		if (quoted && *text == '\\' && text[1])
			bh_buf_add(&words->buf, text++, 1);
		else if (*text == '"')
			quoted = !quoted;
		bh_buf_add(&words->buf, text, 1);
	}
	end_word(words, "");
}

static void add_item(struct words *words, enum bh_english_how how, const char *text)
{
	switch (how) {
	case BH_HOW_PEERS:
	case BH_HOW_SANDBOXES:
	case BH_HOW_LIMITS:
		add_phrase(words, text);
		return;
	default:
		bh_english_say_word(&words->buf, text, how == BH_HOW_STRING || how == BH_HOW_STRINGS);
		end_word(words, "");
	}
}

/* "A", "A and B", "A, B and C"; strings stand one behind the other. */
static void add_slot(struct words *words, enum bh_english_how how)
{
	const char *item = (const char *)words->say->slots[words->slot].items.bytes;
	size_t count = words->say->slots[words->slot++].count;

	for (size_t i = 0; i < count; i++, item += strlen(item) + 1) {
		if (i > 0 && how != BH_HOW_STRINGS && i + 1 == count)
			add_phrase(words, "and");
		else if (i > 0 && how != BH_HOW_STRINGS)
			mark_last(words, ",");
		add_item(words, how, item);
	}
}

/* Where the part of the form that begins at a '[', '(' or '|' is over. */
static size_t end_of(const struct bh_english_form *form, size_t step)
{
	return form->steps[step].end;
}

/* Is what may be left out to be said? The choice is used up; so are the slots of what is not. */
static bool is_said(struct words *words, const struct bh_english_form *form, size_t step)
{
	size_t slots = 0;

	for (size_t i = step; i < end_of(form, step); i++)
		slots += form->steps[i].kind == BH_STEP_SLOT;
	if (slots == 0)
		return words->say->choices[words->choice++];
	if (words->say->slots[words->slot].count > 0)
		return true;
	words->slot += slots;
	return false;
}

static void add_word(struct words *words, const struct bh_english_step *step)
{
	bool plural = words->slot < BH_FORM_SLOTS && words->say->slots[words->slot].count > 1;
	char word[32];

	add_phrase(words, bh_english_step_word(step, plural, word, sizeof(word)));
}

/* The chosen alternative; returns the step at which the choice ends. */
static size_t add_choice(struct words *words, const struct bh_english_form *form, size_t step)
{
	size_t chosen = words->say->choices[words->choice++];

	for (size_t number = 0; form->steps[step].kind != BH_STEP_CHOICE_END; number++) {
		size_t end = end_of(form, step);

		for (size_t i = step + 1; number == chosen && i < end; i++)
			add_word(words, &form->steps[i]);
		step = end;
	}
	return step;
}

static void add_words(struct words *words, const struct bh_english_form *form)
{
	for (size_t i = 0; i < form->count; i++) {
		switch (form->steps[i].kind) {
		case BH_STEP_WORD:
			add_word(words, &form->steps[i]);
			break;
		case BH_STEP_SLOT:
			add_slot(words, form->steps[i].how);
			break;
		case BH_STEP_COMMA:
			mark_last(words, ",");
			break;
		case BH_STEP_OPTION:
			if (!is_said(words, form, i))
				i = end_of(form, i);
			break;
		case BH_STEP_CHOICE:
			i = add_choice(words, form, i);
			break;
		default:
			break;
		}
	}
	mark_last(words, ".");
}

/* ---- from words to lines ---- */

static void write_words(struct bh_buf *out, const struct bh_buf *words)
{
	size_t column = 0;

	for (size_t at = 0; at < words->length;) {
		const char *word = (const char *)words->bytes + at;
		size_t length = strlen(word);

		if (column > 0 && column + 1 + length > COLUMNS) {
			bh_buf_print(out, "\n" INDENT);
			column = strlen(INDENT);
		} else if (column > 0) {
			bh_buf_add(out, " ", 1);
			column++;
		}
		bh_buf_add(out, word, length);
		column += length;
		at += length + 1;
	}
	bh_buf_add(out, "\n", 1);
}

void bh_english_say_end(struct bh_english_say *say)
{
	struct words words = { .say = say };

	for (size_t i = 0; i < BH_FORM_SLOTS; i++)
		if (say->slots[i].items.error)
			say->out->error = say->slots[i].items.error;
	if (say->out->error)
		return;
	add_words(&words, &say->forms->forms[say->sentence]);
	if (words.buf.error)
		say->out->error = words.buf.error;
	else
		write_words(say->out, &words.buf);
	bh_buf_done(&words.buf);
}

void bh_english_say_plain(struct bh_english_say *say, enum bh_english_sentence sentence)
{
	bh_english_say_begin(say, sentence);
	bh_english_say_end(say);
}

void bh_english_say_one(struct bh_english_say *say, enum bh_english_sentence sentence, const char *text)
{
	bh_english_say_begin(say, sentence);
	bh_english_say_item(say, 0, text);
	bh_english_say_end(say);
}

void bh_english_say_break(struct bh_english_say *say)
{
	bh_buf_add(say->out, "\n", 1);
}
