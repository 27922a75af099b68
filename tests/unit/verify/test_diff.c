/* SPDX-License-Identifier: GPL-2.0-only */
/* What counts as wider. */
#include "tests/unit/verify/sample.h"

#include "verify/diff.h"

static struct bh_source_policy *sources[2];
static struct bh_compiled *compileds[2];

static void let_go(void)
{
	for (size_t i = 0; i < 2; i++) {
		bh_compiled_free(compileds[i]);
		bh_source_policy_free(sources[i]);
		compileds[i] = NULL;
		sources[i] = NULL;
	}
}

/* The policies stay until the next comparison. */
static struct bh_diff compare(const char *old, const char *new)
{
	struct bh_diff_side sides[2];
	struct bh_diff diff = { 0 };

	let_go();
	sample_compile(old, &sources[0], &compileds[0]);
	sample_compile(new, &sources[1], &compileds[1]);
	for (size_t i = 0; i < 2; i++)
		sides[i] = (struct bh_diff_side){ compileds[i], sources[i] };
	assert_int_equal(bh_diff_make(&sides[0], &sides[1], &diff), 0);
	return diff;
}

static int tear_down_policies(void **state)
{
	let_go();
	return tear_down(state);
}

#define SAME 0
#define WIDER 1
#define NARROWER 2
#define CHANGED 3
#define MIXED 4

static void verdict(const char *old, const char *new, int wanted)
{
	struct bh_diff diff = compare(old, new);
	int got = diff.same ? SAME : diff.wider ? WIDER : diff.narrower ? NARROWER : CHANGED;

	got = diff.wider && diff.narrower ? MIXED : got;
	if (got != wanted)
		fail_msg("verdict %d, not %d: %s -> %s", got, wanted, old, new);
	bh_diff_done(&diff);
}

/* Both ways. */
static void wider(const char *old, const char *new)
{
	verdict(old, new, WIDER);
	verdict(new, old, NARROWER);
}

#define ONE(rest) HEAD "    worker: {binaries: [/usr/bin/worker], " rest "}\n"

static void spelling_is_no_difference(void **state)
{
	verdict(SAMPLE, SAMPLE, SAME);
	verdict(ONE("files: {read: [/a, /b]}"), "# a comment\n" ONE("files:   {read: [/b, /a]}"), SAME);
}

static void a_new_grant_is_wider(void **state)
{
	wider(ONE("files: {read: [/a]}"), ONE("files: {read: [/a, /b]}"));
	wider(ONE("files: {read: [/a/b]}"), ONE("files: {read: [/a/**]}"));
	wider(ONE("files: {read: [/a/*]}"), ONE("files: {read: [/a/**]}"));
	wider(ONE("files: {read: [/a]}"), ONE("files: {read: [/a], write: [/a]}"));
	wider(ONE("helpers: [/usr/bin/cat]"), ONE("helpers: [/usr/bin/cat, /usr/bin/ls]"));
	wider(HEAD WORKER_TOOL "    git: {binaries: [/usr/bin/git]}\n", HEAD WORKER_TOOL GIT_TOOL FORGE);
}

static void a_grant_that_another_covers_changes_nothing(void **state)
{
	verdict(ONE("files: {read: [/a/**]}"), ONE("files: {read: [/a/**, /a/b]}"), CHANGED);
	verdict(ONE("files: {read: [/a/**]}"), ONE("files: {read: [/a/**, /a]}"), CHANGED);
	verdict(ONE("files: {read: [/a/**, \"/a/b*\"]}"), ONE("files: {read: [/a/**]}"), CHANGED);
}

static void networks_and_ports_are_compared_by_what_they_hold(void **state)
{
#define NET(cidr, ports)                                                                                               \
	HEAD "    worker: {binaries: [/usr/bin/worker], reach: [a]}\n"                                                 \
	     "  egress: {destinations: {a: {cidrs: [" cidr "], ports: [" ports "]}}}\n"
	wider(NET("10.1.0.0/16", "443"), NET("10.0.0.0/8", "443"));
	wider(NET("10.1.0.0/16", "443"), NET("10.1.0.0/16", "440-450"));
	verdict(NET("10.1.0.0/16", "443"), NET("10.2.0.0/16", "443"), MIXED);
	verdict(NET("10.1.0.0/16", "1-9"), NET("10.1.0.0/16", "1-9, 5"), CHANGED);
#undef NET
}

