/* SPDX-License-Identifier: GPL-2.0-only */
#include "verify/diff.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

void bh_diff_done(struct bh_diff *diff)
{
	for (size_t i = 0; i < diff->settings_count; i++)
		free(diff->settings[i].text);
	free(diff->settings);
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
	       strcmp(change->rule->scope, rule->scope) == 0 && strcmp(change->rule->from, rule->from) == 0;
}

static int add_change(const struct bh_compiled *other, const struct bh_rule *rule, bool added, struct bh_diff *diff)
{
	enum bh_effect effect = effect_of(other, rule, added);

	diff->reach = diff->reach || rule->class == BH_RULE_NET;
	diff->guards = diff->guards || (rule->from && rule->then == BH_THEN_NEVER);
	for (size_t i = 0; rule->from && i < diff->count; i++)
		if (belongs(&diff->items[i], rule, added)) {
			diff->items[i].count++;
			diff->items[i].effect |= effect; /* the same for all of them but those that have none */
			return 0;
		}
	if (BH_RESERVE(diff->items, diff->capacity, diff->count + 1))
		return -ENOMEM;
	diff->items[diff->count++] = (struct bh_change){ rule, NULL, 1, added, effect };
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

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* What a rule is about, its conditions left out: by tool; what is granted before what is forbidden; then by class and object. */
static int compare_objects(const struct bh_rule *a, const struct bh_rule *b)
{
	int order = strcmp(a->scope, b->scope);

	if (!order)
		order = (int)a->then - (int)b->then;
	if (!order)
		order = (int)a->class - (int)b->class;
	if (!order)
		order = (int)a->access - (int)b->access;
	if (!order)
		order = (int)a->unix_op - (int)b->unix_op;
	if (!order)
		order = compare_texts(a->path, b->path);
	if (!order)
		order = compare_texts(a->to, b->to);
	if (!order)
		order = compare_texts(a->host, b->host);
	if (!order)
		order = memcmp(a->cidr.bytes, b->cidr.bytes, sizeof(a->cidr.bytes));
	if (!order)
		order = (int)a->cidr.prefix - (int)b->cidr.prefix;
	if (!order)
		order = (int)a->port_low - (int)b->port_low;
	if (!order)
		order = (int)a->port_high - (int)b->port_high;
	return order ? order : (int)a->protocol - (int)b->protocol;
}

static int compare_changes(const void *left, const void *right)
{
	const struct bh_change *a = left, *b = right;
	int order = compare_objects(a->rule, b->rule);

	if (!order)
		order = (int)a->added - (int)b->added;
	return order ? order : strcmp(a->rule->id, b->rule->id);
}

/* Of one object there is one rule in each policy: the same grant, under other conditions. */
static bool is_pair(const struct bh_diff *diff, size_t i)
{
	const struct bh_change *items = diff->items;

	if (i + 1 >= diff->count || items[i].added || !items[i + 1].added || items[i].rule->from ||
	    items[i + 1].rule->from || compare_objects(items[i].rule, items[i + 1].rule) != 0)
		return false;
	return (!i || compare_objects(items[i - 1].rule, items[i].rule) != 0) &&
	       (i + 2 == diff->count || compare_objects(items[i + 2].rule, items[i].rule) != 0);
}

/* Pairs become one change each; the rest are counted as what they are. */
static void join_pairs(struct bh_diff *diff)
{
	size_t kept = 0;

	for (size_t i = 0; i < diff->count; i++) {
		struct bh_change change = diff->items[i];
		size_t grants = change.rule->then == BH_THEN_ALLOW ? change.count : 0;

		if (is_pair(diff, i)) {
			change = diff->items[i + 1];
			change.before = diff->items[i].rule;
			change.effect |= diff->items[i].effect;
			diff->grants_changed += grants;
			i++;
		} else if (change.added) {
			diff->grants_added += grants;
		} else {
			diff->grants_removed += grants;
		}
		diff->wider = diff->wider || change.effect & BH_EFFECT_WIDER;
		diff->narrower = diff->narrower || change.effect & BH_EFFECT_NARROWER;
		diff->items[kept++] = change;
	}
	diff->count = kept;
}

int bh_diff_make(const struct bh_diff_side *before, const struct bh_diff_side *after, struct bh_diff *ret_diff)
{
	const struct bh_compiled *old = before->compiled, *new = after->compiled;
	int result = compare_rules(old, new, ret_diff);

	if (result)
		return result;
	if (ret_diff->count)
		qsort(ret_diff->items, ret_diff->count, sizeof(*ret_diff->items), compare_changes);
	join_pairs(ret_diff);
	ret_diff->same = strcmp(bh_compiled_hash(old), bh_compiled_hash(new)) == 0;
	return bh_diff_settings(before->source, after->source, ret_diff);
}
