/* SPDX-License-Identifier: GPL-2.0-only */
/* What a person might add to a policy so that a question is allowed. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "policy/address.h"
#include "policy/host.h"
#include "policy/path.h"
#include "verify/repairing.h"

/* What an edit costs: how much more it opens than was asked for, or how much of the policy it is about. */
#define COST_MAY_RUN 2u
#define COST_REACH 2u
#define COST_HELPER 3u
#define COST_FILE 3u /* twice as much for each level of directories that is opened */
#define COST_HOST 3u
#define COST_DESTINATION 6u
#define COST_MOST (1u << 28)

const struct bh_tool *bh_version_tool(const struct bh_version *version, const char *name)
{
	for (size_t i = 0; i < version->source->tools_count; i++)
		if (strcmp(version->source->tools[i].name.text, name) == 0)
			return &version->source->tools[i];
	return NULL;
}

const struct bh_destination *bh_version_destination(const struct bh_version *version, const char *name)
{
	for (size_t i = 0; i < version->source->destinations_count; i++)
		if (strcmp(version->source->destinations[i].name.text, name) == 0)
			return &version->source->destinations[i];
	return NULL;
}

/* The file itself, then all beneath its directory, and so on up to where a policy may not grant that much. */
static void allow_file(const char *tool, bool write, const char *path, struct bh_atoms *atoms)
{
	struct bh_edit edit = { .list = write ? BH_EDIT_WRITE : BH_EDIT_READ, .add = true, .owner = tool };
	uint32_t access = write ? BH_ACCESS_WRITE : BH_ACCESS_READ;
	char pattern[BH_PATTERN_MAX + 4];
	unsigned int cost = COST_FILE;
	char *slash;

	if (strlen(path) > BH_PATTERN_MAX || bh_path_is_pattern(path) || bh_path_breadth(path, access).code)
		return;
	snprintf(pattern, sizeof(pattern), "%s", path);
	edit.item = pattern;
	bh_atoms_add(atoms, cost, &edit, NULL);
	for (;;) {
		*strrchr(pattern, '/') = '\0';
		slash = strrchr(pattern, '/');
		if (!slash)
			return;
		strcat(pattern, "/**");
		if (bh_path_breadth(pattern, access).code)
			return;
		cost = cost < COST_MOST ? 2 * cost : cost;
		bh_atoms_add(atoms, cost, &edit, NULL);
		pattern[strlen(pattern) - 3] = '\0';
	}
}

bool bh_tool_has_binary(const struct bh_tool *tool, const char *path)
{
	for (size_t i = 0; i < tool->binaries.count; i++)
		if (strcmp(tool->binaries.items[i].word.text, path) == 0)
			return true;
	return false;
}

/* As a helper, or as a program of a tool that may then be run. to NULL: either. */
static void allow_run(const struct bh_version *version, const char *tool, const char *to, const char *path,
		      struct bh_atoms *atoms)
{
	struct bh_edit edit = { .list = BH_EDIT_HELPERS, .add = true, .owner = tool, .item = path };

	if ((!to || strcmp(to, tool) == 0) && !bh_path_is_pattern(path))
		bh_atoms_add(atoms, COST_HELPER, &edit, NULL);
	edit.list = BH_EDIT_MAY_RUN;
	for (size_t i = 0; i < version->source->tools_count; i++) {
		const struct bh_tool *target = &version->source->tools[i];

		edit.item = target->name.text;
		if ((!to || strcmp(to, target->name.text) == 0) && bh_tool_has_binary(target, path))
			bh_atoms_add(atoms, COST_MAY_RUN, &edit, NULL);
	}
}

static bool covers_port(const struct bh_destination *destination, const struct bh_net_question *net)
{
	for (size_t i = 0; i < destination->ports.count; i++)
		if (destination->protocol == net->protocol && destination->ports.items[i].low <= net->port &&
		    destination->ports.items[i].high >= net->port)
			return true;
	return false;
}

static bool covers_host(const struct bh_destination *destination, const char *host)
{
	for (size_t i = 0; i < destination->hosts.count; i++)
		if (bh_host_matches(destination->hosts.items[i].text, host))
			return true;
	return false;
}

static bool covers_address(const struct bh_destination *destination, const struct bh_cidr *address)
{
	for (size_t i = 0; i < destination->cidrs.count; i++)
		if (bh_cidr_covers(&destination->cidrs.items[i], address))
			return true;
	return false;
}

#define NAME_BYTES 64u

/* A name of a destination that no other has: from the address, then with the port behind it. */
static bool new_name(const struct bh_version *version, const char *peer, unsigned int port, char ret_name[NAME_BYTES])
{
	size_t used = (size_t)snprintf(ret_name, NAME_BYTES, "%s", peer[0] >= 'a' && peer[0] <= 'z' ? "" : "net-");

	for (; *peer && *peer != '/' && used < NAME_BYTES - 8; peer++)
		ret_name[used++] = (*peer >= 'a' && *peer <= 'z') || (*peer >= '0' && *peer <= '9') ? *peer : '-';
	ret_name[used] = '\0';
	if (!bh_version_destination(version, ret_name))
		return true;
	snprintf(ret_name + used, NAME_BYTES - used, "-%u", port);
	return !bh_version_destination(version, ret_name);
}