/* Nothing but one setting, and this one; and the other way round. */
static void setting(const char *old, const char *new, enum bh_effect effect, const char *text, const char *back)
{
	struct bh_diff diff = compare(old, new);

	if (diff.settings_count != 1 || strcmp(diff.settings[0].text, text) != 0)
		fail_msg("%zu settings, first %s, not %s", diff.settings_count,
			 diff.settings_count ? diff.settings[0].text : "", text);
	assert_int_equal(diff.settings[0].effect, effect);
	assert_int_equal(diff.count, 0);
	assert_int_equal(diff.wider, (effect & BH_EFFECT_WIDER) != 0);
	assert_int_equal(diff.narrower, (effect & BH_EFFECT_NARROWER) != 0);
	assert_false(diff.same);
	bh_diff_done(&diff);
	if (!back)
		return;
	setting(new, old, effect && effect != BH_EFFECT_MIXED ? BH_EFFECT_MIXED & ~effect : effect, back, NULL);
}

static void modes_and_responses_have_a_strength(void **state)
{
	setting(SAMPLE, SAMPLE "  mode: observe\n", BH_EFFECT_WIDER, "mode: enforce -> observe",
		"mode: observe -> enforce");
	setting(SAMPLE "  mode: grace\n  grace: {until: \"2027-01-01T00:00:00Z\"}\n", SAMPLE "  mode: observe\n",
		BH_EFFECT_WIDER, "mode: grace -> observe", "mode: observe -> grace");
	setting(SAMPLE "  mode: grace\n  grace: {until: \"2027-01-01T00:00:00Z\"}\n",
		SAMPLE "  mode: grace\n  grace: {until: \"2027-01-02T00:00:00Z\"}\n", BH_EFFECT_WIDER,
		"grace.until: 2027-01-01T00:00:00Z -> 2027-01-02T00:00:00Z",
		"grace.until: 2027-01-02T00:00:00Z -> 2027-01-01T00:00:00Z");
	setting(SAMPLE, SAMPLE "  modes: {files: observe}\n", BH_EFFECT_WIDER, "modes.files: enforce -> observe",
		"modes.files: observe -> enforce");
	setting(SAMPLE, SAMPLE "  respond: {exec: kill}\n", BH_EFFECT_NARROWER, "respond.exec: deny -> kill",
		"respond.exec: kill -> deny");
	setting(SAMPLE, SAMPLE "  respond: {args: freeze}\n", BH_EFFECT_NARROWER, "respond.args: task -> freeze",
		"respond.args: freeze -> task");
	setting(ONE("helpers: [/a]"), ONE("helpers: [/a], respond: {files: freeze}"), BH_EFFECT_NARROWER,
		"tools.worker.respond.files: deny -> freeze", "tools.worker.respond.files: freeze -> deny");
}

