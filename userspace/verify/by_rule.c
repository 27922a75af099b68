/* SPDX-License-Identifier: GPL-2.0-only */
/* The answer that the definition gives (policy.md 3, 4.5, 6.3): every rule is looked at, no table and no verdict code. */
#include "compile/definition.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/address.h"
#include "verify/engine.h"

/* Reading all beneath D includes D itself. */
static bool pattern_covers(const char *pattern, uint32_t access, const char *path)
{
	size_t length = strlen(pattern);
	char directory[BH_PATH_MAX];

	if (bh_pattern_matches(pattern, path))
		return true;
	if (access != BH_ACCESS_READ || length < 4 || length - 3 >= sizeof(directory) ||
	    strcmp(pattern + length - 3, "/**") != 0)
		return false;
	memcpy(directory, pattern, length - 3);
	directory[length - 3] = '\0';
	return bh_pattern_matches(directory, path);
}

bool bh_rule_speaks_of_path(const struct bh_rule *rule, const char *path)
{
	return (rule->class == BH_RULE_EXEC || rule->class == BH_RULE_FILE) &&
	       pattern_covers(rule->path, rule->class == BH_RULE_FILE ? rule->access : BH_ACCESS_EXEC, path);
}

static bool floor_forbids(const struct bh_shipped *shipped, uint32_t access, const char *path)
{
	for (size_t i = 0; i < shipped->floors_count; i++) {
		const struct bh_words *words = access == BH_ACCESS_READ ? &shipped->floors[i].read :
									  &shipped->floors[i].write;

		for (size_t k = 0; k < words->count; k++)
			if (pattern_covers(words->items[k].text, access, path))
				return true;
	}
	return false;
}

static uint32_t rule_number(const struct bh_exam *exam, const struct bh_rule *rule)
{
	return (uint32_t)(rule - bh_compiled_rule(exam->compiled, 0)) + 1;
}

static void answer_file(const struct bh_exam *exam, struct bh_question *question, const char *path)
{
	const char *tool = bh_compiled_tool_name(exam->compiled, question->tool);
	const struct bh_rule *rule;

	if (floor_forbids(exam->shipped, question->access, path)) {
		question->reason = BH_REASON_F0;
		return;
	}
	rule = tool ? bh_rule_for_file(exam->compiled, tool, (uint8_t)question->access, path) : NULL;
	if (!rule) {
		question->reason = BH_REASON_F2;
	} else if (rule->then == BH_THEN_NEVER) {
		question->reason = BH_REASON_F1;
		question->rule = rule_number(exam, rule);
	}
}

/*
 * Whose rules count, by the number that asks. A number that no tool has is no tool's, and yet subject to what is forbidden
 * to all. NULL: the entry.
 */
static const char *asking_tool(const struct bh_exam *exam, uint32_t number)
{
	const char *tool = bh_compiled_tool_name(exam->compiled, number);

	if (tool || number == BH_TOOL_NONE)
		return tool;
	return number == BH_TOOL_ATTACH ? "@attach" : "";
}

/* The tool that is entered by the file alone; 0: there is none, or not for certain. */
static uint32_t edge_without_conditions(const struct bh_exam *exam, const char *tool, const char *path)
{
	const char *scope = tool ? tool : "@entry";

	for (size_t i = 0; i < bh_compiled_rules_count(exam->compiled); i++) {
		const struct bh_rule *rule = bh_compiled_rule(exam->compiled, i);

		if (rule->class == BH_RULE_EXEC && (!strcmp(rule->scope, scope) || !strcmp(rule->scope, "*")) &&
		    !rule->args_given && !rule->env && !rule->sha256 && bh_pattern_matches(rule->path, path))
			return bh_compiled_tool_id(exam->compiled, rule->to);
	}
	return 0;
}

static void answer_exec(const struct bh_exam *exam, struct bh_question *question, const char *path)
{
	const char *tool = asking_tool(exam, question->tool);
	const struct bh_rule *rule = bh_rule_for_exec(exam->compiled, tool, path);

	if (!rule) {
		question->reason = BH_REASON_X1;
	} else if (rule->then == BH_THEN_NEVER) {
		question->reason = BH_REASON_X10;
		question->rule = rule_number(exam, rule);
	} else {
		question->to = edge_without_conditions(exam, tool, path);
	}
}

