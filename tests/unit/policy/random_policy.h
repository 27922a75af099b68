/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random models in which every field of the language occurs, valid as far as the parser and the compiler ask. All of it
 * is allocated: bh_source_policy_free frees it. Paths of different purpose lie in different trees, so that no rule
 * contradicts another.
 */
#ifndef TESTS_UNIT_POLICY_RANDOM_POLICY_H
#define TESTS_UNIT_POLICY_RANDOM_POLICY_H

#include <netinet/in.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/model.h"

static uint64_t random_seed = 0x9e3779b97f4a7c15u;
static unsigned int random_serial; /* makes words different where they must be */

static inline unsigned int roll(unsigned int below)
{
	random_seed ^= random_seed << 13;
	random_seed ^= random_seed >> 7;
	random_seed ^= random_seed << 17;
	return (unsigned int)(random_seed >> 33) % below;
}

static inline bool chance(unsigned int percent)
{
	return roll(100) < percent;
}

static inline struct bh_word random_word(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline struct bh_word random_word(const char *format, ...)
{
	struct bh_word word = { 0 };
	va_list args;

	va_start(args, format);
	if (vasprintf(&word.text, format, args) < 0)
		abort();
	va_end(args);
	return word;
}

static inline void add_word(struct bh_words *words, struct bh_word word)
{
	words->items = realloc(words->items, (words->count + 1) * sizeof(word));
	if (!words->items)
		abort();
	words->items[words->count++] = word;
}

static inline void add_pair(struct bh_pairs *pairs, struct bh_word word, struct bh_word value)
{
	pairs->items = realloc(pairs->items, (pairs->count + 1) * sizeof(*pairs->items));
	if (!pairs->items)
		abort();
	pairs->items[pairs->count++] = (struct bh_pair){ word, value };
}

/* What a writer may use within a text, with all that could be taken for something else. */
static inline const char *random_text(void)
{
	static const char *const texts[] = {
		"plain",
		"two words",
		"with \"quotes\"",
		"back\\slash",
		"ends with.",
		"ends with,",
		"and",
		"any",
		"#hash",
		"A. B.",
		"It runs code.",
		"\"",
		"\\",
		" ",
		"x=y",
		"100%",
		"a,b",
		"...",
		"Nothing",
		"with priority 7",
	};

	return texts[roll(sizeof(texts) / sizeof(texts[0]))];
}

static inline struct bh_word random_reason(void)
{
	return random_word("%s", random_text());
}

/* A component of a path; no wildcard. */
static inline const char *random_component(void)
{
	static const char *const names[] = { "a",      "b.c", "with blank", "and",     "x,",  "end.", "quo\"te", "#x",
					     "back\\", "any", "It",	    "Nothing", "a=b", ".git", "x-1",	 "[0]" };

	return names[roll(sizeof(names) / sizeof(names[0]))];
}

/* A path beneath the tree, each another one; wild: maybe a pattern. */
static inline struct bh_word random_path(const char *tree, bool wild)
{
	static const char *const patterns[] = { "/*", "/x-?.so", "/**/z", "/**/z/*" };
	unsigned int kind = wild ? roll(4) : 0;
	const char *end = kind == 1 ? "/**" : kind == 2 ? patterns[roll(4)] : kind == 3 ? "/*/**" : "";

	return random_word("%s/%u/%s%s", tree, random_serial++, random_component(), end);
}

static inline struct bh_words random_paths(const char *tree, unsigned int most)
{
	struct bh_words words = { 0 };

	for (unsigned int i = roll(most + 1); i > 0; i--)
		add_word(&words, random_path(tree, true));
	return words;
}

static inline void add_cidr(struct bh_cidrs *cidrs, bool single)
{
	struct bh_cidr cidr = { .family = chance(50) ? 4 : 6 };
	unsigned int serial = random_serial++;

	cidrs->items = realloc(cidrs->items, (cidrs->count + 1) * sizeof(cidr));
	if (!cidrs->items)
		abort();
	if (cidr.family == 4) {
		cidr.prefix = single ? 32 : 24;
		cidr.bytes[0] = 10;
		cidr.bytes[1] = (uint8_t)(serial >> 8);
		cidr.bytes[2] = (uint8_t)serial;
		cidr.bytes[3] = single ? 1 : 0;
	} else {
		cidr.prefix = single ? 128 : 64;
		cidr.bytes[0] = 0xfd;
		cidr.bytes[1] = 0x11;
		cidr.bytes[6] = (uint8_t)(serial >> 8);
		cidr.bytes[7] = (uint8_t)serial;
		cidr.bytes[15] = single ? 1 : 0;
	}
	cidrs->items[cidrs->count++] = cidr;
}

static inline void add_port(struct bh_port_ranges *ports, unsigned int low, unsigned int high, uint8_t protocol)
{
	ports->items = realloc(ports->items, (ports->count + 1) * sizeof(*ports->items));
	if (!ports->items)
		abort();
	ports->items[ports->count++] =
		(struct bh_port_range){ .low = (uint16_t)low, .high = (uint16_t)high, .protocol = protocol };
}

static inline struct bh_destination random_destination(const char *name)
{
	struct bh_destination destination = { .name = random_word("%s", name) };
	static const uint8_t protocols[] = { IPPROTO_TCP, IPPROTO_TCP, IPPROTO_UDP, IPPROTO_ICMP };
	unsigned int port = 1000;
	bool hosts = chance(50);

	destination.protocol = protocols[roll(4)];
	for (unsigned int i = 1 + roll(3); i > 0; i--) {
		if (hosts)
			add_word(&destination.hosts,
				 random_word("%sh%u.example.com", chance(30) ? "*." : "", random_serial++));
		else
			add_cidr(&destination.cidrs, chance(30));
	}
	for (unsigned int i = 1 + roll(3); i > 0 && destination.protocol != IPPROTO_ICMP; i--) {
		unsigned int low = port + 1 + roll(100), high = low + (chance(50) ? roll(10) : 0);

		add_port(&destination.ports, low, high, 0);
		port = high + 1;
	}
	for (unsigned int i = hosts ? roll(3) : 0; i > 0; i--)
		add_cidr(&destination.resolves_to, false);
	destination.sni = hosts && destination.protocol == IPPROTO_TCP && chance(30);
	return destination;
}

/* ---- tools ---- */

static inline void random_clause(struct bh_args_clause *clause)
{
	static const uint8_t kinds[] = { BH_ARGS_EXACT, BH_ARGS_WORDS, BH_ARGS_ANY };
	static const uint8_t operands[] = { BH_OPERANDS_NONE, BH_OPERANDS_WORDS, BH_OPERANDS_ANY };

	clause->kind = kinds[roll(3)];
	switch (clause->kind) {
	case BH_ARGS_EXACT:
		for (unsigned int i = roll(4); i > 0; i--)
			add_word(&clause->exact, random_word("%s", chance(10) ? "" : random_text()));
		break;
	case BH_ARGS_WORDS:
		clause->operands = operands[roll(3)];
		for (unsigned int i = roll(4); i > 0; i--)
			add_word(&clause->first, random_word("sub%u%s", random_serial++, chance(20) ? " x." : ""));
		for (unsigned int i = roll(4); i > 0; i--)
			add_word(&clause->options, random_word("--o%u%s", random_serial++, chance(30) ? ":1" : ""));
		break;
	default:
		for (unsigned int i = roll(3); i > 0; i--)
			add_word(&clause->require, random_word("--r%u=%s", random_serial++, random_text()));
		for (unsigned int i = roll(3); i > 0; i--)
			add_word(&clause->refuse, random_word("--n%u", random_serial++));
	}
}

static inline void random_env(struct bh_env *env)
{
	env->given = chance(50);
	if (!env->given)
		return;
	for (unsigned int i = roll(4); i > 0; i--)
		add_word(&env->keep, random_word("K%u%s", random_serial++, chance(30) ? "_*" : ""));
	for (unsigned int i = roll(3); i > 0; i--)
		add_pair(&env->require, random_word("R%u", random_serial++), random_reason());
}

static inline void random_sockets(struct bh_unix *sockets, unsigned int percent)
{
	sockets->given = chance(percent);
	if (!sockets->given)
		return;
	sockets->connect = random_paths("/srv/connect", 3);
	sockets->listen = random_paths("/srv/listen", 3);
	for (unsigned int i = roll(3); i > 0; i--)
		add_word(&sockets->abstract, random_word("s%u %s", random_serial++, "x"));
}

static inline uint8_t random_response(unsigned int class)
{
	static const uint8_t responses[] = { BH_RESPOND_DENY, BH_RESPOND_KILL, BH_RESPOND_FREEZE };
	uint8_t response = responses[roll(3)];

	return class == BH_CLASS_ARGS && response == BH_RESPOND_DENY ? BH_RESPOND_TASK : response;
}

static inline void random_tool(struct bh_tool *tool, unsigned int number, unsigned int tools)
{
	static const uint8_t procfs[] = { 0, BH_PROCFS_OWN, BH_PROCFS_NONE };

	tool->name = random_word("t%u", number);
	for (unsigned int i = 1 + roll(3); i > 0; i--) {
		struct bh_word hash = { 0 };

		if (chance(30))
			hash = random_word("%064x", random_serial++);
		add_pair(&tool->binaries, random_path("/srv/bin", false), hash);
	}
	tool->args_given = chance(50);
	tool->args_count = tool->args_given ? 1 + roll(3) : 0;
	tool->args = tool->args_count ? calloc(tool->args_count, sizeof(*tool->args)) : NULL;
	for (size_t i = 0; i < tool->args_count; i++)
		random_clause(&tool->args[i]);
	random_env(&tool->env);
	for (unsigned int i = 0; i < tools; i++)
		if (i == number + 1 || chance(20))
			add_word(&tool->may_run, random_word("t%u", i));
	tool->helpers = random_paths("/srv/help", 3);
	tool->read = random_paths("/srv/read", 4);
	tool->write = random_paths("/srv/write", 4);
	tool->load_given = chance(30);
	for (unsigned int i = tool->load_given ? roll(4) : 0; i > 0; i--) {
		struct bh_word none = { 0 };

		add_pair(&tool->load, random_path("/srv/load", true), chance(40) ? random_reason() : none);
	}
	for (unsigned int i = roll(3); i > 0; i--) {
		unsigned int port = 2000 + random_serial++ % 1000;

		add_port(&tool->listen, port, port, chance(50) ? IPPROTO_TCP : IPPROTO_UDP);
	}
	random_sockets(&tool->unix_sockets, 40);
	for (unsigned int class = 1; class < BH_CLASSES; class ++)
		tool->respond[class] = chance(20) ? random_response(class) : 0;
	tool->procfs = procfs[roll(3)];
	tool->jit = chance(30);
	tool->runs_code = chance(30);
}

/* ---- the policy ---- */

static inline void add_term(struct bh_select_clause *clause, unsigned int field, const char *label,
			    struct bh_word value)
{
	clause->terms = realloc(clause->terms, (clause->count + 1) * sizeof(*clause->terms));
	if (!clause->terms)
		abort();
	clause->terms[clause->count] = (struct bh_select_term){ .field = (uint8_t)field, .value = value };
	if (label)
		clause->terms[clause->count].label = random_word("%s", label);
	clause->count++;
}

static inline void random_clause_of_select(struct bh_select_clause *clause)
{
	static const char digits[] = "5f2b0a9c3d8e47f1a6b2c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f70819";
	unsigned int kinds = 1 + roll(31);

	if (kinds & 1)
		add_term(clause, BH_SELECT_NAME, NULL, random_word("coder-%u", random_serial++));
	if (kinds & 2)
		add_term(clause, BH_SELECT_CGROUP, NULL, random_word("/bulkhead.slice/x-%u-*.scope", random_serial++));
	if (kinds & 4)
		add_term(clause, BH_SELECT_UNIT, NULL, random_word("agent%u@*.service", random_serial++));
	if (kinds & 8) {
		add_term(clause, BH_SELECT_CONTAINER_LABEL, "com.example.role", random_word("%s", "browser"));
		if (chance(50))
			add_term(clause, BH_SELECT_CONTAINER_LABEL, "tier", random_word("%s", "two words"));
		if (chance(50))
			add_term(clause, BH_SELECT_IMAGE, NULL, random_word("ghcr.io/acme/coder-%u", random_serial++));
		if (chance(50))
			add_term(clause, BH_SELECT_DIGEST, NULL, random_word("sha256:%s", digits));
		if (chance(50))
			add_term(clause, BH_SELECT_RUNTIME_CLASS, NULL, random_word("kata"));
	}
	if (kinds & 16) {
		for (unsigned int i = 1 + roll(3); i > 0; i--)
			add_term(clause, BH_SELECT_NAMESPACE, NULL, random_word("ns-%u", i));
		if (chance(50))
			add_term(clause, BH_SELECT_POD_LABEL, "app", random_word("coder"));
		for (unsigned int i = roll(3); i > 0; i--)
			add_term(clause, BH_SELECT_POD_CONTAINER, NULL, random_word("c-%u", i));
		for (unsigned int i = roll(3); i > 0; i--)
			add_term(clause, BH_SELECT_SERVICE_ACCOUNT, NULL, random_word("sa-%u", i));
	}
}

static inline void random_select(struct bh_select *select)
{
	select->given = chance(60);
	select->priority = 100;
	if (!select->given)
		return;
	select->priority = roll(1001);
	select->count = 1 + roll(3);
	select->any = calloc(select->count, sizeof(*select->any));
	for (size_t i = 0; i < select->count; i++)
		random_clause_of_select(&select->any[i]);
}

static inline void random_caps(struct bh_resources *resources)
{
	static const uint64_t values[BH_CAPS] = {
		[BH_CAP_MEMORY] = UINT64_C(3) << 30,
		[BH_CAP_SWAP] = UINT64_C(512) << 20,
		[BH_CAP_PIDS] = 77,
		[BH_CAP_CPU] = 1250,
		[BH_CAP_IO_READ] = UINT64_C(5) << 20,
		[BH_CAP_IO_WRITE] = 4097,
		[BH_CAP_DISK] = UINT64_C(10) << 30,
		[BH_CAP_WALL] = 90,
		[BH_CAP_OPEN_FILES] = 1024,
	};

	for (unsigned int cap = 1; cap < BH_CAPS; cap++) {
		if (cap != BH_CAP_MEMORY && cap != BH_CAP_PIDS && chance(50))
			continue;
		resources->caps[cap].given = true;
		resources->caps[cap].value = values[cap];
		if (cap == BH_CAP_SWAP && chance(50))
			resources->caps[cap].value = 0;
		if (cap == BH_CAP_CPU && chance(50))
			resources->caps[cap].value = 1000;
	}
	if (resources->caps[BH_CAP_DISK].given)
		resources->disk_path = random_path("/srv/disk", false);
}

/* A signal of one of the kinds: percent, count, rate, rate of bytes, bits. number: no two may ask the same. */
static inline struct bh_threshold random_threshold(unsigned int tools, uint32_t number)
{
	static const struct {
		uint16_t signal;
		uint64_t over;
		bool rate;
	} kinds[] = {
		{ BH_SIGNAL_resource_memory_pct, 90, false },
		{ BH_SIGNAL_behavioral_child_depth, 12, false },
		{ BH_SIGNAL_resource_fork_rate, 200, true },
		{ BH_SIGNAL_network_bytes_out, UINT64_C(200) << 20, true },
		{ BH_SIGNAL_network_dns_label_entropy, 425, false },
	};
	static const uint32_t windows[] = { 1000, 60000, 3600000 }, durations[] = { 500, 1000, 30000, 900000, 3600000 };
	static const uint8_t responses[] = { BH_RESPOND_ALERT, BH_RESPOND_FREEZE, BH_RESPOND_KILL };
	unsigned int kind = roll(5);
	struct bh_threshold threshold = {
		.signal = kinds[kind].signal,
		.over = kinds[kind].over,
		.window_ms = kinds[kind].rate ? windows[roll(3)] : 0,
		.for_ms = number * durations[roll(5)],
		.respond = responses[roll(3)],
	};

	if (chance(30))
		threshold.tool = random_word("t%u", roll(tools));
	return threshold;
}

static inline void random_resources(struct bh_resources *resources, unsigned int tools)
{
	resources->given = chance(60);
	if (!resources->given)
		return;
	random_caps(resources);
	resources->thresholds_count = roll(4);
	resources->thresholds = calloc(resources->thresholds_count + 1, sizeof(*resources->thresholds));
	for (size_t i = 0; i < resources->thresholds_count; i++)
		resources->thresholds[i] = random_threshold(tools, (uint32_t)i);
}

static inline void random_privileges(struct bh_privileges *privileges)
{
	static const char *const capabilities[] = { "CAP_NET_BIND_SERVICE", "CAP_CHOWN", "CAP_KILL" };
	static const char *const operations[] = { "namespaces", "mount", "ptrace", "io-uring" };

	privileges->given = chance(50);
	for (size_t i = 0; privileges->given && i < 3; i++)
		if (chance(30))
			add_word(&privileges->capabilities, random_word("%s", capabilities[i]));
	for (size_t i = 0; privileges->given && i < 4; i++)
		if (chance(30))
			add_pair(&privileges->allow, random_word("%s", operations[i]), random_reason());
}

static inline void random_dns(struct bh_dns *dns)
{
	static const uint8_t names[] = { BH_DNS_NONE, BH_DNS_LISTED, BH_DNS_ANY };

	dns->names = names[roll(3)];
	if (dns->names == BH_DNS_NONE)
		return;
	for (unsigned int i = 1 + roll(2); i > 0; i--)
		add_cidr(&dns->resolvers, true);
	if (dns->names == BH_DNS_ANY)
		dns->reason = random_reason();
}

/* Each destination, reached by none, one or several tools. */
static inline void random_destinations(struct bh_source_policy *policy)
{
	static const char *const names[] = { "registry", "destination-1", "destination-7", "and", "any" };

	policy->destinations_count = roll(6);
	policy->destinations = calloc(policy->destinations_count + 1, sizeof(*policy->destinations));
	for (size_t i = 0; i < policy->destinations_count; i++) {
		policy->destinations[i] = random_destination(names[i]);
		for (size_t k = 0; k < policy->tools_count; k++)
			if (chance(40))
				add_word(&policy->tools[k].reach, random_word("%s", names[i]));
	}
}

static inline void random_modes(struct bh_source_policy *policy)
{
	static const uint8_t modes[] = { BH_MODE_ENFORCE, BH_MODE_OBSERVE, BH_MODE_GRACE };

	policy->mode = modes[roll(3)];
	if (policy->mode == BH_MODE_GRACE)
		policy->grace_until = 1800000000 + roll(1000000);
	/* exec, network and privileges are always enforced where the policy is */
	if (chance(30))
		policy->modes[BH_CLASS_FILES] = BH_MODE_OBSERVE;
	for (unsigned int class = 1; class < BH_CLASSES; class ++)
		policy->respond[class] = random_response(class);
}

static inline void random_exceptions(struct bh_source_policy *policy)
{
	static const char *const guards[] = { "ssh-keys", "shell-history" };

	policy->lifts = calloc(2, sizeof(*policy->lifts));
	for (size_t i = 0; i < 2; i++)
		if (chance(30))
			policy->lifts[policy->lifts_count++] =
				(struct bh_lift){ random_word("%s", guards[i]), random_reason() };
	if (policy->lifts_count == 0 || chance(50))
		return;
	policy->acceptances = calloc(1, sizeof(*policy->acceptances));
	policy->acceptances[policy->acceptances_count++] = (struct bh_acceptance){ .code = random_word("W150"),
										   .at = random_word("guards[0].lift"),
										   .reason = random_reason() };
}

static inline struct bh_source_policy *random_policy(void)
{
	struct bh_source_policy *policy = calloc(1, sizeof(*policy));

	if (!policy)
		abort();
	random_serial = 0;
	policy->name = random_word("sample-%u", roll(100));
	if (chance(30))
		policy->description = random_reason();
	if (chance(30))
		policy->owner = random_reason();
	if (chance(30))
		policy->ticket = random_reason();
	random_select(&policy->select);
	random_modes(policy);
	policy->tools_count = 1 + roll(4);
	policy->tools = calloc(policy->tools_count, sizeof(*policy->tools));
	policy->entry = random_word("t0");
	for (size_t i = 0; i < policy->tools_count; i++) {
		random_tool(&policy->tools[i], (unsigned int)i, (unsigned int)policy->tools_count);
		if (chance(20))
			add_word(&policy->attach, random_word("t%zu", i));
	}
	if (chance(60))
		add_word(&policy->presets, random_word("base"));
	if (chance(30))
		add_word(&policy->workspaces, random_path("/srv/write", false));
	random_destinations(policy);
	policy->never_read = random_paths("/srv/never", 2);
	policy->never_write = random_paths("/srv/never", 2);
	policy->never_run = random_paths("/srv/never", 2);
	for (unsigned int i = roll(3); i > 0; i--)
		add_cidr(&policy->never_reach, false);
	random_dns(&policy->dns);
	random_sockets(&policy->unix_sockets, 30);
	random_privileges(&policy->privileges);
	random_resources(&policy->resources, (unsigned int)policy->tools_count);
	policy->procfs = chance(20) ? BH_PROCFS_NONE : BH_PROCFS_OWN;
	random_exceptions(policy);
	return policy;
}

#endif
