/* SPDX-License-Identifier: GPL-2.0-only */
/* How random a label looks, in whole numbers. */
#include "detect/private.h"

#define MOST 63u /* bytes of a label of a host name */

/* c * log2(c) in thousandths */
static const uint32_t weights[MOST + 1] = {
	0,	0,	2000,	4755,	8000,	11610,	15510,	19651,	24000,	28529,	33219,	38054,	43020,
	48106,	53303,	58603,	64000,	69487,	75059,	80711,	86439,	92239,	98107,	104042, 110039, 116096,
	122211, 128382, 134606, 140881, 147207, 153580, 160000, 166465, 172974, 179525, 186117, 192750, 199421,
	206131, 212877, 219660, 226477, 233329, 240215, 247133, 254084, 261066, 268078, 275121, 282193, 289294,
	296423, 303580, 310764, 317975, 325212, 332475, 339763, 347076, 354413, 361775, 369160, 376569,
};

/* Of n bytes of which each kind occurs c times: log2(n) - sum(c * log2(c)) / n. */
unsigned int bh_entropy(const char *label, size_t length)
{
	uint8_t counts[256] = { 0 };
	uint32_t sum = 0;

	if (length > MOST)
		length = MOST;
	if (length < 2)
		return 0;
	for (size_t i = 0; i < length; i++) {
		uint8_t *count = &counts[(uint8_t)label[i]];

		sum -= weights[*count];
		sum += weights[++*count];
	}
	return (weights[length] - sum) / (uint32_t)length / 10;
}
