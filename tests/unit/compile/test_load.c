// SPDX-License-Identifier: GPL-2.0-only
/* What was written is read back as it was; whatever is not exactly that is refused. */
#include "tests/unit/compile/bytes.h"
#include "tests/unit/compile/whole.h"

#include "base/cleanup.h"
#include "policy/parse.h"

static struct bh_source_policy small(void)
{
	static struct bh_tool tools[2];
	static struct bh_destination destinations[1];
	static struct bh_cidr cidrs[2];
	static struct bh_port_range ports[2] = { { .low = 443, .high = 443 }, { .low = 8000, .high = 8010 } };
	struct bh_source_policy policy;

	tools[0] = build_tool((struct build_tool){
		.name = "one", .binaries = "/b/1", .may_run = "two", .read = "/r/*", .reach = "far" });
	tools[1] = build_tool(
		(struct build_tool){ .name = "two", .binaries = "/b/2", .helpers = "/b/h", .write = "/w/**" });
	cidrs[0] = build_cidr("10.0.0.0", 8);
	cidrs[1] = build_cidr("2001:db8::", 32);
	destinations[0] = (struct bh_destination){
		.name = build_word("far"), .cidrs = { cidrs, 2 }, .ports = { ports, 2 }, .protocol = IPPROTO_TCP
	};
	policy = build_policy(tools, 2);
	policy.destinations = destinations;
	policy.destinations_count = 1;
	policy.never_read = build_words("/r/never /**/.env");
	policy.never_write = build_words("/proc/**");
	policy.never_run = build_words("/b/??*");
	return policy;
}

static void assert_same_rules(const struct bh_compiled *a, const struct bh_compiled *b)
{
	assert_int_equal(bh_compiled_rules_count(a), bh_compiled_rules_count(b));
	for (size_t i = 0; i < bh_compiled_rules_count(a); i++) {
		const struct bh_rule *x = bh_compiled_rule(a, i), *y = bh_compiled_rule(b, i);

		assert_string_equal(x->id, y->id);
		assert_string_equal(x->json, y->json);
		assert_true(!x->from == !y->from);
		assert_int_equal(y->loc.line, 0);
	}
}

static void assert_same(const struct bh_compiled *a, const struct bh_compiled *b)
{
	struct bh_compiled_size x, y;

	assert_int_equal(bh_policy_bytes(bh_compiled_tables(a)), bh_policy_bytes(bh_compiled_tables(b)));
	assert_memory_equal(bh_compiled_tables(a), bh_compiled_tables(b), bh_policy_bytes(bh_compiled_tables(a)));
	assert_string_equal(bh_compiled_json(a, NULL), bh_compiled_json(b, NULL));
	assert_string_equal(bh_compiled_hash(a), bh_compiled_hash(b));
	assert_string_equal(bh_compiled_name(a), bh_compiled_name(b));
	for (unsigned int t = 1; bh_compiled_tool_name(a, t); t++)
		assert_string_equal(bh_compiled_tool_name(a, t), bh_compiled_tool_name(b, t));
	bh_compiled_sizes(a, &x);
	bh_compiled_sizes(b, &y);
	assert_memory_equal(&x, &y, sizeof(x));
	assert_same_rules(a, b);
}

static char *first_pattern(const struct bh_compiled *compiled)
{
	size_t i = 0;

	while (!bh_rule_has_pattern(bh_compiled_rule(compiled, i)))
		i++;
	return (char *)(uintptr_t)bh_compiled_rule(compiled, i)->path;
}

