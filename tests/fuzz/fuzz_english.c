// SPDX-License-Identifier: GPL-2.0-only
/* Sentences as a stranger may write them: parsed, their findings printed, compiled; and what was understood is said again, in other words, with the same meaning. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/compile.h"
#include "policy/english.h"
#include "policy/parse.h"
#include "tests/fuzz/shipped.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

#define BEGINNING "Policy a.\n"

/* A text with its findings, its model and what it compiles to; NULL where there is none. */
struct one {
	struct bh_diags *diags;
	struct bh_source_policy *policy;
	struct bh_compiled *compiled;
};

static struct one read_one(const char *text, size_t length)
{
	struct one one = { .diags = bh_diags_new("fuzz.txt", text, length) };

	if (one.diags && !bh_policy_parse(text, length, fuzz_shipped(), one.diags, &one.policy))
		bh_compile(one.policy, fuzz_shipped(), NULL, one.diags, &one.compiled);
	return one;
}

static void one_done(struct one *one)
{
	bh_compiled_free(one->compiled);
	bh_source_policy_free(one->policy);
	bh_diags_free(one->diags);
}

static void print_findings(const struct bh_diags *diags)
{
	BH_FREE char *printed = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&printed, &size);

	if (!out)
		abort();
	bh_diags_print(diags, out, false);
	fclose(out);
	for (size_t i = 0; i < size; i++)
		if ((printed[i] < ' ' && printed[i] != '\n') || printed[i] == 0x7f)
			abort(); /* a source must not drive the terminal */
}

/* What is printed must be read as the same policy, and nothing may be without a sentence. */
static void say_again(const struct one *one)
{
	struct bh_diags *unsaid = bh_diags_new("", "", 0);
	struct bh_buf text = { 0 };
	struct one again;

	if (!unsaid || bh_english_print(one->policy, fuzz_shipped(), &text, unsaid))
		abort();
	again = read_one((const char *)text.bytes, text.length);
	if (!again.compiled || strcmp(bh_compiled_hash(one->compiled), bh_compiled_hash(again.compiled)) != 0) {
		fprintf(stderr, "said again as:\n%s", (const char *)text.bytes);
		bh_diags_print(again.diags, stderr, false);
		abort();
	}
	one_done(&again);
	bh_buf_done(&text);
	bh_diags_free(unsaid);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	bool begins = bh_english_begins((const char *)data, length);
	struct bh_buf text = { 0 };
	struct one one;

	if (!begins)
		bh_buf_add(&text, BEGINNING, strlen(BEGINNING));
	bh_buf_add(&text, data, length);
	if (text.error)
		abort();
	one = read_one((const char *)text.bytes, text.length);
	if (one.compiled)
		say_again(&one);
	if (one.diags)
		print_findings(one.diags);
	one_done(&one);
	bh_buf_done(&text);
	return 0;
}