/* A new destination for this peer and port alone. */
static void allow_new(const struct bh_version *version, const char *tool, const char *peer,
		      const struct bh_net_question *net, struct bh_atoms *atoms)
{
	struct bh_edit reach = { .list = BH_EDIT_REACH, .add = true, .owner = tool };
	struct bh_edit whole = { .list = BH_EDIT_DESTINATIONS, .add = true, .item = peer };
	char name[NAME_BYTES];

	if ((net->protocol != IPPROTO_TCP && net->protocol != IPPROTO_UDP) || !new_name(version, peer, net->port, name))
		return;
	whole.owner = reach.item = name;
	whole.port = net->port;
	whole.protocol = net->protocol;
	bh_atoms_add(atoms, COST_DESTINATION, &whole, &reach);
}

/* A destination that is there already, or a new one. */
static void allow_address(const struct bh_version *version, const char *tool, const struct bh_net_question *net,
			  struct bh_atoms *atoms)
{
	struct bh_edit reach = { .list = BH_EDIT_REACH, .add = true, .owner = tool };
	char text[INET6_ADDRSTRLEN + 8];
	struct bh_cidr address = { 0 };

	address.family = bh_judged_address(net->family, net->address.bytes, address.bytes);
	address.prefix = address.family == 4 ? 32 : 128;
	for (size_t i = 0; i < version->source->destinations_count; i++) {
		const struct bh_destination *destination = &version->source->destinations[i];

		reach.item = destination->name.text;
		if (covers_port(destination, net) && covers_address(destination, &address))
			bh_atoms_add(atoms, COST_REACH, &reach, NULL);
	}
	inet_ntop(address.family == 4 ? AF_INET : AF_INET6, address.bytes, text, INET6_ADDRSTRLEN);
	snprintf(text + strlen(text), 8, "/%u", address.prefix);
	allow_new(version, tool, text, net, atoms);
}

static bool reaches(const struct bh_tool *tool, const char *destination)
{
	for (size_t i = 0; i < tool->reach.count; i++)
		if (strcmp(tool->reach.items[i].text, destination) == 0)
			return true;
	return false;
}

/* The same by name; or the name in a destination that the tool reaches on that port. */
static void allow_host(const struct bh_version *version, const char *name, const struct bh_query *query,
		       struct bh_atoms *atoms)
{
	const struct bh_tool *tool = bh_version_tool(version, name);
	struct bh_edit reach = { .list = BH_EDIT_REACH, .add = true, .owner = name };
	struct bh_edit host = { .list = BH_EDIT_HOSTS, .add = true, .item = query->host };

	if (!tool || bh_host_form(query->host).code || query->host[0] == '*')
		return;
	for (size_t i = 0; i < version->source->destinations_count; i++) {
		const struct bh_destination *destination = &version->source->destinations[i];

		host.owner = reach.item = destination->name.text;
		if (query->action == BH_ACTION_CONNECT && !covers_port(destination, &query->net))
			continue;
		if (covers_host(destination, query->host))
			bh_atoms_add(atoms, COST_REACH, &reach, NULL);
		else if (destination->hosts.count && reaches(tool, destination->name.text))
			bh_atoms_add(atoms, COST_HOST, &host, NULL);
	}
	if (query->action == BH_ACTION_CONNECT)
		allow_new(version, name, query->host, &query->net, atoms);
}

void bh_atoms_allow(const struct bh_version *version, const struct bh_query *query, const struct bh_reply *reply,
		    unsigned int to, struct bh_atoms *atoms)
{
	const char *tool = bh_compiled_tool_name(version->compiled, query->tool);
	const char *path = reply->second ? query->other : query->path;

	if (!tool) /* before the first program there are no rights to add */
		return;
	if (query->action != BH_ACTION_RUN && reply->reason != BH_REASON_F2 && reply->reason != BH_REASON_N2 &&
	    reply->reason != BH_REASON_N3)
		return;
	switch (reply->reason) { /* what is prohibited stays so, and a pinned directory cannot be had */
	case BH_REASON_F2:
		allow_file(tool, query->action != BH_ACTION_READ, path, atoms);
		return;
	case BH_REASON_X1:
		allow_run(version, tool, bh_compiled_tool_name(version->compiled, to), path, atoms);
		/* a tool that is run from now on may have to be told more, too */
		bh_atoms_arguments(version, query, bh_compiled_tool_name(version->compiled, to), false, atoms);
		return;
	case BH_REASON_X3:
		bh_atoms_arguments(version, query, bh_compiled_tool_name(version->compiled, to), true, atoms);
		return;
	case BH_REASON_N2:
	case BH_REASON_N3:
		if (query->host)
			allow_host(version, tool, query, atoms);
		else
			allow_address(version, tool, &query->net, atoms);
		return;
	default:
		return;
	}
}

/* A scenario's wish for a tool holds for the last of its steps. */
void bh_atoms_for(const struct bh_version *version, const struct bh_failure *failure, struct bh_atoms *atoms)
{
	unsigned int to = failure->scenario && !failure->step ? failure->scenario->to : 0;
	struct bh_reply denied = { .reason = BH_REASON_X1 };

	if (!failure->reply.reason) /* allowed, or allowed but leading to another tool */
		bh_atoms_deny(version, &failure->query, atoms);
	if (!failure->allow)
		return;
	if (!failure->reply.reason && failure->query.action == BH_ACTION_RUN)
		bh_atoms_allow(version, &failure->query, &denied, to, atoms);
	else if (failure->reply.reason)
		bh_atoms_allow(version, &failure->query, &failure->reply, to, atoms);
}
