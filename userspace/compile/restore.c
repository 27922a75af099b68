/* SPDX-License-Identifier: GPL-2.0-only */
#include "compile/restore_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compile/artifact.h"
#include "compile/names.h"

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

/* May the class be answered so? Arguments are known too late to be only refused. */
static bool is_response(unsigned int class, unsigned int response)
{
	return response == BH_RESPOND_KILL || response == BH_RESPOND_FREEZE ||
	       response == (class == BH_CLASS_ARGS ? BH_RESPOND_TASK : BH_RESPOND_DENY);
}

int bh_restore_response(struct restore *r, const char *class, void *respond)
{
	unsigned int number = bh_name_number(bh_names_classes, class);
	uint8_t response;
	int result;

	if (!number)
		return REFUSE(r, "its policy responds to '%.64s', which is no class", class);
	result = bh_restore_name(r, bh_names_responses, "response", &response);
	if (result)
		return result;
	if (!is_response(number, response))
		return REFUSE(r, "its policy responds to '%s' with '%s'", class,
			      bh_name_text(bh_names_responses, response));
	((uint8_t *)respond)[number] = response;
	return 0;
}

static const struct bh_restore_key responses[] = { { NULL, bh_restore_response, false } };

static int restore_respond(struct restore *r, const char *key, void *data)
{
	int result = OBJECT(r, responses, r->policy->respond);

	for (const struct bh_name *class = bh_names_classes; class->text && !result; class ++)
		if (!r->policy->respond[class->number])
			result = REFUSE(r, "its policy lacks a response to '%s'", class->text);
	return result;
}

static int restore_jit(struct restore *r, const char *key, void *data)
{
	((struct bh_tool *)data)->jit = true;
	return LITERAL(r, "true") ? 0 : bh_restore_not_canonical(r);
}

static int restore_load(struct restore *r, const char *key, void *data)
{
	((struct bh_tool *)data)->load_given = true;
	return LITERAL(r, "\"listed\"") ? 0 : bh_restore_not_canonical(r);
}

static int restore_procfs(struct restore *r, const char *key, void *data)
{
	((struct bh_tool *)data)->procfs = BH_PROCFS_NONE;
	return LITERAL(r, "\"none\"") ? 0 : bh_restore_not_canonical(r);
}

static int restore_overrides(struct restore *r, const char *key, void *data)
{
	return OBJECT(r, responses, ((struct bh_tool *)data)->respond);
}

static int restore_runs_code(struct restore *r, const char *key, void *data)
{
	((struct bh_tool *)data)->runs_code = true;
	return LITERAL(r, "true") ? 0 : bh_restore_not_canonical(r);
}

/* One tool with what is said about it. */
static int restore_scope(struct restore *r, const char *key, void *data)
{
	static const struct bh_restore_key keys[] = {
		{ "jit", restore_jit, false },
		{ "load", restore_load, false },
		{ "procfs", restore_procfs, false },
		{ "respond", restore_overrides, false },
		{ "runs_code", restore_runs_code, false },
	};
	struct bh_tool *tool = NULL;
	int result = bh_restore_tool(r, key, &tool);

	return result || !tool ? result : OBJECT(r, keys, tool);
}

static int restore_scopes(struct restore *r, const char *key, void *data)
{
	static const struct bh_restore_key keys[] = { { NULL, restore_scope, false } };

	return OBJECT(r, keys, NULL);
}

static const struct bh_preset *find_preset(const struct restore *r, const char *name)
{
	for (size_t i = 0; i < r->shipped->presets_count; i++)
		if (strcmp(r->shipped->presets[i].name, name) == 0)
			return &r->shipped->presets[i];
	return NULL;
}

static int restore_preset(struct restore *r, const char *key, void *data)
{
	const struct bh_preset *preset = find_preset(r, key);
	uint32_t version;

	if (!bh_scan_number(&r->scan, &version))
		return bh_restore_not_canonical(r);
	if (!preset)
		return REFUSE(r, "it was compiled with preset '%s', which this program does not ship", key);
	if (version != preset->version)
		return REFUSE(r, "it was compiled with preset '%s' %u; this program ships %u", key, version,
			      preset->version);
	return bh_restore_append(r, &r->policy->presets, key);
}

static int restore_floor(struct restore *r, const char *key, void *data)
{
	uint32_t floor;

	if (!bh_scan_number(&r->scan, &floor))
		return bh_restore_not_canonical(r);
	return floor == r->shipped->floor_version ? 0 :
						    REFUSE(r, "it was compiled with floor %u; this program ships %u",
							   floor, r->shipped->floor_version);
}

static int restore_presets(struct restore *r, const char *key, void *data)
{
	static const struct bh_restore_key keys[] = { { NULL, restore_preset, false } };

	return OBJECT(r, keys, NULL);
}

static int restore_semantics(struct restore *r, const char *key, void *data)
{
	uint32_t semantics;

	if (!bh_scan_number(&r->scan, &semantics))
		return bh_restore_not_canonical(r);
	return semantics == BH_SEMANTICS_VERSION ?
		       0 :
		       REFUSE(r, "its rules have meaning %u; this program knows %d", semantics, BH_SEMANTICS_VERSION);
}

/* What the policy was compiled with must be what this program has. */
static int restore_compiler(struct restore *r, const char *key, void *data)
{
	static const struct bh_restore_key keys[] = {
		{ "floor", restore_floor, true },
		{ "presets", restore_presets, true },
		{ "semantics", restore_semantics, true },
	};
	int result = OBJECT(r, keys, NULL);

	if (result == -EINVAL)
		bh_err_hint(r->err, "compile the policy's source again with this program");
	return result;
}

