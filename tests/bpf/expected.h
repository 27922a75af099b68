/* SPDX-License-Identifier: GPL-2.0-only */
/* The answer that the definition gives to a question: rule by rule, address form by address form, without any table. */
#ifndef TESTS_BPF_EXPECTED_H
#define TESTS_BPF_EXPECTED_H

#include "compile/definition.h"
#include "tests/bpf/questions.h"

static inline bool words_match(const struct bh_words *words, const char *path, bool read)
{
	for (size_t i = 0; i < words->count; i++) {
		const char *pattern = words->items[i].text;
		size_t length = strlen(pattern);
		char directory[1100];

		if (bh_pattern_matches(pattern, path))
			return true;
		/* reading all beneath D includes listing D */
		if (!read || length < 4 || strcmp(pattern + length - 3, "/**") != 0)
			continue;
		snprintf(directory, sizeof(directory), "%.*s", (int)(length - 3), pattern);
		if (bh_pattern_matches(directory, path))
			return true;
	}
	return false;
}

static inline bool floor_forbids(const struct bh_shipped *shipped, uint32_t access, const char *path)
{
	for (size_t i = 0; i < shipped->floors_count; i++)
		if ((access & BH_ACCESS_READ && words_match(&shipped->floors[i].read, path, true)) ||
		    (access & BH_ACCESS_WRITE && words_match(&shipped->floors[i].write, path, false)))
			return true;
	return false;
}

/* The path as it is judged: a process's own number is "self". Longer than a path can be: NULL. */
static inline const char *judged_path(const struct question *q)
{
	static char path[5000];
	char own[32];
	size_t length = (size_t)snprintf(own, sizeof(own), "/proc/%u", q->self);

	if (strlen(q->path) > BH_PATH_MAX)
		return NULL;
	if (!q->self || strncmp(q->path, own, length) != 0 || (q->path[length] && q->path[length] != '/'))
		return q->path;
	snprintf(path, sizeof(path), "/proc/self%s", q->path + length);
	return path;
}

static inline struct bh_answer expected_file(const struct subject *s, const struct question *q)
{
	const char *tool = bh_compiled_tool_name(s->compiled, q->tool), *path = judged_path(q);
	struct bh_answer answer = { 0 };

	if (path && floor_forbids(s->shipped, q->access, path)) {
		answer.reason = BH_REASON_F0;
		return answer;
	}
	for (uint8_t access = BH_ACCESS_READ; access <= BH_ACCESS_WRITE; access++) {
		const struct bh_rule *rule;

		if (!(q->access & access))
			continue;
		rule = tool && path ? bh_rule_for_file(s->compiled, tool, access, path) : NULL;
		if (rule && rule->then == BH_THEN_NEVER) {
			answer.reason = BH_REASON_F1;
			answer.rule = (uint32_t)(rule - bh_compiled_rule(s->compiled, 0)) + 1;
			return answer;
		}
		if (!rule)
			answer.reason = BH_REASON_F2;
	}
	return answer;
}

static inline struct bh_answer expected_exec(const struct subject *s, const struct question *q)
{
	const char *tool = bh_compiled_tool_name(s->compiled, q->tool), *path = judged_path(q);
	struct bh_answer answer = { .reason = BH_REASON_X1 };
	const struct bh_rule *rule = NULL;

	if (path) /* what nobody may run, tools that do not exist may not run either */
		rule = bh_rule_for_exec(s->compiled, tool || q->tool == BH_TOOL_NONE ? tool : "?", path);
	if (rule && rule->then == BH_THEN_NEVER) {
		answer.reason = BH_REASON_X10;
		answer.rule = (uint32_t)(rule - bh_compiled_rule(s->compiled, 0)) + 1;
	} else if (rule) {
		answer.reason = 0;
		answer.to = (uint8_t)bh_compiled_tool_id(s->compiled, rule->to);
	}
	return answer;
}

