/* SPDX-License-Identifier: GPL-2.0-only */
/* One canonical rule back into the lists of the policy that it came from. */
#include "compile/restore_parts.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/address.h"
#include "policy/limits.h"
#include "policy/path.h"

#define PORTS_EACH (BH_NETWORKS_LIMIT * BH_PORT_RANGES_LIMIT) /* of one tool in one network */

/* One rule as it stands there; what its class does not have is empty. */
struct draft {
	char class[8], id[16], scope[BH_TOOL_NAME_BYTES], then[8];
	char path[BH_PATTERN_MAX + 1], to[BH_TOOL_NAME_BYTES], op[8];
	bool helper;
	char cidr[BH_CIDR_TEXT], proto[8];
	struct bh_port_range port;
};

/* access: 0 for what is forbidden, which may be as broad as one likes. */
static int add_path(struct restore *r, struct bh_words *words, const char *text, uint32_t access)
{
	struct bh_path_fault fault = bh_path_form(text);
	int result;

	if (!fault.code && access)
		fault = bh_path_breadth(text, access);
	if (fault.code)
		return REFUSE(r, "its policy: '%.200s' %s", text, fault.text);
	result = bh_restore_add_word(r, words, text, &r->patterns);
	if (r->patterns > BH_PATTERNS_LIMIT)
		return REFUSE(r, "its policy has more than %u paths", BH_PATTERNS_LIMIT);
	return result;
}

/* A program that enters a tool, unless the tool has it. */
static int add_binary(struct restore *r, struct bh_pairs *binaries, const char *path)
{
	struct bh_path_fault fault = bh_path_form(path);
	struct bh_pair *items;

	if (!fault.code)
		fault = bh_path_breadth(path, BH_ACCESS_EXEC);
	if (fault.code)
		return REFUSE(r, "its policy: '%.200s' %s", path, fault.text);
	for (size_t i = 0; i < binaries->count; i++)
		if (strcmp(binaries->items[i].word.text, path) == 0)
			return 0;
	if (++r->patterns > BH_PATTERNS_LIMIT)
		return REFUSE(r, "its policy has more than %u paths", BH_PATTERNS_LIMIT);
	items = reallocarray(binaries->items, binaries->count + 1, sizeof(*items));
	if (!items)
		return bh_restore_no_memory(r);
	binaries->items = items;
	items[binaries->count] = (struct bh_pair){};
	if (bh_restore_word(r, &items[binaries->count].word, path))
		return -ENOMEM;
	binaries->count++;
	return 0;
}

static int restore_exec(struct restore *r, struct bh_tool *tool, const struct draft *draft)
{
	struct bh_tool *to;
	int result = bh_restore_tool(r, draft->to, &to);

	if (result)
		return result;
	if (tool && draft->helper)
		return add_path(r, &tool->helpers, draft->path, BH_ACCESS_EXEC);
	if (bh_path_is_pattern(draft->path))
		return REFUSE(r, "its policy: '%.200s' is a pattern; a tool's binary is an exact path", draft->path);
	if (tool)
		result = bh_restore_add_word(r, &tool->may_run, draft->to, NULL);
	return result ? result : add_binary(r, &to->binaries, draft->path);
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
		return bh_restore_no_memory(r);
	policy->destinations = items;
	item = &items[policy->destinations_count++];
	*item = (struct bh_destination){ .protocol = IPPROTO_TCP };
	item->cidrs.items = calloc(1, sizeof(*item->cidrs.items));
	if (!item->cidrs.items)
		return bh_restore_no_memory(r);
	item->cidrs.items[item->cidrs.count++] = *cidr;
	r->net_tool = tool;
	if (bh_restore_word(r, &item->name, name))
		return -ENOMEM;
	return bh_restore_add_word(r, &tool->reach, name, NULL);
}

static int add_port(struct restore *r, struct bh_destination *destination, const struct bh_port_range *port)
{
	struct bh_port_range *ports;

	if (destination->ports.count >= PORTS_EACH)
		return REFUSE(r, "its policy has more than %u ports for one network", PORTS_EACH);
	ports = reallocarray(destination->ports.items, destination->ports.count + 1, sizeof(*ports));
	if (!ports)
		return bh_restore_no_memory(r);
	destination->ports.items = ports;
	ports[destination->ports.count++] = *port;
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
	if (r->net_tool != tool || !same_cidr(policy->destinations[policy->destinations_count - 1].cidrs.items, &cidr))
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

/* Does a guard that is in force say the same? */
static bool is_guarded(const struct restore *r, const char *path, bool write)
{
	for (size_t i = 0; i < r->shipped->guards_count; i++)
		if (!bh_restore_is_lifted(r->policy, r->shipped->guards[i].name.text) &&
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

int bh_restore_rule(struct restore *r)
{
	struct draft draft = { 0 };
	struct bh_tool *tool;
	int result;

	if (!scan_rule(r, &draft))
		return bh_restore_not_canonical(r);
	if (strcmp(draft.scope, "*") == 0)
		return restore_common(r, &draft);
	if (strcmp(draft.scope, "@entry") == 0 && strcmp(draft.class, "exec") == 0)
		return restore_exec(r, NULL, &draft);
	result = bh_restore_tool(r, draft.scope, &tool);
	if (result)
		return result;
	if (strcmp(draft.class, "exec") == 0)
		return restore_exec(r, tool, &draft);
	return strcmp(draft.class, "file") == 0 ? restore_file(r, tool, &draft) : restore_net(r, tool, &draft);
}
