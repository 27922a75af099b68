/* SPDX-License-Identifier: GPL-2.0-only */
#include "verify/scenario.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/fields.h"
#include "verify/reading.h"

#define ID_MAX 64u /* bytes */
#define FIELDS_MAX 32u
#define QUESTIONS "run, read, write, load, rename, link, connect, dns, unix, listen, privilege, capability"

void bh_scenario_set_done(struct bh_scenario_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		struct bh_scenario *scenario = &set->items[i];

		for (size_t k = 0; k < scenario->steps_count; k++)
			bh_query_done(&scenario->steps[k].query);
		free(scenario->steps);
		free(scenario->id);
		free(scenario->because);
	}
	free(set->items);
	memset(set, 0, sizeof(*set));
}

static char *take_text(struct bh_reading *reading, const struct bh_node *node)
{
	struct bh_word word = { 0 };

	bh_word_take(&reading->reader, node, &word);
	return word.text;
}

static void read_id(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	const struct bh_node *node = at->value;
	size_t length = strspn(node->text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.");

	if (length == 0 || node->text[length] || length > ID_MAX)
		bh_refuse(&reading->reader, "E109", node, "up to 64 letters, digits, '-', '_' or '.'",
			  "'%.80s' is not an id", node->text);
	draft->scenario->loc = node->loc;
	draft->scenario->id = take_text(reading, node);
}

/* The tool of that name, 0 after a finding. */
static unsigned int find_tool(struct bh_reading *reading, const struct bh_node *node)
{
	unsigned int tool = bh_compiled_tool_id(reading->compiled, node->text);
	struct bh_suggestion suggestion = { 0 };
	const char *name;
	char hint[96];

	if (tool)
		return tool;
	for (unsigned int i = 1; (name = bh_compiled_tool_name(reading->compiled, i)); i++)
		bh_suggest_offer(&suggestion, node->text, name);
	if (!bh_suggest_hint(&suggestion, hint, sizeof(hint)))
		snprintf(hint, sizeof(hint), "a tool of the policy, \"*\" for every tool, or \"@entry\"");
	bh_refuse(&reading->reader, "E122", node, hint, "unknown tool '%.80s'", node->text);
	return 0;
}

static void read_tool(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	if (strcmp(at->value->text, "*") == 0)
		draft->scenario->every_tool = true;
	else if (strcmp(at->value->text, "@entry") != 0) /* which is number 0 */
		draft->scenario->tool = find_tool(reading, at->value);
}

static void read_expect(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	draft->expect = at->value;
	draft->scenario->allow = strcmp(at->value->text, "allow") == 0;
	if (!draft->scenario->allow && strcmp(at->value->text, "deny") != 0)
		bh_refuse(&reading->reader, "E108", at->value, "write 'allow' or 'deny'", "'expect' cannot be '%.64s'",
			  at->value->text);
}

static void read_reason(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	struct bh_suggestion suggestion = { 0 };
	char hint[96];

	draft->reason = at->value;
	draft->scenario->reason = bh_reason_number(at->value->text, &suggestion);
	if (draft->scenario->reason)
		return;
	if (!bh_suggest_hint(&suggestion, hint, sizeof(hint)))
		snprintf(hint, sizeof(hint), "a code such as F2; `bulkhead explain` shows them");
	bh_refuse(&reading->reader, "E108", at->value, hint, "unknown reason '%.64s'", at->value->text);
}

static void read_to(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	draft->to = at->value;
	draft->scenario->to = find_tool(reading, at->value);
}

static void read_because(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	draft->scenario->because = take_text(reading, at->value);
}

static void read_step(struct bh_reading *reading, const struct bh_node *item, struct bh_scenario *scenario)
{
	struct bh_scenario_draft draft = { .scenario = scenario, .step = &scenario->steps[scenario->steps_count++] };

	if (item->bad)
		return;
	if (item->kind != BH_NODE_MAP) {
		bh_refuse(&reading->reader, "E106", item, NULL, "a step of a story is a mapping with one question");
		return;
	}
	bh_reading_fields(reading, bh_question_keys, bh_question_keys_count, "story", item, item, &draft);
	if (!draft.question && !draft.misread)
		bh_refuse(&reading->reader, "E402", item, "one of " QUESTIONS, "this step asks nothing");
	bh_question_check(reading, &draft);
}

/* Takes the place of the one step that is there for a plain question. */
static void read_story(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	struct bh_scenario *scenario = draft->scenario;
	size_t count = at->value->count;

	if (draft->question) {
		bh_refuse(&reading->reader, "E402", at->key, "put it into the story as a step",
			  "'%s' and 'story' in one scenario", draft->question->text);
		return;
	}
	draft->question = at->key;
	if (count == 0 || count > BH_STORY_LIMIT) {
		bh_refuse(&reading->reader, "E113", at->value, NULL, "a story has 1 to %u steps", BH_STORY_LIMIT);
		return;
	}
	bh_query_done(&scenario->steps[0].query);
	free(scenario->steps);
	scenario->steps_count = 0;
	scenario->steps = bh_reader_array(&reading->reader, count, sizeof(*scenario->steps));
	for (const struct bh_node *item = at->value->first; item && scenario->steps; item = item->next)
		read_step(reading, item, scenario);
	draft->step = NULL; /* gone; a further question is refused before it would be used */
}

static const struct bh_scenario_key scenario_keys[] = {
	{ "id", BH_NODE_WORD, BH_KEY_REQUIRED, read_id },
	{ "tool", BH_NODE_WORD, BH_KEY_REQUIRED, read_tool },
	{ "expect", BH_NODE_WORD, BH_KEY_REQUIRED, read_expect },
	{ "reason", BH_NODE_WORD, 0, read_reason },
	{ "to", BH_NODE_WORD, 0, read_to },
	{ "because", BH_NODE_WORD, 0, read_because },
	{ "story", BH_NODE_LIST, 0, read_story },
};

/* What single keys cannot know. */
static void check_whole(struct bh_reading *reading, const struct bh_node *item, const struct bh_scenario_draft *draft)
{
	const struct bh_scenario *scenario = draft->scenario;
	const struct bh_step *last = scenario->steps_count ? &scenario->steps[scenario->steps_count - 1] : NULL;

	if (!draft->question && !draft->misread)
		bh_refuse(&reading->reader, "E402", item, "one of " QUESTIONS ", story", "this scenario asks nothing");
	if (draft->reason && draft->expect && scenario->allow)
		bh_refuse(&reading->reader, "E405", draft->reason, "remove it, or expect 'deny'",
			  "what is allowed has no reason");
	if (draft->to && draft->expect && (!scenario->allow || (last && last->query.action != BH_ACTION_RUN)))
		bh_refuse(&reading->reader, "E405", draft->to, "remove it, or expect a 'run' to be allowed",
			  "only an allowed 'run' leads to a tool");
}

static int read_scenario(struct bh_reading *reading, const struct bh_node *item)
{
	struct bh_scenario_key keys[FIELDS_MAX];
	struct bh_scenario_set *set = reading->set;
	struct bh_scenario_draft draft = { 0 };
	size_t own = BH_COUNT_OF(scenario_keys);

	if (item->bad)
		return 0;
	if (item->kind != BH_NODE_MAP) {
		bh_refuse(&reading->reader, "E106", item, NULL, "a scenario is a mapping");
		return 0;
	}
	if (BH_RESERVE(set->items, set->capacity, set->count + 1))
		return -ENOMEM;
	draft.scenario = &set->items[set->count];
	*draft.scenario = (struct bh_scenario){ .loc = item->loc, .file = set->files };
	draft.scenario->steps = calloc(1, sizeof(*draft.scenario->steps));
	if (!draft.scenario->steps)
		return -ENOMEM;
	draft.scenario->steps_count = 1;
	draft.step = draft.scenario->steps;
	set->count++;
	assert(own + bh_question_keys_count <= BH_COUNT_OF(keys));
	memcpy(keys, scenario_keys, sizeof(scenario_keys));
	memcpy(keys + own, bh_question_keys, bh_question_keys_count * sizeof(keys[0]));
	bh_reading_fields(reading, keys, own + bh_question_keys_count, "", item, item, &draft);
	bh_question_check(reading, &draft);
	check_whole(reading, item, &draft);
	return 0;
}

static int compare_ids(const void *left, const void *right)
{
	const struct bh_scenario *a = *(struct bh_scenario *const *)left, *b = *(struct bh_scenario *const *)right;
	int order = strcmp(a->id, b->id);

	return order ? order : a < b ? -1 : a > b;
}

/* E401 for each id of this file that was given before, here or in an earlier file. */
static int check_ids(struct bh_reading *reading)
{
	struct bh_scenario_set *set = reading->set;
	BH_FREE struct bh_scenario **sorted = calloc(set->count + 1, sizeof(struct bh_scenario *));
	size_t used = 0, original = 0;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < set->count; i++)
		if (set->items[i].id)
			sorted[used++] = &set->items[i];
	qsort(sorted, used, sizeof(struct bh_scenario *), compare_ids);
	for (size_t i = 1; i < used; i++) {
		char hint[96] = "another file has it";

		if (strcmp(sorted[i]->id, sorted[original]->id) != 0) {
			original = i;
			continue;
		}
		if (sorted[original]->file == sorted[i]->file)
			snprintf(hint, sizeof(hint), "it was first given in line %u, column %u",
				 sorted[original]->loc.line, sorted[original]->loc.column);
		if (sorted[i]->file == set->files)
			bh_diag_add(reading->reader.diags, BH_SEVERITY_ERROR, "E401", sorted[i]->loc, hint,
				    "duplicate id '%s'", sorted[i]->id);
	}
	return 0;
}

