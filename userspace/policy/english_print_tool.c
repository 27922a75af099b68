/* SPDX-License-Identifier: GPL-2.0-only */
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "policy/english_print.h"

/* The programs from *at on that one sentence can name: those without a hash, or one with it. Slots 0.. of the sentence are passed. */
static void add_binaries(struct bh_english_print *print, const struct bh_tool *tool, size_t *at, size_t slot)
{
	const struct bh_pair *first = &tool->binaries.items[*at];

	do
		bh_english_say_item(&print->say, slot, tool->binaries.items[(*at)++].word.text);
	while (!first->value.text && *at < tool->binaries.count && !tool->binaries.items[*at].value.text);
	if (first->value.text)
		bh_english_say_item(&print->say, slot + 1, first->value.text);
}

/* The clause whose subcommands stand with the program: the only one. */
static const struct bh_args_clause *leading_clause(const struct bh_tool *tool)
{
	bool leads = tool->args_count == 1 && tool->args[0].kind == BH_ARGS_WORDS && tool->args[0].first.count > 0;

	return leads ? &tool->args[0] : NULL;
}

static void print_programs(struct bh_english_print *print, const struct bh_tool *tool)
{
	const struct bh_args_clause *clause = leading_clause(tool);
	size_t at = 0;

	bh_english_say_begin(&print->say, BH_SENTENCE_TOOL);
	bh_english_say_item(&print->say, 0, tool->name.text);
	add_binaries(print, tool, &at, 1);
	for (size_t i = 0; clause && i < clause->first.count; i++)
		bh_english_say_item(&print->say, 3, clause->first.items[i].text);
	bh_english_say_end(&print->say);
	while (at < tool->binaries.count) {
		bh_english_say_begin(&print->say, BH_SENTENCE_ALSO_RUNS);
		add_binaries(print, tool, &at, 0);
		bh_english_say_end(&print->say);
	}
}

static void print_exact(struct bh_english_print *print, const struct bh_words *exact)
{
	if (exact->count > 0)
		bh_english_print_words(print, BH_SENTENCE_ARGS_EXACT, exact);
	else
		bh_english_say_plain(&print->say, BH_SENTENCE_ARGS_NONE);
}

static void print_words_clause(struct bh_english_print *print, const struct bh_args_clause *clause, bool begun)
{
	static const uint8_t operands[] = { BH_OPERANDS_NONE, BH_OPERANDS_WORDS, BH_OPERANDS_ANY };

	if (clause->first.count == 0)
		bh_english_say_plain(&print->say, BH_SENTENCE_ARGS_FREE);
	else if (!begun)
		bh_english_print_words(print, BH_SENTENCE_ARGS_FIRST, &clause->first);
	bh_english_print_words(print, BH_SENTENCE_ARGS_OPTIONS, &clause->options);
	for (uint8_t i = 0; i < (uint8_t)sizeof(operands); i++) {
		if (clause->operands != operands[i])
			continue;
		bh_english_say_begin(&print->say, BH_SENTENCE_ARGS_OPERANDS);
		bh_english_say_choice(&print->say, 0, i);
		bh_english_say_end(&print->say);
	}
}

/* Each kind of clause begins with a sentence of its own, so that none runs into the next. */
static void print_arguments(struct bh_english_print *print, const struct bh_tool *tool)
{
	for (size_t i = 0; i < tool->args_count; i++) {
		const struct bh_args_clause *clause = &tool->args[i];

		switch (clause->kind) {
		case BH_ARGS_EXACT:
			print_exact(print, &clause->exact);
			break;
		case BH_ARGS_WORDS:
			print_words_clause(print, clause, clause == leading_clause(tool));
			break;
		default:
			bh_english_say_plain(&print->say, BH_SENTENCE_ARGS_ANY);
			bh_english_print_words(print, BH_SENTENCE_ARGS_REQUIRE, &clause->require);
			bh_english_print_words(print, BH_SENTENCE_ARGS_REFUSE, &clause->refuse);
		}
	}
}

