/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether one rule says all that another does; and how rules are written for people. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "compile/definition.h"
#include "policy/address.h"
#include "policy/path.h"
#include "verify/diff.h"
#include "verify/engine.h"

bool bh_pattern_contains(const char *outer, const char *inner)
{
	size_t length = strlen(outer);

	if (strcmp(outer, inner) == 0)
		return true;
	if (!bh_path_is_pattern(inner))
		return bh_pattern_matches(outer, inner);
	/* D, a slash and two stars, without a wildcard in D: all that is spelled to lie beneath D does */
	return length > 3 && strcmp(outer + length - 3, "/**") == 0 && strcspn(outer, "*?") == length - 2 &&
	       strncmp(outer, inner, length - 2) == 0;
}

static bool contains_paths(const struct bh_rule *outer, const struct bh_rule *inner)
{
	if (bh_pattern_contains(outer->path, inner->path))
		return true;
	return !bh_path_is_pattern(inner->path) && bh_rule_speaks_of_path(outer, inner->path);
}

static bool covers(const struct bh_rule *outer, const struct bh_rule *inner)
{
	if (outer->class != inner->class || outer->then != inner->then ||
	    (strcmp(outer->scope, inner->scope) != 0 && strcmp(outer->scope, "*") != 0))
		return false;
	switch (inner->class) {
	case BH_RULE_EXEC:
		return (outer->to == inner->to || (outer->to && inner->to && strcmp(outer->to, inner->to) == 0)) &&
		       contains_paths(outer, inner);
	case BH_RULE_FILE:
		return outer->access == inner->access && contains_paths(outer, inner);
	default:
		return outer->protocol == inner->protocol && outer->port_low <= inner->port_low &&
		       outer->port_high >= inner->port_high && bh_cidr_covers(&outer->cidr, &inner->cidr);
	}
}

bool bh_rule_is_covered(const struct bh_rule *rule, const struct bh_compiled *by)
{
	for (size_t i = 0; i < bh_compiled_rules_count(by); i++)
		if (covers(bh_compiled_rule(by, i), rule))
			return true;
	return false;
}

static void describe_net(const struct bh_rule *rule, struct bh_buf *out)
{
	char address[INET6_ADDRSTRLEN];

	inet_ntop(rule->cidr.family == 4 ? AF_INET : AF_INET6, rule->cidr.bytes, address, sizeof(address));
	bh_buf_print(out, "%s/%u port %u", address, rule->cidr.prefix, rule->port_low);
	if (rule->port_high != rule->port_low)
		bh_buf_print(out, "-%u", rule->port_high);
	if (rule->protocol != IPPROTO_TCP)
		bh_buf_print(out, " %s", rule->protocol == IPPROTO_UDP ? "udp" : "other");
}

void bh_rule_describe(const struct bh_rule *rule, struct bh_buf *out)
{
	const char *verb = rule->class == BH_RULE_EXEC	  ? "run" :
			   rule->class == BH_RULE_NET	  ? "reach" :
			   rule->access == BH_ACCESS_READ ? "read" :
							    "write";

	bh_buf_print(out, "%-10s %s%-6s ", rule->scope, rule->then == BH_THEN_NEVER ? "never " : "", verb);
	if (rule->class == BH_RULE_NET)
		describe_net(rule, out);
	else
		bh_buf_print(out, "%s", rule->path);
	if (rule->class == BH_RULE_EXEC && rule->to) {
		if (rule->helper)
			bh_buf_print(out, " (helper)");
		else
			bh_buf_print(out, " (becomes %s)", rule->to);
	}
}