static void sections_are_named_with_their_effect(void **state)
{
#define EGRESS(dns) HEAD WORKER_TOOL "    git: {binaries: [/usr/bin/git]}\n  egress: {dns: {" dns "}}\n"
	setting(EGRESS("names: listed, resolvers: [10.0.0.1]"), EGRESS("names: any, reason: so, resolvers: [10.0.0.1]"),
		BH_EFFECT_WIDER, "dns.names: listed -> any", "dns.names: any -> listed");
	setting(EGRESS("names: listed, resolvers: [10.0.0.1]"),
		EGRESS("names: listed, resolvers: [10.0.0.1, 10.0.0.2]"), BH_EFFECT_WIDER, "dns.resolvers += 10.0.0.2",
		"dns.resolvers -= 10.0.0.2");
#undef EGRESS
	setting(SAMPLE, SAMPLE "  privileges: {capabilities: [CAP_CHOWN]}\n", BH_EFFECT_WIDER,
		"privileges.capabilities += CAP_CHOWN", "privileges.capabilities -= CAP_CHOWN");
	setting(SAMPLE, SAMPLE "  privileges: {allow: [ptrace], reasons: {ptrace: gdb}}\n", BH_EFFECT_WIDER,
		"privileges.allow += ptrace: gdb", "privileges.allow -= ptrace");
	setting(SAMPLE "  privileges: {allow: [ptrace], reasons: {ptrace: gdb}}\n",
		SAMPLE "  privileges: {allow: [ptrace], reasons: {ptrace: lldb}}\n", BH_EFFECT_NONE,
		"privileges.allow.ptrace: its reason changed", "privileges.allow.ptrace: its reason changed");
	setting(SAMPLE "  guards: [{lift: repo-exec-files, reason: a}]\n",
		SAMPLE "  guards: [{lift: repo-exec-files, reason: b}]\n", BH_EFFECT_NONE,
		"guard repo-exec-files: its reason changed", "guard repo-exec-files: its reason changed");
	setting(SAMPLE, SAMPLE "  guards: [{lift: repo-exec-files, reason: a}]\n", BH_EFFECT_WIDER,
		"guard repo-exec-files: lifted: a", "guard repo-exec-files: in force again");
}

#define CAPS(caps) SAMPLE "  resources: {caps: {memory: 1Gi, pids: \"9\"" caps "}}\n"
#define RISE(threshold) SAMPLE "  resources: {caps: {memory: 1Gi, pids: \"9\"}, thresholds: [" threshold "]}\n"

static void limits_and_thresholds_are_compared_by_what_they_stop(void **state)
{
	setting(SAMPLE "  resources: {caps: {memory: 1Gi, pids: \"512\"}}\n",
		SAMPLE "  resources: {caps: {memory: 4Gi, pids: \"512\"}}\n", BH_EFFECT_WIDER,
		"resources.caps.memory: 1Gi -> 4Gi", "resources.caps.memory: 4Gi -> 1Gi");
	setting(CAPS(", wall: 15m"), CAPS(""), BH_EFFECT_WIDER, "resources.caps.wall: 15m -> none",
		"resources.caps.wall: none -> 15m");
	setting(CAPS(", cpu: \"0.5\""), CAPS(", cpu: \"2\""), BH_EFFECT_WIDER, "resources.caps.cpu: 0.5 -> 2",
		"resources.caps.cpu: 2 -> 0.5");
	setting(CAPS(", io: {read: 10Mi}"), CAPS(", io: {read: 20Mi}"), BH_EFFECT_WIDER,
		"resources.caps.io.read: 10Mi/s -> 20Mi/s", "resources.caps.io.read: 20Mi/s -> 10Mi/s");
	setting(CAPS(", disk: {path: /a, size: 1Gi}"), CAPS(", disk: {path: /b, size: 1Gi}"), BH_EFFECT_MIXED,
		"resources.caps.disk.path: /a -> /b", "resources.caps.disk.path: /b -> /a");
	setting(RISE("{signal: network.denied, over: 20/min, for: 0s, respond: kill}"), CAPS(""), BH_EFFECT_WIDER,
		"resources.thresholds -= network.denied over 20/min for 0s: kill",
		"resources.thresholds += network.denied over 20/min for 0s: kill");
	setting(RISE("{signal: network.bytes_out, over: 1Mi/h, for: 0s, respond: kill}"),
		RISE("{signal: network.bytes_out, over: 2Mi/h, for: 0s, respond: kill}"), BH_EFFECT_WIDER,
		"resources.thresholds.network.bytes_out: over 1Mi/h for 0s: kill -> over 2Mi/h for 0s: kill",
		"resources.thresholds.network.bytes_out: over 2Mi/h for 0s: kill -> over 1Mi/h for 0s: kill");
	setting(RISE("{signal: resource.memory_pct, over: \"90\", for: 5s, respond: kill, tool: git}"),
		RISE("{signal: resource.memory_pct, over: \"90\", for: 9s, respond: freeze, tool: git}"),
		BH_EFFECT_WIDER,
		"resources.thresholds.resource.memory_pct of git: over 90 for 5s: kill -> over 90 for 9s: freeze",
		"resources.thresholds.resource.memory_pct of git: over 90 for 9s: freeze -> over 90 for 5s: kill");
	setting(RISE("{signal: network.denied, over: 20/min, for: 0s, respond: kill}"),
		RISE("{signal: network.denied, over: 20/h, for: 0s, respond: kill}"), BH_EFFECT_MIXED,
		"resources.thresholds.network.denied: over 20/min for 0s: kill -> over 20/h for 0s: kill",
		"resources.thresholds.network.denied: over 20/h for 0s: kill -> over 20/min for 0s: kill");
}

