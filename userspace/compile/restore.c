/* SPDX-License-Identifier: GPL-2.0-only */
#include "compile/restore.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/cleanup.h"
#include "compile/artifact.h"
#include "compile/compiled.h"
#include "policy/address.h"
#include "policy/limits.h"
#include "policy/path.h"

#define PORTS_EACH (BH_NETWORKS_LIMIT * BH_PORT_RANGES_LIMIT) /* of one tool in one network */

struct restore {
	struct bh_source_policy *policy;
	const struct bh_shipped *shipped;
	struct bh_err *err;
	size_t index; /* of the rule being read */
	size_t patterns;
	const struct bh_tool *net_tool; /* whose network the last destination is */
};

/* Every refusal. The format's arguments are checked words or numbers: nothing foreign reaches a terminal. */
#define REFUSE(restore, ...) bh_err_set((restore)->err, EINVAL, __VA_ARGS__)

static int no_memory(struct restore *r)
{
	return bh_err_set(r->err, ENOMEM, "out of memory");
}

static int bad_rule(struct restore *r, const char *what)
{
	return REFUSE(r, "rule %zu of its policy has no valid %s", r->index + 1, what);
}

/* The text that stands under a key; NULL when there is none, or one with other characters than printable ASCII. */
static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	for (const char *at = text; at && *at; at++)
		if (*at < 0x20 || *at > 0x7e)
			return NULL;
	return text;
}

static bool text_is(const json_t *object, const char *key, const char *wanted)
{
	const char *text = text_of(object, key);

	return text && strcmp(text, wanted) == 0;
}

static int set_word(struct restore *r, struct bh_word *word, const char *text)
{
	word->text = strdup(text);
	return word->text ? 0 : no_memory(r);
}

/* Adds a word unless the list has it. */
static int add_word(struct restore *r, struct bh_words *words, const char *text, bool *ret_added)
{
	struct bh_word *items;

	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->items[i].text, text) == 0)
			return 0;
	items = reallocarray(words->items, words->count + 1, sizeof(*items));
	if (!items)
		return no_memory(r);
	words->items = items;
	items[words->count] = (struct bh_word){ 0 };
	if (set_word(r, &items[words->count], text))
		return -ENOMEM;
	words->count++;
	if (ret_added)
		*ret_added = true;
	return 0;
}

static int add_path(struct restore *r, struct bh_words *words, const char *text, uint32_t access)
{
	struct bh_path_fault fault;
	bool added = false;
	int result;

	if (!text)
		return bad_rule(r, "path");
	fault = bh_path_form(text);
	if (!fault.code)
		fault = bh_path_breadth(text, access);
	if (fault.code)
		return REFUSE(r, "its policy: '%.200s' %s", text, fault.text);
	result = add_word(r, words, text, &added);
	r->patterns += added;
	if (r->patterns > BH_PATTERNS_LIMIT)
		return REFUSE(r, "its policy has more than %u paths", BH_PATTERNS_LIMIT);
	return result;
}

static struct bh_tool *find_tool(const struct restore *r, const char *name)
{
	for (size_t i = 0; name && i < r->policy->tools_count; i++)
		if (strcmp(r->policy->tools[i].name.text, name) == 0)
			return &r->policy->tools[i];
	return NULL;
}

static int restore_exec(struct restore *r, struct bh_tool *tool, const json_t *condition)
{
	const char *path = text_of(condition, "path");
	struct bh_tool *to = find_tool(r, text_of(condition, "to"));

	if (!to)
		return bad_rule(r, "tool to become");
	if (tool && json_is_true(json_object_get(condition, "helper")))
		return add_path(r, &tool->helpers, path, BH_ACCESS_EXEC);
	if (path && bh_path_is_pattern(path))
		return bad_rule(r, "program: it is a pattern");
	if (tool && add_word(r, &tool->may_run, to->name.text, NULL))
		return -ENOMEM;
	return add_path(r, &to->binaries, path, BH_ACCESS_EXEC);
}

static int restore_file(struct restore *r, struct bh_tool *tool, const json_t *condition)
{
	const char *path = text_of(condition, "path");

	if (text_is(condition, "op", "read"))
		return add_path(r, &tool->read, path, BH_ACCESS_READ);
	if (text_is(condition, "op", "write"))
		return add_path(r, &tool->write, path, BH_ACCESS_WRITE);
	return bad_rule(r, "operation");
}

