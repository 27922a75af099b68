/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/english.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/english_parts.h"

#define ERRORS_SHOWN 20u

/* The text on its way through. */
struct reading {
	struct bh_english_text text;
	struct bh_english_forms *forms;
	struct bh_english_build build;
	struct bh_diags *diags;
	bool ended; /* "Nothing else is allowed." was there */
	bool end_meant; /* the last sentence was probably that one */
};

static void refuse(struct reading *reading, const char *code, struct bh_loc loc, const char *hint, const char *text)
{
	bh_diag_add(reading->diags, BH_SEVERITY_ERROR, code, loc, hint, "%s", text);
}

/* May the sentence stand here? */
static bool fits_subject(struct reading *reading, const struct bh_english_match *match)
{
	enum bh_english_subject subject = bh_english_form_subject(match->sentence);
	struct bh_loc loc = match->words.first->loc;
	char quote[96], text[160];

	bh_english_quote(match->words, true, quote, sizeof(quote));
	if (subject == BH_SUBJECT_TOOL && !reading->build.tool) {
		refuse(reading, "L010", loc, "start with 'Tool NAME runs PATHS.'",
		       bh_english_is(match->words.first, "It") ? "'It' has no subject here" :
								 "'its' has no subject here");
		return false;
	}
	if (subject == BH_SUBJECT_POLICY && reading->build.tool) {
		snprintf(text, sizeof(text), "'%s' is about the policy, but 'It' is the tool above", quote);
		refuse(reading, "L011", loc, "put it before the first 'Tool NAME runs PATHS.'", text);
		return false;
	}
	return true;
}

/* A sentence about a tool that nobody understands is still where the next "It" belongs. */
static void recover_tool(struct reading *reading, struct bh_english_words words)
{
	struct bh_english_build *build = &reading->build;

	if (words.count > 1 && bh_english_is(words.first, "Tool")) {
		struct bh_node *tools =
			bh_tree_way(build, build->document->root, "spec.tools", BH_NODE_MAP, words.first[1].loc);

		build->tool = bh_tree_add(build, tools, words.first[1].text, words.first[1].loc, BH_NODE_MAP, "",
					  words.first[1].loc);
		build->clause = NULL;
	}
}

static void put(struct reading *reading, struct bh_english_match *match)
{
	reading->end_meant = false;
	if (match->sentence == BH_SENTENCE_END) {
		reading->ended = true;
	} else if (fits_subject(reading, match)) {
		reading->build.match = match;
		bh_english_put(&reading->build);
	}
}

/* Could a sentence begin with this word? With a capital, as people write where a new one begins. */
static bool begins_sentence(const struct bh_english_forms *forms, const struct bh_english_word *word)
{
	if (word->quoted)
		return false;
	for (unsigned int i = 0; i < BH_SENTENCES; i++) {
		const struct bh_english_step *step = &forms->forms[i].steps[0];

		if (strlen(word->text) == step->length && memcmp(word->text, step->text, step->length) == 0)
			return true;
	}
	return false;
}

/* Where a second sentence begins within the words: what stands before or from there on is whole. 0: nowhere. */
static size_t find_run_on(const struct bh_english_forms *forms, struct bh_english_words words)
{
	struct bh_english_match match;

	for (size_t at = 1; at < words.count; at++) {
		struct bh_english_words before = { words.first, at }, rest = { words.first + at, words.count - at };

		if (!begins_sentence(forms, rest.first) || words.first[at - 1].comma)
			continue;
		if (bh_english_match(forms, before, &match) || bh_english_match(forms, rest, &match))
			return at;
	}
	return 0;
}

static void refuse_run_on(struct reading *reading, const struct bh_english_word *before,
			  const struct bh_english_word *next)
{
	char text[120], hint[120];

	snprintf(text, sizeof(text), "two sentences run together before '%.60s'", next->text);
	snprintf(hint, sizeof(hint), "put a full stop after '%.60s'", before->text);
	refuse(reading, "L001", next->loc, hint, text);
}

/* Finding out what was meant takes time; behind those that are shown, errors are only counted. */
static void read_unknown(struct reading *reading, struct bh_english_words words)
{
	enum bh_english_sentence closest = BH_SENTENCES;

	if (bh_diags_errors(reading->diags) < ERRORS_SHOWN)
		closest = bh_english_diagnose(reading->forms, words, reading->diags);
	else
		refuse(reading, "L040", words.first->loc, NULL, "not a policy sentence");
	reading->end_meant = closest == BH_SENTENCE_END;
	recover_tool(reading, words);
}

