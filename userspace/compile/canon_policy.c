/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The whole policy as canonical JSON. Always there: compiler, entry, format, mode, name, respond, rules, scopes. Only
 * there when they say more than the default does: accept, attach, dns, grace, guards, modes, privileges, resources,
 * select, workspaces; of a scope its keys. With `resources` come all limits that hold, the defaults too; without it the
 * defaults hold, and what they are is part of the semantics version. Rules hold what `unix`, `procfs`, destinations and
 * presets make of tools: none of these has a key.
 */
#include "compile/canon_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "compile/artifact.h"
#include "compile/names.h"

static uint8_t response_of(const struct bh_source_policy *policy, unsigned int class)
{
	uint8_t standard = class == BH_CLASS_ARGS ? BH_RESPOND_TASK : BH_RESPOND_DENY;

	return policy->respond[class] ? policy->respond[class] : standard;
}

static json_t *respond_of(const struct bh_source_policy *policy)
{
	json_t *object = json_object();
	int result = 0;

	for (const struct bh_name *class = bh_names_classes; class->text && !result; class ++)
		result =
			bh_canon_put(object, class->text,
				     json_string(bh_name_text(bh_names_responses, response_of(policy, class->number))));
	return bh_canon_finish(object, result);
}

/* Where the tool differs. */
static json_t *overrides_of(const struct bh_source_policy *policy, const struct bh_tool *tool)
{
	json_t *object = json_object();
	int result = 0;

	for (const struct bh_name *class = bh_names_classes; class->text && !result; class ++) {
		uint8_t own = tool->respond[class->number];

		if (own && own != response_of(policy, class->number))
			result = bh_canon_put(object, class->text, json_string(bh_name_text(bh_names_responses, own)));
	}
	return bh_canon_finish(object, result);
}

/* What is said about a tool beside its rules. */
static json_t *scope_of(const struct bh_compile *c, const struct bh_tool *tool)
{
	json_t *scope = json_object(), *respond = overrides_of(c->policy, tool);
	int result = scope && respond ? 0 : -ENOMEM;

	if (!result && tool->jit)
		result = bh_canon_put(scope, "jit", json_true());
	if (!result && (tool->load_given || tool->load.count))
		result = bh_canon_put(scope, "load", json_string("listed"));
	if (!result && bh_compile_procfs(c, tool) == BH_PROCFS_NONE)
		result = bh_canon_put(scope, "procfs", json_string("none"));
	if (!result && json_object_size(respond))
		result = bh_canon_put(scope, "respond", json_incref(respond));
	if (!result && tool->runs_code)
		result = bh_canon_put(scope, "runs_code", json_true());
	json_decref(respond);
	return bh_canon_finish(scope, result);
}

static json_t *scopes_of(const struct bh_compile *c)
{
	json_t *scopes = json_object();
	int result = 0;

	for (size_t i = 0; i < c->policy->tools_count && !result; i++)
		result = bh_canon_put(scopes, c->policy->tools[i].name.text, scope_of(c, &c->policy->tools[i]));
	return bh_canon_finish(scopes, result);
}

/* The presets that the policy names, with their versions. */
static json_t *presets_of(const struct bh_compile *c)
{
	json_t *presets = json_object();
	int result = 0;

	for (size_t i = 0; i < c->policy->presets.count; i++)
		for (size_t k = 0; k < c->shipped->presets_count && !result; k++) {
			const struct bh_preset *preset = &c->shipped->presets[k];

			if (strcmp(c->policy->presets.items[i].text, preset->name) == 0)
				result = bh_canon_put(presets, preset->name, json_integer(preset->version));
		}
	return bh_canon_finish(presets, result);
}

static json_t *compiler_of(const struct bh_compile *c)
{
	return json_pack("{s:i, s:o, s:I}", "semantics", BH_SEMANTICS_VERSION, "presets", presets_of(c), "floor",
			 (json_int_t)c->shipped->floor_version);
}

