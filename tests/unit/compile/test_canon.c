// SPDX-License-Identifier: GPL-2.0-only
/* The canonical form of all that a policy can say, and that nothing but meaning decides about it. */
#include "tests/unit/compile/bytes.h"
#include "tests/unit/compile/full.h"
#include "tests/unit/compile/whole.h"

#include "base/cleanup.h"
#include "compile/canon_parts.h"
#include "compile/order.h"

#define GOLDEN "tests/unit/compile/full.policy.json"

/* The recorded form, in which a rule has a line of its own, without the line ends. */
static char *recorded(void)
{
	BH_FCLOSE FILE *in = fopen(GOLDEN, "r");
	char *text = calloc(1, 65536);
	size_t used = 0;
	int byte;

	assert_non_null(in);
	assert_non_null(text);
	while ((byte = fgetc(in)) != EOF && used < 65535)
		if (byte != '\n')
			text[used++] = (char)byte;
	return text;
}

static void the_whole_language_has_its_golden_form(void **state)
{
	struct bh_shipped shipped;
	struct bh_source_policy policy = full_policy(&shipped);
	struct bh_compiled *compiled = build_compile(&policy, &shipped, NULL, NULL);
	char *golden = recorded();

	assert_string_equal(bh_compiled_json(compiled, NULL), golden);
	bh_compiled_free(compiled);
	free(golden);
}

static void what_says_nothing_is_left_out(void **state)
{
	struct bh_tool tools[1] = { build_tool((struct build_tool){ .name = "job", .binaries = "/bin/job" }) };
	struct bh_source_policy policy = build_policy(tools, 1);
	struct bh_compiled *plain = build_compile(&policy, NULL, NULL, NULL), *same;

	/* all of it is what holds anyway */
	policy.procfs = tools[0].procfs = BH_PROCFS_OWN;
	policy.dns = (struct bh_dns){ .names = BH_DNS_NONE };
	policy.privileges.given = true;
	policy.modes[BH_CLASS_FILES] = BH_MODE_ENFORCE;
	policy.unix_sockets.given = tools[0].unix_sockets.given = true;
	policy.respond[BH_CLASS_ARGS] = 0;
	tools[0].respond[BH_CLASS_EXEC] = BH_RESPOND_DENY;
	tools[0].respond[BH_CLASS_ARGS] = BH_RESPOND_TASK;
	same = build_compile(&policy, NULL, NULL, NULL);
	assert_string_equal(bh_compiled_json(plain, NULL), bh_compiled_json(same, NULL));
	bh_compiled_free(plain);
	bh_compiled_free(same);
}

static void limits_are_written_with_their_defaults(void **state)
{
	struct bh_resources resources = { .given = true };
	json_t *object = bh_canon_resources(&resources);
	char *text = bh_canon_text(object);

	assert_string_equal(text, "{\"caps\":{\"memory\":2147483648,\"open_files\":4096,\"pids\":512,\"swap\":0},"
				  "\"thresholds\":[]}");
	json_decref(object);
	free(text);
}

static void a_variable_with_two_values_is_refused(void **state)
{
	struct bh_pair pairs[] = { { build_word("A"), build_word("1") },
				   { build_word("B"), build_word("1") },
				   { build_word("A"), build_word("2") } };
	struct bh_tool tools[1] = { build_tool((struct build_tool){ .name = "job", .binaries = "/bin/job" }) };
	struct bh_source_policy policy = build_policy(tools, 1);

	tools[0].env = (struct bh_env){ .given = true, .require = { pairs, 3 } };
	assert_finding(&policy, NULL, "E101", "variable 'A' must have two different values", 0);
	pairs[2].value = build_word("1");
	assert_finding(&policy, NULL, "E101", NULL, 0);
}

static void texts_are_ordered_as_they_are_written(void **state)
{
	static const char bytes[] = "a\"\\ !#[]^b";

	whole_begin();
	for (unsigned int i = 0; i < 20000; i++) {
		char a[5] = "", b[5] = "";
		json_t *left, *right;
		char *x, *y;

		for (unsigned int k = whole_roll(5); k > 0; k--)
			a[k - 1] = bytes[whole_roll(sizeof(bytes) - 1)];
		for (unsigned int k = whole_roll(5); k > 0; k--)
			b[k - 1] = bytes[whole_roll(sizeof(bytes) - 1)];
		left = json_string(a);
		right = json_string(b);
		x = bh_canon_text(left);
		y = bh_canon_text(right);
		assert_int_equal(bh_order_texts(a, b) < 0, strcmp(x, y) < 0);
		assert_int_equal(bh_order_texts(a, b) > 0, strcmp(x, y) > 0);
		json_decref(left);
		json_decref(right);
		free(x);
		free(y);
	}
}

/* ---- Order ---- */

static void shuffle(void *items, size_t count, size_t size)
{
	uint8_t *at = items, one[1024];

	assert_true(size <= sizeof(one));
	for (size_t i = count; i > 1; i--) {
		size_t k = whole_roll((unsigned int)i);

		memcpy(one, at + k * size, size);
		memmove(at + k * size, at + (i - 1) * size, size);
		memcpy(at + (i - 1) * size, one, size);
	}
}
#define SHUFFLE(list) shuffle((list).items, (list).count, sizeof(*(list).items))

static void shuffle_unix(struct bh_unix *sockets)
{
	SHUFFLE(sockets->connect);
	SHUFFLE(sockets->listen);
	SHUFFLE(sockets->abstract);
}

