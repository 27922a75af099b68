/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdio.h>

#include "cli/difference.h"

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

static void bh_diff_print_change(const struct bh_difference *d, const struct bh_change *change, int indent)
{
	const char *name = change->added ? d->after_name : d->before_name;
	const struct bh_rule *rule = change->rule;
	struct bh_buf text = {};

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
	static const char *const loud[] = { "SAME", "WIDER", "NARROWER", "CHANGED" };
	const struct bh_diff *diff = difference->diff;

	printf("%*s%.8s -> %.8s   %s", indent, "", bh_compiled_hash(difference->before),
	       bh_compiled_hash(difference->after),
	       loud[diff->same	   ? 0 :
		    diff->wider	   ? 1 :
		    diff->narrower ? 2 :
				     3]);
	if (!diff->same)
		printf(" (%zu grant%s added, %zu removed)", diff->grants_added, bh_plural(diff->grants_added),
		       diff->grants_removed);
	putchar('\n');
	for (size_t i = 0; i < diff->settings_count; i++)
		printf("%*s~ %s\n", indent, "", diff->settings[i]);
	for (size_t i = 0; i < diff->count; i++)
		bh_diff_print_change(difference, &diff->items[i], indent);
	printf("%*sreach %s; guards %s\n", indent, "", diff->reach ? "changed" : "unchanged",
	       diff->guards ? "changed" : "unchanged");
}

static json_t *bh_diff_change_json(const struct bh_difference *d, const struct bh_change *change)
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
	if (rule->loc.line && (change->added ? d->after_name : d->before_name))
		json_object_set_new(object, "line", json_integer(rule->loc.line));
	bh_buf_done(&text);
	return object;
}

json_t *bh_difference_json(const struct bh_difference *difference)
{
	const struct bh_diff *diff = difference->diff;
	json_t *changes = json_array(), *settings = json_array();

	for (size_t i = 0; i < diff->count; i++)
		json_array_append_new(changes, bh_diff_change_json(difference, &diff->items[i]));
	for (size_t i = 0; i < diff->settings_count; i++)
		json_array_append_new(settings, json_string(diff->settings[i]));
	return json_pack("{s:s, s:s, s:s, s:I, s:I, s:b, s:b, s:o, s:o}", "old", bh_compiled_hash(difference->before),
			 "new", bh_compiled_hash(difference->after), "verdict", bh_diff_verdict(diff), "grants_added",
			 (json_int_t)diff->grants_added, "grants_removed", (json_int_t)diff->grants_removed,
			 "reach_changed", diff->reach, "guards_changed", diff->guards, "settings", settings, "changes",
			 changes);
}
