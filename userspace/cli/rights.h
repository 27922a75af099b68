/* SPDX-License-Identifier: GPL-2.0-only */
/* What of root's power a sandbox keeps: capabilities, and system calls that no hook sees. */
#ifndef BH_CLI_RIGHTS_H
#define BH_CLI_RIGHTS_H

#include <stdint.h>

/* As in the compiled policy's head. */
struct bh_rights {
	uint64_t capabilities; /* CAP_* as bits */
	uint64_t operations; /* BH_PRIVILEGE_* as bits */
};

/*
 * Gives up, for the calling process and all that it starts: every capability but these, getting others back by an exec
 * (unless setuid-exec is allowed), and system calls that belong to operations that are not allowed and have no hook.
 * Only what is safe after fork. Returns 0 or negative errno: then the process must not go on.
 */
int bh_rights_drop(const struct bh_rights *rights);

#endif