static void read_version(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	if (strcmp(at->value->text, "bulkhead.dev/v1") != 0)
		bh_refuse(&reading->reader, "E108", at->value, "write 'bulkhead.dev/v1'",
			  "'apiVersion' cannot be '%.64s'", at->value->text);
}

static void read_kind(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	if (strcmp(at->value->text, "ScenarioSet") != 0)
		bh_refuse(&reading->reader, "E108", at->value, "write 'ScenarioSet'", "'kind' cannot be '%.64s'",
			  at->value->text);
}

static void read_policy(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	if (strcmp(at->value->text, bh_compiled_name(reading->compiled)) != 0)
		bh_refuse(&reading->reader, "E406", at->value, "give the policy that these scenarios were written for",
			  "these scenarios are about policy '%.80s', not '%s'", at->value->text,
			  bh_compiled_name(reading->compiled));
}

static void read_scenarios(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	if (at->value->count > BH_SCENARIOS_LIMIT - reading->set->count) {
		bh_refuse(&reading->reader, "E113", at->key, NULL, "more than %u scenarios", BH_SCENARIOS_LIMIT);
		return;
	}
	for (const struct bh_node *item = at->value->first; item; item = item->next)
		if (read_scenario(reading, item))
			reading->reader.out_of_memory = true;
}