static void whom_a_policy_is_for_is_neither(void **state)
{
#define FOR(select) SAMPLE "  select: {" select "}\n"
	setting(SAMPLE, FOR("any: [{name: a}]"), BH_EFFECT_NONE, "select += {\"name\":[\"a\"]}",
		"select -= {\"name\":[\"a\"]}");
	setting(FOR("any: [{name: a}]"), FOR("any: [{name: a}], priority: \"7\""), BH_EFFECT_NONE,
		"select.priority: 100 -> 7", "select.priority: 7 -> 100");
#undef FOR
}

/* One change of a rule, in both policies under the same object. */
static void edge(const char *old, const char *new, int wanted, const char *text)
{
	struct bh_diff diff = compare(old, new);
	struct bh_buf what = { 0 };
	int got;

	assert_int_equal(diff.settings_count, 0);
	assert_true(diff.count >= 1);
	for (size_t i = 0; i < diff.count; i++) {
		assert_non_null(diff.items[i].before);
		what.length = 0;
		bh_rule_describe_change(diff.items[i].before, diff.items[i].rule, &what);
		if (!what.bytes || strcmp((const char *)what.bytes, text) != 0)
			fail_msg("%s, not %s", what.bytes ? (const char *)what.bytes : "", text);
	}
	assert_int_equal(diff.grants_changed, diff.count);
	assert_int_equal(diff.grants_added + diff.grants_removed, 0);
	got = diff.wider && diff.narrower ? MIXED : diff.wider ? WIDER : diff.narrower ? NARROWER : CHANGED;
	if (got != wanted)
		fail_msg("verdict %d, not %d: %s", got, wanted, text);
	bh_buf_done(&what);
	bh_diff_done(&diff);
}

#define ENTRY(rest)                                                                                                    \
	HEAD "    worker: {binaries: [/usr/bin/worker], may_run: [git]}\n    git: {binaries: [/usr/bin/git], " rest    \
	     "}\n"
#define ARGS(clauses) ENTRY("args: [" clauses "]")

