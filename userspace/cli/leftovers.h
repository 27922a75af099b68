/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of sandboxes: held by a lock while their run lives; what a killed run left is taken over or taken away. */
#ifndef BH_CLI_LEFTOVERS_H
#define BH_CLI_LEFTOVERS_H

#include "base/err.h"
#include "kernel/host.h"

#define BH_RUN_DIR "/run/bulkhead"

/*
 * Looks at every sandbox whose run has died. An empty one is removed; one that was stopped for a violation is killed and
 * removed; one with living processes stays enforced, which is said on standard error.
 */
int bh_leftovers_tidy(const struct bh_host *host, struct bh_err *err);

/*
 * Takes the name for this process: *ret_fd holds the lock until closed (by death, too). A leftover of that very name is
 * ended and removed first. -EEXIST with err: a living run has it.
 */
int bh_name_take(const struct bh_host *host, const char *name, int *ret_fd, struct bh_err *err);

/* Gives the name back: removes its lock file. */
void bh_name_drop(const char *name);

#endif
