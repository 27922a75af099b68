/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Just outside of what a program may be given: words that are one letter off, options that are not listed or that run other
 * programs, too many words; variables that are missing, wrong or obeyed by the loader; another content.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "verify/checks.h"

#define UNLISTED "--bulkhead-unlisted"

/* Data: which options and variables of a program run others. */
static const struct {
	const char *program, *option, *value;
} options[] = {
#define BH_PROGRAM_OPTION(program, option, value) { program, option, value },
#include "../../rules/program-options.def"
#undef BH_PROGRAM_OPTION
};

static const struct {
	const char *program, *variable;
} variables[] = {
#define BH_PROGRAM_VARIABLE(program, variable) { program, variable },
#include "../../rules/program-variables.def"
#undef BH_PROGRAM_VARIABLE
};

/* Is this the name of the program's file, maybe with a version behind it? "" is every program's. */
static bool is_program(const char *path, const char *program)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t length = strlen(program);

	return !length ||
	       (strncmp(name, program, length) == 0 && name[length + strspn(name + length, "0123456789.-")] == '\0');
}

bool bh_option_runs_programs(const char *path, const char *option)
{
	size_t length = strcspn(option, ":=");

	for (size_t i = 0; i < BH_COUNT_OF(options); i++)
		if (is_program(path, options[i].program) && strcspn(options[i].option, "=") == length &&
		    strncmp(options[i].option, option, length) == 0)
			return true;
	return false;
}

/* One way into a tool while its neighbours are asked about. */
struct entry {
	struct bh_checks *checks;
	const struct bh_rule *rule;
	unsigned int tool;
	struct bh_buf args, env; /* blocks under construction */
	struct bh_buf usual_args, usual_env; /* what the rule asks for */
};

static void put(struct entry *entry, struct bh_buf *block, const char *word)
{
	bh_buf_add(block, word, strlen(word) + 1);
	if (block->error)
		entry->checks->error = block->error;
}

static void put_variable(struct entry *entry, const struct bh_pair *pair, const char *more)
{
	bh_buf_print(&entry->env, "%s=%s%s", pair->word.text, pair->value.text ? pair->value.text : "", more);
	put(entry, &entry->env, "");
}

static void reset(struct bh_buf *block, const struct bh_buf *usual)
{
	block->length = 0;
	if (usual->length)
		bh_buf_add(block, usual->bytes, usual->length);
}

/* Asks about what was put together, and goes back to the usual. */
static void ask(struct entry *entry)
{
	struct bh_query query = { .action = BH_ACTION_RUN,
				  .tool = entry->tool,
				  .path = entry->rule->path,
				  .args = { entry->args.bytes, entry->args.length },
				  .variables = { entry->env.bytes, entry->env.length } };

	bh_checks_add(entry->checks, &query, "boundary", false);
	reset(&entry->args, &entry->usual_args);
	reset(&entry->env, &entry->usual_env);
}

/* Words instead of the usual ones. NULL ends them. */
static void ask_words(struct entry *entry, const char *const *words)
{
	entry->args.length = 0;
	for (size_t i = 0; words[i]; i++)
		put(entry, &entry->args, words[i]);
	ask(entry);
}

static void ask_letter_more(struct entry *entry, const char *before, const char *word)
{
	char text[BH_ARGS_WORD_MAX + 2];

	snprintf(text, sizeof(text), "%.*sx", (int)BH_ARGS_WORD_MAX, word);
	ask_words(entry, before ? (const char *const[]){ before, text, NULL } : (const char *const[]){ text, NULL });
}

/* One word more than may be. */
static void ask_too_many(struct entry *entry, const char *first)
{
	entry->args.length = 0;
	if (first)
		put(entry, &entry->args, first);
	for (unsigned int i = first ? 1 : 0; i <= BH_ARGS_WORDS_MAX; i++)
		put(entry, &entry->args, "x");
	ask(entry);
}

static void ask_exact(struct entry *entry, const struct bh_args_clause *clause)
{
	const struct bh_words *exact = &clause->exact;

	for (size_t left = 0; left < 4; left++) { /* all; one missing; one more; the last one letter longer */
		entry->args.length = 0;
		for (size_t i = 0; i + (left == 1) < exact->count; i++) {
			bh_buf_print(&entry->args, left == 3 && i + 1 == exact->count ? "%sx" : "%s",
				     exact->items[i].text);
			put(entry, &entry->args, "");
		}
		if (left == 2)
			put(entry, &entry->args, "x");
		ask(entry);
	}
}

/* An option as it would be given: "-m:1" is followed by a word. */
static void ask_option(struct entry *entry, const char *first, const char *item)
{
	size_t length = strlen(item);
	bool takes = length > 2 && strcmp(item + length - 2, ":1") == 0;
	char name[BH_ARGS_WORD_MAX + 1];

	snprintf(name, sizeof(name), "%.*s", (int)(takes ? length - 2 : length), item);
	entry->args.length = 0;
	if (first)
		put(entry, &entry->args, first);
	put(entry, &entry->args, name);
	if (takes)
		put(entry, &entry->args, "x");
	ask(entry);
	ask_letter_more(entry, first, name);
}

/* An option before the subcommand and behind it. */
static void ask_around_first(struct entry *entry, const char *first, const char *option, const char *value)
{
	const char *next = value[0] ? value : first;

	if (!first)
		ask_words(entry, (const char *const[]){ option, value[0] ? value : NULL, NULL });
	else
		ask_words(entry, (const char *const[]){ option, next, value[0] ? first : NULL, NULL });
	if (first)
		ask_words(entry, (const char *const[]){ first, option, value[0] ? value : NULL, NULL });
}

