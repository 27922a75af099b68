/* SPDX-License-Identifier: GPL-2.0-only */
/* bulkhead compile: what a policy means, and its canonical bytes. */
#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/several.h"
#include "compile/names.h"
#include "policy/amount.h"

struct bh_compile_request {
	const char *folder; /* -o, or NULL */
	bool strict, json, stats;
};

/* What comes beside the policy itself. */
struct bh_compile_figures {
	size_t bytes; /* of the artifact */
	double ms; /* from reading to the last table */
};

/* The limits of which the policy says nothing. */
static void bh_compile_defaults(const struct bh_resources *resources)
{
	const char *before = "  limits by default: ";
	char amount[BH_AMOUNT_TEXT];

	for (const struct bh_name *cap = bh_names_caps; cap->text; cap++) {
		uint64_t standard = bh_cap_standard(cap->number);

		if (resources->caps[cap->number].given || standard == BH_UNLIMITED)
			continue;
		printf("%s%s %s", before, cap->text, bh_amount_cap(cap->number, standard, amount));
		before = ", ";
	}
	if (before[0] == ',')
		putchar('\n');
}

static void bh_compile_text(const struct bh_opened *opened, const struct bh_compile_figures *figures, bool stats)
{
	struct bh_compiled_size size;

	bh_compiled_sizes(opened->compiled, &size);
	printf("policy %s  %.8s  %zu tool%s  %zu rules (%zu exec, %zu file, %zu net, %zu never)  %zu states  %zu of %u cells  %zu bytes\n",
	       bh_compiled_name(opened->compiled), bh_compiled_hash(opened->compiled), size.tools,
	       size.tools == 1 ? "" : "s", size.rules, size.exec_rules, size.file_rules, size.net_rules,
	       size.never_rules, size.states, size.cells, BH_CHUNKS_MAX * BH_CHUNK_CELLS, figures->bytes);
	bh_compile_defaults(&opened->source->resources);
	if (stats)
		printf("  built in %.1f ms\n", figures->ms);
}

/* All limits that hold, in the units of rules/caps.def. */
static json_t *bh_compile_caps(const struct bh_resources *resources)
{
	json_t *caps = json_object();

	for (const struct bh_name *cap = bh_names_caps; cap->text; cap++) {
		uint64_t value = bh_cap_value(resources, cap->number);

		if (value != BH_UNLIMITED)
			json_object_set_new(caps, cap->text, json_integer((json_int_t)value));
	}
	return caps;
}

static void bh_compile_json(const char *path, const struct bh_opened *opened, const struct bh_compile_figures *figures,
			    const struct bh_compile_request *request, int code)
{
	json_t *object = json_pack("{s:i, s:s, s:b}", "schema_version", 1, "file", path, "ok", code == BH_EXIT_OK);
	struct bh_compiled_size size;

	if (opened->diags)
		json_object_set_new(object, "findings", bh_findings_json(opened->diags));
	if (opened->compiled) {
		bh_compiled_sizes(opened->compiled, &size);
		json_object_set_new(object, "policy", json_string(bh_compiled_name(opened->compiled)));
		json_object_set_new(object, "hash", json_string(bh_compiled_hash(opened->compiled)));
		json_object_set_new(object, "size",
				    json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "tools",
					      (json_int_t)size.tools, "rules", (json_int_t)size.rules, "exec_rules",
					      (json_int_t)size.exec_rules, "file_rules", (json_int_t)size.file_rules,
					      "net_rules", (json_int_t)size.net_rules, "never_rules",
					      (json_int_t)size.never_rules, "states", (json_int_t)size.states, "cells",
					      (json_int_t)size.cells, "bytes", (json_int_t)figures->bytes));
		json_object_set_new(object, "caps", bh_compile_caps(&opened->source->resources));
		if (request->stats)
			json_object_set_new(object, "build_ms", json_real(figures->ms));
	}
	bh_json_print(object);
}

/* The artifact's length. Its bytes are written only on demand. */
static int bh_compile_measure(const struct bh_compiled *compiled, struct bh_compile_figures *figures)
{
	uint8_t *bytes = NULL;
	int result = bh_artifact_write(compiled, &bytes, &figures->bytes);

	free(bytes);
	return result;
}

static int bh_compile_one(const char *path, const struct bh_compile_request *request, struct bh_opened *opened,
			  struct bh_selection *selection)
{
	struct bh_compile_figures figures = {};
	struct bh_err err = {};
	int64_t start = bh_boot_now();
	int code = bh_opened_init(opened, path, BH_FINDINGS_NONE);

