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

/* What its sockets then say and to whom is not judged. */
static void find_operations(struct search *s)
{
	static const char *const sockets[] = { "vsock", "raw-socket", "packet-socket" };

	for (size_t i = 0; i < s->policy->privileges.allow.count; i++) {
		const struct bh_word *word = &s->policy->privileges.allow.items[i].word;

		for (size_t k = 0; k < BH_COUNT_OF(sockets); k++)
			if (strcmp(word->text, sockets[k]) == 0)
				say(s, word->loc, "privileges.allow", word->text);
	}
}

static void find_thresholds(struct search *s)
{
	for (size_t i = 0; i < s->policy->resources.thresholds_count; i++)
		say(s, s->policy->resources.thresholds[i].loc, "resources.thresholds",
		    bh_name_text(bh_names_signals, s->policy->resources.thresholds[i].signal));
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
	{ "the hash of a program", find_hashes },     { "unix sockets", find_sockets },
	{ "destinations by name", find_hosts },	      { "the names that may be asked for", find_dns },
	{ "sockets of such kinds", find_operations }, { "thresholds", find_thresholds },
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
