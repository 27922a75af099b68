/* SPDX-License-Identifier: GPL-2.0-only */
#include "verify/diff.h"

#include <errno.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/names.h"

void bh_diff_done(struct bh_diff *diff)
{
	free(diff->items);
	memset(diff, 0, sizeof(*diff));
}

static int compare_ids(const void *left, const void *right)
{
	return strcmp((*(const struct bh_rule *const *)left)->id, (*(const struct bh_rule *const *)right)->id);
}

/* The rules by id; the caller frees the list. NULL when out of memory. */
static const struct bh_rule **by_id(const struct bh_compiled *compiled)
{
	size_t count = bh_compiled_rules_count(compiled);
	const struct bh_rule **list = calloc(count + 1, sizeof(const struct bh_rule *));

	for (size_t i = 0; i < count && list; i++)
		list[i] = bh_compiled_rule(compiled, i);
	if (list)
		qsort(list, count, sizeof(const struct bh_rule *), compare_ids);
	return list;
}

/* other: the policy that does not have the rule. */
static enum bh_effect effect_of(const struct bh_compiled *other, const struct bh_rule *rule, bool added)
{
	if (bh_rule_is_covered(rule, other))
		return BH_EFFECT_NONE;
	return added == (rule->then == BH_THEN_ALLOW) ? BH_EFFECT_WIDER : BH_EFFECT_NARROWER;
}

/* Rules of one preset or guard are one change. */
static bool belongs(const struct bh_change *change, const struct bh_rule *rule, bool added)
{
	return rule->from && change->rule->from && change->added == added && change->rule->then == rule->then &&
	       strcmp(change->rule->from, rule->from) == 0;
}

static int add_change(const struct bh_compiled *other, const struct bh_rule *rule, bool added, struct bh_diff *diff)
{
	enum bh_effect effect = effect_of(other, rule, added);

	diff->wider = diff->wider || effect == BH_EFFECT_WIDER;
	diff->narrower = diff->narrower || effect == BH_EFFECT_NARROWER;
	diff->reach = diff->reach || rule->class == BH_RULE_NET;
	diff->guards = diff->guards || (rule->from && rule->then == BH_THEN_NEVER);
	if (rule->then == BH_THEN_ALLOW && added)
		diff->grants_added++;
	else if (rule->then == BH_THEN_ALLOW)
		diff->grants_removed++;
	for (size_t i = 0; i < diff->count; i++)
		if (belongs(&diff->items[i], rule, added)) {
			diff->items[i].count++;
			if (effect)
				diff->items[i].effect = effect; /* the same for all of them but those that have none */
			return 0;
		}
	if (BH_RESERVE(diff->items, diff->capacity, diff->count + 1))
		return -ENOMEM;
	diff->items[diff->count++] = (struct bh_change){ rule, 1, added, effect };
	return 0;
}

/* Both lists are sorted by id: what is in only one of them is a change. */
static int compare_rules(const struct bh_compiled *before, const struct bh_compiled *after, struct bh_diff *diff)
{
	size_t old_count = bh_compiled_rules_count(before), new_count = bh_compiled_rules_count(after);
	BH_FREE const struct bh_rule **old = by_id(before);
	BH_FREE const struct bh_rule **new = by_id(after);
	size_t i = 0, k = 0;
	int result = old && new ? 0 : -ENOMEM;

	while (!result && (i < old_count || k < new_count)) {
		int order = i == old_count ? 1 : k == new_count ? -1 : strcmp(old[i]->id, new[k]->id);

		if (order < 0)
			result = add_change(after, old[i++], false, diff);
		else if (order > 0)
			result = add_change(before, new[k++], true, diff);
		else {
			i++;
			k++;
		}
	}
	return result;
}

