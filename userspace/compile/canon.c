/* SPDX-License-Identifier: GPL-2.0-only */
/* Canonical JSON: the policy's identity. Rules get their ids from their own content. */
#include "compile/compiled.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/cleanup.h"
#include "compile/artifact.h"

#define CANONICAL (JSON_COMPACT | JSON_SORT_KEYS | JSON_ENSURE_ASCII)

/*
 * The canonical text of a value; the caller frees it. NULL when out of memory. Not json_dumps(): it leaves a key out, and
 * says nothing, when its buffer cannot grow (2.14).
 */
static char *canonical_text(const json_t *json)
{
	size_t size = json_dumpb(json, NULL, 0, CANONICAL);
	char *text = size ? malloc(size + 1) : NULL;

	if (!text || json_dumpb(json, text, size, CANONICAL) != size) {
		free(text);
		return NULL;
	}
	text[size] = '\0';
	return text;
}

static const char *const class_names[] = {
	[BH_RULE_EXEC] = "exec",
	[BH_RULE_FILE] = "file",
	[BH_RULE_NET] = "net",
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

static const char *protocol_name(uint8_t protocol)
{
	return protocol == IPPROTO_UDP ? "udp" : "tcp";
}

static json_t *net_condition(const struct bh_rule *rule)
{
	char cidr[BH_CIDR_TEXT], range[16];

	bh_cidr_text(&rule->cidr, cidr);
	if (rule->port_low == rule->port_high)
		return json_pack("{s:s, s:[i], s:s}", "cidr", cidr, "ports", rule->port_low, "proto",
				 protocol_name(rule->protocol));
	snprintf(range, sizeof(range), "%u-%u", rule->port_low, rule->port_high);
	return json_pack("{s:s, s:[s], s:s}", "cidr", cidr, "ports", range, "proto", protocol_name(rule->protocol));
}

static json_t *condition_of(const struct bh_rule *rule)
{
	switch (rule->class) {
	case BH_RULE_EXEC:
		if (!rule->to)
			return json_pack("{s:s}", "path", rule->path);
		return rule->helper ? json_pack("{s:s, s:s, s:b}", "path", rule->path, "to", rule->to, "helper", 1) :
				      json_pack("{s:s, s:s}", "path", rule->path, "to", rule->to);
	case BH_RULE_FILE:
		return json_pack("{s:s, s:s}", "op", rule->access == BH_ACCESS_READ ? "read" : "write", "path",
				 rule->path);
	default:
		return net_condition(rule);
	}
}

static int draft_init(struct draft *draft, const struct bh_rule *rule)
{
	char hash_text[BH_HASH_TEXT];
	uint8_t hash[BH_HASH_BYTES];
	BH_FREE char *text = NULL;
	json_t *condition = condition_of(rule);

	draft->rule = *rule;
	draft->condition = condition ? canonical_text(condition) : NULL;
	draft->object = json_pack("{s:s, s:o, s:s, s:s}", "class", class_names[rule->class], "if", condition, "scope",
				  rule->scope, "then", then_names[rule->then]);
	text = draft->object ? canonical_text(draft->object) : NULL;
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
		text = canonical_text(drafts[i].object);
		*rule = drafts[i].rule;
		rule->json = text ? bh_compiled_keep(compiled, text) : NULL;
		if (!rule->json || json_array_append(array, drafts[i].object))
			return -ENOMEM;
		compiled->rules_count++;
	}
	return check_ids(c);
}

/* What is said about a tool beside its rules; what is not so is left out. NULL when out of memory. */
static json_t *scope_of(const struct bh_tool *tool)
{
	json_t *scope = json_object();
	int result = scope ? 0 : -1;

	if (!result && tool->jit)
		result = json_object_set_new(scope, "jit", json_true());
	if (!result && tool->runs_code)
		result = json_object_set_new(scope, "runs_code", json_true());
	if (!result)
		return scope;
	json_decref(scope);
	return NULL;
}

/* The tools by name. NULL when out of memory. */
static json_t *scopes_of(const struct bh_compile *c)
{
	json_t *scopes = json_object();

	for (size_t i = 0; i < c->policy->tools_count && scopes; i++)
		if (json_object_set_new(scopes, c->policy->tools[i].name.text, scope_of(&c->policy->tools[i]))) {
			json_decref(scopes);
			return NULL;
		}
	return scopes;
}