/* The whole of it: file, content, arguments, environment. */
static void answer_run(const struct bh_exam *exam, struct bh_question *question, const struct bh_asked *asked)
{
	const char *tool = asking_tool(exam, question->tool);
	struct bh_exec run = { .path = asked->text,
			       .args = { asked->args, question->args_length },
			       .variables = { asked->env, question->env_length },
			       .sha256 = question->content_known ? question->sha256 : NULL };
	struct bh_exec_result result;

	bh_exec_decide(exam->compiled, tool, &run, &result);
	question->reason = result.reason;
	if (!result.reason)
		question->to = bh_compiled_tool_id(exam->compiled, result.rule->to);
	else if (result.rule)
		question->rule = rule_number(exam, result.rule);
}

/* Has the component a letter of its own, and is not all wildcards? */
static bool is_named(const char *component, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (component[i] != '*' && component[i] != '?')
			return true;
	return false;
}

/*
 * Is the path one of the pattern's directories, above the last component? With a `**` in front only those that the pattern
 * names: otherwise every directory would be one. All beneath a final `**` may be such a directory.
 */
static bool lies_above(const char *path, const char *pattern)
{
	size_t length = strlen(pattern), start = 1;
	bool deep = false;
	char prefix[BH_PATH_MAX];

	if (length >= sizeof(prefix))
		return false;
	for (;;) {
		size_t end = start + strcspn(pattern + start, "/");

		if (end == length)
			return strcmp(pattern + start, "**") == 0 && bh_pattern_matches(pattern, path);
		memcpy(prefix, pattern, end);
		prefix[end] = '\0';
		if (strcmp(prefix + start, "**") == 0)
			deep = true;
		else if ((!deep || is_named(prefix + start, end - start)) && bh_pattern_matches(prefix, path))
			return true;
		start = end + 1;
	}
}

/* What is executed or forbidden pins the directories above it (F4). */
static void answer_move(const struct bh_exam *exam, struct bh_question *question, const char *path)
{
	bool pinned = false;

	for (size_t i = 0; i < bh_compiled_rules_count(exam->compiled) && !pinned; i++) {
		const struct bh_rule *rule = bh_compiled_rule(exam->compiled, i);

		if (rule->class == BH_RULE_EXEC || (rule->class == BH_RULE_FILE && rule->then == BH_THEN_NEVER))
			pinned = lies_above(path, rule->path);
	}
	for (size_t i = 0; i < exam->shipped->floors_count && !pinned; i++) {
		const struct bh_prohibition *floor = &exam->shipped->floors[i];

		for (size_t k = 0; k < floor->read.count && !pinned; k++)
			pinned = lies_above(path, floor->read.items[k].text);
		for (size_t k = 0; k < floor->write.count && !pinned; k++)
			pinned = lies_above(path, floor->write.items[k].text);
	}
	question->reason = pinned ? BH_REASON_F4 : 0;
}

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
	rule = tool ? bh_rule_for_net(exam->compiled, tool, family, address, question->port, question->protocol) : NULL;
	if (!rule || rule->then != BH_THEN_ALLOW)
		question->reason = BH_REASON_N2;
}

int bh_ask_definition(void *data, struct bh_question *question, const struct bh_asked *asked)
{
	const struct bh_exam *exam = data;
	const char *path = asked->text;

	question->reason = question->to = question->rule = 0;
	switch (question->kind) {
	case BH_KIND_EXEC:
		answer_exec(exam, question, path);
		return 0;
	case BH_KIND_EXEC_ARGS:
		answer_run(exam, question, asked);
		return 0;
	case BH_KIND_FILE_OPEN:
		answer_file(exam, question, path);
		return 0;
	case BH_KIND_FILE_RENAME:
		answer_move(exam, question, path);
		return 0;
	case BH_KIND_CONNECT:
		answer_connect(exam, question);
		return 0;
	default:
		return -EINVAL;
	}
}
