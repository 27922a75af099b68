/* SPDX-License-Identifier: GPL-2.0-only */
/* The keys of a scenario that ask. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/fields.h"
#include "policy/path.h"
#include "verify/reading.h"

bool bh_question_begin(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft,
		       enum bh_action action)
{
	char hint[96];

	if (!draft->question) {
		draft->question = at->key;
		draft->step->loc = at->key->loc;
		draft->step->query.action = action;
		return true;
	}
	snprintf(hint, sizeof(hint), "a scenario asks one thing; '%s' in line %u asks already", draft->question->text,
		 draft->question->loc.line);
	bh_refuse(&reading->reader, "E402", at->key, hint, "'%s' is a second question", at->key->text);
	return false;
}

char *bh_question_path(struct bh_reading *reading, const struct bh_node *node)
{
	struct bh_path_fault fault = bh_path_form(node->text);
	struct bh_word word = { 0 };

	if (node->bad)
		return NULL;
	if (node->kind != BH_NODE_WORD || node->empty)
		bh_refuse(&reading->reader, "E106", node, NULL, "a path is a single word");
	else if (fault.code && strcmp(node->text, "/") != 0)
		bh_refuse(&reading->reader, fault.code, node, fault.hint, "'%.200s' %s", node->text, fault.text);
	else if (bh_path_is_pattern(node->text))
		bh_refuse(&reading->reader, "E404", node,
			  "name one file that the pattern is meant to cover, or to leave out",
			  "'%.200s' is a pattern; a scenario asks about one path", node->text);
	else
		bh_word_take(&reading->reader, node, &word);
	return word.text;
}

static void read_path(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft,
		      enum bh_action action)
{
	if (bh_question_begin(reading, at, draft, action))
		draft->step->query.path = bh_question_path(reading, at->value);
}

static void read_read(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	read_path(reading, at, draft, BH_ACTION_READ);
}

static void read_write(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	read_path(reading, at, draft, BH_ACTION_WRITE);
}

static void read_load(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	read_path(reading, at, draft, BH_ACTION_LOAD);
}

/* The word and its NUL, behind those that are there. */
static void add_string(struct bh_reading *reading, struct bh_buf *block, const char *text, const char *more)
{
	bh_buf_add(block, text, strlen(text));
	if (more) {
		bh_buf_add(block, "=", 1);
		bh_buf_add(block, more, strlen(more));
	}
	bh_buf_add(block, "", 1);
	if (block->error)
		reading->reader.out_of_memory = true;
}

/* The block becomes the query's. */
static void keep_block(struct bh_buf *buf, struct bh_block *ret_block)
{
	*ret_block = (struct bh_block){ BH_TAKE(buf->bytes), buf->length };
}

static void read_arguments(struct bh_reading *reading, const struct bh_node *first, struct bh_query *query)
{
	BH_CLEANUP(bh_buf_done) struct bh_buf block = { 0 };

	for (const struct bh_node *word = first; word; word = word->next) {
		if (word->kind == BH_NODE_WORD && !word->bad && !word->empty)
			add_string(reading, &block, word->text, NULL);
		else
			bh_refuse(&reading->reader, "E106", word, "a word that is empty is written \"\"",
				  "an argument is a single word");
	}
	keep_block(&block, &query->args);
}

/* A program alone, or a list of it and what it is told. */
static void read_run(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	const struct bh_node *program = at->value;

	if (!bh_question_begin(reading, at, draft, BH_ACTION_RUN) || at->value->bad)
		return;
	if (program->kind == BH_NODE_LIST)
		program = program->first;
	if (!program || program->kind == BH_NODE_MAP) {
		bh_refuse(&reading->reader, "E106", at->value, NULL,
			  "'run' takes a program's path, or a list that begins with it");
	} else if (program == at->value && strchr(program->text, ' ')) {
		bh_refuse(&reading->reader, "E106", program, "write a list: [/usr/bin/program, argument, argument]",
			  "a command line is a list of words");
	} else {
		draft->step->query.path = bh_question_path(reading, program);
		if (program != at->value)
			read_arguments(reading, program->next, &draft->step->query);
	}
}

