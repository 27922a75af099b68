/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The automaton's walk: the same lines run in the kernel, in the verifier and in the tests. */
#ifndef BH_LIB_WALK_H
#define BH_LIB_WALK_H

#include "bpf/abi.h"

#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif

/*
 * The state reached from `start` by the bytes [from, length). bytes must be readable up to `limit`, a power of two; a length
 * above limit ends in the dead state. mask: number of cells - 1; every index is masked, so hostile tables give a wrong answer at
 * worst, never a wild read. No branch depends on the bytes, which keeps the BPF verifier's work at one path per byte.
 */
static __always_inline __u32 bh_walk_from(const struct bh_cell *cells, __u32 mask, __u32 start, const __u8 *bytes,
					  __u32 from, __u32 length, __u32 limit)
{
	__u32 state = start;

	if (length > limit)
		return BH_STATE_DEAD;
	for (__u32 i = 0; i < limit; i++) {
		if (from + i >= length)
			break;
		struct bh_cell head = cells[state & mask];
		struct bh_cell move = cells[(state + 1 + bytes[(from + i) & (limit - 1)]) & mask];
		/* all ones when the move is this state's own */
		__u32 own = 0 - (__u32)((((__u64)(move.check ^ state)) - 1) >> 63);

		state = head.next ^ ((head.next ^ move.next) & own);
	}
	return state;
}

static __always_inline __u32 bh_walk(const struct bh_cell *cells, __u32 mask, __u32 start, const __u8 *bytes, __u32 length,
				     __u32 limit)
{
	return bh_walk_from(cells, mask, start, bytes, 0, length, limit);
}

/* What the reached state accepts; 0: nothing. */
static __always_inline __u32 bh_accept_of(const struct bh_cell *cells, __u32 mask, __u32 state)
{
	return cells[state & mask].check & ~BH_CELL_HEAD;
}

#endif
