/* SPDX-License-Identifier: GPL-2.0-only */
/* bulkhead diff: what one policy allows or forbids that the other does not. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/difference.h"
#include "cli/output.h"

/* One of the two policies. */
struct bh_side {
	const char *path;
	struct bh_opened opened;
};

struct bh_comparison {
	struct bh_side before, after;
	bool fail_on_wider, json;
	struct bh_diff diff;
};

static void bh_diff_print_json(const struct bh_difference *shown)
{
	json_t *object = json_pack("{s:i}", "schema_version", 1), *rest = bh_difference_json(shown);

	json_object_update(object, rest);
	json_decref(rest);
	bh_json_print(object);
}

static int bh_side_open(struct bh_side *side, bool json)
{
	int code = bh_opened_init(&side->opened, side->path, json ? BH_FINDINGS_NONE : BH_FINDINGS_SERIOUS);

	if (code && json && side->opened.diags)
		bh_json_print(json_pack("{s:i, s:s, s:b, s:o}", "schema_version", 1, "file", side->path, "ok", 0,
					"findings", bh_findings_json(side->opened.diags)));
	return code;
}

static int bh_compare(struct bh_comparison *c)
{
	struct bh_diff_side old, new;
	struct bh_difference shown;
	struct bh_err err = {};
	int code = bh_side_open(&c->before, c->json);

	if (!code)
		code = bh_side_open(&c->after, c->json);
	if (code)
		return code;
	old = (struct bh_diff_side){ c->before.opened.compiled, c->before.opened.source };
	new = (struct bh_diff_side){ c->after.opened.compiled, c->after.opened.source };
	if (bh_diff_make(&old, &new, &c->diff)) {
		bh_err_set(&err, 0, "out of memory");
		bh_fail(&err);
		return BH_EXIT_INTERNAL;
	}
	shown = (struct bh_difference){ .diff = &c->diff,
					.before = c->before.opened.compiled,
					.after = c->after.opened.compiled,
					.before_name = c->before.path,
					.after_name = c->after.path };
	if (c->json)
		bh_diff_print_json(&shown);
	else
		bh_difference_print(&shown, 0);
	return c->fail_on_wider && c->diff.wider ? BH_EXIT_NO : BH_EXIT_OK;
}

static int bh_diff_main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "fail-on", required_argument, NULL, 'f' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{},
	};
	struct bh_comparison c = {};
	int option, code;

	optind = 1;
	opterr = 0;
	while ((option = getopt_long(argc, argv, "h", options, NULL)) >= 0) {
		if (option == 'f' && !strcmp(optarg, "wider"))
			c.fail_on_wider = true;
		else if (option == 'f')
			return bh_usage(&bh_command_diff, "--fail-on is 'wider', not '%s'", optarg);
		else if (option == 'j')
			c.json = true;
		else if (option == 'h')
			return bh_help(&bh_command_diff);
		else
			return bh_usage(&bh_command_diff, "bad option");
	}
	if (optind + 2 != argc)
		return bh_usage(&bh_command_diff, "two policies are needed");
	c.before.path = argv[optind];
	c.after.path = argv[optind + 1];
	code = bh_compare(&c);
	bh_diff_done(&c.diff);
	bh_opened_done(&c.before.opened);
	bh_opened_done(&c.after.opened);
	return code;
}

const struct bh_command bh_command_diff = {
	.name = "diff",
	.synopsis = "OLD NEW [--fail-on wider] [--json]",
	.summary = "show what a new policy allows or forbids that the old one did not",
	.help = "  --fail-on wider  exit with status 1 when something that was denied may now be allowed\n"
		"  --json           one JSON object\n\n"
		"Compares rules by their meaning: order, comments and spelling do not matter. Each may be YAML or compiled. Needs no\n"
		"root. In doubt it says WIDER. Exit status: 0, 1 see above, 3 a policy has an error.\n",
	.main = bh_diff_main,
};
