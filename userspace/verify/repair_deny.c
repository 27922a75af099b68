/* SPDX-License-Identifier: GPL-2.0-only */
/* What a person might take out of a policy, or forbid, so that a question is denied. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "policy/address.h"
#include "policy/host.h"
#include "policy/path.h"
#include "verify/repairing.h"

#define COST_REMOVE 1u
#define COST_PART 2u /* of a tool or destination, which others may need */
#define COST_NEVER 4u

static void add_removal(uint8_t list, const char *owner, const char *item, unsigned int cost, struct bh_atoms *atoms)
{
	struct bh_edit edit = { .list = list, .owner = owner, .item = item };

	bh_atoms_add(atoms, cost, &edit, NULL);
}

/* The elements that an exec rule comes from. A tool keeps at least one program. */
static void deny_edge(const struct bh_version *version, const struct bh_rule *rule, struct bh_atoms *atoms)
{
	const struct bh_tool *target = rule->to ? bh_version_tool(version, rule->to) : NULL;

	if (rule->helper) {
		add_removal(BH_EDIT_HELPERS, rule->scope, rule->path, COST_REMOVE, atoms);
		return;
	}
	if (rule->to && bh_version_tool(version, rule->scope))
		add_removal(BH_EDIT_MAY_RUN, rule->scope, rule->to, COST_REMOVE, atoms);
	if (target && target->binaries.count > 1)
		add_removal(BH_EDIT_BINARIES, rule->to, rule->path, COST_PART, atoms);
}

/* Does any other tool reach the destination? */
static bool is_shared(const struct bh_version *version, const char *tool, const char *destination)
{
	for (size_t i = 0; i < version->source->tools_count; i++) {
		const struct bh_tool *other = &version->source->tools[i];

		for (size_t k = 0; k < other->reach.count && strcmp(other->name.text, tool) != 0; k++)
			if (strcmp(other->reach.items[k].text, destination) == 0)
				return true;
	}
	return false;
}

static void deny_destination(const struct bh_version *version, const char *tool,
			     const struct bh_destination *destination, struct bh_atoms *atoms)
{
	struct bh_edit reach = { .list = BH_EDIT_REACH, .owner = tool, .item = destination->name.text };
	struct bh_edit whole = { .list = BH_EDIT_DESTINATIONS, .owner = destination->name.text, .item = "" };

	bh_atoms_add(atoms, COST_REMOVE, &reach, NULL);
	if (!is_shared(version, tool, destination->name.text)) /* then nobody would use it */
		bh_atoms_add(atoms, COST_PART, &reach, &whole);
}

static void cidr_text(const struct bh_cidr *cidr, char ret_text[INET6_ADDRSTRLEN + 8])
{
	inet_ntop(cidr->family == 4 ? AF_INET : AF_INET6, cidr->bytes, ret_text, INET6_ADDRSTRLEN);
	snprintf(ret_text + strlen(ret_text), 8, "/%u", cidr->prefix);
}

/* A network or port of a destination that has others. */
static void deny_part(const struct bh_destination *destination, const struct bh_net_question *net,
		      const struct bh_cidr *address, struct bh_atoms *atoms)
{
	char text[INET6_ADDRSTRLEN + 8];

	for (size_t i = 0; i < destination->cidrs.count && destination->cidrs.count > 1; i++)
		if (bh_cidr_covers(&destination->cidrs.items[i], address)) {
			cidr_text(&destination->cidrs.items[i], text);
			add_removal(BH_EDIT_CIDRS, destination->name.text, text, COST_PART, atoms);
		}
	for (size_t i = 0; i < destination->ports.count && destination->ports.count > 1; i++) {
		const struct bh_port_range *port = &destination->ports.items[i];

		if (port->low > net->port || port->high < net->port)
			continue;
		snprintf(text, sizeof(text), port->low == port->high ? "%u" : "%u-%u", port->low, port->high);
		add_removal(BH_EDIT_PORTS, destination->name.text, text, COST_PART, atoms);
	}
}

static bool has_port(const struct bh_destination *destination, const struct bh_net_question *net)
{
	for (size_t i = 0; i < destination->ports.count && destination->protocol == net->protocol; i++)
		if (destination->ports.items[i].low <= net->port && destination->ports.items[i].high >= net->port)
			return true;
	return false;
}

static bool has_network(const struct bh_destination *destination, const struct bh_cidr *address)
{
	for (size_t i = 0; i < destination->cidrs.count; i++)
		if (bh_cidr_covers(&destination->cidrs.items[i], address))
			return true;
	return false;
}

