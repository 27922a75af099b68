// SPDX-License-Identifier: GPL-2.0-only
/* A million questions about the example policies and random ones: the tables must answer what the definition does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/bpf/expected.h"

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
static uint32_t asked[32], allowed[32];

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
	static const uint32_t kinds[] = { BH_KIND_FILE_OPEN, BH_KIND_FILE_OPEN, BH_KIND_EXEC, BH_KIND_MMAP_EXEC,
					  BH_KIND_CONNECT };
	static struct question q;

	for (uint32_t i = 0; i < questions; i++) {
		struct bh_answer want, got;

		random_question(s, kinds[i % 5], &q);
		want = expected_answer(s, &q);
		got = native_answer(s, floor_net, &q);
		asked[q.kind]++;
		allowed[q.kind] += !got.reason;
		if (same_answer(want, got))
			continue;
		fail_msg(
			"kind %u tool %u access %u self %u '%s': tables say %u to %u rule %u, the definition %u to %u rule %u",
			q.kind, q.tool, q.access, q.self, q.path, got.reason, got.to, got.rule, want.reason, want.to,
			want.rule);
	}
}

static void report(void)
{
	for (uint32_t kind = 0; kind < 32; kind++) {
		if (asked[kind])
			print_message("kind %u: %u questions, %u allowed\n", kind, asked[kind], allowed[kind]);
		assert_true(!asked[kind] || (allowed[kind] > asked[kind] / 100 && allowed[kind] < asked[kind]));
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
	report();
}

static void random_policies_agree_with_the_definition(void **state)
{
	for (uint32_t i = 0; i < RANDOM_POLICIES; i++) {
		struct bh_shipped here = random_walls(shipped);
		struct subject s = { compile_random(&here), &here };

		compare(&s, RANDOM_QUESTIONS);
		bh_compiled_free(s.compiled);
	}
	report();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples_agree_with_the_definition),
		cmocka_unit_test(random_policies_agree_with_the_definition),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
