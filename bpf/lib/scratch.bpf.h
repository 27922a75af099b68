/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Working memory for a hook. Per CPU is not enough: with a preemptible kernel a task may be preempted inside a program and
 * another run the same program on the same CPU. So each CPU has several, claimed and released by an atomic flag.
 */
#ifndef BH_LIB_SCRATCH_BPF_H
#define BH_LIB_SCRATCH_BPF_H

#include "bpf/maps.bpf.h"

/* NULL when all are taken: the caller denies. */
static BH_INLINE struct bh_scratch *bh_scratch_claim(void)
{
	for (__u32 i = 0; i < BH_SCRATCHES; i++) {
		__u32 key = i;
		struct bh_scratch *scratch = bpf_map_lookup_elem(&bh_scratches, &key);

		if (scratch && __sync_val_compare_and_swap(&scratch->busy, 0, 1) == 0)
			return scratch;
	}
	bh_count(BH_COUNT_NO_SCRATCH);
	return NULL;
}

static BH_INLINE void bh_scratch_release(struct bh_scratch *scratch)
{
	if (scratch)
		__sync_lock_test_and_set(&scratch->busy, 0);
}

#endif
