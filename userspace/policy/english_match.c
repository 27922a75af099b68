/* SPDX-License-Identifier: GPL-2.0-only */
/* Which form is a sentence of? What may be left out shows by its first words, so there is nothing to go back to. */
#include <string.h>

#include "policy/english_parts.h"

struct walk {
	const struct bh_english_form *form;
	struct bh_english_words words;
	size_t step, at; /* the next of each */
	size_t slots, choices; /* passed so far */
	bool comma; /* the one behind the word before was asked for */
	struct bh_english_match *match;
};

static const struct bh_english_word *word_at(const struct walk *walk, size_t at)
{
	return at < walk->words.count ? &walk->words.first[at] : NULL;
}

static const struct bh_english_step *step_at(const struct walk *walk, size_t step)
{
	return step < walk->form->count ? &walk->form->steps[step] : NULL;
}

static bool is_and(const struct bh_english_word *word)
{
	return word && bh_english_is(word, "and");
}

/* Words of an item that begins at `at`: one, or more of "any subdomain of HOST". 0: there is none. */
static size_t item_length(const struct walk *walk, size_t at, enum bh_english_how how)
{
	static const char *const wide[] = { "any", "subdomain", "of" };
	size_t n = 0;

	if (how == BH_HOW_PEERS)
		while (n < 3 && word_at(walk, at + n) && bh_english_is(word_at(walk, at + n), wide[n]))
			n++;
	if (n != 3)
		n = 0;
	return word_at(walk, at + n) && !is_and(word_at(walk, at + n)) ? n + 1 : 0;
}

/* The comma of "for 10s, kill" is the form's, not the list's. */
static bool comma_is_next(const struct walk *walk)
{
	return step_at(walk, walk->step + 1) && step_at(walk, walk->step + 1)->kind == BH_STEP_COMMA;
}

/* "A", "A and B", "A, B and C": where it ends. 0: it is no list. */
static size_t list_end(const struct walk *walk, size_t at, enum bh_english_how how)
{
	for (;;) {
		size_t length = item_length(walk, at, how);
		bool comma;

		if (length == 0)
			return 0;
		at += length;
		comma = walk->words.first[at - 1].comma;
		if (is_and(word_at(walk, at)))
			at++;
		else if (!comma || !word_at(walk, at) || comma_is_next(walk))
			return at;
	}
}

static size_t quoted_end(const struct walk *walk, size_t at, bool several)
{
	size_t end = at;

	while (word_at(walk, end) && word_at(walk, end)->quoted && (several || end == at) &&
	       (end == at || !walk->words.first[end - 1].comma))
		end++;
	return end == at ? 0 : end;
}

/* Up to "with priority", or to the end. */
static size_t sandboxes_end(const struct walk *walk, size_t at)
{
	size_t end = at;

	while (word_at(walk, end) && !(bh_english_is(word_at(walk, end), "with") && word_at(walk, end + 1) &&
				       bh_english_is(word_at(walk, end + 1), "priority")))
		end++;
	return end == at ? 0 : end;
}

static bool take_slot(struct walk *walk, enum bh_english_how how)
{
	size_t at = walk->at, end = 0;

	switch (how) {
	case BH_HOW_ONE:
		end = word_at(walk, at) ? at + 1 : 0;
		break;
	case BH_HOW_LIST:
	case BH_HOW_PEERS:
		end = list_end(walk, at, how);
		break;
	case BH_HOW_STRING:
	case BH_HOW_STRINGS:
		end = quoted_end(walk, at, how == BH_HOW_STRINGS);
		break;
	case BH_HOW_SANDBOXES:
		end = sandboxes_end(walk, at);
		break;
	case BH_HOW_LIMITS:
		end = walk->words.count > at ? walk->words.count : 0;
		break;
	}
	if (end == 0)
		return false;
	walk->match->slots[walk->slots++] = (struct bh_english_words){ &walk->words.first[at], end - at };
	walk->at = end;
	return true;
}

static bool take_word(struct walk *walk, const struct bh_english_step *step)
{
	const struct bh_english_word *word = word_at(walk, walk->at);

	if (!word || !bh_english_step_is(step, word))
		return false;
	walk->at++;
	return true;
}

