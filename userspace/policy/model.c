/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/model.h"

#include <stdlib.h>

static void words_free(struct bh_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->items[i].text);
	free(words->items);
}

static void pairs_free(struct bh_pairs *pairs)
{
	for (size_t i = 0; i < pairs->count; i++) {
		free(pairs->items[i].word.text);
		free(pairs->items[i].value.text);
	}
	free(pairs->items);
}

static void unix_done(struct bh_unix *sockets)
{
	words_free(&sockets->connect);
	words_free(&sockets->listen);
	words_free(&sockets->abstract);
}

static void clause_done(struct bh_args_clause *clause)
{
	words_free(&clause->exact);
	words_free(&clause->first);
	words_free(&clause->options);
	words_free(&clause->require);
	words_free(&clause->refuse);
}

static void tool_done(struct bh_tool *tool)
{
	free(tool->name.text);
	pairs_free(&tool->binaries);
	for (size_t i = 0; i < tool->args_count; i++)
		clause_done(&tool->args[i]);
	free(tool->args);
	words_free(&tool->env.keep);
	pairs_free(&tool->env.require);
	pairs_free(&tool->load);
	free(tool->listen.items);
	unix_done(&tool->unix_sockets);
	words_free(&tool->may_run);
	words_free(&tool->helpers);
	words_free(&tool->read);
	words_free(&tool->write);
	words_free(&tool->reach);
}

static void destination_done(struct bh_destination *destination)
{
	free(destination->name.text);
	words_free(&destination->hosts);
	free(destination->cidrs.items);
	free(destination->resolves_to.items);
	free(destination->ports.items);
}

static void select_done(struct bh_select *select)
{
	for (size_t i = 0; i < select->count; i++) {
		for (size_t k = 0; k < select->any[i].count; k++) {
			free(select->any[i].terms[k].label.text);
			free(select->any[i].terms[k].value.text);
		}
		free(select->any[i].terms);
	}
	free(select->any);
}

static void resources_done(struct bh_resources *resources)
{
	for (size_t i = 0; i < resources->thresholds_count; i++)
		free(resources->thresholds[i].tool.text);
	free(resources->thresholds);
	free(resources->disk_path.text);
}

static void prohibitions_free(struct bh_prohibition *prohibitions, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(prohibitions[i].name.text);
		words_free(&prohibitions[i].read);
		words_free(&prohibitions[i].write);
		words_free(&prohibitions[i].programs);
		words_free(&prohibitions[i].variables);
		words_free(&prohibitions[i].except);
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
	free(policy->never_reach.items);
	free(policy->dns.resolvers.items);
	free(policy->dns.reason.text);
	unix_done(&policy->unix_sockets);
	words_free(&policy->privileges.capabilities);
	pairs_free(&policy->privileges.allow);
	select_done(&policy->select);
	resources_done(&policy->resources);
	words_free(&policy->attach);
	words_free(&policy->workspaces);
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
	words_free(&shipped->blocked_names);
	free(shipped);
}
