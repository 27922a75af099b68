/* SPDX-License-Identifier: GPL-2.0-only */
/* SHA-256, as bytes and as text. */
#ifndef BH_BASE_HASH_H
#define BH_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define BH_HASH_BYTES 32u
#define BH_HASH_TEXT (2u * BH_HASH_BYTES + 1u)

/* SHA-256 of `length` bytes. Cannot fail. */
void bh_hash_bytes(const void *bytes, size_t length, uint8_t ret_hash[BH_HASH_BYTES]);

/* Lower-case hex digits of a hash, NUL-terminated. Cannot fail. */
void bh_hash_text(const uint8_t hash[BH_HASH_BYTES], char ret_text[BH_HASH_TEXT]);

#endif