/* Writes, reads, writes; both ways with the second name for a path, too. */
static void assert_round_trip(const struct bh_source_policy *policy, const struct bh_shipped *shipped,
			      const struct bh_compiled *compiled)
{
	struct bh_alias alias = { first_pattern(compiled), (char *)(uintptr_t) "/elsewhere/x" };
	struct bh_aliases aliases = { &alias, 1 };
	struct bytes first = bytes_of(compiled), second;
	struct bh_source_policy *restored;
	struct bh_compiled *read, *by_source, *by_artifact;
	struct bh_err err;

	read = bytes_read(&first, shipped, &restored, &err);
	if (!read)
		print_error("%s\n%s\n", err.text, bh_compiled_json(compiled, NULL));
	assert_non_null(read);
	assert_same(compiled, read);
	second = bytes_of(read);
	assert_int_equal(first.length, second.length);
	assert_memory_equal(first.at, second.at, first.length);
	by_source = build_compile(policy, shipped, &aliases, NULL);
	by_artifact = build_compile(restored, shipped, &aliases, NULL);
	assert_same(by_source, by_artifact);
	bh_compiled_free(by_source);
	bh_compiled_free(by_artifact);
	bh_compiled_free(read);
	bh_source_policy_free(restored);
	free(first.at);
	free(second.at);
}

/* Limits too, whether the policy gives them or says nothing: the defaults are not written down. */
static void assert_same_limits(const struct bh_source_policy *policy, const struct bh_shipped *shipped,
			       const struct bh_compiled *compiled)
{
	struct bytes bytes = bytes_of(compiled);
	struct bh_source_policy *restored = NULL;
	struct bh_err err;
	struct bh_compiled *read = bytes_read(&bytes, shipped, &restored, &err);

	assert_non_null(read);
	for (unsigned int cap = 1; cap < BH_CAPS; cap++)
		assert_int_equal(restored->resources.caps[cap].value, policy->resources.caps[cap].value);
	bh_compiled_free(read);
	bh_source_policy_free(restored);
	free(bytes.at);
}

static void example_round_trip(const char *path)
{
	struct bh_shipped *shipped = NULL;
	struct bh_source_policy *policy = NULL;
	struct bh_compiled *compiled = NULL;
	struct bh_err err = { 0 };
	struct bh_diags *diags;
	char *text = NULL;
	size_t length = 0;

	unsetenv("SUDO_UID");
	assert_int_equal(bh_shipped_load(&shipped, &err), 0);
	if (bh_source_read(path, BH_SOURCE_MAX, &text, &length, &err))
		fail_msg("%s: %s", path, err.text);
	diags = bh_diags_new(path, text, length);
	assert_int_equal(bh_policy_parse(text, length, shipped, diags, &policy), 0);
	assert_int_equal(bh_compile(policy, shipped, NULL, diags, &compiled), 0);
	assert_round_trip(policy, shipped, compiled);
	assert_same_limits(policy, shipped, compiled);
	bh_compiled_free(compiled);
	bh_source_policy_free(policy);
	bh_diags_free(diags);
	bh_shipped_free(shipped);
	free(text);
}

static void the_examples_are_read_back_as_they_were(void **state)
{
	example_round_trip("rules/examples/quickstart.yaml");
	example_round_trip("rules/examples/coding-agent.yaml");
}

static void a_small_policy_is_read_back_as_it_was(void **state)
{
	struct bh_source_policy policy = small();
	struct bh_compiled *compiled = build_compile(&policy, NULL, NULL, NULL);

	assert_round_trip(&policy, NULL, compiled);
	bh_compiled_free(compiled);
}

/* Few names, so that patterns meet each other. */
static char *random_paths(const char *root, unsigned int most)
{
	static const char *const names[] = { "a", "b", "ab", "a*", "?b", "**", "c c", "*" };
	static char texts[512][256];
	static unsigned int used;
	char *text = texts[used++ % 512], *at = text;

	*text = '\0';
	for (unsigned int i = whole_roll(most + 1); i > 0; i--) {
		at += sprintf(at, "%s%s", at > text ? " " : "", root);
		for (unsigned int depth = 1 + whole_roll(3); depth > 0; depth--) {
			const char *name = names[whole_roll(6)];

			at += sprintf(at, "/%s", name);
		}
	}
	return text;
}

