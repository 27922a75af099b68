/* SPDX-License-Identifier: GPL-2.0-only */
/* The keys of a scenario that ask. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/fields.h"
#include "policy/path.h"
#include "verify/reading.h"

/* Notes that this key asks; false: another one did before. */
static bool take_turn(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	char hint[96];

	if (!draft->question) {
		draft->question = at->key;
		draft->step->loc = at->key->loc;
		return true;
	}
	snprintf(hint, sizeof(hint), "a scenario asks one thing; '%s' in line %u asks already", draft->question->text,
		 draft->question->loc.line);
	bh_refuse(&reading->reader, "E402", at->key, hint, "'%s' is a second question", at->key->text);
	return false;
}

/* A copy of a path that is one, else NULL after a finding. */
static char *take_path(struct bh_reading *reading, const struct bh_node *node)
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
	if (!take_turn(reading, at, draft))
		return;
	draft->step->query.action = action;
	draft->step->query.path = take_path(reading, at->value);
}

static void read_read(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	read_path(reading, at, draft, BH_ACTION_READ);
}

static void read_write(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	read_path(reading, at, draft, BH_ACTION_WRITE);
}

static void refuse_arguments(struct bh_reading *reading, const struct bh_node *node, uint32_t skip)
{
	struct bh_loc loc = node->loc;

	/* in a command line written as one word, where its arguments begin; an escape in front of them would shift it */
	if (skip && loc.width > skip) {
		loc.column += skip;
		loc.width -= skip;
	}
	bh_diag_add(reading->reader.diags, BH_SEVERITY_ERROR, "E119", loc,
		    "ask about the program alone: this version does not judge what it is told",
		    "arguments are not yet supported");
}

/* The program's path, as a word or as the only item of a list; a list's item may hold spaces. */
static void read_run(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	const struct bh_node *program = at->value;

	if (!take_turn(reading, at, draft) || at->value->bad)
		return;
	draft->step->query.action = BH_ACTION_RUN;
	if (program->kind == BH_NODE_LIST)
		program = program->first;
	if (!program || program->kind == BH_NODE_MAP)
		bh_refuse(&reading->reader, "E106", at->value, NULL,
			  "'run' takes a program's path, or a list that begins with it");
	else if (program != at->value && program->next)
		refuse_arguments(reading, program->next, 0);
	else if (program == at->value && strchr(program->text, ' '))
		refuse_arguments(reading, program, (uint32_t)strcspn(program->text, " ") + 1);
	else
		draft->step->query.path = take_path(reading, program);
}

static void read_two_paths(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft,
			   enum bh_action action)
{
	struct bh_query *query;

	if (!take_turn(reading, at, draft))
		return;
	query = &draft->step->query;
	query->action = action;
	if (at->value->count != 2) {
		bh_refuse(&reading->reader, "E113", at->value, NULL, "'%s' takes two paths: [from, to]", at->key->text);
		return;
	}
	query->path = take_path(reading, at->value->first);
	query->other = take_path(reading, at->value->last);
}

static void read_rename(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	read_two_paths(reading, at, draft, BH_ACTION_RENAME);
}

static void read_link(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	read_two_paths(reading, at, draft, BH_ACTION_LINK);
}

static void read_connect(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	const char *text = at->value->text;

	if (!take_turn(reading, at, draft))
		return;
	draft->step->query.action = BH_ACTION_CONNECT;
	if (bh_endpoint_parse(text, &draft->step->query.net))
		return;
	if (text[strspn(text, "0123456789.:[]abcdefABCDEF")])
		bh_refuse(&reading->reader, "E119", at->value,
			  "write an address: 192.0.2.1:443 or \"[2001:db8::1]:443\"",
			  "'%.80s': host names are not yet supported", text);
	else
		bh_refuse(&reading->reader, "E403", at->value, "write 192.0.2.1:443 or \"[2001:db8::1]:443\"",
			  "'%.80s' is not an address and a port", text);
}

#define LATER(name)                                                                                                    \
	{                                                                                                              \
		name, BH_KIND_ANY, BH_KEY_LATER, NULL                                                                  \
	}

const struct bh_scenario_key bh_question_keys[] = {
	{ "run", BH_KIND_ANY, 0, read_run },
	{ "read", BH_NODE_WORD, 0, read_read },
	{ "write", BH_NODE_WORD, 0, read_write },
	{ "rename", BH_NODE_LIST, 0, read_rename },
	{ "link", BH_NODE_LIST, 0, read_link },
	{ "connect", BH_NODE_WORD, 0, read_connect },
	LATER("answers"),
	LATER("dns"),
	LATER("env"),
	LATER("privilege"),
	LATER("protocol"),
	LATER("sha256"),
	LATER("unix"),
};

const size_t bh_question_keys_count = BH_COUNT_OF(bh_question_keys);
