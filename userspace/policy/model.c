/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/model.h"

#include <stdlib.h>

static void words_free(struct bh_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->items[i].text);
	free(words->items);
}

static void tool_done(struct bh_tool *tool)
{
	free(tool->name.text);
	words_free(&tool->binaries);
	words_free(&tool->may_run);
	words_free(&tool->helpers);
	words_free(&tool->read);
	words_free(&tool->write);
	words_free(&tool->reach);
}

static void destination_done(struct bh_destination *destination)
{
	free(destination->name.text);
	free(destination->cidrs);
	free(destination->ports);
}

static void prohibitions_free(struct bh_prohibition *prohibitions, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(prohibitions[i].name.text);
		words_free(&prohibitions[i].read);
		words_free(&prohibitions[i].write);
	}
	free(prohibitions);
}

void bh_source_policy_free(struct bh_source_policy *policy)
{
	if (!policy)
		return;
	free(policy->name.text);
	free(policy->description.text);
	free(policy->owner.text);
	free(policy->ticket.text);
	free(policy->entry.text);
	words_free(&policy->presets);
	for (size_t i = 0; i < policy->tools_count; i++)
		tool_done(&policy->tools[i]);
	free(policy->tools);
	for (size_t i = 0; i < policy->destinations_count; i++)
		destination_done(&policy->destinations[i]);
	free(policy->destinations);
	for (size_t i = 0; i < policy->lifts_count; i++) {
		free(policy->lifts[i].guard.text);
		free(policy->lifts[i].reason.text);
	}
	free(policy->lifts);
	for (size_t i = 0; i < policy->acceptances_count; i++) {
		free(policy->acceptances[i].code.text);
		free(policy->acceptances[i].at.text);
		free(policy->acceptances[i].reason.text);
	}
	free(policy->acceptances);
	words_free(&policy->never_read);
	words_free(&policy->never_write);
	words_free(&policy->never_run);
	free(policy);
}

void bh_shipped_free(struct bh_shipped *shipped)
{
	if (!shipped)
		return;
	for (size_t i = 0; i < shipped->presets_count; i++) {
		free(shipped->presets[i].name);
		words_free(&shipped->presets[i].read);
		words_free(&shipped->presets[i].write);
	}
	free(shipped->presets);
	prohibitions_free(shipped->floors, shipped->floors_count);
	prohibitions_free(shipped->guards, shipped->guards_count);
	for (size_t i = 0; i < shipped->addresses_count; i++) {
		free(shipped->addresses[i].who);
		free(shipped->addresses[i].source);
	}
	free(shipped->addresses);
	words_free(&shipped->interpreters);
	free(shipped);
}
