/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/references.h"

#include <stdbool.h>
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

static bool lists(const struct bh_words *words, const char *name)
{
	for (size_t i = 0; name && i < words->count; i++)
		if (strcmp(words->items[i].text, name) == 0)
			return true;
	return false;
}

/* One round: whether a tool that was not known to start is started by one that is. */
static bool start_more(const struct bh_source_policy *policy, bool *started)
{
	bool more = false;

	for (size_t from = 0; from < policy->tools_count; from++)
		for (size_t to = 0; started[from] && to < policy->tools_count; to++)
			if (!started[to] && lists(&policy->tools[from].may_run, policy->tools[to].name.text))
				more = started[to] = true;
	return more;
}

static void warn_unstarted(const struct bh_source_policy *policy, struct bh_diags *diags)
{
	bool started[BH_TOOLS_MAX] = { 0 };

	for (size_t i = 0; i < policy->tools_count; i++)
		started[i] = strcmp(policy->tools[i].name.text, policy->entry.text) == 0;
	while (start_more(policy, started))
		;
	for (size_t i = 0; i < policy->tools_count; i++)
		if (!started[i])
			bh_diag_add(diags, BH_SEVERITY_WARNING, "W140", policy->tools[i].name.loc,
				    "add it to the 'may_run' of the tool that needs it, or remove it",
				    "nothing can start tool '%s'", policy->tools[i].name.text);
}

static void warn_unreached(const struct bh_source_policy *policy, struct bh_diags *diags)
{
	for (size_t i = 0; i < policy->destinations_count; i++) {
		const struct bh_word *name = &policy->destinations[i].name;
		bool reached = false;

		for (size_t k = 0; k < policy->tools_count && !reached; k++)
			reached = lists(&policy->tools[k].reach, name->text);
		if (!reached)
			bh_diag_add(diags, BH_SEVERITY_WARNING, "W320", name->loc,
				    "add it to the 'reach' of the tool that needs it, or remove it",
				    "no tool reaches destination '%s'", name->text);
	}
}

void bh_uses_check(const struct bh_source_policy *policy, struct bh_diags *diags)
{
	warn_unstarted(policy, diags);
	warn_unreached(policy, diags);
}

void bh_references_check(const struct bh_source_policy *policy, struct bh_diags *diags)
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
