/* SPDX-License-Identifier: GPL-2.0-only */
/* The one cgroup v2 of a sandbox: made, watched, emptied, removed. */
#ifndef BH_KERNEL_CGROUP_H
#define BH_KERNEL_CGROUP_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

#define BH_SLICE "bulkhead.slice"

struct bh_cgroup {
	char path[PATH_MAX]; /* in the file system */
	char name[NAME_MAX + 32]; /* from the cgroup root: "/bulkhead.slice/coder-1.scope" */
	uint64_t id; /* what bpf_get_current_cgroup_id() answers inside it */
	uint32_t levels; /* bit l: it may lie at depth l, the root's being 0 */
};

/* Where the sandbox `name` lies below the cgroup v2 mount `root`; touches nothing, id stays 0. */
void bh_cgroup_init(struct bh_cgroup *cgroup, const char *root, const char *name);

/* Makes the cgroup. -EEXIST: one of that name stands already. Other negative errno with err. */
int bh_cgroup_make(struct bh_cgroup *cgroup, struct bh_err *err);

/* Reads the id of one that exists. Returns 0 or negative errno (-ENOENT: it does not exist). */
int bh_cgroup_open(struct bh_cgroup *cgroup);

int bh_cgroup_add(const struct bh_cgroup *cgroup, pid_t pid, struct bh_err *err);

/* Writes one of its control files. 0 or negative errno. */
int bh_cgroup_write(const struct bh_cgroup *cgroup, const char *file, const char *value);

/*
 * Descriptor for poll(POLLPRI) that signals changes of one of its files: of "cgroup.events", when it becomes empty, populated,
 * frozen or thawed. The caller closes it; negative errno.
 */
int bh_cgroup_watch(const struct bh_cgroup *cgroup, const char *file);

/* Sleeps until what is watched changes, at most `ms`; not at all when it cannot be watched. */
void bh_cgroup_wait(int watch, int ms);

/* Whether any process is left in it or below. An unreadable cgroup counts as empty only if it is gone. */
bool bh_cgroup_populated(const struct bh_cgroup *cgroup);

/* Whether the kernel says that everything in it and below stands still. */
bool bh_cgroup_frozen(const struct bh_cgroup *cgroup);

/* Processes in it and below, counted. */
int bh_cgroup_tasks(const struct bh_cgroup *cgroup);

/* One pass of a signal over every process in it and below; those born meanwhile are for the next pass. */
void bh_cgroup_signal(const struct bh_cgroup *cgroup, int signal);

/* Peak memory in bytes, 0 when the kernel does not tell. */
uint64_t bh_cgroup_memory_peak(const struct bh_cgroup *cgroup);

/* Removes it with everything below, which must be empty. Returns 0, also when it is gone already; negative errno. */
int bh_cgroup_remove(const struct bh_cgroup *cgroup);

#endif