/* A destination of its own for the tool, with one network and no port yet. */
static int add_destination(struct restore *r, struct bh_tool *tool, const struct bh_cidr *cidr)
{
	struct bh_source_policy *policy = r->policy;
	struct bh_destination *items, *item;
	char name[24];

	if (tool->reach.count >= BH_NETWORKS_LIMIT)
		return REFUSE(r, "its policy has more than %u networks", BH_NETWORKS_LIMIT);
	snprintf(name, sizeof(name), "n%zu", policy->destinations_count);
	items = reallocarray(policy->destinations, policy->destinations_count + 1, sizeof(*items));
	if (!items)
		return no_memory(r);
	policy->destinations = items;
	item = &items[policy->destinations_count++];
	*item = (struct bh_destination){ .protocol = IPPROTO_TCP };
	item->cidrs = calloc(1, sizeof(*item->cidrs));
	if (!item->cidrs)
		return no_memory(r);
	item->cidrs[item->cidrs_count++] = *cidr;
	r->net_tool = tool;
	if (set_word(r, &item->name, name))
		return -ENOMEM;
	return add_word(r, &tool->reach, name, NULL);
}

static int add_port(struct restore *r, struct bh_destination *destination, const struct bh_port_range *port)
{
	struct bh_port_range *ports;

	if (destination->ports_count >= PORTS_EACH)
		return REFUSE(r, "its policy has more than %u ports for one network", PORTS_EACH);
	ports = reallocarray(destination->ports, destination->ports_count + 1, sizeof(*ports));
	if (!ports)
		return no_memory(r);
	destination->ports = ports;
	ports[destination->ports_count++] = *port;
	return 0;
}

/* A list of one: a number, or two in a text. */
static bool port_of(const json_t *condition, struct bh_port_range *ret_port)
{
	const json_t *ports = json_object_get(condition, "ports"), *port = json_array_get(ports, 0);
	json_int_t number = json_integer_value(port);

	if (json_array_size(ports) != 1)
		return false;
	if (json_is_string(port))
		return bh_port_range_parse(json_string_value(port), ret_port);
	*ret_port = (struct bh_port_range){ .low = (uint16_t)number, .high = (uint16_t)number };
	return number >= 1 && number <= 65535;
}

static int restore_net(struct restore *r, struct bh_tool *tool, const json_t *condition)
{
	const char *text = text_of(condition, "cidr");
	struct bh_address_fault fault;
	struct bh_cidr cidr = { 0 };
	struct bh_port_range port = { 0 };
	const struct bh_destination *last;
	int result = 0;

	if (!text)
		return bad_rule(r, "network");
	fault = bh_cidr_parse(text, false, &cidr);
	if (fault.code)
		return REFUSE(r, "its policy: '%.80s' %s", text, fault.text);
	if (!port_of(condition, &port))
		return bad_rule(r, "port");
	if (!text_is(condition, "proto", "tcp"))
		return bad_rule(r, "protocol");
	last = r->net_tool ? &r->policy->destinations[r->policy->destinations_count - 1] : NULL;
	if (r->net_tool != tool || memcmp(last->cidrs, &cidr, sizeof(cidr)) != 0)
		result = add_destination(r, tool, &cidr);
	return result ? result : add_port(r, &r->policy->destinations[r->policy->destinations_count - 1], &port);
}

static int restore_rule(struct restore *r, const json_t *rule)
{
	const json_t *condition = json_object_get(rule, "if");
	const char *scope = text_of(rule, "scope");
	struct bh_tool *tool = find_tool(r, scope);

	if (scope && strcmp(scope, "*") == 0)
		return 0; /* a preset's or a guard's: the compiler adds those that ship */
	if (scope && strcmp(scope, "@entry") == 0 && text_is(rule, "class", "exec"))
		return restore_exec(r, NULL, condition);
	if (!tool)
		return bad_rule(r, "tool");
	if (text_is(rule, "class", "exec"))
		return restore_exec(r, tool, condition);
	if (text_is(rule, "class", "file"))
		return restore_file(r, tool, condition);
	if (text_is(rule, "class", "net"))
		return restore_net(r, tool, condition);
	return bad_rule(r, "class");
}

static int restore_tools(struct restore *r, const json_t *scopes)
{
	struct bh_source_policy *policy = r->policy;
	size_t count = json_array_size(scopes);

	if (count < 1 || count > BH_TOOLS_MAX)
		return REFUSE(r, "its policy has %zu tools; 1 to %u are possible", count, BH_TOOLS_MAX);
	policy->tools = calloc(count, sizeof(*policy->tools));
	if (!policy->tools)
		return no_memory(r);
	for (size_t i = 0; i < count; i++) {
		const char *name = json_string_value(json_array_get(scopes, i));

		if (!name || !bh_is_name(name) || find_tool(r, name))
			return REFUSE(r, "tool %zu of its policy has no valid name", i + 1);
		if (set_word(r, &policy->tools[i].name, name))
			return -ENOMEM;
		policy->tools_count++;
	}
	if (!find_tool(r, policy->entry.text))
		return REFUSE(r, "the entry of its policy is no tool");
	return 0;
}

