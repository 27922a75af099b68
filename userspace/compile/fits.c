/* SPDX-License-Identifier: GPL-2.0-only */
#include "compile/fits.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

/* Says why, for the first thing that is wrong. Returns false. */
static bool wrong(struct bh_misfit *misfit, const char *code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static bool wrong(struct bh_misfit *misfit, const char *code, const char *format, ...)
{
	va_list arguments;

	if (!misfit)
		return false;
	snprintf(misfit->code, sizeof(misfit->code), "%s", code);
	va_start(arguments, format);
	vsnprintf(misfit->text, sizeof(misfit->text), format, arguments);
	va_end(arguments);
	for (char *at = misfit->text; *at; at++)
		if (!isprint((unsigned char)*at))
			*at = '?';
	return false;
}

/* The block's strings one by one: `at` is moved behind the next one, which is returned. NULL: there is none. */
static const char *next_string(const struct bh_block *block, size_t *at)
{
	const char *string;

	if (*at >= block->length)
		return NULL;
	string = (const char *)block->bytes + *at;
	*at += strnlen(string, block->length - *at) + 1;
	return string;
}

static bool has_word(const struct bh_words *words, const char *word)
{
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->items[i].text, word) == 0)
			return true;
	return false;
}

/* ---- exact ---- */

static bool fits_exact(const struct bh_args_clause *clause, const struct bh_block *args, struct bh_misfit *misfit)
{
	size_t at = 0;
	const char *word;

	for (size_t i = 0; i < clause->exact.count; i++) {
		const char *want = clause->exact.items[i].text;

		word = next_string(args, &at);
		if (!word)
			return wrong(misfit, "A1", "'%.60s' is missing at the end", want);
		if (strcmp(word, want) != 0)
			return wrong(misfit, "A1", "word %zu is '%.60s', not '%.60s'", i + 1, word, want);
	}
	word = next_string(args, &at);
	if (word)
		return wrong(misfit, "A1", "'%.60s' is one word too many", word);
	return true;
}

/* ---- any, require, refuse ---- */

static bool is_refused(const char *word, const char *refused)
{
	size_t length = strlen(refused);

	return strncmp(word, refused, length) == 0 && (word[length] == '\0' || word[length] == '=');
}

static bool fits_any(const struct bh_args_clause *clause, const struct bh_block *args, struct bh_misfit *misfit)
{
	size_t at = 0;
	const char *word;

	while ((word = next_string(args, &at)))
		for (size_t i = 0; i < clause->refuse.count; i++)
			if (is_refused(word, clause->refuse.items[i].text))
				return wrong(misfit, "A3", "'%.60s' is refused", word);
	for (size_t i = 0; i < clause->require.count; i++) {
		const char *want = clause->require.items[i].text;

		at = 0;
		while ((word = next_string(args, &at)) && strcmp(word, want) != 0)
			;
		if (!word)
			return wrong(misfit, "A2", "'%.60s' is required", want);
	}
	return true;
}

/* ---- subcommand, options, operands ---- */

/* The option's length in the list's item, and whether it takes a value. */
static size_t option_length(const char *item, bool *ret_takes)
{
	size_t length = strlen(item);

	*ret_takes = length > 2 && item[length - 2] == ':' && item[length - 1] == '1';
	return *ret_takes ? length - 2 : length;
}

enum option {
	OPTION_ALONE = 1,
	OPTION_TAKES_NEXT,
	OPTION_UNLISTED,
	OPTION_JOINED, /* a value is joined to an option that takes none that way */
};

/*
 * A value behind an equals sign belongs to the shortest option before it that takes one; otherwise the whole word is the
 * option, and one that is listed with a value needs it.
 */
static enum option find_option(const struct bh_args_clause *clause, const char *word)
{
	enum option found = OPTION_UNLISTED;

	for (size_t i = 0; i < clause->options.count; i++) {
		const char *item = clause->options.items[i].text;
		bool takes;
		size_t length = option_length(item, &takes);

		if (strncmp(word, item, length) != 0)
			continue;
		if (takes && strncmp(word, "--", 2) == 0 && length > 2 && word[length] == '=')
			return OPTION_ALONE;
		if (word[length] == '\0' && found != OPTION_TAKES_NEXT)
			found = takes ? OPTION_TAKES_NEXT : OPTION_ALONE;
		else if (found == OPTION_UNLISTED)
			found = OPTION_JOINED;
	}
	return found;
}

static bool is_plain(const char *word)
{
	static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./@:+=,%~^-";

	return word[0] && word[strspn(word, allowed)] == '\0' && !strstr(word, "::");
}

