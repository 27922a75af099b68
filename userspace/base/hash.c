/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/hash.h"

#include <sys/types.h>

#include <sha2.h>

void bh_hash_bytes(const void *bytes, size_t length, uint8_t ret_hash[BH_HASH_BYTES])
{
	SHA2_CTX context;

	SHA256Init(&context);
	SHA256Update(&context, bytes, length);
	SHA256Final(ret_hash, &context);
}

void bh_hash_text(const uint8_t hash[BH_HASH_BYTES], char ret_text[BH_HASH_TEXT])
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < BH_HASH_BYTES; i++) {
		ret_text[2 * i] = digits[hash[i] >> 4];
		ret_text[2 * i + 1] = digits[hash[i] & 15];
	}
	ret_text[2 * BH_HASH_BYTES] = '\0';
}