static void shuffle_tool(struct bh_tool *tool)
{
	for (size_t i = 0; i < tool->args_count; i++) {
		SHUFFLE(tool->args[i].first);
		SHUFFLE(tool->args[i].options);
		SHUFFLE(tool->args[i].require);
		SHUFFLE(tool->args[i].refuse);
	}
	shuffle(tool->args, tool->args_count, sizeof(*tool->args));
	SHUFFLE(tool->env.keep);
	SHUFFLE(tool->env.require);
	SHUFFLE(tool->binaries);
	SHUFFLE(tool->may_run);
	SHUFFLE(tool->helpers);
	SHUFFLE(tool->read);
	SHUFFLE(tool->write);
	SHUFFLE(tool->load);
	SHUFFLE(tool->reach);
	SHUFFLE(tool->listen);
	shuffle_unix(&tool->unix_sockets);
}

static void shuffle_policy(struct bh_source_policy *policy)
{
	for (size_t i = 0; i < policy->tools_count; i++)
		shuffle_tool(&policy->tools[i]);
	for (size_t i = 0; i < policy->destinations_count; i++) {
		SHUFFLE(policy->destinations[i].hosts);
		SHUFFLE(policy->destinations[i].cidrs);
		SHUFFLE(policy->destinations[i].resolves_to);
		SHUFFLE(policy->destinations[i].ports);
	}
	shuffle(policy->tools, policy->tools_count, sizeof(*policy->tools));
	shuffle(policy->destinations, policy->destinations_count, sizeof(*policy->destinations));
	for (size_t i = 0; i < policy->select.count; i++)
		shuffle(policy->select.any[i].terms, policy->select.any[i].count, sizeof(struct bh_select_term));
	shuffle(policy->select.any, policy->select.count, sizeof(*policy->select.any));
	SHUFFLE(policy->attach);
	SHUFFLE(policy->workspaces);
	SHUFFLE(policy->never_read);
	SHUFFLE(policy->never_reach);
	SHUFFLE(policy->dns.resolvers);
	shuffle_unix(&policy->unix_sockets);
	SHUFFLE(policy->privileges.capabilities);
	SHUFFLE(policy->privileges.allow);
	shuffle(policy->resources.thresholds, policy->resources.thresholds_count,
		sizeof(*policy->resources.thresholds));
}

static struct bh_source_policy random_policy(void)
{
	static struct bh_tool tools[3];
	static struct bh_destination destinations[3];
	static const char *const names[] = { "one", "two", "three" };
	struct bh_source_policy policy;

	for (unsigned int t = 0; t < 3; t++) {
		static char binaries[3][32];

		sprintf(binaries[t], "/bin/%u /bin/x%u", t, t);
		tools[t] = build_tool((struct build_tool){ .name = names[t],
							   .binaries = binaries[t],
							   .helpers = "/lib/a /lib/b*",
							   .may_run = "one two three",
							   .read = "/r/a /r/b /r/*c",
							   .write = "/w/a /w/**",
							   .reach = "x y z" });
		whole_tool(&tools[t]);
	}
	for (unsigned int d = 0; d < 3; d++)
		whole_destination(&destinations[d], (const char *[]){ "x", "y", "z" }[d]);
	policy = build_policy(tools, 3);
	whole_policy(&policy);
	policy.destinations = destinations;
	policy.destinations_count = 3;
	policy.never_read = build_words("/n/a /n/b /n/*");
	return policy;
}

static void the_order_of_sets_changes_not_one_byte(void **state)
{
	size_t kept = build_used;

	for (unsigned int i = 0; i < 100; i++) {
		struct bh_source_policy policy;
		struct bh_compiled *compiled;
		struct bytes first, second;

		build_used = kept;
		whole_begin();
		policy = random_policy();
		compiled = build_compile(&policy, NULL, NULL, NULL);
		first = bytes_of(compiled);
		bh_compiled_free(compiled);
		shuffle_policy(&policy);
		compiled = build_compile(&policy, NULL, NULL, NULL);
		second = bytes_of(compiled);
		assert_int_equal(first.length, second.length);
		assert_memory_equal(first.at, second.at, first.length);
		bh_compiled_free(compiled);
		free(first.at);
		free(second.at);
	}
}

static void the_order_of_an_exact_command_line_is_kept(void **state)
{
	struct bh_args_clause clauses[2] = { { .kind = BH_ARGS_EXACT, .exact = build_words("b a b") },
					     { .kind = BH_ARGS_EXACT, .exact = build_words("a b b") } };
	struct bh_tool tools[1] = { build_tool((struct build_tool){ .name = "job", .binaries = "/bin/job" }) };
	struct bh_source_policy policy = build_policy(tools, 1);
	struct bh_compiled *compiled;

	tools[0].args_given = true;
	tools[0].args = clauses;
	tools[0].args_count = 2;
	compiled = build_compile(&policy, NULL, NULL, NULL);
	assert_non_null(strstr(bh_compiled_json(compiled, NULL),
			       "\"args\":[{\"exact\":[\"a\",\"b\",\"b\"]},{\"exact\":[\"b\",\"a\",\"b\"]}]"));
	bh_compiled_free(compiled);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_whole_language_has_its_golden_form),
		cmocka_unit_test(what_says_nothing_is_left_out),
		cmocka_unit_test(limits_are_written_with_their_defaults),
		cmocka_unit_test(a_variable_with_two_values_is_refused),
		cmocka_unit_test(texts_are_ordered_as_they_are_written),
		cmocka_unit_test(the_order_of_sets_changes_not_one_byte),
		cmocka_unit_test(the_order_of_an_exact_command_line_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