static bool fits_operand(const struct bh_args_clause *clause, const char *word, struct bh_misfit *misfit)
{
	if (clause->operands == BH_OPERANDS_ANY)
		return true;
	if (clause->operands == BH_OPERANDS_WORDS)
		return is_plain(word) || wrong(misfit, "A8", "operand '%.60s' is not a plain word", word);
	return wrong(misfit, "A8", "operand '%.60s': there may be none", word);
}

static bool fits_option(const struct bh_args_clause *clause, const struct bh_block *args, size_t *at, const char *word,
			struct bh_misfit *misfit)
{
	switch (find_option(clause, word)) {
	case OPTION_ALONE:
		return true;
	case OPTION_TAKES_NEXT:
		return next_string(args, at) || wrong(misfit, "A4", "option '%.60s' lacks its value", word);
	case OPTION_JOINED:
		return wrong(misfit, "A6", "option '%.60s' is not listed in this spelling", word);
	default:
		return wrong(misfit, "A5", "option '%.60s' is not listed", word);
	}
}

static bool fits_words(const struct bh_args_clause *clause, const struct bh_block *args, struct bh_misfit *misfit)
{
	bool ended = false, first = clause->first.count == 0;
	size_t at = 0;
	const char *word;

	while ((word = next_string(args, &at))) {
		if (!ended && strcmp(word, "--") == 0) {
			ended = true;
		} else if (!ended && word[0] == '-' && word[1]) {
			if (!fits_option(clause, args, &at, word, misfit))
				return false;
		} else if (!first) {
			if (!has_word(&clause->first, word))
				return wrong(misfit, "A7", "subcommand '%.60s' is not listed", word);
			first = true;
		} else if (!fits_operand(clause, word, misfit)) {
			return false;
		}
	}
	return first || wrong(misfit, "A7", "the subcommand is missing");
}

/* ---- one of the clauses ---- */

static bool fits_limits(const struct bh_block *args, struct bh_misfit *misfit)
{
	size_t words = 0, at = 0;
	const char *word;

	if (args->length > BH_ARGS_MAX)
		return wrong(misfit, "A9", "more than %u words, one of more than %u bytes, or %u bytes together",
			     BH_ARGS_WORDS_MAX, BH_ARGS_WORD_MAX, BH_ARGS_MAX);
	while ((word = next_string(args, &at))) {
		if (++words > BH_ARGS_WORDS_MAX)
			return wrong(misfit, "A9", "more than %u words", BH_ARGS_WORDS_MAX);
		if (strlen(word) > BH_ARGS_WORD_MAX)
			return wrong(misfit, "A9", "a word of more than %u bytes", BH_ARGS_WORD_MAX);
	}
	return true;
}

static bool fits_clause(const struct bh_args_clause *clause, const struct bh_block *args, struct bh_misfit *misfit)
{
	switch (clause->kind) {
	case BH_ARGS_EXACT:
		return fits_exact(clause, args, misfit);
	case BH_ARGS_ANY:
		return fits_any(clause, args, misfit);
	default:
		return fits_words(clause, args, misfit);
	}
}

/* A subcommand that is listed, or a beginning that is right, comes nearer than a clause of another kind altogether. */
static unsigned int nearness(const struct bh_misfit *misfit)
{
	static const char *const codes[] = { "A1", "A7", "A5", "A6", "A4", "A8", "A3", "A2" };
	unsigned int i = 0;

	while (i < BH_COUNT_OF(codes) && strcmp(codes[i], misfit->code) != 0)
		i++;
	return i;
}

bool bh_args_fit(const struct bh_args_clause *clauses, size_t count, const struct bh_block *args,
		 struct bh_misfit *misfit)
{
	struct bh_misfit best = { "A7", "no command line is allowed" }, one;
	bool first = true;

	if (misfit)
		memset(misfit, 0, sizeof(*misfit));
	if (!fits_limits(args, misfit))
		return false;
	for (size_t i = 0; i < count; i++) {
		if (fits_clause(&clauses[i], args, &one))
			return true;
		if (first || nearness(&one) > nearness(&best))
			best = one;
		first = false;
	}
	if (misfit)
		*misfit = best;
	return false;
}

/* ---- the environment ---- */

static bool is_kept(const struct bh_env *env, const char *variable, size_t name)
{
	for (size_t i = 0; i < env->keep.count; i++) {
		const char *keep = env->keep.items[i].text;
		size_t length = strlen(keep);

		if (length && keep[length - 1] == '*') {
			if (name >= length - 1 && strncmp(variable, keep, length - 1) == 0)
				return true;
		} else if (name == length && strncmp(variable, keep, length) == 0) {
			return true;
		}
	}
	return false;
}

