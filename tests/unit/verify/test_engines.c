/* SPDX-License-Identifier: GPL-2.0-only */
/* The definition and the tables, asked the same about example policies and random ones: every action, directories too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "policy/path.h"
#include "tests/bpf/questions.h"
#include "verify/judge.h"

/* The sanitizers make it ten times slower. */
#if defined(__SANITIZE_ADDRESS__)
#define SHARE 8u
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SHARE 8u
#endif
#endif
#ifndef SHARE
#define SHARE 1u
#endif

#define EXAMPLE_QUERIES (60000u / SHARE)
#define RANDOM_POLICIES (200u / SHARE)
#define RANDOM_QUERIES 1000u

static struct bh_shipped *shipped;
static struct bh_floor_net *floor_net;
/* Those that random policies have rules for. */
static const enum bh_action common[] = { BH_ACTION_RUN,	   BH_ACTION_READ, BH_ACTION_WRITE,
					 BH_ACTION_RENAME, BH_ACTION_LINK, BH_ACTION_CONNECT };
#define COMMON (sizeof(common) / sizeof(common[0]))

static uint32_t asked[BH_ACTIONS], allowed[BH_ACTIONS], pinned;

static int set_up(void **state)
{
	floor_net = calloc(1, sizeof(*floor_net));
	if (!floor_net || bh_shipped_load(&shipped, NULL))
		return -1;
	return bh_floor_compile(shipped, floor_net, NULL);
}

static int tear_down(void **state)
{
	bh_shipped_free(shipped);
	free(floor_net);
	return 0;
}

/* A path near to one of the policy's, in the form that scenarios have; the directory above it in one case of three. */
static void random_canonical(const struct subject *s, struct question *q)
{
	do {
		random_question(s, roll(3) ? BH_KIND_FILE_OPEN : BH_KIND_EXEC, q);
		if (roll(3) == 0 && strrchr(q->path, '/') && strrchr(q->path, '/') != q->path)
			*strrchr(q->path, '/') = '\0';
	} while (bh_path_form(q->path).code);
}

static void random_query(const struct subject *s, struct bh_query *query)
{
	static struct question one, two;

	*query = (struct bh_query){ .action = common[roll(COMMON)] };
	if (query->action == BH_ACTION_CONNECT) {
		random_question(s, BH_KIND_CONNECT, &one);
		query->net = one.net;
		query->tool = one.tool <= BH_TOOLS_MAX ? one.tool : 1;
		return;
	}
	random_canonical(s, &one);
	random_canonical(s, &two);
	query->tool = one.tool <= BH_TOOLS_MAX ? one.tool : 1;
	query->path = one.path;
	if (query->action == BH_ACTION_RENAME || query->action == BH_ACTION_LINK)
		query->other = two.path;
}

/* Words that some command line, environment, name or socket of the examples is made of, or nearly. */
static const char *const words[] = { "get",    "head", "--version", "-o",	 "-q",	 "--proxy=x", "--",
				     "x.html", "a b",  "add",	    "commit",	 "push", "-m",	      "-s",
				     "fetch",  "",     "::",	    "--depth=1", "getx", "--proxy" };
static const char *const variables[] = { "FETCH_SAFE=1",
					 "FETCH_SAFE=0",
					 "LANG=C",
					 "LC_ALL=C",
					 "LD_PRELOAD=/x",
					 "HOME=/",
					 "GIT_TERMINAL_PROMPT=0",
					 "GIT_ALLOW_PROTOCOL=https",
					 "X" };
static const char *const hosts[] = { "forge.example.com", "FORGE.example.COM.",	   "x.cdn.example.com",
				     "cdn.example.com",	  "evilforge.example.com", "metadata.google.internal",
				     "example.com" };
static const char *const addresses[] = { "1.1.1.1", "10.1.2.3",	   "10.2.0.1",	   "169.254.169.254", "::ffff:10.1.0.1",
					 "::1",	    "2001:db8::1", "2606:4700::1", "192.168.0.1" };
static const char *const sockets[] = { "/run/app/db.sock", "/run/app/x",      "/work/agent.sock", "@agent-bus",
				       "@agent-bu",	   "/run/bulkhead/x", "/work/x" };
static const char *const programs[] = { "/usr/bin/fetch", "/usr/bin/agent", "/usr/bin/git", "/usr/bin/bash",
					"/usr/bin/x" };

