/* SPDX-License-Identifier: GPL-2.0-only */
/* Just outside of each network that is granted; what only other tools may do; and all of it together. */
#include <netinet/in.h>
#include <string.h>

#include "base/cleanup.h"
#include "verify/checks.h"

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

static struct bh_query query_at(unsigned int tool, uint8_t family, const uint8_t *address, uint16_t port)
{
	struct bh_query query = { .action = BH_ACTION_CONNECT, .tool = tool };

	query.net.family = family;
	query.net.port = port;
	query.net.protocol = IPPROTO_TCP;
	memcpy(query.net.address.bytes, address, bytes_of(family));
	return query;
}

static void ask(struct bh_checks *checks, unsigned int tool, uint8_t family, const uint8_t *address, uint32_t port)
{
	struct bh_query query;

	if (port < 1 || port > 65535)
		return;
	query = query_at(tool, family, address, (uint16_t)port);
	bh_checks_add(checks, &query, "boundary", false);
}

static void ask_mapped(struct bh_checks *checks, unsigned int tool, const uint8_t *address, uint32_t port)
{
	uint8_t mapped[16] = { [10] = 0xff, [11] = 0xff };

	memcpy(mapped + 12, address, 4);
	ask(checks, tool, 6, mapped, port);
}

void bh_boundary_net(const struct bh_exam *exam, const struct bh_rule *rule, struct bh_checks *checks)
{
	static const uint16_t others[] = { 22, 53, 80, 443, 853 };
	const struct bh_cidr *cidr = &rule->cidr;
	unsigned int tool = bh_rule_tool(exam, rule);
	uint8_t first[16], last[16];

	memcpy(first, cidr->bytes, sizeof(first));
	last_of(cidr, last);
	ask(checks, tool, cidr->family, first, rule->port_low);
	ask(checks, tool, cidr->family, last, rule->port_high);
	ask(checks, tool, cidr->family, first, rule->port_low - 1u);
	ask(checks, tool, cidr->family, last, rule->port_high + 1u);
	for (size_t i = 0; i < BH_COUNT_OF(others); i++)
		ask(checks, tool, cidr->family, first, others[i]);
	if (cidr->family == 4)
		ask_mapped(checks, tool, first, rule->port_low);
	step_address(first, bytes_of(cidr->family), false);
	step_address(last, bytes_of(cidr->family), true);
	ask(checks, tool, cidr->family, first, rule->port_low);
	ask(checks, tool, cidr->family, last, rule->port_low);
	if (cidr->family == 4)
		ask_mapped(checks, tool, last, rule->port_low);
}

/* One thing that the rule grants, asked by another tool. */
static void ask_as(const struct bh_rule *rule, unsigned int tool, struct bh_checks *checks)
{
	enum bh_action action = rule->access == BH_ACCESS_READ ? BH_ACTION_READ : BH_ACTION_WRITE;
	struct bh_buf args = { 0 }, env = { 0 };
	char path[BH_SAMPLE_MAX];

	if (rule->class == BH_RULE_NET) {
		ask(checks, tool, rule->cidr.family, rule->cidr.bytes, rule->port_low);
		return;
	}
	if (!bh_pattern_sample(rule->path, path))
		return;
	if (rule->class == BH_RULE_FILE) {
		bh_checks_add_path(checks, action, tool, path, NULL, "boundary", false);
		return;
	}
	bh_entry_usual(rule, &args, &env);
	bh_checks_add_run(checks, tool, path, &args, &env);
	bh_buf_done(&args);
	bh_buf_done(&env);
}

/* Is there a question about such a rule? */
static bool can_be_asked(const struct bh_rule *rule)
{
	switch (rule->class) {
	case BH_RULE_EXEC:
		return strcmp(rule->scope, "@attach") != 0;
	case BH_RULE_FILE:
		return rule->access != BH_ACCESS_LOAD;
	case BH_RULE_NET:
		return !rule->host;
	default:
		return false;
	}
}

int bh_checks_boundary(const struct bh_exam *exam, struct bh_checks *checks)
{
	unsigned int tools = bh_compiled_tables(exam->compiled)->head.tools;

	for (size_t i = 0; i < bh_compiled_rules_count(exam->compiled); i++) {
		const struct bh_rule *rule = bh_compiled_rule(exam->compiled, i);

		/* what comes from a preset is the same for every policy and was examined when it was written */
		if (rule->then != BH_THEN_ALLOW || rule->from || !can_be_asked(rule))
			continue;
		if (rule->class == BH_RULE_FILE)
			bh_boundary_file(exam, rule, checks);
		else if (rule->class == BH_RULE_EXEC)
			bh_boundary_exec(exam, rule, checks);
		else
			bh_boundary_net(exam, rule, checks);
		for (unsigned int tool = 1; tool <= tools; tool++)
			ask_as(rule, tool, checks);
	}
	return checks->error;
}
