/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How the pure code's functions are joined, and what they are asked about. */
#ifndef BH_LIB_INLINE_H
#define BH_LIB_INLINE_H

#include "bpf/abi.h"

/* not __always_inline: the kernel's user headers define that as plain inline */
#define BH_INLINE inline __attribute__((always_inline))

/*
 * A function that the BPF verifier checks once, by itself, instead of again at each call and in each of the caller's states.
 * There: at most five arguments, structs by pointer, each of which it must compare with NULL. Natively: plain inline.
 */
#ifdef __bpf__
#define BH_ONCE __attribute__((noinline, weak))
#else
#define BH_ONCE static inline
#endif

/* Keeps the compiler from dropping a bound that it has proved and the verifier would have to see. */
#define BH_OPAQUE(number) __asm__ volatile("" : "+r"(number))

struct bh_path_bytes {
	__u8 bytes[BH_PATH_MAX];
};

struct bh_address {
	__u8 bytes[16]; /* network order; IPv4 in the first four */
};

#endif
