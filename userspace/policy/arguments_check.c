/* SPDX-License-Identifier: GPL-2.0-only */
/* Could a clause match, and does it say what its author means? */
#include <stdlib.h>
#include <string.h>

#include "policy/check.h"
#include "policy/limits.h"

/* Has the word a form that can be compared at all? Says what is wrong. */
static bool check_word(const struct bh_word *word, struct bh_diags *diags)
{
	if (strlen(word->text) > BH_ARG_LIMIT) {
		BH_CHECK_ERROR(diags, "E172", word->loc, "longer words match nothing at run time",
			       "this word has more than %u bytes", BH_ARG_LIMIT);
		return false;
	}
	if (strpbrk(word->text, "\n\r\t")) {
		BH_CHECK_ERROR(diags, "E172", word->loc, NULL, "this word holds a line end or a tab");
		return false;
	}
	return true;
}

static void check_words(const struct bh_words *words, size_t most, const char *what, struct bh_diags *diags)
{
	if (words->count > most) {
		BH_CHECK_ERROR(diags, "E113", words->items[most].loc, NULL,
			       "%zu words under '%s'; at most %zu are possible", words->count, what, most);
		return;
	}
	for (size_t i = 0; i < words->count; i++)
		check_word(&words->items[i], diags);
}

static void check_exact(const struct bh_words *exact, struct bh_diags *diags)
{
	size_t bytes = 0;

	check_words(exact, BH_ARGS_LIMIT, "exact", diags);
	for (size_t i = 0; i < exact->count; i++) {
		bytes += strlen(exact->items[i].text) + 1;
		if (bytes <= BH_ARGS_BYTES_LIMIT)
			continue;
		BH_CHECK_ERROR(diags, "E172", exact->items[i].loc, "longer command lines match nothing at run time",
			       "here the words together have more than %u bytes", BH_ARGS_BYTES_LIMIT);
		return;
	}
}

/* Length of an option without the suffix that says that it takes a value; 0: it is none. */
static size_t option_length(const char *text)
{
	const char *suffix = strrchr(text, ':');
	size_t length = suffix && strcmp(suffix, ":1") == 0 ? (size_t)(suffix - text) : strlen(text);

	if (text[0] != '-' || length < 2 || (length == 2 && text[1] == '-') || strcspn(text, " =:\"'\\") < length)
		return 0;
	return length;
}

/* The same option with and without a value: which one would it be? */
static void check_option_twice(const struct bh_words *options, size_t index, struct bh_diags *diags)
{
	const char *text = options->items[index].text;
	size_t length = option_length(text);

	for (size_t i = 0; i < index; i++) {
		const char *other = options->items[i].text;

		if (option_length(other) != length || memcmp(other, text, length) != 0 || strcmp(other, text) == 0)
			continue;
		BH_CHECK_ERROR(diags, "E112", options->items[index].loc, "an option takes a value or takes none",
			       "'%s' and '%s' are the same option", other, text);
		return;
	}
}

static void check_options(const struct bh_words *options, struct bh_diags *diags)
{
	check_words(options, BH_NAMES_LIMIT, "options", diags);
	for (size_t i = 0; i < options->count && options->count <= BH_NAMES_LIMIT; i++) {
		if (option_length(options->items[i].text))
			check_option_twice(options, i, diags);
		else
			BH_CHECK_ERROR(diags, "E173", options->items[i].loc,
				       "write it as -x or --long; ':1' behind it if it takes a value",
				       "'%.80s' is not an option", options->items[i].text);
	}
}

static void check_first(const struct bh_words *first, struct bh_diags *diags)
{
	check_words(first, BH_NAMES_LIMIT, "first", diags);
	for (size_t i = 0; i < first->count; i++)
		if (first->items[i].text[0] == '-' && first->items[i].text[1])
			BH_CHECK_ERROR(diags, "E173", first->items[i].loc, "list it under 'options'",
				       "'%.80s' is an option, not a subcommand", first->items[i].text);
}

