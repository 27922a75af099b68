/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of this folder share and nobody else sees. */
#ifndef BH_KERNEL_PRIVATE_H
#define BH_KERNEL_PRIVATE_H

#include <bpf/libbpf.h>

#include "bulkhead.skel.h"
#include "kernel/core.h"

/* Descriptors of kernel objects, by the names that the sources give them. */
struct bh_named_fd {
	char name[32];
	int fd;
};

struct bh_fds {
	struct bh_named_fd items[128];
	size_t count;
};

/* Takes fd, also when it fails; a negative one is the failure that errno tells. 0 or negative errno. */
int bh_fds_add(struct bh_fds *fds, const char *name, int fd);
/* The descriptor, which stays fds'; -ENOENT. */
int bh_fds_find(const struct bh_fds *fds, const char *name);

struct bh_core {
	struct bh_fds maps, programs; /* programs: those that are run by hand */
	struct bh_fds hooks, links; /* programs that are attached, and what attaches them */
	char folder[64]; /* where they are pinned; empty: nowhere */
	struct ring_buffer *ring;
	int ring_fd;
	struct bh_ask_entry *asked; /* the questions' map; NULL: not looked at yet */
	size_t asked_count;
	void (*receive)(void *data, const void *bytes, size_t length); /* while reading */
	void *receive_data;
};

/* An empty core, to be freed by bh_core_free; NULL: out of memory. */
struct bh_core *bh_core_new(void);

/* The map's descriptor, which stays the core's. */
int bh_core_map(const struct bh_core *core, const char *name);

/* publish.c: what was let through before is judged anew, by one sandbox or, 0, by all. 0 or negative errno with err. */
int bh_core_forget(struct bh_core *core, uint32_t sandbox, struct bh_err *err);

/* packets.c: is it one that is attached to a cgroup? And what unbinding takes away. */
bool bh_program_on_packets(const struct bpf_program *program);
void bh_core_detach_packets(struct bh_core *core, uint32_t number);

/* ask.c: lets go of the questions' map. */
void bh_core_ask_done(struct bh_core *core);

#endif
