/* SPDX-License-Identifier: GPL-2.0-only */
#include "compile/unenforced.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/names.h"

/* A search through one policy. */
struct search {
	const struct bh_source_policy *policy;
	struct bh_diags *diags;
	const char *what; /* of the row */
	size_t found;
};

static void say(struct search *s, struct bh_loc loc, const char *where, const char *name)
{
	s->found++;
	bh_diag_add(s->diags, BH_SEVERITY_ERROR, "E370", loc, NULL, "%s%s%s: 'bulkhead run' does not enforce %s yet",
		    where, name ? "." : "", name ? name : "", s->what);
}

/* Of one tool: at a word of its list, or at its name. */
static void say_of_tool(struct search *s, const struct bh_tool *tool, struct bh_loc loc, const char *key)
{
	char where[96]; /* "tools." NAME "." KEY */

	snprintf(where, sizeof(where), "tools.%.63s.%s", tool->name.text, key);
	say(s, loc.line ? loc : tool->name.loc, where, NULL);
}

#define FOR_EACH_TOOL(s, tool)                                                                                         \
	for (const struct bh_tool *tool = (s)->policy->tools; tool < (s)->policy->tools + (s)->policy->tools_count;    \
	     tool++)

static void find_hashes(struct search *s)
{
	FOR_EACH_TOOL(s, tool)
	{
		for (size_t i = 0; i < tool->binaries.count; i++)
			if (tool->binaries.items[i].value.text)
				say_of_tool(s, tool, tool->binaries.items[i].value.loc, "binaries");
	}
}

static void find_loads(struct search *s)
{
	FOR_EACH_TOOL(s, tool)
	{
		if (tool->load_given)
			say_of_tool(s, tool, tool->load.count ? tool->load.items[0].word.loc : tool->name.loc, "load");
	}
}

static const struct bh_word *first_socket(const struct bh_unix *sockets)
{
	const struct bh_words *lists[] = { &sockets->connect, &sockets->listen, &sockets->abstract };

	for (size_t i = 0; i < BH_COUNT_OF(lists); i++)
		if (lists[i]->count)
			return &lists[i]->items[0];
	return NULL;
}

static void find_sockets(struct search *s)
{
	const struct bh_word *word = first_socket(&s->policy->unix_sockets);

	if (word)
		say(s, word->loc, "unix", NULL);
	FOR_EACH_TOOL(s, tool)
	{
		word = first_socket(&tool->unix_sockets);
		if (word)
			say_of_tool(s, tool, word->loc, "unix");
	}
}

/* Only what differs from the policy's own. */
static void find_overrides(struct search *s)
{
	FOR_EACH_TOOL(s, tool)
	{
		for (const struct bh_name *class = bh_names_classes; class->text; class ++)
			if (tool->respond[class->number] &&
			    tool->respond[class->number] != s->policy->respond[class->number])
				say_of_tool(s, tool, tool->name.loc, "respond");
	}
}

static void find_freeze(struct search *s)
{
	for (const struct bh_name *class = bh_names_classes; class->text; class ++)
		if (s->policy->respond[class->number] == BH_RESPOND_FREEZE)
			say(s, s->policy->name.loc, "respond", class->text);
}

static void find_hosts(struct search *s)
{
	for (size_t i = 0; i < s->policy->destinations_count; i++) {
		const struct bh_destination *it = &s->policy->destinations[i];

		if (it->hosts.count)
			say(s, it->hosts.items[0].loc, "egress.destinations", it->name.text);
	}
}

static void find_dns(struct search *s)
{
	if (s->policy->dns.names == BH_DNS_LISTED || s->policy->dns.names == BH_DNS_ANY)
		say(s, s->policy->dns.loc, "egress.dns", NULL);
}

static void find_capabilities(struct search *s)
{
	for (size_t i = 0; i < s->policy->privileges.capabilities.count; i++)
		say(s, s->policy->privileges.capabilities.items[i].loc, "privileges.capabilities",
		    s->policy->privileges.capabilities.items[i].text);
}

static void find_operations(struct search *s)
{
	for (size_t i = 0; i < s->policy->privileges.allow.count; i++)
		say(s, s->policy->privileges.allow.items[i].word.loc, "privileges.allow",
		    s->policy->privileges.allow.items[i].word.text);
}

static void find_thresholds(struct search *s)
{
	for (size_t i = 0; i < s->policy->resources.thresholds_count; i++)
		say(s, s->policy->resources.thresholds[i].loc, "resources.thresholds",
		    bh_name_text(bh_names_signals, s->policy->resources.thresholds[i].signal));
}

static void find_grace(struct search *s)
{
	if (s->policy->mode == BH_MODE_GRACE)
		say(s, s->policy->grace_loc, "grace", NULL);
}

static void find_modes(struct search *s)
{
	for (const struct bh_name *class = bh_names_classes; class->text; class ++)
		if (s->policy->modes[class->number] && s->policy->modes[class->number] != s->policy->mode)
			say(s, s->policy->name.loc, "modes", class->text);
}

static void find_attach(struct search *s)
{
	for (size_t i = 0; i < s->policy->attach.count; i++)
		say(s, s->policy->attach.items[i].loc, "attach", s->policy->attach.items[i].text);
}

/* One row for each thing: whoever makes it work takes its row away, and its case in tests/golden/messages/run. */
static const struct {
	const char *what;
	void (*find)(struct search *s);
} rows[] = {
	{ "the hash of a program", find_hashes },
	{ "lists of loadable code", find_loads },
	{ "unix sockets", find_sockets },
	{ "responses of one tool", find_overrides },
	{ "freezing", find_freeze },
	{ "destinations by name", find_hosts },
	{ "the names that may be asked for", find_dns },
	{ "capabilities", find_capabilities },
	{ "privileged operations", find_operations },
	{ "thresholds", find_thresholds },
	{ "mode grace", find_grace },
	{ "modes of single classes", find_modes },
	{ "sessions that join", find_attach },
};

size_t bh_unenforced_find(const struct bh_source_policy *policy, struct bh_diags *diags)
{
	struct search s = { .policy = policy, .diags = diags };

	for (size_t i = 0; i < BH_COUNT_OF(rows); i++) {
		s.what = rows[i].what;
		rows[i].find(&s);
	}
	return s.found;
}
