/* SPDX-License-Identifier: GPL-2.0-only */
/* The definition about peers and rights (policy.md 2.5 to 2.7, 3.1): addresses, names, sockets, operations. */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/definition.h"
#include "policy/address.h"
#include "policy/catalogue.h"
#include "policy/host.h"
#include "verify/by_rule.h"

static bool in_block(const struct bh_cidr *cidr, uint8_t family, const uint8_t *address)
{
	struct bh_cidr one = { .family = family, .prefix = family == 4 ? 32 : 128 };

	memcpy(one.bytes, address, family == 4 ? 4 : 16);
	return bh_cidr_covers(cidr, &one);
}

bool bh_rule_speaks_of_endpoint(const struct bh_rule *rule, uint8_t family, const uint8_t *address, uint16_t port,
				uint8_t protocol)
{
	return rule->class == BH_RULE_NET && !rule->host && in_block(&rule->cidr, family, address) &&
	       port >= rule->port_low && port <= rule->port_high && (!rule->protocol || protocol == rule->protocol);
}

static bool floor_blocks(const struct bh_shipped *shipped, uint8_t family, const uint8_t *address, uint16_t port)
{
	for (size_t i = 0; i < shipped->addresses_count; i++) {
		const struct bh_floor_address *row = &shipped->addresses[i];

		if (in_block(&row->cidr, family, address) && (!row->except_port || row->except_port != port))
			return true;
	}
	return false;
}

/* policy.md 3.1, RFC 6052: a prefix, and at which bytes behind it the IPv4 address lies. */
static const struct {
	const char *prefix;
	uint8_t bits, at[4], inverted;
} hiding_places[] = {
	{ "::ffff:0:0", 96, { 12, 13, 14, 15 }, 0 },   { "::", 96, { 12, 13, 14, 15 }, 0 },
	{ "::ffff:0:0:0", 96, { 12, 13, 14, 15 }, 0 }, { "64:ff9b::", 96, { 12, 13, 14, 15 }, 0 },
	{ "64:ff9b:1::", 48, { 12, 13, 14, 15 }, 0 },  { "64:ff9b:1::", 48, { 6, 7, 9, 10 }, 0 },
	{ "64:ff9b:1::", 48, { 7, 9, 10, 11 }, 0 },    { "64:ff9b:1::", 48, { 9, 10, 11, 12 }, 0 },
	{ "2002::", 16, { 2, 3, 4, 5 }, 0 },	       { "2001::", 32, { 12, 13, 14, 15 }, 0xff },
};

static bool is_isatap(const uint8_t *address)
{
	return (address[8] & 0xfc) == 0 && address[9] == 0 && address[10] == 0x5e && address[11] == 0xfe;
}

/* Blocked as it stands or as the IPv4 address that hides in it. :: and ::1 hide none. */
static bool floor_finds(const struct bh_shipped *shipped, uint8_t family, const uint8_t *address, uint16_t port)
{
	static const uint8_t low[2][16] = { { 0 }, { [15] = 1 } };
	uint8_t ipv4[4];

	if (floor_blocks(shipped, family, address, port))
		return true;
	if (family == 4 || memcmp(address, low[0], 16) == 0 || memcmp(address, low[1], 16) == 0)
		return false;
	for (size_t i = 0; i < BH_COUNT_OF(hiding_places); i++) {
		struct bh_cidr cidr = { .family = 6, .prefix = hiding_places[i].bits };

		inet_pton(AF_INET6, hiding_places[i].prefix, cidr.bytes);
		if (!in_block(&cidr, 6, address))
			continue;
		for (size_t k = 0; k < 4; k++)
			ipv4[k] = address[hiding_places[i].at[k]] ^ hiding_places[i].inverted;
		if (floor_blocks(shipped, 4, ipv4, port))
			return true;
	}
	return is_isatap(address) && floor_blocks(shipped, 4, address + 12, port);
}

uint8_t bh_judged_address(uint8_t family, const uint8_t address[16], uint8_t ret_address[16])
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	memset(ret_address, 0, 16);
	if (family != 6 || memcmp(address, mapped, sizeof(mapped)) != 0) {
		memcpy(ret_address, address, family == 4 ? 4 : 16);
		return family;
	}
	memcpy(ret_address, address + 12, 4);
	return 4;
}

static void answer_connect(const struct bh_exam *exam, struct bh_question *question)
{
	const char *tool = bh_compiled_tool_name(exam->compiled, question->tool);
	const struct bh_rule *rule;
	uint8_t address[16], family;

	if (question->family != 4 && question->family != 6) {
		question->reason = BH_REASON_N7;
		return;
	}
	if (floor_finds(exam->shipped, question->family, question->address, question->port)) {
		question->reason = BH_REASON_N0;
		return;
	}
	family = bh_judged_address(question->family, question->address, address);
	/* a number that no tool has is subject to what is forbidden to all */
	rule = bh_rule_for_net(exam->compiled, tool ? tool : "", family, address, question->port, question->protocol);
	if (!rule) {
		question->reason = BH_REASON_N2;
	} else if (rule->then == BH_THEN_NEVER) {
		question->reason = BH_REASON_N10;
		question->rule = bh_rule_number(exam, rule);
	}
}

