/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/check.h"

#include <string.h>

#include "policy/suggest.h"

static bool tool_known(const struct bh_source_policy *policy, const char *name, struct bh_suggestion *suggestion)
{
	for (size_t i = 0; i < policy->tools_count; i++) {
		const char *tool = policy->tools[i].name.text;

		if (!tool)
			continue;
		if (strcmp(tool, name) == 0)
			return true;
		bh_suggest_offer(suggestion, name, tool);
	}
	return false;
}

static bool destination_known(const struct bh_source_policy *policy, const char *name, struct bh_suggestion *suggestion)
{
	for (size_t i = 0; i < policy->destinations_count; i++) {
		const char *destination = policy->destinations[i].name.text;

		if (!destination)
			continue;
		if (strcmp(destination, name) == 0)
			return true;
		bh_suggest_offer(suggestion, name, destination);
	}
	return false;
}

static void unknown(struct bh_diags *diags, const char *code, const struct bh_word *word, const char *what,
		    const struct bh_suggestion *suggestion, const char *otherwise)
{
	char hint[96];
	const char *near = bh_suggest_hint(suggestion, hint, sizeof(hint));

	bh_diag_add(diags, BH_SEVERITY_ERROR, code, word->loc, near ? near : otherwise, "unknown %s '%s'", what,
		    word->text);
}

static void check_tool(const struct bh_source_policy *policy, const struct bh_tool *tool, struct bh_diags *diags)
{
	for (size_t i = 0; i < tool->may_run.count; i++) {
		struct bh_suggestion suggestion = { 0 };

		if (!tool_known(policy, tool->may_run.items[i].text, &suggestion))
			unknown(diags, "E122", &tool->may_run.items[i], "tool", &suggestion,
				"'may_run' lists tools of this policy; single programs go into 'helpers'");
	}
	for (size_t i = 0; i < tool->reach.count; i++) {
		struct bh_suggestion suggestion = { 0 };

		if (!destination_known(policy, tool->reach.items[i].text, &suggestion))
			unknown(diags, "E124", &tool->reach.items[i], "destination", &suggestion,
				"declare it under spec.egress.destinations");
	}
}

void bh_check_references(const struct bh_source_policy *policy, struct bh_diags *diags)
{
	struct bh_suggestion suggestion = { 0 };

	/* Then something was said about the tools already, and every name would be unknown. */
	if (policy->tools_count == 0)
		return;
	if (policy->entry.text && !tool_known(policy, policy->entry.text, &suggestion))
		unknown(diags, "E120", &policy->entry, "entry tool", &suggestion, "declare it under spec.tools");
	for (size_t i = 0; i < policy->tools_count; i++)
		check_tool(policy, &policy->tools[i], diags);
}
