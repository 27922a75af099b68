/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of sentences and what reads it. What is said about sentences that are none: tests/golden/messages/english. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "policy/english.h"
#include "policy/english_parts.h"
#include "policy/parse.h"

#define WHOLE "tests/fuzz/corpus/english/whole.txt"

static char *slurp(const char *path, size_t *ret_length)
{
	BH_FCLOSE FILE *file = fopen(path, "re");
	char *text = calloc(1, BH_SOURCE_MAX + 1);

	if (!file || !text)
		fail_msg("%s cannot be read", path);
	*ret_length = fread(text, 1, BH_SOURCE_MAX, file);
	return text;
}

/* A text in words, and the table. */
struct words {
	struct bh_diags *diags;
	struct bh_english_text text;
	struct bh_english_forms *forms;
};

static struct words split(const char *text)
{
	struct words words = { .diags = bh_diags_new("t", text, strlen(text)), .forms = bh_english_forms_new() };

	assert_true(words.diags && words.forms);
	assert_int_equal(bh_english_lex(text, strlen(text), words.diags, &words.text), 0);
	return words;
}

static void words_done(struct words *words)
{
	bh_english_text_done(&words->text);
	bh_diags_free(words->diags);
	free(words->forms);
}

/* The words from *at up to a full stop. */
static struct bh_english_words next_sentence(const struct words *words, size_t *at)
{
	struct bh_english_words sentence = { &words->text.words[*at], 0 };

	do
		sentence.count++;
	while (!words->text.words[(*at)++].stop && *at < words->text.count);
	return sentence;
}

static void words_lose_what_stands_around_them(void **state)
{
	static const struct {
		const char *text;
		bool quoted, comma, stop;
	} wanted[] = {
		{ "It", false, false, false },	      { "a.b", false, true, false },	  { "c", false, false, true },
		{ "x, \"y\".\\", true, true, false }, { "", true, false, true },	  { "#d", false, false, false },
		{ "e", false, true, false },	      { "line\nend", true, false, true },
	};
	struct words words =
		split("# none\nIt a.b, c.\n  # none, too\n\"x, \\\"y\\\".\\\\\",\n\"\". #d e , \"line\\nend\".\n");

	assert_int_equal(bh_diags_count(words.diags), 0);
	assert_int_equal(words.text.count, BH_COUNT_OF(wanted));
	for (size_t i = 0; i < BH_COUNT_OF(wanted); i++) {
		const struct bh_english_word *word = &words.text.words[i];

		assert_string_equal(word->text, wanted[i].text);
		assert_int_equal(word->quoted, wanted[i].quoted);
		assert_int_equal(word->comma, wanted[i].comma);
		assert_int_equal(word->stop, wanted[i].stop);
	}
	assert_int_equal(words.text.words[1].loc.line, 2);
	assert_int_equal(words.text.words[1].loc.column, 4);
	assert_int_equal(words.text.words[1].loc.width, 3);
	assert_int_equal(words.text.words[3].loc.line, 4);
	words_done(&words);
}

/* Sentences that contradict others of the text that has all the rest. */
#define OTHERS                                                                                                         \
	"It is enforced. It only observes. Names are not resolved. Any name is resolved by 10.0.0.1 because \"x\". "   \
	"Tools see their own entries of /proc."

static void every_sentence_is_one_of_one_form_only(void **state)
{
	size_t length = 0, seen[BH_SENTENCES] = { 0 };
	BH_FREE char *text = slurp(WHOLE, &length);
	struct words words;

	strcat(text, OTHERS);
	words = split(text);
	for (size_t at = 0; at < words.text.count;) {
		struct bh_english_words sentence = next_sentence(&words, &at);
		struct bh_english_match match, other;
		struct bh_english_form form;

		if (!bh_english_match(words.forms, sentence, &match))
			fail_msg("no sentence in line %u", sentence.first->loc.line);
		seen[match.sentence]++;
		form = words.forms->forms[match.sentence];
		words.forms->forms[match.sentence].count = 0;
		if (bh_english_match(words.forms, sentence, &other))
			fail_msg("'%s' and '%s' share one", form.text, bh_english_form_text(other.sentence));
		words.forms->forms[match.sentence] = form;
	}
	for (size_t i = 0; i < BH_SENTENCES; i++)
		if (!seen[i])
			fail_msg("%s lacks '%s'", WHOLE, bh_english_form_text(i));
	words_done(&words);
}

static void words_of_forms_count_in_any_case(void **state)
{
	struct words words = split("iT MAY read The Files /A and /B.");
	struct bh_english_words sentence = { words.text.words, words.text.count };
	const struct bh_english_word *item;
	struct bh_english_match match;
	size_t at = 0;

	assert_true(bh_english_match(words.forms, sentence, &match));
	assert_int_equal(match.sentence, BH_SENTENCE_READ);
	assert_true(bh_english_next(match.slots[0], &at, &item));
	assert_string_equal(item->text, "/A");
	assert_true(bh_english_next(match.slots[0], &at, &item));
	assert_string_equal(item->text, "/B");
	assert_false(bh_english_next(match.slots[0], &at, &item));
	words_done(&words);
}

