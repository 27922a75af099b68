/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether one rule says all that another does; and how rules are written for people. */
#include <netinet/in.h>
#include <string.h>

#include "compile/compiled.h"
#include "compile/definition.h"
#include "compile/names.h"
#include "compile/near.h"
#include "policy/address.h"
#include "policy/host.h"
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

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool holds_block(const struct bh_cidrs *outer, const struct bh_cidr *inner)
{
	for (size_t i = 0; i < outer->count; i++)
		if (bh_cidr_covers(&outer->items[i], inner))
			return true;
	return false;
}

/* "*.example" stands for every name in front of it, so also for "*.a.example". */
static bool contains_hosts(const char *outer, const char *inner)
{
	if (strcmp(outer, inner) == 0)
		return true;
	return inner[0] == '*' ? outer[0] == '*' && bh_host_matches(outer, inner + 2) : bh_host_matches(outer, inner);
}

static bool covers_host(const struct bh_rule *outer, const struct bh_rule *inner)
{
	if (!outer->host || !inner->host || !contains_hosts(outer->host, inner->host) || (outer->sni && !inner->sni))
		return false;
	for (size_t i = 0; i < inner->resolves_to.count; i++)
		if (!holds_block(&outer->resolves_to, &inner->resolves_to.items[i]))
			return false;
	return true;
}

static bool covers_ports(const struct bh_rule *outer, const struct bh_rule *inner)
{
	return (!outer->protocol || outer->protocol == inner->protocol) && outer->port_low <= inner->port_low &&
	       outer->port_high >= inner->port_high;
}

static bool covers(const struct bh_rule *outer, const struct bh_rule *inner)
{
	if (outer->class != inner->class || outer->then != inner->then ||
	    (strcmp(outer->scope, inner->scope) != 0 && strcmp(outer->scope, "*") != 0))
		return false;
	switch (inner->class) {
	case BH_RULE_EXEC:
		return same_text(outer->to, inner->to) && contains_paths(outer, inner) &&
		       bh_entry_is_covered(outer, inner);
	case BH_RULE_FILE:
		return outer->access == inner->access && contains_paths(outer, inner);
	case BH_RULE_UNIX:
		if (outer->unix_op != inner->unix_op)
			return false;
		return inner->unix_op == BH_UNIX_ABSTRACT ? strcmp(outer->path, inner->path) == 0 :
							    bh_pattern_contains(outer->path, inner->path);
	case BH_RULE_LISTEN:
		return covers_ports(outer, inner);
	default:
		if (outer->host || inner->host)
			return covers_ports(outer, inner) && covers_host(outer, inner);
		return covers_ports(outer, inner) && bh_cidr_covers(&outer->cidr, &inner->cidr);
	}
}

bool bh_rule_is_covered(const struct bh_rule *rule, const struct bh_compiled *by)
{
	const struct bh_rule *other;
	struct bh_near near;

	if (bh_rule_has_pattern(rule)) {
		BH_FOR_EACH_NEAR(by, rule->path, &near, other)
		if (covers(other, rule))
			return true;
		return false;
	}
	for (size_t i = 0; i < bh_compiled_rules_count(by); i++)
		if (covers(bh_compiled_rule(by, i), rule))
			return true;
	return false;
}

static void describe_ports(const struct bh_rule *rule, struct bh_buf *out)
{
	const char *protocol = bh_name_text(bh_names_protocols, rule->protocol);

	if (rule->protocol != IPPROTO_ICMP && rule->port_low)
		bh_buf_print(out, "port %u", rule->port_low);
	if (rule->port_low && rule->port_high != rule->port_low)
		bh_buf_print(out, "-%u", rule->port_high);
	if (rule->protocol && rule->protocol != IPPROTO_TCP)
		bh_buf_print(out, "%s%s", rule->port_low ? " " : "", protocol ? protocol : "other");
}

static void describe_net(const struct bh_rule *rule, struct bh_buf *out)
{
	char text[BH_CIDR_TEXT];

	if (!rule->host)
		bh_cidr_text(&rule->cidr, text);
	bh_buf_print(out, "%s%s", rule->host ? rule->host : text, rule->protocol ? " " : "");
	describe_ports(rule, out);
	if (rule->sni)
		bh_buf_print(out, " sni");
	for (size_t i = 0; i < rule->resolves_to.count; i++) {
		bh_cidr_text(&rule->resolves_to.items[i], text);
		bh_buf_print(out, "%s%s", i ? ", " : " also at ", text);
	}
}

/* What it asks of whoever enters; what the words are is too long for a line. */
static void describe_edge(const struct bh_rule *rule, struct bh_buf *out)
{
	bh_buf_print(out, "%s", rule->path);
	if (!rule->to)
		return;
	if (rule->helper)
		bh_buf_print(out, " (helper)");
	else
		bh_buf_print(out, " (becomes %s%s%s%s)", rule->to, rule->args_given ? ", arguments" : "",
			     rule->env ? ", environment" : "", rule->sha256 ? ", hash" : "");
}

static const char *verb_of(const struct bh_rule *rule)
{
	switch (rule->class) {
	case BH_RULE_EXEC:
		return "run";
	case BH_RULE_FILE:
		return bh_name_text(bh_names_access, rule->access);
	case BH_RULE_UNIX:
		return rule->unix_op == BH_UNIX_LISTEN ? "serve" : "connect";
	case BH_RULE_LISTEN:
		return "listen";
	default:
		return "reach";
	}
}

void bh_rule_describe(const struct bh_rule *rule, struct bh_buf *out)
{
	bh_buf_print(out, "%-10s %s%-6s ", rule->scope, rule->then == BH_THEN_NEVER ? "never " : "", verb_of(rule));
	switch (rule->class) {
	case BH_RULE_EXEC:
		describe_edge(rule, out);
		break;
	case BH_RULE_NET:
		describe_net(rule, out);
		break;
	case BH_RULE_LISTEN:
		describe_ports(rule, out);
		break;
	default:
		bh_buf_print(out, "%s%s", rule->unix_op == BH_UNIX_ABSTRACT ? "@" : "", rule->path);
		break;
	}
}
