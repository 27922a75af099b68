/* SPDX-License-Identifier: GPL-2.0-only */
/* Just outside of each name, socket, port and right that is granted. */
#include <ctype.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/catalogue.h"
#include "policy/host.h"
#include "verify/checks.h"

static void ask(struct bh_checks *checks, const struct bh_query *query)
{
	bh_checks_add(checks, query, "boundary", false);
}

static void ask_host(struct bh_checks *checks, unsigned int tool, const char *host, uint32_t port, uint8_t protocol)
{
	struct bh_query query = { .action = BH_ACTION_CONNECT, .tool = tool, .host = host };

	if (port < 1 || port > 65535 || !bh_is_queried_host(host, strlen(host)))
		return;
	query.net.port = (uint16_t)port;
	query.net.protocol = protocol;
	ask(checks, &query);
}

static void ask_dns(struct bh_checks *checks, unsigned int tool, const char *host)
{
	struct bh_query query = { .action = BH_ACTION_DNS, .tool = tool, .host = host };

	if (bh_is_queried_host(host, strlen(host)))
		ask(checks, &query);
}

/* A name that resolves to this. */
static void ask_answer(struct bh_checks *checks, unsigned int tool, const char *host, const struct bh_rule *rule,
		       const char *address)
{
	struct bh_query query = { .action = BH_ACTION_CONNECT, .tool = tool, .host = host, .answers_count = 1 };

	query.net.port = rule->port_low;
	query.net.protocol = rule->protocol;
	if (bh_peer_address_parse(address, &query.answers[0]))
		ask(checks, &query);
}

#define NAME_ROOM (BH_HOST_MAX + 8u) /* a name, and a label in the place of a star */
#define AROUND_ROOM (NAME_ROOM + 16u)

/* The names around one that is granted; each is connected to and asked for. */
static void ask_names(const struct bh_rule *rule, unsigned int tool, const char *host, struct bh_checks *checks)
{
	char names[6][AROUND_ROOM];
	bool suffix = rule->host[0] == '*';

	snprintf(names[0], AROUND_ROOM, "evil%s",
		 suffix ? rule->host + 2 : host); /* of a suffix: not a label of its own */
	snprintf(names[1], AROUND_ROOM, "%s.evil.example", host);
	snprintf(names[2], AROUND_ROOM, "sub.%s", host);
	snprintf(names[3], AROUND_ROOM, "%s.", host);
	snprintf(names[4], AROUND_ROOM, "%s", host);
	for (char *at = names[4]; *at; at++)
		*at = (char)toupper((unsigned char)*at);
	snprintf(names[5], AROUND_ROOM, "%s",
		 suffix		   ? rule->host + 2 :
		 strchr(host, '.') ? strchr(host, '.') + 1 :
				     host);
	ask_host(checks, tool, host, rule->port_low, rule->protocol);
	ask_dns(checks, tool, host);
	for (size_t i = 0; i < BH_COUNT_OF(names); i++) {
		ask_host(checks, tool, names[i], rule->port_low, rule->protocol);
		ask_dns(checks, tool, names[i]);
	}
}

void bh_boundary_host(const struct bh_exam *exam, const struct bh_rule *rule, struct bh_checks *checks)
{
	static const uint16_t others[] = { 22, 53, 80, 443, 853 };
	/* global, private, loopback, metadata, and these hidden in IPv6 */
	static const char *const answers[] = {
		"1.1.1.1",	   "10.0.0.1",
		"127.0.0.1",	   "169.254.169.254",
		"100.100.100.200", "::1",
		"fd00:ec2::254",   "::ffff:169.254.169.254",
		"64:ff9b::a00:1",  "2002:a9fe:a9fe::1",
		"::ffff:10.0.0.1", "2606:4700:4700::1111",
	};
	unsigned int tool = bh_rule_tool(exam, rule);
	char host[NAME_ROOM];

	if (!bh_host_sample(rule->host, host, sizeof(host)))
		return;
	ask_names(rule, tool, host, checks);
	ask_host(checks, tool, host, rule->port_high, rule->protocol);
	ask_host(checks, tool, host, rule->port_low - 1u, rule->protocol);
	ask_host(checks, tool, host, rule->port_high + 1u, rule->protocol);
	ask_host(checks, tool, host, rule->port_low, rule->protocol == IPPROTO_TCP ? IPPROTO_UDP : IPPROTO_TCP);
	for (size_t i = 0; i < BH_COUNT_OF(others); i++)
		ask_host(checks, tool, host, others[i], rule->protocol);
	for (size_t i = 0; i < BH_COUNT_OF(answers); i++)
		ask_answer(checks, tool, host, rule, answers[i]);
}

