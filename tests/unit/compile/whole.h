/* SPDX-License-Identifier: GPL-2.0-only */
/* Fills every field of a model at random. What it makes lives until whole_begin is called again. */
#ifndef TESTS_UNIT_COMPILE_WHOLE_H
#define TESTS_UNIT_COMPILE_WHOLE_H

#include "compile/names.h"
#include "tests/unit/compile/build.h"

static uint64_t whole_seed = 0x9e3779b97f4a7c15u;
static _Alignas(16) uint8_t whole_memory[1u << 21];
static size_t whole_used;

static inline void whole_begin(void)
{
	memset(whole_memory, 0, whole_used);
	whole_used = 0;
}

static inline unsigned int whole_roll(unsigned int below)
{
	whole_seed ^= whole_seed << 13;
	whole_seed ^= whole_seed >> 7;
	whole_seed ^= whole_seed << 17;
	return (unsigned int)(whole_seed >> 33) % below;
}

static inline void *whole_array(size_t count, size_t size)
{
	void *at = whole_memory + whole_used;

	whole_used += (count * size + 15) / 16 * 16;
	assert_true(whole_used <= sizeof(whole_memory));
	return at;
}

/* One of the texts. */
#define WHOLE_ONE(texts) (texts)[whole_roll(sizeof(texts) / sizeof((texts)[0]))]

static inline struct bh_words whole_words(const char *const *texts, unsigned int count, unsigned int most)
{
	struct bh_words words = { whole_array(most + 1, sizeof(*words.items)), whole_roll(most + 1) };

	for (size_t i = 0; i < words.count; i++)
		words.items[i] = build_word(texts[whole_roll(count)]);
	return words;
}
#define WHOLE_WORDS(texts, most) whole_words(texts, sizeof(texts) / sizeof((texts)[0]), most)

static const char *const whole_args[] = { "",	 "-",	 "--",	"a",	    "a ",  "a\"",
					  "a\\", "-n:1", "x=y", "--long=1", "b c", "~^%" };
static const char *const whole_paths[] = { "/run/a", "/run/b/*", "/srv/c/**", "/tmp/?", "/a b/c" };
static const char *const whole_cidrs[] = { "10.1.0.0",	   "10.9.8.0",	 "192.0.2.0",
					   "198.51.100.0", "2001:db8::", "2001:db8:1::" };

static inline void whole_clause(struct bh_args_clause *clause)
{
	static const char *const firsts[] = { "a", "a ", "a\"", "-", "x=y" };
	static const char *const options[] = { "-a", "-n:1", "--long", "--x-y:1" };

	*clause = (struct bh_args_clause){ .kind = (uint8_t)(1 + whole_roll(3)), .loc = { 1 + whole_roll(99), 1, 1 } };
	if (clause->kind == BH_ARGS_EXACT) {
		clause->exact = WHOLE_WORDS(whole_args, 4);
	} else if (clause->kind == BH_ARGS_WORDS) {
		clause->operands = (uint8_t)(1 + whole_roll(3));
		clause->first = WHOLE_WORDS(firsts, 4);
		clause->options = WHOLE_WORDS(options, 4);
	} else {
		clause->require = WHOLE_WORDS(firsts, 3);
		clause->refuse = WHOLE_WORDS(options, 3);
	}
}

static inline struct bh_pairs whole_pairs(const char *const *words, size_t count, const char *value)
{
	struct bh_pairs pairs = { whole_array(count + 1, sizeof(*pairs.items)), 0 };

	for (size_t i = 0; i < count; i++)
		if (whole_roll(2)) {
			struct bh_pair *pair = &pairs.items[pairs.count++];

			pair->word = build_word(words[i]);
			if (value && whole_roll(3))
				pair->value = build_word(value);
		}
	return pairs;
}
#define WHOLE_PAIRS(words, value) whole_pairs(words, sizeof(words) / sizeof((words)[0]), value)

static inline void whole_env(struct bh_env *env)
{
	static const char *const names[] = { "HOME", "LC_*", "PATH", "a", "_" };
	static const char *const required[] = { "HOME", "PATH", "a", "_" };

	env->given = whole_roll(2);
	env->keep = WHOLE_WORDS(names, 4);
	env->require = WHOLE_PAIRS(required, "C:\\\"x\"");
	for (size_t i = 0; i < env->require.count; i++)
		if (!env->require.items[i].value.text)
			env->require.items[i].value = build_word("");
}

