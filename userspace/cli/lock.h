/* SPDX-License-Identifier: GPL-2.0-only */
/* NAME.lock: what was verified against what, and who approved which change of the policy. */
#ifndef BH_CLI_LOCK_H
#define BH_CLI_LOCK_H

#include <jansson.h>

#include "base/err.h"

/*
 * The approvals in FOLDER/NAME.lock, as a new array: empty when there is no such file. A file that is no lock is refused:
 * it may hold approvals. Returns 0; negative errno with err.
 */
int bh_lock_approvals(const char *folder, const char *name, json_t **ret_approvals, struct bh_err *err);

/* Writes FOLDER/NAME.lock. approvals: borrowed; an empty array leaves no key. Returns 0; negative errno with err. */
int bh_lock_put(const char *folder, const char *name, const char *hash, const char *scenarios, const json_t *approvals,
		struct bh_err *err);

#endif
