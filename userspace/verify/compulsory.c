/* SPDX-License-Identifier: GPL-2.0-only */
/* What every policy is asked, whatever its author thought of. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/catalogue.h"
#include "verify/checks.h"

static unsigned int tools_of(const struct bh_exam *exam)
{
	return bh_compiled_tables(exam->compiled)->head.tools;
}

/* The address at its front in IPv4-mapped and NAT64 form besides. */
static void add_address(const struct bh_exam *exam, const struct bh_cidr *cidr, uint16_t port, struct bh_checks *checks)
{
	static const char *const forms[] = { "::ffff:0:0", "64:ff9b::" };
	struct bh_query query = { .action = BH_ACTION_CONNECT };

	query.net.port = port;
	query.net.protocol = IPPROTO_TCP;
	for (query.tool = 0; query.tool <= tools_of(exam); query.tool++) {
		query.net.family = cidr->family;
		memcpy(query.net.address.bytes, cidr->bytes, sizeof(cidr->bytes));
		bh_checks_add(checks, &query, "floor-address", true);
		query.net.family = 6;
		for (size_t i = 0; cidr->family == 4 && i < BH_COUNT_OF(forms); i++) {
			inet_pton(AF_INET6, forms[i], query.net.address.bytes);
			memcpy(query.net.address.bytes + 12, cidr->bytes, 4);
			bh_checks_add(checks, &query, "floor-address", true);
		}
	}
}

static void add_addresses(const struct bh_exam *exam, struct bh_checks *checks)
{
	for (size_t i = 0; i < exam->shipped->addresses_count; i++) {
		const struct bh_floor_address *row = &exam->shipped->addresses[i];

		add_address(exam, &row->cidr, row->except_port == 80 ? 8080 : 80, checks);
		add_address(exam, &row->cidr, row->except_port == 443 ? 8443 : 443, checks);
	}
}

/* One path of the pattern, from every tool. */
static void add_pattern(const struct bh_exam *exam, enum bh_action action, const char *pattern, const char *what,
			struct bh_checks *checks)
{
	char path[BH_SAMPLE_MAX];

	if (!bh_pattern_sample(pattern, path))
		return;
	for (unsigned int tool = 1; tool <= tools_of(exam); tool++)
		bh_checks_add_path(checks, action, tool, path, NULL, what, true);
}

static void add_floor_files(const struct bh_exam *exam, struct bh_checks *checks)
{
	for (size_t i = 0; i < exam->shipped->floors_count; i++) {
		const struct bh_prohibition *floor = &exam->shipped->floors[i];

		for (size_t k = 0; k < floor->read.count; k++)
			add_pattern(exam, BH_ACTION_READ, floor->read.items[k].text, "floor-file", checks);
		for (size_t k = 0; k < floor->write.count; k++)
			add_pattern(exam, BH_ACTION_WRITE, floor->write.items[k].text, "floor-file", checks);
		for (size_t k = 0; k < floor->write.count; k++)
			add_pattern(exam, BH_ACTION_UNIX, floor->write.items[k].text, "floor-socket", checks);
	}
}

/* Names of metadata services, asked for and connected to. */
static void add_blocked_names(const struct bh_exam *exam, struct bh_checks *checks)
{
	for (size_t i = 0; i < exam->shipped->blocked_names.count; i++) {
		struct bh_query query = { .host = exam->shipped->blocked_names.items[i].text };

		query.net.port = 80;
		query.net.protocol = IPPROTO_TCP;
		for (query.tool = 0; query.tool <= tools_of(exam); query.tool++) {
			query.action = BH_ACTION_CONNECT;
			bh_checks_add(checks, &query, "floor-name", true);
			query.action = BH_ACTION_DNS;
			bh_checks_add(checks, &query, "floor-name", true);
		}
	}
}

/* Operations that no policy can allow. */
static void add_floor_rights(const struct bh_exam *exam, struct bh_checks *checks)
{
	struct bh_query query = { .action = BH_ACTION_PRIVILEGE };

	for (const struct bh_privilege_entry *entry = bh_privilege_list; entry->name; entry++)
		for (query.tool = 0; entry->floor && query.tool <= tools_of(exam); query.tool++) {
			query.number = entry->bit;
			bh_checks_add(checks, &query, "floor-privilege", true);
		}
}

