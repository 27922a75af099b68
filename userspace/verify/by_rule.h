/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the definition's engine share. */
#ifndef BH_VERIFY_BY_RULE_H
#define BH_VERIFY_BY_RULE_H

#include "verify/engine.h"

/* index + 1 */
static inline uint32_t bh_rule_number(const struct bh_exam *exam, const struct bh_rule *rule)
{
	return (uint32_t)(rule - bh_compiled_rule(exam->compiled, 0)) + 1;
}

/* Addresses, names, abstract sockets, ports to listen on. text: of a name. Fills reason and rule. 0, or -EINVAL for another kind. */
int bh_answer_about_peer(const struct bh_exam *exam, struct bh_question *question, const char *text);

/* Operations, capabilities, code in memory. As above. */
int bh_answer_about_right(const struct bh_exam *exam, struct bh_question *question);

#endif
