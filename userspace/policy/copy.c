/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A policy once more. Each struct is first copied as it stands, borrowed pointers and all; then every pointer is replaced by
 * one of its own. A failure leaves NULL in its place and the others are still replaced, so that nothing borrowed remains.
 */
#include <stdlib.h>
#include <string.h>

#include "policy/model.h"

/* Without memory: NULL, and *failed. */
static void *own_array(const void *array, size_t count, size_t size, bool *failed)
{
	void *copy = count ? malloc(count * size) : NULL;

	if (copy)
		memcpy(copy, array, count * size);
	*failed = *failed || (count && !copy);
	return copy;
}

#define OWN_ARRAY(array, count, failed)                                                                                \
	do {                                                                                                           \
		(array) = own_array((array), (count), sizeof(*(array)), (failed));                                     \
		if (!(array))                                                                                          \
			(count) = 0;                                                                                   \
	} while (0)

static void own_text(char **text, bool *failed)
{
	if (!*text)
		return;
	*text = strdup(*text);
	*failed = *failed || !*text;
}

static void own_words(struct bh_words *words, bool *failed)
{
	OWN_ARRAY(words->items, words->count, failed);
	for (size_t i = 0; i < words->count; i++)
		own_text(&words->items[i].text, failed);
}

static void own_pairs(struct bh_pairs *pairs, bool *failed)
{
	OWN_ARRAY(pairs->items, pairs->count, failed);
	for (size_t i = 0; i < pairs->count; i++) {
		own_text(&pairs->items[i].word.text, failed);
		own_text(&pairs->items[i].value.text, failed);
	}
}

static void own_unix(struct bh_unix *sockets, bool *failed)
{
	own_words(&sockets->connect, failed);
	own_words(&sockets->listen, failed);
	own_words(&sockets->abstract, failed);
}

static void own_clauses(struct bh_tool *tool, bool *failed)
{
	OWN_ARRAY(tool->args, tool->args_count, failed);
	for (size_t i = 0; i < tool->args_count; i++) {
		own_words(&tool->args[i].exact, failed);
		own_words(&tool->args[i].first, failed);
		own_words(&tool->args[i].options, failed);
		own_words(&tool->args[i].require, failed);
		own_words(&tool->args[i].refuse, failed);
	}
}

static void own_tool(struct bh_tool *tool, bool *failed)
{
	own_text(&tool->name.text, failed);
	own_pairs(&tool->binaries, failed);
	own_clauses(tool, failed);
	own_words(&tool->env.keep, failed);
	own_pairs(&tool->env.require, failed);
	own_words(&tool->may_run, failed);
	own_words(&tool->helpers, failed);
	own_words(&tool->read, failed);
	own_words(&tool->write, failed);
	own_pairs(&tool->load, failed);
	own_words(&tool->reach, failed);
	OWN_ARRAY(tool->listen.items, tool->listen.count, failed);
	own_unix(&tool->unix_sockets, failed);
}

static void own_destination(struct bh_destination *destination, bool *failed)
{
	own_text(&destination->name.text, failed);
	own_words(&destination->hosts, failed);
	OWN_ARRAY(destination->cidrs.items, destination->cidrs.count, failed);
	OWN_ARRAY(destination->resolves_to.items, destination->resolves_to.count, failed);
	OWN_ARRAY(destination->ports.items, destination->ports.count, failed);
}

static void own_select(struct bh_select *select, bool *failed)
{
	OWN_ARRAY(select->any, select->count, failed);
	for (size_t i = 0; i < select->count; i++) {
		OWN_ARRAY(select->any[i].terms, select->any[i].count, failed);
		for (size_t k = 0; k < select->any[i].count; k++) {
			own_text(&select->any[i].terms[k].label.text, failed);
			own_text(&select->any[i].terms[k].value.text, failed);
		}
	}
}

static void own_resources(struct bh_resources *resources, bool *failed)
{
	own_text(&resources->disk_path.text, failed);
	OWN_ARRAY(resources->thresholds, resources->thresholds_count, failed);
	for (size_t i = 0; i < resources->thresholds_count; i++)
		own_text(&resources->thresholds[i].tool.text, failed);
}

static void own_exceptions(struct bh_source_policy *policy, bool *failed)
{
	OWN_ARRAY(policy->lifts, policy->lifts_count, failed);
	for (size_t i = 0; i < policy->lifts_count; i++) {
		own_text(&policy->lifts[i].guard.text, failed);
		own_text(&policy->lifts[i].reason.text, failed);
	}
	OWN_ARRAY(policy->acceptances, policy->acceptances_count, failed);
	for (size_t i = 0; i < policy->acceptances_count; i++) {
		own_text(&policy->acceptances[i].code.text, failed);
		own_text(&policy->acceptances[i].at.text, failed);
		own_text(&policy->acceptances[i].reason.text, failed);
	}
}

static void own_policy(struct bh_source_policy *policy, bool *failed)
{
	own_text(&policy->name.text, failed);
	own_text(&policy->description.text, failed);
	own_text(&policy->owner.text, failed);
	own_text(&policy->ticket.text, failed);
	own_text(&policy->entry.text, failed);
	own_words(&policy->attach, failed);
	own_words(&policy->presets, failed);
	own_words(&policy->workspaces, failed);
	own_select(&policy->select, failed);
	OWN_ARRAY(policy->tools, policy->tools_count, failed);
	for (size_t i = 0; i < policy->tools_count; i++)
		own_tool(&policy->tools[i], failed);
	OWN_ARRAY(policy->destinations, policy->destinations_count, failed);
	for (size_t i = 0; i < policy->destinations_count; i++)
		own_destination(&policy->destinations[i], failed);
	own_words(&policy->never_read, failed);
	own_words(&policy->never_write, failed);
	own_words(&policy->never_run, failed);
	OWN_ARRAY(policy->never_reach.items, policy->never_reach.count, failed);
	OWN_ARRAY(policy->dns.resolvers.items, policy->dns.resolvers.count, failed);
	own_text(&policy->dns.reason.text, failed);
	own_unix(&policy->unix_sockets, failed);
	own_words(&policy->privileges.capabilities, failed);
	own_pairs(&policy->privileges.allow, failed);
	own_resources(&policy->resources, failed);
	own_exceptions(policy, failed);
}

struct bh_source_policy *bh_source_policy_copy(const struct bh_source_policy *policy)
{
	struct bh_source_policy *copy = malloc(sizeof(*copy));
	bool failed = false;

	if (!copy)
		return NULL;
	*copy = *policy;
	own_policy(copy, &failed);
	if (!failed)
		return copy;
	bh_source_policy_free(copy);
	return NULL;
}
