/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/rewriting.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define PLACE_DEPTH 8u

size_t bh_node_end(const struct bh_node *node)
{
	while (node->kind != BH_NODE_WORD && !node->flow && node->last)
		node = node->last;
	return node->end;
}

struct bh_entry bh_entry_at(const struct bh_node *container, const struct bh_node *first)
{
	struct bh_entry entry = { .first = first };

	if (!first)
		return entry;
	entry.begin = first->begin;
	entry.end = bh_node_end(container->kind == BH_NODE_MAP ? first->next : first);
	return entry;
}

const struct bh_node *bh_entry_next(const struct bh_node *container, const struct bh_node *first)
{
	return container->kind == BH_NODE_MAP ? first->next->next : first->next;
}

struct bh_entry bh_entry_last(const struct bh_node *container)
{
	const struct bh_node *first = container->first;

	while (first && bh_entry_next(container, first))
		first = bh_entry_next(container, first);
	return bh_entry_at(container, first);
}

size_t bh_line_begin(const struct bh_rewriting *r, size_t at)
{
	while (at > 0 && r->text[at - 1] != '\n')
		at--;
	return at;
}

size_t bh_line_end(const struct bh_rewriting *r, size_t at)
{
	while (at < r->length && r->text[at] != '\n')
		at++;
	return at;
}

bool bh_is_blank(const struct bh_rewriting *r, size_t from, size_t to)
{
	for (; from < to; from++)
		if (r->text[from] != ' ' && r->text[from] != '\n')
			return false;
	return true;
}

struct bh_buf *bh_splice(struct bh_rewriting *r, size_t at, size_t remove)
{
	struct bh_splice *splice = &r->splices[r->count];

	if (r->count == BH_SPLICES_MAX) {
		bh_rewriting_refuse(r, "it is spelled in too many pieces");
		return NULL;
	}
	r->count++;
	splice->at = at;
	splice->remove = remove;
	return &splice->insert;
}

int bh_rewriting_refuse(struct bh_rewriting *r, const char *why)
{
	return bh_err_set(r->err, EINVAL, "%s", why);
}

/* libyaml counts characters. */
static int count_bytes(struct bh_rewriting *r)
{
	BH_FREE size_t *bytes = calloc(r->length + 1, sizeof(*bytes));
	size_t characters = 0;

	if (!bytes)
		return bh_err_set(r->err, ENOMEM, "out of memory");
	for (size_t i = 0; i < r->length; i++)
		if (((unsigned char)r->text[i] & 0xc0) != 0x80)
			bytes[characters++] = i;
	bytes[characters] = r->length;
	for (struct bh_node *node = r->document.newest; node; node = node->older) {
		node->begin = bytes[node->begin < characters ? node->begin : characters];
		node->end = bytes[node->end < characters ? node->end : characters];
		/* the lines after a block of text are not its own */
		while (node->end > node->begin && r->text[node->end - 1] == '\n')
			node->end--;
	}
	return 0;
}

/* How far a place leads into the document. */
struct way {
	const struct bh_node *parents[PLACE_DEPTH]; /* the containers passed, outermost first */
	const struct bh_node *keys[PLACE_DEPTH]; /* by which; NULL: an item of a list */
	size_t depth;
	const struct bh_node *node; /* the last that is there */
	const char *missing; /* the rest of the place; "": none */
};

static const struct bh_node *find_key(const struct bh_node *map, const char *name, size_t length)
{
	for (const struct bh_node *key = map->first; key; key = key->next->next)
		if (key->kind == BH_NODE_WORD && key->length == length && memcmp(key->text, name, length) == 0)
			return key;
	return NULL;
}

static const struct bh_node *find_item(const struct bh_node *list, size_t index)
{
	const struct bh_node *item = list->first;

	while (item && index--)
		item = item->next;
	return item;
}

/* One step; false when it leads nowhere. */
static bool go_on(struct way *way)
{
	const struct bh_node *node = way->node, *key = NULL, *next = NULL;
	const char *step = way->missing + (way->missing[0] == '.');
	size_t length = strcspn(step, ".[");

	if (way->depth == PLACE_DEPTH)
		return false;
	if (step[0] == '[' && node->kind == BH_NODE_LIST) {
		next = find_item(node, strtoul(step + 1, NULL, 10));
		length = strcspn(step, "]") + 1;
	} else if (length && node->kind == BH_NODE_MAP) {
		key = find_key(node, step, length);
		next = key ? key->next : NULL;
	}
	if (!next)
		return false;
	way->parents[way->depth] = node;
	way->keys[way->depth++] = key;
	way->node = next;
	way->missing = step + length;
	return true;
}

