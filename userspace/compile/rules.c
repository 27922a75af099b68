/* SPDX-License-Identifier: GPL-2.0-only */
/* The model becomes a flat list of rules. */
#include "compile/compiled.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"

char *bh_compiled_keep(struct bh_compiled *compiled, const char *text)
{
	char *copy;

	if (BH_RESERVE(compiled->strings, compiled->strings_capacity, compiled->strings_count + 1))
		return NULL;
	copy = strdup(text);
	if (copy)
		compiled->strings[compiled->strings_count++] = copy;
	return copy;
}

const struct bh_tool *bh_compile_find_tool(const struct bh_source_policy *policy, const char *name)
{
	for (size_t i = 0; i < policy->tools_count; i++)
		if (strcmp(policy->tools[i].name.text, name) == 0)
			return &policy->tools[i];
	return NULL;
}

const struct bh_destination *bh_compile_find_destination(const struct bh_source_policy *policy, const char *name)
{
	for (size_t i = 0; i < policy->destinations_count; i++)
		if (strcmp(policy->destinations[i].name.text, name) == 0)
			return &policy->destinations[i];
	return NULL;
}

void bh_cidr_text(const struct bh_cidr *cidr, char ret_text[BH_CIDR_TEXT])
{
	size_t length;

	inet_ntop(cidr->family == 4 ? AF_INET : AF_INET6, cidr->bytes, ret_text, BH_CIDR_TEXT);
	length = strlen(ret_text);
	snprintf(ret_text + length, BH_CIDR_TEXT - length, "/%u", cidr->prefix);
}

static int add_rule(struct bh_compile *c, struct bh_rule rule)
{
	struct bh_compiled *compiled = c->compiled;
	const char **texts[] = { &rule.scope, &rule.from, &rule.path, &rule.to };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (!*texts[i])
			continue;
		*texts[i] = bh_compiled_keep(compiled, *texts[i]);
		if (!*texts[i])
			return -ENOMEM;
	}
	if (BH_RESERVE(compiled->rules, compiled->rules_capacity, compiled->rules_count + 1))
		return -ENOMEM;
	compiled->rules[compiled->rules_count++] = rule;
	return 0;
}

/* One file rule for each word. from NULL: the words stand in the policy source. */
static int add_files(struct bh_compile *c, struct bh_rule like, const struct bh_words *words)
{
	int result = 0;

	like.class = BH_RULE_FILE;
	for (size_t i = 0; i < words->count && !result; i++) {
		like.path = words->items[i].text;
		like.loc = like.from ? (struct bh_loc){ 0, 0, 0 } : words->items[i].loc;
		result = add_rule(c, like);
	}
	return result;
}

static int add_read_write(struct bh_compile *c, struct bh_rule like, const struct bh_words *read,
			  const struct bh_words *write)
{
	int result;

	like.access = BH_ACCESS_READ;
	result = add_files(c, like, read);
	if (result)
		return result;
	like.access = BH_ACCESS_WRITE;
	return add_files(c, like, write);
}

/* The edges that lead from scope into a tool: one for each of its binaries. loc: where the edge is granted. */
static int add_edges(struct bh_compile *c, const char *scope, const struct bh_tool *to, struct bh_loc loc)
{
	struct bh_rule rule = { .scope = scope, .class = BH_RULE_EXEC, .then = BH_THEN_ALLOW, .to = to->name.text };
	int result = 0;

	for (size_t i = 0; i < to->binaries.count && !result; i++) {
		rule.path = to->binaries.items[i].word.text;
		rule.loc = loc.line ? loc : to->binaries.items[i].word.loc;
		result = add_rule(c, rule);
	}
	return result;
}

static int add_helpers(struct bh_compile *c, const struct bh_tool *tool)
{
	struct bh_rule rule = { .scope = tool->name.text,
				.class = BH_RULE_EXEC,
				.then = BH_THEN_ALLOW,
				.to = tool->name.text,
				.helper = true };
	int result = 0;

	for (size_t i = 0; i < tool->helpers.count && !result; i++) {
		rule.path = tool->helpers.items[i].text;
		rule.loc = tool->helpers.items[i].loc;
		result = add_rule(c, rule);
	}
	return result;
}

static int add_destination(struct bh_compile *c, const struct bh_tool *tool, const struct bh_destination *destination)
{
	struct bh_rule rule = { .scope = tool->name.text, .class = BH_RULE_NET, .then = BH_THEN_ALLOW };
	int result = 0;

	rule.protocol = destination->protocol;
	for (size_t i = 0; i < destination->cidrs.count; i++)
		for (size_t k = 0; k < destination->ports.count && !result; k++) {
			rule.cidr = destination->cidrs.items[i];
			rule.loc = destination->cidrs.items[i].loc;
			rule.port_low = destination->ports.items[k].low;
			rule.port_high = destination->ports.items[k].high;
			result = add_rule(c, rule);
		}
	return result;
}