static void conditions_of_an_edge_are_one_change(void **state)
{
	edge(ENTRY("may_run: []"), ARGS("{exact: [a]}"), NARROWER, "args: any -> listed");
	edge(ARGS("{any: true}"), ENTRY("may_run: []"), WIDER, "args: listed -> any");
	edge(ARGS("{exact: [a]}"), ARGS("{exact: [a]}, {exact: [b]}"), WIDER, "args += {\"exact\":[\"b\"]}");
	edge(ARGS("{exact: [a]}, {exact: [b]}"), ARGS("{exact: [b]}"), NARROWER, "args -= {\"exact\":[\"a\"]}");
	edge(ARGS("{exact: [a]}"), ARGS("{exact: [b]}"), MIXED,
	     "args += {\"exact\":[\"b\"]}; args -= {\"exact\":[\"a\"]}");
	edge(ARGS("{first: [add]}"), ARGS("{first: [add, log], options: [-n:1]}"), WIDER,
	     "first += log; options += -n:1");
	edge(ARGS("{first: [add], operands: any}"), ARGS("{first: [add], operands: words}"), NARROWER,
	     "operands: any -> words");
	edge(ARGS("{any: true, require: [-x], refuse: [-y]}"), ARGS("{any: true, refuse: [-y, -z]}"), MIXED,
	     "require -= -x; refuse += -z");
	edge(ARGS("{exact: [add, x]}"), ARGS("{first: [add], operands: words}"), WIDER,
	     "args += {\"first\":[\"add\"],\"operands\":\"words\",\"options\":[]}; args -= {\"exact\":[\"add\",\"x\"]}");
	edge(ENTRY("may_run: []"), ENTRY("env: {keep: [HOME]}"), NARROWER, "env: any -> listed");
	edge(ENTRY("env: {keep: [HOME]}"), ENTRY("env: {keep: [HOME, LC_A]}"), WIDER, "env.keep += LC_A");
	edge(ENTRY("env: {keep: [LC_A, LC_*]}"), ENTRY("env: {keep: [LC_*]}"), CHANGED, "env.keep -= LC_A");
	edge(ENTRY("env: {keep: [A]}"), ENTRY("env: {keep: [A], require: {A: \"1\"}}"), NARROWER, "env.require += A=1");
	edge(ENTRY("env: {require: {A: \"1\"}}"), ENTRY("env: {require: {A: \"2\"}}"), MIXED,
	     "env.require += A=2; env.require -= A=1");
#define HASH "5f2b0a9c3d8e47f1a6b2c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f70819"
	edge(HEAD "    worker: {binaries: [/usr/bin/worker]}\n",
	     HEAD "    worker: {binaries: [{path: /usr/bin/worker, sha256: " HASH "}]}\n", NARROWER,
	     "sha256: any -> 5f2b0a9c");
}

static void load_lists_hosts_and_sockets_are_rules(void **state)
{
#define HOST(rest)                                                                                                     \
	HEAD "    worker: {binaries: [/usr/bin/worker], reach: [a]}\n  egress: {destinations: {a: {" rest "}}}\n"
	wider(HOST("names: [a.example.com], ports: [443]"),
	      HOST("names: [a.example.com, b.example.com], ports: [443]"));
	wider(HOST("names: [a.b.example.com], ports: [443]"), HOST("names: [\"*.b.example.com\"], ports: [443]"));
	verdict(HOST("names: [\"*.b.example.com\"], ports: [443]"), HOST("names: [b.example.com], ports: [443]"),
		MIXED);
	verdict(HOST("names: [a.example.com], ports: [443]"), HOST("cidrs: [192.0.2.1/32], ports: [443]"), MIXED);
	wider(HOST("cidrs: [192.0.2.1/32], ports: [443]"), HOST("cidrs: [192.0.2.1/32], ports: [443-444]"));
	verdict(HOST("cidrs: [192.0.2.1/32], ports: [443]"), HOST("cidrs: [192.0.2.1/32], ports: [443], protocol: udp"),
		MIXED);
	edge(HOST("names: [a.example.com], ports: [443]"), HOST("names: [a.example.com], ports: [443], sni: true"),
	     NARROWER, "sni: false -> true");
	edge(HOST("names: [a.example.com], ports: [443]"),
	     HOST("names: [a.example.com], ports: [443], resolves_to: [10.0.0.0/8]"), WIDER,
	     "resolves_to += 10.0.0.0/8");
	wider(ONE("helpers: [/a]"), ONE("helpers: [/a], listen: [{port: 80}]"));
	wider(ONE("helpers: [/a]"), ONE("helpers: [/a], unix: {connect: [/run/x]}"));
	wider(ONE("unix: {connect: [/run/d/x]}"), ONE("unix: {connect: [/run/d/*]}"));
	wider(ONE("unix: {connect: [/run/x]}"), ONE("unix: {connect: [/run/x], abstract: [n]}"));
	verdict(ONE("unix: {connect: [/run/x]}"), ONE("unix: {listen: [/run/x]}"), MIXED);
	wider(ONE("load: []"), ONE("load: [/opt/x.so]"));
	edge(ONE("load: [{path: /opt/x.so, reason: a}]"), ONE("load: [{path: /opt/x.so, reason: b}]"), CHANGED,
	     "reason: b");
	wider(SAMPLE "  never: {reach: [10.0.0.0/8]}\n", SAMPLE);
	wider(SAMPLE "  never: {reach: [10.0.0.0/8]}\n", SAMPLE "  never: {reach: [10.2.0.0/16]}\n");
	wider(SAMPLE, SAMPLE "  attach: [git]\n");
	verdict(SAMPLE, SAMPLE "  workspaces: [/work/a]\n", NARROWER);
	verdict(ONE("load: []"), ONE("helpers: [/a]"), WIDER);
	verdict("# procfs\n" ONE("procfs: none") "  presets: [base]\n", ONE("procfs: own") "  presets: [base]\n",
		WIDER);
}

