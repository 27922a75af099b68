/* SPDX-License-Identifier: GPL-2.0-only */
/* What a valid policy becomes, and what hostile input costs. The wording of findings is in test_messages.c. */
#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "policy/limits.h"
#include "policy/node.h"
#include "policy/parse.h"

static struct bh_shipped *shipped;

static int load_shipped(void **state)
{
	struct bh_err err = { 0 };

	return bh_shipped_load(&shipped, &err);
}

static int free_shipped(void **state)
{
	bh_shipped_free(shipped);
	return 0;
}

#define HEAD                                                                                                           \
	"apiVersion: bulkhead.dev/v1\n"                                                                                \
	"kind: SandboxPolicy\n"

static struct bh_source_policy *parse_valid(const char *text)
{
	struct bh_diags *diags = bh_diags_new("p", text, strlen(text));
	struct bh_source_policy *policy = NULL;
	int r = bh_policy_parse(text, strlen(text), shipped, diags, &policy);

	if (r < 0)
		bh_diags_print(diags, stderr, false);
	bh_diags_free(diags);
	assert_int_equal(r, 0);
	return policy;
}

static void every_field_arrives_in_the_model(void **state)
{
	struct bh_source_policy *policy = parse_valid(
		HEAD "metadata: {name: full, description: 'two\n  lines', owner: me, ticket: T-1}\n"
		     "spec:\n"
		     "  mode: observe\n"
		     "  presets: [base, tls-roots]\n"
		     "  entry: one\n"
		     "  tools:\n"
		     "    one:\n"
		     "      binaries: [/usr/bin/a, {path: /usr/bin/b}]\n"
		     "      may_run: [two]\n"
		     "      helpers: [/usr/lib/x/**]\n"
		     "      files: {read: [/r], write: [/w/**]}\n"
		     "      reach: [net]\n"
		     "    two: {binaries: [/usr/bin/c]}\n"
		     "  egress: {destinations: {net: {cidrs: [10.2.0.0/16, '2001:db8::/48'], ports: ['80', 90-99]}}}\n"
		     "  respond: {exec: kill, floor: deny}\n");
	const struct bh_tool *one = &policy->tools[0];
	const struct bh_destination *net = &policy->destinations[0];

	assert_string_equal(policy->name.text, "full");
	assert_string_equal(policy->description.text, "two lines");
	assert_string_equal(policy->ticket.text, "T-1");
	assert_int_equal(policy->mode, BH_MODE_OBSERVE);
	assert_int_equal(policy->presets.count, 2);
	assert_string_equal(policy->entry.text, "one");
	assert_int_equal(policy->tools_count, 2);
	assert_int_equal(one->binaries.count, 2);
	assert_string_equal(one->binaries.items[0].word.text, "/usr/bin/a");
	assert_string_equal(one->binaries.items[1].word.text, "/usr/bin/b");
	assert_int_equal(one->binaries.items[1].word.loc.line, 11);
	assert_int_equal(one->binaries.items[1].word.loc.column, 37);
	assert_string_equal(one->may_run.items[0].text, "two");
	assert_string_equal(one->helpers.items[0].text, "/usr/lib/x/**");
	assert_string_equal(one->read.items[0].text, "/r");
	assert_string_equal(one->write.items[0].text, "/w/**");
	assert_string_equal(one->reach.items[0].text, "net");
	assert_int_equal(net->cidrs.count, 2);
	assert_int_equal(net->cidrs.items[0].family, 4);
	assert_int_equal(net->cidrs.items[0].prefix, 16);
	assert_memory_equal(net->cidrs.items[0].bytes, "\x0a\x02\0\0", 4);
	assert_int_equal(net->cidrs.items[1].family, 6);
	assert_int_equal(net->ports.count, 2);
	assert_int_equal(net->ports.items[1].low, 90);
	assert_int_equal(net->ports.items[1].high, 99);
	assert_int_equal(net->protocol, IPPROTO_TCP);
	assert_int_equal(policy->respond[BH_CLASS_EXEC], BH_VERDICT_KILL);
	assert_int_equal(policy->respond[BH_CLASS_FLOOR], BH_VERDICT_DENY);
	bh_source_policy_free(policy);
}

