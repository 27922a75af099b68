/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compile/load.h"

/* Names in it may be anybody's: what could steer a terminal is shown as '?'. */
static void bh_print_plain(const char *prefix, const char *text)
{
	char plain[sizeof(((struct bh_err *)NULL)->text)];
	size_t length = 0;

	for (; text[length] && length < sizeof(plain) - 1; length++)
		plain[length] = (unsigned char)text[length] < ' ' || text[length] == 0x7f ? '?' : text[length];
	plain[length] = '\0';
	fprintf(stderr, "%s%s\n", prefix, plain);
}

void bh_fail(const struct bh_err *err)
{
	bh_print_plain("bulkhead: ", err->text);
	if (err->hint[0])
		bh_print_plain("    help: ", err->hint);
}

int bh_usage(const struct bh_command *command, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "bulkhead %s: ", command->name);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\nusage: bulkhead %s %s\n    help: bulkhead %s --help\n", command->name, command->synopsis,
		command->name);
	return BH_EXIT_USAGE;
}

int bh_help(const struct bh_command *command)
{
	printf("bulkhead %s %s\n\n%s.\n\n%s", command->name, command->synopsis, command->summary, command->help);
	return BH_EXIT_OK;
}

bool bh_colour(int fd)
{
	const char *no = getenv("NO_COLOR");

	return isatty(fd) && !(no && *no);
}

void bh_opened_say(const struct bh_opened *opened, const char *path, enum bh_findings show)
{
	size_t errors = opened->diags ? bh_diags_errors(opened->diags) : 0;

	if (!opened->diags || show == BH_FINDINGS_NONE)
		return;
	if (show == BH_FINDINGS_ALL || errors || bh_diags_warnings(opened->diags))
		bh_diags_print(opened->diags, stderr, bh_colour(STDERR_FILENO));
	if (errors)
		fprintf(stderr, "bulkhead: %s: %zu error%s; nothing was started or changed\n", path, errors,
			errors == 1 ? "" : "s");
}

/* From source: what it says is parsed and compiled, all findings are said. */
static int bh_opened_compile(struct bh_opened *opened, const char *path, enum bh_findings show)
{
	struct bh_err err = {};
	int result;

	result = bh_policy_parse(opened->text, opened->length, opened->shipped, opened->diags, &opened->source);
	if (!result)
		result = bh_compile(opened->source, opened->shipped, NULL, opened->diags, &opened->compiled);
	bh_opened_say(opened, path, show);
	if (!result)
		return BH_EXIT_OK;
	if (bh_diags_errors(opened->diags))
		return BH_EXIT_POLICY;
	bh_err_set(&err, -result, "%s: %s", path, strerror(-result));
	bh_fail(&err);
	return BH_EXIT_INTERNAL;
}

static int bh_opened_load(struct bh_opened *opened, const char *path)
{
	struct bh_err err = {};
	int result;

	result = bh_artifact_read(opened->text, opened->length, opened->shipped, &err, &opened->source,
				  &opened->compiled);
	if (!result)
		return BH_EXIT_OK;
	bh_err_goal(&err, result, "%s", path);
	bh_fail(&err);
	return result == -ENOMEM ? BH_EXIT_INTERNAL : BH_EXIT_POLICY;
}

int bh_opened_init(struct bh_opened *opened, const char *path, enum bh_findings show)
{
	struct bh_err err = {};
	int result;

	result = bh_shipped_load(&opened->shipped, &err);
	if (result) {
		bh_fail(&err);
		return BH_EXIT_INTERNAL;
	}
	result = bh_source_read(path, BH_ARTIFACT_MAX, &opened->text, &opened->length, &err);
	if (result) {
		bh_err_goal(&err, result, "%s", path);
		bh_fail(&err);
		return BH_EXIT_POLICY;
	}
	opened->diags = bh_diags_new(path, opened->text, opened->length);
	if (!opened->diags) {
		bh_err_set(&err, ENOMEM, "%s: out of memory", path);
		bh_fail(&err);
		return BH_EXIT_INTERNAL;
	}
	if (bh_artifact_is(opened->text, opened->length))
		return bh_opened_load(opened, path);
	return bh_opened_compile(opened, path, show);
}

void bh_opened_done(struct bh_opened *opened)
{
	bh_compiled_free(opened->compiled);
	bh_source_policy_free(opened->source);
	bh_diags_free(opened->diags);
	bh_shipped_free(opened->shipped);
	free(opened->text);
	memset(opened, 0, sizeof(*opened));
}