/* A refused word also refuses what gives it a value. */
static bool is_refused(const struct bh_words *refuse, const char *word)
{
	for (size_t i = 0; i < refuse->count; i++) {
		size_t length = strlen(refuse->items[i].text);

		if (strncmp(refuse->items[i].text, word, length) == 0 && (word[length] == '\0' || word[length] == '='))
			return true;
	}
	return false;
}

static void check_any(const struct bh_args_clause *clause, struct bh_diags *diags)
{
	check_words(&clause->require, BH_REQUIRE_LIMIT, "require", diags);
	check_words(&clause->refuse, BH_NAMES_LIMIT, "refuse", diags);
	for (size_t i = 0; i < clause->require.count && clause->require.count <= BH_REQUIRE_LIMIT; i++)
		if (is_refused(&clause->refuse, clause->require.items[i].text))
			BH_CHECK_ERROR(diags, "E171", clause->require.items[i].loc, "nothing could match: remove one",
				       "'%.80s' is both required and refused", clause->require.items[i].text);
}

/* Length of a variable's name at the start; 0: it is none. */
static size_t variable_length(const char *text)
{
	size_t length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");

	return text[0] >= '0' && text[0] <= '9' ? 0 : length;
}

/* A name; with `open` it may be the beginning of names, which a final '*' says. */
static void check_variable(const struct bh_word *word, bool open, struct bh_diags *diags)
{
	size_t length = variable_length(word->text);
	const char *rest = word->text + length;

	if (length > BH_VARIABLE_LIMIT)
		BH_CHECK_ERROR(diags, "E172", word->loc, NULL, "the name of a variable has more than %u bytes",
			       BH_VARIABLE_LIMIT);
	else if (strcmp(word->text, "*") == 0)
		BH_CHECK_ERROR(diags, "E174", word->loc, "without 'keep' and 'require' every variable may be there",
			       "'*' names no variable");
	else if (!length || !(*rest == '\0' || (open && strcmp(rest, "*") == 0)))
		BH_CHECK_ERROR(diags, "E174", word->loc,
			       open ? "letters, digits and '_', not beginning with a digit; a final '*' for any end" :
				      "letters, digits and '_', not beginning with a digit",
			       "'%.80s' is not the name of a variable", word->text);
}

static void check_environment(const struct bh_env *env, struct bh_diags *diags)
{
	if (env->keep.count > BH_NAMES_LIMIT)
		BH_CHECK_ERROR(diags, "E113", env->keep.items[BH_NAMES_LIMIT].loc, NULL,
			       "%zu variables under 'keep'; at most %u are possible", env->keep.count, BH_NAMES_LIMIT);
	if (env->require.count > BH_REQUIRE_LIMIT)
		BH_CHECK_ERROR(diags, "E113", env->require.items[BH_REQUIRE_LIMIT].word.loc, NULL,
			       "%zu variables under 'require'; at most %u are possible", env->require.count,
			       BH_REQUIRE_LIMIT);
	for (size_t i = 0; i < env->keep.count; i++)
		check_variable(&env->keep.items[i], true, diags);
	for (size_t i = 0; i < env->require.count; i++) {
		if (!env->require.items[i].word.text || !env->require.items[i].value.text)
			continue;
		check_variable(&env->require.items[i].word, false, diags);
		check_word(&env->require.items[i].value, diags);
	}
}

void bh_check_arguments(const struct bh_tool *tool, struct bh_diags *diags)
{
	if (tool->args_count > BH_CLAUSES_LIMIT)
		BH_CHECK_ERROR(diags, "E113", tool->args[BH_CLAUSES_LIMIT].loc, NULL,
			       "%zu clauses of arguments; at most %u are possible", tool->args_count, BH_CLAUSES_LIMIT);
	for (size_t i = 0; i < tool->args_count; i++) {
		check_exact(&tool->args[i].exact, diags);
		check_first(&tool->args[i].first, diags);
		check_options(&tool->args[i].options, diags);
		check_any(&tool->args[i], diags);
	}
	check_environment(&tool->env, diags);
}
