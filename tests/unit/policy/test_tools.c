/* SPDX-License-Identifier: GPL-2.0-only */
/* What the keys of a tool and of a destination become in the model. The wording of findings is in test_messages.c. */
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/policy/valid.h"

static void each_form_of_arguments_arrives(void **state)
{
	struct bh_source_policy *policy =
		parse_valid(HEAD "spec:\n"
				 "  entry: a\n"
				 "  tools:\n"
				 "    a:\n"
				 "      binaries: [/usr/bin/a]\n"
				 "      args:\n"
				 "        - exact: [-I, '', \"b c\"]\n"
				 "        - {first: [fetch, push], options: [-s, '-n:1'], operands: words}\n"
				 "        - {options: [-v]}\n"
				 "        - {any: true, require: [--headless], refuse: [--no-sandbox]}\n"
				 "        - {exact: []}\n");
	const struct bh_tool *tool = &policy->tools[0];

	assert_true(tool->args_given);
	assert_int_equal(tool->args_count, 5);
	assert_int_equal(tool->args[0].kind, BH_ARGS_EXACT);
	assert_int_equal(tool->args[0].loc.line, 10);
	expect_words(&tool->args[0].exact, 3, "-I", "", "b c");
	assert_int_equal(tool->args[1].kind, BH_ARGS_WORDS);
	expect_words(&tool->args[1].first, 2, "fetch", "push");
	expect_words(&tool->args[1].options, 2, "-s", "-n:1");
	assert_int_equal(tool->args[1].operands, BH_OPERANDS_WORDS);
	assert_int_equal(tool->args[2].kind, BH_ARGS_WORDS);
	assert_int_equal(tool->args[2].first.count, 0);
	assert_int_equal(tool->args[2].operands, BH_OPERANDS_NONE);
	assert_int_equal(tool->args[3].kind, BH_ARGS_ANY);
	expect_words(&tool->args[3].require, 1, "--headless");
	expect_words(&tool->args[3].refuse, 1, "--no-sandbox");
	assert_int_equal(tool->args[4].kind, BH_ARGS_EXACT);
	assert_int_equal(tool->args[4].exact.count, 0);
	bh_source_policy_free(policy);
}

static void the_environment_arrives(void **state)
{
	struct bh_source_policy *policy = parse_valid(
		HEAD
		"spec:\n"
		"  entry: a\n"
		"  tools:\n"
		"    a: {binaries: [/usr/bin/a], env: {keep: [LC_*, PATH], require: {PATH: /usr/bin, EMPTY: ''}}}\n"
		"    b: {binaries: [/usr/bin/b], env: {}}\n"
		"    c: {binaries: [/usr/bin/c]}\n");
	const struct bh_env *env = &policy->tools[0].env;

	assert_true(env->given);
	expect_words(&env->keep, 2, "LC_*", "PATH");
	assert_int_equal(env->require.count, 2);
	assert_string_equal(env->require.items[0].word.text, "PATH");
	assert_string_equal(env->require.items[0].value.text, "/usr/bin");
	assert_string_equal(env->require.items[1].value.text, "");
	assert_true(policy->tools[1].env.given);
	assert_int_equal(policy->tools[1].env.keep.count, 0);
	assert_false(policy->tools[2].env.given);
	bh_source_policy_free(policy);
}

static void programs_and_code_arrive(void **state)
{
	static const char digits[] = "5f2b0a9c3d8e47f1a6b2c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f70819";
	struct bh_source_policy *policy = parse_valid(
		HEAD "spec:\n"
		     "  entry: a\n"
		     "  tools:\n"
		     "    a:\n"
		     "      binaries: [/usr/bin/a, {path: /usr/bin/b, "
		     "sha256: 5f2b0a9c3d8e47f1a6b2c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f70819}]\n"
		     "      load: [/usr/lib/**, {path: /srv/venv/**, reason: native modules}, {path: /opt/x}]\n"
		     "    b: {binaries: [/usr/bin/c], load: []}\n"
		     "    c: {binaries: [/usr/bin/d]}\n");
	const struct bh_tool *tool = &policy->tools[0];

	assert_null(tool->binaries.items[0].value.text);
	assert_string_equal(tool->binaries.items[1].word.text, "/usr/bin/b");
	assert_string_equal(tool->binaries.items[1].value.text, digits);
	assert_true(tool->load_given);
	assert_int_equal(tool->load.count, 3);
	assert_string_equal(tool->load.items[0].word.text, "/usr/lib/**");
	assert_null(tool->load.items[0].value.text);
	assert_string_equal(tool->load.items[1].value.text, "native modules");
	assert_string_equal(tool->load.items[2].word.text, "/opt/x");
	assert_true(policy->tools[1].load_given);
	assert_int_equal(policy->tools[1].load.count, 0);
	assert_false(policy->tools[2].load_given);
	bh_source_policy_free(policy);
}

