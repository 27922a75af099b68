/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/check.h"

#include <string.h>

#include "policy/suggest.h"

#define ENOUGH_ERRORS 50u /* nobody reads a suggestion beyond these */

static bool tool_known(const struct bh_source_policy *policy, const char *name)
{
	for (size_t i = 0; i < policy->tools_count; i++)
		if (policy->tools[i].name.text && strcmp(policy->tools[i].name.text, name) == 0)
			return true;
	return false;
}

static bool destination_known(const struct bh_source_policy *policy, const char *name)
{
	for (size_t i = 0; i < policy->destinations_count; i++)
		if (policy->destinations[i].name.text && strcmp(policy->destinations[i].name.text, name) == 0)
			return true;
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

static void unknown_tool(const struct bh_source_policy *policy, const char *code, const struct bh_word *word,
			 const char *what, const char *otherwise, struct bh_diags *diags)
{
	struct bh_suggestion suggestion = { 0 };

	for (size_t i = 0; i < policy->tools_count && bh_diags_errors(diags) < ENOUGH_ERRORS; i++)
		if (policy->tools[i].name.text)
			bh_suggest_offer(&suggestion, word->text, policy->tools[i].name.text);
	unknown(diags, code, word, what, &suggestion, otherwise);
}

static void unknown_destination(const struct bh_source_policy *policy, const struct bh_word *word,
				struct bh_diags *diags)
{
	struct bh_suggestion suggestion = { 0 };

	for (size_t i = 0; i < policy->destinations_count && bh_diags_errors(diags) < ENOUGH_ERRORS; i++)
		if (policy->destinations[i].name.text)
			bh_suggest_offer(&suggestion, word->text, policy->destinations[i].name.text);
	unknown(diags, "E124", word, "destination", &suggestion, "declare it under spec.egress.destinations");
}

static void check_tool(const struct bh_source_policy *policy, const struct bh_tool *tool, struct bh_diags *diags)
{
	for (size_t i = 0; i < tool->may_run.count; i++)
		if (!tool_known(policy, tool->may_run.items[i].text))
			unknown_tool(policy, "E122", &tool->may_run.items[i], "tool",
				     "'may_run' lists tools of this policy; single programs go into 'helpers'", diags);
	for (size_t i = 0; i < tool->reach.count; i++)
		if (!destination_known(policy, tool->reach.items[i].text))
			unknown_destination(policy, &tool->reach.items[i], diags);
}

void bh_check_references(const struct bh_source_policy *policy, struct bh_diags *diags)
{
	static const char declare[] = "declare it under spec.tools";

	/* Then something was said about the tools already, and every name would be unknown. */
	if (policy->tools_count == 0)
		return;
	if (policy->entry.text && !tool_known(policy, policy->entry.text))
		unknown_tool(policy, "E120", &policy->entry, "entry tool", declare, diags);
	for (size_t i = 0; i < policy->tools_count; i++)
		check_tool(policy, &policy->tools[i], diags);
	for (size_t i = 0; i < policy->attach.count; i++)
		if (!tool_known(policy, policy->attach.items[i].text))
			unknown_tool(policy, "E122", &policy->attach.items[i], "tool", declare, diags);
	for (size_t i = 0; i < policy->resources.thresholds_count; i++) {
		const struct bh_word *tool = &policy->resources.thresholds[i].tool;

		if (tool->text && !tool_known(policy, tool->text))
			unknown_tool(policy, "E122", tool, "tool", declare, diags);
	}
}
