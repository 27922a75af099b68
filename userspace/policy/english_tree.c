/* SPDX-License-Identifier: GPL-2.0-only */
/* Growing the document that the YAML form would have given, so that one reader checks both. */
#include <stdio.h>
#include <string.h>

#include "policy/english_parts.h"

#define KEY_MAX 64u

static struct bh_node *make(struct bh_english_build *build, enum bh_node_kind kind, const char *text, struct bh_loc loc)
{
	struct bh_node *node = bh_node_new(build->document, kind, loc, text, strlen(text));

	if (!node)
		build->out_of_memory = true;
	return node;
}

static struct bh_node *find(const struct bh_node *map, const char *key)
{
	for (struct bh_node *at = map->first; at; at = at->next->next)
		if (strcmp(at->text, key) == 0)
			return at->next;
	return NULL;
}

struct bh_node *bh_tree_add(struct bh_english_build *build, struct bh_node *map, const char *key, struct bh_loc key_loc,
			    enum bh_node_kind kind, const char *text, struct bh_loc loc)
{
	struct bh_node *name, *value;

	if (!map)
		return NULL;
	name = make(build, BH_NODE_WORD, key, key_loc);
	value = make(build, kind, text, loc);
	if (!name || !value)
		return NULL;
	bh_node_append(map, name);
	bh_node_append(map, value);
	return value;
}

struct bh_node *bh_tree_open(struct bh_english_build *build, struct bh_node *map, const char *key,
			     enum bh_node_kind kind, struct bh_loc loc)
{
	struct bh_node *value = map ? find(map, key) : NULL;

	return value ? value : bh_tree_add(build, map, key, loc, kind, "", loc);
}

/* The first key of a way, in buffer; moves on behind it and says whether it was the last. */
static bool next_key(const char **way, char buffer[KEY_MAX])
{
	size_t length = strcspn(*way, ".=");
	bool last = (*way)[length] != '.';

	snprintf(buffer, KEY_MAX, "%.*s", (int)length, *way);
	*way += last ? length : length + 1;
	return last;
}

struct bh_node *bh_tree_way(struct bh_english_build *build, struct bh_node *map, const char *way,
			    enum bh_node_kind kind, struct bh_loc loc)
{
	char key[KEY_MAX];
	bool last;

	do {
		last = next_key(&way, key);
		map = bh_tree_open(build, map, key, last ? kind : BH_NODE_MAP, loc);
	} while (!last);
	return map;
}

void bh_tree_set(struct bh_english_build *build, struct bh_node *map, const char *way, const char *text,
		 struct bh_loc loc)
{
	const char *rest = way;
	char key[KEY_MAX], hint[96];
	const struct bh_node *earlier;

	while (!next_key(&rest, key))
		map = bh_tree_open(build, map, key, BH_NODE_MAP, loc);
	earlier = map ? find(map, key) : NULL;
	if (!earlier) {
		bh_tree_add(build, map, key, loc, BH_NODE_WORD, text, loc);
		return;
	}
	snprintf(hint, sizeof(hint), "remove one; the first is in line %u, column %u", earlier->loc.line,
		 earlier->loc.column);
	bh_diag_add(build->diags, BH_SEVERITY_ERROR, "E112", loc, hint, "'%.*s' is said twice", (int)strcspn(way, "="),
		    way);
}

struct bh_node *bh_tree_item(struct bh_english_build *build, struct bh_node *list, enum bh_node_kind kind,
			     const char *text, struct bh_loc loc)
{
	struct bh_node *item = list ? make(build, kind, text, loc) : NULL;

	if (item)
		bh_node_append(list, item);
	return item;
}
