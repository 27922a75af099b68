/* SPDX-License-Identifier: GPL-2.0-only */
#include "compile/restore.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/artifact.h"
#include "compile/compiled.h"
#include "compile/scan.h"
#include "policy/address.h"
#include "policy/limits.h"
#include "policy/path.h"

#define PORTS_EACH (BH_NETWORKS_LIMIT * BH_PORT_RANGES_LIMIT) /* of one tool in one network */

struct restore {
	struct bh_scan scan;
	const char *start;
	struct bh_source_policy *policy;
	const struct bh_shipped *shipped;
	struct bh_err *err;
	size_t patterns;
	const struct bh_tool *net_tool; /* whose network the last destination is */
};

/* One rule as it stands there; what its class does not have is empty. */
struct draft {
	char class[8], id[16], scope[BH_TOOL_NAME_BYTES], then[8];
	char path[BH_PATTERN_MAX + 1], to[BH_TOOL_NAME_BYTES], op[8];
	bool helper;
	char cidr[BH_CIDR_TEXT], proto[8];
	struct bh_port_range port;
};

/* Every refusal. Texts have been scanned, so they hold printable ASCII only. */
#define REFUSE(restore, ...) bh_err_set((restore)->err, EINVAL, __VA_ARGS__)
#define LITERAL(restore, text) bh_scan_literal(&(restore)->scan, text)
#define TEXT(restore, buffer) bh_scan_text(&(restore)->scan, buffer, sizeof(buffer))

static int no_memory(struct restore *r)
{
	return bh_err_set(r->err, ENOMEM, "out of memory");
}

static int not_canonical(struct restore *r)
{
	return REFUSE(r, "its policy is not in canonical form after %zu bytes", (size_t)(r->scan.at - r->start));
}

static int set_word(struct restore *r, struct bh_word *word, const char *text)
{
	word->text = strdup(text);
	return word->text ? 0 : no_memory(r);
}

/* Adds a word unless the list has it. */
static int add_word(struct restore *r, struct bh_words *words, const char *text, size_t *count)
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
	if (count)
		++*count;
	return 0;
}

/* access: 0 for what is forbidden, which may be as broad as one likes. */
static int add_path(struct restore *r, struct bh_words *words, const char *text, uint32_t access)
{
	struct bh_path_fault fault = bh_path_form(text);
	int result;

	if (!fault.code && access)
		fault = bh_path_breadth(text, access);
	if (fault.code)
		return REFUSE(r, "its policy: '%.200s' %s", text, fault.text);
	result = add_word(r, words, text, &r->patterns);
	if (r->patterns > BH_PATTERNS_LIMIT)
		return REFUSE(r, "its policy has more than %u paths", BH_PATTERNS_LIMIT);
	return result;
}

/* The tool of that name, made when it is the first time that it is named. */
static int take_tool(struct restore *r, const char *name, struct bh_tool **ret_tool)
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
	if (set_word(r, &(*ret_tool)->name, name))
		return -ENOMEM;
	policy->tools_count++;
	return 0;
}

static int restore_exec(struct restore *r, struct bh_tool *tool, const struct draft *draft)
{
	struct bh_tool *to;
	int result = take_tool(r, draft->to, &to);

	if (result)
		return result;
	if (tool && draft->helper)
		return add_path(r, &tool->helpers, draft->path, BH_ACCESS_EXEC);
	if (bh_path_is_pattern(draft->path))
		return REFUSE(r, "its policy: '%.200s' is a pattern; a tool's binary is an exact path", draft->path);
	if (tool)
		result = add_word(r, &tool->may_run, draft->to, NULL);
	return result ? result : add_path(r, &to->binaries, draft->path, BH_ACCESS_EXEC);
}