	figures.ms = (double)(bh_boot_now() - start) / 1e6;
	if (code == BH_EXIT_OK && bh_compile_measure(opened->compiled, &figures)) {
		bh_err_set(&err, ENOMEM, "%s: out of memory", path);
		bh_fail(&err);
		code = BH_EXIT_INTERNAL;
	}
	if (code == BH_EXIT_OK && bh_selection_add(selection, path, opened->source, opened->diags))
		code = BH_EXIT_INTERNAL;
	if (!request->json)
		bh_opened_say(opened, path, BH_FINDINGS_ALL);
	if (code == BH_EXIT_OK && request->strict && bh_diags_warnings(opened->diags)) {
		code = BH_EXIT_POLICY;
		if (!request->json)
			fprintf(stderr, "bulkhead: %s: warnings are errors (--strict)\n", path);
	}
	if (request->json)
		bh_compile_json(path, opened, &figures, request, code);
	else if (code == BH_EXIT_OK)
		bh_compile_text(opened, &figures, request->stats);
	if (code == BH_EXIT_OK && request->folder &&
	    bh_artifacts_put(opened->compiled, request->folder, request->json, &err)) {
		bh_fail(&err);
		code = BH_EXIT_INTERNAL;
	}
	return code;
}

/* What was opened stays until the end: each selector is compared with those before. */
static int bh_compile_all(const struct bh_files *files, const struct bh_compile_request *request)
{
	BH_FREE struct bh_opened *opened = calloc(files->count + 1, sizeof(*opened));
	struct bh_selection selection = {};
	int code = opened ? BH_EXIT_OK : BH_EXIT_INTERNAL;

	for (size_t i = 0; i < files->count && opened; i++) {
		int one = bh_compile_one(files->paths[i], request, &opened[i], &selection);

		code = one > code ? one : code;
		bh_compiled_free(opened[i].compiled); /* the large part */
		opened[i].compiled = NULL;
	}
	bh_selection_done(&selection);
	for (size_t i = 0; i < files->count && opened; i++)
		bh_opened_done(&opened[i]);
	return code;
}

static int bh_compile_main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' }, { "strict", no_argument, NULL, 's' },
		{ "json", no_argument, NULL, 'j' },	    { "stats", no_argument, NULL, 't' },
		{ "help", no_argument, NULL, 'h' },	    {},
	};
	struct bh_compile_request request = {};
	struct bh_files files = {};
	struct bh_err err = {};
	int option, code = BH_EXIT_OK;

	optind = 1;
	opterr = 0;
	while ((option = getopt_long(argc, argv, "o:h", options, NULL)) >= 0) {
		if (option == 'o')
			request.folder = optarg;
		else if (option == 's')
			request.strict = true;
		else if (option == 'j')
			request.json = true;
		else if (option == 't')
			request.stats = true;
		else if (option == 'h')
			return bh_help(&bh_command_compile);
		else
			return bh_usage(&bh_command_compile, "bad option");
	}
	if (optind >= argc)
		return bh_usage(&bh_command_compile, "no policy file");
	for (int i = optind; i < argc && code == BH_EXIT_OK; i++)
		if (bh_files_add(&files, argv[i], &err)) {
			bh_fail(&err);
			code = BH_EXIT_POLICY;
		}
	if (code == BH_EXIT_OK)
		code = bh_compile_all(&files, &request);
	bh_files_done(&files);
	return code;
}

const struct bh_command bh_command_compile = {
	.name = "compile",
	.synopsis = "FILE... [-o DIR] [--strict] [--stats] [--json]",
	.summary = "check policies and show how large they become",
	.help = "  -o DIR     write NAME.policy.json (canonical, hashed) and NAME.bhp (the tables) into DIR\n"
		"  --strict   warnings are errors\n"
		"  --stats    also how long it took, which is not the same twice\n"
		"  --json     one JSON object a file, findings included\n\n"
		"FILE may also be a folder: its policies (*.yaml, *.yml, *.txt, *.bhp, but no scenario files) in the order of their names.\n"
		"Two that may select the same sandboxes with the same priority are a warning (W160).\n"
		"FILE may also be a NAME.bhp: it is checked to be, byte for byte, what this program makes of the policy inside.\n"
		"Needs no root and reads nothing but the files. Exit status: 0 all compile, 3 one does not.\n",
	.main = bh_compile_main,
};
