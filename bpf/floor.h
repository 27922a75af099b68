/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The part of the ABI about addresses that no policy can open. Included by bpf/abi.h. */
#ifndef BH_FLOOR_H
#define BH_FLOOR_H

#include "bpf/abi.h"

/* ---- The address floor: compiled from rules/, in every kernel, written once ---- */
#define BH_FLOOR_CELLS 8192u
struct bh_floor_net {
	__u32 abi;
	__u32 net4_start, net6_start;
	__u32 pad0;
	/* accept id of a cell's head: 1 = blocked on every port, 2 + i = blocked except on except_port[i] */
	__u16 except_port[16];
	struct bh_cell cells[BH_FLOOR_CELLS];
};

_Static_assert(sizeof(struct bh_floor_net) == 48 + 8 * BH_FLOOR_CELLS, "abi");

#endif
