/* SPDX-License-Identifier: GPL-2.0-only */
/* What to say about a sentence that is none: the vague or negating word in it, or the form that was probably meant. */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/english_words.h"
#include "policy/limits.h"

#define WORDS_COMPARED 24u /* more than any form has; lists may go on behind */
#define FAR 1000u

/* The costs of making a form out of a sentence. A word that forms have is rarely there by accident. */
#define COST_NEAR 1u /* a typing error */
#define COST_MISSING 1u /* a word or slot of the form */
#define COST_UNLIKELY 2u /* a word in a slot where others stand */
#define COST_EXTRA 2u
#define COST_EXTRA_COMMON 4u

struct bh_loc bh_english_loc(struct bh_english_words words)
{
	struct bh_loc loc = words.first->loc;

	for (size_t i = 1; i < words.count && words.first[i].loc.line == loc.line; i++)
		loc.width = words.first[i].loc.column + words.first[i].loc.width - loc.column;
	return loc;
}

/* Is it a word that forms have? Then it is rather no name, path or number. */
static bool in_vocabulary(const struct bh_english_forms *forms, const struct bh_english_word *word)
{
	for (unsigned int i = 0; i < BH_SENTENCES; i++)
		for (size_t k = 0; k < forms->forms[i].count; k++)
			if (bh_english_step_is(&forms->forms[i].steps[k], word))
				return true;
	return false;
}

/* Would people write this word into that slot? */
static bool is_likely(const struct bh_english_step *slot, const struct bh_english_word *word)
{
	static const struct {
		const char *slot, *first, *any; /* bytes that it begins with, or that it holds */
	} looks[] = {
		{ "PATTERN", "/", "*?" },	{ "PATH", "/", NULL },		 { "CIDR", NULL, "/" },
		{ "PORT", "0123456789", NULL }, { "COUNT", "0123456789", NULL }, { "PEERS", NULL, ".:/" },
	};

	if (strncmp(slot->text, "NAME", 4) == 0)
		return bh_is_name(word->text);
	if (strncmp(slot->text, "STRING", 6) == 0)
		return word->quoted;
	for (size_t i = 0; i < BH_COUNT_OF(looks); i++) {
		if (strncmp(slot->text, looks[i].slot, strlen(looks[i].slot)) != 0)
			continue;
		return (!looks[i].first || (word->text[0] && strchr(looks[i].first, word->text[0]))) &&
		       (!looks[i].any || strpbrk(word->text, looks[i].any));
	}
	return true;
}

/* The sentence, cut to a length that can be compared. */
struct sample {
	struct bh_english_words words;
	bool common[WORDS_COMPARED]; /* by word: the vocabulary has it */
	bool odd[WORDS_COMPARED]; /* by word: it could be one of the vocabulary with a typing error */
};

static struct sample take_sample(const struct bh_english_forms *forms, struct bh_english_words words)
{
	struct sample sample = { .words = words };

	if (sample.words.count > WORDS_COMPARED)
		sample.words.count = WORDS_COMPARED;
	for (size_t i = 0; i < sample.words.count; i++) {
		const char *text = words.first[i].text;

		sample.common[i] = in_vocabulary(forms, &words.first[i]);
		sample.odd[i] = !sample.common[i] && !words.first[i].quoted &&
				text[strcspn(text, "/.:=0123456789")] == '\0';
	}
	return sample;
}

/* What it costs to take the word for that of the form. */
static unsigned int word_cost(const struct sample *sample, const struct bh_english_step *step, size_t index)
{
	const struct bh_english_word *word = &sample->words.first[index];
	struct bh_suggestion suggestion = { 0 };
	char form[32];

	if (bh_english_step_is(step, word))
		return 0;
	for (int plural = 0; plural <= 1 && sample->odd[index]; plural++)
		bh_suggest_offer(&suggestion, word->text, bh_english_step_word(step, plural, form, sizeof(form)));
	return suggestion.best && suggestion.distance <= 2 ? COST_NEAR : FAR;
}

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/*
 * One step of the form more: before[i] is what it costs to make the form up to the step out of the first i words. A step
 * within brackets may be left out for nothing.
 */
static void add_step(const struct sample *sample, const struct bh_english_step *step, bool optional,
		     unsigned int costs[WORDS_COMPARED + 1])
{
	unsigned int diagonal = costs[0];

	if (step->kind != BH_STEP_WORD && step->kind != BH_STEP_SLOT)
		return;
	costs[0] += optional ? 0 : COST_MISSING;
	for (size_t i = 1; i <= sample->words.count; i++) {
		const struct bh_english_word *word = &sample->words.first[i - 1];
		unsigned int extra = sample->common[i - 1] ? COST_EXTRA_COMMON : COST_EXTRA;
		unsigned int above = costs[i], here = above + (optional ? 0 : COST_MISSING);

		if (step->kind == BH_STEP_WORD) {
			here = least(here, diagonal + word_cost(sample, step, i - 1));
		} else {
			here = least(here, diagonal + (is_likely(step, word) ? 0 : COST_UNLIKELY));
			/* A list goes on for nothing. */
			if (i > 1 && (bh_english_is(word, "and") || bh_english_is(word - 1, "and") || word[-1].comma))
				extra = 0;
		}
		costs[i] = least(here, costs[i - 1] + extra);
		diagonal = above;
	}
}

static unsigned int form_cost(const struct sample *sample, const struct bh_english_form *form)
{
	unsigned int costs[WORDS_COMPARED + 1], depth = 0;

	costs[0] = 0;
	for (unsigned int i = 1; i <= sample->words.count; i++)
		costs[i] = costs[i - 1] + (sample->common[i - 1] ? COST_EXTRA_COMMON : COST_EXTRA);
	for (size_t i = 0; i < form->count; i++) {
		switch (form->steps[i].kind) {
		case BH_STEP_OPTION:
		case BH_STEP_CHOICE:
			depth++;
			break;
		case BH_STEP_OPTION_END:
		case BH_STEP_CHOICE_END:
			depth--;
			break;
		default:
			add_step(sample, &form->steps[i], depth > 0, costs);
		}
	}
	return costs[sample->words.count];
}

