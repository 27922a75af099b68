/* SPDX-License-Identifier: GPL-2.0-only */
#include "compile/restore_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compile/artifact.h"
#include "compile/compiled.h"
#include "compile/names.h"
#include "policy/limits.h"

int bh_restore_no_memory(struct restore *r)
{
	return bh_err_set(r->err, ENOMEM, "out of memory");
}

int bh_restore_not_canonical(struct restore *r)
{
	return REFUSE(r, "its policy is not in canonical form after %zu bytes", (size_t)(r->scan.at - r->start));
}

int bh_restore_word(struct restore *r, struct bh_word *word, const char *text)
{
	word->text = strdup(text);
	return word->text ? 0 : bh_restore_no_memory(r);
}

/* Adds a word unless the list has it. */
int bh_restore_add_word(struct restore *r, struct bh_words *words, const char *text, size_t *count)
{
	struct bh_word *items;

	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->items[i].text, text) == 0)
			return 0;
	items = reallocarray(words->items, words->count + 1, sizeof(*items));
	if (!items)
		return bh_restore_no_memory(r);
	words->items = items;
	items[words->count] = (struct bh_word){ 0 };
	if (bh_restore_word(r, &items[words->count], text))
		return -ENOMEM;
	words->count++;
	if (count)
		++*count;
	return 0;
}

/* The tool of that name, made when it is the first time that it is named. */
int bh_restore_tool(struct restore *r, const char *name, struct bh_tool **ret_tool)
{
	struct bh_source_policy *policy = r->policy;

	for (size_t i = 0; i < policy->tools_count; i++)
		if (strcmp(policy->tools[i].name.text, name) == 0) {
			*ret_tool = &policy->tools[i];
			return 0;
		}
	if (!bh_is_name(name))
		return REFUSE(r, "its policy: '%s' is not the name of a tool", name);
	if (policy->tools_count == BH_TOOLS_MAX)
		return REFUSE(r, "its policy has more than %u tools", BH_TOOLS_MAX);
	*ret_tool = &policy->tools[policy->tools_count];
	if (bh_restore_word(r, &(*ret_tool)->name, name))
		return -ENOMEM;
	policy->tools_count++;
	return 0;
}

bool bh_restore_is_lifted(const struct bh_source_policy *policy, const char *guard)
{
	for (size_t i = 0; i < policy->lifts_count; i++)
		if (strcmp(policy->lifts[i].guard.text, guard) == 0)
			return true;
	return false;
}

/* A list or mapping whose items `item` reads, up to what closes it. */
static int restore_items(struct restore *r, const char *close, int (*item)(struct restore *r))
{
	int result = 0;

	if (LITERAL(r, close))
		return 0;
	do
		result = item(r);
	while (!result && LITERAL(r, ","));
	return result ? result : LITERAL(r, close) ? 0 : bh_restore_not_canonical(r);
}

static int restore_list(struct restore *r, int (*item)(struct restore *r))
{
	return restore_items(r, "]", item);
}

/* One tool with what is said about it. */
static int restore_scope(struct restore *r)
{
	char name[BH_TOOL_NAME_BYTES];
	struct bh_tool *tool = NULL;
	int result;

	if (!TEXT(r, name) || !LITERAL(r, ":{"))
		return bh_restore_not_canonical(r);
	result = bh_restore_tool(r, name, &tool);
	if (result || !tool)
		return result;
	tool->jit = LITERAL(r, "\"jit\":true");
	tool->runs_code = LITERAL(r, tool->jit ? ",\"runs_code\":true" : "\"runs_code\":true");
	return LITERAL(r, "}") ? 0 : bh_restore_not_canonical(r);
}

static bool is_guard(const struct restore *r, const char *name)
{
	for (size_t i = 0; i < r->shipped->guards_count; i++)
		if (strcmp(r->shipped->guards[i].name.text, name) == 0)
			return true;
	return false;
}

