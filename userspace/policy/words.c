/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/fields.h"
#include "policy/path.h"
#include "policy/suggest.h"

#define NAME_MAX_BYTES 63u

/* Presets that policy.md names and that do not ship yet. */
static const char *const later_presets[] = { "fonts", "locale" };

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

static bool name_check(struct bh_reader *reader, const struct bh_node *node)
{
	if (bh_is_name(node->text))
		return true;
	bh_refuse(reader, "E109", node, "a lower-case letter, then up to 62 lower-case letters, digits or '-'",
		  "'%.80s' is not a name", node->text);
	return false;
}

void bh_read_name(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	if (name_check(reader, at->value))
		bh_word_take(reader, at->value, field);
}

/* Checks one item of a list; false: a finding was added and the item is left out. */
typedef bool (*item_check)(struct bh_reader *reader, const struct bh_node *item);

static bool item_is_word(struct bh_reader *reader, const struct bh_at *at, const struct bh_node *item)
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

static void read_words(struct bh_reader *reader, const struct bh_at *at, struct bh_words *words, item_check check)
{
	words->items = bh_reader_array(reader, at->value->count, sizeof(*words->items));
	if (!words->items)
		return;
	for (const struct bh_node *item = at->value->first; item; item = item->next)
		if (item_is_word(reader, at, item) && check(reader, item) &&
		    bh_word_take(reader, item, &words->items[words->count]))
			words->count++;
}

static void read_few_words(struct bh_reader *reader, const struct bh_at *at, struct bh_words *words, item_check check)
{
	char label[BH_LABEL_MAX];

	if (at->value->count > BH_NAMES_LIMIT)
		bh_refuse(reader, "E113", at->key, NULL, "'%s' has %zu items; at most %u are possible",
			  bh_label_join(label, sizeof(label), at->label, at->key->text), at->value->count,
			  BH_NAMES_LIMIT);
	else
		read_words(reader, at, words, check);
}

void bh_read_names(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	read_few_words(reader, at, field, name_check);
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
	for (size_t i = 0; i < BH_COUNT_OF(later_presets); i++) {
		if (strcmp(later_presets[i], item->text) != 0)
			continue;
		bh_refuse(reader, "E119", item, "list the files under 'read'", "preset '%s' is not yet supported",
			  item->text);
		return false;
	}
	bh_refuse(reader, "E121", item, bh_suggest_hint(&suggestion, hint, sizeof(hint)), "unknown preset '%.80s'",
		  item->text);
	return false;
}

void bh_read_presets(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	read_few_words(reader, at, field, preset_check);
}

/*
 * Form always; breadth only for what people grant: what ships was decided when it was written, and forbidding much is
 * no danger. access: one BH_ACCESS_* bit, 0 for what is forbidden.
 */
static bool path_check(struct bh_reader *reader, const struct bh_node *item, uint32_t access)
{
	struct bh_path_fault fault = bh_path_form(item->text);

	if (!reader->ours && ++reader->patterns > BH_PATTERNS_LIMIT) {
		if (reader->patterns == BH_PATTERNS_LIMIT + 1)
			bh_refuse(reader, "E113", item, "use DIR/** for trees", "more than %u paths in one policy",
				  BH_PATTERNS_LIMIT);
		return false;
	}
	if (!fault.code && access && !reader->ours)
		fault = bh_path_breadth(item->text, access);
	if (!fault.code)
		return true;
	bh_refuse(reader, fault.code, item, fault.hint, "'%.200s' %s", item->text, fault.text);
	return false;
}

static bool readable_check(struct bh_reader *reader, const struct bh_node *item)
{
	return path_check(reader, item, BH_ACCESS_READ);
}

static bool writable_check(struct bh_reader *reader, const struct bh_node *item)
{
	return path_check(reader, item, BH_ACCESS_WRITE);
}

static bool helper_check(struct bh_reader *reader, const struct bh_node *item)
{
	return path_check(reader, item, BH_ACCESS_EXEC);
}

static bool forbidden_check(struct bh_reader *reader, const struct bh_node *item)
{
	return path_check(reader, item, 0);
}

void bh_read_readable(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	read_words(reader, at, field, readable_check);
}

void bh_read_writable(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	read_words(reader, at, field, writable_check);
}

void bh_read_forbidden(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	read_words(reader, at, field, forbidden_check);
}

void bh_read_helpers(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	read_words(reader, at, field, helper_check);
}

static bool binary_check(struct bh_reader *reader, const struct bh_node *item)
{
	if (bh_path_is_pattern(item->text)) {
		bh_refuse(reader, "E130", item, "name each program; patterns are possible under 'helpers'",
			  "'%.200s' is a pattern; a tool's binary is an exact path", item->text);
		return false;
	}
	return path_check(reader, item, BH_ACCESS_EXEC);
}

void bh_read_binary_path(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	if (binary_check(reader, at->value))
		bh_word_take(reader, at->value, field);
}

/* An item is {path: PATH} or, shorter, PATH. */
void bh_read_binaries(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_pairs *binaries = field;
	char label[BH_LABEL_MAX];

	bh_label_join(label, sizeof(label), at->label, at->key->text);
	if (at->value->count == 0)
		bh_refuse(reader, "E113", at->value, NULL, "'%s' names no program", label);
	binaries->items = bh_reader_array(reader, at->value->count, sizeof(*binaries->items));
	if (!binaries->items)
		return;
	for (const struct bh_node *item = at->value->first; item; item = item->next) {
		struct bh_pair *binary = &binaries->items[binaries->count];

		if (item->kind == BH_NODE_MAP)
			bh_fields_read(reader, "binary", label, item, item, binary);
		else if (item_is_word(reader, at, item) && binary_check(reader, item))
			bh_word_take(reader, item, &binary->word);
		if (binary->word.text)
			binaries->count++;
	}
}
