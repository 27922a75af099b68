/* SPDX-License-Identifier: GPL-2.0-only */
/* Random questions about a policy, most of them near to what it says. */
#ifndef TESTS_BPF_QUESTIONS_H
#define TESTS_BPF_QUESTIONS_H

#include <arpa/inet.h>
#include <netinet/in.h>

#include "bpf/lib/decide.h"
#include "tests/bpf/policies.h"

/* One question of the kinds that the verdict program knows, and BH_KIND_MMAP_EXEC, which only native code is asked. */
struct question {
	uint32_t kind, tool, access, self;
	char path[5000];
	struct bh_net_question net;
};

/* A compiled policy with what it was compiled against. */
struct subject {
	struct bh_compiled *compiled;
	const struct bh_shipped *shipped;
};

/* A path that the pattern could match: wildcards become a few bytes; then maybe something is changed. */
static inline void random_path(const char *pattern, char *out)
{
	char *at = out;

	for (; *pattern; pattern++) {
		if (*pattern == '*') {
			for (uint32_t i = roll(4); i > 0; i--)
				*at++ = roll(6) ? "abcx"[roll(4)] : (char)(1 + roll(255));
			if (pattern[1] == '*' && roll(2))
				*at++ = '/';
		} else {
			*at++ = *pattern == '?' ? (char)(1 + roll(255)) : *pattern;
		}
	}
	*at = '\0';
	if (at > out && roll(4) == 0)
		out[roll((uint32_t)(at - out))] = roll(2) ? "ab/.x0"[roll(6)] : (char)(1 + roll(255));
	if (at > out && roll(6) == 0)
		out[roll((uint32_t)(at - out))] = '\0';
	if (roll(6) == 0)
		strcat(out, roll(2) ? "/a" : "b");
	if (roll(400) == 0) {
		uint32_t from = (uint32_t)strlen(out), to = 4090 + roll(12);

		memset(out + from, 'x', to - from);
		out[to] = '\0';
	}
}

/* A rule of this class, mostly one that allows; another when the policy has none. */
static inline const struct bh_rule *random_rule(const struct subject *s, enum bh_rule_class class)
{
	const struct bh_rule *rule = NULL;

	for (uint32_t tries = 0; tries < 200; tries++) {
		rule = bh_compiled_rule(s->compiled, roll((uint32_t)bh_compiled_rules_count(s->compiled)));
		if (rule->class == class && (rule->then == BH_THEN_ALLOW || tries % 8 == 7))
			break;
	}
	return rule;
}

/* A pattern of the floor; NULL: it has none. */
static inline const char *random_floor(const struct subject *s)
{
	const struct bh_prohibition *floor = &s->shipped->floors[roll((uint32_t)s->shipped->floors_count)];
	const struct bh_words *words = roll(2) ? &floor->read : &floor->write;

	return words->count ? words->items[roll((uint32_t)words->count)].text : NULL;
}

static inline void random_path_question(const struct subject *s, struct question *q)
{
	bool exec = roll(8) ? q->kind == BH_KIND_EXEC : q->kind != BH_KIND_EXEC;
	const struct bh_rule *rule = random_rule(s, exec ? BH_RULE_EXEC : BH_RULE_FILE);
	const char *pattern = roll(16) ? NULL : random_floor(s);
	char number[1100];

	if (!pattern)
		pattern = rule->path ? rule->path : "/";
	if (!strcmp(rule->scope, "@entry"))
		q->tool = roll(2) ? BH_TOOL_NONE : q->tool;
	else if (strcmp(rule->scope, "*") && roll(2))
		q->tool = bh_compiled_tool_id(s->compiled, rule->scope);
	if (rule->class == BH_RULE_FILE && roll(2))
		q->access = rule->access;
	if (strncmp(pattern, "/proc/self", 10) == 0 && roll(2)) {
		snprintf(number, sizeof(number), "/proc/%u%s", q->self ? q->self : 1 + roll(500), pattern + 10);
		pattern = number;
	}
	random_path(pattern, q->path);
}

