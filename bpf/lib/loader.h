/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Variables by which the dynamic loader and the C library take code, data or settings from whoever starts a program (policy.md 4.3). */
#ifndef BH_LIB_LOADER_H
#define BH_LIB_LOADER_H

/* X(beginning of NAME=VALUE, its length) */
#define BH_LOADER_VARIABLES(X)                                                                                         \
	X("LD_", 3)                                                                                                    \
	X("GLIBC_TUNABLES=", 15)                                                                                       \
	X("GCONV_PATH=", 11)                                                                                           \
	X("MALLOC_", 7)                                                                                                \
	X("LOCPATH=", 8)                                                                                               \
	X("NLSPATH=", 8)

#endif
