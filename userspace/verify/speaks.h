/* SPDX-License-Identifier: GPL-2.0-only */
/* Which rules a question is about, by definition. */
#ifndef BH_VERIFY_SPEAKS_H
#define BH_VERIFY_SPEAKS_H

#include "verify/query.h"

/* Is it a rule of this tool, or of all? */
bool bh_rule_is_for(const struct bh_rule *rule, const char *tool);

/* Does the rule, of whatever scope, grant or forbid just this? Of two names, one of them. */
bool bh_rule_speaks_of(const struct bh_rule *rule, const struct bh_query *query);

#endif