static const char *const tool_names[] = { "t-main", "a", "b", "zz" };

static char *random_tools(void)
{
	static char texts[64][32];
	static unsigned int used;
	char *text = texts[used++ % 64];

	*text = '\0';
	for (unsigned int t = 0; t < 4; t++)
		if (whole_roll(3) == 0)
			sprintf(text + strlen(text), "%s%s", *text ? " " : "", tool_names[t]);
	return text;
}

static bool random_round_trip(const struct bh_shipped *shipped)
{
	static struct bh_tool tools[4];
	static struct bh_destination destinations[3];
	static char codes[2][8] = { "W211", "W140" }, way[] = "tools.x[0]", why[] = "\"so\"";
	static struct bh_acceptance accepted[2] = {
		{ .code.text = codes[0], .at.text = way, .reason.text = why },
		{ .code.text = codes[1], .at.text = way, .reason.text = why },
	};
	static struct bh_lift lifts[2];
	static const char *const guards[] = { "g", "h", "below" };
	static const char *const reaches[] = { "", "x", "y x", "x y z" };
	unsigned int count = 1 + whole_roll(4);
	struct bh_source_policy policy;
	struct bh_compiled *compiled;
	struct bh_diags *diags;

	for (unsigned int t = 0; t < count; t++) {
		char binary[16];

		snprintf(binary, sizeof(binary), "/bin/%u", t);
		tools[t] = build_tool((struct build_tool){ .name = tool_names[t],
							   .binaries = binary,
							   .helpers = whole_roll(2) ? "/lib/h /lib/k/**" : "",
							   .may_run = random_tools(),
							   .read = random_paths("/r", 5),
							   .write = random_paths("/w", 3),
							   .reach = reaches[whole_roll(4)] });
	}
	for (unsigned int d = 0; d < 3; d++)
		whole_destination(&destinations[d], (const char *[]){ "x", "y", "z" }[d]);
	for (unsigned int t = 0; t < count; t++)
		whole_tool(&tools[t]);
	policy = build_policy(tools, count);
	whole_policy(&policy);
	policy.presets = build_words(whole_roll(2) ? "base" : "");
	policy.destinations = destinations;
	policy.destinations_count = 3;
	policy.never_read = build_words(random_paths("/r", 2));
	policy.never_write = build_words(random_paths("/w", 2));
	policy.never_run = build_words(whole_roll(2) ? "/lib/k/x /usr/**" : "");
	lifts[0] = (struct bh_lift){ build_word(guards[whole_roll(3)]), build_word("a \\ and a \"") };
	lifts[1] = (struct bh_lift){ build_word(strcmp(lifts[0].guard.text, "g") ? "g" : "h"), build_word("x") };
	policy.lifts = lifts;
	policy.lifts_count = whole_roll(3);
	policy.acceptances = accepted; /* without places: never asked for */
	policy.acceptances_count = whole_roll(3);
	for (unsigned int t = 0; t < count; t++) /* names of tools that this policy does not have */
		for (size_t i = tools[t].may_run.count; i > 0; i--)
			for (unsigned int missing = count; missing < 4; missing++)
				if (!strcmp(tools[t].may_run.items[i - 1].text, tool_names[missing]))
					tools[t].may_run.items[i - 1] = build_word(tool_names[0]);
	compiled = build_compile(&policy, shipped, NULL, &diags);
	if (compiled)
		assert_round_trip(&policy, shipped, compiled);
	bh_compiled_free(compiled);
	bh_diags_free(diags);
	return compiled != NULL;
}

