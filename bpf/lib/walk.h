/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The automaton's walk: the same lines run in the kernel, in the verifier and in the tests. */
#ifndef BH_LIB_WALK_H
#define BH_LIB_WALK_H

#include "bpf/lib/chunk.h"

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

/* What the reached state of a policy accepts. */
BH_ONCE __u32 bh_state_accept(const struct bh_policy *policy, __u32 state)
{
	const struct bh_chunk *chunk;

	if (!policy)
		return 0;
	chunk = bh_chunk_of(policy, state);
	return chunk ? bh_accept_of(chunk->cells, BH_CHUNK_CELLS - 1, state) : 0;
}

BH_ONCE __u32 bh_walk_path_block(const struct bh_policy *policy, const struct bh_path_bytes *path, __u32 state,
				 __u32 from, __u32 length)
{
	if (!policy || !path)
		return BH_STATE_DEAD;
	return bh_walk_some(policy->chunk.cells, BH_CHUNK_CELLS - 1, state, path->bytes, BH_PATH_MAX, from, length,
			    BH_WALK_BLOCK);
}

/*
 * As bh_walk_path_block, but ends when the state leaves the chunk: to be called again with the chunk that it leads to.
 * Returns the state, and in the upper half where the walk stands.
 */
BH_ONCE __u64 bh_walk_chunk_block(const struct bh_chunk *chunk, const struct bh_path_bytes *path, __u32 state,
				  __u32 from, __u32 length)
{
	__u32 home = state / BH_CHUNK_CELLS;

	if (!chunk || !path)
		return BH_STATE_DEAD | (__u64)length << 32;
	for (__u32 i = 0; i < BH_WALK_BLOCK; i++) {
		if (from >= length || state / BH_CHUNK_CELLS != home)
			break;
		state = bh_walk_some(chunk->cells, BH_CHUNK_CELLS - 1, state, path->bytes, BH_PATH_MAX, from, length,
				     1);
		from++;
	}
	return state | (__u64)from << 32;
}

struct bh_far_walk {
	const struct bh_policy *policy;
	const struct bh_path_bytes *path;
	__u32 state, from, length, pad0;
};

/* One chunk looked up and walked for a block at most. 1: the walk is over. */
static long bh_far_step(__u32 round, void *data)
{
	struct bh_far_walk *walk = data;
	const struct bh_chunk *chunk = bh_chunk_of(walk->policy, walk->state);
	__u64 reached = bh_walk_chunk_block(chunk, walk->path, walk->state, walk->from, walk->length);

	walk->state = (__u32)reached;
	walk->from = (__u32)(reached >> 32);
	return walk->from >= walk->length;
}

/* As bh_walk_path, for a policy of several chunks. Each step moves on by a byte at least. */
BH_ONCE __u32 bh_walk_far(const struct bh_policy *policy, const struct bh_path_bytes *path, __u32 state, __u32 from,
			  __u32 length)
{
	struct bh_far_walk walk = { policy, path, state, from, length, 0 };

	if (!policy || !path)
		return BH_STATE_DEAD;
	if (from < length)
		bh_repeat(BH_PATH_MAX, bh_far_step, &walk);
	return walk.state;
}

/* The state of a policy's path automaton reached from `state` by bytes [from, length). Longer than BH_PATH_MAX: dead. */
BH_ONCE __u32 bh_walk_path(const struct bh_policy *policy, const struct bh_path_bytes *path, __u32 state, __u32 from,
			   __u32 length)
{
	if (!policy || !path || length > BH_PATH_MAX)
		return BH_STATE_DEAD;
	if (policy->head.chunks > 1)
		return bh_walk_far(policy, path, state, from, length);
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
	start = bh_walk_some(policy->chunk.cells, BH_CHUNK_CELLS - 1, start, address->bytes, 16, 0, length, 16);
	return bh_accept_of(policy->chunk.cells, BH_CHUNK_CELLS - 1, start);
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
