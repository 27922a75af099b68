/* SPDX-License-Identifier: GPL-2.0-only */
/* Names that stand for something declared elsewhere in the policy. */
#ifndef BH_POLICY_REFERENCES_H
#define BH_POLICY_REFERENCES_H

#include "base/diag.h"
#include "policy/model.h"

/* Adds E120 (entry), E122 (may_run) and E124 (reach) for each name that nothing declares. */
void bh_references_check(const struct bh_source_policy *policy, struct bh_diags *diags);

#endif