static struct way find_way(const struct bh_rewriting *r, const char *place)
{
	struct way way = { .node = r->document.root, .missing = place };

	while (way.missing[0] && go_on(&way))
		;
	return way;
}

/* Columns that a mapping lies further in than the one around it. */
static unsigned int indentation(const struct way *way)
{
	const struct bh_node *inner = way->node;

	for (size_t i = way->depth; i-- > 0; inner = way->parents[i])
		if (inner->kind == BH_NODE_MAP && way->parents[i]->kind == BH_NODE_MAP && !inner->flow &&
		    inner->loc.column > way->parents[i]->loc.column)
			return inner->loc.column - way->parents[i]->loc.column;
	return 2;
}

/* The last list in this mapping, by its key, if that is one with a line for each item; else NULL. */
static const struct bh_node *list_of_lines(const struct bh_node *map)
{
	const struct bh_node *found = NULL;

	for (const struct bh_node *key = map->first; key; key = key->next->next)
		if (key->next->kind == BH_NODE_LIST)
			found = key->next->flow || key->next->loc.column < key->loc.column ? NULL : key;
	return found;
}

/*
 * "key: value" for the place's missing keys: in a block mapping a line for each key, else braces. item: the value becomes a
 * list of it, spelled as the mapping's other lists are.
 */
static void print_missing(struct bh_buf *out, const struct way *way, const char *value, bool item)
{
	const struct bh_node *like = way->node->flow ? NULL : list_of_lines(way->node);
	unsigned int unit = indentation(way), depth = 0, closing = 0;
	const char *step = way->missing;

	while (*step) {
		size_t length;

		step += *step == '.';
		length = strcspn(step, ".");
		if (depth && way->node->flow) {
			bh_buf_print(out, " {");
			closing++;
		} else if (depth) {
			bh_buf_print(out, "\n%*s", (int)(depth * unit), "");
		}
		bh_buf_print(out, "%.*s:", (int)length, step);
		step += length;
		depth++;
	}
	if (item && like)
		bh_buf_print(out, "\n%*s- %s", (int)((depth - 1) * unit + like->next->loc.column - like->loc.column),
			     "", value);
	else
		bh_buf_print(out, item ? " [%s]" : " %s", value);
	while (closing--)
		bh_buf_print(out, "}");
}

static int add_entry(struct bh_rewriting *r, const struct bh_node *container, const char *entry)
{
	return container->flow ? bh_flow_add(r, container, entry) : bh_block_add(r, container, entry);
}

/* Adds below the last node that is there. */
static int add_missing(struct bh_rewriting *r, const struct way *way, const char *value, bool item)
{
	BH_CLEANUP(bh_buf_done) struct bh_buf entry = { 0 };

	if (way->node->kind != BH_NODE_MAP || strchr(way->missing, '['))
		return bh_rewriting_refuse(r, "a key that it needs is not there");
	print_missing(&entry, way, value, item);
	if (entry.error)
		return bh_err_set(r->err, ENOMEM, "out of memory");
	return add_entry(r, way->node, (const char *)entry.bytes);
}

static int add_key(struct bh_rewriting *r, const struct bh_rewrite *change)
{
	BH_CLEANUP(bh_buf_done) struct bh_buf place = { 0 };
	struct way way;

	bh_buf_print(&place, "%s.%s", change->place, change->key);
	if (place.error)
		return bh_err_set(r->err, ENOMEM, "out of memory");
	way = find_way(r, (const char *)place.bytes);
	if (!way.missing[0])
		return bh_rewriting_refuse(r, "the key is there already");
	return add_missing(r, &way, change->yaml, false);
}

static int add_item(struct bh_rewriting *r, const struct bh_rewrite *change)
{
	struct way way = find_way(r, change->place);

	if (way.missing[0])
		return add_missing(r, &way, change->yaml, true);
	if (!way.node || way.node->kind != BH_NODE_LIST)
		return bh_rewriting_refuse(r, "there is no list at its place");
	return add_entry(r, way.node, change->yaml);
}

