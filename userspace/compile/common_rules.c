/* SPDX-License-Identifier: GPL-2.0-only */
/* Rules for every tool: presets, guards, and what the policy itself forbids. */
#include "compile/compiled.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"

uint8_t bh_compile_procfs(const struct bh_compile *c, const struct bh_tool *tool)
{
	uint8_t procfs = tool->procfs ? tool->procfs : c->policy->procfs;

	return procfs ? procfs : BH_PROCFS_OWN;
}

bool bh_compile_is_lifted(const struct bh_compile *c, const char *guard)
{
	for (size_t i = 0; i < c->policy->lifts_count; i++)
		if (strcmp(c->policy->lifts[i].guard.text, guard) == 0)
			return true;
	return false;
}

/* The guard's patterns below one workspace. */
static int add_below(struct bh_compile *c, struct bh_rule like, const char *workspace, const struct bh_words *words)
{
	int result = 0;

	for (size_t i = 0; i < words->count && !result; i++) {
		struct bh_buf path = { 0 };

		bh_buf_print(&path, "%s%s", workspace, words->items[i].text);
		like.path = (const char *)path.bytes;
		result = path.error ? -ENOMEM : bh_compile_add_rule(c, like);
		bh_buf_done(&path);
	}
	return result;
}

static int add_guard(struct bh_compile *c, const struct bh_prohibition *guard)
{
	struct bh_rule like = { .scope = "*", .then = BH_THEN_NEVER, .from = guard->name.text };
	int result = 0;

	if (!guard->below_workspaces)
		return bh_compile_add_files(c, like, &guard->read, &guard->write);
	like.class = BH_RULE_FILE;
	for (size_t i = 0; i < c->policy->workspaces.count && !result; i++) {
		const char *workspace = c->policy->workspaces.items[i].text;

		like.access = BH_ACCESS_READ;
		result = add_below(c, like, workspace, &guard->read);
		like.access = BH_ACCESS_WRITE;
		if (!result)
			result = add_below(c, like, workspace, &guard->write);
	}
	return result;
}

/* The guards that the policy does not lift. */
static int add_guards(struct bh_compile *c)
{
	int result = 0;

	for (size_t i = 0; i < c->shipped->guards_count && !result; i++)
		if (!bh_compile_is_lifted(c, c->shipped->guards[i].name.text))
			result = add_guard(c, &c->shipped->guards[i]);
	return result;
}

/* What the policy forbids to every tool: a network on every port and by every protocol. */
static int add_never(struct bh_compile *c)
{
	const struct bh_source_policy *policy = c->policy;
	struct bh_rule rule = { .scope = "*", .then = BH_THEN_NEVER };
	int result = bh_compile_add_files(c, rule, &policy->never_read, &policy->never_write);

	rule.class = BH_RULE_EXEC;
	for (size_t i = 0; i < policy->never_run.count && !result; i++) {
		rule.path = policy->never_run.items[i].text;
		rule.loc = policy->never_run.items[i].loc;
		result = bh_compile_add_rule(c, rule);
	}
	rule = (struct bh_rule){ .scope = "*", .class = BH_RULE_NET, .then = BH_THEN_NEVER, .port_high = 65535 };
	for (size_t i = 0; i < policy->never_reach.count && !result; i++) {
		rule.cidr = policy->never_reach.items[i];
		rule.loc = policy->never_reach.items[i].loc;
		result = bh_compile_add_rule(c, rule);
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

/* For every tool, or where some have nothing of /proc, for each of the others. */
static int add_preset_word(struct bh_compile *c, struct bh_rule like, const struct bh_word *word)
{
	bool all = true;
	int result = 0;

	like.path = word->text;
	for (size_t i = 0; i < c->policy->tools_count; i++)
		all = all && bh_compile_procfs(c, &c->policy->tools[i]) == BH_PROCFS_OWN;
	if (all || strncmp(word->text, "/proc/", 6) != 0)
		return bh_compile_add_rule(c, like);
	for (size_t i = 0; i < c->policy->tools_count && !result; i++) {
		like.scope = c->policy->tools[i].name.text;
		if (bh_compile_procfs(c, &c->policy->tools[i]) == BH_PROCFS_OWN)
			result = bh_compile_add_rule(c, like);
	}
	return result;
}

static int add_preset(struct bh_compile *c, const struct bh_preset *preset)
{
	struct bh_rule like = { .scope = "*",
				.class = BH_RULE_FILE,
				.then = BH_THEN_ALLOW,
				.from = preset->name,
				.access = BH_ACCESS_READ };
	int result = 0;

	for (size_t i = 0; i < preset->read.count && !result; i++)
		result = add_preset_word(c, like, &preset->read.items[i]);
	like.access = BH_ACCESS_WRITE;
	for (size_t i = 0; i < preset->write.count && !result; i++)
		result = add_preset_word(c, like, &preset->write.items[i]);
	return result;
}

int bh_compile_common_rules(struct bh_compile *c)
{
	int result = add_never(c);

	for (size_t i = 0; i < c->policy->presets.count && !result; i++) {
		const struct bh_preset *preset = find_preset(c->shipped, c->policy->presets.items[i].text);

		if (preset)
			result = add_preset(c, preset);
	}
	return result ? result : add_guards(c);
}
