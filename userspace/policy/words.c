/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdlib.h>
#include <string.h>

#include "policy/fields.h"
#include "policy/suggest.h"

#define NAME_MAX_BYTES 63u

bool bh_is_name(const char *text)
{
	size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-");

	return text[0] >= 'a' && text[0] <= 'z' && text[length] == '\0' && length <= NAME_MAX_BYTES;
}

void *bh_reader_array(struct bh_reader *reader, size_t count, size_t size)
{
	void *array = count ? calloc(count, size) : NULL;

	if (count && !array)
		reader->out_of_memory = true;
	return array;
}

bool bh_word_take(struct bh_reader *reader, const struct bh_node *node, struct bh_word *ret_word)
{
	ret_word->text = strdup(node->text);
	ret_word->loc = node->loc;
	if (!ret_word->text)
		reader->out_of_memory = true;
	return ret_word->text != NULL;
}

void bh_read_free_text(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	bh_word_take(reader, at->value, field);
}

bool bh_name_check(struct bh_reader *reader, const struct bh_node *node)
{
	if (bh_is_name(node->text))
		return true;
	bh_refuse(reader, "E109", node, "a lower-case letter, then up to 62 lower-case letters, digits or '-'",
		  "'%.80s' is not a name", node->text);
	return false;
}

void bh_read_name(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	if (bh_name_check(reader, at->value))
		bh_word_take(reader, at->value, field);
}

bool bh_item_is_word(struct bh_reader *reader, const struct bh_at *at, const struct bh_node *item)
{
	char label[BH_LABEL_MAX];

	if (item->bad)
		return false;
	if (item->kind == BH_NODE_WORD && item->length > 0)
		return true;
	bh_refuse(reader, "E106", item, NULL, "the items of '%s' are single words",
		  bh_label_join(label, sizeof(label), at->label, at->key->text));
	return false;
}

bool bh_few_enough(struct bh_reader *reader, const struct bh_at *at, size_t most)
{
	char label[BH_LABEL_MAX];

	if (at->value->count <= most)
		return true;
	bh_refuse(reader, "E113", at->key, NULL, "'%s' has %zu items; at most %zu are possible",
		  bh_label_join(label, sizeof(label), at->label, at->key->text), at->value->count, most);
	return false;
}

bool bh_item_is_map(struct bh_reader *reader, const struct bh_at *at, const struct bh_node *item)
{
	char label[BH_LABEL_MAX];

	if (item->kind == BH_NODE_MAP && !item->bad)
		return true;
	bh_refuse(reader, "E106", item, NULL, "the items of '%s' are mappings",
		  bh_label_join(label, sizeof(label), at->label, at->key->text));
	return false;
}

void bh_words_read(struct bh_reader *reader, const struct bh_at *at, struct bh_words *words, bh_item_check check)
{
	words->items = bh_reader_array(reader, at->value->count, sizeof(*words->items));
	if (!words->items)
		return;
	for (const struct bh_node *item = at->value->first; item; item = item->next)
		if (bh_item_is_word(reader, at, item) && check(reader, item) &&
		    bh_word_take(reader, item, &words->items[words->count]))
			words->count++;
}

void bh_read_names(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	if (bh_few_enough(reader, at, BH_NAMES_LIMIT))
		bh_words_read(reader, at, field, bh_name_check);
}

static bool preset_check(struct bh_reader *reader, const struct bh_node *item)
{
	struct bh_suggestion suggestion = { 0 };
	char hint[96];

	for (size_t i = 0; i < reader->shipped->presets_count; i++) {
		if (strcmp(reader->shipped->presets[i].name, item->text) == 0)
			return true;
		bh_suggest_offer(&suggestion, item->text, reader->shipped->presets[i].name);
	}
	bh_refuse(reader, "E121", item, bh_suggest_hint(&suggestion, hint, sizeof(hint)), "unknown preset '%.80s'",
		  item->text);
	return false;
}

void bh_read_presets(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	if (bh_few_enough(reader, at, BH_NAMES_LIMIT))
		bh_words_read(reader, at, field, preset_check);
}
