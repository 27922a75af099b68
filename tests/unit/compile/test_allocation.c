// SPDX-License-Identifier: GPL-2.0-only
/*
 * The n-th allocation fails, for every n that compiling needs: the answer is "out of memory", or a refusal when it was a
 * finding that could not be kept; never a crash, never a policy, and nothing stays allocated.
 */
#include "build.h"

#include "compile/load.h"
#include "tests/unit/allocation.h"
#include "tests/unit/compile/full.h"

static long made_do; /* failures that the C library had another way around: qsort() sorts in place */

static struct bh_source_policy sample(const char *read)
{
	static struct bh_tool tools[2];
	static struct bh_destination destinations[1];
	static struct bh_cidr cidrs[2];
	static struct bh_port_range ports[1] = { { .low = 443, .high = 445 } };
	struct bh_source_policy policy;

	cidrs[0] = build_cidr("10.0.0.0", 8);
	cidrs[1] = build_cidr("2001:db8::", 32);
	tools[0] = build_tool((struct build_tool){
		.name = "one", .binaries = "/bin/one", .may_run = "two", .read = read, .reach = "far" });
	tools[1] = build_tool((struct build_tool){
		.name = "two", .binaries = "/bin/two", .helpers = "/lib/**", .write = "/w/*x", .reach = "far" });
	destinations[0] = (struct bh_destination){
		.name = build_word("far"), .cidrs = { cidrs, 2 }, .ports = { ports, 1 }, .protocol = IPPROTO_TCP
	};
	policy = build_policy(tools, 2);
	policy.destinations = destinations;
	policy.destinations_count = 1;
	policy.never_write = build_words("/w/never");
	policy.never_run = build_words("/lib/never/*");
	return policy;
}

static void lift_guard(struct bh_source_policy *policy)
{
	static struct bh_lift lift;
	static struct bh_acceptance accepted;

	accepted =
		(struct bh_acceptance){ build_word("W150"), build_word("guards[0].lift"), build_word("so"), { { 0 } } };
	lift = (struct bh_lift){ build_word("g"), build_word("so") };
	policy->acceptances = &accepted;
	policy->acceptances_count = 1;
	policy->lifts = &lift;
	policy->lifts_count = 1;
}

static struct bh_shipped *sample_shipped(void)
{
	static struct bh_prohibition floors[1], guards[1];
	static struct bh_shipped shipped;

	floors[0] = (struct bh_prohibition){ build_word("f"), build_words("/dev/mem"), build_words("/dev/mem") };
	guards[0] = (struct bh_prohibition){ build_word("g"), build_words("/home/*/.ssh/**"), build_words("/r/k") };
	shipped = (struct bh_shipped){ .floors = floors, .floors_count = 1, .guards = guards, .guards_count = 1 };
	return &shipped;
}

/* One try with the n-th allocation failing; returns whether that allocation was reached. */
static bool try_compile(const struct bh_source_policy *policy, const struct bh_shipped *shipped, long n, int wanted,
			bool findings)
{
	long before = alive;
	struct bh_diags *diags = bh_diags_new("p", "", 0);
	struct bh_compiled *compiled = NULL;
	bool reached;
	int result;

	assert_non_null(diags);
	left = n;
	result = bh_compile(policy, shipped, NULL, diags, &compiled);
	reached = left < 0 && n >= 0;
	left = -1;
	if (!reached)
		assert_int_equal(result, wanted);
	else if (result && (!findings || result != -EINVAL))
		assert_int_equal(result, -ENOMEM);
	assert_true(!result == !!compiled);
	made_do += reached && !result;
	bh_compiled_free(compiled);
	bh_diags_free(diags);
	assert_int_equal(alive, before);
	return reached;
}

