/* SPDX-License-Identifier: GPL-2.0-only */
/* From canonical JSON back to a model that compiles to it. */
#ifndef BH_COMPILE_RESTORE_H
#define BH_COMPILE_RESTORE_H

#include <stddef.h>

#include "base/err.h"
#include "policy/model.h"

/*
 * Makes the model of which the JSON is the canonical form: tools with their programs and files, a destination for each
 * network, what the policy forbids; what presets and guards add is left to the compiler. The words have no place in any source. Names, paths,
 * networks and ports keep the rules that the policy language has for them; nothing else is checked: whoever calls this
 * checks the model (policy/check.h), compiles it and compares.
 * Returns 0 and sets *ret_policy (the caller frees it), -EINVAL with err, -ENOMEM with err.
 */
int bh_policy_restore(const char *json, size_t length, const struct bh_shipped *shipped, struct bh_err *err,
		      struct bh_source_policy **ret_policy);

#endif