static void ask_subcommands(struct entry *entry, const struct bh_args_clause *clause)
{
	const char *first = clause->first.count ? clause->first.items[0].text : NULL;

	for (size_t i = 0; i < clause->first.count; i++) {
		ask_words(entry, (const char *const[]){ clause->first.items[i].text, NULL });
		ask_letter_more(entry, NULL, clause->first.items[i].text);
	}
	ask_words(entry, (const char *const[]){ NULL });
	ask_around_first(entry, first, UNLISTED, "");
	for (size_t i = 0; i < clause->options.count; i++)
		ask_option(entry, first, clause->options.items[i].text);
	for (size_t i = 0; i < BH_COUNT_OF(options); i++)
		if (is_program(entry->rule->path, options[i].program))
			ask_around_first(entry, first, options[i].option, options[i].value);
	ask_around_first(entry, first, "--", "");
	ask_around_first(entry, first, "--", "-x");
	ask_around_first(entry, first, "", "");
	ask_around_first(entry, first, "x", "");
	ask_around_first(entry, first, "ext::sh", "");
	ask_around_first(entry, first, "$x", "");
	ask_too_many(entry, first);
}

static void ask_any(struct entry *entry, const struct bh_args_clause *clause)
{
	for (size_t left = 0; left <= clause->require.count; left++) { /* with one of them missing, or none */
		entry->args.length = 0;
		for (size_t i = 0; i < clause->require.count; i++)
			if (i != left)
				put(entry, &entry->args, clause->require.items[i].text);
		ask(entry);
	}
	for (size_t i = 0; i < clause->refuse.count; i++) {
		put(entry, &entry->args, clause->refuse.items[i].text);
		ask(entry);
		bh_buf_print(&entry->args, "%s=x", clause->refuse.items[i].text);
		put(entry, &entry->args, "");
		ask(entry);
	}
	for (size_t i = 0; i < BH_COUNT_OF(options); i++)
		if (is_program(entry->rule->path, options[i].program)) {
			put(entry, &entry->args, options[i].option);
			if (options[i].value[0])
				put(entry, &entry->args, options[i].value);
			ask(entry);
		}
	ask_too_many(entry, NULL);
}

static void ask_arguments(struct entry *entry)
{
	for (size_t i = 0; i < entry->rule->args_count; i++) {
		const struct bh_args_clause *clause = &entry->rule->args[i];

		if (clause->kind == BH_ARGS_EXACT)
			ask_exact(entry, clause);
		else if (clause->kind == BH_ARGS_WORDS)
			ask_subcommands(entry, clause);
		else
			ask_any(entry, clause);
	}
}

/* Each required variable is missing, or has another value; all are there. */
static void ask_required(struct entry *entry, const struct bh_env *env)
{
	for (size_t left = 0; left < 2 * env->require.count + 1; left++) {
		entry->env.length = 0;
		for (size_t i = 0; i < env->require.count; i++)
			if (left != 2 * i)
				put_variable(entry, &env->require.items[i], left == 2 * i + 1 ? "x" : "");
		ask(entry);
	}
}

static void ask_environment(struct entry *entry)
{
	const struct bh_env *env = entry->rule->env;

	if (env)
		ask_required(entry, env);
	for (size_t i = 0; env && i < env->keep.count; i++) { /* a name that is kept, or begins like that */
		const char *keep = env->keep.items[i].text;

		bh_buf_print(&entry->env, "%.*s", (int)strcspn(keep, "*"), keep);
		put(entry, &entry->env, "x=1");
		ask(entry);
		bh_buf_print(&entry->env, "%.*s", (int)strcspn(keep, "*"), keep);
		put(entry, &entry->env, "=1");
		ask(entry);
	}
	put(entry, &entry->env, "BULKHEAD_UNLISTED=1");
	ask(entry);
	for (size_t i = 0; i < BH_COUNT_OF(variables); i++)
		if (is_program(entry->rule->path, variables[i].program)) {
			put(entry, &entry->env, variables[i].variable);
			ask(entry);
		}
}

static unsigned int digit(char c)
{
	return c <= '9' ? (unsigned int)(c - '0') : (unsigned int)(c - 'a' + 10);
}

/* The right content, and one bit off. */
static void ask_content(struct entry *entry)
{
	struct bh_query query = { .action = BH_ACTION_RUN,
				  .tool = entry->tool,
				  .path = entry->rule->path,
				  .args = { entry->args.bytes, entry->args.length },
				  .variables = { entry->env.bytes, entry->env.length } };
	uint8_t content[32];

	for (size_t i = 0; i < sizeof(content); i++)
		content[i] = (uint8_t)(digit(entry->rule->sha256[2 * i]) << 4 | digit(entry->rule->sha256[2 * i + 1]));
	query.sha256 = content;
	bh_checks_add(entry->checks, &query, "boundary", false);
	content[31] ^= 1;
	bh_checks_add(entry->checks, &query, "boundary", false);
}

void bh_boundary_entry(const struct bh_exam *exam, const struct bh_rule *rule, struct bh_checks *checks)
{
	struct entry entry = { .checks = checks, .rule = rule, .tool = bh_rule_tool(exam, rule) };

	bh_entry_usual(rule, &entry.usual_args, &entry.usual_env);
	reset(&entry.args, &entry.usual_args);
	reset(&entry.env, &entry.usual_env);
	ask_arguments(&entry);
	ask_environment(&entry);
	if (rule->sha256)
		ask_content(&entry);
	if (entry.args.error || entry.env.error || entry.usual_args.error || entry.usual_env.error)
		checks->error = -ENOMEM;
	bh_buf_done(&entry.args);
	bh_buf_done(&entry.env);
	bh_buf_done(&entry.usual_args);
	bh_buf_done(&entry.usual_env);
}