/* Code: an image of this tool, or readable and nobody's to write. */
static inline struct bh_answer expected_load(const struct subject *s, const struct question *q)
{
	const char *tool = bh_compiled_tool_name(s->compiled, q->tool), *path = judged_path(q);
	struct bh_answer answer = { .reason = BH_REASON_X8 };
	const struct bh_rule *reads = tool && path ? bh_rule_for_file(s->compiled, tool, BH_ACCESS_READ, path) : NULL;
	bool image = false, never = false,
	     open = reads && reads->then == BH_THEN_ALLOW && !floor_forbids(s->shipped, BH_ACCESS_READ, path);

	for (size_t i = 0; i < bh_compiled_rules_count(s->compiled) && tool && path; i++) {
		const struct bh_rule *rule = bh_compiled_rule(s->compiled, i);

		if (rule->class == BH_RULE_FILE && rule->access == BH_ACCESS_WRITE && rule->then == BH_THEN_ALLOW &&
		    bh_pattern_matches(rule->path, path))
			open = false;
		if (rule->class != BH_RULE_EXEC || !bh_pattern_matches(rule->path, path))
			continue;
		never = never || rule->then == BH_THEN_NEVER;
		image = image || (rule->to && !strcmp(rule->to, tool));
	}
	if (open || (image && !never))
		answer.reason = 0;
	return answer;
}

static inline bool in_block(const struct bh_cidr *cidr, uint8_t family, const uint8_t *address)
{
	if (cidr->family != family)
		return false;
	for (uint32_t bit = 0; bit < cidr->prefix; bit++)
		if ((cidr->bytes[bit / 8] ^ address[bit / 8]) >> (7 - bit % 8) & 1)
			return false;
	return true;
}

static inline bool floor_blocks(const struct bh_shipped *shipped, uint8_t family, const uint8_t *address, uint16_t port)
{
	for (size_t i = 0; i < shipped->addresses_count; i++) {
		const struct bh_floor_address *row = &shipped->addresses[i];

		if (in_block(&row->cidr, family, address) && (!row->except_port || row->except_port != port))
			return true;
	}
	return false;
}

/* The forms of policy.md 3.1: a prefix, and where behind it the IPv4 address lies. */
static inline bool hidden_ipv4(const uint8_t *address, uint8_t ipv4[4])
{
	static const struct {
		const char *prefix;
		uint8_t bits, offset, inverted;
	} forms[] = {
		{ "::ffff:0:0", 96, 12, 0 }, { "::", 96, 12, 0 },	   { "::ffff:0:0:0", 96, 12, 0 },
		{ "64:ff9b::", 96, 12, 0 },  { "64:ff9b:1::", 48, 12, 0 }, { "2002::", 16, 2, 0 },
		{ "2001::", 32, 12, 0xff },
	};
	static const uint8_t isatap[3] = { 0x00, 0x5e, 0xfe }, low[2][16] = { { 0 }, { [15] = 1 } };
	uint32_t i = 0;

	for (; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct bh_cidr cidr = { .family = 6, .prefix = forms[i].bits };

		inet_pton(AF_INET6, forms[i].prefix, cidr.bytes);
		if (in_block(&cidr, 6, address))
			break;
	}
	if (memcmp(address, low[0], 16) == 0 || memcmp(address, low[1], 16) == 0)
		return false;
	if (i == sizeof(forms) / sizeof(forms[0])) {
		memcpy(ipv4, address + 12, 4);
		return (address[8] & 0xfc) == 0 && memcmp(address + 9, isatap, 3) == 0;
	}
	for (uint32_t k = 0; k < 4; k++)
		ipv4[k] = address[forms[i].offset + k] ^ forms[i].inverted;
	return true;
}

static inline struct bh_answer expected_net(const struct subject *s, const struct question *q)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	const char *tool = bh_compiled_tool_name(s->compiled, q->tool);
	const uint8_t *address = q->net.address.bytes;
	uint8_t family = q->net.family, ipv4[4];
	struct bh_answer answer = { 0 };

	if (family != 4 && family != 6)
		answer.reason = BH_REASON_N7;
	else if (floor_blocks(s->shipped, family, address, q->net.port) ||
		 (family == 6 && hidden_ipv4(address, ipv4) && floor_blocks(s->shipped, 4, ipv4, q->net.port)))
		answer.reason = BH_REASON_N0;
	if (answer.reason)
		return answer;
	if (family == 6 && memcmp(address, mapped, 12) == 0) {
		family = 4;
		address += 12;
	}
	if (!tool || !bh_rule_for_net(s->compiled, tool, family, address, q->net.port, q->net.protocol))
		answer.reason = BH_REASON_N2;
	return answer;
}

static inline struct bh_answer expected_answer(const struct subject *s, const struct question *q)
{
	switch (q->kind) {
	case BH_KIND_EXEC:
		return expected_exec(s, q);
	case BH_KIND_FILE_OPEN:
		return expected_file(s, q);
	case BH_KIND_MMAP_EXEC:
		return expected_load(s, q);
	default:
		return expected_net(s, q);
	}
}

#endif
