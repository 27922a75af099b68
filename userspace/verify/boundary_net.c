/* SPDX-License-Identifier: GPL-2.0-only */
/* Just outside of each network that is granted; what only other tools may do; and all of it together. */
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "verify/checks.h"

#define BH_HOST_ROOM 320u /* a name and a label */

static unsigned int bytes_of(uint8_t family)
{
	return family == 4 ? 4 : 16;
}

/* The address after it or before it, around the end of all addresses if need be. */
static void step_address(uint8_t *address, unsigned int bytes, bool up)
{
	for (unsigned int i = bytes; i-- > 0;) {
		address[i] = (uint8_t)(address[i] + (up ? 1 : -1));
		if (address[i] != (up ? 0 : 0xff))
			return;
	}
}

static void last_of(const struct bh_cidr *cidr, uint8_t *ret_address)
{
	memcpy(ret_address, cidr->bytes, sizeof(cidr->bytes));
	for (unsigned int bit = cidr->prefix; bit < 8 * bytes_of(cidr->family); bit++)
		ret_address[bit / 8] |= (uint8_t)(0x80 >> bit % 8);
}

/* What all questions about one network have in common. */
struct around {
	struct bh_checks *checks;
	unsigned int tool;
	uint8_t family, protocol;
};

static void ask(const struct around *around, uint8_t family, const uint8_t *address, uint32_t port)
{
	struct bh_query query = { .action = BH_ACTION_CONNECT, .tool = around->tool };

	if (port < 1 || port > 65535)
		return;
	query.net.family = family;
	query.net.port = (uint16_t)port;
	query.net.protocol = around->protocol;
	memcpy(query.net.address.bytes, address, bytes_of(family));
	bh_checks_add(around->checks, &query, "boundary", false);
}

static void ask_mapped(const struct around *around, const uint8_t *address, uint32_t port)
{
	uint8_t mapped[16] = { [10] = 0xff, [11] = 0xff };

	if (around->family != 4)
		return;
	memcpy(mapped + 12, address, 4);
	ask(around, 6, mapped, port);
}

void bh_boundary_net(const struct bh_exam *exam, const struct bh_rule *rule, struct bh_checks *checks)
{
	static const uint16_t others[] = { 22, 53, 80, 443, 853 };
	const struct bh_cidr *cidr = &rule->cidr;
	struct around around = { checks, bh_rule_tool(exam, rule), cidr->family, rule->protocol };
	uint8_t first[16], last[16];

	memcpy(first, cidr->bytes, sizeof(first));
	last_of(cidr, last);
	ask(&around, cidr->family, first, rule->port_low);
	ask(&around, cidr->family, last, rule->port_high);
	ask(&around, cidr->family, first, rule->port_low - 1u);
	ask(&around, cidr->family, last, rule->port_high + 1u);
	for (size_t i = 0; i < BH_COUNT_OF(others); i++)
		ask(&around, cidr->family, first, others[i]);
	ask_mapped(&around, first, rule->port_low);
	around.protocol = rule->protocol == IPPROTO_TCP ? IPPROTO_UDP : IPPROTO_TCP;
	ask(&around, cidr->family, first, rule->port_low);
	around.protocol = rule->protocol;
	step_address(first, bytes_of(cidr->family), false);
	step_address(last, bytes_of(cidr->family), true);
	ask(&around, cidr->family, first, rule->port_low);
	ask(&around, cidr->family, last, rule->port_low);
	ask_mapped(&around, last, rule->port_low);
}

/* A path that the rule grants, asked by another tool. */
static void ask_path_as(const struct bh_rule *rule, enum bh_action action, unsigned int tool, struct bh_checks *checks)
{
	struct bh_buf args = { 0 }, env = { 0 };
	char path[BH_SAMPLE_MAX];

	if (!bh_pattern_sample(rule->path, path))
		return;
	if (action != BH_ACTION_RUN) {
		bh_checks_add_path(checks, action, tool, path, NULL, "boundary", false);
		return;
	}
	bh_entry_usual(rule, &args, &env);
	bh_checks_add_run(checks, tool, path, &args, &env);
	bh_buf_done(&args);
	bh_buf_done(&env);
}

