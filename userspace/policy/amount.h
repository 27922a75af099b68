/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers as a policy writes them: what quantity.h reads. Each fills the buffer and returns it. */
#ifndef BH_POLICY_AMOUNT_H
#define BH_POLICY_AMOUNT_H

#include <stdint.h>

#define BH_AMOUNT_TEXT 32u

const char *bh_amount_bytes(uint64_t bytes, char buffer[BH_AMOUNT_TEXT]); /* "512Mi" */
const char *bh_amount_seconds(uint64_t seconds, char buffer[BH_AMOUNT_TEXT]); /* "15m" */
const char *bh_amount_milliseconds(uint64_t milliseconds, char buffer[BH_AMOUNT_TEXT]); /* "30s", "500ms" */
const char *bh_amount_fraction(uint64_t number, unsigned int digits, char buffer[BH_AMOUNT_TEXT]); /* 500, 3: "0.5" */
const char *bh_amount_cap(unsigned int cap, uint64_t value, char buffer[BH_AMOUNT_TEXT]); /* "4Gi", "10Mi/s", "none" */
const char *bh_amount_date(int64_t seconds, char buffer[BH_AMOUNT_TEXT]); /* "2026-12-24T00:00:00Z" */

#endif
