// SPDX-License-Identifier: GPL-2.0-only
/*
 * differential: random questions of every kind about the example policies and random ones, to the kernel's verdict program,
 * to the same code natively and to the definition. Run in the tree, as root (else 77). Prints a line per kind of question.
 * BH_QUESTIONS: how many (a million). BH_SEED: another sequence of them.
 */
#include <inttypes.h>
#include <time.h>

#include "tests/bpf/kernel.h"

#define QUESTIONS 1000000u
#define QUESTIONS_EACH 4000u /* about one policy */

static uint64_t number_from(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

/* Publishes the policy and asks. */
static bool try_policy(struct run *run, uint32_t slot, const struct subject *s, uint64_t questions)
{
	struct bh_err err = { 0 };
	uint64_t seed = random_seed;
	int result;

	if (bh_core_publish(run->core, slot, bh_compiled_tables(s->compiled), &err)) {
		say(run, false, "each policy is published", err.text);
		return false;
	}
	result = compare(run, slot, s, all_kinds, ALL_KINDS, questions, true);
	if (result)
		say(run, false, "each question is answered", strerror(-result));
	for (size_t kind = 0; kind < KIND_NUMBERS; kind++)
		if (run->different[kind]) {
			printf("# differences in a policy; the seed before its questions was %" PRIu64
			       ", it is\n# %s\n",
			       seed, bh_compiled_json(s->compiled, NULL));
			return false;
		}
	return !result;
}

static void report_all(struct run *run, const char *about, uint64_t part)
{
	for (uint32_t kind = 0; kind < KIND_NUMBERS; kind++)
		if (kind_text(kind) && run->asked[kind])
			report(run, kind, about, part);
}

static void try_examples(struct run *run, uint64_t questions)
{
	static const char *const names[] = { "rules/examples/coding-agent.yaml", "rules/examples/quickstart.yaml" };

	for (uint32_t i = 0; i < 2; i++) {
		struct subject s = { compile_file(names[i], run->shipped), run->shipped };

		if (s.compiled)
			try_policy(run, 10 + i, &s, questions / 2);
		else
			say(run, false, "the examples compile", names[i]);
		bh_compiled_free(s.compiled);
	}
	report_all(run, "the example policies", 0);
}

static void try_random(struct run *run, uint64_t questions)
{
	uint64_t policies = 0;
	bool fine = true;

	for (; questions && fine; policies++) {
		struct bh_shipped here = random_walls(run->shipped);
		struct subject s = { compile_random(&here), &here };
		uint64_t some = questions < QUESTIONS_EACH ? questions : QUESTIONS_EACH;

		/* every second one in place of the last */
		fine = try_policy(run, policies % 2 ? BH_POLICIES_MAX - 1 : (uint32_t)(policies % 50), &s, some);
		questions -= some;
		bh_compiled_free(s.compiled);
	}
	printf("# %" PRIu64 " random policies\n", policies);
	report_all(run, "random policies", policies > 20 ? 200 : 0);
}

int main(void)
{
	uint64_t questions = number_from("BH_QUESTIONS", QUESTIONS);
	static struct run run;
	struct timespec begin, end;
	int result = run_begin(&run);

	random_seed = number_from("BH_SEED", random_seed);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	if (!result) {
		try_examples(&run, questions / 10);
		try_random(&run, questions - questions / 10);
		clock_gettime(CLOCK_MONOTONIC, &end);
		printf("# %" PRIu64 " questions in %lld s\n", questions, (long long)(end.tv_sec - begin.tv_sec));
		result = run.failed;
	}
	run_end(&run);
	return result;
}
