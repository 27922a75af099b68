/* SPDX-License-Identifier: GPL-2.0-only */
/* The forms of rules/english.def as steps that a sentence is compared with. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "policy/english.h"
#include "policy/english_parts.h"

static const struct {
	const char *form, *way;
	enum bh_english_subject subject;
} rows[BH_SENTENCES] = {
#define BH_SENTENCE(id, subject, form, build, way) [BH_SENTENCE_##id] = { form, way, BH_SUBJECT_##subject },
#include "rules/english.def"
#undef BH_SENTENCE
};

static const char *const select_forms[] = {
#define BH_SELECT(number, id, group, key, kind, english) [number] = english,
#include "rules/select.def"
#undef BH_SELECT
};

static const char *const cap_forms[] = {
#define BH_CAP(number, id, key, unit, standard, english) [number] = english,
#include "rules/caps.def"
#undef BH_CAP
};

static const struct {
	const char *name;
	enum bh_english_how how;
} slots[] = {
#define BH_SLOT(name, how, text) { #name, BH_HOW_##how },
#include "rules/english-slots.def"
#undef BH_SLOT
};

const char *bh_english_form_text(enum bh_english_sentence sentence)
{
	return rows[sentence].form;
}

enum bh_english_subject bh_english_form_subject(enum bh_english_sentence sentence)
{
	return rows[sentence].subject;
}

const char *bh_english_form_way(enum bh_english_sentence sentence)
{
	return rows[sentence].way;
}

/* The next step; what is in the table is ours, so that every form fits. */
static struct bh_english_step *add(struct bh_english_form *form, enum bh_english_step_kind kind, const char *text)
{
	struct bh_english_step *step = &form->steps[form->count];

	assert(form->count < BH_FORM_STEPS);
	form->count++;
	step->kind = kind;
	step->text = text;
	return step;
}

/* "port(s)", "librar(y|ies)": from the bracket on. */
static void add_endings(struct bh_english_step *step, const char *bracket, const char *end)
{
	const char *bar = memchr(bracket, '|', (size_t)(end - bracket));

	step->endings[0].text = bracket + 1;
	step->endings[0].length = bar ? (uint8_t)(bar - bracket - 1) : 0;
	step->endings[1].text = bar ? bar + 1 : bracket + 1;
	step->endings[1].length = (uint8_t)(end - step->endings[1].text);
}

/* A word or slot that begins at text; returns what follows. inside: of (x|y). */
static const char *add_word(struct bh_english_form *form, const char *text, bool inside)
{
	struct bh_english_step *step = add(form, BH_STEP_WORD, text);
	const char *at = text;

	step->stem = UINT8_MAX;
	while (*at && !strchr(" ,]", *at) && !(inside && strchr("|)", *at))) {
		if (*at == '(') {
			step->stem = (uint8_t)(at - text);
			add_endings(step, at, strchr(at, ')'));
			at = strchr(at, ')');
		}
		at++;
	}
	step->length = (uint8_t)(at - text);
	if (step->stem == UINT8_MAX) {
		step->stem = step->length;
		step->endings[0].text = step->endings[1].text = "";
	}
	for (size_t i = 0; i < BH_COUNT_OF(slots); i++) {
		if (strlen(slots[i].name) != step->length || memcmp(slots[i].name, text, step->length) != 0)
			continue;
		step->kind = BH_STEP_SLOT;
		step->how = slots[i].how;
	}
	return at;
}

/* Tells each OPTION, CHOICE and BAR where the next BAR or the END is. */
static void add_ends(struct bh_english_form *form)
{
	struct bh_english_step *open = NULL;

	for (size_t i = 0; i < form->count; i++) {
		switch (form->steps[i].kind) {
		case BH_STEP_OPTION_END:
		case BH_STEP_BAR:
		case BH_STEP_CHOICE_END:
			assert(open);
			open->end = (uint8_t)i;
			break;
		default:
			break;
		}
		if (form->steps[i].kind == BH_STEP_OPTION || form->steps[i].kind == BH_STEP_CHOICE ||
		    form->steps[i].kind == BH_STEP_BAR)
			open = &form->steps[i];
	}
}

static void read_form(struct bh_english_form *form, const char *text)
{
	static const struct {
		char byte;
		enum bh_english_step_kind kind;
	} marks[] = {
		{ ',', BH_STEP_COMMA },	 { '[', BH_STEP_OPTION }, { ']', BH_STEP_OPTION_END },
		{ '(', BH_STEP_CHOICE }, { '|', BH_STEP_BAR },	  { ')', BH_STEP_CHOICE_END },
	};
	const char *at = text;
	bool inside = false;

	form->text = text;
	while (*at) {
		size_t i = 0;

		while (i < BH_COUNT_OF(marks) && marks[i].byte != *at)
			i++;
		if (i < BH_COUNT_OF(marks)) {
			add(form, marks[i].kind, at++);
			inside = marks[i].kind == BH_STEP_CHOICE || marks[i].kind == BH_STEP_BAR;
		} else if (*at == ' ') {
			at++;
		} else {
			at = add_word(form, at, inside);
		}
	}
	add_ends(form);
}

struct bh_english_forms *bh_english_forms_new(void)
{
	struct bh_english_forms *forms = calloc(1, sizeof(*forms));

	if (!forms)
		return NULL;
	for (size_t i = 0; i < BH_SENTENCES; i++)
		read_form(&forms->forms[i], rows[i].form);
	for (size_t i = 1; i < BH_COUNT_OF(select_forms); i++)
		read_form(&forms->selects[i], select_forms[i]);
	for (size_t i = 1; i < BH_COUNT_OF(cap_forms); i++)
		read_form(&forms->caps[i], cap_forms[i]);
	return forms;
}

const char *bh_english_form_of(const char *way)
{
	size_t length = strlen(way);

	for (size_t i = 0; i < BH_SENTENCES; i++)
		if (strcspn(rows[i].way, "=") == length && memcmp(rows[i].way, way, length) == 0)
			return rows[i].form;
	return NULL;
}

bool bh_english_may_begin(const char *word, size_t length)
{
	for (size_t i = 0; i < BH_SENTENCES; i++)
		if (strcspn(rows[i].form, " ") == length && strncasecmp(rows[i].form, word, length) == 0)
			return true;
	return false;
}

const char *bh_english_step_word(const struct bh_english_step *step, bool plural, char *buffer, size_t size)
{
	snprintf(buffer, size, "%.*s%.*s", (int)step->stem, step->text, (int)step->endings[plural].length,
		 step->endings[plural].text);
	return buffer;
}

bool bh_english_step_is(const struct bh_english_step *step, const struct bh_english_word *word)
{
	if (step->kind != BH_STEP_WORD || word->quoted || strncasecmp(word->text, step->text, step->stem) != 0)
		return false;
	for (size_t i = 0; i < BH_COUNT_OF(step->endings); i++) {
		const char *rest = word->text + step->stem;

		if (strlen(rest) == step->endings[i].length &&
		    strncasecmp(rest, step->endings[i].text, step->endings[i].length) == 0)
			return true;
	}
	return false;
}
