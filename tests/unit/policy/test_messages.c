/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every tests/golden/messages/NAME.yaml, and english/NAME.txt, is parsed and compiled, and its findings are compared, byte for byte, with NAME.err
 * (empty for a policy without any); those in scenarios/ as scenarios of the quickstart policy, and those in run/ as `bulkhead run` sees them. Run from the top of the tree. BH_GOLDEN_UPDATE=1 writes the .err files instead: read them before you
 * commit them.
 */
#include <errno.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "compile/compile.h"
#include "compile/unenforced.h"
#include "policy/parse.h"
#include "verify/scenario.h"

#define FOLDER "tests/golden/messages/"
#define SCENARIOS FOLDER "scenarios/"
#define RUNS FOLDER "run/"
#define SCENARIOS_POLICY "rules/examples/quickstart.yaml"
#define FILE_MAX (1024u * 1024u)

static struct bh_shipped *shipped;

static int load_shipped(void **state)
{
	struct bh_err err = { 0 };
	int r = bh_shipped_load(&shipped, &err);

	if (r < 0)
		print_error("%s\n", err.text);
	return r;
}

static int free_shipped(void **state)
{
	bh_shipped_free(shipped);
	return 0;
}

static char *slurp(const char *path, size_t *ret_length)
{
	BH_FCLOSE FILE *file = fopen(path, "re");
	char *text = calloc(1, FILE_MAX + 1);

	if (!file || !text) {
		free(text);
		return NULL;
	}
	*ret_length = fread(text, 1, FILE_MAX, file);
	return text;
}

/* The findings as the command line prints them; the caller frees the text. */
static char *printed_findings(const struct bh_diags *diags)
{
	char *printed = NULL;
	size_t length;
	FILE *out = open_memstream(&printed, &length);

	assert_non_null(out);
	bh_diags_print(diags, out, false);
	fclose(out);
	return printed;
}

static struct bh_compiled *compiled_policy(const char *text, size_t length, struct bh_diags *diags)
{
	struct bh_source_policy *policy = NULL;
	struct bh_compiled *compiled = NULL;
	int r = bh_policy_parse(text, length, shipped, diags, &policy);

	assert_int_equal(r, bh_diags_errors(diags) ? -EINVAL : 0);
	assert_true((policy != NULL) == (r == 0));
	if (!r) {
		r = bh_compile(policy, shipped, NULL, diags, &compiled);
		assert_int_equal(r, bh_diags_errors(diags) ? -EINVAL : 0);
	}
	bh_source_policy_free(policy);
	return compiled;
}

static char *policy_findings(const char *path, const char *text, size_t length)
{
	struct bh_diags *diags = bh_diags_new(strrchr(path, '/') + 1, text, length);
	char *printed;

	assert_non_null(diags);
	bh_compiled_free(compiled_policy(text, length, diags));
	printed = printed_findings(diags);
	bh_diags_free(diags);
	return printed;
}

static char *scenario_findings(const char *path, const char *text, size_t length)
{
	size_t policy_length = 0;
	BH_FREE char *policy = slurp(SCENARIOS_POLICY, &policy_length), *printed = NULL;
	struct bh_diags *ignored = bh_diags_new("", "", 0), *diags = bh_diags_new(strrchr(path, '/') + 1, text, length);
	struct bh_scenario_set set = { 0 };
	struct bh_compiled *compiled;
	int r;

	assert_true(policy && ignored && diags);
	compiled = compiled_policy(policy, policy_length, ignored);
	r = bh_scenarios_parse(text, length, compiled, diags, &set);
	assert_int_equal(r, bh_diags_errors(diags) ? -EINVAL : 0);
	printed = printed_findings(diags);
	bh_scenario_set_done(&set);
	bh_compiled_free(compiled);
	bh_diags_free(ignored);
	bh_diags_free(diags);
	return BH_TAKE(printed);
}

/* What keeps a policy from being run; it has to compile. */
static char *run_findings(const char *path, const char *text, size_t length)
{
	struct bh_diags *ignored = bh_diags_new("", text, length);
	struct bh_diags *diags = bh_diags_new(strrchr(path, '/') + 1, text, length);
	struct bh_source_policy *policy = NULL;
	char *printed;
	size_t found;

	assert_true(ignored && diags);
	bh_compiled_free(compiled_policy(text, length, ignored));
	if (bh_diags_errors(ignored))
		fail_msg("%s: %s", path, printed_findings(ignored));
	assert_int_equal(bh_policy_parse(text, length, shipped, ignored, &policy), 0);
	found = bh_unenforced_find(policy, diags);
	assert_int_equal(found, bh_diags_errors(diags));
	printed = printed_findings(diags);
	bh_source_policy_free(policy);
	bh_diags_free(ignored);
	bh_diags_free(diags);
	return printed;
}

