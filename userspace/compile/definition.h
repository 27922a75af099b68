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
#include "compile/fits.h"

/* Whether a path pattern matches a path: `*` and `?` within a component, a final slash-star-star beneath, one in the middle any depth. */
bool bh_pattern_matches(const char *pattern, const char *path);

/*
 * The rule that decides, smallest id first; NULL when no rule matches (denied by default).
 * A never rule that matches beats every allow. access: one BH_ACCESS_* bit.
 */
const struct bh_rule *bh_rule_for_file(const struct bh_compiled *compiled, const char *tool, uint8_t access,
				       const char *path);
/* tool NULL: the entry. What the rule asks for beside the file is not looked at. */
const struct bh_rule *bh_rule_for_exec(const struct bh_compiled *compiled, const char *tool, const char *path);

/* An exec with all that decides about it. */
struct bh_exec {
	const char *path;
	struct bh_block args, variables;
	const uint8_t *sha256; /* NULL: the content is not asked about */
};

/* What becomes of it. */
struct bh_exec_result {
	const struct bh_rule *rule; /* that lets it, or is named by the refusal; NULL: none */
	uint16_t reason; /* 0: it may; X1, X2, X3, X4, X5, X10 */
	struct bh_misfit misfit; /* of X3 and X4: what does not fit */
};

/* tool NULL: the entry. Of several rules the first in canonical order whose conditions are all met. */
void bh_exec_decide(const struct bh_compiled *compiled, const char *tool, const struct bh_exec *run,
		    struct bh_exec_result *ret_result);
/* family 4 or 6, address in network order. */
const struct bh_rule *bh_rule_for_net(const struct bh_compiled *compiled, const char *tool, uint8_t family,
				      const uint8_t *address, uint16_t port, uint8_t protocol);

/* name: in small letters, without a dot at its end. */
const struct bh_rule *bh_rule_for_host(const struct bh_compiled *compiled, const char *tool, const char *name,
				       uint16_t port, uint8_t protocol);

/* op: BH_UNIX_*; name: the socket's path, or of BH_UNIX_ABSTRACT its name. */
const struct bh_rule *bh_rule_for_unix(const struct bh_compiled *compiled, const char *tool, uint8_t op,
				       const char *name);

#endif