static void code_in_memory_is_a_right(void **state)
{
	struct bh_diff diff = compare(ONE("helpers: [/a]"), ONE("jit: true, helpers: [/a]"));

	assert_true(diff.wider && !diff.narrower);
	assert_string_equal(diff.settings[0].text, "tools.worker.jit: false -> true");
	bh_diff_done(&diff);
	diff = compare(ONE("jit: true, helpers: [/a]"), ONE("helpers: [/a]"));
	assert_true(!diff.wider && diff.narrower);
	bh_diff_done(&diff);
}

static void what_a_tool_says_of_itself_is_named(void **state)
{
	struct bh_diff diff = compare(ONE("helpers: [/a]"), ONE("runs_code: true, helpers: [/a]"));

	assert_true(!diff.same && !diff.wider && !diff.narrower);
	assert_int_equal(diff.count, 0);
	assert_int_equal(diff.settings_count, 1);
	assert_string_equal(diff.settings[0].text, "tools.worker.runs_code: false -> true");
	bh_diff_done(&diff);
}

static void presets_are_one_change_each(void **state)
{
	struct bh_diff diff = compare(SAMPLE, SAMPLE "  presets: [tls-roots]\n");

	assert_int_equal(diff.count, 1);
	assert_true(diff.items[0].count > 3);
	assert_string_equal(diff.items[0].rule->scope, "*");
	assert_true(diff.wider && !diff.narrower && !diff.reach && !diff.guards);
	bh_diff_done(&diff);
}

static void containment_errs_on_one_side(void **state)
{
	assert_true(bh_pattern_contains("/a/**", "/a/b"));
	assert_true(bh_pattern_contains("/a/**", "/a/*/c"));
	assert_true(bh_pattern_contains("/a/*", "/a/b"));
	assert_true(bh_pattern_contains("/a/*", "/a/*"));
	assert_false(bh_pattern_contains("/a/**", "/a"));
	assert_false(bh_pattern_contains("/a/**", "/ab/*"));
	assert_false(bh_pattern_contains("/a/*", "/a/b/c"));
	assert_false(bh_pattern_contains("/a/*", "/a/**"));
	assert_false(bh_pattern_contains("/a/b*", "/a/*"));
	assert_false(bh_pattern_contains("/*/b/**", "/*/b/c*")); /* true, but not seen */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_in_memory_is_a_right),
		cmocka_unit_test(spelling_is_no_difference),
		cmocka_unit_test(a_new_grant_is_wider),
		cmocka_unit_test(a_grant_that_another_covers_changes_nothing),
		cmocka_unit_test(networks_and_ports_are_compared_by_what_they_hold),
		cmocka_unit_test(modes_and_responses_have_a_strength),
		cmocka_unit_test(sections_are_named_with_their_effect),
		cmocka_unit_test(limits_and_thresholds_are_compared_by_what_they_stop),
		cmocka_unit_test(whom_a_policy_is_for_is_neither),
		cmocka_unit_test(conditions_of_an_edge_are_one_change),
		cmocka_unit_test(load_lists_hosts_and_sockets_are_rules),
		cmocka_unit_test(what_a_tool_says_of_itself_is_named),
		cmocka_unit_test(presets_are_one_change_each),
		cmocka_unit_test(containment_errs_on_one_side),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down_policies);
}