/* The form that costs least; of several the one that is bytewise first. */
static enum bh_english_sentence find_closest(const struct bh_english_forms *forms, const struct sample *sample)
{
	enum bh_english_sentence closest = BH_SENTENCE_POLICY;
	unsigned int lowest = FAR;

	for (unsigned int i = 0; i < BH_SENTENCES; i++) {
		unsigned int cost = form_cost(sample, &forms->forms[i]);

		if (cost > lowest || (cost == lowest && strcmp(forms->forms[i].text, forms->forms[closest].text) >= 0))
			continue;
		lowest = cost;
		closest = (enum bh_english_sentence)i;
	}
	return closest;
}

static bool has_word(struct bh_english_words words, const struct bh_english_step *step)
{
	for (size_t i = 0; i < words.count; i++)
		if (bh_english_step_is(step, &words.first[i]))
			return true;
	return false;
}

/* Offers the words of a form that the sentence lacks. buffer: for each step; the offers point into it. */
static void offer_words(const struct bh_english_form *form, struct bh_english_words words,
			const struct bh_english_word *word, char buffer[][32], struct bh_suggestion *suggestion)
{
	for (size_t i = 0; i < form->count; i++) {
		const struct bh_english_step *step = &form->steps[i];

		if (step->kind == BH_STEP_WORD && !has_word(words, step))
			bh_suggest_offer(suggestion, word->text,
					 bh_english_step_word(step, false, buffer[i], sizeof(buffer[i])));
	}
}

/* "('raed': did you mean 'read'?)" for the first word that is nearly one that the form has; else nothing. */
static void find_typo(const struct sample *sample, const struct bh_english_form *form, char *text, size_t size)
{
	char buffer[BH_FORM_STEPS][32], hint[96];

	text[0] = '\0';
	for (size_t i = 0; i < sample->words.count; i++) {
		struct bh_suggestion suggestion = { 0 };
		const struct bh_english_word *word = &sample->words.first[i];

		if (!sample->odd[i])
			continue;
		offer_words(form, sample->words, word, buffer, &suggestion);
		if (!suggestion.best || suggestion.distance > 2)
			continue;
		snprintf(text, size, " ('%.40s': %s)", word->text, bh_suggest_hint(&suggestion, hint, sizeof(hint)));
		return;
	}
}

/* Do they have anything in common but "It"? Else naming the form would only puzzle. */
static bool is_close(const struct sample *sample, const struct bh_english_form *form)
{
	for (size_t i = 0; i < sample->words.count; i++)
		for (size_t k = 0; k < form->count && !bh_english_is(&sample->words.first[i], "It"); k++)
			if (form->steps[k].kind == BH_STEP_WORD && word_cost(sample, &form->steps[k], i) < FAR)
				return true;
	return false;
}

static bool wants_quotes(const struct bh_english_form *form, struct bh_english_words words)
{
	bool wants = false;

	for (size_t i = 0; i < form->count; i++)
		if (form->steps[i].kind == BH_STEP_SLOT &&
		    (form->steps[i].how == BH_HOW_STRING || form->steps[i].how == BH_HOW_STRINGS))
			wants = true;
	for (size_t i = 0; i < words.count; i++)
		wants = wants && !words.first[i].quoted;
	return wants;
}

static enum bh_english_sentence unknown(const struct bh_english_forms *forms, struct bh_english_words words,
					struct bh_diags *diags)
{
	const struct sample sample = take_sample(forms, words);
	enum bh_english_sentence closest = find_closest(forms, &sample);
	const struct bh_english_form *form = &forms->forms[closest];
	char quote[120], typo[160], hint[300];

	bh_english_quote(words, true, quote, sizeof(quote));
	find_typo(&sample, form, typo, sizeof(typo));
	if (is_close(&sample, form))
		snprintf(hint, sizeof(hint), "closest form: '%s.'%s", form->text,
			 wants_quotes(form, words) ? ", strings in double quotes" : "");
	else
		snprintf(hint, sizeof(hint), "bulkhead-policy(5) lists the sentences");
	bh_diag_add(diags, BH_SEVERITY_ERROR, "L040", bh_english_loc(words), hint, "not a policy sentence: '%s'%s",
		    quote, typo);
	return closest;
}

enum bh_english_sentence bh_english_diagnose(const struct bh_english_forms *forms, struct bh_english_words words,
					     struct bh_diags *diags)
{
	struct bh_english_words found;
	char quote[120];

	if (bh_english_find_word(words, BH_WORD_VAGUE, &found)) {
		bh_english_quote(found, false, quote, sizeof(quote));
		bh_diag_add(diags, BH_SEVERITY_ERROR, "L030", bh_english_loc(found),
			    "list the exact paths, tools or hosts", "'%s' cannot be compiled: a rule must name things",
			    quote);
		return BH_SENTENCES;
	}
	if (bh_english_find_word(words, BH_WORD_NEGATION, &found)) {
		bh_english_quote(words, true, quote, sizeof(quote));
		bh_diag_add(diags, BH_SEVERITY_ERROR, "L031", bh_english_loc(words),
			    "everything is denied unless a sentence allows it; to take something away from every tool "
			    "write 'Nothing may read|write files under PATHS.'",
			    "'%s' says what is not allowed", quote);
		return BH_SENTENCES;
	}
	return unknown(forms, words, diags);
}
