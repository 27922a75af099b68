/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The automaton's walk: the same lines run in the kernel, in the verifier and in the tests. */
#ifndef BH_LIB_WALK_H
#define BH_LIB_WALK_H

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

#define BH_WALK_BLOCK 64u

/*
 * The state reached from `state` by bytes [from, length), or by the first `limit` of them. bytes must be readable up to the
 * power of two `size`. mask: number of cells - 1; every index is masked, so hostile tables give a wrong answer at worst,
 * never a wild read. No branch depends on the bytes, which keeps the verifier's work at one path per byte.
 */
static BH_INLINE __u32 bh_walk_some(const struct bh_cell *cells, __u32 mask, __u32 state, const __u8 *bytes, __u32 size,
				    __u32 from, __u32 length, __u32 limit)
{
	for (__u32 i = 0; i < limit; i++) {
		if (from + i >= length)
			break;
		struct bh_cell head = cells[state & mask];
		struct bh_cell move = cells[(state + 1 + bytes[(from + i) & (size - 1)]) & mask];
		/* all ones when the move is this state's own */
		__u32 own = 0 - (__u32)((((__u64)(move.check ^ state)) - 1) >> 63);

		state = head.next ^ ((head.next ^ move.next) & own);
	}
	return state;
}

/* The state reached from `start` by `length` bytes; for native code, where nothing limits a loop. */
static BH_INLINE __u32 bh_walk(const struct bh_cell *cells, __u32 mask, __u32 start, const __u8 *bytes, __u32 length,
			       __u32 size)
{
	return length > size ? BH_STATE_DEAD : bh_walk_some(cells, mask, start, bytes, size, 0, length, length);
}

/* What the reached state accepts; 0: nothing. */
static BH_INLINE __u32 bh_accept_of(const struct bh_cell *cells, __u32 mask, __u32 state)
{
	return cells[state & mask].check & ~BH_CELL_HEAD;
}

struct bh_path_bytes {
	__u8 bytes[BH_PATH_MAX];
};

struct bh_address {
	__u8 bytes[16]; /* network order; IPv4 in the first four */
};

BH_ONCE __u32 bh_walk_path_block(const struct bh_policy *policy, const struct bh_path_bytes *path, __u32 state,
				 __u32 from, __u32 length)
{
	if (!policy || !path)
		return BH_STATE_DEAD;
	return bh_walk_some(policy->cells, BH_CELLS - 1, state, path->bytes, BH_PATH_MAX, from, length, BH_WALK_BLOCK);
}

/* The state of a policy's path automaton reached from `state` by bytes [from, length). Longer than BH_PATH_MAX: dead. */
BH_ONCE __u32 bh_walk_path(const struct bh_policy *policy, const struct bh_path_bytes *path, __u32 state, __u32 from,
			   __u32 length)
{
	if (!policy || !path || length > BH_PATH_MAX)
		return BH_STATE_DEAD;
	for (__u32 i = 0; i < BH_PATH_MAX / BH_WALK_BLOCK; i++) {
		if (from >= length)
			break;
		state = bh_walk_path_block(policy, path, state, from, length);
		from += BH_WALK_BLOCK;
	}
	return state;
}

/* Accept id of an address (length 4 or 16 bytes) in a policy. */
BH_ONCE __u32 bh_walk_address(const struct bh_policy *policy, const struct bh_address *address, __u32 start,
			      __u32 length)
{
	if (!policy || !address)
		return 0;
	start = bh_walk_some(policy->cells, BH_CELLS - 1, start, address->bytes, 16, 0, length, 16);
	return bh_accept_of(policy->cells, BH_CELLS - 1, start);
}

/* The same in the floor. */
BH_ONCE __u32 bh_walk_floor(const struct bh_floor_net *floor, const struct bh_address *address, __u32 start,
			    __u32 length)
{
	if (!floor || !address)
		return 0;
	start = bh_walk_some(floor->cells, BH_FLOOR_CELLS - 1, start, address->bytes, 16, 0, length, 16);
	return bh_accept_of(floor->cells, BH_FLOOR_CELLS - 1, start);
}

#endif
