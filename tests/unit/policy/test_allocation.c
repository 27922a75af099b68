/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The n-th allocation fails, for every n that a policy needs: the answer is "out of memory" or a finding, never a crash
 * and never a policy. libyaml allocates through the same three functions, so its failures are among them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "policy/english.h"
#include "policy/parse.h"
#include "tests/unit/allocation.h"

static const char valid[] =
	"apiVersion: bulkhead.dev/v1\n"
	"kind: SandboxPolicy\n"
	"metadata: {name: a, owner: b}\n"
	"spec:\n"
	"  presets: [base]\n"
	"  select: {any: [{name: a}, {container: {labels: {k: v}}}, {kubernetes: {namespaces: [b]}}]}\n"
	"  privileges: {capabilities: [CAP_CHOWN], allow: [mount], reasons: {mount: x}}\n"
	"  resources:\n"
	"    caps: {disk: {path: /d, size: 1Mi}}\n"
	"    thresholds: [{signal: network.denied, over: 1/s, respond: kill, tool: a}]\n"
	"  attach: [a]\n"
	"  workspaces: [/x]\n"
	"  never: {reach: [10.0.0.0/8]}\n"
	"  entry: a\n"
	"  tools:\n"
	"    a:\n"
	"      binaries: [/usr/bin/a, {path: /b, "
	"sha256: 5f2b0a9c3d8e47f1a6b2c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f70819}]\n"
	"      files: {read: [/r], write: [/w]}\n"
	"      may_run: [a]\n"
	"      reach: [n]\n"
	"      args: [{exact: [a]}, {first: [b], options: [-c], operands: any}, {any: true, require: [d], refuse: [e]}]\n"
	"      env: {keep: [A], require: {B: c}}\n"
	"      load: [/l, {path: /m, reason: r}]\n"
	"      listen: [{port: 1}]\n"
	"      unix: {connect: [/c], listen: [/d], abstract: [e]}\n"
	"  egress:\n"
	"    dns: {names: any, resolvers: [10.0.0.1], reason: y}\n"
	"    destinations:\n"
	"      n: {cidrs: [10.0.0.0/8], ports: [80]}\n"
	"      h: {names: [a.example], ports: [80], resolves_to: [10.0.0.0/8]}\n";

/* One try with the n-th allocation failing; returns whether that allocation was reached. */
static bool try_load(long n)
{
	struct bh_shipped *shipped = NULL;
	struct bh_err err = { 0 };
	bool reached;
	int r;

	left = n;
	r = bh_shipped_load(&shipped, &err);
	reached = left < 0;
	left = -1;
	if (reached)
		assert_true(r < 0 && !shipped && err.text[0]);
	else
		assert_int_equal(r, 0);
	bh_shipped_free(shipped);
	return reached;
}

static bool try_parse(const struct bh_shipped *shipped, const char *text, long n, int wanted)
{
	struct bh_source_policy *policy = NULL;
	struct bh_diags *diags;
	bool reached;
	int r = -ENOMEM;

	left = n;
	diags = bh_diags_new("p", text, strlen(text));
	if (diags)
		r = bh_policy_parse(text, strlen(text), shipped, diags, &policy);
	reached = left < 0;
	left = -1;
	if (reached)
		assert_true(r < 0 && !policy);
	else
		assert_int_equal(r, wanted);
	bh_source_policy_free(policy);
	bh_diags_free(diags);
	return reached;
}

static void shipped_rules_survive_every_failing_allocation(void **state)
{
	long n = 0;

#ifdef SANITISED
	skip();
#endif
	while (try_load(n))
		n++;
	assert_true(n > 100);
}

static void a_policy_survives_every_failing_allocation(void **state)
{
	static const char invalid[] =
		"a: 1\n"
		"a: &x 2\n"
		"spec: {modes: 1, privileges: {allow: [bpf], reasons: {mount: x}}, entry: [], tools: {A: {binaries: [x, {sha256: "
		"5f2b0a9c3d8e47f1a6b2c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f70819}], "
		"args: [{exact: [a], any: true}], env: {require: {'': x}}, load: [{reason: x}]}}}\n";
	struct bh_shipped *shipped = NULL;
	long n = 0, m = 0;

#ifdef SANITISED
	skip();
#endif
	assert_int_equal(bh_shipped_load(&shipped, NULL), 0);
	while (try_parse(shipped, valid, n, 0))
		n++;
	while (try_parse(shipped, invalid, m, -EINVAL))
		m++;
	assert_true(n > 50 && m > 20);
	bh_shipped_free(shipped);
}

static void sentences_survive_every_failing_allocation(void **state)
{
	static const char sentences[] =
		"Policy a.\nIt applies to pods in namespace b labelled c=d.\n"
		"The first program is tool a.\nTool a runs /usr/bin/a with subcommands b and c.\n"
		"It may reach a.example.com and 10.0.0.0/8 on port 80.\n"
		"Names are resolved by 10.0.0.1.\n"
		"The sandbox may use at most 1Gi of memory and 3 processes.\n"
		"Nothing else is allowed.\n";
	static const char wrong[] = "Policy a.\nIt runs.\nIt may use popular tools It is enforced.\n"
				    "Tool a rans /b \"c.\nNothing else";
	struct bh_shipped *shipped = NULL;
	long n = 0, m = 0;

#ifdef SANITISED
	skip();
#endif
	assert_int_equal(bh_shipped_load(&shipped, NULL), 0);
	while (try_parse(shipped, sentences, n, 0))
		n++;
	while (try_parse(shipped, wrong, m, -EINVAL))
		m++;
	assert_true(n > 100 && m > 20);
	bh_shipped_free(shipped);
}

/* Printing reads back what it wrote, so this is both. libc itself does without some memory: then all is as it should be. */
static bool try_print(const struct bh_source_policy *policy, const struct bh_shipped *shipped, long n,
		      const struct bh_buf *wanted)
{
	struct bh_buf text = { 0 };
	struct bh_diags *diags = bh_diags_new("p", "", 0);
	bool reached;
	int r;

	assert_non_null(diags);
	left = n;
	r = bh_english_print(policy, shipped, &text, diags);
	reached = left < 0;
	left = -1;
	assert_true(r == -ENOMEM || (r == 0 && bh_diags_count(diags) == 0 && text.length == wanted->length &&
				     memcmp(text.bytes, wanted->bytes, text.length) == 0));
	assert_true(reached || r == 0);
	bh_buf_done(&text);
	bh_diags_free(diags);
	return reached;
}

static void the_printer_survives_every_failing_allocation(void **state)
{
	struct bh_source_policy *policy = NULL;
	struct bh_shipped *shipped = NULL;
	struct bh_buf wanted = { 0 };
	struct bh_diags *diags;
	long n = 0;

#ifdef SANITISED
	skip();
#endif
	assert_int_equal(bh_shipped_load(&shipped, NULL), 0);
	diags = bh_diags_new("p", valid, strlen(valid));
	assert_int_equal(bh_policy_parse(valid, strlen(valid), shipped, diags, &policy), 0);
	assert_int_equal(bh_english_print(policy, shipped, &wanted, diags), 0);
	while (try_print(policy, shipped, n, &wanted))
		n++;
	bh_buf_done(&wanted);
	assert_true(n > 100);
	bh_source_policy_free(policy);
	bh_diags_free(diags);
	bh_shipped_free(shipped);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shipped_rules_survive_every_failing_allocation),
		cmocka_unit_test(a_policy_survives_every_failing_allocation),
		cmocka_unit_test(sentences_survive_every_failing_allocation),
		cmocka_unit_test(the_printer_survives_every_failing_allocation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
