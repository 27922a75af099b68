/* SPDX-License-Identifier: GPL-2.0-only */
/* A model that is edited means the same as the text that is edited. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "compile/compile.h"
#include "policy/edit.h"
#include "policy/parse.h"

static struct bh_shipped *shipped;

static int set_up(void **state)
{
	return bh_shipped_load(&shipped, NULL);
}

static int tear_down(void **state)
{
	bh_shipped_free(shipped);
	return 0;
}

#define HEAD "apiVersion: bulkhead.dev/v1\nkind: SandboxPolicy\nmetadata: {name: sample}\nspec:\n  entry: a\n"

static const char text_flow[] = HEAD
	"  tools:\n"
	"    a: {binaries: [/bin/a, {path: /bin/a2}], may_run: [git], helpers: [/bin/h, /bin/g], files: {read: [/r/**, /s]}}\n"
	"    git: {binaries: [/bin/git], reach: [d]} # remote\n"
	"    c: {binaries: [/bin/c]}\n"
	"  never: {write: [/n]}\n"
	"  egress: {destinations: {d: {cidrs: [10.0.0.0/8, \"2001:db8::/32\"], ports: [443, 8000-8010]}}}\n";

static const char text_block[] = HEAD "  tools:\n"
				      "    a:\n"
				      "      binaries:\n"
				      "        - /bin/a\n"
				      "        - path: /bin/a2 # the second\n"
				      "      may_run:\n"
				      "        - git\n"
				      "      helpers:\n"
				      "        # all of them\n"
				      "        - /bin/h\n"
				      "        - /bin/g\n"
				      "      files:\n"
				      "        read:\n"
				      "          - /r/**\n"
				      "          - /s\n"
				      "    git:\n"
				      "      binaries:\n"
				      "        - /bin/git\n"
				      "      reach:\n"
				      "        - d\n"
				      "    c:\n"
				      "      binaries:\n"
				      "        - /bin/c\n"
				      "  never:\n"
				      "    write:\n"
				      "      - /n\n"
				      "  egress:\n"
				      "    destinations:\n"
				      "      d:\n"
				      "        cidrs:\n"
				      "          - 10.0.0.0/8\n"
				      "          - 2001:db8::/32\n"
				      "        ports: [443, 8000-8010]\n";

static struct bh_source_policy *parse(const char *text)
{
	struct bh_diags *diags = bh_diags_new("p", text, strlen(text));
	struct bh_source_policy *policy = NULL;

	assert_non_null(diags);
	if (bh_policy_parse(text, strlen(text), shipped, diags, &policy)) {
		bh_diags_print(diags, stderr, false);
		fail_msg("%s", text);
	}
	bh_diags_free(diags);
	return policy;
}

/* The hash of a model; the caller frees it. */
static char *hash_of(const struct bh_source_policy *policy)
{
	struct bh_diags *diags = bh_diags_new("p", "", 0);
	struct bh_compiled *compiled = NULL;
	char *hash;

	assert_non_null(diags);
	if (bh_compile(policy, shipped, NULL, diags, &compiled)) {
		bh_diags_print(diags, stderr, false);
		fail_msg("it does not compile");
	}
	hash = strdup(bh_compiled_hash(compiled));
	bh_compiled_free(compiled);
	bh_diags_free(diags);
	return hash;
}

/* The edit in both ways; the hash changes unless it says nothing new. */
static void edit(const char *text, const struct bh_edit *edit, const char *described)
{
	struct bh_source_policy *before = parse(text), *copy = bh_source_policy_copy(before), *after;
	BH_CLEANUP(bh_buf_done) struct bh_buf words = { 0 };
	struct bh_buf out = { 0 };
	struct bh_err err = { 0 };
	BH_FREE char *old = hash_of(before);
	BH_FREE char *model = NULL;
	BH_FREE char *written = NULL;

	bh_edit_describe(edit, 0, &words);
	assert_string_equal((const char *)words.bytes, described);
	assert_int_equal(bh_edit_apply(copy, edit, 0), 0);
	model = hash_of(copy);
	if (bh_edit_text(text, strlen(text), edit, &out, &err))
		fail_msg("%s: %s", described, err.text);
	after = parse((const char *)out.bytes);
	written = hash_of(after);
	if (strcmp(model, written) != 0 || (strcmp(model, old) == 0 && edit->list != BH_EDIT_NEVER_REACH))
		fail_msg("%s\n%s", described, (const char *)out.bytes);
	bh_buf_done(&out);
	bh_source_policy_free(after);
	bh_source_policy_free(copy);
	bh_source_policy_free(before);
}

