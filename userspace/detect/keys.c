/* SPDX-License-Identifier: GPL-2.0-only */
/* Bounded sets of hashes. The hash has no secret, for the same input must give the same alerts everywhere. */
#include <string.h>

#include "detect/private.h"

#define MIX UINT64_C(0x9fb21c651e98df25)

static uint64_t mixed(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * MIX;
	return hash ^ hash >> 29;
}

uint64_t bh_key(uint64_t seed, const void *bytes, size_t length)
{
	const uint8_t *in = bytes;
	uint64_t hash = mixed(seed + 1, length), word;

	for (; length >= sizeof(word); length -= sizeof(word), in += sizeof(word)) {
		memcpy(&word, in, sizeof(word));
		hash = mixed(hash, word);
	}
	word = 0;
	if (length)
		memcpy(&word, in, length);
	hash = mixed(mixed(hash, word), seed);
	return hash ? hash : 1;
}

static size_t row_of(size_t count, uint64_t key)
{
	return (key >> 16) % (count / BH_KEY_WAYS) * BH_KEY_WAYS;
}

bool bh_keys_has(const uint64_t *slots, size_t count, uint64_t key)
{
	const uint64_t *row = slots + row_of(count, key);

	for (size_t i = 0; i < BH_KEY_WAYS; i++)
		if (row[i] == key)
			return true;
	return false;
}

bool bh_keys_add(uint64_t *slots, size_t count, uint64_t key)
{
	uint64_t *row = slots + row_of(count, key);
	size_t at = 0;
	bool new;

	while (at < BH_KEY_WAYS - 1 && row[at] != key)
		at++;
	new = row[at] != key;
	memmove(row + 1, row, at * sizeof(*row));
	row[0] = key;
	return new;
}

/* The entry of this key; else a free one, or the one whose window is longest over. */
static struct bh_tries *entry_of(struct bh_tries *table, uint64_t key)
{
	struct bh_tries *oldest = table;

	for (size_t i = 0; i < BH_TRIES; i++) {
		if (table[i].key == key)
			return &table[i];
		if (table[i].bucket < oldest->bucket)
			oldest = &table[i];
	}
	return oldest;
}

unsigned int bh_tries_add(const struct bh_detect *detect, struct bh_tries *table, uint64_t length_ns, uint64_t key,
			  uint32_t one)
{
	struct bh_tries *entry = entry_of(table, key);
	uint64_t bucket = bh_window_of(detect, length_ns);

	if (entry->key != key || entry->bucket != bucket) {
		entry->key = key;
		entry->bucket = bucket;
		entry->count = 0;
	}
	for (size_t i = 0; i < entry->count; i++)
		if (entry->different[i] == one)
			return entry->count;
	if (entry->count < BH_DIFFERENT)
		entry->different[entry->count++] = one;
	return entry->count;
}
