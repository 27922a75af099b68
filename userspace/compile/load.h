/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading NAME.bhp: nothing in it is followed that this program would not have written itself. */
#ifndef BH_COMPILE_LOAD_H
#define BH_COMPILE_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "compile/compile.h"

#define BH_ARTIFACT_MAX (128u * 1024u * 1024u) /* bytes; more than the largest policy source compiles to */

/* Do the bytes say that they are a compiled policy, whole or broken? */
bool bh_artifact_is(const void *bytes, size_t length);

/*
 * Reads a compiled policy. After magic, format, length, hashes and the bounds of all sections, the policy inside is
 * compiled again and every byte compared: indices and counts are therefore right because they are our own, and an
 * artifact whose hashes somebody fixed up is refused like any other.
 * *ret_policy is the model it was compiled from, without places in a source. The caller frees both.
 * Returns 0; -EINVAL with the reason in err; -ENOMEM with err.
 */
int bh_artifact_read(const void *bytes, size_t length, const struct bh_shipped *shipped, struct bh_err *err,
		     struct bh_source_policy **ret_policy, struct bh_compiled **ret_compiled);

#endif
