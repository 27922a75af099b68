/* SPDX-License-Identifier: GPL-2.0-only */
/* Random policies, and files of policies, compiled. */
#ifndef TESTS_BPF_POLICIES_H
#define TESTS_BPF_POLICIES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "policy/parse.h"
#include "tests/bpf/sources.h"

/* The shipped rules with random walls in place of their own; the words live as long as the program. */
static inline struct bh_shipped random_walls(const struct bh_shipped *shipped)
{
	static const char *const roots[] = { "/p", "/q", "/w", "/home", "/p/a", "/h" };
	static char texts[8][64], names[2][8] = { "guard", "floor" };
	static struct bh_word words[8];
	static struct bh_prohibition walls[2];
	struct bh_shipped here = *shipped;

	for (uint32_t i = 0; i < 8; i++) {
		random_pattern(texts[i], roots, 6);
		words[i].text = texts[i];
	}
	for (uint32_t i = 0; i < 2; i++) {
		walls[i].name.text = names[i];
		walls[i].read = (struct bh_words){ &words[4 * i], roll(3) };
		walls[i].write = (struct bh_words){ &words[4 * i + 2], roll(3) };
	}
	here.guards = &walls[0];
	here.floors = &walls[1];
	here.guards_count = here.floors_count = 1;
	return here;
}

/* Reads and compiles. 0, or negative errno when the policy is refused. */
static inline int compile_text(const char *text, const struct bh_shipped *shipped, struct bh_compiled **ret_compiled)
{
	struct bh_diags *diags = bh_diags_new("policy", text, strlen(text));
	struct bh_source_policy *source = NULL;
	int result = bh_policy_parse(text, strlen(text), shipped, diags, &source);

	if (!result)
		result = bh_compile(source, shipped, NULL, diags, ret_compiled);
	bh_source_policy_free(source);
	bh_diags_free(diags);
	return result;
}

/* A random policy that passes the compiler. */
static inline struct bh_compiled *compile_random(const struct bh_shipped *shipped)
{
	struct bh_compiled *compiled = NULL;

	while (compile_text(random_policy(), shipped, &compiled))
		;
	return compiled;
}

/* The file's policy; NULL when it cannot be read or does not compile. */
static inline struct bh_compiled *compile_file(const char *path, const struct bh_shipped *shipped)
{
	static char text[BH_SOURCE_MAX + 1];
	FILE *file = fopen(path, "re");
	struct bh_compiled *compiled = NULL;
	size_t length;

	if (!file)
		return NULL;
	length = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[length] = '\0';
	return compile_text(text, shipped, &compiled) ? NULL : compiled;
}

#endif