/* What is printed for the file; the caller frees it. */
static char *findings(const char *path, const char *text, size_t length)
{
	if (strncmp(path, RUNS, strlen(RUNS)) == 0)
		return run_findings(path, text, length);
	return strncmp(path, SCENARIOS, strlen(SCENARIOS)) == 0 ? scenario_findings(path, text, length) :
								  policy_findings(path, text, length);
}

static void compare(const char *path)
{
	char golden[512];
	size_t length = 0, wanted_length = 0;
	BH_FREE char *text = slurp(path, &length), *printed = NULL, *wanted = NULL;

	assert_non_null(text);
	printed = findings(path, text, length);
	snprintf(golden, sizeof(golden), "%.*s.err", (int)(strrchr(path, '.') - path), path);
	if (getenv("BH_GOLDEN_UPDATE")) {
		BH_FCLOSE FILE *out = fopen(golden, "we");

		assert_non_null(out);
		fputs(printed, out);
		return;
	}
	wanted = slurp(golden, &wanted_length);
	if (!wanted)
		fail_msg("%s is missing", golden);
	if (strcmp(wanted, printed) != 0)
		fail_msg("%s: wanted\n%s\ngot\n%s", path, wanted, printed);
}

static void compare_all(const char *pattern)
{
	glob_t files;

	assert_int_equal(glob(pattern, 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++)
		compare(files.gl_pathv[i]);
	globfree(&files);
}

static void every_message_is_as_recorded(void **state)
{
	compare_all(FOLDER "*.yaml");
	compare_all(FOLDER "english/*.txt");
	compare_all(SCENARIOS "*.yaml");
	compare_all(RUNS "*.yaml");
}

static void assert_finds(const char *path, const char *code, bool wanted)
{
	char marker[16];
	size_t length = 0;
	BH_FREE char *text = slurp(path, &length);

	snprintf(marker, sizeof(marker), "[%s]", code);
	if (!text)
		fail_msg("%s is missing", path);
	else if ((strstr(text, marker) != NULL) != wanted)
		fail_msg("%s %s %s", path, wanted ? "does not hold" : "holds", marker);
}

/* The case that does not fire is named after the code whose limit it just keeps: E206-not. */
static void every_code_has_a_case_that_fires_and_one_that_does_not(void **state)
{
	static const struct {
		const char *code, *folder;
	} codes[] = {
#define POLICY FOLDER
#define COMPILE FOLDER
#define SCENARIO SCENARIOS
#define RUN RUNS
#define ENGLISH FOLDER "english/"
#define CLASH NULL
#define SEVERAL NULL
#define PRINT NULL /* test_english_print.c */
#define BH_FINDING(code, stage, text) { #code, stage },
#include "../../../rules/findings.def"
#undef BH_FINDING
	};

	for (size_t i = 0; i < BH_COUNT_OF(codes); i++) {
		char path[128];

		if (!codes[i].folder)
			continue;
		snprintf(path, sizeof(path), "%s%s.err", codes[i].folder, codes[i].code);
		assert_finds(path, codes[i].code, true);
		snprintf(path, sizeof(path), "%s%s-not.err", codes[i].folder, codes[i].code);
		assert_finds(path, codes[i].code, false);
	}
}

static void the_examples_have_notes_at_most(void **state)
{
	static const char *const names[] = { "rules/examples/quickstart.yaml", "rules/examples/coding-agent.yaml" };

	for (size_t i = 0; i < BH_COUNT_OF(names); i++) {
		size_t length = 0;
		BH_FREE char *text = slurp(names[i], &length), *printed = NULL;

		assert_non_null(text);
		printed = findings(names[i], text, length);
		assert_null(strstr(printed, ": error["));
		assert_null(strstr(printed, ": warning["));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_message_is_as_recorded),
		cmocka_unit_test(every_code_has_a_case_that_fires_and_one_that_does_not),
		cmocka_unit_test(the_examples_have_notes_at_most),
	};

	return cmocka_run_group_tests(tests, load_shipped, free_shipped);
}