static json_t *modes_of(const struct bh_source_policy *policy)
{
	json_t *object = json_object();
	int result = 0;

	for (const struct bh_name *class = bh_names_classes; class->text && !result; class ++) {
		uint8_t mode = policy->modes[class->number];

		if (mode && mode != policy->mode)
			result = bh_canon_put(object, class->text, json_string(bh_name_text(bh_names_modes, mode)));
	}
	return bh_canon_finish(object, result);
}

static int add_modes(const struct bh_source_policy *policy, json_t *object)
{
	json_t *modes = modes_of(policy);
	int result = modes ? 0 : -ENOMEM;

	if (modes && json_object_size(modes))
		result = bh_canon_put(object, "modes", json_incref(modes));
	json_decref(modes);
	return result;
}

/* Lists without items are left out, and what is no more than the default. */
static int add_options(const struct bh_source_policy *policy, json_t *object)
{
	int result = add_modes(policy, object);

	if (policy->lifts_count && !result)
		result = bh_canon_put(object, "guards", bh_canon_lifts(policy));
	if (policy->acceptances_count && !result)
		result = bh_canon_put(object, "accept", bh_canon_acceptances(policy));
	if (policy->attach.count && !result)
		result = bh_canon_put(object, "attach", bh_canon_set(&policy->attach));
	if (policy->workspaces.count && !result)
		result = bh_canon_put(object, "workspaces", bh_canon_set(&policy->workspaces));
	if (policy->dns.names && policy->dns.names != BH_DNS_NONE && !result)
		result = bh_canon_put(object, "dns", bh_canon_dns(&policy->dns));
	if (policy->mode == BH_MODE_GRACE && !result)
		result = bh_canon_put(object, "grace", json_pack("{s:I}", "until", (json_int_t)policy->grace_until));
	if ((policy->privileges.capabilities.count || policy->privileges.allow.count) && !result)
		result = bh_canon_put(object, "privileges", bh_canon_privileges(&policy->privileges));
	if (policy->resources.given && !result)
		result = bh_canon_put(object, "resources", bh_canon_resources(&policy->resources));
	if (policy->select.given && !result)
		result = bh_canon_put(object, "select", bh_canon_select(&policy->select));
	return result;
}

/* Everything but the rules. NULL when out of memory. */
static json_t *frame_of(const struct bh_compile *c)
{
	json_t *policy = json_pack("{s:o, s:s, s:i, s:s, s:s, s:o, s:o}", "compiler", compiler_of(c), "entry",
				   c->policy->entry.text, "format", BH_FORMAT_VERSION, "mode",
				   bh_name_text(bh_names_modes, c->policy->mode), "name", c->policy->name.text,
				   "respond", respond_of(c->policy), "scopes", scopes_of(c));

	return bh_canon_finish(policy, policy ? add_options(c->policy, policy) : 0);
}

static int compare_keys(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The keys in order, "rules" among them. A hundred thousand rules are a text from the beginning: values would take a gigabyte. */
static int write_members(struct bh_buf *out, json_t *frame, const char *rules)
{
	BH_FREE const char **keys = calloc(json_object_size(frame) + 1, sizeof(*keys));
	size_t count = 0;
	const char *key;
	json_t *value;

	if (!keys)
		return -ENOMEM;
	json_object_foreach(frame, key, value)
		keys[count++] = key;
	keys[count++] = "rules";
	qsort(keys, count, sizeof(*keys), compare_keys);
	for (size_t i = 0; i < count; i++) {
		BH_FREE char *text = NULL;

		value = json_object_get(frame, keys[i]);
		text = value ? bh_canon_text(value) : NULL;
		if (value && !text)
			return -ENOMEM;
		bh_buf_print(out, "%c\"%s\":", i ? ',' : '{', keys[i]);
		bh_buf_add_text(out, value ? text : rules);
	}
	bh_buf_add_text(out, "}");
	return out->error;
}

char *bh_canon_policy(const struct bh_compile *c, const char *rules, size_t *ret_length)
{
	struct bh_buf out = { 0 };
	json_t *frame = frame_of(c);
	int result = frame ? write_members(&out, frame, rules) : -ENOMEM;

	json_decref(frame);
	if (result) {
		bh_buf_done(&out);
		return NULL;
	}
	*ret_length = out.length;
	return (char *)out.bytes;
}