size_t bh_english_words_fit(const struct bh_english_step *steps, size_t count, struct bh_english_words words, size_t at)
{
	size_t fits = 0;

	while (fits < count && steps[fits].kind == BH_STEP_WORD && at + fits < words.count &&
	       bh_english_step_is(&steps[fits], &words.first[at + fits]))
		fits++;
	return fits == count || steps[fits].kind != BH_STEP_WORD ? fits : 0;
}

static bool has_slot(const struct bh_english_form *form, size_t step)
{
	for (size_t i = step; i < form->steps[step].end; i++)
		if (form->steps[i].kind == BH_STEP_SLOT)
			return true;
	return false;
}

/* Into what may be left out, if it is there; else behind it, where the slots it has stay empty. */
static void take_option(struct walk *walk)
{
	size_t begin = walk->step + 1, end = walk->form->steps[walk->step].end;
	bool there = bh_english_words_fit(&walk->form->steps[begin], end - begin, walk->words, walk->at) > 0;

	if (!has_slot(walk->form, walk->step))
		walk->match->choices[walk->choices++] = there;
	if (there)
		return;
	for (size_t i = walk->step; i < end; i++)
		walk->slots += walk->form->steps[i].kind == BH_STEP_SLOT;
	walk->step = end;
}

/* The first alternative whose words are all there; leaves the walk at the end of the choice. */
static bool take_choice(struct walk *walk)
{
	size_t before = walk->at, step = walk->step;

	for (uint8_t number = 0; walk->form->steps[step].kind != BH_STEP_CHOICE_END; number++) {
		size_t end = walk->form->steps[step].end;
		bool fits = true;

		walk->at = before;
		for (size_t i = step + 1; i < end && fits; i++)
			fits = take_word(walk, &walk->form->steps[i]);
		step = end;
		if (!fits)
			continue;
		walk->match->choices[walk->choices++] = number;
		while (walk->form->steps[step].kind != BH_STEP_CHOICE_END)
			step = walk->form->steps[step].end;
		walk->step = step;
		return true;
	}
	return false;
}

/* One step; false: it does not fit. */
static bool take_step(struct walk *walk)
{
	const struct bh_english_step *step = &walk->form->steps[walk->step];
	bool comma = walk->at > 0 && walk->words.first[walk->at - 1].comma, asked = walk->comma;

	walk->comma = false;
	switch (step->kind) {
	case BH_STEP_COMMA:
		walk->comma = true;
		return comma;
	case BH_STEP_OPTION:
		take_option(walk);
		walk->comma = asked;
		return true;
	case BH_STEP_WORD:
		return (!comma || asked) && take_word(walk, step);
	case BH_STEP_CHOICE:
		return (!comma || asked) && take_choice(walk);
	case BH_STEP_SLOT:
		return (!comma || asked) && take_slot(walk, step->how);
	default:
		walk->comma = asked;
		return true;
	}
}

static bool fits(const struct bh_english_form *form, struct bh_english_words words, struct bh_english_match *match)
{
	struct walk walk = { .form = form, .words = words, .match = match };

	memset(match, 0, sizeof(*match));
	match->words = words;
	while (walk.step < form->count) {
		if (!take_step(&walk))
			return false;
		walk.step++;
	}
	return walk.at == words.count && words.count > 0 && !words.first[words.count - 1].comma;
}

bool bh_english_match(const struct bh_english_forms *forms, struct bh_english_words words,
		      struct bh_english_match *ret_match)
{
	for (unsigned int i = 0; i < BH_SENTENCES; i++) {
		if (!fits(&forms->forms[i], words, ret_match))
			continue;
		ret_match->sentence = (enum bh_english_sentence)i;
		return true;
	}
	return false;
}

size_t bh_english_list_end(struct bh_english_words words, size_t at)
{
	static const struct bh_english_form none;
	struct walk walk = { .form = &none, .words = words };

	return list_end(&walk, at, BH_HOW_LIST);
}

bool bh_english_next(struct bh_english_words list, size_t *at, const struct bh_english_word **ret_item)
{
	while (*at < list.count && is_and(&list.first[*at]))
		(*at)++;
	if (*at == list.count)
		return false;
	*ret_item = &list.first[(*at)++];
	return true;
}
