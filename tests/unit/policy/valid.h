/* SPDX-License-Identifier: GPL-2.0-only */
/* Valid policies for the tests of the front end. */
#ifndef BH_TESTS_POLICY_VALID_H
#define BH_TESTS_POLICY_VALID_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "policy/parse.h"

#define HEAD                                                                                                           \
	"apiVersion: bulkhead.dev/v1\n"                                                                                \
	"kind: SandboxPolicy\n"                                                                                        \
	"metadata: {name: sample}\n"

static struct bh_shipped *shipped;

static inline int load_shipped(void **state)
{
	struct bh_err err = { 0 };
	int r = bh_shipped_load(&shipped, &err);

	if (r < 0)
		print_error("%s\n", err.text);
	return r;
}

static inline int free_shipped(void **state)
{
	bh_shipped_free(shipped);
	return 0;
}

/* The model of a text that has no errors. */
static inline struct bh_source_policy *parse_valid(const char *text)
{
	struct bh_diags *diags = bh_diags_new("p", text, strlen(text));
	struct bh_source_policy *policy = NULL;
	int r = bh_policy_parse(text, strlen(text), shipped, diags, &policy);

	if (r < 0)
		bh_diags_print(diags, stderr, false);
	bh_diags_free(diags);
	assert_int_equal(r, 0);
	return policy;
}

static inline void expect_words(const struct bh_words *words, size_t count, ...)
{
	va_list args;

	assert_int_equal(words->count, count);
	va_start(args, count);
	for (size_t i = 0; i < count; i++) {
		assert_string_equal(words->items[i].text, va_arg(args, const char *));
		assert_true(words->items[i].loc.line > 0);
	}
	va_end(args);
}

#endif