static int remove_first(struct bh_rewriting *r, const struct bh_rewrite *change, bool key)
{
	struct way way = find_way(r, change->place);
	const struct bh_node *first = way.missing[0] || !way.node ? NULL : way.node->first;

	if (first && way.node->kind != (key ? BH_NODE_MAP : BH_NODE_LIST))
		first = NULL;
	while (first && !(key ? first->kind == BH_NODE_WORD && strcmp(first->text, change->key) == 0 :
				change->is_wanted(first, change->wanted)))
		first = bh_entry_next(way.node, first);
	if (!first)
		return bh_err_set(r->err, ENOENT, "what is to be removed is not there");
	if (way.node->flow)
		return bh_flow_remove(r, way.node, first);
	return bh_block_remove(r, way.node, way.depth ? way.keys[way.depth - 1] : NULL, first);
}

static int compare_splices(const void *left, const void *right)
{
	const struct bh_splice *a = left, *b = right;

	return a->at < b->at ? -1 : a->at > b->at;
}

static void apply_splices(struct bh_rewriting *r, struct bh_buf *out)
{
	size_t at = 0;

	qsort(r->splices, r->count, sizeof(r->splices[0]), compare_splices);
	for (size_t i = 0; i < r->count; i++) {
		bh_buf_add(out, r->text + at, r->splices[i].at - at);
		if (r->splices[i].insert.length)
			bh_buf_add(out, r->splices[i].insert.bytes, r->splices[i].insert.length);
		if (r->splices[i].insert.error)
			out->error = r->splices[i].insert.error;
		at = r->splices[i].at + r->splices[i].remove;
	}
	bh_buf_add(out, r->text + at, r->length - at);
}

static int plan(struct bh_rewriting *r, const struct bh_rewrite *change)
{
	switch (change->kind) {
	case BH_REWRITE_ADD_ITEM:
		return add_item(r, change);
	case BH_REWRITE_ADD_KEY:
		return add_key(r, change);
	default:
		return remove_first(r, change, change->kind == BH_REWRITE_REMOVE_KEY);
	}
}

/* One change. Findings about the text are not said: who calls has read it before. */
static int rewrite_once(const char *text, size_t length, const struct bh_rewrite *change, struct bh_buf *out,
			struct bh_err *err)
{
	struct bh_rewriting r = { .text = text, .length = length, .err = err };
	struct bh_diags *diags = bh_diags_new("", text, length);
	int result = -ENOMEM;

	if (diags && !bh_lexical_check(text, length, diags))
		result = bh_err_set(err, EINVAL, "it is not the strict YAML of a policy");
	else if (diags)
		result = bh_document_parse(text, length, diags, &r.document);
	if (result == -ENOMEM)
		bh_err_set(err, ENOMEM, "out of memory");
	else if (result)
		bh_err_set(err, EINVAL, "it is not the strict YAML of a policy");
	if (!result)
		result = count_bytes(&r);
	if (!result)
		result = plan(&r, change);
	if (!result)
		apply_splices(&r, out);
	if (!result && out->error)
		result = bh_err_set(err, ENOMEM, "out of memory");
	for (size_t i = 0; i < r.count; i++)
		bh_buf_done(&r.splices[i].insert);
	bh_document_done(&r.document);
	bh_diags_free(diags);
	return result;
}

int bh_rewrite(const char *text, size_t length, const struct bh_rewrite *change, struct bh_buf *ret_text,
	       struct bh_err *err)
{
	struct bh_buf before = { 0 };
	int result = rewrite_once(text, length, change, ret_text, err);

	/* the same word may stand in the list again */
	while (!result && change->kind == BH_REWRITE_REMOVE_ITEM) {
		bh_buf_done(&before);
		before = *ret_text;
		*ret_text = (struct bh_buf){ 0 };
		result = rewrite_once((const char *)before.bytes, before.length, change, ret_text, err);
		if (result != -ENOENT)
			continue;
		bh_buf_done(ret_text);
		*ret_text = before;
		return 0;
	}
	bh_buf_done(&before);
	return result;
}

/* Nothing that could be an indicator, in braces or outside of them; '-' and ':' only where they are none. */
static bool is_bare(const char *word)
{
	size_t length = strlen(word);

	if (!length ||
	    word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+=~^*?@%:-")])
		return false;
	return word[strspn(word, "-:")] != '\0' && word[length - 1] != ':' && !strchr(":=~*?@%", word[0]);
}

void bh_rewrite_word(struct bh_buf *out, const char *word)
{
	if (is_bare(word)) {
		bh_buf_add(out, word, strlen(word));
		return;
	}
	bh_buf_add(out, "\"", 1);
	for (; *word; word++) {
		if (*word == '"' || *word == '\\')
			bh_buf_add(out, "\\", 1);
		bh_buf_add(out, word, 1);
	}
	bh_buf_add(out, "\"", 1);
}