static void what_is_not_said_has_the_documented_default(void **state)
{
	struct bh_source_policy *policy =
		parse_valid(HEAD "metadata: {name: x}\nspec: {entry: a, tools: {a: {binaries: [/usr/bin/a]}}}\n");

	assert_int_equal(policy->mode, BH_MODE_ENFORCE);
	assert_null(policy->description.text);
	assert_int_equal(policy->presets.count, 0);
	assert_int_equal(policy->destinations_count, 0);
	assert_int_equal(policy->respond[BH_CLASS_FLOOR], BH_VERDICT_KILL);
	assert_int_equal(policy->respond[BH_CLASS_EXEC], BH_VERDICT_DENY);
	assert_int_equal(policy->respond[BH_CLASS_FILES], BH_VERDICT_DENY);
	assert_int_equal(policy->respond[BH_CLASS_NETWORK], BH_VERDICT_DENY);
	assert_int_equal(policy->respond[BH_CLASS_PRIVILEGES], BH_VERDICT_KILL);
	bh_source_policy_free(policy);
}

static void words_that_yaml_would_type_stay_words(void **state)
{
	struct bh_source_policy *policy = parse_valid(HEAD
						      "metadata: {name: no, owner: 0777, ticket: ~}\n"
						      "spec: {entry: on, tools: {on: {binaries: [/usr/bin/a]}}}\n");

	assert_string_equal(policy->name.text, "no");
	assert_string_equal(policy->owner.text, "0777");
	assert_string_equal(policy->ticket.text, "~");
	bh_source_policy_free(policy);
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/*
 * Refuses the text, prints the findings, and takes less processor time than a sanitised build on a slow machine may: five
 * seconds and a millisecond for each KiB.
 */
static void expect_refused(const char *text, size_t length, const char *code)
{
	uint64_t start = now_ms();
	struct bh_diags *diags = bh_diags_new("p", text, length);
	struct bh_source_policy *policy = NULL;
	BH_FREE char *printed = NULL;
	size_t printed_length;
	FILE *out = open_memstream(&printed, &printed_length);

	assert_int_equal(bh_policy_parse(text, length, shipped, diags, &policy), -EINVAL);
	assert_null(policy);
	bh_diags_print(diags, out, false);
	fclose(out);
	if (!strstr(printed, code))
		fail_msg("no %s in: %.2000s", code, printed);
	for (size_t i = 0; i < printed_length; i++)
		assert_true(printed[i] == '\n' || (printed[i] >= 0x20 && printed[i] < 0x7f));
	bh_diags_free(diags);
	assert_in_range(now_ms() - start, 0, 5000 + length / 1024);
}

static void expect_repeated(size_t most, const char *head, const char *piece, const char *code)
{
	BH_FREE char *text = calloc(1, most + 1);
	size_t length = strlen(head), piece_length = strlen(piece);

	assert_non_null(text);
	memcpy(text, head, length);
	while (length + piece_length <= most) {
		memcpy(text + length, piece, piece_length);
		length += piece_length;
	}
	expect_refused(text, length, code);
}

static void expect_refused_repeated(const char *head, const char *piece, const char *code)
{
	expect_repeated(256 * 1024, head, piece, code);
}

static void a_source_over_the_limit_is_refused_unread(void **state)
{
	BH_FREE char *text = malloc(BH_SOURCE_MAX + 1);

	memset(text, '#', BH_SOURCE_MAX + 1);
	expect_refused(text, BH_SOURCE_MAX + 1, "E104");
	expect_refused(text, BH_SOURCE_MAX, "E105");
}

static void a_quarter_mebibyte_of_anything_is_refused_in_bounded_time(void **state)
{
	expect_refused_repeated("", "[", "E104");
	expect_refused_repeated("", "{a: ", "E104");
	expect_refused_repeated("", "- ", "E104");
	expect_refused_repeated("", "? ", "E104");
	expect_refused_repeated("", "[\n", "E104");
	expect_refused_repeated("a:\n", "- &a *a\n", "E103");
	expect_refused_repeated("a: [", "*a,", "E103");
	expect_refused_repeated("", "a: b\n", "E101");
	expect_refused_repeated("a: \"", "\\u202e", "E100");
	expect_refused_repeated("a: ", "x", "E110");
	expect_refused_repeated("", "x", "E106");
	expect_refused_repeated("", "x\n", "E106");
	expect_refused_repeated("", "---\n", "E105");
	expect_refused_repeated("", "\r\n", "E102");
	expect_refused_repeated("", "\t", "E102");
	expect_refused_repeated("", "\xe2\x80\xae", "E102");
	expect_refused_repeated("", "\xff", "E102");
	expect_refused_repeated("", "!!a ", "E100");
	expect_refused_repeated("a: |\n", " x\n", "E110");
	expect_refused_repeated("%TAG ! a\n", "%TAG !a! b\n", "E100");
	expect_refused_repeated(HEAD "metadata: {name: a}\nspec: {entry: a, tools: {a: {binaries: [", "/a,", "E100");
}

static void the_largest_source_is_refused_in_bounded_time(void **state)
{
	expect_repeated(BH_SOURCE_MAX, "", "a: b\n", "E104");
	expect_repeated(BH_SOURCE_MAX, "a: [", "b,", "E104");
	expect_repeated(BH_SOURCE_MAX, "a: [", "*a,", "E103");
	expect_repeated(BH_SOURCE_MAX, "a: ", "x", "E110");
	expect_repeated(BH_SOURCE_MAX, "", "[", "E104");
}

static void a_nul_byte_is_refused_and_hides_nothing(void **state)
{
	static const char text[] = HEAD "metadata: {name: a}\n\0spec: hidden\n";

	expect_refused(text, sizeof(text) - 1, "E102");
	expect_refused("", 0, "E105");
	expect_refused("\0", 1, "E102");
}

static char *many_keys(const char *prefix, unsigned int count, size_t *ret_length)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, ret_length);

	fputs(prefix, out);
	for (unsigned int i = 0; i < count; i++)
		fprintf(out, "k%u:\n", i * 7919 % count);
	fclose(out);
	return text;
}