static void sockets_arrive(void **state)
{
	struct bh_source_policy *policy =
		parse_valid(HEAD "spec:\n"
				 "  entry: a\n"
				 "  unix: {connect: [/run/x], listen: [/tmp/**], abstract: [name, 'two words']}\n"
				 "  tools:\n"
				 "    a:\n"
				 "      binaries: [/usr/bin/a]\n"
				 "      listen: [{port: 8080}, {port: 53, protocol: udp}]\n"
				 "      unix: {connect: [/dev/log]}\n"
				 "    b: {binaries: [/usr/bin/b]}\n");
	const struct bh_tool *tool = &policy->tools[0];

	assert_true(policy->unix_sockets.given);
	expect_words(&policy->unix_sockets.connect, 1, "/run/x");
	expect_words(&policy->unix_sockets.listen, 1, "/tmp/**");
	expect_words(&policy->unix_sockets.abstract, 2, "name", "two words");
	assert_true(tool->unix_sockets.given);
	expect_words(&tool->unix_sockets.connect, 1, "/dev/log");
	assert_int_equal(tool->unix_sockets.listen.count, 0);
	assert_false(policy->tools[1].unix_sockets.given);
	assert_int_equal(tool->listen.count, 2);
	assert_int_equal(tool->listen.items[0].low, 8080);
	assert_int_equal(tool->listen.items[0].high, 8080);
	assert_int_equal(tool->listen.items[0].protocol, IPPROTO_TCP);
	assert_int_equal(tool->listen.items[1].protocol, IPPROTO_UDP);
	bh_source_policy_free(policy);
}

static void responses_arrive_by_class(void **state)
{
	struct bh_source_policy *policy = parse_valid(
		HEAD "spec:\n"
		     "  entry: a\n"
		     "  respond: {args: freeze, files: kill}\n"
		     "  tools:\n"
		     "    a: {binaries: [/usr/bin/a], respond: {args: task, network: freeze, privileges: deny}}\n");
	const uint8_t *own = policy->tools[0].respond;

	assert_int_equal(policy->respond[BH_CLASS_ARGS], BH_RESPOND_FREEZE);
	assert_int_equal(policy->respond[BH_CLASS_FILES], BH_RESPOND_KILL);
	assert_int_equal(policy->respond[BH_CLASS_EXEC], BH_RESPOND_DENY);
	assert_int_equal(own[BH_CLASS_ARGS], BH_RESPOND_TASK);
	assert_int_equal(own[BH_CLASS_NETWORK], BH_RESPOND_FREEZE);
	assert_int_equal(own[BH_CLASS_PRIVILEGES], BH_RESPOND_DENY);
	assert_int_equal(own[BH_CLASS_FILES], 0);
	bh_source_policy_free(policy);
}

static void destinations_arrive(void **state)
{
	struct bh_source_policy *policy = parse_valid(
		HEAD "spec:\n"
		     "  entry: a\n"
		     "  tools: {a: {binaries: [/usr/bin/a]}}\n"
		     "  egress:\n"
		     "    destinations:\n"
		     "      web: {names: [example.com, '*.example.org'], ports: [443], sni: true}\n"
		     "      db: {names: [db.example.com], ports: [5432], resolves_to: [10.0.0.0/8, 'fd00:1::/64']}\n"
		     "      time: {cidrs: [192.0.2.1/32], ports: [123], protocol: udp}\n"
		     "      ping: {cidrs: [192.0.2.0/24], protocol: icmp-echo}\n");
	const struct bh_destination *to = policy->destinations;

	expect_words(&to[0].hosts, 2, "example.com", "*.example.org");
	assert_true(to[0].sni);
	assert_int_equal(to[0].cidrs.count, 0);
	assert_int_equal(to[0].protocol, IPPROTO_TCP);
	assert_int_equal(to[1].resolves_to.count, 2);
	assert_int_equal(to[1].resolves_to.items[1].prefix, 64);
	assert_false(to[1].sni);
	assert_int_equal(to[2].protocol, IPPROTO_UDP);
	assert_int_equal(to[3].protocol, IPPROTO_ICMP);
	assert_int_equal(to[3].ports.count, 0);
	bh_source_policy_free(policy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_form_of_arguments_arrives), cmocka_unit_test(the_environment_arrives),
		cmocka_unit_test(programs_and_code_arrive),	  cmocka_unit_test(sockets_arrive),
		cmocka_unit_test(responses_arrive_by_class),	  cmocka_unit_test(destinations_arrive),
	};

	return cmocka_run_group_tests(tests, load_shipped, free_shipped);
}