static const struct bh_scenario_key set_keys[] = {
	{ "apiVersion", BH_NODE_WORD, BH_KEY_REQUIRED, read_version },
	{ "kind", BH_NODE_WORD, BH_KEY_REQUIRED, read_kind },
	{ "policy", BH_NODE_WORD, 0, read_policy },
	{ "scenarios", BH_NODE_LIST, BH_KEY_REQUIRED, read_scenarios },
};

int bh_scenarios_parse(const char *text, size_t length, const struct bh_compiled *compiled, struct bh_diags *diags,
		       struct bh_scenario_set *set)
{
	struct bh_reading reading = { .reader = { .diags = diags }, .compiled = compiled, .set = set };
	BH_CLEANUP(bh_document_done) struct bh_document document = { 0 };
	int result;

	set->files++;
	if (!bh_lexical_check(text, length, diags))
		return -EINVAL;
	result = bh_document_parse(text, length, diags, &document);
	if (result)
		return result;
	if (document.root->kind == BH_NODE_MAP)
		bh_reading_fields(&reading, set_keys, BH_COUNT_OF(set_keys), "", NULL, document.root, NULL);
	else
		bh_refuse(&reading.reader, "E106", document.root, "begin with 'apiVersion: bulkhead.dev/v1'",
			  "a set of scenarios is a mapping");
	if (reading.reader.out_of_memory || check_ids(&reading))
		return -ENOMEM;
	return bh_diags_errors(diags) ? -EINVAL : 0;
}