/* A network that the policy itself forbids. */
static void add_forbidden_network(const struct bh_exam *exam, const struct bh_rule *rule, struct bh_checks *checks)
{
	struct bh_query query = { .action = BH_ACTION_CONNECT };

	query.net.family = rule->cidr.family;
	query.net.port = 443;
	query.net.protocol = IPPROTO_TCP;
	memcpy(query.net.address.bytes, rule->cidr.bytes, sizeof(rule->cidr.bytes));
	for (query.tool = 1; query.tool <= tools_of(exam); query.tool++)
		bh_checks_add(checks, &query, "never", true);
}

static enum bh_action action_of(const struct bh_rule *rule)
{
	if (rule->class == BH_RULE_EXEC)
		return BH_ACTION_RUN;
	if (rule->class == BH_RULE_UNIX)
		return rule->unix_op == BH_UNIX_LISTEN ? BH_ACTION_LISTEN : BH_ACTION_UNIX;
	return rule->access == BH_ACCESS_READ ? BH_ACTION_READ : BH_ACTION_WRITE;
}

/* Guards that are not lifted, and what the policy itself forbids. */
static void add_forbidden(const struct bh_exam *exam, struct bh_checks *checks)
{
	for (size_t i = 0; i < bh_compiled_rules_count(exam->compiled); i++) {
		const struct bh_rule *rule = bh_compiled_rule(exam->compiled, i);

		if (rule->then != BH_THEN_NEVER || strcmp(rule->scope, "*") != 0)
			continue;
		if (rule->class == BH_RULE_NET)
			add_forbidden_network(exam, rule, checks);
		else
			add_pattern(exam, action_of(rule), rule->path, rule->from ? "guard" : "never", checks);
	}
}

static const char *const shells[] = { "/bin/sh", "/usr/bin/sh", "/usr/bin/dash", "/usr/bin/bash" };
static const char *const loaders[] = {
	"/lib64/ld-linux-x86-64.so.2",
	"/usr/lib64/ld-linux-x86-64.so.2",
	"/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2",
	"/lib/ld-linux-aarch64.so.1",
	"/usr/lib/ld-linux-aarch64.so.1",
	"/usr/lib/aarch64-linux-gnu/ld-linux-aarch64.so.1",
};

/* Does the tool list one of these programs by its name? Then somebody decided so; a pattern that happens to cover it is not that. */
static bool lists_one(const struct bh_exam *exam, unsigned int tool, const char *const *paths, size_t count)
{
	for (size_t i = 0; i < bh_compiled_rules_count(exam->compiled); i++) {
		const struct bh_rule *rule = bh_compiled_rule(exam->compiled, i);

		if (rule->class != BH_RULE_EXEC || rule->then != BH_THEN_ALLOW || bh_rule_tool(exam, rule) != tool)
			continue;
		for (size_t k = 0; k < count; k++)
			if (strcmp(rule->path, paths[k]) == 0)
				return true;
	}
	return false;
}

/* What runs whatever it is told: with it a tool's list of programs means nothing. */
static void add_openers(const struct bh_exam *exam, const char *const *paths, size_t count, const char *what,
			struct bh_checks *checks)
{
	for (unsigned int tool = 1; tool <= tools_of(exam); tool++)
		for (size_t i = 0; i < count && !lists_one(exam, tool, paths, count); i++)
			bh_checks_add_path(checks, BH_ACTION_RUN, tool, paths[i], NULL, what, true);
}

int bh_checks_compulsory(const struct bh_exam *exam, struct bh_checks *checks)
{
	add_addresses(exam, checks);
	add_floor_files(exam, checks);
	add_blocked_names(exam, checks);
	add_floor_rights(exam, checks);
	add_forbidden(exam, checks);
	add_openers(exam, shells, BH_COUNT_OF(shells), "shell", checks);
	add_openers(exam, loaders, BH_COUNT_OF(loaders), "loader", checks);
	return checks->error;
}