#define ONE_OF(list) list[roll(sizeof(list) / sizeof((list)[0]))]

/* Up to `most` of them, each with its NUL. */
static size_t random_block(const char *const *list, size_t count, uint32_t most, char *ret_block)
{
	size_t used = 0;

	for (uint32_t i = roll(most + 1); i > 0; i--) {
		const char *word = list[roll((uint32_t)count)];

		memcpy(ret_block + used, word, strlen(word) + 1);
		used += strlen(word) + 1;
	}
	return used;
}

/* What only policies like whole.yaml have rules for. */
static void random_whole_query(struct bh_query *query)
{
	static char args[256], env[256];
	static uint8_t content[32];

	*query = (struct bh_query){ .action = (enum bh_action)(1 + roll(BH_ACTIONS - 1)), .tool = roll(3) };
	query->net.port = (uint16_t)(roll(3) ? 443 : 8079 + roll(3));
	query->net.protocol = roll(4) ? IPPROTO_TCP : IPPROTO_UDP;
	switch (query->action) {
	case BH_ACTION_RUN:
		query->path = ONE_OF(programs);
		query->args = (struct bh_block){ (uint8_t *)args,
						 random_block(words, sizeof(words) / sizeof(words[0]), 3, args) };
		query->variables =
			(struct bh_block){ (uint8_t *)env,
					   random_block(variables, sizeof(variables) / sizeof(variables[0]), 3, env) };
		query->sha256 = roll(4) ? NULL : content;
		return;
	case BH_ACTION_CONNECT:
	case BH_ACTION_DNS:
		query->host = ONE_OF(hosts);
		query->answers_count = query->action == BH_ACTION_CONNECT ? roll(3) : 0;
		for (size_t i = 0; i < query->answers_count; i++)
			assert_true(bh_peer_address_parse(ONE_OF(addresses), &query->answers[i]));
		return;
	case BH_ACTION_LISTEN:
		query->path = roll(2) ? ONE_OF(sockets) : NULL;
		return;
	case BH_ACTION_PRIVILEGE:
		do
			query->number = roll(64);
		while (!bh_privilege_name(query->number));
		return;
	case BH_ACTION_CAPABILITY:
		query->number = roll(41);
		return;
	default:
		query->path = query->action == BH_ACTION_LOAD && roll(2) ? "/opt/lib/x.so" : ONE_OF(sockets);
		query->other = query->action == BH_ACTION_RENAME || query->action == BH_ACTION_LINK ? "/work/y" : NULL;
	}
}

static void ask_one(const struct bh_judge *judge, const struct bh_query *query)
{
	struct bh_err err = { 0 };
	struct bh_reply reply;

	if (bh_judge(judge, query, &reply, &err))
		fail_msg("%s", err.text);
	asked[query->action]++;
	allowed[query->action] += !reply.reason;
	pinned += reply.reason == BH_REASON_F4;
}

static void compare(const struct subject *s, uint32_t queries)
{
	struct bh_exam exam = { s->compiled, s->shipped, floor_net };
	struct bh_engine tables = { "host", bh_ask_tables, &exam };
	struct bh_judge judge = { exam, &tables, 1 };

	for (uint32_t i = 0; i < queries; i++) {
		struct bh_query query;

		random_query(s, &query);
		ask_one(&judge, &query);
	}
}

/* A comparison of nothing but denials would prove little. */
static void report(void)
{
	for (uint32_t i = 1; i < BH_ACTIONS; i++) {
		enum bh_action action = (enum bh_action)i;

		if (!asked[i])
			continue;
		print_message("%s: %u queries, %u allowed\n", bh_action_name(action), asked[action], allowed[action]);
		assert_true(allowed[action] > 0 && allowed[action] < asked[action]);
	}
	print_message("F4: %u\n", pinned);
	memset(asked, 0, sizeof(asked));
	memset(allowed, 0, sizeof(allowed));
}

static void examples_agree(void **state)
{
	static const char *const names[] = { "rules/examples/coding-agent.yaml", "rules/examples/quickstart.yaml" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct subject s = { compile_file(names[i], shipped), shipped };

		assert_non_null(s.compiled);
		compare(&s, EXAMPLE_QUERIES / 2);
		bh_compiled_free(s.compiled);
	}
	report();
}

