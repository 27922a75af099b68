/* SPDX-License-Identifier: GPL-2.0-only */
/* Findings that need only the model: what cannot be reached, what an edge adds, what a network includes. */
#include "compile/compiled.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "policy/address.h"

static bool has_word(const struct bh_words *words, const char *text)
{
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->items[i].text, text) == 0)
			return true;
	return false;
}

/* W140: follows the edges from the entry on. */
static void lint_starts(struct bh_compile *c)
{
	const struct bh_source_policy *policy = c->policy;
	bool reached[BH_TOOLS_MAX] = { false }, again = true;

	for (size_t i = 0; i < policy->tools_count; i++)
		reached[i] = strcmp(policy->tools[i].name.text, policy->entry.text) == 0;
	while (again) {
		again = false;
		for (size_t i = 0; i < policy->tools_count; i++)
			for (size_t k = 0; k < policy->tools_count; k++)
				if (reached[i] && !reached[k] &&
				    has_word(&policy->tools[i].may_run, policy->tools[k].name.text))
					reached[k] = again = true;
	}
	for (size_t i = 0; i < policy->tools_count; i++)
		if (!reached[i] && !bh_compile_said(c, "W140", policy->tools[i].name.loc))
			bh_diag_add(c->diags, BH_SEVERITY_WARNING, "W140", policy->tools[i].name.loc,
				    "name it in some tool's may_run, or remove it", "nothing can start tool '%s'",
				    policy->tools[i].name.text);
}

/* W320 */
static void lint_destinations(struct bh_compile *c)
{
	const struct bh_source_policy *policy = c->policy;

	for (size_t i = 0; i < policy->destinations_count; i++) {
		bool used = false;

		for (size_t k = 0; k < policy->tools_count && !used; k++)
			used = has_word(&policy->tools[k].reach, policy->destinations[i].name.text);
		if (!used && !bh_compile_said(c, "W320", policy->destinations[i].name.loc))
			bh_diag_add(c->diags, BH_SEVERITY_WARNING, "W320", policy->destinations[i].name.loc,
				    "name it in some tool's reach, or remove it", "no tool reaches destination '%s'",
				    policy->destinations[i].name.text);
	}
}

static int compare_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* N145 for one edge: the destinations that the target reaches and the source does not. */
static int lint_edge(struct bh_compile *c, const struct bh_tool *from, const struct bh_word *to_name)
{
	const struct bh_tool *to = bh_compile_find_tool(c->policy, to_name->text);
	BH_FREE const char **gained = to ? calloc(to->reach.count + 1, sizeof(*gained)) : NULL;
	struct bh_buf text = { 0 };
	size_t count = 0;

	if (!to)
		return 0;
	if (!gained)
		return -ENOMEM;
	for (size_t i = 0; i < to->reach.count; i++)
		if (!has_word(&from->reach, to->reach.items[i].text))
			gained[count++] = to->reach.items[i].text;
	qsort(gained, count, sizeof(*gained), compare_text);
	for (size_t i = 0; i < count; i++)
		if (!i || strcmp(gained[i - 1], gained[i]) != 0)
			bh_buf_print(&text, "%s%s", i ? ", " : "", gained[i]);
	if (text.length && !text.error)
		bh_diag_add(c->diags, BH_SEVERITY_NOTE, "N145", to_name->loc, NULL, "%s -> %s gains network: %s",
			    from->name.text, to->name.text, (const char *)text.bytes);
	count = text.error ? 1 : 0;
	bh_buf_done(&text);
	return count ? -ENOMEM : 0;
}

static int lint_edges(struct bh_compile *c)
{
	int result = 0;

	for (size_t i = 0; i < c->policy->tools_count; i++)
		for (size_t k = 0; k < c->policy->tools[i].may_run.count && !result; k++)
			result = lint_edge(c, &c->policy->tools[i], &c->policy->tools[i].may_run.items[k]);
	return result;
}

/* Does the destination open only the one port that the address leaves open? */
static bool only_exception(const struct bh_destination *destination, const struct bh_floor_address *address)
{
	for (size_t i = 0; i < destination->ports.count; i++)
		if (destination->ports.items[i].low != address->except_port ||
		    destination->ports.items[i].high != address->except_port)
			return false;
	return address->except_port != 0;
}

