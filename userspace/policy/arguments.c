/* SPDX-License-Identifier: GPL-2.0-only */
/* Command lines and environments: what they say is checked in arguments_check.c. */
#include <string.h>

#include "base/cleanup.h"
#include "policy/fields.h"

/* The key of a clause tells its form; keys of two forms would contradict each other. */
static const struct {
	const char *key;
	uint8_t kind;
} clause_keys[] = {
	{ "exact", BH_ARGS_EXACT },    { "first", BH_ARGS_WORDS }, { "options", BH_ARGS_WORDS },
	{ "operands", BH_ARGS_WORDS }, { "any", BH_ARGS_ANY },	   { "require", BH_ARGS_ANY },
	{ "refuse", BH_ARGS_ANY },
};

static uint8_t kind_of(const char *key)
{
	for (size_t i = 0; i < BH_COUNT_OF(clause_keys); i++)
		if (strcmp(clause_keys[i].key, key) == 0)
			return clause_keys[i].kind;
	return 0;
}

#define FORMS "'exact', or 'first' with 'options' and 'operands', or 'any: true' with 'require' and 'refuse'"

/* The clause's form; 0 when a finding says what is wrong with it. */
static uint8_t find_kind(struct bh_reader *reader, const struct bh_node *map)
{
	const struct bh_node *decided = NULL;
	uint8_t kind = 0;

	if (map->count == 0)
		bh_refuse(reader, "E171", map, "a clause has " FORMS, "an empty clause says nothing");
	for (const struct bh_node *key = map->first; key; key = key->next->next) {
		uint8_t its = key->bad ? 0 : kind_of(key->text);

		if (its && kind && its != kind) {
			bh_refuse(reader, "E171", key, "a clause has " FORMS "; write two",
				  "'%s' and '%s' do not go together", decided->text, key->text);
			return 0;
		}
		if (its && !kind) {
			decided = key;
			kind = its;
		}
	}
	if (kind == BH_ARGS_ANY && !bh_key_find(map, "any")) {
		bh_refuse(reader, "E171", decided, "add 'any: true' if everything else is meant to be allowed",
			  "'%s' without 'any: true'", decided->text);
		return 0;
	}
	return kind;
}

static void read_clause(struct bh_reader *reader, const char *label, const struct bh_node *item,
			struct bh_args_clause *clause)
{
	const struct bh_node *first = bh_key_find(item, "first");

	clause->loc = item->loc;
	clause->kind = find_kind(reader, item);
	if (clause->kind == BH_ARGS_WORDS)
		clause->operands = BH_OPERANDS_NONE;
	if (first && first->next->kind == BH_NODE_LIST && first->next->count == 0)
		bh_refuse(reader, "E171", first, "leave it out if no subcommand is needed", "'first' is empty");
	bh_fields_read(reader, "args", label, item, item, clause);
}

void bh_read_args(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_tool *tool = field;
	char label[BH_LABEL_MAX];

	bh_label_join(label, sizeof(label), at->label, at->key->text);
	tool->args_given = true;
	if (at->value->count == 0)
		bh_refuse(reader, "E113", at->value, "without 'args' every command line may enter the tool",
			  "'%s' lists no clause", label);
	if (!bh_few_enough(reader, at, BH_CLAUSES_LIMIT))
		return;
	tool->args = bh_reader_array(reader, at->value->count, sizeof(*tool->args));
	if (!tool->args)
		return;
	for (const struct bh_node *item = at->value->first; item; item = item->next)
		if (bh_item_is_map(reader, at, item))
			read_clause(reader, label, item, &tool->args[tool->args_count++]);
}

/* In order, and an empty word between quotes is one as well. */
void bh_read_arg_words(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_words *words = field;

	words->items = bh_reader_array(reader, at->value->count, sizeof(*words->items));
	if (!words->items)
		return;
	for (const struct bh_node *item = at->value->first; item; item = item->next) {
		bool quoted = item->kind == BH_NODE_WORD && item->length == 0 && !item->empty && !item->bad;

		if ((quoted || bh_item_is_word(reader, at, item)) &&
		    bh_word_take(reader, item, &words->items[words->count]))
			words->count++;
	}
}

/* It is there to be read by people; its absence would mean the same. */
void bh_read_any_args(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	if (strcmp(at->value->text, "true") != 0)
		bh_refuse(reader, "E171", at->value, "write 'any: true', or another form",
			  "'any' of a clause is always 'true'");
}

void bh_read_env(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_env *env = field;
	char label[BH_LABEL_MAX];

	env->given = true;
	env->loc = at->key->loc;
	bh_label_join(label, sizeof(label), at->label, at->key->text);
	bh_fields_read(reader, "env", label, at->key, at->value, env);
}

static bool any_word(struct bh_reader *reader, const struct bh_node *item)
{
	return true;
}

void bh_read_env_names(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	if (bh_few_enough(reader, at, BH_NAMES_LIMIT))
		bh_words_read(reader, at, field, any_word);
}

void bh_read_env_values(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_pairs *pairs = field;
	char label[BH_LABEL_MAX];

	bh_label_join(label, sizeof(label), at->label, at->key->text);
	if (!bh_few_enough(reader, at, BH_REQUIRE_LIMIT))
		return;
	pairs->items = bh_reader_array(reader, at->value->count, sizeof(*pairs->items));
	if (!pairs->items)
		return;
	for (const struct bh_node *key = at->value->first; key; key = key->next->next) {
		struct bh_at one = { .label = label, .key = key, .value = key->next };
		struct bh_pair *pair = &pairs->items[pairs->count];

		if (key->bad || !bh_kind_check(reader, &one, BH_NODE_WORD))
			continue;
		pairs->count++;
		if (bh_word_take(reader, key, &pair->word))
			bh_word_take(reader, key->next, &pair->value);
	}
}
