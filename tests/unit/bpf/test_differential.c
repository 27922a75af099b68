// SPDX-License-Identifier: GPL-2.0-only
/* A million questions of every kind about the example policies and random ones: the tables must answer what the definition does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/bpf/difference.h"

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

#define EXAMPLE_QUESTIONS (300000u / SHARE)
#define RANDOM_POLICIES (350u / SHARE)
#define RANDOM_QUESTIONS 2000u

static struct bh_shipped *shipped;
static struct bh_floor_net *floor_net;
static uint32_t asked[KIND_NUMBERS], allowed[KIND_NUMBERS], given[128]; /* given: answers, by reason */

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

static void compare(const struct subject *s, uint32_t questions)
{
	struct bh_exam exam = { s->compiled, s->shipped, floor_net };
	static struct question q;

	for (uint32_t i = 0; i < questions; i++) {
		struct bh_question want, got;
		struct bh_asked texts;
		char text[6000];

		random_question(s, all_kinds[i % ALL_KINDS], &q);
		want = got = question_of(&q);
		texts = texts_of(&q);
		assert_int_equal(bh_ask_definition(&exam, &want, &texts), 0);
		assert_int_equal(bh_ask_tables(&exam, &got, &texts), 0);
		asked[q.kind]++;
		allowed[q.kind] += !got.reason;
		given[got.reason % 128]++;
		if (same_answer(&want, &got))
			continue;
		describe_difference(&q, "the tables", &got, &want, text, sizeof(text));
		fail_msg("%s", text);
	}
}

/* every: a comparison of nothing but denials would prove little; the examples have not everything. */
static void report(bool every)
{
	for (uint32_t kind = 0; kind < KIND_NUMBERS; kind++) {
		if (asked[kind])
			print_message("%s: %u questions, %u allowed\n", kind_text(kind), asked[kind], allowed[kind]);
		assert_true(!asked[kind] || !every ||
			    (allowed[kind] > asked[kind] / 100 && allowed[kind] < asked[kind]));
	}
	memset(asked, 0, sizeof(asked));
	memset(allowed, 0, sizeof(allowed));
}

static void examples_agree_with_the_definition(void **state)
{
	static const char *const names[] = { "rules/examples/coding-agent.yaml", "rules/examples/quickstart.yaml" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct subject s = { compile_file(names[i], shipped), shipped };

		assert_non_null(s.compiled);
		compare(&s, EXAMPLE_QUESTIONS / 2);
		bh_compiled_free(s.compiled);
	}
	report(false);
}

static void random_policies_agree_with_the_definition(void **state)
{
	for (uint32_t i = 0; i < RANDOM_POLICIES; i++) {
		struct bh_shipped here = random_walls(shipped);
		struct subject s = { compile_random(&here), &here };

		compare(&s, RANDOM_QUESTIONS);
		bh_compiled_free(s.compiled);
	}
	report(true);
}

/* Of those that the engines can give. */
static void every_reason_was_given(void **state)
{
	static const uint32_t reasons[] = { BH_REASON_X1, BH_REASON_X2,	 BH_REASON_X3,	BH_REASON_X4,  BH_REASON_X5,
					    BH_REASON_X8, BH_REASON_X10, BH_REASON_X11, BH_REASON_F0,  BH_REASON_F1,
					    BH_REASON_F2, BH_REASON_F4,	 BH_REASON_N0,	BH_REASON_N1,  BH_REASON_N2,
					    BH_REASON_N3, BH_REASON_N7,	 BH_REASON_N8,	BH_REASON_N10, BH_REASON_U0,
					    BH_REASON_U1, BH_REASON_U2,	 BH_REASON_C0,	BH_REASON_C2 };

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		print_message("reason %u: %u times\n", reasons[i], given[reasons[i]]);
		assert_true(given[reasons[i]] > 20 / SHARE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples_agree_with_the_definition),
		cmocka_unit_test(random_policies_agree_with_the_definition),
		cmocka_unit_test(every_reason_was_given),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
