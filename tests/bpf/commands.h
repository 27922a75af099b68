/* SPDX-License-Identifier: GPL-2.0-only */
/* Clauses and environments made of words, and command lines near to what they say. */
#ifndef TESTS_BPF_COMMANDS_H
#define TESTS_BPF_COMMANDS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/fits.h"

/* Random numbers of the caller's: below `sides`. */
typedef uint32_t (*command_roll)(uint32_t sides);

#define COMMAND_WORDS 80u

/* A command line or an environment under construction. */
struct command {
	char text[COMMAND_WORDS][320];
	const char *words[COMMAND_WORDS];
	size_t count;
	uint8_t bytes[BH_ENV_MAX];
	struct bh_block block;
};

static inline void command_add(struct command *command, const char *word)
{
	if (command->count == COMMAND_WORDS)
		return;
	snprintf(command->text[command->count], sizeof(command->text[0]), "%s", word);
	command->words[command->count] = command->text[command->count];
	command->count++;
}

/* Words with spaces between them; "''" is the empty one. */
static inline void command_set(struct command *command, const char *words)
{
	char copy[2048], *rest, *word;

	command->count = 0;
	snprintf(copy, sizeof(copy), "%s", words);
	for (word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		command_add(command, strcmp(word, "''") == 0 ? "" : word);
}

static inline void command_close(struct command *command, bool variables)
{
	command->block.bytes = command->bytes;
	command->block.length = bh_block_fill(command->words, command->count, variables ? 0 : BH_ARGS_WORDS_MAX,
					      command->bytes, variables ? BH_ENV_MAX : BH_ARGS_MAX);
}

static inline const char *command_pick(const struct bh_words *words, command_roll roll)
{
	return words->count ? words->items[roll((uint32_t)words->count)].text : "x";
}

/* A word as it is, or with a letter more, less or other. */
static inline void command_add_near(struct command *command, const char *word, command_roll roll)
{
	char changed[320];
	size_t length = strlen(word);

	snprintf(changed, sizeof(changed), "%s", word);
	if (length && roll(8) == 0)
		changed[roll((uint32_t)length)] = "ab-=:/x"[roll(7)];
	if (length && roll(16) == 0)
		changed[length - 1] = '\0';
	if (roll(16) == 0)
		strcat(changed, roll(2) ? "a" : "=");
	command_add(command, changed);
}

static inline void command_add_option(struct command *command, const char *item, command_roll roll)
{
	char word[320];
	size_t length = strlen(item);
	bool value = length > 2 && strcmp(item + length - 2, ":1") == 0;

	snprintf(word, sizeof(word), "%.*s", (int)(value ? length - 2 : length), item);
	if (value && roll(2)) {
		strcat(word, "=v");
		value = false;
	}
	command_add_near(command, word, roll);
	if (value && roll(8))
		command_add(command, roll(2) ? "-v" : "value");
}

static inline void command_add_operand(struct command *command, command_roll roll)
{
	static const char *const operands[] = { "a",  "file.c", "a::b", "-",  "x y", "",	 "--", "dir/x",
						"-x", "a:b",	"\xff", "st", "a=b", "--long=1", "b:", ":" };

	command_add(command, operands[roll(16)]);
}

/* A command line that could fit the clause, with a little changed. */
static inline void command_random(struct command *command, const struct bh_args_clause *clause, command_roll roll)
{
	command->count = 0;
	if (clause->kind == BH_ARGS_EXACT)
		for (size_t i = 0; i < clause->exact.count; i++)
			command_add_near(command, clause->exact.items[i].text, roll);
	for (uint32_t i = roll(3); clause->kind == BH_ARGS_WORDS && i > 0; i--)
		command_add_option(command, command_pick(&clause->options, roll), roll);
	if (clause->kind == BH_ARGS_WORDS && clause->first.count)
		command_add_near(command, command_pick(&clause->first, roll), roll);
	for (uint32_t i = roll(3); clause->kind == BH_ARGS_WORDS && i > 0; i--)
		command_add_option(command, command_pick(&clause->options, roll), roll);
	for (size_t i = 0; clause->kind == BH_ARGS_ANY && i < clause->require.count; i++)
		if (roll(12))
			command_add_near(command, clause->require.items[i].text, roll);
	if (clause->kind == BH_ARGS_ANY && clause->refuse.count && roll(4) == 0)
		command_add_near(command, command_pick(&clause->refuse, roll), roll);
	for (uint32_t i = roll(4) ? roll(3) : 0; i > 0; i--)
		command_add_operand(command, roll);
	if (roll(200) == 0)
		for (uint32_t i = 60 + roll(8); command->count < i;)
			command_add(command, "a");
	if (roll(200) == 0) {
		char word[320];
		uint32_t length = 250 + roll(12);

		memset(word, 'a', length);
		word[length] = '\0';
		command_add(command, word);
	}
	command_close(command, false);
}

/* An environment that could fit, with a little changed. env NULL: any. */
static inline void command_random_env(struct command *command, const struct bh_env *env, command_roll roll)
{
	static const char *const others[] = { "LD_PRELOAD=/x", "HOME=/h", "EMPTY", "=x", "", "LD=1", "PATH=/bin:=" };
	char variable[320];

	command->count = 0;
	for (size_t i = 0; env && i < env->require.count; i++)
		if (roll(16)) {
			const char *value = env->require.items[i].value.text;

			snprintf(variable, sizeof(variable), "%s=%s%s", env->require.items[i].word.text,
				 value ? value : "", roll(20) ? "" : "x");
			command_add(command, variable);
			if (roll(12) == 0)
				command_add(command, variable);
		}
	for (uint32_t i = env && env->keep.count ? roll(4) : 0; i > 0; i--) {
		const char *name = command_pick(&env->keep, roll);

		snprintf(variable, sizeof(variable), "%.*s%s=%s", (int)strcspn(name, "*"), name,
			 strchr(name, '*') && roll(2) ? "MORE" : "", roll(2) ? "" : "value=1");
		if (roll(16) == 0)
			variable[roll((uint32_t)strlen(variable))] = 'Z';
		command_add(command, variable);
	}
	if (roll(4) == 0)
		command_add(command, others[roll(7)]);
	if (roll(200) == 0) {
		memset(variable, 'v', 300);
		memcpy(variable, "HOME=", 5);
		variable[300] = '\0';
		while (command->count < 50 + roll(10))
			command_add(command, variable);
	}
	command_close(command, true);
}

#endif
