/* SPDX-License-Identifier: GPL-2.0-only */
/* Canonical JSON as the writer of canon_json.c makes it: objects, lists, texts, networks. */
#include "compile/restore_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/names.h"
#include "policy/address.h"
#include "policy/path.h"

#define KEYS_MAX 32u /* of one object, known ones */
#define WORDS_MAX (1u << 20) /* in lists of the whole policy; no source has room for more */

int bh_restore_no_memory(struct restore *r)
{
	return bh_err_set(r->err, ENOMEM, "out of memory");
}

int bh_restore_not_canonical(struct restore *r)
{
	return REFUSE(r, "its policy is not in canonical form after %zu bytes", (size_t)(r->scan.at - r->start));
}

static const struct bh_restore_key *find_key(const struct bh_restore_key *keys, size_t count, const char *key,
					     uint32_t *seen)
{
	for (size_t i = 0; i < count; i++)
		if (!keys[i].key || strcmp(keys[i].key, key) == 0) {
			*seen |= 1u << i;
			return &keys[i];
		}
	return NULL;
}

int bh_restore_object(struct restore *r, const struct bh_restore_key *keys, size_t count, void *data)
{
	char key[BH_KEY_BYTES], before[BH_KEY_BYTES] = "";
	uint32_t seen = 0;
	int result = 0;

	if (!LITERAL(r, "{"))
		return bh_restore_not_canonical(r);
	for (bool first = true; !LITERAL(r, "}"); first = false) {
		const struct bh_restore_key *known;

		if ((!first && !LITERAL(r, ",")) || !TEXT(r, key) || !LITERAL(r, ":") ||
		    (!first && strcmp(before, key) >= 0))
			return bh_restore_not_canonical(r);
		known = find_key(keys, count, key, &seen);
		if (!known)
			return REFUSE(r, "its policy has a key '%.64s' that this program does not know", key);
		result = known->read(r, key, data);
		if (result)
			return result;
		memcpy(before, key, sizeof(before));
	}
	for (size_t i = 0; i < count; i++)
		if (keys[i].required && !(seen & 1u << i))
			return REFUSE(r, "its policy lacks '%s'", keys[i].key);
	return 0;
}

int bh_restore_list(struct restore *r, int (*item)(struct restore *r, void *data), void *data)
{
	int result = 0;

	if (!LITERAL(r, "["))
		return bh_restore_not_canonical(r);
	if (LITERAL(r, "]"))
		return 0;
	do
		result = item(r, data);
	while (!result && LITERAL(r, ","));
	return result ? result : LITERAL(r, "]") ? 0 : bh_restore_not_canonical(r);
}

int bh_restore_word(struct restore *r, struct bh_word *word, const char *text)
{
	free(word->text);
	word->text = strdup(text);
	return word->text ? 0 : bh_restore_no_memory(r);
}

void *bh_restore_grown(struct restore *r, void *array, size_t count, size_t size)
{
	size_t room = count ? 2 * count : 1;
	void *grown = array;

	if (count & (count - 1))
		return array; /* the last doubling left room */
	grown = reallocarray(array, room, size);
	if (!grown) {
		bh_restore_no_memory(r);
		return NULL;
	}
	memset((char *)grown + count * size, 0, (room - count) * size);
	return grown;
}

int bh_restore_append(struct restore *r, struct bh_words *words, const char *text)
{
	if (++r->words > WORDS_MAX)
		return REFUSE(r, "its policy has more than %u words", WORDS_MAX);
	if (GROW(r, words->items, words->count) || bh_restore_word(r, &words->items[words->count], text))
		return -ENOMEM;
	words->count++;
	return 0;
}

int bh_restore_add(struct restore *r, struct bh_words *words, const char *text)
{
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->items[i].text, text) == 0)
			return 0;
	return bh_restore_append(r, words, text);
}

static int word_item(struct restore *r, void *data)
{
	char text[BH_PATTERN_MAX + 1];

	return TEXT(r, text) ? bh_restore_append(r, data, text) : bh_restore_not_canonical(r);
}

int bh_restore_words(struct restore *r, struct bh_words *words)
{
	return bh_restore_list(r, word_item, words);
}

int bh_restore_block(struct restore *r, struct bh_cidrs *cidrs, const char *text, bool any_breadth)
{
	struct bh_address_fault fault;

	if (cidrs->count >= BH_NETWORKS_LIMIT)
		return REFUSE(r, "its policy has more than %u networks", BH_NETWORKS_LIMIT);
	if (GROW(r, cidrs->items, cidrs->count))
		return -ENOMEM;
	fault = bh_cidr_parse(text, any_breadth, &cidrs->items[cidrs->count]);
	if (fault.code)
		return REFUSE(r, "its policy: '%s' %s", text, fault.text);
	cidrs->count++;
	return 0;
}

static int block_item(struct restore *r, void *data)
{
	char text[BH_CIDR_TEXT];

	return TEXT(r, text) ? bh_restore_block(r, data, text, false) : bh_restore_not_canonical(r);
}

static int address_item(struct restore *r, void *data)
{
	char address[BH_CIDR_TEXT - 4], text[BH_CIDR_TEXT];

	if (!TEXT(r, address) || strchr(address, '/'))
		return bh_restore_not_canonical(r);
	snprintf(text, sizeof(text), "%s/%s", address, strchr(address, ':') ? "128" : "32");
	return bh_restore_block(r, data, text, true);
}

int bh_restore_blocks(struct restore *r, struct bh_cidrs *cidrs, bool addresses)
{
	return bh_restore_list(r, addresses ? address_item : block_item, cidrs);
}

int bh_restore_name(struct restore *r, const struct bh_name *names, const char *what, uint8_t *ret_number)
{
	char text[32];

	if (!TEXT(r, text))
		return bh_restore_not_canonical(r);
	*ret_number = (uint8_t)bh_name_number(names, text);
	return *ret_number ? 0 : REFUSE(r, "its policy: '%s' is no %s", text, what);
}