static int restore_entry_tool(struct restore *r, const char *key, void *data)
{
	char entry[BH_TOOL_NAME_BYTES];
	struct bh_tool *tool;
	int result;

	if (!TEXT(r, entry))
		return bh_restore_not_canonical(r);
	result = bh_restore_tool(r, entry, &tool);
	return result ? result : bh_restore_word(r, &r->policy->entry, entry);
}

static int restore_format(struct restore *r, const char *key, void *data)
{
	uint32_t format;

	if (!bh_scan_number(&r->scan, &format))
		return bh_restore_not_canonical(r);
	return format == BH_FORMAT_VERSION ?
		       0 :
		       REFUSE(r, "its policy has format %u; this program reads format %d", format, BH_FORMAT_VERSION);
}

static int restore_mode(struct restore *r, const char *key, void *data)
{
	return bh_restore_name(r, bh_names_modes, "mode", &r->policy->mode);
}

static int restore_until(struct restore *r, const char *key, void *data)
{
	uint64_t until;

	if (!bh_scan_number64(&r->scan, &until))
		return bh_restore_not_canonical(r);
	r->policy->grace_until = (int64_t)until;
	return 0;
}

static int restore_grace(struct restore *r, const char *key, void *data)
{
	static const struct bh_restore_key keys[] = { { "until", restore_until, true } };

	return OBJECT(r, keys, NULL);
}

static int restore_class_mode(struct restore *r, const char *key, void *data)
{
	unsigned int class = bh_name_number(bh_names_classes, key);

	if (!class)
		return REFUSE(r, "its policy has a mode for '%.64s', which is no class", key);
	return bh_restore_name(r, bh_names_modes, "mode", &r->policy->modes[class]);
}

static int restore_class_modes(struct restore *r, const char *key, void *data)
{
	static const struct bh_restore_key keys[] = { { NULL, restore_class_mode, false } };

	return OBJECT(r, keys, NULL);
}

static int restore_policy_name(struct restore *r, const char *key, void *data)
{
	char name[BH_TOOL_NAME_BYTES];

	if (!TEXT(r, name))
		return bh_restore_not_canonical(r);
	return bh_is_name(name) ? bh_restore_word(r, &r->policy->name, name) :
				  REFUSE(r, "its policy has no valid name");
}

static int attach_item(struct restore *r, void *data)
{
	char name[BH_TOOL_NAME_BYTES];
	struct bh_tool *tool;
	int result;

	if (!TEXT(r, name))
		return bh_restore_not_canonical(r);
	result = bh_restore_tool(r, name, &tool);
	return result ? result : bh_restore_append(r, &r->policy->attach, name);
}

static int restore_attach(struct restore *r, const char *key, void *data)
{
	return bh_restore_list(r, attach_item, NULL);
}

static int workspace_item(struct restore *r, void *data)
{
	char path[BH_PATTERN_MAX + 1];
	int result;

	if (!TEXT(r, path))
		return bh_restore_not_canonical(r);
	result = bh_restore_check_path(r, path, 0);
	return result ? result : bh_restore_append(r, &r->policy->workspaces, path);
}

static int restore_workspaces(struct restore *r, const char *key, void *data)
{
	return bh_restore_list(r, workspace_item, NULL);
}

static int restore_rules(struct restore *r, const char *key, void *data)
{
	return bh_restore_list(r, bh_restore_one_rule, NULL);
}

static int restore_policy(struct restore *r)
{
	static const struct bh_restore_key keys[] = {
		{ "accept", bh_restore_acceptances, false },
		{ "attach", restore_attach, false },
		{ "compiler", restore_compiler, true },
		{ "dns", bh_restore_dns, false },
		{ "entry", restore_entry_tool, true },
		{ "format", restore_format, true },
		{ "grace", restore_grace, false },
		{ "guards", bh_restore_lifts, false },
		{ "mode", restore_mode, true },
		{ "modes", restore_class_modes, false },
		{ "name", restore_policy_name, true },
		{ "privileges", bh_restore_privileges, false },
		{ "resources", bh_restore_resources, false },
		{ "respond", restore_respond, true },
		{ "rules", restore_rules, true },
		{ "scopes", restore_scopes, true },
		{ "select", bh_restore_select, false },
		{ "workspaces", restore_workspaces, false },
	};
	int result = OBJECT(r, keys, NULL);

	if (!result && r->scan.at != r->scan.end)
		result = bh_restore_not_canonical(r);
	return result ? result : bh_restore_drop_guarded(r);
}

int bh_policy_restore(const char *json, size_t length, const struct bh_shipped *shipped, struct bh_err *err,
		      struct bh_source_policy **ret_policy)
{
	struct restore r = { .scan = { json, json + length }, .start = json, .shipped = shipped, .err = err };
	int result;

	r.policy = calloc(1, sizeof(*r.policy));
	if (r.policy)
		r.policy->tools = calloc(BH_TOOLS_MAX, sizeof(*r.policy->tools));
	/* what holds where nothing is said is not written down */
	for (unsigned int cap = 1; r.policy && cap < BH_CAPS; cap++)
		r.policy->resources.caps[cap].value = bh_cap_standard(cap);
	result = r.policy && r.policy->tools ? restore_policy(&r) : bh_restore_no_memory(&r);
	if (result)
		bh_source_policy_free(r.policy);
	else
		*ret_policy = r.policy;
	return result;
}
