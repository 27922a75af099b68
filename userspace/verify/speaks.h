/* SPDX-License-Identifier: GPL-2.0-only */
/* Which rules a question is about, by definition. */
#ifndef BH_VERIFY_SPEAKS_H
#define BH_VERIFY_SPEAKS_H

#include "compile/near.h"
#include "verify/query.h"

/* Is it a rule of this tool, or of all? */
bool bh_rule_is_for(const struct bh_rule *rule, const char *tool);

/* Does the rule, of whatever scope, grant or forbid just this? Of two names, one of them. */
bool bh_rule_speaks_of(const struct bh_rule *rule, const struct bh_query *query);

/* All rules that the question may be about, some maybe twice, and NULL at the end. */
struct bh_speakers {
	const struct bh_compiled *compiled;
	bool by_path;
	const char *other; /* path that is still to come */
	struct bh_near near;
	size_t next; /* where it is not by path: of all rules */
};

void bh_speakers_begin(const struct bh_compiled *compiled, const struct bh_query *query,
		       struct bh_speakers *ret_speakers);
const struct bh_rule *bh_speakers_next(struct bh_speakers *speakers);

#endif