/* The presets that the policy names, with their versions. NULL when out of memory. */
static json_t *presets_of(const struct bh_compile *c)
{
	json_t *presets = json_object();

	for (size_t i = 0; i < c->policy->presets.count; i++)
		for (size_t k = 0; k < c->shipped->presets_count; k++) {
			const struct bh_preset *preset = &c->shipped->presets[k];

			if (strcmp(c->policy->presets.items[i].text, preset->name) != 0)
				continue;
			if (json_object_set_new(presets, preset->name, json_integer(preset->version))) {
				json_decref(presets);
				return NULL;
			}
		}
	return presets;
}

static json_t *compiler_of(const struct bh_compile *c)
{
	return json_pack("{s:i, s:o, s:I}", "semantics", BH_SEMANTICS_VERSION, "presets", presets_of(c), "floor",
			 (json_int_t)c->shipped->floor_version);
}

static const char *response_name(const struct bh_compile *c, unsigned int class)
{
	return c->policy->respond[class] == BH_VERDICT_KILL ? "kill" : "deny";
}

static json_t *respond_of(const struct bh_compile *c)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s}", "floor", response_name(c, BH_CLASS_FLOOR), "exec",
			 response_name(c, BH_CLASS_EXEC), "files", response_name(c, BH_CLASS_FILES), "network",
			 response_name(c, BH_CLASS_NETWORK), "privileges", response_name(c, BH_CLASS_PRIVILEGES));
}

static int compare_lifts(const void *a, const void *b)
{
	const struct bh_lift *const *left = a, *const *right = b;

	return strcmp((*left)->guard.text, (*right)->guard.text);
}

/* The guards that the policy lifts, by name. NULL when out of memory. */
static json_t *lifts_of(const struct bh_compile *c)
{
	const struct bh_source_policy *policy = c->policy;
	BH_FREE const struct bh_lift **lifts = calloc(policy->lifts_count + 1, sizeof(*lifts));
	json_t *array = lifts ? json_array() : NULL;

	for (size_t i = 0; i < policy->lifts_count && array; i++)
		lifts[i] = &policy->lifts[i];
	if (array)
		qsort(lifts, policy->lifts_count, sizeof(*lifts), compare_lifts);
	for (size_t i = 0; i < policy->lifts_count && array; i++)
		if (json_array_append_new(array, json_pack("{s:s, s:s}", "lift", lifts[i]->guard.text, "reason",
							   lifts[i]->reason.text))) {
			json_decref(array);
			return NULL;
		}
	return array;
}

static int compare_acceptances(const void *a, const void *b)
{
	const struct bh_acceptance *const *left = a, *const *right = b;
	int order = strcmp((*left)->at.text, (*right)->at.text);

	return order ? order : strcmp((*left)->code.text, (*right)->code.text);
}

/* The warnings that the policy accepts, by place and code. NULL when out of memory. */
static json_t *acceptances_of(const struct bh_compile *c)
{
	const struct bh_source_policy *policy = c->policy;
	BH_FREE const struct bh_acceptance **items = calloc(policy->acceptances_count + 1, sizeof(*items));
	json_t *array = items ? json_array() : NULL;

	for (size_t i = 0; i < policy->acceptances_count && array; i++)
		items[i] = &policy->acceptances[i];
	if (array)
		qsort(items, policy->acceptances_count, sizeof(*items), compare_acceptances);
	for (size_t i = 0; i < policy->acceptances_count && array; i++)
		if (json_array_append_new(array, json_pack("{s:s, s:s, s:s}", "at", items[i]->at.text, "code",
							   items[i]->code.text, "reason", items[i]->reason.text))) {
			json_decref(array);
			return NULL;
		}
	return array;
}

/* Lists without items are left out. */
static int add_exceptions(const struct bh_compile *c, json_t *policy)
{
	if (c->policy->lifts_count && json_object_set_new(policy, "guards", lifts_of(c)))
		return -ENOMEM;
	if (c->policy->acceptances_count && json_object_set_new(policy, "accept", acceptances_of(c)))
		return -ENOMEM;
	return 0;
}

/* Takes over the reference to rules. */
static int write_policy(struct bh_compile *c, json_t *rules)
{
	uint8_t hash[BH_HASH_BYTES];
	json_t *policy = json_pack("{s:o, s:s, s:i, s:s, s:s, s:o, s:o, s:o}", "compiler", compiler_of(c), "entry",
				   c->policy->entry.text, "format", BH_FORMAT_VERSION, "mode",
				   c->policy->mode == BH_MODE_OBSERVE ? "observe" : "enforce", "name",
				   c->policy->name.text, "respond", respond_of(c), "rules", rules, "scopes",
				   scopes_of(c));

	if (policy && !add_exceptions(c, policy))
		c->compiled->json = canonical_text(policy);
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
