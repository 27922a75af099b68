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
#define BH_PINS BH_BPFFS "/bulkhead" /* one folder a sandbox of `bulkhead run` */

struct bh_core;

/*
 * Loads maps and programs, attaches nothing. The floor is written and frozen. -EOPNOTSUPP with err when this kernel cannot
 * take them (what is missing, or libbpf's first complaint); other negative errno with err.
 */
int bh_core_load(const struct bh_floor_net *floor, struct bh_core **ret_core, struct bh_err *err);

/* Closes everything. Pinned links and maps live on. NULL is fine. */
void bh_core_free(struct bh_core *core);

/*
 * As bh_core_free, for a core whose hooks are attached: the kernel lets go of a hook only after a grace period each, seconds
 * in all, and a process of its own waits for that, so that the caller need not. Falls back to waiting.
 */
void bh_core_free_behind(struct bh_core *core);

/* Fills a fresh table with the policy and switches `slot` to it in one step; on failure the old one serves on. */
int bh_core_publish(struct bh_core *core, uint32_t slot, const struct bh_policy *policy, struct bh_err *err);

/*
 * Governs the cgroup as sandbox `number` (1 .. BH_SANDBOXES_MAX - 1) by the policy in `slot`: from here on whatever is in it
 * may do nothing but start the entry tool's program.
 */
int bh_core_bind(struct bh_core *core, uint32_t number, const struct bh_cgroup *cgroup, uint32_t slot,
		 struct bh_err *err);

/* Attaches every hook and pins links and maps in the folder BH_PINS/name, so that they stand without this process. */
int bh_core_attach(struct bh_core *core, const char *name, struct bh_err *err);

/* The sandbox's counters and flags as they are now. */
int bh_core_sandbox(struct bh_core *core, uint32_t number, struct bh_sandbox *ret_sandbox);

/* Sum over CPUs of one BH_COUNT_*. */
uint64_t bh_core_count(struct bh_core *core, uint32_t what);

/* Descriptor that polls readable when events wait; owned by core. */
int bh_core_events_fd(struct bh_core *core);

/* Hands every waiting record to `receive`. Returns how many, or negative errno. */
int bh_core_events_read(struct bh_core *core, void (*receive)(void *data, const void *bytes, size_t length),
			void *data);

/* Loads only what bh_core_ask needs: works where hooks are refused. As bh_core_load otherwise. */
int bh_core_load_verdict(const struct bh_floor_net *floor, struct bh_core **ret_core, struct bh_err *err);

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

/* What a run that died has left: reads flags from its pinned map. -ENOENT: no such pins. */
int bh_pins_sandbox(const char *name, struct bh_sandbox *ret_sandbox);
/* Takes the pins of `name` away, and with them the enforcement: only for a sandbox without processes. */
int bh_pins_remove(const char *name);
/* Calls visit with each name that has pins. */
int bh_pins_each(int (*visit)(const char *name, void *data), void *data);

#endif
