/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random models in which every field of the language occurs, valid as far as the parser and the compiler ask. All of it
 * is allocated: bh_source_policy_free frees it. Paths of different purpose lie in different trees, so that no rule
 * contradicts another.
 */
#ifndef TESTS_UNIT_POLICY_RANDOM_POLICY_H
#define TESTS_UNIT_POLICY_RANDOM_POLICY_H

#include "tests/unit/policy/random_sandbox.h"

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
