/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel records' clock. */
#ifndef BH_BASE_CLOCK_H
#define BH_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* CLOCK_BOOTTIME in nanoseconds. */
static inline int64_t bh_boot_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

#endif