static const struct {
	struct bh_edit edit;
	const char *described;
} cases[] = {
	{ { BH_EDIT_BINARIES, false, "a", 0, "/bin/a2" }, "tools.a.binaries -= /bin/a2" },
	{ { BH_EDIT_BINARIES, true, "git", 0, "/bin/d" }, "tools.git.binaries += /bin/d" },
	{ { BH_EDIT_MAY_RUN, true, "a", 0, "c" }, "tools.a.may_run += c" },
	{ { BH_EDIT_MAY_RUN, true, "git", 0, "c" }, "tools.git.may_run += c" },
	{ { BH_EDIT_HELPERS, false, "a", 0, "/bin/g" }, "tools.a.helpers -= /bin/g" },
	{ { BH_EDIT_HELPERS, true, "git", 0, "/bin/x y" }, "tools.git.helpers += \"/bin/x y\"" },
	{ { BH_EDIT_READ, false, "a", 0, "/r/**" }, "tools.a.files.read -= /r/**" },
	{ { BH_EDIT_READ, true, "git", 0, "/r/**" }, "tools.git.files.read += /r/**" },
	{ { BH_EDIT_WRITE, true, "a", 0, "/r/f" }, "tools.a.files.write += /r/f" },
	{ { BH_EDIT_REACH, true, "c", 0, "d" }, "tools.c.reach += d" },
	{ { BH_EDIT_REACH, false, "git", 0, "d" }, "tools.git.reach -= d" },
	{ { BH_EDIT_CIDRS, false, "d", 0, "2001:db8:0::/32" }, "egress.destinations.d.cidrs -= 2001:db8:0::/32" },
	{ { BH_EDIT_CIDRS, true, "d", 0, "192.0.2.1/32" }, "egress.destinations.d.cidrs += 192.0.2.1/32" },
	{ { BH_EDIT_PORTS, false, "d", 0, "8000-8010" }, "egress.destinations.d.ports -= 8000-8010" },
	{ { BH_EDIT_PORTS, true, "d", 0, "80" }, "egress.destinations.d.ports += 80" },
	{ { BH_EDIT_NEVER_READ, true, NULL, 0, "/r/f" }, "never.read += /r/f" },
	{ { BH_EDIT_NEVER_WRITE, true, NULL, 0, "/r/f" }, "never.write += /r/f" },
	{ { BH_EDIT_NEVER_WRITE, false, NULL, 0, "/n" }, "never.write -= /n" },
	{ { BH_EDIT_NEVER_RUN, true, NULL, 0, "/bin/x" }, "never.run += /bin/x" },
};

static void text_and_model_agree(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		edit(text_flow, &cases[i].edit, cases[i].described);
		edit(text_block, &cases[i].edit, cases[i].described);
	}
}

