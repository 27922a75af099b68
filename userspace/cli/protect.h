/* SPDX-License-Identifier: GPL-2.0-only */
/* What keeps `bulkhead run` able to end a sandbox on a machine that has run short of everything. */
#ifndef BH_CLI_PROTECT_H
#define BH_CLI_PROTECT_H

#include <stdint.h>
#include <sys/types.h>

/* How things were before, for a child to go back to. */
struct bh_unprotected {
	int oom_score;
	uint64_t open_files; /* descriptors, the soft limit */
};

/*
 * Locks this process into memory, asks the kernel to take others first when memory is short, and raises the number of
 * descriptors it may have. Returns 0, or the negative errno of the first of these that was refused; the others are done all
 * the same.
 */
int bh_protect_self(struct bh_unprotected *ret_before);

/* In a child, before it gives up its rights: back to how it was, but never exempt when memory is short. 0 or negative errno. */
int bh_protect_not(const struct bh_unprotected *before);

/*
 * At most `open_files` descriptors for that process from now on, for good; 0: as many as it may have. Those that are open
 * already stay. 0 or negative errno.
 */
int bh_limit_descriptors(pid_t pid, const struct bh_unprotected *before, uint64_t open_files);

#endif