static int restore_file(struct restore *r, struct bh_tool *tool, const struct draft *draft)
{
	if (strcmp(draft->op, "read") == 0)
		return add_path(r, &tool->read, draft->path, BH_ACCESS_READ);
	if (strcmp(draft->op, "write") == 0)
		return add_path(r, &tool->write, draft->path, BH_ACCESS_WRITE);
	return REFUSE(r, "its policy: '%s' is no operation on a file", draft->op);
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

static bool same_cidr(const struct bh_cidr *a, const struct bh_cidr *b)
{
	return a->family == b->family && a->prefix == b->prefix && memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

static int restore_net(struct restore *r, struct bh_tool *tool, const struct draft *draft)
{
	struct bh_source_policy *policy = r->policy;
	struct bh_cidr cidr = { 0 };
	struct bh_address_fault fault = bh_cidr_parse(draft->cidr, false, &cidr);
	int result = 0;

	if (fault.code)
		return REFUSE(r, "its policy: '%s' %s", draft->cidr, fault.text);
	if (strcmp(draft->proto, "tcp") != 0)
		return REFUSE(r, "its policy: protocol '%s' is not supported", draft->proto);
	if (r->net_tool != tool || !same_cidr(policy->destinations[policy->destinations_count - 1].cidrs, &cidr))
		result = add_destination(r, tool, &cidr);
	if (!result)
		result = add_port(r, &policy->destinations[policy->destinations_count - 1], &draft->port);
	return result;
}

/* A list of one: a number, or two in a text. */
static bool scan_port(struct restore *r, struct bh_port_range *ret_port)
{
	uint32_t number;
	char text[16];

	if (!LITERAL(r, "["))
		return false;
	if (bh_scan_number(&r->scan, &number)) {
		*ret_port = (struct bh_port_range){ .low = (uint16_t)number, .high = (uint16_t)number };
		return number >= 1 && number <= 65535 && LITERAL(r, "]");
	}
	return TEXT(r, text) && bh_port_range_parse(text, ret_port) && LITERAL(r, "]");
}

static bool scan_condition(struct restore *r, struct draft *draft)
{
	if (strcmp(draft->class, "exec") == 0) {
		draft->helper = LITERAL(r, "\"helper\":true,");
		return LITERAL(r, "\"path\":") && TEXT(r, draft->path) &&
		       (!LITERAL(r, ",\"to\":") || TEXT(r, draft->to));
	}
	if (strcmp(draft->class, "file") == 0)
		return LITERAL(r, "\"op\":") && TEXT(r, draft->op) && LITERAL(r, ",\"path\":") && TEXT(r, draft->path);
	return strcmp(draft->class, "net") == 0 && LITERAL(r, "\"cidr\":") && TEXT(r, draft->cidr) &&
	       LITERAL(r, ",\"ports\":") && scan_port(r, &draft->port) && LITERAL(r, ",\"proto\":") &&
	       TEXT(r, draft->proto);
}

static bool scan_rule(struct restore *r, struct draft *draft)
{
	return LITERAL(r, "{\"class\":") && TEXT(r, draft->class) && LITERAL(r, ",\"id\":") && TEXT(r, draft->id) &&
	       LITERAL(r, ",\"if\":{") && scan_condition(r, draft) && LITERAL(r, "},\"scope\":") &&
	       TEXT(r, draft->scope) && LITERAL(r, ",\"then\":") && TEXT(r, draft->then) && LITERAL(r, "}");
}

static bool holds(const struct bh_words *words, const char *text)
{
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->items[i].text, text) == 0)
			return true;
	return false;
}

static bool is_lifted(const struct bh_source_policy *policy, const char *guard)
{
	for (size_t i = 0; i < policy->lifts_count; i++)
		if (strcmp(policy->lifts[i].guard.text, guard) == 0)
			return true;
	return false;
}

/* Does a guard that is in force say the same? */
static bool is_guarded(const struct restore *r, const char *path, bool write)
{
	for (size_t i = 0; i < r->shipped->guards_count; i++)
		if (!is_lifted(r->policy, r->shipped->guards[i].name.text) &&
		    holds(write ? &r->shipped->guards[i].write : &r->shipped->guards[i].read, path))
			return true;
	return false;
}

/* For every tool: a preset's or a guard's, which the compiler adds; or what the policy itself forbids. */
static int restore_common(struct restore *r, const struct draft *draft)
{
	struct bh_source_policy *policy = r->policy;
	bool write = strcmp(draft->op, "write") == 0;

	if (strcmp(draft->then, "never") != 0 || strcmp(draft->class, "net") == 0)
		return 0;
	if (strcmp(draft->class, "exec") == 0)
		return add_path(r, &policy->never_run, draft->path, 0);
	if (is_guarded(r, draft->path, write))
		return 0;
	return add_path(r, write ? &policy->never_write : &policy->never_read, draft->path, 0);
}

static int restore_rule(struct restore *r)
{
	struct draft draft = { 0 };
	struct bh_tool *tool;
	int result;

	if (!scan_rule(r, &draft))
		return not_canonical(r);
	if (strcmp(draft.scope, "*") == 0)
		return restore_common(r, &draft);
	if (strcmp(draft.scope, "@entry") == 0 && strcmp(draft.class, "exec") == 0)
		return restore_exec(r, NULL, &draft);
	result = take_tool(r, draft.scope, &tool);
	if (result)
		return result;
	if (strcmp(draft.class, "exec") == 0)
		return restore_exec(r, tool, &draft);
	return strcmp(draft.class, "file") == 0 ? restore_file(r, tool, &draft) : restore_net(r, tool, &draft);
}

/* A list whose items `item` reads, up to its bracket. */
static int restore_list(struct restore *r, int (*item)(struct restore *r))
{
	int result = 0;

	if (LITERAL(r, "]"))
		return 0;
	do
		result = item(r);
	while (!result && LITERAL(r, ","));
	return result ? result : LITERAL(r, "]") ? 0 : not_canonical(r);
}

