/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads canonical JSON, and nothing but that: no white space, no sign, no escape that the writer does not make. Allocates
 * nothing. Each function moves on and returns true, or stays and returns false.
 */
#ifndef BH_COMPILE_SCAN_H
#define BH_COMPILE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bh_scan {
	const char *at, *end;
};

/* Exactly these characters. */
bool bh_scan_literal(struct bh_scan *scan, const char *literal);

/* A decimal number that fits, without leading zeros. */
bool bh_scan_number(struct bh_scan *scan, uint32_t *ret_number);

/* The same below 2^53. */
bool bh_scan_number64(struct bh_scan *scan, uint64_t *ret_number);

/* A whole list or object, of which only the brackets and the quotes are looked at. */
bool bh_scan_skip(struct bh_scan *scan);

/* A quoted text of printable ASCII; it and its NUL must fit into size bytes. */
bool bh_scan_text(struct bh_scan *scan, char *ret_text, size_t size);

#endif