static int restore_lift(struct restore *r)
{
	char guard[BH_TOOL_NAME_BYTES], reason[BH_REASON_LIMIT + 1];
	struct bh_lift *lifts, *lift;

	if (!LITERAL(r, "{\"lift\":") || !TEXT(r, guard) || !LITERAL(r, ",\"reason\":") || !TEXT(r, reason) ||
	    !LITERAL(r, "}"))
		return bh_restore_not_canonical(r);
	if (!is_guard(r, guard) || bh_restore_is_lifted(r->policy, guard))
		return REFUSE(r, "its policy lifts guard '%s'%s", guard,
			      is_guard(r, guard) ? " twice" : ", which this program does not ship");
	lifts = reallocarray(r->policy->lifts, r->policy->lifts_count + 1, sizeof(*lifts));
	if (!lifts)
		return bh_restore_no_memory(r);
	r->policy->lifts = lifts;
	lift = &lifts[r->policy->lifts_count++];
	*lift = (struct bh_lift){ 0 };
	return bh_restore_word(r, &lift->guard, guard) || bh_restore_word(r, &lift->reason, reason) ? -ENOMEM : 0;
}

static int restore_acceptance(struct restore *r)
{
	char at[BH_PLACE_LIMIT + 1], code[8], reason[BH_REASON_LIMIT + 1];
	struct bh_acceptance *items, *item;

	if (!LITERAL(r, "{\"at\":") || !TEXT(r, at) || !LITERAL(r, ",\"code\":") || !TEXT(r, code) ||
	    !LITERAL(r, ",\"reason\":") || !TEXT(r, reason) || !LITERAL(r, "}"))
		return bh_restore_not_canonical(r);
	if (!bh_is_warning_code(code) || r->policy->acceptances_count == BH_NAMES_LIMIT)
		return REFUSE(r, "its policy accepts '%s', or too much", code);
	items = reallocarray(r->policy->acceptances, r->policy->acceptances_count + 1, sizeof(*items));
	if (!items)
		return bh_restore_no_memory(r);
	r->policy->acceptances = items;
	item = &items[r->policy->acceptances_count++];
	*item = (struct bh_acceptance){ 0 };
	if (bh_restore_word(r, &item->at, at) || bh_restore_word(r, &item->code, code))
		return -ENOMEM;
	return bh_restore_word(r, &item->reason, reason);
}

static const struct bh_preset *find_preset(const struct restore *r, const char *name)
{
	for (size_t i = 0; i < r->shipped->presets_count; i++)
		if (strcmp(r->shipped->presets[i].name, name) == 0)
			return &r->shipped->presets[i];
	return NULL;
}

static int restore_preset(struct restore *r)
{
	const struct bh_preset *preset;
	char name[BH_TOOL_NAME_BYTES];
	uint32_t version;

	if (!TEXT(r, name) || !LITERAL(r, ":") || !bh_scan_number(&r->scan, &version))
		return bh_restore_not_canonical(r);
	preset = find_preset(r, name);
	if (!preset)
		return REFUSE(r, "it was compiled with preset '%s', which this program does not ship", name);
	if (version != preset->version)
		return REFUSE(r, "it was compiled with preset '%s' %u; this program ships %u", name, version,
			      preset->version);
	return bh_restore_add_word(r, &r->policy->presets, name, NULL);
}

/* What the policy was compiled with must be what this program has. */
static int restore_compiler(struct restore *r)
{
	uint32_t floor, semantics;
	int result = 0;

	if (!LITERAL(r, "\"compiler\":{\"floor\":") || !bh_scan_number(&r->scan, &floor))
		return bh_restore_not_canonical(r);
	if (floor != r->shipped->floor_version)
		return REFUSE(r, "it was compiled with floor %u; this program ships %u", floor,
			      r->shipped->floor_version);
	if (!LITERAL(r, ",\"presets\":{"))
		return bh_restore_not_canonical(r);
	result = restore_items(r, "}", restore_preset);
	if (result)
		return result;
	if (!LITERAL(r, ",\"semantics\":") || !bh_scan_number(&r->scan, &semantics) || !LITERAL(r, "}"))
		return bh_restore_not_canonical(r);
	if (semantics != BH_SEMANTICS_VERSION)
		return REFUSE(r, "its rules have meaning %u; this program knows %d", semantics, BH_SEMANTICS_VERSION);
	return 0;
}

