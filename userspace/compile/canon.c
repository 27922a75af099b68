/* SPDX-License-Identifier: GPL-2.0-only */
/* Canonical JSON: the policy's identity. Rules get their ids from their own content. */
#include "compile/canon_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

static const char *const class_names[] = {
	[BH_RULE_EXEC] = "exec", [BH_RULE_FILE] = "file",     [BH_RULE_NET] = "net",
	[BH_RULE_UNIX] = "unix", [BH_RULE_LISTEN] = "listen",
};

static const char *const then_names[] = {
	[BH_THEN_ALLOW] = "allow",
	[BH_THEN_NEVER] = "never",
};

/* A rule on its way into the list. */
struct draft {
	struct bh_rule rule;
	char *condition; /* canonical `if`; owned */
	json_t *object; /* owned */
};

static int draft_init(struct draft *draft, const struct bh_rule *rule)
{
	char hash_text[BH_HASH_TEXT];
	uint8_t hash[BH_HASH_BYTES];
	BH_FREE char *text = NULL;
	json_t *condition = bh_canon_condition(rule);

	draft->rule = *rule;
	draft->condition = condition ? bh_canon_text(condition) : NULL;
	draft->object = json_pack("{s:s, s:o, s:s, s:s}", "class", class_names[rule->class], "if", condition, "scope",
				  rule->scope, "then", then_names[rule->then]);
	text = draft->object ? bh_canon_text(draft->object) : NULL;
	if (!draft->condition || !text)
		return -ENOMEM;
	bh_hash_bytes(text, strlen(text), hash);
	bh_hash_text(hash, hash_text);
	snprintf(draft->rule.id, sizeof(draft->rule.id), "r-%.12s", hash_text);
	return json_object_set_new(draft->object, "id", json_string(draft->rule.id)) ? -ENOMEM : 0;
}

static int compare_locs(struct bh_loc a, struct bh_loc b)
{
	if (!a.line != !b.line) /* the policy's own words come before those of a preset */
		return a.line ? -1 : 1;
	if (a.line != b.line)
		return a.line < b.line ? -1 : 1;
	return a.column < b.column ? -1 : a.column > b.column;
}

/* The canonical order, of which the class and `then` names are part; equal rules by place, so that the first is kept. */
static int compare_drafts(const void *left, const void *right)
{
	const struct draft *a = left, *b = right;
	int order = strcmp(a->rule.scope, b->rule.scope);

	if (!order)
		order = strcmp(class_names[a->rule.class], class_names[b->rule.class]);
	if (!order)
		order = strcmp(then_names[a->rule.then], then_names[b->rule.then]);
	if (!order)
		order = strcmp(a->condition, b->condition);
	if (!order)
		order = compare_locs(a->rule.loc, b->rule.loc);
	if (!order && a->rule.from && b->rule.from)
		order = strcmp(a->rule.from, b->rule.from);
	return order;
}

static bool same_rule(const struct draft *a, const struct draft *b)
{
	return a->rule.class == b->rule.class && a->rule.then == b->rule.then &&
	       strcmp(a->rule.scope, b->rule.scope) == 0 && strcmp(a->condition, b->condition) == 0;
}

static int compare_ids(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int check_ids(struct bh_compile *c)
{
	size_t count = c->compiled->rules_count;
	BH_FREE const char **ids = calloc(count + 1, sizeof(*ids));

	if (!ids)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		ids[i] = c->compiled->rules[i].id;
	qsort(ids, count, sizeof(*ids), compare_ids);
	for (size_t i = 0; i + 1 < count; i++)
		if (strcmp(ids[i], ids[i + 1]) == 0)
			bh_diag_add(c->diags, BH_SEVERITY_ERROR, "E190", c->policy->name.loc,
				    "change the wording of one of them", "two different rules have the id %s", ids[i]);
	return 0;
}

/* Drafts, sorted, become the rules; all go into the array. */
static int keep_rules(struct bh_compile *c, struct draft *drafts, size_t count, json_t *array)
{
	struct bh_compiled *compiled = c->compiled;

	compiled->rules_count = 0;
	for (size_t i = 0; i < count; i++) {
		struct bh_rule *rule = &compiled->rules[compiled->rules_count];
		BH_FREE char *text = NULL;

		if (i && same_rule(&drafts[i - 1], &drafts[i]))
			continue;
		text = bh_canon_text(drafts[i].object);
		*rule = drafts[i].rule;
		rule->json = text ? bh_compiled_keep(compiled, text) : NULL;
		if (!rule->json || json_array_append(array, drafts[i].object))
			return -ENOMEM;
		compiled->rules_count++;
	}
	return check_ids(c);
}

/* Takes over the reference to rules. */
static int write_policy(struct bh_compile *c, json_t *rules)
{
	uint8_t hash[BH_HASH_BYTES];
	json_t *policy = bh_canon_policy(c, rules);

	if (policy)
		c->compiled->json = bh_canon_text(policy);
	json_decref(policy);
	if (!c->compiled->json)
		return -ENOMEM;
	c->compiled->json_length = strlen(c->compiled->json);
	bh_hash_bytes(c->compiled->json, c->compiled->json_length, hash);
	bh_hash_text(hash, c->compiled->hash);
	memcpy(c->compiled->tables->head.hash, hash, sizeof(hash));
	return 0;
}

int bh_compile_canon(struct bh_compile *c)
{
	size_t count = c->compiled->rules_count;
	BH_FREE struct draft *drafts = calloc(count + 1, sizeof(*drafts));
	json_t *array = json_array();
	int result = drafts && array ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && !result; i++)
		result = draft_init(&drafts[i], &c->compiled->rules[i]);
	if (!result) {
		qsort(drafts, count, sizeof(*drafts), compare_drafts);
		result = keep_rules(c, drafts, count, array);
	}
	for (size_t i = 0; i < count && drafts; i++) {
		free(drafts[i].condition);
		json_decref(drafts[i].object);
	}
	if (!result)
		return write_policy(c, array);
	json_decref(array);
	return result;
}
