/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes that a sandbox chose, made fit for a reader: valid UTF-8 for machines, printable ASCII for terminals. */
#ifndef BH_EVENT_UTF8_H
#define BH_EVENT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room that any result of the two functions needs for `length` input bytes, its NUL included. */
#define BH_UTF8_ROOM(length) (3 * (length) + 1)
#define BH_ESCAPE_ROOM(length) (4 * (length) + 1)

/*
 * Bytes of the well-formed character at the start of bytes (1..4). 0: none, then *ret_bad is how many bytes one
 * U+FFFD replaces (at least 1). length must not be 0. Overlong forms, surrogates and values above U+10FFFF are not
 * well-formed.
 */
size_t bh_utf8_next(const unsigned char *bytes, size_t length, size_t *ret_bad);

/*
 * The code of a well-formed character of `length` bytes that must not be shown as it is: controls, and the marks that reorder or
 * break a shown line. 0: it may.
 */
uint32_t bh_utf8_hidden(const unsigned char *bytes, size_t length);

/*
 * Copies `length` bytes to out as valid UTF-8 and ends it with a NUL, whole characters only, as many as fit.
 * A NUL byte becomes '@', as /proc/net/unix shows it. Returns the length without the NUL. size must not be 0.
 */
size_t bh_utf8_repair(const void *bytes, size_t length, char *out, size_t size);

/*
 * Copies `length` bytes to out as printable ASCII: every other byte, and the backslash, becomes \xNN. spaces: a space
 * stays. Ends with a NUL; a result that does not fit ends in "...". Returns the length without the NUL. size must be at
 * least 8.
 */
size_t bh_escape(const void *bytes, size_t length, bool spaces, char *out, size_t size);

#endif
