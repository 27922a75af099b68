/* SPDX-License-Identifier: GPL-2.0-only */
/* For each rule one question that it grants. */
#include <string.h>

#include "verify/checks.h"

bool bh_pattern_sample(const char *pattern, char ret_path[BH_SAMPLE_MAX])
{
	size_t used = 0;

	for (; *pattern && used + 1 < BH_SAMPLE_MAX; pattern++) {
		ret_path[used++] = *pattern == '*' || *pattern == '?' ? 'x' : *pattern;
		while (pattern[0] == '*' && pattern[1] == '*')
			pattern++;
	}
	ret_path[used] = '\0';
	return !*pattern;
}

void bh_entry_usual(const struct bh_rule *rule, struct bh_buf *args, struct bh_buf *env)
{
	const struct bh_args_clause *clause = rule->args_count ? rule->args : NULL;
	static const struct bh_words none;
	const struct bh_words *words = &none;
	size_t count;

	if (clause)
		words = clause->kind == BH_ARGS_EXACT ? &clause->exact :
			clause->kind == BH_ARGS_ANY   ? &clause->require :
							&clause->first;
	count = clause && clause->kind == BH_ARGS_WORDS && words->count ? 1 : words->count;
	for (size_t i = 0; i < count; i++)
		bh_buf_add(args, words->items[i].text, strlen(words->items[i].text) + 1);
	for (size_t i = 0; rule->env && i < rule->env->require.count; i++) {
		const struct bh_pair *pair = &rule->env->require.items[i];

		bh_buf_print(env, "%s=%s", pair->word.text, pair->value.text ? pair->value.text : "");
		bh_buf_add(env, "", 1);
	}
}
