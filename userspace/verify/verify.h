/* SPDX-License-Identifier: GPL-2.0-only */
/* All questions asked, and what came of it. */
#ifndef BH_VERIFY_VERIFY_H
#define BH_VERIFY_VERIFY_H

#include "verify/checks.h"
#include "verify/judge.h"
#include "verify/scenario.h"

#define BH_FAILURES_MAX 200u /* that are kept; all are counted */

/* An expectation that the policy does not meet. Everything it points to belongs to the scenarios or checks. */
struct bh_failure {
	const struct bh_scenario *scenario; /* NULL: a compulsory check */
	const char *what; /* of a check: its kind */
	struct bh_query query; /* with the tool that asked */
	size_t step; /* of a story, from 1; 0: no story, or its last step */
	bool allow; /* what was expected */
	struct bh_reply reply;
};

struct bh_report {
	size_t yours, compulsory, boundary; /* how many there were */
	size_t boundary_allowed, questions;
	size_t passed, failed;
	struct bh_failure failures[BH_FAILURES_MAX];
	size_t failures_count;
	bool *used; /* by rule: an allow rule that a scenario of yours needed */
	size_t own_rules, used_rules; /* allow rules of the policy itself */
};

/* Fills a zeroed report. Returns 0; -EPROTO with err when engines disagree; other negative errno with err. */
int bh_verify(const struct bh_judge *judge, const struct bh_scenario_set *scenarios, const struct bh_checks *compulsory,
	      const struct bh_checks *boundary, struct bh_report *report, struct bh_err *err);
void bh_report_done(struct bh_report *report);

/*
 * Asks one scenario by one tool, up to the first answer that is not expected: then *ret_pass is false and *ret_failure says
 * which. report: counts questions and coverage; may be NULL. Returns 0, or as bh_judge.
 */
int bh_scenario_run(const struct bh_judge *judge, const struct bh_scenario *scenario, unsigned int tool,
		    struct bh_report *report, struct bh_failure *ret_failure, bool *ret_pass, struct bh_err *err);

/* Is the rule one that coverage is counted over: an allow rule that the policy itself has? */
bool bh_rule_is_own_grant(const struct bh_rule *rule);

/*
 * The checks as a scenario file, each with the answer that the definition gives now: a person who keeps it has said that
 * they are right. Returns 0, -ENOMEM, or as bh_judge.
 */
int bh_boundary_write(const struct bh_judge *judge, const struct bh_checks *boundary, struct bh_buf *out,
		      struct bh_err *err);

#endif
