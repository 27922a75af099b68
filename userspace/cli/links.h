/* SPDX-License-Identifier: GPL-2.0-only */
/* Symbolic links in a policy's paths: the kernel prints what a path leads to, so that name must be covered too. */
#ifndef BH_CLI_LINKS_H
#define BH_CLI_LINKS_H

#include "base/err.h"
#include "compile/compile.h"

/*
 * Follows, on this host, every path of the policy as far as it has no wildcard, and collects those that lead elsewhere.
 * A link that some tool of the policy may itself replace is refused: -EPERM with err. -ELOOP, -ENOMEM with err.
 * Returns 0 and fills *ret_aliases; bh_aliases_done frees it.
 */
int bh_links_find(const struct bh_compiled *compiled, struct bh_aliases *ret_aliases, struct bh_err *err);
void bh_aliases_done(struct bh_aliases *aliases);

#endif
