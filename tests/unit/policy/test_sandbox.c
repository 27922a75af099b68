/* SPDX-License-Identifier: GPL-2.0-only */
/* What the keys of a whole sandbox become in the model. The wording of findings is in test_messages.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <linux/capability.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "policy/catalogue.h"
#include "tests/unit/policy/valid.h"

#define TOOLS                                                                                                          \
	"  entry: a\n"                                                                                                 \
	"  tools: {a: {binaries: [/usr/bin/a]}, b: {binaries: [/usr/bin/b], procfs: none}}\n"

static void expect_term(const struct bh_select_clause *clause, size_t index, unsigned int field, const char *label,
			const char *value)
{
	const struct bh_select_term *term = &clause->terms[index];

	assert_true(index < clause->count);
	assert_int_equal(term->field, field);
	assert_string_equal(term->value.text, value);
	if (label)
		assert_string_equal(term->label.text, label);
	else
		assert_null(term->label.text);
}

static void selectors_arrive(void **state)
{
	struct bh_source_policy *policy = parse_valid(
		HEAD
		"spec:\n"
		"  select:\n"
		"    priority: 7\n"
		"    any:\n"
		"      - kubernetes: {namespaces: [x, y], podLabels: {app: coder}, containers: [c], serviceAccounts: [s]}\n"
		"      - {name: coder, cgroup: /a.slice/*.scope}\n"
		"      - systemd: {unit: agent@*.service}\n"
		"      - container: {labels: {k: ''}, image: ghcr.io/x, runtimeClass: kata}\n" TOOLS);
	const struct bh_select *select = &policy->select;

	assert_true(select->given);
	assert_int_equal(select->priority, 7);
	assert_int_equal(select->count, 4);
	assert_int_equal(select->any[0].loc.line, 8);
	assert_int_equal(select->any[0].count, 5);
	expect_term(&select->any[0], 0, BH_SELECT_NAMESPACE, NULL, "x");
	expect_term(&select->any[0], 1, BH_SELECT_NAMESPACE, NULL, "y");
	expect_term(&select->any[0], 2, BH_SELECT_POD_LABEL, "app", "coder");
	expect_term(&select->any[0], 3, BH_SELECT_POD_CONTAINER, NULL, "c");
	expect_term(&select->any[0], 4, BH_SELECT_SERVICE_ACCOUNT, NULL, "s");
	expect_term(&select->any[1], 0, BH_SELECT_NAME, NULL, "coder");
	expect_term(&select->any[1], 1, BH_SELECT_CGROUP, NULL, "/a.slice/*.scope");
	expect_term(&select->any[2], 0, BH_SELECT_UNIT, NULL, "agent@*.service");
	expect_term(&select->any[3], 0, BH_SELECT_CONTAINER_LABEL, "k", "");
	expect_term(&select->any[3], 1, BH_SELECT_IMAGE, NULL, "ghcr.io/x");
	expect_term(&select->any[3], 2, BH_SELECT_RUNTIME_CLASS, NULL, "kata");
	bh_source_policy_free(policy);
}

static void every_cap_arrives_in_its_unit(void **state)
{
	struct bh_source_policy *policy = parse_valid(
		HEAD "spec:\n"
		     "  resources:\n"
		     "    caps: {memory: 4Gi, swap: 1Mi, pids: '99', cpu: '0.5', io: {read: 1Mi, write: 2Mi}, "
		     "disk: {path: /d, size: 1Gi}, wall: 15m, open_files: '64'}\n" TOOLS);
	static const uint64_t wanted[BH_CAPS] = {
		[BH_CAP_MEMORY] = UINT64_C(4) << 30,
		[BH_CAP_SWAP] = 1 << 20,
		[BH_CAP_PIDS] = 99,
		[BH_CAP_CPU] = 500,
		[BH_CAP_IO_READ] = 1 << 20,
		[BH_CAP_IO_WRITE] = 2 << 20,
		[BH_CAP_DISK] = 1 << 30,
		[BH_CAP_WALL] = 15 * 60UL,
		[BH_CAP_OPEN_FILES] = 64,
	};

	assert_true(policy->resources.given);
	for (unsigned int i = 1; i < BH_CAPS; i++) {
		assert_true(policy->resources.caps[i].given);
		assert_int_equal(policy->resources.caps[i].value, wanted[i]);
		assert_int_equal(policy->resources.caps[i].loc.line, 6);
	}
	assert_string_equal(policy->resources.disk_path.text, "/d");
	bh_source_policy_free(policy);
}

static void what_is_not_said_is_safe(void **state)
{
	struct bh_source_policy *policy = parse_valid(HEAD "spec:\n" TOOLS);

	assert_false(policy->resources.given);
	for (unsigned int i = 1; i < BH_CAPS; i++) {
		assert_false(policy->resources.caps[i].given);
		assert_int_equal(policy->resources.caps[i].value, bh_caps[i].standard);
	}
	assert_true(policy->resources.caps[BH_CAP_MEMORY].value < BH_UNLIMITED);
	assert_true(policy->resources.caps[BH_CAP_PIDS].value < BH_UNLIMITED);
	assert_int_equal(policy->resources.caps[BH_CAP_SWAP].value, 0);
	assert_int_equal(policy->dns.names, BH_DNS_NONE);
	assert_int_equal(policy->procfs, BH_PROCFS_OWN);
	assert_int_equal(policy->select.priority, 100);
	assert_false(policy->select.given);
	assert_false(policy->privileges.given);
	assert_false(policy->unix_sockets.given);
	assert_int_equal(policy->attach.count, 0);
	assert_int_equal(policy->modes[BH_CLASS_FILES], 0);
	assert_int_equal(policy->respond[BH_CLASS_ARGS], BH_RESPOND_TASK);
	bh_source_policy_free(policy);
}

static void expect_threshold(const struct bh_threshold *threshold, unsigned int signal, uint64_t over,
			     uint32_t window_ms, uint32_t for_ms, unsigned int respond)
{
	assert_int_equal(threshold->signal, signal);
	assert_int_equal(threshold->over, over);
	assert_int_equal(threshold->window_ms, window_ms);
	assert_int_equal(threshold->for_ms, for_ms);
	assert_int_equal(threshold->respond, respond);
	assert_true(threshold->loc.line > 0);
}

static void thresholds_arrive_in_the_unit_of_their_signal(void **state)
{
	struct bh_source_policy *policy = parse_valid(
		HEAD "spec:\n"
		     "  resources:\n"
		     "    thresholds:\n"
		     "      - {signal: resource.memory_pct, over: '90', for: 30s, respond: freeze}\n"
		     "      - {over: 200/s, signal: resource.fork_rate, for: 0s, respond: kill, tool: b}\n"
		     "      - {signal: network.bytes_out, over: 200Mi/h, respond: alert}\n"
		     "      - {signal: network.dns_label_entropy, over: '3.5', respond: alert}\n"
		     "      - {signal: behavioral.child_depth, over: '20', for: 2m, respond: alert}\n" TOOLS);
	const struct bh_threshold *it = policy->resources.thresholds;

	assert_int_equal(policy->resources.thresholds_count, 5);
	expect_threshold(&it[0], BH_SIGNAL_resource_memory_pct, 90, 0, 30000, BH_RESPOND_FREEZE);
	expect_threshold(&it[1], BH_SIGNAL_resource_fork_rate, 200, 1000, 0, BH_RESPOND_KILL);
	expect_threshold(&it[2], BH_SIGNAL_network_bytes_out, 200 << 20, 3600000, 0, BH_RESPOND_ALERT);
	expect_threshold(&it[3], BH_SIGNAL_network_dns_label_entropy, 350, 0, 0, BH_RESPOND_ALERT);
	expect_threshold(&it[4], BH_SIGNAL_behavioral_child_depth, 20, 0, 120000, BH_RESPOND_ALERT);
	assert_null(it[0].tool.text);
	assert_string_equal(it[1].tool.text, "b");
	bh_source_policy_free(policy);
}

static void privileges_arrive_with_their_reasons(void **state)
{
	struct bh_source_policy *policy = parse_valid(HEAD "spec:\n"
							   "  privileges:\n"
							   "    reasons: {ptrace: a debugger, mount: images}\n"
							   "    capabilities: [CAP_CHOWN]\n"
							   "    allow: [mount, ptrace]\n" TOOLS);
	const struct bh_privileges *privileges = &policy->privileges;

	assert_true(privileges->given);
	expect_words(&privileges->capabilities, 1, "CAP_CHOWN");
	assert_int_equal(privileges->allow.count, 2);
	assert_string_equal(privileges->allow.items[0].word.text, "mount");
	assert_string_equal(privileges->allow.items[0].value.text, "images");
	assert_string_equal(privileges->allow.items[1].word.text, "ptrace");
	assert_string_equal(privileges->allow.items[1].value.text, "a debugger");
	bh_source_policy_free(policy);
}

static void names_and_networks_arrive(void **state)
{
	struct bh_source_policy *policy = parse_valid(
		HEAD "spec:\n"
		     "  never: {reach: [0.0.0.0/0, 'fd00::/8']}\n"
		     "  egress: {dns: {names: any, resolvers: [10.0.0.53, 'fd00:1::53'], reason: a crawler}}\n" TOOLS);

	assert_int_equal(policy->dns.names, BH_DNS_ANY);
	assert_int_equal(policy->dns.loc.line, 6);
	assert_int_equal(policy->dns.resolvers.count, 2);
	assert_int_equal(policy->dns.resolvers.items[0].prefix, 32);
	assert_memory_equal(policy->dns.resolvers.items[0].bytes, "\x0a\0\0\x35", 4);
	assert_int_equal(policy->dns.resolvers.items[1].prefix, 128);
	assert_string_equal(policy->dns.reason.text, "a crawler");
	assert_int_equal(policy->never_reach.count, 2);
	assert_int_equal(policy->never_reach.items[0].prefix, 0);
	assert_int_equal(policy->never_reach.items[1].family, 6);
	bh_source_policy_free(policy);
}

static void the_rest_of_the_header_arrives(void **state)
{
	struct bh_source_policy *policy = parse_valid(HEAD "spec:\n"
							   "  mode: grace\n"
							   "  grace: {until: 2026-12-14T00:00:00Z}\n"
							   "  modes: {files: observe}\n"
							   "  attach: [b, a]\n"
							   "  workspaces: [/work]\n"
							   "  procfs: none\n" TOOLS);

	assert_int_equal(policy->mode, BH_MODE_GRACE);
	assert_int_equal(policy->grace_until, 1797206400);
	assert_int_equal(policy->grace_loc.line, 6);
	assert_int_equal(policy->modes[BH_CLASS_FILES], BH_MODE_OBSERVE);
	assert_int_equal(policy->modes[BH_CLASS_EXEC], 0);
	expect_words(&policy->attach, 2, "b", "a");
	expect_words(&policy->workspaces, 1, "/work");
	assert_int_equal(policy->procfs, BH_PROCFS_NONE);
	assert_int_equal(policy->tools[0].procfs, 0);
	assert_int_equal(policy->tools[1].procfs, BH_PROCFS_NONE);
	bh_source_policy_free(policy);
}

static void the_catalogues_are_whole(void **state)
{
	unsigned int count = 0;

	for (const struct bh_capability_entry *entry = bh_capabilities; entry->name; entry++)
		assert_int_equal(entry->number, count++);
	assert_int_equal(count, CAP_LAST_CAP + 1);
#define BH_CAPABILITY(number, name) assert_int_equal(number, name);
#include "../../../rules/capabilities.def"
#undef BH_CAPABILITY
	for (unsigned int i = 1; i < BH_CAPS; i++)
		assert_non_null(bh_caps[i].name);
	assert_null(bh_caps[BH_CAPS].name);
	for (const struct bh_privilege_entry *entry = bh_privilege_list; entry->name; entry++)
		assert_true(entry->floor ? entry->bit >= 32 && entry->bit < 64 : entry->bit < 32);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(selectors_arrive),
		cmocka_unit_test(every_cap_arrives_in_its_unit),
		cmocka_unit_test(what_is_not_said_is_safe),
		cmocka_unit_test(thresholds_arrive_in_the_unit_of_their_signal),
		cmocka_unit_test(privileges_arrive_with_their_reasons),
		cmocka_unit_test(names_and_networks_arrive),
		cmocka_unit_test(the_rest_of_the_header_arrives),
		cmocka_unit_test(the_catalogues_are_whole),
	};

	return cmocka_run_group_tests(tests, load_shipped, free_shipped);
}