/* Puts IPv4 bytes into one of the IPv6 forms. */
static inline void random_disguise(struct bh_address *address)
{
	static const char *const forms[] = { "::ffff:0:0",
					     "::",
					     "::ffff:0:0:0",
					     "64:ff9b::",
					     "64:ff9b:1:2::",
					     "fe80::5efe:0:0",
					     "2001:db8::200:5efe:0:0" };
	uint8_t ipv4[4];
	uint32_t form = roll(9);

	memcpy(ipv4, address->bytes, 4);
	memset(address->bytes, 0, 16);
	if (form == 7) {
		inet_pton(AF_INET6, "2002::", address->bytes);
		memcpy(address->bytes + 2, ipv4, 4);
	} else if (form == 8) {
		inet_pton(AF_INET6, "2001::", address->bytes);
		for (uint32_t i = 0; i < 4; i++)
			address->bytes[12 + i] = (uint8_t)~ipv4[i];
	} else {
		inet_pton(AF_INET6, forms[form], address->bytes);
		memcpy(address->bytes + 12, ipv4, 4);
	}
}

static inline void random_net_question(const struct subject *s, struct question *q)
{
	static const uint16_t ports[] = { 22, 53, 80, 443, 444, 8000, 8010, 9000, 1, 65535 };
	const struct bh_cidr *cidr = &s->shipped->addresses[roll((uint32_t)s->shipped->addresses_count)].cidr;
	const struct bh_rule *rule = random_rule(s, BH_RULE_NET);

	if (rule->class == BH_RULE_NET && roll(4)) {
		cidr = &rule->cidr;
		if (roll(4))
			q->tool = bh_compiled_tool_id(s->compiled, rule->scope);
	}
	memcpy(q->net.address.bytes, cidr->bytes, 16);
	q->net.family = cidr->family;
	for (uint32_t bit = cidr->prefix; bit < (cidr->family == 4 ? 32u : 128u); bit++)
		if (roll(2))
			q->net.address.bytes[bit / 8] |= (uint8_t)(0x80 >> bit % 8);
	if (roll(4) == 0)
		q->net.address.bytes[roll(cidr->family == 4 ? 4 : 16)] ^= (uint8_t)(1 << roll(8));
	if (q->net.family == 4 && roll(2)) {
		random_disguise(&q->net.address);
		q->net.family = 6;
	}
	if (roll(200) == 0)
		q->net.family = (uint8_t)roll(256);
	q->net.port = roll(8) ? ports[roll(10)] : (uint16_t)roll(65536);
	if (rule->class == BH_RULE_NET && roll(4))
		q->net.port = roll(2) ? rule->port_low : rule->port_high;
	q->net.port = (uint16_t)(q->net.port + (roll(2) ? 0 : roll(3) - 1));
	q->net.protocol = roll(10) ? IPPROTO_TCP : IPPROTO_UDP;
}

static inline void random_question(const struct subject *s, uint32_t kind, struct question *q)
{
	static const uint32_t strange[] = { 0, 5, 32, 33, 63, 64, 65, 255, 256 };

	q->kind = kind;
	q->tool = roll(20) ? 1 + roll(bh_compiled_tables(s->compiled)->head.tools) : strange[roll(9)];
	q->access = 1 + roll(3);
	q->self = roll(2) ? 1 + roll(300) : 0;
	memset(&q->net, 0, sizeof(q->net));
	q->path[0] = '\0';
	if (kind == BH_KIND_CONNECT)
		random_net_question(s, q);
	else
		random_path_question(s, q);
}

/* What native code says. */
static inline struct bh_answer native_answer(const struct subject *s, const struct bh_floor_net *floor,
					     const struct question *q)
{
	static struct bh_path_bytes bytes;
	const struct bh_policy *policy = bh_compiled_tables(s->compiled);
	uint32_t length = (uint32_t)strlen(q->path);
	struct bh_path_question path = { &bytes, length, q->self };

	memcpy(bytes.bytes, q->path, length < BH_PATH_MAX ? length : BH_PATH_MAX);
	switch (q->kind) {
	case BH_KIND_EXEC:
		return bh_decide_exec(policy, q->tool, &path);
	case BH_KIND_FILE_OPEN:
		return bh_decide_file(policy, q->tool, q->access, &path);
	case BH_KIND_MMAP_EXEC:
		return bh_decide_load(policy, q->tool, &path);
	default:
		return bh_decide_net(policy, floor, q->tool, &q->net);
	}
}

static inline bool same_answer(struct bh_answer a, struct bh_answer b)
{
	return a.reason == b.reason && a.to == b.to && a.rule == b.rule;
}

#endif
