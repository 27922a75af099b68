/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef BH_COUNTS_H
#define BH_COUNTS_H

/* Counters of a load, one array per CPU, summed by userspace. */
#define BH_COUNT_RING_FULL 1u
#define BH_COUNT_NO_SCRATCH 2u
#define BH_COUNT_PATH_FAULT 3u
#define BH_COUNT_LABEL_FAULT 4u
#define BH_COUNT_LABEL_WALK 5u /* task storage said nothing, the raw walk found the label (kernel-facts 1) */
#define BH_COUNT_STRAY_PACKET 6u /* of a socket that belongs to no sandbox that is known: dropped */
#define BH_COUNTS 8u

#endif
