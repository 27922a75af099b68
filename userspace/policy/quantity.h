/* SPDX-License-Identifier: GPL-2.0-only */
/* Amounts as a policy writes them. Pure functions; integers only, and no number that JSON could not hold exactly. */
#ifndef BH_POLICY_QUANTITY_H
#define BH_POLICY_QUANTITY_H

#include <stdbool.h>
#include <stdint.h>

#define BH_QUANTITY_MAX ((UINT64_C(1) << 53) - 1)

/* Each returns NULL and fills *ret, or what is wrong: a static text that goes behind the quoted word. */

/* "512": a number without sign or leading zero. */
const char *bh_quantity_count(const char *text, uint64_t *ret_count);

/* "512Mi": bytes, or 1024, 1024^2 ... of them by Ki, Mi, Gi, Ti. */
const char *bh_quantity_size(const char *text, uint64_t *ret_bytes);

/* "30s", also ms, m, h; milliseconds. */
const char *bh_quantity_duration(const char *text, uint64_t *ret_ms);

/* "0.5": up to `digits` (at most 3) digits behind the point; the number times 10^digits. */
const char *bh_quantity_fraction(const char *text, unsigned int digits, uint64_t *ret_parts);

/* "20/min", also /s and /h: an amount in each window. bytes: the amount is a size. */
const char *bh_quantity_rate(const char *text, bool bytes, uint64_t *ret_amount, uint32_t *ret_window_ms);

/* "2026-12-14T00:00:00Z": RFC 3339 in UTC without parts of a second, 2000 or later; seconds since 1970. */
const char *bh_quantity_date(const char *text, int64_t *ret_seconds);

#endif