/* The words up to a full stop: one sentence, or several that nobody has separated. */
static void read_sentences(struct reading *reading, struct bh_english_words words)
{
	while (words.count > 0) {
		struct bh_english_words rest = { words.first + words.count, 0 };
		struct bh_english_match match;
		bool understood = bh_english_match(reading->forms, words, &match);
		size_t second = understood ? 0 : find_run_on(reading->forms, words);

		if (second) {
			refuse_run_on(reading, &words.first[second - 1], &words.first[second]);
			rest = (struct bh_english_words){ words.first + second, words.count - second };
			words.count = second;
			understood = bh_english_match(reading->forms, words, &match);
		}
		if (understood)
			put(reading, &match);
		else
			read_unknown(reading, words);
		words = rest;
	}
}

static void check_end(struct reading *reading)
{
	const struct bh_english_word *last = &reading->text.words[reading->text.count - 1];
	char hint[120];

	if (!last->stop) {
		snprintf(hint, sizeof(hint), "put a full stop after '%.60s'", last->text);
		refuse(reading, "L001", last->loc, hint, "the last sentence has no end");
	}
	if (!reading->ended && !reading->end_meant)
		refuse(reading, "L003", last->loc,
		       "the sentence states the default; it is required so that a reader sees it",
		       "the policy must end with 'Nothing else is allowed.'");
}

static void read_text(struct reading *reading)
{
	const struct bh_english_text *text = &reading->text;
	size_t from = 0;

	while (from < text->count && !reading->build.out_of_memory) {
		struct bh_english_words words = { &text->words[from], 1 };

		if (reading->ended) {
			refuse(reading, "L002", words.first->loc, "move it up, or remove it",
			       "text after 'Nothing else is allowed.'");
			return;
		}
		while (!words.first[words.count - 1].stop && from + words.count < text->count)
			words.count++;
		from += words.count;
		if (from == words.count && !bh_english_is(words.first, "Policy"))
			refuse(reading, "L010", words.first->loc, NULL, "a policy starts with 'Policy NAME.'");
		read_sentences(reading, words);
	}
	check_end(reading);
}

/* Names of destinations that the text itself gives must not be given to another one. */
static unsigned int highest_number(const struct bh_english_text *text)
{
	static const char prefix[] = "destination-";
	unsigned int highest = 0;

	for (size_t i = 0; i < text->count; i++) {
		const char *digits = text->words[i].text + strlen(prefix);
		unsigned long number;

		if (strncmp(text->words[i].text, prefix, strlen(prefix)) != 0 || strspn(digits, "0123456789") > 6)
			continue;
		number = strtoul(digits, NULL, 10);
		highest = number > highest ? (unsigned int)number : highest;
	}
	return highest;
}

/* Every mapping is complete now. The tree is a few levels deep. */
static int complete(struct bh_node *node, struct bh_diags *diags)
{
	int r = 0;

	for (struct bh_node *child = node->first; child && r == 0; child = child->next)
		if (child->kind != BH_NODE_WORD)
			r = complete(child, diags);
	if (r == 0 && node->kind == BH_NODE_MAP)
		r = bh_node_complete(node, diags);
	return r;
}

static int read_document(struct reading *reading, struct bh_document *document)
{
	struct bh_loc start = reading->text.words[0].loc;

	document->root = bh_node_new(document, BH_NODE_MAP, start, "", 0);
	if (!document->root)
		return -ENOMEM;
	reading->build = (struct bh_english_build){
		.document = document,
		.diags = reading->diags,
		.forms = reading->forms,
		.destinations = highest_number(&reading->text),
	};
	read_text(reading);
	document->partial = bh_diags_errors(reading->diags) > 0;
	if (reading->build.out_of_memory)
		return bh_node_none(document, reading->diags, start);
	return complete(document->root, reading->diags);
}

int bh_english_parse(const char *text, size_t length, struct bh_diags *diags, struct bh_document *ret_document)
{
	BH_FREE struct bh_english_forms *forms = bh_english_forms_new();
	struct reading reading = { .forms = forms, .diags = diags };
	struct bh_document document = { 0 };
	int r;

	if (!forms)
		return -ENOMEM;
	bh_diags_keep_errors(diags, ERRORS_SHOWN);
	r = bh_english_lex(text, length, diags, &reading.text);
	if (r < 0)
		return r;
	r = read_document(&reading, &document);
	bh_english_text_done(&reading.text);
	if (r < 0)
		bh_document_done(&document);
	else
		*ret_document = document;
	return r;
}

bool bh_english_begins(const char *text, size_t length)
{
	const char *at = text, *end = text + length, *word, *next;
	size_t letters;

	for (;;) {
		while (at < end && (*at == ' ' || *at == '\n'))
			at++;
		if (at == end || *at != '#')
			break;
		while (at < end && *at != '\n')
			at++;
	}
	word = at;
	while (at < end && ((*at >= 'A' && *at <= 'Z') || (*at >= 'a' && *at <= 'z')))
		at++;
	letters = (size_t)(at - word);
	next = at;
	while (next < end && (*next == ' ' || *next == '\n'))
		next++;
	if (next == at || next == end || *next == ':' || *next == '#')
		return false;
	return bh_english_may_begin(word, letters);
}