/* E311 when the network lies wholly in an always-blocked one, else N311 when it contains one; once per network. */
static void lint_network(struct bh_compile *c, const struct bh_destination *destination, const struct bh_cidr *cidr)
{
	const struct bh_floor_address *held = NULL;
	struct bh_cidr hidden = *cidr;
	char text[BH_CIDR_TEXT], floor[BH_CIDR_TEXT];

	if (!bh_cidr_hidden_ipv4(cidr, &hidden))
		hidden = *cidr;
	bh_cidr_text(cidr, text);
	for (size_t i = 0; i < c->shipped->addresses_count; i++) {
		const struct bh_floor_address *address = &c->shipped->addresses[i];

		if (only_exception(destination, address))
			continue;
		if (bh_cidr_covers(&address->cidr, &hidden)) {
			bh_diag_add(c->diags, BH_SEVERITY_ERROR, "E311", cidr->loc,
				    "no policy can lift this; remove it", "%s is on the always-blocked list (%s)", text,
				    address->who ? address->who : "");
			return;
		}
		if (!held && bh_cidr_covers(&hidden, &address->cidr))
			held = address;
	}
	if (!held || bh_compile_said(c, "N311", cidr->loc))
		return;
	bh_cidr_text(&held->cidr, floor);
	bh_diag_add(c->diags, BH_SEVERITY_NOTE, "N311", cidr->loc, NULL, "%s contains %s, which stays blocked (%s)",
		    text, floor, held->who ? held->who : "");
}

static bool is_interpreter(const struct bh_compile *c, const char *path)
{
	for (size_t i = 0; i < c->shipped->interpreters.count; i++)
		if (bh_program_is(path, c->shipped->interpreters.items[i].text))
			return true;
	return false;
}

/* W131, once for a tool */
static void lint_interpreters(struct bh_compile *c)
{
	for (size_t i = 0; i < c->policy->tools_count; i++) {
		const struct bh_tool *tool = &c->policy->tools[i];
		size_t k = 0;

		while (k < tool->binaries.count && !is_interpreter(c, tool->binaries.items[k].word.text))
			k++;
		if (k < tool->binaries.count && !tool->runs_code)
			bh_diag_add(c->diags, BH_SEVERITY_WARNING, "W131", tool->name.loc,
				    "say 'runs_code: true': its rights are those of any code that it is fed",
				    "'%s' of tool '%s' runs code that it is fed", tool->binaries.items[k].word.text,
				    tool->name.text);
	}
}

/* W150 */
static void lint_lifts(struct bh_compile *c)
{
	for (size_t i = 0; i < c->policy->lifts_count; i++)
		bh_diag_add(c->diags, BH_SEVERITY_WARNING, "W150", c->policy->lifts[i].guard.loc, NULL,
			    "guard '%s' is lifted for every tool: %s", c->policy->lifts[i].guard.text,
			    c->policy->lifts[i].reason.text);
}

/* W170: what a list of forbidden words leaves out is allowed. */
static void lint_refusals(struct bh_compile *c)
{
	for (size_t i = 0; i < c->policy->tools_count; i++)
		for (size_t k = 0; k < c->policy->tools[i].args_count; k++) {
			const struct bh_args_clause *clause = &c->policy->tools[i].args[k];

			if (clause->refuse.count)
				bh_diag_add(c->diags, BH_SEVERITY_WARNING, "W170", clause->refuse.items[0].loc,
					    "list what is allowed, or accept this under spec.accept",
					    "tool '%s' forbids words and allows all others",
					    c->policy->tools[i].name.text);
		}
}

int bh_compile_lint(struct bh_compile *c)
{
	int result = lint_edges(c);

	lint_lifts(c);
	lint_interpreters(c);
	lint_refusals(c);
	lint_starts(c);
	lint_destinations(c);
	for (size_t i = 0; i < c->policy->destinations_count; i++)
		for (size_t k = 0; k < c->policy->destinations[i].cidrs.count; k++)
			lint_network(c, &c->policy->destinations[i], &c->policy->destinations[i].cidrs.items[k]);
	return result;
}
