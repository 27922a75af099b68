/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where the blocks of a large policy lie, chunks of cells and pages of accepts, and how a long walk repeats: all that differs
 * between the kernel and native code.
 */
#ifndef BH_LIB_CHUNK_H
#define BH_LIB_CHUNK_H

#include "bpf/lib/inline.h"

#ifdef __bpf__

#include "bpf/maps.bpf.h"

/* Block `number`, from 1; NULL: there is none. The set stays as it is for as long as the policy can be found. */
static BH_INLINE const struct bh_chunk *bh_block_more(const struct bh_policy *policy, __u32 number)
{
	__u32 more = policy->head.more, index = number - 1;
	void *set = bpf_map_lookup_elem(&bh_chunks, &more);

	return set ? bpf_map_lookup_elem(set, &index) : NULL;
}

/* Calls step(round, data) until it returns 1, `rounds` times at most. The verifier looks at the step once. */
#define bh_repeat(rounds, step, data) bpf_loop(rounds, step, data, 0)

#else

static inline const struct bh_chunk *bh_block_more(const struct bh_policy *policy, __u32 number)
{
	return number && number < policy->head.blocks ? (const struct bh_chunk *)(policy + 1) + (number - 1) : 0;
}

static inline void bh_repeat(__u32 rounds, long (*step)(__u32 round, void *data), void *data)
{
	for (__u32 round = 0; round < rounds; round++)
		if (step(round, data))
			break;
}

#endif

/* What an accept id means. One that is not there means nothing, as the first of them does. */
static BH_INLINE const struct bh_accept *bh_accept_at(const struct bh_policy *policy, __u32 id)
{
	__u32 far = id - BH_ACCEPTS_FIRST;
	const struct bh_chunk *page;

	if (id < BH_ACCEPTS_FIRST)
		return &policy->accepts[id & (BH_ACCEPTS_FIRST - 1)];
	page = bh_block_more(policy, policy->head.chunks + far / BH_ACCEPTS_PAGE);
	if (!page)
		return &policy->accepts[0];
	return (const struct bh_accept *)page + (far & (BH_ACCEPTS_PAGE - 1));
}

/* The chunk in which a state's row lies; NULL: hostile tables. */
static BH_INLINE const struct bh_chunk *bh_chunk_of(const struct bh_policy *policy, __u32 state)
{
	__u32 number = state / BH_CHUNK_CELLS;

	return number ? bh_block_more(policy, number) : &policy->chunk;
}

#endif