static bool is_of_name(const struct bh_pair *pair, const char *variable, size_t name)
{
	return strlen(pair->word.text) == name && strncmp(pair->word.text, variable, name) == 0;
}

static bool has_value(const struct bh_pair *pair, const char *variable, size_t name)
{
	return variable[name] == '=' && strcmp(variable + name + 1, pair->value.text ? pair->value.text : "") == 0;
}

/* One variable: of a required name with a required value, or of a name that is kept. */
static bool fits_variable(const struct bh_env *env, const char *variable, struct bh_misfit *misfit)
{
	size_t name = strcspn(variable, "=");
	bool required = false;

	for (size_t i = 0; i < env->require.count; i++) {
		if (!is_of_name(&env->require.items[i], variable, name))
			continue;
		if (has_value(&env->require.items[i], variable, name))
			return true;
		required = true;
	}
	if (required)
		return wrong(misfit, "E3", "variable '%.*s' has another value than the required one",
			     (int)(name > 60 ? 60 : name), variable);
	return is_kept(env, variable, name) ||
	       wrong(misfit, "E1", "variable '%.*s' may not be there", (int)(name > 60 ? 60 : name), variable);
}

bool bh_env_fits(const struct bh_env *env, const struct bh_block *variables, struct bh_misfit *misfit)
{
	size_t at = 0;
	const char *variable;

	if (misfit)
		memset(misfit, 0, sizeof(*misfit));
	if (variables->length > BH_ENV_MAX)
		return wrong(misfit, "E9", "the environment has more than %u bytes", BH_ENV_MAX);
	while ((variable = next_string(variables, &at)))
		if (!fits_variable(env, variable, misfit))
			return false;
	for (size_t i = 0; i < env->require.count; i++) {
		const struct bh_pair *pair = &env->require.items[i];
		size_t name = strlen(pair->word.text);

		at = 0;
		while ((variable = next_string(variables, &at)) &&
		       !(strcspn(variable, "=") == name && is_of_name(pair, variable, name) &&
			 has_value(pair, variable, name)))
			;
		if (!variable)
			return wrong(misfit, "E2", "variable '%.60s' is required", pair->word.text);
	}
	return true;
}

/* The string of NAME=VALUE has this name, or begins with it when that ends in `*`. */
static bool is_named(const char *variable, const char *name)
{
	size_t length = strlen(name);

	if (length && name[length - 1] == '*')
		return strncmp(variable, name, length - 1) == 0;
	return strncmp(variable, name, length) == 0 && variable[length] == '=';
}

static bool is_one_of(const char *variable, const char *const *names)
{
	while (*names && !is_named(variable, *names))
		names++;
	return *names != NULL;
}

bool bh_env_obeyed(const struct bh_family *families, uint64_t set, const struct bh_block *variables)
{
	size_t at = 0;
	const char *variable;

	if (variables->length > BH_ENV_MAX)
		return false; /* what is not looked at is not seen; the hook looks at all of it */
	while ((variable = next_string(variables, &at)))
		for (unsigned int i = 0; set >> i; i++)
			if (set >> i & 1 && is_one_of(variable, families[i].variables) &&
			    !is_one_of(variable, families[i].except))
				return true;
	return false;
}

/* ---- a rule ---- */

bool bh_rule_fits_args(const struct bh_rule *rule, const struct bh_block *args, struct bh_misfit *misfit)
{
	if (misfit)
		memset(misfit, 0, sizeof(*misfit));
	return !rule->args_given || bh_args_fit(rule->args, rule->args_count, args, misfit);
}

bool bh_rule_fits_env(const struct bh_rule *rule, const struct bh_block *variables, struct bh_misfit *misfit)
{
	if (misfit)
		memset(misfit, 0, sizeof(*misfit));
	return !rule->env || bh_env_fits(rule->env, variables, misfit);
}

bool bh_rule_fits_content(const struct bh_rule *rule, const uint8_t *sha256)
{
	char text[65];

	if (!rule->sha256 || !sha256)
		return true;
	for (size_t i = 0; i < 32; i++)
		snprintf(text + 2 * i, 3, "%02x", sha256[i]);
	return strcmp(text, rule->sha256) == 0;
}

size_t bh_block_fill(const char *const *words, size_t count, size_t words_max, uint8_t *bytes, size_t size)
{
	size_t length = 0;

	if (words_max && count > words_max)
		return size + 1;
	for (size_t i = 0; i < count; i++) {
		size_t word = strlen(words[i]) + 1;

		if ((words_max && word > BH_ARGS_WORD_MAX + 1) || word > size - length)
			return size + 1;
		memcpy(bytes + length, words[i], word);
		length += word;
	}
	return length;
}