static void print_environment(struct bh_english_print *print, const struct bh_env *env)
{
	if (!env->given)
		return;
	if (env->keep.count > 0)
		bh_english_print_words(print, BH_SENTENCE_ENV_KEEP, &env->keep);
	else
		bh_english_say_plain(&print->say, BH_SENTENCE_ENV_NONE);
	for (size_t i = 0; i < env->require.count; i++) {
		bh_english_say_begin(&print->say, BH_SENTENCE_ENV_NEED);
		bh_english_say_item(&print->say, 0, env->require.items[i].word.text);
		bh_english_say_item(&print->say, 1, env->require.items[i].value.text);
		bh_english_say_end(&print->say);
	}
}

static bool same_reason(const struct bh_pair *a, const struct bh_pair *b)
{
	return a->value.text && b->value.text ? strcmp(a->value.text, b->value.text) == 0 :
						!a->value.text && !b->value.text;
}

static void print_load(struct bh_english_print *print, const struct bh_tool *tool)
{
	const struct bh_pair *items = tool->load.items;

	if (tool->load_given && tool->load.count == 0)
		bh_english_say_plain(&print->say, BH_SENTENCE_LOAD_NONE);
	for (size_t i = 0; i < tool->load.count;) {
		const struct bh_pair *first = &items[i];
		unsigned int kind = bh_english_path_kind(first->word.text);

		bh_english_say_begin(&print->say, BH_SENTENCE_LOAD_UNDER + kind);
		for (; i < tool->load.count && same_reason(first, &items[i]) &&
		       bh_english_path_kind(items[i].word.text) == kind;
		     i++)
			bh_english_print_path(print, items[i].word.text);
		if (first->value.text)
			bh_english_say_item(&print->say, 1, first->value.text);
		bh_english_say_end(&print->say);
	}
}

static void print_listen(struct bh_english_print *print, const struct bh_port_ranges *ports)
{
	for (size_t i = 0; i < ports->count;) {
		uint8_t protocol = ports->items[i].protocol;

		bh_english_say_begin(&print->say, BH_SENTENCE_LISTEN);
		bh_english_say_choice(&print->say, 0, protocol == IPPROTO_UDP);
		/* The document has an item for each port. */
		for (; i < ports->count && ports->items[i].protocol == protocol; i++)
			for (unsigned int port = ports->items[i].low; port <= ports->items[i].high; port++)
				bh_english_say_format(&print->say, 0, "%u", port);
		bh_english_say_end(&print->say);
	}
}

static void print_sockets(struct bh_english_print *print, const struct bh_unix *sockets)
{
	if (!sockets->given)
		return;
	if (sockets->connect.count + sockets->listen.count + sockets->abstract.count == 0)
		bh_english_say_plain(&print->say, BH_SENTENCE_UNIX_NONE);
	bh_english_print_sockets(print, BH_SENTENCE_CONNECT_UNDER, sockets);
}

void bh_english_print_tool(struct bh_english_print *print, const struct bh_tool *tool)
{
	print_programs(print, tool);
	if (tool->runs_code)
		bh_english_say_plain(&print->say, BH_SENTENCE_RUNS_CODE);
	if (tool->jit)
		bh_english_say_plain(&print->say, BH_SENTENCE_JIT);
	print_arguments(print, tool);
	print_environment(print, &tool->env);
	bh_english_print_words(print, BH_SENTENCE_MAY_RUN, &tool->may_run);
	bh_english_print_paths(print, BH_SENTENCE_HELPERS_UNDER, &tool->helpers);
	bh_english_print_paths(print, BH_SENTENCE_READ_UNDER, &tool->read);
	bh_english_print_paths(print, BH_SENTENCE_WRITE_UNDER, &tool->write);
	print_load(print, tool);
	bh_english_print_reach(print, tool);
	print_listen(print, &tool->listen);
	print_sockets(print, &tool->unix_sockets);
	if (tool->procfs)
		bh_english_say_plain(&print->say,
				     tool->procfs == BH_PROCFS_NONE ? BH_SENTENCE_PROCFS_NONE : BH_SENTENCE_PROCFS_OWN);
	bh_english_print_respond(print, BH_SENTENCE_TOOL_RESPOND, tool->respond);
}
