/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel programs and their maps, loaded once and then fed: policies published, sandboxes bound, events read. */
#ifndef BH_KERNEL_CORE_H
#define BH_KERNEL_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "bpf/abi.h"
#include "kernel/cgroup.h"

#define BH_BPFFS "/sys/fs/bpf"
#define BH_PINS BH_BPFFS "/bulkhead" /* one folder a version of the programs */

struct bh_core;

/*
 * Loads maps and programs, attaches and pins nothing. The floor is written and frozen. -EOPNOTSUPP with err when this kernel
 * cannot take them (what is missing, or libbpf's first complaint); other negative errno with err.
 */
int bh_core_load(const struct bh_floor_net *floor, struct bh_core **ret_core, struct bh_err *err);

/*
 * The node's standing set: taken over when one of this very version is pinned, else loaded and pinned. For this and for all
 * that changes the set (attach, bind, unbind, rest, publish) the caller holds the node's lock. As bh_core_load otherwise.
 */
int bh_core_stand(const struct bh_floor_net *floor, struct bh_core **ret_core, struct bh_err *err);

/* Attaches every hook that is not yet, and pins what attaches it. */
int bh_core_attach(struct bh_core *core, struct bh_err *err);

/* Where the standing set is pinned; owned by core. */
const char *bh_core_folder(const struct bh_core *core);

/*
 * When no sandbox is bound in the set pinned in `folder`: takes its hooks off. That takes a grace period of the kernel each,
 * seconds in all. Returns 0, also when there is no such set; negative errno.
 */
int bh_core_rest(const char *folder);

/* Takes away every pinned set but this one, and the enforcement with it: only when no sandbox of another stands. */
int bh_core_others_remove(const struct bh_core *core);

/* Closes everything. Pinned links and maps live on. NULL is fine. */
void bh_core_free(struct bh_core *core);

/* A policy slot that holds nothing. 0; -ENOSPC; other negative errno. */
int bh_core_slot_free(struct bh_core *core, uint32_t *ret_slot);

/* Fills a fresh table with the policy and switches `slot` to it in one step; on failure the old one serves on. */
int bh_core_publish(struct bh_core *core, uint32_t slot, const struct bh_policy *policy, struct bh_err *err);

/* Empties the slot: whoever is bound to it may do nothing any more. */
void bh_core_withdraw(struct bh_core *core, uint32_t slot);

/*
 * Governs the cgroup as the sandbox `name` by the policy in `slot`: from here on whatever is in it may do nothing but start
 * the entry tool's program. Its records go to `ring` (bh_core_ring's; negative: nowhere, they are counted as lost).
 */
int bh_core_bind(struct bh_core *core, const char *name, const struct bh_cgroup *cgroup, uint32_t slot, int ring,
		 uint32_t *ret_number, struct bh_err *err);

/* Governs it no more: only for a sandbox without processes. One that is not bound is fine. */
void bh_core_unbind(struct bh_core *core, uint32_t number);

/* The number of the sandbox of that name; 0: none. */
uint32_t bh_core_find(struct bh_core *core, const char *name);

/* Calls visit with each sandbox that is bound, until it returns other than 0, which is returned. */
int bh_core_each(struct bh_core *core, int (*visit)(uint32_t number, const struct bh_sandbox *sandbox, void *data),
		 void *data);

/*
 * Attaches the programs on packets to the bound sandbox's cgroup: its sockets reach nobody but whom the policy lists. Of a
 * standing set that holds until bh_core_unbind, else until the core is freed.
 */
int bh_core_attach_packets(struct bh_core *core, uint32_t number, const struct bh_cgroup *cgroup, struct bh_err *err);

/* The sandbox's counters and flags as they are now. */
int bh_core_sandbox(struct bh_core *core, uint32_t number, struct bh_sandbox *ret_sandbox);

/* Sum over CPUs of one BH_COUNT_*. */
uint64_t bh_core_count(struct bh_core *core, uint32_t what);

/* This process's own ring for records, made at the first call: a descriptor, owned by core; negative errno with err. */
int bh_core_ring(struct bh_core *core, struct bh_err *err);

/* Descriptor that polls readable when events wait in that ring; owned by core. -ENOENT: no ring. */
int bh_core_events_fd(struct bh_core *core);

/* Hands every waiting record to `receive`. Returns how many, or negative errno. */
int bh_core_events_read(struct bh_core *core, void (*receive)(void *data, const void *bytes, size_t length),
			void *data);

/* Loads only what bh_core_ask needs: works where hooks are refused. As bh_core_load otherwise. */
int bh_core_load_verdict(const struct bh_floor_net *floor, struct bh_core **ret_core, struct bh_err *err);

/* Loads only what bh_core_attach_packets needs: works where hooks are refused. As bh_core_load otherwise. */
int bh_core_load_packets(const struct bh_floor_net *floor, struct bh_core **ret_core, struct bh_err *err);

/*
 * Answers one question by the hooks' own code over the published tables (BPF_PROG_RUN). texts may be NULL when the kind has
 * none. Fills the answer fields. Returns 0, -EINVAL for a kind it does not know, negative errno.
 */
int bh_core_ask(struct bh_core *core, struct bh_question *question, const struct bh_texts *texts);

/*
 * Many questions in one go: fill the first `count` of the entries, run, read question.reason, to and rule of each that has
 * `answered` 1. The entries belong to core. 0 or negative errno.
 */
int bh_core_entries(struct bh_core *core, struct bh_ask_entry **ret_entries, size_t *ret_count);
int bh_core_ask_many(struct bh_core *core, uint32_t count);

/* One kernel program, as `bulkhead probe` shows it. */
struct bh_core_program {
	char name[16];
	char section[40]; /* "lsm/file_open" */
	bool optional; /* older kernels do without it: they have nothing that it would judge */
	int error; /* 0: the kernel takes it; else positive errno of loading it alone */
	uint32_t instructions; /* that the verifier went through; 0 unknown */
};

/* Loads each program alone, attaching nothing. Returns how many were filled in (at most count), negative errno. */
int bh_core_probe(struct bh_core_program *programs, size_t count);

#endif
