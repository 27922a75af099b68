/* SPDX-License-Identifier: GPL-2.0-only */
/* bulkhead diff: what one policy allows or forbids that the other does not. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/output.h"
#include "verify/diff.h"

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

static const char *bh_diff_verdict(const struct bh_diff *diff)
{
	if (diff->same)
		return "same";
	return diff->wider ? "wider" : diff->narrower ? "narrower" : "changed";
}

static const char *bh_plural(size_t count)
{
	return count == 1 ? "" : "s";
}

static void bh_diff_print_change(const struct bh_comparison *c, const struct bh_change *change)
{
	const struct bh_side *side = change->added ? &c->after : &c->before;
	const struct bh_rule *rule = change->rule;
	struct bh_buf text = {};

	if (rule->from) {
		printf("%c %-10s %s %s (%zu rule%s)\n", change->added ? '+' : '-', rule->scope,
		       rule->then == BH_THEN_NEVER ? "guard" : "preset", rule->from, change->count,
		       bh_plural(change->count));
		return;
	}
	bh_rule_describe(rule, &text);
	printf("%c %-60s %s", change->added ? '+' : '-', text.error ? "?" : (const char *)text.bytes, rule->id);
	if (rule->loc.line)
		printf("  %s:%u:%u", bh_diags_name(side->opened.diags), rule->loc.line, rule->loc.column);
	if (change->effect == BH_EFFECT_NONE)
		printf("  (covered by another)");
	putchar('\n');
	bh_buf_done(&text);
}

static void bh_diff_print(const struct bh_comparison *c)
{
	static const char *const loud[] = { "SAME", "WIDER", "NARROWER", "CHANGED" };
	const struct bh_diff *diff = &c->diff;

	printf("%.8s -> %.8s   %s", bh_compiled_hash(c->before.opened.compiled),
	       bh_compiled_hash(c->after.opened.compiled),
	       loud[diff->same	   ? 0 :
		    diff->wider	   ? 1 :
		    diff->narrower ? 2 :
				     3]);
	if (!diff->same)
		printf(" (%zu grant%s added, %zu removed)", diff->grants_added, bh_plural(diff->grants_added),
		       diff->grants_removed);
	putchar('\n');
	for (size_t i = 0; i < diff->settings_count; i++)
		printf("~ %s\n", diff->settings[i]);
	for (size_t i = 0; i < diff->count; i++)
		bh_diff_print_change(c, &diff->items[i]);
	printf("reach %s; guards %s\n", diff->reach ? "changed" : "unchanged", diff->guards ? "changed" : "unchanged");
}

static json_t *bh_diff_change_json(const struct bh_change *change)
{
	static const char *const effects[] = { "none", "wider", "narrower" };
	const struct bh_rule *rule = change->rule;
	struct bh_buf text = {};
	json_t *object;

	bh_rule_describe(rule, &text);
	object = json_pack("{s:s, s:s, s:s, s:s, s:s, s:I}", "change", change->added ? "added" : "removed", "effect",
			   effects[change->effect], "tool", rule->scope, "rule", rule->id, "text",
			   text.error ? "?" : (const char *)text.bytes, "rules", (json_int_t)change->count);
	if (rule->from)
		json_object_set_new(object, "from", json_string(rule->from));
	if (rule->loc.line)
		json_object_set_new(object, "line", json_integer(rule->loc.line));
	bh_buf_done(&text);
	return object;
}

static void bh_diff_print_json(const struct bh_comparison *c)
{
	const struct bh_diff *diff = &c->diff;
	json_t *changes = json_array(), *settings = json_array();

	for (size_t i = 0; i < diff->count; i++)
		json_array_append_new(changes, bh_diff_change_json(&diff->items[i]));
	for (size_t i = 0; i < diff->settings_count; i++)
		json_array_append_new(settings, json_string(diff->settings[i]));
	bh_json_print(json_pack("{s:i, s:s, s:s, s:s, s:I, s:I, s:b, s:b, s:o, s:o}", "schema_version", 1, "old",
				bh_compiled_hash(c->before.opened.compiled), "new",
				bh_compiled_hash(c->after.opened.compiled), "verdict", bh_diff_verdict(diff),
				"grants_added", (json_int_t)diff->grants_added, "grants_removed",
				(json_int_t)diff->grants_removed, "reach_changed", diff->reach, "guards_changed",
				diff->guards, "settings", settings, "changes", changes));
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
	if (c->json)
		bh_diff_print_json(c);
	else
		bh_diff_print(c);
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