static int add_tool(struct bh_compile *c, const struct bh_tool *tool)
{
	struct bh_rule like = { .scope = tool->name.text, .then = BH_THEN_ALLOW };
	int result = add_read_write(c, like, &tool->read, &tool->write);

	if (!result)
		result = add_helpers(c, tool);
	for (size_t i = 0; i < tool->may_run.count && !result; i++) {
		const struct bh_tool *to = bh_compile_find_tool(c->policy, tool->may_run.items[i].text);

		if (to)
			result = add_edges(c, tool->name.text, to, tool->may_run.items[i].loc);
	}
	for (size_t i = 0; i < tool->reach.count && !result; i++) {
		const struct bh_destination *to = bh_compile_find_destination(c->policy, tool->reach.items[i].text);

		if (to)
			result = add_destination(c, tool, to);
	}
	return result;
}

static bool is_lifted(const struct bh_source_policy *policy, const char *guard)
{
	for (size_t i = 0; i < policy->lifts_count; i++)
		if (strcmp(policy->lifts[i].guard.text, guard) == 0)
			return true;
	return false;
}

/* The guards that the policy does not lift. */
static int add_guards(struct bh_compile *c)
{
	int result = 0;

	for (size_t i = 0; i < c->shipped->guards_count && !result; i++) {
		const struct bh_prohibition *guard = &c->shipped->guards[i];
		struct bh_rule like = { .scope = "*", .then = BH_THEN_NEVER, .from = guard->name.text };

		if (!is_lifted(c->policy, guard->name.text))
			result = add_read_write(c, like, &guard->read, &guard->write);
	}
	return result;
}

/* What the policy forbids to every tool. */
static int add_never(struct bh_compile *c)
{
	const struct bh_words *run = &c->policy->never_run;
	struct bh_rule rule = { .scope = "*", .then = BH_THEN_NEVER };
	int result = add_read_write(c, rule, &c->policy->never_read, &c->policy->never_write);

	rule.class = BH_RULE_EXEC;
	for (size_t i = 0; i < run->count && !result; i++) {
		rule.path = run->items[i].text;
		rule.loc = run->items[i].loc;
		result = add_rule(c, rule);
	}
	return result;
}

static const struct bh_preset *find_preset(const struct bh_shipped *shipped, const char *name)
{
	for (size_t i = 0; i < shipped->presets_count; i++)
		if (strcmp(shipped->presets[i].name, name) == 0)
			return &shipped->presets[i];
	return NULL;
}

int bh_compile_rules(struct bh_compile *c)
{
	const struct bh_tool *entry = bh_compile_find_tool(c->policy, c->policy->entry.text);
	int result = entry ? add_edges(c, "@entry", entry, (struct bh_loc){ 0, 0, 0 }) : -EINVAL;

	for (size_t i = 0; i < c->policy->tools_count && !result; i++)
		result = add_tool(c, &c->policy->tools[i]);
	if (!result)
		result = add_never(c);
	for (size_t i = 0; i < c->policy->presets.count && !result; i++) {
		const struct bh_preset *preset = find_preset(c->shipped, c->policy->presets.items[i].text);
		struct bh_rule like = { .scope = "*", .then = BH_THEN_ALLOW };

		if (!preset)
			continue;
		like.from = preset->name;
		result = add_read_write(c, like, &preset->read, &preset->write);
	}
	return result ? result : add_guards(c);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int bh_compile_tools(struct bh_compile *c)
{
	const struct bh_source_policy *policy = c->policy;
	const char *names[BH_TOOLS_MAX];
	unsigned int id = 1;

	if (policy->tools_count > BH_TOOLS_MAX)
		return bh_compile_too_many(c, "tools", BH_TOOLS_MAX);
	for (size_t i = 0; i < policy->tools_count; i++)
		names[i] = policy->tools[i].name.text;
	qsort(names, policy->tools_count, sizeof(names[0]), compare_names);
	for (size_t i = 0; i < policy->tools_count; i++) {
		unsigned int to = strcmp(names[i], policy->entry.text) == 0 ? 1 : ++id;

		if (to > BH_TOOLS_MAX || strlen(names[i]) >= BH_TOOL_NAME_BYTES)
			return bh_compile_too_many(c, "bytes in a tool's name", BH_TOOL_NAME_BYTES - 1);
		strcpy(c->compiled->tool_names[to], names[i]);
	}
	c->compiled->tools = id;
	return 0;
}

int bh_compile_too_many(struct bh_compile *c, const char *what, size_t limit)
{
	bh_diag_add(c->diags, BH_SEVERITY_ERROR, "E204", c->policy->name.loc,
		    "split the policy, or say the same with fewer rules", "the policy needs more than %zu %s", limit,
		    what);
	return -EINVAL;
}