static void read_env(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	BH_CLEANUP(bh_buf_done) struct bh_buf block = { 0 };

	draft->of_run = at->key;
	if (!draft->step)
		return;
	for (const struct bh_node *key = at->value->first; key; key = key->next->next) {
		if (key->bad)
			continue;
		if (!key->length || strchr(key->text, '='))
			bh_refuse(&reading->reader, "E174", key, NULL, "'%.80s' is not the name of a variable",
				  key->text);
		else if (key->next->kind != BH_NODE_WORD || key->next->empty)
			bh_refuse(&reading->reader, "E106", key->next->empty ? key : key->next,
				  "a value that is empty is written \"\"", "the value of a variable is a single word");
		else
			add_string(reading, &block, key->text, key->next->text);
	}
	keep_block(&block, &draft->step->query.variables);
}

static void read_sha256(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	const struct bh_node *value = at->value;
	uint8_t *bytes;

	draft->of_run = at->key;
	if (!draft->step)
		return;
	if (value->length != 64 || strspn(value->text, "0123456789abcdef") != 64) {
		bh_refuse(&reading->reader, "E133", value,
			  "write the 64 hexadecimal digits in lower case, as sha256sum prints them",
			  "'%.80s' is not a SHA-256", value->text);
		return;
	}
	bytes = bh_reader_array(&reading->reader, 32, 1);
	for (size_t i = 0; i < 32 && bytes; i++) {
		char digits[3] = { value->text[2 * i], value->text[2 * i + 1], '\0' };

		bytes[i] = (uint8_t)strtoul(digits, NULL, 16);
	}
	draft->step->query.sha256 = bytes;
}

static void read_two_paths(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft,
			   enum bh_action action)
{
	struct bh_query *query;

	if (!bh_question_begin(reading, at, draft, action))
		return;
	query = &draft->step->query;
	if (at->value->count != 2) {
		bh_refuse(&reading->reader, "E113", at->value, NULL, "'%s' takes two paths: [from, to]", at->key->text);
		return;
	}
	query->path = bh_question_path(reading, at->value->first);
	query->other = bh_question_path(reading, at->value->last);
}

static void read_rename(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	read_two_paths(reading, at, draft, BH_ACTION_RENAME);
}

static void read_link(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	read_two_paths(reading, at, draft, BH_ACTION_LINK);
}

const struct bh_scenario_key bh_question_keys[] = {
	{ "run", BH_KIND_ANY, 0, read_run },
	{ "env", BH_NODE_MAP, 0, read_env },
	{ "sha256", BH_NODE_WORD, 0, read_sha256 },
	{ "read", BH_NODE_WORD, 0, read_read },
	{ "write", BH_NODE_WORD, 0, read_write },
	{ "load", BH_NODE_WORD, 0, read_load },
	{ "rename", BH_NODE_LIST, 0, read_rename },
	{ "link", BH_NODE_LIST, 0, read_link },
	{ "connect", BH_NODE_WORD, 0, bh_question_connect },
	{ "protocol", BH_NODE_WORD, 0, bh_question_protocol },
	{ "answers", BH_NODE_LIST, 0, bh_question_answers },
	{ "dns", BH_NODE_WORD, 0, bh_question_dns },
	{ "unix", BH_NODE_WORD, 0, bh_question_unix },
	{ "listen", BH_NODE_WORD, 0, bh_question_listen },
	{ "privilege", BH_NODE_WORD, 0, bh_question_privilege },
	{ "capability", BH_NODE_WORD, 0, bh_question_capability },
};

const size_t bh_question_keys_count = BH_COUNT_OF(bh_question_keys);

/* A key that says more about another one's question needs that. */
static void need(struct bh_reading *reading, const struct bh_node *key, bool there, const char *what)
{
	if (key && !there)
		bh_refuse(&reading->reader, "E405", key, "remove it", "'%s' goes with %s", key->text, what);
}

void bh_question_check(struct bh_reading *reading, const struct bh_scenario_draft *draft)
{
	const struct bh_query *query = draft->step ? &draft->step->query : NULL;
	bool asks = query && draft->question, by_name = asks && query->host && query->action == BH_ACTION_CONNECT;

	if (draft->misread)
		return;
	need(reading, draft->of_run, asks && query->action == BH_ACTION_RUN, "'run'");
	need(reading, draft->answers, by_name, "'connect' by name");
	need(reading, draft->protocol,
	     asks && (query->action == BH_ACTION_CONNECT || (query->action == BH_ACTION_LISTEN && !query->path)),
	     "'connect' or the port of 'listen'");
}
