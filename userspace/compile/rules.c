/* SPDX-License-Identifier: GPL-2.0-only */
/* The model becomes a flat list of rules: those of each tool. */
#include "compile/compiled.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "compile/order.h"

void *bh_compiled_hold(struct bh_compiled *compiled, size_t count, size_t size)
{
	void *block;

	if (BH_RESERVE(compiled->blocks, compiled->blocks_capacity, compiled->blocks_count + 1))
		return NULL;
	block = calloc(count, size);
	if (block)
		compiled->blocks[compiled->blocks_count++] = block;
	return block;
}

char *bh_compiled_keep(struct bh_compiled *compiled, const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = bh_compiled_hold(compiled, size, 1);

	if (copy)
		memcpy(copy, text, size);
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

int bh_compile_add_rule(struct bh_compile *c, struct bh_rule rule)
{
	struct bh_compiled *compiled = c->compiled;
	const char **texts[] = { &rule.scope, &rule.from, &rule.path, &rule.to, &rule.sha256, &rule.reason, &rule.host };

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

/* from NULL: the words stand in the policy source. */
static int add_words(struct bh_compile *c, struct bh_rule like, const struct bh_words *words)
{
	int result = 0;

	for (size_t i = 0; i < words->count && !result; i++) {
		like.path = words->items[i].text;
		like.loc = like.from ? (struct bh_loc){ 0, 0, 0 } : words->items[i].loc;
		result = bh_compile_add_rule(c, like);
	}
	return result;
}

int bh_compile_add_files(struct bh_compile *c, struct bh_rule like, const struct bh_words *read,
			 const struct bh_words *write)
{
	int result;

	like.class = BH_RULE_FILE;
	like.access = BH_ACCESS_READ;
	result = add_words(c, like, read);
	if (result)
		return result;
	like.access = BH_ACCESS_WRITE;
	return add_words(c, like, write);
}

/* A hash is the same in capital letters. */
static int keep_hash(struct bh_compile *c, const char *hash, struct bh_rule *rule)
{
	char *copy;

	rule->sha256 = NULL;
	if (!hash)
		return 0;
	rule->sha256 = copy = bh_compiled_keep(c->compiled, hash);
	for (; copy && *copy; copy++)
		if (*copy >= 'A' && *copy <= 'F')
			*copy = (char)(*copy - 'A' + 'a');
	return rule->sha256 ? 0 : -ENOMEM;
}

/* The edges that lead from scope into a tool: one for each of its binaries. loc: where the edge is granted. */
static int add_edges(struct bh_compile *c, const char *scope, const struct bh_tool *to, struct bh_loc loc)
{
	const struct bh_entry_form *form = &c->forms[to - c->policy->tools];
	struct bh_rule rule = { .scope = scope,
				.class = BH_RULE_EXEC,
				.then = BH_THEN_ALLOW,
				.to = to->name.text,
				.args_given = to->args_given,
				.args = form->args,
				.args_count = form->args_count,
				.env = form->env };
	int result = 0;

	for (size_t i = 0; i < to->binaries.count && !result; i++) {
		rule.path = to->binaries.items[i].word.text;
		rule.loc = loc.line ? loc : to->binaries.items[i].word.loc;
		result = keep_hash(c, to->binaries.items[i].value.text, &rule);
		if (!result)
			result = bh_compile_add_rule(c, rule);
	}
	return result;
}

/* To the tools of the first program and of sessions that join. */
static int add_ways_in(struct bh_compile *c)
{
	const struct bh_tool *entry = bh_compile_find_tool(c->policy, c->policy->entry.text);
	int result = entry ? add_edges(c, "@entry", entry, (struct bh_loc){ 0, 0, 0 }) : -EINVAL;

	for (size_t i = 0; i < c->policy->attach.count && !result; i++) {
		const struct bh_word *word = &c->policy->attach.items[i];
		const struct bh_tool *tool = bh_compile_find_tool(c->policy, word->text);

		if (tool)
			result = add_edges(c, "@attach", tool, word->loc);
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

	return add_words(c, rule, &tool->helpers);
}

static int add_loads(struct bh_compile *c, const struct bh_tool *tool)
{
	struct bh_rule rule = {
		.scope = tool->name.text, .class = BH_RULE_FILE, .then = BH_THEN_ALLOW, .access = BH_ACCESS_LOAD
	};
	int result = 0;

	for (size_t i = 0; i < tool->load.count && !result; i++) {
		rule.path = tool->load.items[i].word.text;
		rule.reason = tool->load.items[i].value.text;
		rule.loc = tool->load.items[i].word.loc;
		result = bh_compile_add_rule(c, rule);
	}
	return result;
}

/* The rule once for each of the destination's ports. Echo requests have none. */
static int add_ports(struct bh_compile *c, const struct bh_destination *destination, struct bh_rule rule)
{
	int result = 0;

	rule.port_low = 0;
	rule.port_high = 65535;
	if (destination->protocol == IPPROTO_ICMP)
		return bh_compile_add_rule(c, rule);
	for (size_t k = 0; k < destination->ports.count && !result; k++) {
		rule.port_low = destination->ports.items[k].low;
		rule.port_high = destination->ports.items[k].high;
		result = bh_compile_add_rule(c, rule);
	}
	return result;
}

static int copy_blocks(struct bh_compile *c, const struct bh_cidrs *from, struct bh_cidrs *to)
{
	to->count = from->count;
	to->items = bh_compiled_hold(c->compiled, from->count + 1, sizeof(*to->items));
	if (!to->items)
		return -ENOMEM;
	if (from->count)
		memcpy(to->items, from->items, from->count * sizeof(*to->items));
	to->count = bh_order_blocks(to->items, to->count);
	return 0;
}

static int add_destination(struct bh_compile *c, const struct bh_tool *tool, const struct bh_destination *destination)
{
	struct bh_rule rule = {
		.scope = tool->name.text, .class = BH_RULE_NET, .then = BH_THEN_ALLOW, .protocol = destination->protocol
	};
	int result = 0;

	for (size_t i = 0; i < destination->cidrs.count && !result; i++) {
		rule.cidr = destination->cidrs.items[i];
		rule.loc = destination->cidrs.items[i].loc;
		result = add_ports(c, destination, rule);
	}
	if (result || !destination->hosts.count)
		return result;
	rule.cidr = (struct bh_cidr){ 0 };
	rule.sni = destination->sni;
	result = copy_blocks(c, &destination->resolves_to, &rule.resolves_to);
	for (size_t i = 0; i < destination->hosts.count && !result; i++) {
		rule.host = destination->hosts.items[i].text;
		rule.loc = destination->hosts.items[i].loc;
		result = add_ports(c, destination, rule);
	}
	return result;
}

static int add_listens(struct bh_compile *c, const struct bh_tool *tool)
{
	struct bh_rule rule = { .scope = tool->name.text, .class = BH_RULE_LISTEN, .then = BH_THEN_ALLOW };
	int result = 0;

	for (size_t i = 0; i < tool->listen.count && !result; i++) {
		rule.port_low = tool->listen.items[i].low;
		rule.port_high = tool->listen.items[i].high;
		rule.protocol = tool->listen.items[i].protocol;
		rule.loc = tool->listen.items[i].loc;
		result = bh_compile_add_rule(c, rule);
	}
	return result;
}

/* The tool's own list, or else the policy's. */
static int add_sockets(struct bh_compile *c, const struct bh_tool *tool)
{
	const struct bh_unix *sockets = tool->unix_sockets.given ? &tool->unix_sockets : &c->policy->unix_sockets;
	struct bh_rule rule = {
		.scope = tool->name.text, .class = BH_RULE_UNIX, .then = BH_THEN_ALLOW, .unix_op = BH_UNIX_CONNECT
	};
	int result = add_words(c, rule, &sockets->connect);

	rule.unix_op = BH_UNIX_LISTEN;
	if (!result)
		result = add_words(c, rule, &sockets->listen);
	rule.unix_op = BH_UNIX_ABSTRACT;
	return result ? result : add_words(c, rule, &sockets->abstract);
}

static int add_reach(struct bh_compile *c, const struct bh_tool *tool)
{
	int result = 0;

	for (size_t i = 0; i < tool->reach.count && !result; i++) {
		const struct bh_destination *to = bh_compile_find_destination(c->policy, tool->reach.items[i].text);

		if (to)
			result = add_destination(c, tool, to);
	}
	return result;
}

static int add_tool(struct bh_compile *c, const struct bh_tool *tool)
{
	struct bh_rule like = { .scope = tool->name.text, .then = BH_THEN_ALLOW };
	int result = bh_compile_add_files(c, like, &tool->read, &tool->write);

	if (!result)
		result = add_loads(c, tool);
	if (!result)
		result = add_helpers(c, tool);
	for (size_t i = 0; i < tool->may_run.count && !result; i++) {
		const struct bh_tool *to = bh_compile_find_tool(c->policy, tool->may_run.items[i].text);

		if (to)
			result = add_edges(c, tool->name.text, to, tool->may_run.items[i].loc);
	}
	if (!result)
		result = add_reach(c, tool);
	if (!result)
		result = add_listens(c, tool);
	return result ? result : add_sockets(c, tool);
}

int bh_compile_rules(struct bh_compile *c)
{
	int result = add_ways_in(c);

	for (size_t i = 0; i < c->policy->tools_count && !result; i++)
		result = add_tool(c, &c->policy->tools[i]);
	return result;
}