static void what_may_be_left_out_is_found_by_its_first_words(void **state)
{
	struct words words = split("Tool a runs /b with subcommands c and d. It may reach e on port 1 by TLS name.");
	struct bh_english_match match;
	size_t at = 0;

	assert_true(bh_english_match(words.forms, next_sentence(&words, &at), &match));
	assert_int_equal(match.sentence, BH_SENTENCE_TOOL);
	assert_int_equal(match.slots[1].count, 1);
	assert_int_equal(match.slots[2].count, 0);
	assert_int_equal(match.slots[3].count, 3); /* with "and" */
	assert_true(bh_english_match(words.forms, next_sentence(&words, &at), &match));
	assert_int_equal(match.sentence, BH_SENTENCE_REACH);
	assert_int_equal(match.choices[0], 0);
	assert_int_equal(match.choices[1], 1);
	assert_int_equal(match.slots[2].count, 0);
	words_done(&words);
}

static void lists_are_whole(void **state)
{
	static const char *const none[] = {
		"It may read the files /a, and.",	"It may read the files /a /b.",
		"It may read the files and /a.",	"It may read the files.",
		"It may read the files /a and and /b.", "It may read the, file /a.",
		"It may read the files /a,.",		"It runs, code.",
		"It takes exactly the arguments a b.",	"If a is over 1 kill the sandbox.",
	};

	for (size_t i = 0; i < BH_COUNT_OF(none); i++) {
		struct words words = split(none[i]);
		struct bh_english_match match;

		if (bh_english_match(words.forms, (struct bh_english_words){ words.text.words, words.text.count },
				     &match))
			fail_msg("'%s' fits '%s'", none[i], bh_english_form_text(match.sentence));
		words_done(&words);
	}
}

static void a_form_is_shown_as_it_is_written(void **state)
{
	BH_FREE struct bh_english_forms *forms = bh_english_forms_new();
	char word[32];

	assert_non_null(forms);
	for (size_t i = 0; i < BH_SENTENCES; i++) {
		const struct bh_english_form *form = &forms->forms[i];

		assert_true(form->count > 1);
		assert_true(isupper((unsigned char)form->text[0]));
		assert_true(form->steps[0].kind == BH_STEP_WORD);
		for (size_t k = 0; k < form->count; k++)
			if (form->steps[k].kind == BH_STEP_WORD)
				assert_null(strpbrk(bh_english_step_word(&form->steps[k], true, word, sizeof(word)),
						    "()|[]"));
	}
}

static bool begins(const char *text)
{
	return bh_english_begins(text, strlen(text));
}

static void english_is_told_from_yaml_by_its_first_words(void **state)
{
	assert_true(begins("Policy a.\n"));
	assert_true(begins("# x\n\n  # y: z\npolicy a"));
	assert_true(begins("It runs code."));
	assert_true(begins("Nothing\nelse"));
	assert_false(begins("Policy: a\n"));
	assert_false(begins("Policy : a\n"));
	assert_false(begins("Policy\n"));
	assert_false(begins("Policy # a\n"));
	assert_false(begins("apiVersion: bulkhead.dev/v1\n"));
	assert_false(begins("Apply the policy."));
	assert_false(begins("{Policy a.}"));
	assert_false(begins("# Policy a."));
	assert_false(begins(""));
	assert_false(begins(" "));
}

/* No matter how it is cut. */
static void every_beginning_of_a_text_has_an_answer(void **state)
{
	size_t length = 0;
	BH_FREE char *text = slurp(WHOLE, &length);
	struct bh_shipped *shipped = NULL;

	assert_int_equal(bh_shipped_load(&shipped, NULL), 0);
	for (size_t cut = 0; cut + 1 < length; cut += 3) {
		BH_FREE char *part = strndup(text, cut);
		struct bh_diags *diags = bh_diags_new("t", part, cut);
		struct bh_source_policy *policy = NULL;

		assert_int_equal(bh_policy_parse(part, cut, shipped, diags, &policy), -EINVAL);
		assert_true(bh_diags_errors(diags) > 0);
		assert_true(bh_diags_count(diags) <= 60); /* 20 of each severity */
		bh_diags_free(diags);
	}
	bh_shipped_free(shipped);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_lose_what_stands_around_them),
		cmocka_unit_test(every_sentence_is_one_of_one_form_only),
		cmocka_unit_test(words_of_forms_count_in_any_case),
		cmocka_unit_test(what_may_be_left_out_is_found_by_its_first_words),
		cmocka_unit_test(lists_are_whole),
		cmocka_unit_test(a_form_is_shown_as_it_is_written),
		cmocka_unit_test(english_is_told_from_yaml_by_its_first_words),
		cmocka_unit_test(every_beginning_of_a_text_has_an_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