static int restore_scope(struct restore *r)
{
	char name[BH_TOOL_NAME_BYTES];
	struct bh_tool *tool;

	return TEXT(r, name) ? take_tool(r, name, &tool) : not_canonical(r);
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
		return not_canonical(r);
	if (!is_guard(r, guard) || is_lifted(r->policy, guard))
		return REFUSE(r, "its policy lifts guard '%s'%s", guard,
			      is_guard(r, guard) ? " twice" : ", which this program does not ship");
	lifts = reallocarray(r->policy->lifts, r->policy->lifts_count + 1, sizeof(*lifts));
	if (!lifts)
		return no_memory(r);
	r->policy->lifts = lifts;
	lift = &lifts[r->policy->lifts_count++];
	*lift = (struct bh_lift){ 0 };
	return set_word(r, &lift->guard, guard) || set_word(r, &lift->reason, reason) ? -ENOMEM : 0;
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
		return not_canonical(r);
	preset = find_preset(r, name);
	if (!preset)
		return REFUSE(r, "it was compiled with preset '%s', which this program does not ship", name);
	if (version != preset->version)
		return REFUSE(r, "it was compiled with preset '%s' %u; this program ships %u", name, version,
			      preset->version);
	return add_word(r, &r->policy->presets, name, NULL);
}

/* What the policy was compiled with must be what this program has. */
static int restore_compiler(struct restore *r)
{
	uint32_t floor, semantics;
	int result = 0;

	if (!LITERAL(r, "{\"compiler\":{\"floor\":") || !bh_scan_number(&r->scan, &floor))
		return not_canonical(r);
	if (floor != r->shipped->floor_version)
		return REFUSE(r, "it was compiled with floor %u; this program ships %u", floor,
			      r->shipped->floor_version);
	if (!LITERAL(r, ",\"presets\":{"))
		return not_canonical(r);
	if (!LITERAL(r, "}")) {
		do
			result = restore_preset(r);
		while (!result && LITERAL(r, ","));
		if (result)
			return result;
		if (!LITERAL(r, "}"))
			return not_canonical(r);
	}
	if (!LITERAL(r, ",\"semantics\":") || !bh_scan_number(&r->scan, &semantics) || !LITERAL(r, "}"))
		return not_canonical(r);
	if (semantics != BH_SEMANTICS_VERSION)
		return REFUSE(r, "its rules have meaning %u; this program knows %d", semantics, BH_SEMANTICS_VERSION);
	return 0;
}

static bool scan_respond(struct restore *r)
{
	static const struct {
		const char *before;
		unsigned int class;
	} classes[] = {
		{ "{\"exec\":", BH_CLASS_EXEC },
		{ ",\"files\":", BH_CLASS_FILES },
		{ ",\"floor\":", BH_CLASS_FLOOR },
		{ ",\"network\":", BH_CLASS_NETWORK },
		{ ",\"privileges\":", BH_CLASS_PRIVILEGES },
	};

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (!LITERAL(r, classes[i].before))
			return false;
		r->policy->respond[classes[i].class] = LITERAL(r, "\"kill\"") ? BH_VERDICT_KILL : BH_VERDICT_DENY;
		if (r->policy->respond[classes[i].class] == BH_VERDICT_DENY && !LITERAL(r, "\"deny\""))
			return false;
	}
	return LITERAL(r, "}");
}

/* Up to the list of rules. */
static int restore_head(struct restore *r)
{
	char entry[BH_TOOL_NAME_BYTES], name[BH_TOOL_NAME_BYTES];
	struct bh_tool *tool;
	int result;

	if (!LITERAL(r, ",\"entry\":") || !TEXT(r, entry) || !LITERAL(r, ",\"format\":1"))
		return not_canonical(r);
	result = LITERAL(r, ",\"guards\":[") ? restore_list(r, restore_lift) : 0;
	if (result)
		return result;
	if (!LITERAL(r, ",\"mode\":"))
		return not_canonical(r);
	r->policy->mode = LITERAL(r, "\"observe\"") ? BH_MODE_OBSERVE : BH_MODE_ENFORCE;
	if (r->policy->mode == BH_MODE_ENFORCE && !LITERAL(r, "\"enforce\""))
		return not_canonical(r);
	if (!LITERAL(r, ",\"name\":") || !TEXT(r, name) || !LITERAL(r, ",\"respond\":") || !scan_respond(r) ||
	    !LITERAL(r, ",\"rules\":["))
		return not_canonical(r);
	if (!bh_is_name(name))
		return REFUSE(r, "its policy has no valid name");
	result = take_tool(r, entry, &tool);
	if (result)
		return result;
	return set_word(r, &r->policy->name, name) ? -ENOMEM : set_word(r, &r->policy->entry, entry);
}

static int restore_policy(struct restore *r)
{
	int result = restore_compiler(r);

	if (result == -EINVAL)
		bh_err_hint(r->err, "compile the policy's source again with this program");
	if (!result)
		result = restore_head(r);
	if (!result)
		result = restore_list(r, restore_rule);
	if (!result && !LITERAL(r, ",\"scopes\":["))
		return not_canonical(r);
	if (!result)
		result = restore_list(r, restore_scope);
	if (!result && (!LITERAL(r, "}") || r->scan.at != r->scan.end))
		return not_canonical(r);
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
	result = r.policy && r.policy->tools ? restore_policy(&r) : no_memory(&r);
	if (result)
		bh_source_policy_free(r.policy);
	else
		*ret_policy = r.policy;
	return result;
}
