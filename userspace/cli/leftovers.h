/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of sandboxes: held by a lock while their run lives; what a killed run left is taken over or taken away. */
#ifndef BH_CLI_LEFTOVERS_H
#define BH_CLI_LEFTOVERS_H

#include "base/err.h"
#include "kernel/cgroup.h"
#include "kernel/core.h"
#include "kernel/host.h"

#define BH_RUN_DIR "/run/bulkhead"
#define BH_REST_AFTER_S 10 /* runs often follow each other, and putting hooks on and off takes time */

/*
 * The node's lock, held by the descriptor until it is closed: over whatever changes the standing set, and over names. Waits for
 * it. Negative errno with err.
 */
int bh_registry_lock(struct bh_err *err);

/*
 * Leaves a process behind that takes the hooks of the standing set in `folder` off when no sandbox stands BH_REST_AFTER_S from
 * now. Should it die, they stay until the next run has ended: that costs time and changes nothing.
 */
void bh_rest_later(const char *folder);

/* All that follows needs that lock. */

/*
 * Looks at every sandbox whose run has died. An empty one is removed; one that was stopped for a violation is killed and
 * removed; one with living processes stays enforced, which is said on standard error. Takes away what other versions of this
 * program have left, when nobody needs it.
 */
int bh_leftovers_tidy(struct bh_core *core, const struct bh_host *host, struct bh_err *err);

/*
 * Takes the name for this process: *ret_fd holds the lock until closed (by death, too). A leftover of that very name is
 * ended and removed first. -EEXIST with err: a living run has it.
 */
int bh_name_take(struct bh_core *core, const struct bh_host *host, const char *name, int *ret_fd, struct bh_err *err);

/* Unbinds a sandbox that nobody is in, and takes away its policy, cgroup and name. 0 or negative errno with err. */
int bh_sandbox_remove(struct bh_core *core, const char *name, const struct bh_cgroup *cgroup, struct bh_err *err);

/* Gives the name back: removes its lock file. */
void bh_name_drop(const char *name);

#endif