/* ---- names ---- */

/* The name without a dot at its end, in small letters; "" when it is too long to be one. */
static const char *judged_name(const char *name, char room[BH_NAME_MAX + 1])
{
	size_t length = strlen(name);

	if (length && name[length - 1] == '.')
		length--;
	if (length > BH_NAME_MAX)
		length = 0;
	for (size_t i = 0; i < length; i++)
		room[i] = (char)tolower((unsigned char)name[i]);
	room[length] = '\0';
	return room;
}

static bool is_blocked_name(const struct bh_exam *exam, const char *name)
{
	for (size_t i = 0; i < exam->shipped->blocked_names.count; i++)
		if (bh_host_matches(exam->shipped->blocked_names.items[i].text, name))
			return true;
	return false;
}

static void answer_host(const struct bh_exam *exam, struct bh_question *question, const char *name)
{
	const char *tool = bh_compiled_tool_name(exam->compiled, question->tool);

	if (is_blocked_name(exam, name))
		question->reason = BH_REASON_N0;
	else if (!tool || !bh_rule_for_host(exam->compiled, tool, name, question->port, question->protocol))
		question->reason = BH_REASON_N2;
}

static bool is_reached(const struct bh_exam *exam, const char *tool, const char *name)
{
	for (size_t i = 0; i < bh_compiled_rules_count(exam->compiled); i++) {
		const struct bh_rule *rule = bh_compiled_rule(exam->compiled, i);

		if (rule->class == BH_RULE_NET && rule->host && strcmp(rule->scope, tool) == 0 &&
		    bh_host_matches(rule->host, name))
			return true;
	}
	return false;
}

static void answer_dns(const struct bh_exam *exam, struct bh_question *question, const char *name)
{
	const char *tool = bh_compiled_tool_name(exam->compiled, question->tool);
	uint8_t names = bh_compiled_tables(exam->compiled)->head.dns;

	if (is_blocked_name(exam, name))
		question->reason = BH_REASON_N0;
	else if (!tool || !*name || !(names == BH_DNS_ANY || (names == BH_DNS_LISTED && is_reached(exam, tool, name))))
		question->reason = BH_REASON_N3;
}

/* What is no address of the internet's: RFC 6890, and what hides an IPv4 address. */
static bool is_special(uint8_t family, const uint8_t *address)
{
	static const struct {
		const char *address;
		uint8_t bits;
	} ipv4[] = { { "0.0.0.0", 8 },	    { "10.0.0.0", 8 },	   { "100.64.0.0", 10 }, { "127.0.0.0", 8 },
		     { "169.254.0.0", 16 }, { "172.16.0.0", 12 },  { "192.0.0.0", 24 },	 { "192.0.2.0", 24 },
		     { "192.88.99.0", 24 }, { "192.168.0.0", 16 }, { "198.18.0.0", 15 }, { "198.51.100.0", 24 },
		     { "203.0.113.0", 24 }, { "224.0.0.0", 4 },	   { "240.0.0.0", 4 } },
	  ipv6[] = { { "2001::", 23 }, { "2001:db8::", 32 }, { "2002::", 16 }, { "3fff::", 20 } };
	struct bh_cidr unicast = { .family = 6, .prefix = 3, .bytes = { 0x20 } };
	size_t count = family == 4 ? BH_COUNT_OF(ipv4) : BH_COUNT_OF(ipv6);

	if (family == 6 && !in_block(&unicast, 6, address))
		return true;
	for (size_t i = 0; i < count; i++) {
		struct bh_cidr block = { .family = family, .prefix = family == 4 ? ipv4[i].bits : ipv6[i].bits };

		inet_pton(family == 4 ? AF_INET : AF_INET6, family == 4 ? ipv4[i].address : ipv6[i].address,
			  block.bytes);
		if (in_block(&block, family, address))
			return true;
	}
	return false;
}

/* Does a destination of the tool that has this name list the network? */
static bool is_resolved_to(const struct bh_exam *exam, const char *tool, const char *name, uint8_t family,
			   const uint8_t *address)
{
	for (size_t i = 0; i < bh_compiled_rules_count(exam->compiled); i++) {
		const struct bh_rule *rule = bh_compiled_rule(exam->compiled, i);

		if (rule->class != BH_RULE_NET || !rule->host || strcmp(rule->scope, tool) != 0 ||
		    !bh_host_matches(rule->host, name))
			continue;
		for (size_t k = 0; k < rule->resolves_to.count; k++)
			if (in_block(&rule->resolves_to.items[k], family, address))
				return true;
	}
	return false;
}

