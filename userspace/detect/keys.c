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