static void a_destination_comes_and_goes_with_its_use(void **state)
{
	static const struct bh_edit edits[] = {
		{ BH_EDIT_DESTINATIONS, true, "new", 0, "192.0.2.1/32", 8443, IPPROTO_TCP },
		{ BH_EDIT_REACH, true, "c", 0, "new" },
		{ BH_EDIT_REACH, false, "git", 0, "d" },
		{ BH_EDIT_DESTINATIONS, false, "d", 0, "" },
	};
	static const char *const texts[] = { text_flow, text_block };

	for (size_t t = 0; t < 2; t++) {
		struct bh_source_policy *policy = parse(texts[t]), *after;
		struct bh_buf text = { 0 };
		BH_FREE char *model = NULL;
		BH_FREE char *written = NULL;

		bh_buf_add(&text, texts[t], strlen(texts[t]));
		for (uint32_t i = 0; i < 4; i++) {
			struct bh_buf next = { 0 };

			assert_int_equal(bh_edit_apply(policy, &edits[i], i), 0);
			assert_int_equal(bh_edit_text((char *)text.bytes, text.length, &edits[i], &next, NULL), 0);
			bh_buf_done(&text);
			text = next;
		}
		after = parse((const char *)text.bytes);
		model = hash_of(policy);
		written = hash_of(after);
		assert_string_equal(model, written);
		assert_int_equal(after->destinations_count, 1);
		assert_non_null(strstr((const char *)text.bytes, "{cidrs: [192.0.2.1/32], ports: [8443]}"));
		bh_source_policy_free(after);
		bh_source_policy_free(policy);
		bh_buf_done(&text);
	}
}

static void what_says_nothing_is_said(void **state)
{
	static const struct {
		struct bh_edit edit;
		int result;
	} wrong[] = {
		{ { BH_EDIT_HELPERS, true, "a", 0, "/bin/g" }, -EEXIST },
		{ { BH_EDIT_HELPERS, false, "a", 0, "/bin/x" }, -ENOENT },
		{ { BH_EDIT_HELPERS, true, "b", 0, "/bin/x" }, -ENOENT },
		{ { BH_EDIT_BINARIES, true, "a", 0, "/bin/a" }, -EEXIST },
		{ { BH_EDIT_BINARIES, false, "a", 0, "/bin/x" }, -ENOENT },
		{ { BH_EDIT_FIRST, true, "a", 0, "x" }, -ENOENT },
		{ { BH_EDIT_OPTIONS, true, "x", 0, "x" }, -ENOENT },
		{ { BH_EDIT_CIDRS, true, "d", 0, "10.0.0.0/8" }, -EEXIST },
		{ { BH_EDIT_CIDRS, false, "d", 0, "10.0.0.0/9" }, -ENOENT },
		{ { BH_EDIT_CIDRS, true, "d", 0, "10.0.0/9" }, -EINVAL },
		{ { BH_EDIT_PORTS, true, "d", 0, "443" }, -EEXIST },
		{ { BH_EDIT_PORTS, false, "d", 0, "80" }, -ENOENT },
		{ { BH_EDIT_PORTS, false, "d", 0, "x" }, -EINVAL },
		{ { BH_EDIT_DESTINATIONS, true, "d", 0, "192.0.2.1/32", 80, IPPROTO_TCP }, -EEXIST },
		{ { BH_EDIT_DESTINATIONS, true, "e", 0, "192.0.2/32", 80, IPPROTO_TCP }, -EINVAL },
		{ { BH_EDIT_DESTINATIONS, false, "e", 0, "" }, -ENOENT },
	};
	struct bh_source_policy *policy = parse(text_flow);
	BH_FREE char *before = hash_of(policy);
	BH_FREE char *after = NULL;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(bh_edit_apply(policy, &wrong[i].edit, 0), wrong[i].result);
	after = hash_of(policy);
	assert_string_equal(before, after);
	bh_source_policy_free(policy);
}

static void the_operator_stands_in_a_column(void **state)
{
	struct bh_edit edit = { BH_EDIT_MAY_RUN, true, "a", 0, "c" };
	BH_CLEANUP(bh_buf_done) struct bh_buf out = { 0 };

	bh_edit_describe(&edit, 20, &out);
	assert_string_equal((const char *)out.bytes, "tools.a.may_run     += c");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_and_model_agree),
		cmocka_unit_test(a_destination_comes_and_goes_with_its_use),
		cmocka_unit_test(what_says_nothing_is_said),
		cmocka_unit_test(the_operator_stands_in_a_column),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
