/* SPDX-License-Identifier: GPL-2.0-only */
/* A query is taken apart into single questions; the definition answers, and every engine must say the same. */
#ifndef BH_VERIFY_JUDGE_H
#define BH_VERIFY_JUDGE_H

#include "base/err.h"
#include "verify/engine.h"
#include "verify/query.h"

struct bh_reply {
	uint16_t reason; /* 0: allowed */
	uint8_t to; /* run: the tool that it becomes */
	bool second; /* of two names the second was refused */
	const struct bh_rule *rule; /* that decided; NULL: none did, or it was a floor */
	struct bh_misfit misfit; /* of a run that was refused for its arguments or environment */
};

struct bh_judge {
	struct bh_exam exam;
	const struct bh_engine *engines;
	size_t engines_count;
};

/*
 * Answers. rename is writing both names, each also taken for that of a directory; link is writing both. The first refusal
 * is the answer, as in the hooks. Returns 0; -EPROTO with err when an engine says something else than the definition; other
 * negative errno with err when an engine failed.
 */
int bh_judge(const struct bh_judge *judge, const struct bh_query *query, struct bh_reply *ret_reply,
	     struct bh_err *err);

/* Sets used[i] for each allow rule that speaks of something this query asked and was granted. */
void bh_judge_cover(const struct bh_compiled *compiled, const struct bh_query *query, bool *used);

#endif
