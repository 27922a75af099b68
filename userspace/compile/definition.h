/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the rules mean, written straight from the definition (policy.md 2.4.2, 6.3): slow, obvious, and independent of the
 * tables. It names the rule behind a verdict, and the tests hold the automaton against it.
 */
#ifndef BH_COMPILE_DEFINITION_H
#define BH_COMPILE_DEFINITION_H

#include <stdbool.h>
#include <stdint.h>

#include "compile/compile.h"

/* Whether a path pattern matches a path: `*` and `?` within a component, a final slash-star-star beneath, one in the middle any depth. */
bool bh_pattern_matches(const char *pattern, const char *path);

/*
 * The rule that decides, smallest id first; NULL when no rule matches (denied by default).
 * A never rule that matches beats every allow. access: one BH_ACCESS_* bit.
 */
const struct bh_rule *bh_rule_for_file(const struct bh_compiled *compiled, const char *tool, uint8_t access,
				       const char *path);
/* tool NULL: the entry. */
const struct bh_rule *bh_rule_for_exec(const struct bh_compiled *compiled, const char *tool, const char *path);
/* family 4 or 6, address in network order. */
const struct bh_rule *bh_rule_for_net(const struct bh_compiled *compiled, const char *tool, uint8_t family,
				      const uint8_t *address, uint16_t port, uint8_t protocol);

#endif