static void random_policies_are_read_back_as_they_were(void **state)
{
	static char base[] = "base";
	struct bh_preset preset = { base, 3, build_words("/usr/lib/** /etc/x /proc/self/stat /proc/stat"),
				    build_words("/dev/null /proc/self/comm") };
	struct bh_prohibition floor = { build_word("f"), build_words("/dev/mem"), build_words("/dev/mem") };
	struct bh_prohibition guards[] = { { build_word("g"), build_words("/r/?/b"), build_words("/w/*/b/**") },
					   { build_word("h"), build_words("/r/?/a"), build_words("/r/b") },
					   { build_word("below"), build_words("/.key"), build_words("/.git/**"),
					     true } };
	struct bh_shipped shipped = { &preset, 1, &floor, 1, guards, 3, NULL, 0, 7 };
	unsigned int made = 0;
	size_t kept = build_used;

	for (unsigned int i = 0; i < 300; i++) {
		build_used = kept;
		whole_begin();
		made += random_round_trip(&shipped);
	}
	print_message("%u of 300 random policies compile\n", made);
	assert_true(made > 100);
}

static void every_flipped_bit_is_refused(void **state)
{
	struct bh_source_policy policy = small();
	struct bh_compiled *compiled = build_compile(&policy, NULL, NULL, NULL);
	struct bytes file = bytes_of(compiled);
	struct bh_err err;

	for (size_t i = 0; i < file.length; i++)
		for (unsigned int bit = 0; bit < 8; bit++) {
			file.at[i] ^= (uint8_t)(1u << bit);
			if (bytes_read(&file, NULL, NULL, &err))
				fail_msg("bit %u of byte %zu makes no difference", bit, i);
			file.at[i] ^= (uint8_t)(1u << bit);
		}
	print_message("%zu bytes\n", file.length);
	bh_compiled_free(compiled);
	free(file.at);
}

static void a_flipped_bit_with_hashes_that_fit_is_refused(void **state)
{
	struct bh_source_policy policy = small();
	struct bh_compiled *compiled = build_compile(&policy, NULL, NULL, NULL);
	struct bytes file = bytes_of(compiled), sealed;
	struct bh_err err;

	for (size_t i = BH_ARTIFACT_HEADER_BYTES; i < file.length; i++) {
		sealed = bytes_copy(&file);
		sealed.at[i] ^= (uint8_t)(1u << i % 8);
		bytes_seal(&sealed);
		if (bytes_read(&sealed, NULL, NULL, &err))
			fail_msg("byte %zu makes no difference", i);
		free(sealed.at);
	}
	bh_compiled_free(compiled);
	free(file.at);
}

static void every_cut_is_refused(void **state)
{
	struct bh_source_policy policy = small();
	struct bh_compiled *compiled = build_compile(&policy, NULL, NULL, NULL);
	struct bytes file = bytes_of(compiled);
	struct bh_err err;

	/* also with length and hashes that fit */
	for (size_t length = 0; length < file.length; length++) {
		struct bytes part = bytes_copy(&(struct bytes){ file.at, length });

		assert_null(bytes_read(&part, NULL, NULL, &err));
		bytes_seal(&part);
		assert_null(bytes_read(&part, NULL, NULL, &err));
		free(part.at);
	}
	bh_compiled_free(compiled);
	free(file.at);
}

static void only_what_begins_like_one_is_taken_for_an_artifact(void **state)
{
	assert_true(bh_artifact_is("BHPOL\0\0\1", 8));
	assert_true(bh_artifact_is("BHPOLxxx", 8));
	assert_false(bh_artifact_is("BHPO", 4));
	assert_false(bh_artifact_is("", 0));
	assert_false(bh_artifact_is("apiVersion: x", 13));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_examples_are_read_back_as_they_were),
		cmocka_unit_test(a_small_policy_is_read_back_as_it_was),
		cmocka_unit_test(random_policies_are_read_back_as_they_were),
		cmocka_unit_test(every_flipped_bit_is_refused),
		cmocka_unit_test(a_flipped_bit_with_hashes_that_fit_is_refused),
		cmocka_unit_test(every_cut_is_refused),
		cmocka_unit_test(only_what_begins_like_one_is_taken_for_an_artifact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
