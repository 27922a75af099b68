/* SPDX-License-Identifier: GPL-2.0-only */
/* What a random policy says of its sandboxes: which they are, what they may use, what they may do at all. */
#ifndef TESTS_UNIT_POLICY_RANDOM_SANDBOX_H
#define TESTS_UNIT_POLICY_RANDOM_SANDBOX_H

#include "tests/unit/policy/random_words.h"

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

#endif
