/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdio.h>

#include "cli/difference.h"

static const char *bh_diff_verdict(const struct bh_diff *diff)
{
	if (diff->same)
		return "same";
	if (diff->wider)
		return diff->narrower ? "mixed" : "wider";
	return diff->narrower ? "narrower" : "changed";
}

static const char *bh_plural(size_t count)
{
	return count == 1 ? "" : "s";
}

static const char *const bh_effects[] = { "none", "wider", "narrower", "mixed" }; /* by enum bh_effect */

/* The same grant under other conditions. */
static void bh_diff_print_pair(const struct bh_difference *d, const struct bh_change *change, int indent)
{
	const struct bh_rule *rule = change->rule;
	struct bh_buf text = {}, what = {};

	bh_rule_describe(rule, &text);
	bh_rule_describe_change(change->before, rule, &what);
	printf("%*s~ %-60s %s -> %s", indent, "", text.error ? "?" : (const char *)text.bytes, change->before->id,
	       rule->id);
	if (rule->loc.line && d->after_name)
		printf("  %s:%u:%u", d->after_name, rule->loc.line, rule->loc.column);
	printf("\n%*s    %s%s%s%s\n", indent, "", what.error || !what.bytes ? "?" : (const char *)what.bytes,
	       change->effect ? "  (" : "", change->effect ? bh_effects[change->effect] : "",
	       change->effect ? ")" : "");
	bh_buf_done(&text);
	bh_buf_done(&what);
}

static void bh_diff_print_change(const struct bh_difference *d, const struct bh_change *change, int indent)
{
	const char *name = change->added ? d->after_name : d->before_name;
	const struct bh_rule *rule = change->rule;
	struct bh_buf text = {};

	if (change->before) {
		bh_diff_print_pair(d, change, indent);
		return;
	}
	if (rule->from) {
		printf("%*s%c %-10s %s %s (%zu rule%s)\n", indent, "", change->added ? '+' : '-', rule->scope,
		       rule->then == BH_THEN_NEVER ? "guard" : "preset", rule->from, change->count,
		       bh_plural(change->count));
		return;
	}
	bh_rule_describe(rule, &text);
	printf("%*s%c %-60s %s", indent, "", change->added ? '+' : '-', text.error ? "?" : (const char *)text.bytes,
	       rule->id);
	if (rule->loc.line && name)
		printf("  %s:%u:%u", name, rule->loc.line, rule->loc.column);
	if (change->effect == BH_EFFECT_NONE)
		printf("  (covered by another)");
	putchar('\n');
	bh_buf_done(&text);
}

void bh_difference_print(const struct bh_difference *difference, int indent)
{
	static const char *const loud[] = { "CHANGED", "WIDER", "NARROWER", "MIXED" };
	const struct bh_diff *diff = difference->diff;

	printf("%*s%.8s -> %.8s   %s", indent, "", bh_compiled_hash(difference->before),
	       bh_compiled_hash(difference->after), diff->same ? "SAME" : loud[diff->wider + 2 * diff->narrower]);
	if (!diff->same)
		printf(" (%zu grant%s added, %zu removed", diff->grants_added, bh_plural(diff->grants_added),
		       diff->grants_removed);
	if (diff->grants_changed)
		printf(", %zu changed", diff->grants_changed);
	puts(diff->same ? "" : ")");
	for (size_t i = 0; i < diff->settings_count; i++)
		printf("%*s~ %s%s%s%s\n", indent, "", diff->settings[i].text, diff->settings[i].effect ? "  (" : "",
		       diff->settings[i].effect ? bh_effects[diff->settings[i].effect] : "",
		       diff->settings[i].effect ? ")" : "");
	for (size_t i = 0; i < diff->count; i++)
		bh_diff_print_change(difference, &diff->items[i], indent);
	printf("%*sreach %s; guards %s\n", indent, "", diff->reach ? "changed" : "unchanged",
	       diff->guards ? "changed" : "unchanged");
}

static json_t *bh_diff_change_json(const struct bh_difference *d, const struct bh_change *change)
{
	const struct bh_rule *rule = change->rule;
	struct bh_buf text = {};
	json_t *object;

	bh_rule_describe(rule, &text);
	object = json_pack("{s:s, s:s, s:s, s:s, s:s, s:I}", "change",
			   change->before ? "changed" :
			   change->added  ? "added" :
					    "removed",
			   "effect", bh_effects[change->effect], "tool", rule->scope, "rule", rule->id, "text",
			   text.error ? "?" : (const char *)text.bytes, "rules", (json_int_t)change->count);
	if (rule->from)
		json_object_set_new(object, "from", json_string(rule->from));
	if (rule->loc.line && (change->added ? d->after_name : d->before_name))
		json_object_set_new(object, "line", json_integer(rule->loc.line));
	bh_buf_done(&text);
	if (!change->before)
		return object;
	text = (struct bh_buf){};
	bh_rule_describe_change(change->before, rule, &text);
	json_object_set_new(object, "old_rule", json_string(change->before->id));
	json_object_set_new(object, "difference",
			    json_string(text.error || !text.bytes ? "?" : (const char *)text.bytes));
	bh_buf_done(&text);
	return object;
}

json_t *bh_difference_json(const struct bh_difference *difference)
{
	const struct bh_diff *diff = difference->diff;
	json_t *changes = json_array(), *settings = json_array(), *effects = json_array();

	for (size_t i = 0; i < diff->count; i++)
		json_array_append_new(changes, bh_diff_change_json(difference, &diff->items[i]));
	for (size_t i = 0; i < diff->settings_count; i++) {
		json_array_append_new(settings, json_string(diff->settings[i].text));
		json_array_append_new(effects, json_string(bh_effects[diff->settings[i].effect]));
	}
	return json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:b, s:b, s:o, s:o, s:o}", "old",
			 bh_compiled_hash(difference->before), "new", bh_compiled_hash(difference->after), "verdict",
			 bh_diff_verdict(diff), "grants_added", (json_int_t)diff->grants_added, "grants_removed",
			 (json_int_t)diff->grants_removed, "grants_changed", (json_int_t)diff->grants_changed,
			 "reach_changed", diff->reach, "guards_changed", diff->guards, "settings", settings,
			 "setting_effects", effects, "changes", changes);
}