static inline struct bh_cidrs whole_blocks(unsigned int most, bool addresses)
{
	struct bh_cidrs cidrs = { whole_array(most + 1, sizeof(*cidrs.items)), whole_roll(most + 1) };

	for (size_t i = 0; i < cidrs.count; i++) {
		const char *text = WHOLE_ONE(whole_cidrs);

		cidrs.items[i] = build_cidr(text, strchr(text, ':') ? addresses ? 128 : 48 : addresses ? 32 : 24);
	}
	return cidrs;
}

static inline struct bh_port_ranges whole_ports(unsigned int most, bool listen)
{
	struct bh_port_ranges ports = { whole_array(most + 1, sizeof(*ports.items)), 1 + whole_roll(most) };

	for (size_t i = 0; i < ports.count; i++) {
		ports.items[i].low = (uint16_t)(1 + whole_roll(9));
		ports.items[i].high = (uint16_t)(ports.items[i].low + (listen ? 0 : whole_roll(3)));
		if (listen)
			ports.items[i].protocol = whole_roll(2) ? IPPROTO_TCP : IPPROTO_UDP;
	}
	return ports;
}

static inline struct bh_unix whole_unix(void)
{
	struct bh_unix sockets = { .given = whole_roll(2) };

	sockets.connect = WHOLE_WORDS(whole_paths, 3);
	sockets.listen = WHOLE_WORDS(whole_paths, 2);
	sockets.abstract = whole_words(whole_args + 1, 11, 2);
	return sockets;
}

static inline void whole_respond(uint8_t respond[BH_CLASSES], bool all)
{
	static const uint8_t responses[] = { BH_RESPOND_DENY, BH_RESPOND_KILL, BH_RESPOND_FREEZE };

	for (unsigned int i = 1; i < BH_CLASSES; i++) {
		respond[i] = all || whole_roll(3) == 0 ? WHOLE_ONE(responses) : 0;
		if (i == BH_CLASS_ARGS && respond[i] == BH_RESPOND_DENY)
			respond[i] = BH_RESPOND_TASK;
	}
}

/* What a tool may say beside its edges, files and destinations. */
static inline void whole_tool(struct bh_tool *tool)
{
	static const char hash[] = "5f2b0a9c3d8e47f1a6b2c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f70819";
	static const char *const loads[] = { "/opt/lib/**", "/srv/x.so", "/usr/lib/*.node" };

	for (size_t i = 0; i < tool->binaries.count; i++)
		if (whole_roll(2))
			tool->binaries.items[i].value = build_word(hash);
	tool->args_given = whole_roll(2);
	tool->args_count = tool->args_given ? whole_roll(4) : 0;
	tool->args = whole_array(tool->args_count + 1, sizeof(*tool->args));
	for (size_t i = 0; i < tool->args_count; i++)
		whole_clause(&tool->args[i]);
	whole_env(&tool->env);
	tool->load_given = whole_roll(2);
	if (tool->load_given)
		tool->load = WHOLE_PAIRS(loads, "native \"addons\"");
	if (whole_roll(2))
		tool->listen = whole_ports(3, true);
	tool->unix_sockets = whole_unix();
	whole_respond(tool->respond, false);
	tool->procfs = whole_roll(4) ? 0 : (uint8_t)(1 + whole_roll(2));
	tool->jit = whole_roll(2);
	tool->runs_code = whole_roll(2);
}

static inline void whole_destination(struct bh_destination *destination, const char *name)
{
	static const char *const hosts[] = { "a.example", "b.example", "*.c.example", "d.test" };
	static const uint8_t protocols[] = { IPPROTO_TCP, IPPROTO_TCP, IPPROTO_UDP, IPPROTO_ICMP };

	*destination = (struct bh_destination){ .name = build_word(name), .protocol = WHOLE_ONE(protocols) };
	if (whole_roll(2)) {
		destination->hosts = whole_words(hosts, 4, 3);
		if (!destination->hosts.count)
			destination->hosts = build_words("e.example");
		destination->resolves_to = whole_blocks(2, false);
		destination->sni = destination->protocol == IPPROTO_TCP && whole_roll(2);
	} else {
		destination->cidrs = whole_blocks(4, false);
	}
	if (destination->protocol != IPPROTO_ICMP)
		destination->ports = whole_ports(3, false);
}

