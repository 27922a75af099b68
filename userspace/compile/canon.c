/* SPDX-License-Identifier: GPL-2.0-only */
/* Canonical JSON: the policy's identity. Rules get their ids from their own content. */
#include "compile/canon_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
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
};

/* The rule as an object, its keys in order. Without its id that is what the id is made from. */
static void add_rule(struct bh_buf *out, const struct draft *draft, const char *id)
{
	bh_buf_add_text(out, "{\"class\":\"");
	bh_buf_add_text(out, class_names[draft->rule.class]);
	bh_buf_add_text(out, id ? "\",\"id\":\"" : "");
	bh_buf_add_text(out, id ? id : "");
	bh_buf_add_text(out, "\",\"if\":");
	bh_buf_add_text(out, draft->condition);
	bh_buf_add_text(out, ",\"scope\":\"");
	bh_buf_add_text(out, draft->rule.scope); /* a name, which needs no escapes */
	bh_buf_add_text(out, "\",\"then\":\"");
	bh_buf_add_text(out, then_names[draft->rule.then]);
	bh_buf_add_text(out, "\"}");
}

/* text: the rule's, for as long as it takes. */
static int draft_init(struct draft *draft, const struct bh_rule *rule, struct bh_buf *text)
{
	char hash_text[BH_HASH_TEXT];
	uint8_t hash[BH_HASH_BYTES];

	draft->rule = *rule;
	draft->condition = bh_canon_condition_text(rule);
	if (!draft->condition)
		return -ENOMEM;
	text->length = 0;
	add_rule(text, draft, NULL);
	if (text->error)
		return text->error;
	bh_hash_bytes(text->bytes, text->length, hash);
	bh_hash_text(hash, hash_text);
	snprintf(draft->rule.id, sizeof(draft->rule.id), "r-%.12s", hash_text);
	return 0;
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
	int order = a->rule.scope == b->rule.scope ? 0 : strcmp(a->rule.scope, b->rule.scope);

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

/* Drafts, sorted, become the rules, and the text of their list. */
static int keep_rules(struct bh_compile *c, struct draft *drafts, size_t count, struct bh_buf *list)
{
	struct bh_compiled *compiled = c->compiled;

	compiled->rules_count = 0;
	bh_buf_add(list, "[", 1);
	for (size_t i = 0; i < count; i++) {
		struct bh_rule *rule = &compiled->rules[compiled->rules_count];
		size_t begin;

		if (i && same_rule(&drafts[i - 1], &drafts[i]))
			continue;
		if (compiled->rules_count)
			bh_buf_add(list, ",", 1);
		begin = list->length;
		add_rule(list, &drafts[i], drafts[i].rule.id);
		*rule = drafts[i].rule;
		rule->json = list->error ? NULL : bh_compiled_keep(compiled, (const char *)list->bytes + begin);
		if (!rule->json)
			return -ENOMEM;
		compiled->rules_count++;
	}
	bh_buf_add(list, "]", 1);
	return list->error ? list->error : check_ids(c);
}

/* The policy's text; its list of rules is there already. */
static int write_policy(struct bh_compile *c, const struct bh_buf *rules)
{
	uint8_t hash[BH_HASH_BYTES];

	c->compiled->json = bh_canon_policy(c, (const char *)rules->bytes, &c->compiled->json_length);
	if (!c->compiled->json)
		return -ENOMEM;
	bh_hash_bytes(c->compiled->json, c->compiled->json_length, hash);
	bh_hash_text(hash, c->compiled->hash);
	memcpy(c->compiled->tables->head.hash, hash, sizeof(hash));
	return 0;
}

int bh_compile_canon(struct bh_compile *c)
{
	size_t count = c->compiled->rules_count;
	BH_FREE struct draft *drafts = calloc(count + 1, sizeof(*drafts));
	struct bh_buf text = { 0 }, rules = { 0 };
	int result = drafts ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && !result; i++)
		result = draft_init(&drafts[i], &c->compiled->rules[i], &text);
	if (!result) {
		qsort(drafts, count, sizeof(*drafts), compare_drafts);
		result = keep_rules(c, drafts, count, &rules);
	}
	for (size_t i = 0; i < count && drafts; i++)
		free(drafts[i].condition);
	bh_buf_done(&text);
	if (!result)
		result = write_policy(c, &rules);
	bh_buf_done(&rules);
	return result;
}
