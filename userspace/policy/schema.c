/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/schema.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "policy/english.h"
#include "policy/suggest.h"

#define ENOUGH_ERRORS 50u /* nobody reads a suggestion beyond these */

static const char *const kind_words[] = { "", "a single word", "a list", "a mapping" };

const char *bh_label_join(char *buffer, size_t size, const char *label, const char *key)
{
	snprintf(buffer, size, "%s%s%s", label, label[0] ? "." : "", key);
	return buffer;
}

void bh_refuse(struct bh_reader *reader, const char *code, const struct bh_node *node, const char *hint,
	       const char *format, ...)
{
	char text[600];
	va_list args;

	if (node->bad)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	bh_diag_add(reader->diags, BH_SEVERITY_ERROR, code, node->loc, hint, "%s", text);
}

bool bh_kind_check(struct bh_reader *reader, const struct bh_at *at, enum bh_node_kind wanted)
{
	const struct bh_node *value = at->value;
	char label[BH_LABEL_MAX];

	if (value->bad)
		return false;
	if (value->kind == wanted && !value->empty)
		return true;
	bh_label_join(label, sizeof(label), at->label, at->key->text);
	if (value->empty)
		bh_refuse(reader, "E106", at->key, "a key without a value says nothing: remove it or fill it in",
			  "'%s' has no value; it takes %s", label, kind_words[wanted]);
	else
		bh_refuse(reader, "E106", value, NULL, "'%s' takes %s, not %s", label, kind_words[wanted],
			  kind_words[value->kind]);
	return false;
}

const struct bh_node *bh_key_find(const struct bh_node *map, const char *name)
{
	for (const struct bh_node *key = map->first; key; key = key->next->next)
		if (!key->bad && strcmp(key->text, name) == 0)
			return key;
	return NULL;
}

/* The rows of one kind of mapping. */
struct block {
	const struct bh_key *rows;
	size_t count;
	uint64_t seen; /* by row: given, or probably meant */
};

static struct block find_block(const char *where)
{
	struct block block = { 0 };

	for (size_t i = 0; i < bh_keys_count; i++) {
		if (strcmp(bh_keys[i].where, where) != 0)
			continue;
		if (!block.rows)
			block.rows = &bh_keys[i];
		block.count++;
	}
	return block;
}

static void refuse_unknown(struct bh_reader *reader, struct block *block, const char *label, const struct bh_node *key)
{
	struct bh_suggestion suggestion = { 0 };
	char hint[96];

	for (size_t i = 0; i < block->count && bh_diags_errors(reader->diags) < ENOUGH_ERRORS; i++)
		bh_suggest_offer(&suggestion, key->text, block->rows[i].name);
	for (size_t i = 0; i < block->count; i++)
		if (suggestion.best == block->rows[i].name)
			block->seen |= UINT64_C(1) << i;
	bh_refuse(reader, "E110", key, bh_suggest_hint(&suggestion, hint, sizeof(hint)), "unknown key '%.128s'%s%s",
		  key->text, label[0] ? " in " : "", label);
}

static void read_field(struct bh_reader *reader, struct block *block, const char *label, const struct bh_node *key,
		       void *target)
{
	struct bh_at at = { .label = label, .key = key, .value = key->next };

	for (size_t i = 0; i < block->count; i++) {
		const struct bh_key *row = &block->rows[i];

		if (strcmp(row->name, key->text) != 0)
			continue;
		block->seen |= UINT64_C(1) << i;
		at.number = row->number;
		if (bh_kind_check(reader, &at, row->kind))
			row->read(reader, &at, (char *)target + row->offset);
		return;
	}
	refuse_unknown(reader, block, label, key);
}

static void refuse_missing(struct bh_reader *reader, const char *label, const char *name, const struct bh_node *place)
{
	char full[BH_LABEL_MAX], hint[BH_LABEL_MAX];
	const char *form = reader->english ? bh_english_form_of(bh_label_join(full, sizeof(full), label, name)) : NULL;

	if (form)
		snprintf(hint, sizeof(hint), "write '%s.'", form);
	bh_refuse(reader, "E107", place, form ? hint : NULL, "missing required key '%s'%s%s", name,
		  label[0] ? " in " : "", label);
}

void bh_fields_read(struct bh_reader *reader, const char *where, const char *label, const struct bh_node *owner,
		    const struct bh_node *map, void *target)
{
	struct block block = find_block(where);

	for (const struct bh_node *key = map->first; key; key = key->next->next)
		if (!key->bad)
			read_field(reader, &block, label, key, target);
	for (size_t i = 0; i < block.count && !reader->partial; i++)
		if ((block.rows[i].flags & BH_KEY_REQUIRED) && !(block.seen & UINT64_C(1) << i))
			refuse_missing(reader, label, block.rows[i].name, owner ? owner : map);
}
