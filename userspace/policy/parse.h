/* SPDX-License-Identifier: GPL-2.0-only */
/* From strict YAML to the model. No host state takes part: the same text gives the same answer on every machine. */
#ifndef BH_POLICY_PARSE_H
#define BH_POLICY_PARSE_H

#include "base/diag.h"
#include "base/err.h"
#include "policy/model.h"

#define BH_SOURCE_MAX (16u * 1024u * 1024u) /* bytes a policy source may have */

/*
 * Reads a policy source of `length` bytes. shipped: for preset names. Every finding goes to diags.
 * Returns 0 and sets *ret_policy (the caller frees it) when diags holds no error; -EINVAL otherwise; -ENOMEM.
 */
int bh_policy_parse(const char *text, size_t length, const struct bh_shipped *shipped, struct bh_diags *diags,
		    struct bh_source_policy **ret_policy);

/*
 * Parses the files of rules/ that are linked into the program. They are ours, so an error is a bug: it is said in err.
 * Returns 0 and sets *ret_shipped (the caller frees it), -EINVAL, -ENOMEM.
 */
int bh_shipped_load(struct bh_shipped **ret_shipped, struct bh_err *err);

/*
 * Reads a whole policy file. Refuses (with a reason in err) what is not a regular file, has more than `limit` bytes, or,
 * when this process is root, is owned by another user than root or the one behind sudo, or writable by group or others.
 * Returns 0 and sets *ret_text (NUL-terminated, the caller frees it) and *ret_length; negative errno.
 */
int bh_source_read(const char *path, size_t limit, char **ret_text, size_t *ret_length, struct bh_err *err);

#endif