static inline void whole_select(struct bh_select *select)
{
	static const char *const values[] = { "coder", "/a.slice/b-*", "x=y", "a \"b\"" };

	select->given = whole_roll(2);
	select->priority = whole_roll(1001);
	select->count = whole_roll(4);
	select->any = whole_array(select->count + 1, sizeof(*select->any));
	for (size_t i = 0; i < select->count; i++) {
		select->any[i].count = 1 + whole_roll(4);
		select->any[i].terms = whole_array(select->any[i].count, sizeof(struct bh_select_term));
		for (size_t k = 0; k < select->any[i].count; k++) {
			struct bh_select_term *term = &select->any[i].terms[k];

			term->field = (uint8_t)(1 + whole_roll(11));
			if (bh_select_has_label(bh_name_text(bh_names_select, term->field)))
				term->label = build_word("app");
			term->value = build_word(WHOLE_ONE(values));
		}
	}
}

static inline void whole_resources(struct bh_resources *resources, const char *tool)
{
	resources->given = whole_roll(2);
	for (unsigned int cap = 1; cap < BH_CAPS; cap++)
		resources->caps[cap] =
			(struct bh_limit){ .given = whole_roll(2), .value = whole_roll(1u << 30) * 7ull };
	if (whole_roll(2))
		resources->disk_path = build_word("/var/tmp/x");
	resources->thresholds_count = whole_roll(4);
	resources->thresholds = whole_array(resources->thresholds_count + 1, sizeof(*resources->thresholds));
	for (size_t i = 0; i < resources->thresholds_count; i++) {
		struct bh_threshold *it = &resources->thresholds[i];
		unsigned int signals = 0;

		while (bh_names_signals[signals].text)
			signals++;
		it->signal = (uint16_t)bh_names_signals[whole_roll(signals)].number;
		it->over = whole_roll(1u << 30) * 1024ull;
		it->window_ms = whole_roll(2) ? 60000 : 0;
		it->for_ms = whole_roll(30000);
		it->respond = BH_RESPOND_ALERT;
		if (whole_roll(2))
			it->tool = build_word(tool);
	}
}

/* Everything that is not of a tool or a destination. */
static inline void whole_policy(struct bh_source_policy *policy)
{
	static const char *const capabilities[] = { "CAP_NET_BIND_SERVICE", "CAP_CHOWN" };
	static const char *const operations[] = { "namespaces", "ptrace", "netlink" };
	static const char *const workspaces[] = { "/work", "/srv/tree" };
	static const uint8_t modes[] = { BH_MODE_ENFORCE, BH_MODE_OBSERVE, BH_MODE_GRACE };
	const char *tools[4];

	for (size_t i = 0; i < policy->tools_count; i++)
		tools[i] = policy->tools[i].name.text;
	policy->mode = WHOLE_ONE(modes);
	policy->grace_until = policy->mode == BH_MODE_GRACE ? 1800000000 + whole_roll(1000000) : 0;
	for (unsigned int i = 1; i < BH_CLASSES; i++)
		policy->modes[i] = whole_roll(5) ? 0 : BH_MODE_OBSERVE;
	whole_select(&policy->select);
	policy->attach = whole_words(tools, (unsigned int)policy->tools_count, 2);
	policy->workspaces = WHOLE_WORDS(workspaces, 2);
	whole_respond(policy->respond, true);
	policy->never_reach = whole_blocks(2, false);
	policy->dns = (struct bh_dns){ .names = (uint8_t)(1 + whole_roll(3)), .resolvers = whole_blocks(2, true) };
	if (whole_roll(2))
		policy->dns.reason = build_word("it \\ is");
	policy->unix_sockets = whole_unix();
	policy->privileges.given = whole_roll(2);
	if (policy->privileges.given) {
		policy->privileges.capabilities = WHOLE_WORDS(capabilities, 3);
		policy->privileges.allow = WHOLE_PAIRS(operations, "a renderer");
	}
	whole_resources(&policy->resources, tools[0]);
	policy->procfs = (uint8_t)(whole_roll(4) ? BH_PROCFS_OWN : BH_PROCFS_NONE);
}

#endif