static void deny_address(const struct bh_version *version, const struct bh_tool *tool,
			 const struct bh_net_question *net, struct bh_atoms *atoms)
{
	char text[INET6_ADDRSTRLEN + 8];
	struct bh_edit never = { .list = BH_EDIT_NEVER_REACH, .add = true, .item = text };
	struct bh_cidr address = { 0 };

	address.family = bh_judged_address(net->family, net->address.bytes, address.bytes);
	address.prefix = address.family == 4 ? 32 : 128;
	for (size_t i = 0; i < tool->reach.count; i++) {
		const struct bh_destination *destination = bh_version_destination(version, tool->reach.items[i].text);

		if (!destination || !has_port(destination, net) || !has_network(destination, &address))
			continue;
		deny_destination(version, tool->name.text, destination, atoms);
		deny_part(destination, net, &address, atoms);
	}
	cidr_text(&address, text);
	bh_atoms_add(atoms, COST_NEVER, &never, NULL);
}

/* Names are only ever allowed: there is nothing to forbid one. */
static void deny_host(const struct bh_version *version, const struct bh_tool *tool, const struct bh_query *query,
		      struct bh_atoms *atoms)
{
	for (size_t i = 0; i < tool->reach.count; i++) {
		const struct bh_destination *destination = bh_version_destination(version, tool->reach.items[i].text);
		bool found = false;

		if (!destination || (query->action == BH_ACTION_CONNECT && !has_port(destination, &query->net)))
			continue;
		for (size_t k = 0; k < destination->hosts.count; k++) {
			if (!bh_host_matches(destination->hosts.items[k].text, query->host))
				continue;
			found = true;
			if (destination->hosts.count > 1)
				add_removal(BH_EDIT_HOSTS, destination->name.text, destination->hosts.items[k].text,
					    COST_PART, atoms);
		}
		if (found)
			deny_destination(version, tool->name.text, destination, atoms);
	}
}

/* Every rule that grants it, and a prohibition of this one path. */
static void deny_path(const struct bh_version *version, const char *tool, const struct bh_query *query,
		      const char *path, struct bh_atoms *atoms)
{
	bool run = query->action == BH_ACTION_RUN, read = query->action == BH_ACTION_READ;
	struct bh_edit never = { .add = true, .item = path };

	never.list = run ? BH_EDIT_NEVER_RUN : read ? BH_EDIT_NEVER_READ : BH_EDIT_NEVER_WRITE;
	for (size_t i = 0; i < bh_compiled_rules_count(version->compiled); i++) {
		const struct bh_rule *rule = bh_compiled_rule(version->compiled, i);

		if (rule->then != BH_THEN_ALLOW || rule->from || strcmp(rule->scope, tool) != 0 ||
		    rule->class != (run ? BH_RULE_EXEC : BH_RULE_FILE) || !bh_rule_speaks_of_path(rule, path))
			continue;
		if (run)
			deny_edge(version, rule, atoms);
		else if (rule->access == (read ? BH_ACCESS_READ : BH_ACCESS_WRITE))
			add_removal(read ? BH_EDIT_READ : BH_EDIT_WRITE, rule->scope, rule->path, COST_REMOVE, atoms);
	}
	if (!bh_path_is_pattern(path) && !bh_path_form(path).code)
		bh_atoms_add(atoms, COST_NEVER, &never, NULL);
}

void bh_atoms_deny(const struct bh_version *version, const struct bh_query *query, struct bh_atoms *atoms)
{
	const char *name = bh_query_tool(query, version->compiled);
	const struct bh_tool *tool = bh_version_tool(version, name);

	switch (query->action) {
	case BH_ACTION_RUN:
		bh_atoms_arguments_deny(version, query, atoms);
		deny_path(version, name, query, query->path, atoms);
		return;
	case BH_ACTION_READ:
	case BH_ACTION_WRITE:
		deny_path(version, name, query, query->path, atoms);
		return;
	case BH_ACTION_RENAME:
	case BH_ACTION_LINK:
		deny_path(version, name, query, query->path, atoms);
		deny_path(version, name, query, query->other, atoms);
		return;
	case BH_ACTION_CONNECT:
	case BH_ACTION_DNS:
		if (tool && query->host)
			deny_host(version, tool, query, atoms);
		else if (tool)
			deny_address(version, tool, &query->net, atoms);
		return;
	default: /* sockets of files, ports and privileges are for a person to edit */
		return;
	}
}