static const struct bh_preset *find_preset(const struct restore *r, const char *name)
{
	for (size_t i = 0; i < r->shipped->presets_count; i++)
		if (strcmp(r->shipped->presets[i].name, name) == 0)
			return &r->shipped->presets[i];
	return NULL;
}

/* What the policy was compiled with must be what this program has. */
static int restore_compiler(struct restore *r, json_t *compiler)
{
	json_int_t semantics = json_integer_value(json_object_get(compiler, "semantics"));
	json_int_t floor = json_integer_value(json_object_get(compiler, "floor"));
	const char *name;
	json_t *version;

	if (semantics != BH_SEMANTICS_VERSION)
		return REFUSE(r, "its policy follows version %lld of the rules' meaning; this program has %d",
			      (long long)semantics, BH_SEMANTICS_VERSION);
	if (floor != r->shipped->floor_version)
		return REFUSE(r, "it was compiled with floor %lld; this program ships %u", (long long)floor,
			      r->shipped->floor_version);
	json_object_foreach(json_object_get(compiler, "presets"), name, version) {
		const struct bh_preset *preset = find_preset(r, name);

		if (!preset)
			return REFUSE(r, "it was compiled with a preset that this program does not ship");
		if (json_integer_value(version) != preset->version)
			return REFUSE(r, "it was compiled with preset '%s' %lld; this program ships %u", preset->name,
				      (long long)json_integer_value(version), preset->version);
		if (add_word(r, &r->policy->presets, preset->name, NULL))
			return -ENOMEM;
	}
	return 0;
}

static int restore_respond(struct restore *r, const json_t *respond)
{
	static const char *const classes[BH_CLASSES] = {
		[BH_CLASS_FLOOR] = "floor",	      [BH_CLASS_EXEC] = "exec",
		[BH_CLASS_FILES] = "files",	      [BH_CLASS_NETWORK] = "network",
		[BH_CLASS_PRIVILEGES] = "privileges",
	};

	for (unsigned int i = 1; i < BH_CLASSES; i++) {
		if (!text_is(respond, classes[i], "kill") && !text_is(respond, classes[i], "deny"))
			return REFUSE(r, "its policy has no valid response for %s", classes[i]);
		r->policy->respond[i] = text_is(respond, classes[i], "kill") ? BH_VERDICT_KILL : BH_VERDICT_DENY;
	}
	return 0;
}

static int restore_head(struct restore *r, const json_t *root)
{
	struct bh_source_policy *policy = r->policy;
	const char *name = text_of(root, "name"), *entry = text_of(root, "entry");

	if (!name || !bh_is_name(name) || !entry || !bh_is_name(entry))
		return REFUSE(r, "its policy has no valid name or entry");
	if (!text_is(root, "mode", "enforce") && !text_is(root, "mode", "observe"))
		return REFUSE(r, "its policy has no valid mode");
	policy->mode = text_is(root, "mode", "observe") ? BH_MODE_OBSERVE : BH_MODE_ENFORCE;
	if (set_word(r, &policy->name, name) || set_word(r, &policy->entry, entry))
		return -ENOMEM;
	return restore_respond(r, json_object_get(root, "respond"));
}

static int restore_policy(struct restore *r, const json_t *root)
{
	const json_t *rules = json_object_get(root, "rules");
	int result = restore_compiler(r, json_object_get(root, "compiler"));

	if (result == -EINVAL)
		bh_err_hint(r->err, "compile the policy's source again with this program");
	if (!result)
		result = restore_head(r, root);
	if (!result)
		result = restore_tools(r, json_object_get(root, "scopes"));
	for (; r->index < json_array_size(rules) && !result; r->index++)
		result = restore_rule(r, json_array_get(rules, r->index));
	return result;
}

int bh_policy_restore(const char *json, size_t length, const struct bh_shipped *shipped, struct bh_err *err,
		      struct bh_source_policy **ret_policy)
{
	struct restore r = { .policy = calloc(1, sizeof(*r.policy)), .shipped = shipped, .err = err };
	json_error_t error = { 0 };
	json_t *root = r.policy ? json_loadb(json, length, JSON_REJECT_DUPLICATES, &error) : NULL;
	int result;

	if (root)
		result = restore_policy(&r, root);
	else if (!r.policy || json_error_code(&error) == json_error_out_of_memory)
		result = no_memory(&r);
	else
		result = REFUSE(&r, "its policy is not canonical JSON");
	json_decref(root);
	if (result)
		bh_source_policy_free(r.policy);
	else
		*ret_policy = r.policy;
	return result;
}