static void policies_with_everything_agree(void **state)
{
	static const char *const names[] = { "tests/golden/verify/whole.yaml", "tests/golden/verify/coder.yaml" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct bh_compiled *compiled = compile_file(names[i], shipped);
		struct bh_exam exam = { compiled, shipped, floor_net };
		struct bh_engine tables = { "host", bh_ask_tables, &exam };
		struct bh_judge judge = { exam, &tables, 1 };

		assert_non_null(compiled);
		for (uint32_t k = 0; k < EXAMPLE_QUERIES / 2; k++) {
			struct bh_query query;

			random_whole_query(&query);
			ask_one(&judge, &query);
		}
		bh_compiled_free(compiled);
	}
	for (uint32_t action = 1; action < BH_ACTIONS; action++)
		assert_true(asked[action] > 0);
	report();
}

static void random_policies_agree(void **state)
{
	pinned = 0;
	for (uint32_t i = 0; i < RANDOM_POLICIES; i++) {
		struct bh_shipped here = random_walls(shipped);
		struct subject s = { compile_random(&here), &here };

		compare(&s, RANDOM_QUERIES);
		bh_compiled_free(s.compiled);
	}
	assert_true(pinned > 0);
	report();
}

/* Directories alone, whatever may be written: bh_judge asks about moving only what may be. */
static void the_same_directories_are_pinned(void **state)
{
	uint32_t held = 0, total = 0;

	for (uint32_t i = 0; i < RANDOM_POLICIES; i++) {
		struct bh_shipped here = random_walls(shipped);
		struct subject s = { compile_random(&here), &here };
		struct bh_exam exam = { s.compiled, s.shipped, floor_net };

		for (uint32_t k = 0; k < RANDOM_QUERIES; k++, total++) {
			struct bh_question want = { .kind = BH_KIND_FILE_RENAME }, got = want;
			struct bh_asked texts = { 0 };
			static struct question q;

			random_canonical(&s, &q);
			texts.text = q.path;
			assert_int_equal(bh_ask_definition(&exam, &want, &texts), 0);
			assert_int_equal(bh_ask_tables(&exam, &got, &texts), 0);
			held += want.reason != 0;
			if (want.reason != got.reason)
				fail_msg("'%s': tables %u, definition %u, policy %s", q.path, got.reason, want.reason,
					 bh_compiled_json(s.compiled, NULL));
		}
		bh_compiled_free(s.compiled);
	}
	print_message("%u of %u held\n", held, total);
	assert_true(held > total / 50 && held < total);
}

static int ask_wrongly(void *data, struct bh_question *question, const struct bh_asked *texts)
{
	int result = bh_ask_tables(data, question, texts);

	question->reason = 0;
	return result;
}

static int ask_in_vain(void *data, struct bh_question *question, const struct bh_asked *texts)
{
	return -EIO;
}

static void a_wrong_engine_is_found_out(void **state)
{
	struct bh_compiled *compiled = compile_file("rules/examples/quickstart.yaml", shipped);
	struct bh_exam exam = { compiled, shipped, floor_net };
	struct bh_engine engines[] = { { "host", bh_ask_tables, &exam }, { "liar", ask_wrongly, &exam } };
	struct bh_judge judge = { exam, engines, 2 };
	struct bh_query query = { .action = BH_ACTION_READ, .tool = 1, .path = "/tmp/bulkhead-demo/x" };
	struct bh_err err = { 0 };
	struct bh_reply reply;

	assert_non_null(compiled);
	assert_int_equal(bh_judge(&judge, &query, &reply, &err), 0);
	assert_int_equal(reply.reason, 0);
	query.path = "/etc/shadow";
	assert_int_equal(bh_judge(&judge, &query, &reply, &err), -EPROTO);
	assert_non_null(strstr(err.text, "engine 'liar' and the definition disagree"));
	assert_non_null(strstr(err.text, "shell reads /etc/shadow"));
	engines[1].ask = ask_in_vain;
	assert_int_equal(bh_judge(&judge, &query, &reply, &err), -EIO);
	assert_non_null(strstr(err.text, "engine 'liar' failed"));
	bh_compiled_free(compiled);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples_agree),
		cmocka_unit_test(policies_with_everything_agree),
		cmocka_unit_test(random_policies_agree),
		cmocka_unit_test(the_same_directories_are_pinned),
		cmocka_unit_test(a_wrong_engine_is_found_out),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