/* Every allocation in turn; how many there are. */
static long try_all(const char *read, int wanted, bool findings)
{
	struct bh_source_policy policy = sample(read);
	struct bh_shipped *shipped = sample_shipped();
	long n = 0;

	if (findings)
		lift_guard(&policy);
	made_do = 0;
	while (try_compile(&policy, shipped, n, wanted, findings))
		n++;
	assert_true(made_do < n / 20);
	return n;
}

static void a_policy_without_findings_ends_in_out_of_memory(void **state)
{
#ifdef SANITISED
	skip();
#endif
	assert_true(try_all("/r/** /s/*", 0, false) > 100);
}

static void a_policy_with_findings_survives_every_failing_allocation(void **state)
{
#ifdef SANITISED
	skip();
#endif
	assert_true(try_all("/r/** /r/x /dev/mem /dev/mem?", -EINVAL, true) > 100);
}

static void the_artifact_survives_every_failing_allocation(void **state)
{
	struct bh_source_policy policy = sample("/r/**");
	struct bh_compiled *compiled = build_compile(&policy, NULL, NULL, NULL);
	uint8_t *bytes = NULL;
	size_t length;
	long n = 0, before = alive;
	int result;

#ifdef SANITISED
	bh_compiled_free(compiled);
	skip();
#endif
	do {
		left = n++;
		result = bh_artifact_write(compiled, &bytes, &length);
		assert_true(result == (left < 0 ? -ENOMEM : 0));
		left = -1;
	} while (result);
	free(bytes);
	assert_int_equal(alive, before);
	assert_true(n > 3);
	bh_compiled_free(compiled);
}

/* One try to read with the n-th allocation failing. */
static bool try_read(const uint8_t *bytes, size_t length, const struct bh_shipped *shipped, long n)
{
	struct bh_source_policy *policy = NULL;
	struct bh_compiled *compiled = NULL;
	struct bh_err err = { 0 };
	long before = alive;
	bool reached;
	int result;

	left = n;
	result = bh_artifact_read(bytes, length, shipped, &err, &policy, &compiled);
	reached = left < 0;
	left = -1;
	assert_true(result == 0 || result == -ENOMEM);
	assert_true(!result == !!compiled && !result == !!policy && !result == !err.text[0]);
	if (!reached)
		assert_int_equal(result, 0);
	made_do += reached && !result;
	bh_compiled_free(compiled);
	bh_source_policy_free(policy);
	assert_int_equal(alive, before);
	return reached;
}

static void read_all(const struct bh_source_policy *policy, const struct bh_shipped *shipped)
{
	struct bh_compiled *compiled = build_compile(policy, shipped, NULL, NULL);
	uint8_t *bytes = NULL;
	size_t length = 0;
	long n = 0;

	assert_int_equal(bh_artifact_write(compiled, &bytes, &length), 0);
	made_do = 0;
	while (try_read(bytes, length, shipped, n))
		n++;
	assert_true(n > 100);
	assert_true(made_do < n / 20);
	free(bytes);
	bh_compiled_free(compiled);
}

static void reading_an_artifact_survives_every_failing_allocation(void **state)
{
	struct bh_source_policy policy = sample("/r/**");

#ifdef SANITISED
	skip();
#endif
	lift_guard(&policy);
	read_all(&policy, sample_shipped());
}

static void the_whole_language_survives_every_failing_allocation(void **state)
{
	struct bh_shipped shipped;
	struct bh_source_policy policy = full_policy(&shipped);
	long n = 0;

#ifdef SANITISED
	skip();
#endif
	made_do = 0;
	while (try_compile(&policy, &shipped, n, 0, true))
		n++;
	assert_true(n > 1000);
	assert_true(made_do < n / 20);
	read_all(&policy, &shipped);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_policy_without_findings_ends_in_out_of_memory),
		cmocka_unit_test(a_policy_with_findings_survives_every_failing_allocation),
		cmocka_unit_test(the_artifact_survives_every_failing_allocation),
		cmocka_unit_test(reading_an_artifact_survives_every_failing_allocation),
		cmocka_unit_test(the_whole_language_survives_every_failing_allocation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
