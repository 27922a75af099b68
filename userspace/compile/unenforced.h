/* SPDX-License-Identifier: GPL-2.0-only */
/* What a policy says and `bulkhead run` of this version does not enforce yet. Everything compiles and verifies. */
#ifndef BH_COMPILE_UNENFORCED_H
#define BH_COMPILE_UNENFORCED_H

#include <stddef.h>

#include "base/diag.h"
#include "policy/model.h"

/*
 * Adds E370 for each such thing, by its name and at its place; `select` is none of them: whoever runs a command names the
 * policy. A policy that was read from an artifact has no places. Returns how many there are: with any, nothing may start.
 */
size_t bh_unenforced_find(const struct bh_source_policy *policy, struct bh_diags *diags);

#endif
