/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of this folder share and nobody else sees: the skeleton. */
#ifndef BH_KERNEL_PRIVATE_H
#define BH_KERNEL_PRIVATE_H

#include <bpf/libbpf.h>

#include "bulkhead.skel.h"
#include "kernel/core.h"

#define BH_LINKS_MAX 64

struct bh_core {
	struct bulkhead_bpf *skeleton;
	struct bpf_link *links[BH_LINKS_MAX];
	size_t links_count;
	struct ring_buffer *ring;
	struct bh_ask_entry *asked; /* the questions' map; NULL: not looked at yet */
	size_t asked_count;
	void (*receive)(void *data, const void *bytes, size_t length); /* while reading */
	void *receive_data;
};

/* ask.c: lets go of the questions' map. */
void bh_core_ask_done(struct bh_core *core);

#endif