static void answer_answer(const struct bh_exam *exam, struct bh_question *question, const char *name)
{
	const char *tool = bh_compiled_tool_name(exam->compiled, question->tool);
	uint8_t address[16], family;

	if (question->family != 4 && question->family != 6) {
		question->reason = BH_REASON_N7;
		return;
	}
	if (is_blocked_name(exam, name) || floor_finds(exam->shipped, question->family, question->address, 0)) {
		question->reason = BH_REASON_N0;
		return;
	}
	family = bh_judged_address(question->family, question->address, address);
	if (is_special(family, address) && (!tool || !is_resolved_to(exam, tool, name, family, address)))
		question->reason = BH_REASON_N1;
}

/* ---- sockets of its own, and without a network ---- */

static void answer_listen(const struct bh_exam *exam, struct bh_question *question)
{
	const char *tool = bh_compiled_tool_name(exam->compiled, question->tool);

	question->reason = BH_REASON_N8;
	for (size_t i = 0; tool && i < bh_compiled_rules_count(exam->compiled); i++) {
		const struct bh_rule *rule = bh_compiled_rule(exam->compiled, i);

		if (rule->class == BH_RULE_LISTEN && strcmp(rule->scope, tool) == 0 &&
		    question->port >= rule->port_low && question->port <= rule->port_high &&
		    question->protocol == rule->protocol)
			question->reason = 0;
	}
}

static void answer_abstract(const struct bh_exam *exam, struct bh_question *question, const char *name)
{
	const char *tool = bh_compiled_tool_name(exam->compiled, question->tool);

	if (!tool || strlen(name) > BH_PATH_MAX || !bh_rule_for_unix(exam->compiled, tool, BH_UNIX_ABSTRACT, name))
		question->reason = BH_REASON_U2;
}

int bh_answer_about_peer(const struct bh_exam *exam, struct bh_question *question, const char *text)
{
	char room[BH_NAME_MAX + 1];

	switch (question->kind) {
	case BH_KIND_CONNECT:
		answer_connect(exam, question);
		return 0;
	case BH_ASK_HOST:
		answer_host(exam, question, judged_name(text, room));
		return 0;
	case BH_ASK_DNS:
		answer_dns(exam, question, judged_name(text, room));
		return 0;
	case BH_ASK_ANSWER:
		answer_answer(exam, question, judged_name(text, room));
		return 0;
	case BH_ASK_LISTEN:
		answer_listen(exam, question);
		return 0;
	case BH_ASK_ABSTRACT:
		answer_abstract(exam, question, text);
		return 0;
	default:
		return -EINVAL;
	}
}

/* ---- rights ---- */

static void answer_operation(const struct bh_exam *exam, struct bh_question *question)
{
	uint64_t allowed = bh_compiled_tables(exam->compiled)->head.operations;
	const char *tool = bh_compiled_tool_name(exam->compiled, question->tool);

	question->reason = BH_REASON_C2;
	for (const struct bh_privilege_entry *entry = bh_privilege_list; entry->name; entry++) {
		if (entry->bit != question->number)
			continue;
		if (entry->floor)
			question->reason = BH_REASON_C0;
		else if (tool && allowed >> entry->bit & 1)
			question->reason = 0;
	}
}

static void answer_capability(const struct bh_exam *exam, struct bh_question *question)
{
	/* good for nothing but a floor operation */
	static const char *const never[] = { "CAP_SYS_MODULE",	 "CAP_SYS_RAWIO", "CAP_SYS_PACCT",
					     "CAP_SYS_BOOT",	 "CAP_SYSLOG",	  "CAP_MAC_ADMIN",
					     "CAP_MAC_OVERRIDE", "CAP_BPF",	  "CAP_PERFMON" };
	uint64_t allowed = bh_compiled_tables(exam->compiled)->head.capabilities;
	const char *tool = bh_compiled_tool_name(exam->compiled, question->tool);

	question->reason = BH_REASON_C2;
	for (const struct bh_capability_entry *entry = bh_capabilities; entry->name; entry++) {
		if (entry->number != question->number)
			continue;
		if (tool && allowed >> entry->number & 1)
			question->reason = 0;
		for (size_t i = 0; i < BH_COUNT_OF(never); i++)
			if (strcmp(entry->name, never[i]) == 0)
				question->reason = BH_REASON_C0;
	}
}

int bh_answer_about_right(const struct bh_exam *exam, struct bh_question *question)
{
	const char *tool = bh_compiled_tool_name(exam->compiled, question->tool);

	switch (question->kind) {
	case BH_ASK_PRIVILEGE:
		answer_operation(exam, question);
		return 0;
	case BH_ASK_CAPABILITY:
		answer_capability(exam, question);
		return 0;
	case BH_ASK_JIT:
		if (!tool || !(bh_compiled_tables(exam->compiled)->head.jit >> (question->tool - 1) & 1))
			question->reason = BH_REASON_X11;
		return 0;
	default:
		return -EINVAL;
	}
}
