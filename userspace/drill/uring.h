/* SPDX-License-Identifier: GPL-2.0-only */
/* One open through io_uring, by system calls alone: no library, no openat(2) of our own. */
#ifndef BH_DRILL_URING_H
#define BH_DRILL_URING_H

/* Opens path for reading. Returns a descriptor or a negative errno; -ENOSYS: this kernel has no io_uring. */
int try_uring_open(const char *path);

#endif