/* The same of a peer, or a port. */
static void ask_peer_as(const struct bh_rule *rule, unsigned int tool, struct bh_checks *checks)
{
	struct bh_query query = { .action = rule->class == BH_RULE_LISTEN ? BH_ACTION_LISTEN : BH_ACTION_CONNECT,
				  .tool = tool };
	char host[BH_HOST_ROOM];

	query.net.port = rule->port_low;
	query.net.protocol = rule->protocol;
	if (rule->class == BH_RULE_NET && rule->host) {
		if (!bh_host_sample(rule->host, host, sizeof(host)))
			return;
		query.host = host;
	} else if (rule->class == BH_RULE_NET) {
		query.net.family = rule->cidr.family;
		memcpy(query.net.address.bytes, rule->cidr.bytes, bytes_of(rule->cidr.family));
	}
	bh_checks_add(checks, &query, "boundary", false);
}

static enum bh_action action_of(const struct bh_rule *rule)
{
	if (rule->class == BH_RULE_EXEC)
		return BH_ACTION_RUN;
	if (rule->class == BH_RULE_UNIX)
		return rule->unix_op == BH_UNIX_LISTEN ? BH_ACTION_LISTEN : BH_ACTION_UNIX;
	return rule->access == BH_ACCESS_READ  ? BH_ACTION_READ :
	       rule->access == BH_ACCESS_WRITE ? BH_ACTION_WRITE :
						 BH_ACTION_LOAD;
}

/* One thing that the rule grants, asked by another tool. */
static void ask_as(const struct bh_rule *rule, unsigned int tool, struct bh_checks *checks)
{
	struct bh_query query = { .action = BH_ACTION_UNIX, .tool = tool };
	char name[BH_SAMPLE_MAX];

	if (rule->class == BH_RULE_NET || rule->class == BH_RULE_LISTEN) {
		ask_peer_as(rule, tool, checks);
	} else if (rule->class == BH_RULE_UNIX && rule->unix_op == BH_UNIX_ABSTRACT) {
		snprintf(name, sizeof(name), "@%s", rule->path);
		query.path = name;
		bh_checks_add(checks, &query, "boundary", false);
	} else {
		ask_path_as(rule, action_of(rule), tool, checks);
	}
}

/* Echo requests have no port to ask about. */
static bool is_echo(const struct bh_rule *rule)
{
	return rule->class == BH_RULE_NET && rule->protocol == IPPROTO_ICMP;
}

static void ask_around(const struct bh_exam *exam, const struct bh_rule *rule, struct bh_checks *checks)
{
	switch (rule->class) {
	case BH_RULE_FILE:
		bh_boundary_file(exam, rule, checks);
		return;
	case BH_RULE_EXEC:
		bh_boundary_exec(exam, rule, checks);
		return;
	case BH_RULE_UNIX:
		bh_boundary_unix(exam, rule, checks);
		return;
	case BH_RULE_LISTEN:
		bh_boundary_listen(exam, rule, checks);
		return;
	default:
		if (rule->host)
			bh_boundary_host(exam, rule, checks);
		else
			bh_boundary_net(exam, rule, checks);
	}
}

int bh_checks_boundary(const struct bh_exam *exam, struct bh_checks *checks)
{
	unsigned int tools = bh_compiled_tables(exam->compiled)->head.tools;

	for (size_t i = 0; i < bh_compiled_rules_count(exam->compiled); i++) {
		const struct bh_rule *rule = bh_compiled_rule(exam->compiled, i);

		/* what comes from a preset is the same for every policy and was examined when it was written; a session
		   that attaches is no tool that could be asked */
		if (rule->then != BH_THEN_ALLOW || rule->from || strcmp(rule->scope, "@attach") == 0 || is_echo(rule))
			continue;
		ask_around(exam, rule, checks);
		for (unsigned int tool = 1; tool <= tools; tool++)
			ask_as(rule, tool, checks);
	}
	bh_boundary_rights(exam, checks);
	return checks->error;
}
