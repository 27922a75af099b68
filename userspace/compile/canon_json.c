/* SPDX-License-Identifier: GPL-2.0-only */
/* Canonical values: texts, sets, numbers. */
#include "compile/canon_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/order.h"

#define CANONICAL (JSON_COMPACT | JSON_SORT_KEYS | JSON_ENSURE_ASCII | JSON_ENCODE_ANY)

/* Not json_dumps(): it leaves a key out, and says nothing, when its buffer cannot grow (2.14). */
char *bh_canon_text(const json_t *json)
{
	size_t size = json_dumpb(json, NULL, 0, CANONICAL);
	char *text = size ? malloc(size + 1) : NULL;

	if (!text || json_dumpb(json, text, size, CANONICAL) != size) {
		free(text);
		return NULL;
	}
	text[size] = '\0';
	return text;
}

int bh_canon_put(json_t *object, const char *key, json_t *value)
{
	return json_object_set_new(object, key, value) ? -ENOMEM : 0;
}

int bh_canon_append(json_t *array, json_t *value)
{
	return json_array_append_new(array, value) ? -ENOMEM : 0;
}

json_t *bh_canon_finish(json_t *value, int result)
{
	if (!result)
		return value;
	json_decref(value);
	return NULL;
}

json_t *bh_canon_list(const struct bh_words *words)
{
	json_t *array = json_array();
	int result = 0;

	for (size_t i = 0; i < words->count && !result; i++)
		result = bh_canon_append(array, json_string(words->items[i].text));
	return bh_canon_finish(array, result);
}

json_t *bh_canon_set(const struct bh_words *words)
{
	struct bh_words copy = { calloc(words->count + 1, sizeof(*copy.items)), words->count };
	json_t *array;

	if (!copy.items)
		return NULL;
	if (words->count)
		memcpy(copy.items, words->items, words->count * sizeof(*copy.items));
	copy.count = bh_order_words(copy.items, copy.count);
	array = bh_canon_list(&copy);
	free(copy.items);
	return array;
}

json_t *bh_canon_blocks(const struct bh_cidrs *cidrs, bool addresses)
{
	struct bh_cidrs copy = { calloc(cidrs->count + 1, sizeof(*copy.items)), cidrs->count };
	json_t *array = json_array();
	int result = copy.items ? 0 : -ENOMEM;

	if (copy.items && cidrs->count)
		memcpy(copy.items, cidrs->items, cidrs->count * sizeof(*copy.items));
	if (copy.items)
		copy.count = bh_order_blocks(copy.items, copy.count);
	for (size_t i = 0; i < copy.count && !result; i++) {
		char text[BH_CIDR_TEXT];

		bh_cidr_text(&copy.items[i], text);
		if (addresses)
			text[strcspn(text, "/")] = '\0';
		result = bh_canon_append(array, json_string(text));
	}
	free(copy.items);
	return bh_canon_finish(array, result);
}

/* A value and its text. */
struct member {
	char *text; /* owned */
	json_t *value; /* borrowed */
};

static int compare_members(const void *left, const void *right)
{
	return strcmp(((const struct member *)left)->text, ((const struct member *)right)->text);
}

static json_t *sorted(const json_t *array, struct member *members)
{
	size_t count = json_array_size(array);
	json_t *made = json_array();
	int result = 0;

	for (size_t i = 0; i < count; i++) {
		members[i].value = json_array_get(array, i);
		members[i].text = bh_canon_text(members[i].value);
		if (!members[i].text)
			return bh_canon_finish(made, -ENOMEM);
	}
	if (count)
		qsort(members, count, sizeof(*members), compare_members);
	for (size_t i = 0; i < count && !result; i++)
		if (!i || strcmp(members[i - 1].text, members[i].text) != 0)
			result = bh_canon_append(made, json_incref(members[i].value));
	return bh_canon_finish(made, result);
}

json_t *bh_canon_sorted(json_t *array)
{
	size_t count = json_array_size(array);
	BH_FREE struct member *members = array ? calloc(count + 1, sizeof(*members)) : NULL;
	json_t *made = members ? sorted(array, members) : NULL;

	for (size_t i = 0; members && i < count; i++)
		free(members[i].text);
	json_decref(array);
	return made;
}

json_t *bh_canon_number(uint64_t number)
{
	return json_integer((json_int_t)number);
}
