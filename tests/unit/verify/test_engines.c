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
/* Those that random questions are made for. */
static const enum bh_action actions[] = { BH_ACTION_RUN,    BH_ACTION_READ, BH_ACTION_WRITE,
					  BH_ACTION_RENAME, BH_ACTION_LINK, BH_ACTION_CONNECT };
#define ACTIONS (sizeof(actions) / sizeof(actions[0]))

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

	*query = (struct bh_query){ .action = actions[roll(ACTIONS)] };
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

static void compare(const struct subject *s, uint32_t queries)
{
	struct bh_exam exam = { s->compiled, s->shipped, floor_net };
	struct bh_engine tables = { "host", bh_ask_tables, &exam };
	struct bh_judge judge = { exam, &tables, 1 };

	for (uint32_t i = 0; i < queries; i++) {
		struct bh_err err = { 0 };
		struct bh_query query;
		struct bh_reply reply;

		random_query(s, &query);
		if (bh_judge(&judge, &query, &reply, &err))
			fail_msg("%s", err.text);
		asked[query.action]++;
		allowed[query.action] += !reply.reason;
		pinned += reply.reason == BH_REASON_F4;
	}
}

/* A comparison of nothing but denials would prove little. */
static void report(void)
{
	for (uint32_t i = 0; i < ACTIONS; i++) {
		enum bh_action action = actions[i];

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
		cmocka_unit_test(random_policies_agree),
		cmocka_unit_test(the_same_directories_are_pinned),
		cmocka_unit_test(a_wrong_engine_is_found_out),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
