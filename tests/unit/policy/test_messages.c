/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every tests/golden/messages/NAME.yaml is parsed and its findings are compared, byte for byte, with NAME.err (empty for
 * a valid policy). Run from the top of the tree. BH_GOLDEN_UPDATE=1 writes the .err files instead: read them before you
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
#include "policy/parse.h"

#define FOLDER "tests/golden/messages/"

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
	char *text = calloc(1, BH_SOURCE_MAX + 1);

	if (!file || !text) {
		free(text);
		return NULL;
	}
	*ret_length = fread(text, 1, BH_SOURCE_MAX, file);
	return text;
}

/* What the command line would print for this file; the caller frees it. */
static char *findings(const char *path, const char *text, size_t length)
{
	struct bh_diags *diags = bh_diags_new(strrchr(path, '/') + 1, text, length);
	struct bh_source_policy *policy = NULL;
	size_t printed_length;
	char *printed = NULL;
	FILE *out = open_memstream(&printed, &printed_length);
	int r;

	assert_non_null(diags);
	assert_non_null(out);
	r = bh_policy_parse(text, length, shipped, diags, &policy);
	assert_int_equal(r, bh_diags_errors(diags) ? -EINVAL : 0);
	assert_true((policy != NULL) == (r == 0));
	bh_diags_print(diags, out, false);
	fclose(out);
	bh_source_policy_free(policy);
	bh_diags_free(diags);
	return printed;
}

static void compare(const char *path)
{
	char golden[512];
	size_t length = 0, wanted_length = 0;
	BH_FREE char *text = slurp(path, &length), *printed = NULL, *wanted = NULL;

	assert_non_null(text);
	printed = findings(path, text, length);
	snprintf(golden, sizeof(golden), "%.*s.err", (int)(strlen(path) - strlen(".yaml")), path);
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

static void every_message_is_as_recorded(void **state)
{
	glob_t files;

	assert_int_equal(glob(FOLDER "*.yaml", 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++)
		compare(files.gl_pathv[i]);
	globfree(&files);
}

/* A valid file is named after the code whose limit it just keeps: E206-not.yaml. */
static void every_code_has_a_case_that_fires_and_one_that_does_not(void **state)
{
	static const char *const codes[] = {
		"E100", "E101", "E102", "E103", "E104", "E105", "E106", "E107", "E108", "E109", "E110",
		"E112", "E113", "E119", "E120", "E121", "E122", "E123", "E124", "E130", "E151", "E201",
		"E202", "E203", "E204", "E205", "E206", "E310", "E311", "E312", "E313", "E314", "E320",
	};

	for (size_t i = 0; i < BH_COUNT_OF(codes); i++) {
		char path[128], marker[16];
		size_t length = 0;
		BH_FREE char *fires = NULL, *silent = NULL;

		snprintf(marker, sizeof(marker), "[%s]", codes[i]);
		snprintf(path, sizeof(path), FOLDER "%s.err", codes[i]);
		fires = slurp(path, &length);
		if (!fires || !strstr(fires, marker))
			fail_msg("%s does not hold %s", path, marker);
		snprintf(path, sizeof(path), FOLDER "%s-not.err", codes[i]);
		silent = slurp(path, &length);
		if (!silent || silent[0] != '\0')
			fail_msg("%s is missing or not empty", path);
	}
}

static void the_examples_have_no_findings(void **state)
{
	static const char *const names[] = { "rules/examples/quickstart.yaml", "rules/examples/coding-agent.yaml" };

	for (size_t i = 0; i < BH_COUNT_OF(names); i++) {
		size_t length = 0;
		BH_FREE char *text = slurp(names[i], &length), *printed = NULL;

		assert_non_null(text);
		printed = findings(names[i], text, length);
		assert_string_equal(printed, "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_message_is_as_recorded),
		cmocka_unit_test(every_code_has_a_case_that_fires_and_one_that_does_not),
		cmocka_unit_test(the_examples_have_no_findings),
	};

	return cmocka_run_group_tests(tests, load_shipped, free_shipped);
}
