/* SPDX-License-Identifier: GPL-2.0-only */
/* Paths and patterns of files, and lists of them. */
#include <stdlib.h>
#include <string.h>

#include "policy/fields.h"
#include "policy/path.h"

#define SHA256_DIGITS 64u

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
	bh_words_read(reader, at, field, readable_check);
}

void bh_read_writable(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	bh_words_read(reader, at, field, writable_check);
}

void bh_read_forbidden(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	bh_words_read(reader, at, field, forbidden_check);
}

void bh_read_helpers(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	bh_words_read(reader, at, field, helper_check);
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

/* What may be made code, and by whom it may be written, is for the compiler to say: it knows all tools. */
static bool loadable_check(struct bh_reader *reader, const struct bh_node *item)
{
	return path_check(reader, item, BH_ACCESS_READ);
}

/* One socket may lie anywhere, /dev included; a tree of them should be somebody's own. */
static bool socket_check(struct bh_reader *reader, const struct bh_node *item)
{
	return path_check(reader, item, bh_path_is_pattern(item->text) ? BH_ACCESS_WRITE : 0);
}

void bh_read_sockets(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	bh_words_read(reader, at, field, socket_check);
}

/* A directory by its own name: what lies beneath it follows. */
static bool directory_check(struct bh_reader *reader, const struct bh_node *item)
{
	if (bh_path_is_pattern(item->text)) {
		bh_refuse(reader, "E208", item, "name the directory", "'%.200s' is a pattern; one directory is meant",
			  item->text);
		return false;
	}
	return path_check(reader, item, 0);
}

void bh_read_directory(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	if (directory_check(reader, at->value))
		bh_word_take(reader, at->value, field);
}

void bh_read_workspaces(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	if (bh_few_enough(reader, at, BH_NAMES_LIMIT))
		bh_words_read(reader, at, field, directory_check);
}

void bh_read_binary_path(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	if (binary_check(reader, at->value))
		bh_word_take(reader, at->value, field);
}

void bh_read_load_path(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	if (loadable_check(reader, at->value))
		bh_word_take(reader, at->value, field);
}

void bh_read_sha256(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	const struct bh_node *value = at->value;

	if (value->length == SHA256_DIGITS && strspn(value->text, "0123456789abcdef") == SHA256_DIGITS)
		bh_word_take(reader, value, field);
	else
		bh_refuse(reader, "E133", value,
			  "write the 64 hexadecimal digits in lower case, as sha256sum prints them",
			  "'%.80s' is not a SHA-256", value->text);
}

/* An item is a mapping of the kind `where`, or, shorter, the path that it would hold. */
static void read_items(struct bh_reader *reader, const struct bh_at *at, struct bh_pairs *pairs, const char *where,
		       bh_item_check check)
{
	char label[BH_LABEL_MAX];

	bh_label_join(label, sizeof(label), at->label, at->key->text);
	pairs->items = bh_reader_array(reader, at->value->count, sizeof(*pairs->items));
	if (!pairs->items)
		return;
	for (const struct bh_node *item = at->value->first; item; item = item->next) {
		struct bh_pair *pair = &pairs->items[pairs->count++];

		if (item->kind == BH_NODE_MAP && !item->bad)
			bh_fields_read(reader, where, label, item, item, pair);
		else if (bh_item_is_word(reader, at, item) && check(reader, item))
			bh_word_take(reader, item, &pair->word);
		/* Then a finding says why, and the policy goes no further. */
		if (!pair->word.text) {
			free(pair->value.text);
			*pair = (struct bh_pair){ 0 };
			pairs->count--;
		}
	}
}

void bh_read_binaries(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	char label[BH_LABEL_MAX];

	if (at->value->count == 0)
		bh_refuse(reader, "E113", at->value, NULL, "'%s' names no program",
			  bh_label_join(label, sizeof(label), at->label, at->key->text));
	read_items(reader, at, field, "binary", binary_check);
}

void bh_read_load(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_tool *tool = field;

	tool->load_given = true;
	read_items(reader, at, &tool->load, "load", loadable_check);
}