/* May the class be answered so? Arguments are known too late to be only refused. */
static bool is_response(unsigned int class, unsigned int response)
{
	return response == BH_RESPOND_KILL || response == BH_RESPOND_FREEZE ||
	       response == (class == BH_CLASS_ARGS ? BH_RESPOND_TASK : BH_RESPOND_DENY);
}

/* One class with its response. */
static int restore_response(struct restore *r, uint8_t *respond)
{
	char class[16], response[8];
	unsigned int number;

	if (!TEXT(r, class) || !LITERAL(r, ":") || !TEXT(r, response))
		return bh_restore_not_canonical(r);
	number = bh_name_number(bh_names_classes, class);
	if (!number || !is_response(number, bh_name_number(bh_names_responses, response)))
		return REFUSE(r, "its policy responds to '%s' with '%s'", class, response);
	respond[number] = (uint8_t)bh_name_number(bh_names_responses, response);
	return 0;
}

static int restore_responses(struct restore *r)
{
	return restore_response(r, r->policy->respond);
}

/* Up to the list of rules. */
static int restore_head(struct restore *r)
{
	char entry[BH_TOOL_NAME_BYTES], name[BH_TOOL_NAME_BYTES];
	struct bh_tool *tool;
	int result;

	if (!LITERAL(r, ",\"entry\":") || !TEXT(r, entry) || !LITERAL(r, ",\"format\":2"))
		return bh_restore_not_canonical(r);
	result = LITERAL(r, ",\"guards\":[") ? restore_list(r, restore_lift) : 0;
	if (result)
		return result;
	if (!LITERAL(r, ",\"mode\":"))
		return bh_restore_not_canonical(r);
	r->policy->mode = LITERAL(r, "\"observe\"") ? BH_MODE_OBSERVE : BH_MODE_ENFORCE;
	if (r->policy->mode == BH_MODE_ENFORCE && !LITERAL(r, "\"enforce\""))
		return bh_restore_not_canonical(r);
	if (!LITERAL(r, ",\"name\":") || !TEXT(r, name) || !LITERAL(r, ",\"respond\":{"))
		return bh_restore_not_canonical(r);
	result = restore_items(r, "}", restore_responses);
	if (!result && !LITERAL(r, ",\"rules\":["))
		result = bh_restore_not_canonical(r);
	if (result)
		return result;
	if (!bh_is_name(name))
		return REFUSE(r, "its policy has no valid name");
	result = bh_restore_tool(r, entry, &tool);
	if (result)
		return result;
	return bh_restore_word(r, &r->policy->name, name) ? -ENOMEM : bh_restore_word(r, &r->policy->entry, entry);
}

static int restore_policy(struct restore *r)
{
	int result = 0;

	if (!LITERAL(r, "{"))
		return bh_restore_not_canonical(r);
	if (LITERAL(r, "\"accept\":[")) {
		result = restore_list(r, restore_acceptance);
		if (!result && !LITERAL(r, ","))
			result = bh_restore_not_canonical(r);
		if (result)
			return result;
	}
	result = restore_compiler(r);
	if (result == -EINVAL)
		bh_err_hint(r->err, "compile the policy's source again with this program");
	if (!result)
		result = restore_head(r);
	if (!result)
		result = restore_list(r, bh_restore_rule);
	if (!result && !LITERAL(r, ",\"scopes\":{"))
		return bh_restore_not_canonical(r);
	if (!result)
		result = restore_items(r, "}", restore_scope);
	if (!result && (!LITERAL(r, "}") || r->scan.at != r->scan.end))
		return bh_restore_not_canonical(r);
	return result;
}

int bh_policy_restore(const char *json, size_t length, const struct bh_shipped *shipped, struct bh_err *err,
		      struct bh_source_policy **ret_policy)
{
	struct restore r = { .scan = { json, json + length }, .start = json, .shipped = shipped, .err = err };
	int result;

	r.policy = calloc(1, sizeof(*r.policy));
	if (r.policy)
		r.policy->tools = calloc(BH_TOOLS_MAX, sizeof(*r.policy->tools));
	result = r.policy && r.policy->tools ? restore_policy(&r) : bh_restore_no_memory(&r);
	if (result)
		bh_source_policy_free(r.policy);
	else
		*ret_policy = r.policy;
	return result;
}