bool bh_host_sample(const char *pattern, char *ret_host, size_t size)
{
	return (size_t)snprintf(ret_host, size, "%s%s", pattern[0] == '*' ? "x" : "",
				pattern[0] == '*' ? pattern + 1 : pattern) < size;
}

/* ---- sockets ---- */

static void ask_socket(struct bh_checks *checks, enum bh_action action, unsigned int tool, const char *path)
{
	struct bh_query query = { .action = action, .tool = tool, .path = path };

	if (path[0] == '@')
		ask(checks, &query);
	else
		bh_checks_add_path(checks, action, tool, path, NULL, "boundary", false);
}

static void ask_abstract(const struct bh_rule *rule, unsigned int tool, struct bh_checks *checks)
{
	char name[BH_SAMPLE_MAX];

	snprintf(name, sizeof(name), "@%s", rule->path);
	ask_socket(checks, BH_ACTION_UNIX, tool, name);
	ask_socket(checks, BH_ACTION_LISTEN, tool, name);
	snprintf(name, sizeof(name), "@%sx", rule->path);
	ask_socket(checks, BH_ACTION_UNIX, tool, name);
	name[strlen(name) - 2] = '\0';
	if (name[1])
		ask_socket(checks, BH_ACTION_UNIX, tool, name);
}

void bh_boundary_unix(const struct bh_exam *exam, const struct bh_rule *rule, struct bh_checks *checks)
{
	enum bh_action action = rule->unix_op == BH_UNIX_LISTEN ? BH_ACTION_LISTEN : BH_ACTION_UNIX;
	unsigned int tool = bh_rule_tool(exam, rule);

	if (rule->unix_op == BH_UNIX_ABSTRACT) {
		ask_abstract(rule, tool, checks);
		return;
	}
	bh_boundary_path(exam, rule, action, checks);
	bh_boundary_path(exam, rule, action == BH_ACTION_UNIX ? BH_ACTION_LISTEN : BH_ACTION_UNIX, checks);
}

/* ---- ports to wait on ---- */

static void ask_listen(struct bh_checks *checks, unsigned int tool, uint32_t port, uint8_t protocol)
{
	struct bh_query query = { .action = BH_ACTION_LISTEN, .tool = tool };

	query.net.port = (uint16_t)port;
	query.net.protocol = protocol;
	if (port >= 1 && port <= 65535)
		ask(checks, &query);
}

void bh_boundary_listen(const struct bh_exam *exam, const struct bh_rule *rule, struct bh_checks *checks)
{
	unsigned int tool = bh_rule_tool(exam, rule);

	ask_listen(checks, tool, rule->port_low, rule->protocol);
	ask_listen(checks, tool, rule->port_high, rule->protocol);
	ask_listen(checks, tool, rule->port_low - 1u, rule->protocol);
	ask_listen(checks, tool, rule->port_high + 1u, rule->protocol);
	ask_listen(checks, tool, rule->port_low, rule->protocol == IPPROTO_TCP ? IPPROTO_UDP : IPPROTO_TCP);
}

/* ---- rights ---- */

/* Each by the first tool; what is granted there, by every other as well: these hold for the whole sandbox. */
static void ask_right(const struct bh_exam *exam, enum bh_action action, uint32_t number, bool granted,
		      struct bh_checks *checks)
{
	struct bh_query query = { .action = action, .number = number };

	for (query.tool = granted ? 0 : 1; query.tool == 0 || bh_compiled_tool_name(exam->compiled, query.tool);
	     query.tool++) {
		ask(checks, &query);
		if (!granted)
			return;
	}
}

void bh_boundary_rights(const struct bh_exam *exam, struct bh_checks *checks)
{
	const struct bh_policy_head *head = &bh_compiled_tables(exam->compiled)->head;

	for (const struct bh_privilege_entry *entry = bh_privilege_list; entry->name; entry++)
		ask_right(exam, BH_ACTION_PRIVILEGE, entry->bit, head->operations >> entry->bit & 1, checks);
	for (const struct bh_capability_entry *entry = bh_capabilities; entry->name; entry++)
		ask_right(exam, BH_ACTION_CAPABILITY, entry->number, head->capabilities >> entry->number & 1, checks);
}