/* By tool; what is granted before what is forbidden; then by class, access and object. */
static int compare_changes(const void *left, const void *right)
{
	const struct bh_change *a = left, *b = right;
	int order = strcmp(a->rule->scope, b->rule->scope);

	if (!order)
		order = (int)a->rule->then - (int)b->rule->then;
	if (!order)
		order = (int)a->rule->class - (int)b->rule->class;
	if (!order)
		order = (int)a->rule->access - (int)b->rule->access;
	if (!order && a->rule->path)
		order = strcmp(a->rule->path, b->rule->path);
	else if (!order)
		order = memcmp(a->rule->cidr.bytes, b->rule->cidr.bytes, sizeof(a->rule->cidr.bytes));
	if (!order)
		order = (int)a->rule->port_low - (int)b->rule->port_low;
	return order ? order : strcmp(a->rule->id, b->rule->id);
}

static const char *mode_name(unsigned int mode)
{
	return mode == BH_MODE_OBSERVE ? "observe" : "enforce";
}

static const char *response_name(unsigned int verdict)
{
	const char *name = bh_name_text(bh_names_responses, verdict);

	return name ? name : "deny";
}

static void add_setting(struct bh_diff *diff, const char *name, const char *old, const char *new)
{
	if (diff->settings_count < BH_SETTINGS_MAX)
		snprintf(diff->settings[diff->settings_count++], BH_SETTING_TEXT, "%s: %s -> %s", name, old, new);
}

static void compare_settings(const struct bh_policy_head *old, const struct bh_policy_head *new, struct bh_diff *diff)
{
	static const char *const classes[BH_CLASSES] = {
		[BH_CLASS_FLOOR] = "respond.floor",	      [BH_CLASS_EXEC] = "respond.exec",
		[BH_CLASS_FILES] = "respond.files",	      [BH_CLASS_NETWORK] = "respond.network",
		[BH_CLASS_PRIVILEGES] = "respond.privileges", [BH_CLASS_ARGS] = "respond.args",
	};

	if (old->mode != new->mode) {
		add_setting(diff, "mode", mode_name(old->mode), mode_name(new->mode));
		diff->wider = diff->wider || new->mode == BH_MODE_OBSERVE;
		diff->narrower = diff->narrower || old->mode == BH_MODE_OBSERVE;
	}
	for (unsigned int i = 1; i < BH_CLASSES; i++)
		if (old->respond[BH_TOOL_NONE][i] != new->respond[BH_TOOL_NONE][i])
			add_setting(diff, classes[i], response_name(old->respond[BH_TOOL_NONE][i]),
				    response_name(new->respond[BH_TOOL_NONE][i]));
}

static void compare_flag(const char *tool, const char *flag, bool old, bool new, struct bh_diff *diff)
{
	static const char *const words[] = { "false", "true" };
	char name[80]; /* "tools." TOOL ".runs_code" */

	if (old == new)
		return;
	snprintf(name, sizeof(name), "tools.%.63s.%s", tool, flag);
	add_setting(diff, name, words[old], words[new]);
}

/* What tools of both say about themselves. Of these only jit is a right. */
static void compare_tools(const struct bh_source_policy *old, const struct bh_source_policy *new, struct bh_diff *diff)
{
	for (size_t i = 0; i < old->tools_count; i++)
		for (size_t k = 0; k < new->tools_count; k++) {
			const struct bh_tool *a = &old->tools[i], *b = &new->tools[k];

			if (strcmp(a->name.text, b->name.text) != 0)
				continue;
			compare_flag(a->name.text, "runs_code", a->runs_code, b->runs_code, diff);
			compare_flag(a->name.text, "jit", a->jit, b->jit, diff);
			diff->wider = diff->wider || (!a->jit && b->jit);
			diff->narrower = diff->narrower || (a->jit && !b->jit);
		}
}

int bh_diff_make(const struct bh_diff_side *before, const struct bh_diff_side *after, struct bh_diff *ret_diff)
{
	const struct bh_compiled *old = before->compiled, *new = after->compiled;
	int result = compare_rules(old, new, ret_diff);

	if (result)
		return result;
	if (ret_diff->count)
		qsort(ret_diff->items, ret_diff->count, sizeof(*ret_diff->items), compare_changes);
	compare_settings(&bh_compiled_tables(old)->head, &bh_compiled_tables(new)->head, ret_diff);
	compare_tools(before->source, after->source, ret_diff);
	ret_diff->same = strcmp(bh_compiled_hash(old), bh_compiled_hash(new)) == 0;
	return 0;
}