static void a_hundred_thousand_keys_are_compared_in_bounded_time(void **state)
{
	struct bh_document document = { 0 };
	size_t length;
	BH_FREE char *text = many_keys("", 100000, &length), *unknown = NULL;
	struct bh_diags *diags = bh_diags_new("p", text, length);
	uint64_t start = now_ms();

	assert_int_equal(bh_document_parse(text, length, diags, &document), 0);
	assert_int_equal(bh_diags_errors(diags), 0);
	assert_int_equal(document.root->count, 100000);
	bh_document_done(&document);
	bh_diags_free(diags);
	assert_in_range(now_ms() - start, 0, 5000);
	unknown = many_keys(HEAD, 30000, &length);
	expect_refused(unknown, length, "E110");
}

static void a_path_list_longer_than_the_limit_is_said_once(void **state)
{
	BH_FREE char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	struct bh_diags *diags;
	struct bh_source_policy *policy = NULL;

	fputs(HEAD "metadata: {name: a}\nspec: {entry: a, tools: {a: {binaries: [/usr/bin/a], files: {read: [", out);
	for (int i = 0; i < (int)BH_PATTERNS_LIMIT + 2000; i++)
		fprintf(out, "%s/srv/%d", i ? "," : "", i);
	fputs("]}}}}\n", out);
	fclose(out);
	diags = bh_diags_new("p", text, length);
	assert_int_equal(bh_policy_parse(text, length, shipped, diags, &policy), -EINVAL);
	assert_int_equal(bh_diags_errors(diags), 1);
	assert_string_equal(bh_diags_get(diags, 0)->code, "E113");
	bh_diags_free(diags);
}

static void freeing_nothing_is_fine(void **state)
{
	bh_source_policy_free(NULL);
	bh_shipped_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_arrives_in_the_model),
		cmocka_unit_test(what_is_not_said_has_the_documented_default),
		cmocka_unit_test(words_that_yaml_would_type_stay_words),
		cmocka_unit_test(a_source_over_the_limit_is_refused_unread),
		cmocka_unit_test(a_quarter_mebibyte_of_anything_is_refused_in_bounded_time),
		cmocka_unit_test(the_largest_source_is_refused_in_bounded_time),
		cmocka_unit_test(a_nul_byte_is_refused_and_hides_nothing),
		cmocka_unit_test(a_hundred_thousand_keys_are_compared_in_bounded_time),
		cmocka_unit_test(a_path_list_longer_than_the_limit_is_said_once),
		cmocka_unit_test(freeing_nothing_is_fine),
	};

	return cmocka_run_group_tests(tests, load_shipped, free_shipped);
}
