/* SPDX-License-Identifier: GPL-2.0-only */
/* A limit on what lies below one directory: by the size of its file system, or by a project quota. */
#ifndef BH_KERNEL_DISK_H
#define BH_KERNEL_DISK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* A directory under its limit. Zeroed and .directory = -EBADF: none. */
struct bh_disk {
	int directory; /* locked: nobody else limits it meanwhile */
	uint32_t project; /* 0: the file system's own size is the limit */
};

/*
 * Limits the directory `path` to `bytes`. If it is a file system of its own that is no larger, nothing is to be done. Else
 * all of it is marked as one project, whose quota then counts every file below it, and one file for each 4 KiB.
 * Returns 0; -EOPNOTSUPP with err when neither is possible here, or when the directory holds too much already.
 */
int bh_disk_limit(const char *path, uint64_t bytes, struct bh_disk *ret_disk, struct bh_err *err);

/* Takes the quota away; the marks stay and do no harm. Also for one that was never limited. */
void bh_disk_free(struct bh_disk *disk);

/* A file system of `blocks` times `block_bytes` keeps to the limit by itself. 0 blocks: it has no size. */
bool bh_disk_fits(uint64_t blocks, uint64_t block_bytes, uint64_t limit);

/* The number of a directory's project: of its own, and recognised as one that we gave. Never 0. */
uint32_t bh_disk_project(uint64_t inode);

#endif
