/* SPDX-License-Identifier: GPL-2.0-only */
/* Random questions about a policy, most of them near to what it says. */
#ifndef TESTS_BPF_QUESTIONS_H
#define TESTS_BPF_QUESTIONS_H

#include <arpa/inet.h>
#include <netinet/in.h>

#include "bpf/lib/peer.h"
#include "tests/bpf/commands.h"
#include "tests/bpf/policies.h"
#include "verify/engine.h"

/* One question, of any kind that the engines know. */
struct question {
	uint32_t kind, tool, access, self, number;
	char path[5000]; /* or a name */
	struct bh_net_question net;
	struct command args, env;
	uint8_t sha256[32];
	bool content_known;
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

/* A host name near to one of the policy's. */
static inline void random_name_question(const struct subject *s, struct question *q)
{
	static const char *const labels[] = { "a", "evil", "x-y", "a.b", "", "deep.er" };
	const struct bh_rule *rule = random_rule(s, BH_RULE_NET);
	const char *host = rule->class == BH_RULE_NET && rule->host ? rule->host : "example.org";

	if (s->shipped->blocked_names.count && roll(12) == 0)
		host = s->shipped->blocked_names.items[roll((uint32_t)s->shipped->blocked_names.count)].text;
	if (host[0] == '*')
		snprintf(q->path, sizeof(q->path), "%s%s", roll(8) ? PICK(labels) : "", host + 1);
	else
		snprintf(q->path, sizeof(q->path), "%s%s%s", roll(6) ? "" : PICK(labels), roll(8) ? "" : ".", host);
	if (roll(8) == 0 && q->path[0])
		q->path[roll((uint32_t)strlen(q->path))] = PICK(((const char[]){ 'A', '.', '-', 'm', '\xff', '/' }));
	if (roll(12) == 0)
		strcat(q->path, roll(2) ? "." : ".evil.example");
	if (roll(200) == 0) {
		size_t length = strlen(q->path), to = 245 + roll(20);

		memmove(q->path + to, q->path, length + 1);
		memset(q->path, 'x', to);
	}
	if (strcmp(rule->scope, "*") && roll(4))
		q->tool = bh_compiled_tool_id(s->compiled, rule->scope);
}

/* What a resolver could say: an address of one of the lists, or any. */
static inline void random_answer(const struct subject *s, struct question *q)
{
	static const char *const addresses[] = { "10.1.2.3",	"93.184.216.34", "127.0.0.1", "169.254.169.254",
						 "192.168.0.1", "100.64.0.1",	 "224.0.0.1", "8.8.8.8" };
	static const char *const longer[] = { "2606:2800::1", "fd00::1",     "::1",
					      "fe80::1",      "2001:db8::1", "64:ff9b::a01:203" };
	const struct bh_rule *rule = random_rule(s, BH_RULE_NET);

	memset(&q->net, 0, sizeof(q->net));
	q->net.family = roll(2) ? 4 : 6;
	if (rule->class == BH_RULE_NET && rule->resolves_to.count && roll(2)) {
		const struct bh_cidr *cidr = &rule->resolves_to.items[roll((uint32_t)rule->resolves_to.count)];

		q->net.family = cidr->family;
		memcpy(q->net.address.bytes, cidr->bytes, 16);
		q->net.address.bytes[cidr->family == 4 ? 3 : 15] |= (uint8_t)roll(256);
	} else if (q->net.family == 4) {
		inet_pton(AF_INET, PICK(addresses), q->net.address.bytes);
	} else {
		inet_pton(AF_INET6, PICK(longer), q->net.address.bytes);
	}
	for (uint32_t i = roll(3); i > 0; i--)
		q->net.address.bytes[roll(q->net.family == 4 ? 4 : 16)] ^= (uint8_t)(1 << roll(8));
	if (q->net.family == 4 && roll(4) == 0) {
		random_disguise(&q->net.address);
		q->net.family = 6;
	}
}

/* An exec by one of the policy's edges, with what it asks for, or nearly. */
static inline void random_run(const struct subject *s, struct question *q)
{
	const struct bh_rule *rule = random_rule(s, BH_RULE_EXEC);

	if (!strcmp(rule->scope, "@attach"))
		q->tool = BH_TOOL_ATTACH;
	else if (!strcmp(rule->scope, "@entry"))
		q->tool = BH_TOOL_NONE;
	else if (strcmp(rule->scope, "*"))
		q->tool = bh_compiled_tool_id(s->compiled, rule->scope);
	if (roll(8) || !rule->path)
		snprintf(q->path, sizeof(q->path), "%s", rule->path ? rule->path : "/");
	else
		random_path(rule->path, q->path);
	q->args.count = 0;
	command_close(&q->args, false);
	if (rule->args_count && roll(16))
		command_random(&q->args, &rule->args[roll((uint32_t)rule->args_count)], roll);
	command_random_env(&q->env, rule->env, roll);
	q->content_known = roll(2);
	for (size_t i = 0; i < 32 && q->content_known; i++) {
		unsigned int byte = 0;

		if (rule->sha256)
			sscanf(rule->sha256 + 2 * i, "%2x", &byte);
		q->sha256[i] = (uint8_t)byte;
	}
	if (roll(8) == 0)
		q->sha256[roll(32)] ^= 1;
}

static inline void random_socket_question(const struct subject *s, struct question *q)
{
	const struct bh_rule *rule = random_rule(s, BH_RULE_UNIX);
	const char *name = rule->class == BH_RULE_UNIX || roll(2) ? rule->path : "/tmp/x";

	if (strcmp(rule->scope, "*") && rule->scope[0] != '@' && roll(4))
		q->tool = bh_compiled_tool_id(s->compiled, rule->scope);
	random_path(name ? name : "/", q->path);
	if (q->kind == BH_ASK_ABSTRACT && name && roll(2))
		snprintf(q->path, sizeof(q->path), "%s", name);
}

static inline void random_number(const struct subject *s, struct question *q)
{
	const struct bh_rule *rule = random_rule(s, BH_RULE_LISTEN);

	q->number = roll(70);
	q->net.port = (uint16_t)roll(65536);
	q->net.protocol = roll(2) ? IPPROTO_TCP : IPPROTO_UDP;
	if (rule->class != BH_RULE_LISTEN)
		return;
	q->net.port = (uint16_t)(rule->port_low + (roll(4) ? 0 : roll(3) - 1));
	q->net.protocol = roll(8) ? rule->protocol : q->net.protocol;
	if (roll(4))
		q->tool = bh_compiled_tool_id(s->compiled, rule->scope);
}

/* Every kind that all engines answer. */
static const uint32_t all_kinds[] = { BH_KIND_FILE_OPEN,   BH_KIND_EXEC,       BH_KIND_EXEC_ARGS, BH_KIND_EXEC_ARGS,
				      BH_KIND_FILE_RENAME, BH_KIND_MMAP_EXEC,  BH_KIND_CONNECT,	  BH_KIND_UNIX_CONNECT,
				      BH_ASK_HOST,	   BH_ASK_DNS,	       BH_ASK_ANSWER,	  BH_ASK_LISTEN,
				      BH_ASK_ABSTRACT,	   BH_ASK_UNIX_LISTEN, BH_ASK_PRIVILEGE,  BH_ASK_CAPABILITY,
				      BH_ASK_JIT };
#define ALL_KINDS (sizeof(all_kinds) / sizeof(all_kinds[0]))
#define KIND_NUMBERS 256u

static inline void random_question(const struct subject *s, uint32_t kind, struct question *q)
{
	static const uint32_t strange[] = { 0, 5, 32, 33, 63, 64, 65, 255, 256, BH_TOOL_ATTACH };

	q->kind = kind;
	q->tool = roll(20) ? 1 + roll(bh_compiled_tables(s->compiled)->head.tools) : PICK(strange);
	q->access = 1 + roll(3);
	q->self = roll(2) ? 1 + roll(300) : 0;
	q->number = 0;
	q->content_known = false;
	q->args.block.length = q->env.block.length = 0;
	memset(&q->net, 0, sizeof(q->net));
	memset(q->sha256, 0, sizeof(q->sha256));
	q->path[0] = '\0';
	switch (kind) {
	case BH_KIND_CONNECT:
		random_net_question(s, q);
		break;
	case BH_KIND_EXEC_ARGS:
		random_run(s, q);
		break;
	case BH_ASK_HOST:
	case BH_ASK_DNS:
		random_net_question(s, q);
		random_name_question(s, q);
		break;
	case BH_ASK_ANSWER:
		random_name_question(s, q);
		random_answer(s, q);
		break;
	case BH_KIND_UNIX_CONNECT:
	case BH_ASK_UNIX_LISTEN:
	case BH_ASK_ABSTRACT:
		random_socket_question(s, q);
		break;
	case BH_ASK_LISTEN:
	case BH_ASK_PRIVILEGE:
	case BH_ASK_CAPABILITY:
	case BH_ASK_JIT:
		random_number(s, q);
		break;
	default:
		random_path_question(s, q);
		break;
	}
}

/* The question as the engines are asked it. */
static inline struct bh_question question_of(const struct question *q)
{
	struct bh_question question = { .kind = q->kind,
					.tool = q->tool,
					.access = q->access,
					.self = q->self,
					.args_length = (uint32_t)q->args.block.length,
					.env_length = (uint32_t)q->env.block.length,
					.port = q->net.port,
					.family = q->net.family,
					.protocol = q->net.protocol,
					.number = q->number,
					.content_known = q->content_known };

	memcpy(question.address, q->net.address.bytes, sizeof(question.address));
	memcpy(question.sha256, q->sha256, sizeof(question.sha256));
	return question;
}

static inline struct bh_asked texts_of(const struct question *q)
{
	return (struct bh_asked){ .text = q->path, .args = q->args.bytes, .env = q->env.bytes };
}

static inline bool same_answer(const struct bh_question *a, const struct bh_question *b)
{
	return a->reason == b->reason && a->to == b->to && a->rule == b->rule;
}

#endif
