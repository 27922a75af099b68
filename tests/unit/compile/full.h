/* SPDX-License-Identifier: GPL-2.0-only */
/* A policy by hand that uses every part of the language once. */
#ifndef TESTS_UNIT_COMPILE_FULL_H
#define TESTS_UNIT_COMPILE_FULL_H

#include "tests/unit/compile/build.h"

static inline struct bh_pairs full_pair(const char *word, const char *value)
{
	static struct bh_pair pool[16];
	static size_t used;
	struct bh_pairs pairs = { &pool[used], 1 };

	pool[used++] = (struct bh_pair){ build_word(word), { .text = (char *)(uintptr_t)value } };
	return pairs;
}

static inline void full_tools(struct bh_tool tools[2])
{
	static struct bh_args_clause clauses[3];
	static struct bh_port_range listen = { .low = 8080, .high = 8080, .protocol = IPPROTO_TCP };

	tools[0] = build_tool((struct build_tool){
		.name = "one", .binaries = "/b/1", .may_run = "two", .read = "/r/**", .reach = "far near" });
	tools[1] = build_tool((struct build_tool){ .name = "two", .binaries = "/b/2", .write = "/w/**" });
	tools[0].binaries.items[0].value =
		build_word("5f2b0a9c3d8e47f1a6b2c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f70819");
	clauses[0] = (struct bh_args_clause){ .kind = BH_ARGS_EXACT, .exact = build_words("x y") };
	clauses[1] = (struct bh_args_clause){ .kind = BH_ARGS_WORDS,
					      .operands = BH_OPERANDS_WORDS,
					      .first = build_words("push"),
					      .options = build_words("-n:1") };
	clauses[2] =
		(struct bh_args_clause){ .kind = BH_ARGS_ANY, .require = build_words("a"), .refuse = build_words("b") };
	tools[1].args_given = true;
	tools[1].args = clauses;
	tools[1].args_count = 3;
	tools[1].env = (struct bh_env){ .given = true, .keep = build_words("HOME"), .require = full_pair("A", "1") };
	tools[1].load_given = true;
	tools[1].load = full_pair("/l/x.so", "addon");
	tools[1].listen = (struct bh_port_ranges){ &listen, 1 };
	tools[1].procfs = BH_PROCFS_NONE;
	tools[1].respond[BH_CLASS_EXEC] = BH_RESPOND_KILL;
	tools[1].unix_sockets =
		(struct bh_unix){ .given = true, .connect = build_words("/s"), .abstract = build_words("n") };
}

static inline void full_destinations(struct bh_source_policy *policy)
{
	static struct bh_destination destinations[2];
	static struct bh_cidr inside;
	static struct bh_port_range port = { .low = 443, .high = 443 };

	inside = build_cidr("10.0.0.0", 8);
	destinations[0] = (struct bh_destination){ .name = build_word("far"),
						   .hosts = build_words("a.example"),
						   .resolves_to = { &inside, 1 },
						   .ports = { &port, 1 },
						   .protocol = IPPROTO_TCP,
						   .sni = true };
	destinations[1] = (struct bh_destination){ .name = build_word("near"),
						   .cidrs = { &inside, 1 },
						   .protocol = IPPROTO_ICMP };
	policy->destinations = destinations;
	policy->destinations_count = 2;
	policy->never_reach = (struct bh_cidrs){ &inside, 1 };
}

static inline void full_sections(struct bh_source_policy *policy)
{
	static struct bh_select_term term, label;
	static struct bh_select_clause clauses[2];
	static struct bh_cidr resolver;
	static struct bh_threshold threshold;

	policy->mode = BH_MODE_GRACE;
	policy->grace_until = 1800000000;
	policy->modes[BH_CLASS_FILES] = BH_MODE_OBSERVE;
	term = (struct bh_select_term){ .field = BH_SELECT_NAME, .value = build_word("coder") };
	label = (struct bh_select_term){ .field = BH_SELECT_POD_LABEL,
					 .label = build_word("app"),
					 .value = build_word("x") };
	clauses[0] = (struct bh_select_clause){ .terms = &term, .count = 1 };
	clauses[1] = (struct bh_select_clause){ .terms = &label, .count = 1 };
	policy->select = (struct bh_select){ .given = true, .priority = 7, .any = clauses, .count = 2 };
	resolver = build_cidr("10.96.0.10", 32);
	policy->dns = (struct bh_dns){ .names = BH_DNS_LISTED, .resolvers = { &resolver, 1 } };
	policy->privileges = (struct bh_privileges){ .given = true,
						     .capabilities = build_words("CAP_CHOWN"),
						     .allow = full_pair("ptrace", "gdb") };
	threshold = (struct bh_threshold){
		.signal = BH_SIGNAL_network_denied, .over = 20, .window_ms = 60000, .respond = BH_RESPOND_ALERT
	};
	policy->resources = (struct bh_resources){
		.given = true, .disk_path = build_word("/d"), .thresholds = &threshold, .thresholds_count = 1
	};
	policy->attach = build_words("two");
	policy->workspaces = build_words("/w/tree");
}

/* Its one guard is for workspaces. */
static inline struct bh_source_policy full_policy(struct bh_shipped *ret_shipped)
{
	static struct bh_prohibition guard;
	static struct bh_tool tools[2];
	struct bh_source_policy policy;

	guard = (struct bh_prohibition){ build_word("below"), { 0 }, build_words("/.git/**"), true };
	*ret_shipped = (struct bh_shipped){ .guards = &guard, .guards_count = 1 };
	full_tools(tools);
	policy = build_policy(tools, 2);
	full_destinations(&policy);
	full_sections(&policy);
	return policy;
}

#endif
