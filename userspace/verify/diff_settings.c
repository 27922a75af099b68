/* SPDX-License-Identifier: GPL-2.0-only */
/* What differs between two policies beside their rules, and which way. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/canon_parts.h"
#include "compile/names.h"
#include "policy/amount.h"
#include "verify/diff_parts.h"

void bh_settings_note(struct bh_settings *s, enum bh_effect effect, const char *format, ...)
{
	struct bh_diff *diff = s->diff;
	char *text = NULL;
	va_list args;
	int length;

	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	if (length < 0 || BH_RESERVE(diff->settings, diff->settings_capacity, diff->settings_count + 1)) {
		if (length >= 0)
			free(text);
		s->error = -ENOMEM;
		return;
	}
	diff->settings[diff->settings_count++] = (struct bh_setting){ text, effect };
	diff->wider = diff->wider || effect & BH_EFFECT_WIDER;
	diff->narrower = diff->narrower || effect & BH_EFFECT_NARROWER;
}

enum bh_effect bh_more_is(enum bh_effect effect, uint64_t old, uint64_t new)
{
	if (!effect || old == new)
		return BH_EFFECT_NONE;
	return new > old ? effect : BH_EFFECT_MIXED & ~effect;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static const char *or_none(const char *text)
{
	return text ? text : "none";
}

static bool has_word(const struct bh_words *words, const char *text)
{
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->items[i].text, text) == 0)
			return true;
	return false;
}

/* "NAME += word" for each word that only one has. effect: of one more. */
static void compare_words(struct bh_settings *s, const char *name, const struct bh_words *old,
			  const struct bh_words *new, enum bh_effect effect)
{
	for (size_t i = 0; i < new->count; i++)
		if (!has_word(old, new->items[i].text))
			bh_settings_note(s, effect, "%s += %s", name, new->items[i].text);
	for (size_t i = 0; i < old->count; i++)
		if (!has_word(new, old->items[i].text))
			bh_settings_note(s, effect ? BH_EFFECT_MIXED & ~effect : BH_EFFECT_NONE, "%s -= %s", name,
					 old->items[i].text);
}

/* ---- Modes and responses ---- */

/* How much is enforced. */
static unsigned int strength_of_mode(unsigned int mode)
{
	return mode == BH_MODE_OBSERVE ? 0 : mode == BH_MODE_GRACE ? 1 : 2;
}

static void compare_mode(struct bh_settings *s, const char *name, unsigned int old, unsigned int new)
{
	if (old != new)
		bh_settings_note(s, bh_more_is(BH_EFFECT_NARROWER, strength_of_mode(old), strength_of_mode(new)),
				 "%s: %s -> %s", name, bh_name_text(bh_names_modes, old),
				 bh_name_text(bh_names_modes, new));
}

static void compare_modes(struct bh_settings *s)
{
	char before[BH_AMOUNT_TEXT], after[BH_AMOUNT_TEXT];

	compare_mode(s, "mode", s->old->mode, s->new->mode);
	if (s->old->mode == BH_MODE_GRACE && s->new->mode == BH_MODE_GRACE &&
	    s->old->grace_until != s->new->grace_until)
		bh_settings_note(
			s, bh_more_is(BH_EFFECT_WIDER, (uint64_t)s->old->grace_until, (uint64_t)s->new->grace_until),
			"grace.until: %s -> %s", bh_amount_date(s->old->grace_until, before),
			bh_amount_date(s->new->grace_until, after));
	for (const struct bh_name *class = bh_names_classes; class->text; class ++) {
		unsigned int old = s->old->modes[class->number], new = s->new->modes[class->number];
		char name[32];

		snprintf(name, sizeof(name), "modes.%s", class->text);
		old = old ? old : s->old->mode;
		new = new ? new : s->new->mode;
		if (s->old->modes[class->number] || s->new->modes[class->number])
			compare_mode(s, name, old, new);
	}
}

static unsigned int response_of(const struct bh_source_policy *policy, const struct bh_tool *tool, unsigned int class)
{
	if (tool && tool->respond[class])
		return tool->respond[class];
	if (policy->respond[class])
		return policy->respond[class];
	return class == BH_CLASS_ARGS ? BH_RESPOND_TASK : BH_RESPOND_DENY;
}

unsigned int bh_response_strength(unsigned int response)
{
	return response == BH_RESPOND_KILL   ? 3 :
	       response == BH_RESPOND_FREEZE ? 2 :
	       response == BH_RESPOND_ALERT  ? 0 :
					       1;
}

static void compare_response(struct bh_settings *s, const char *name, const char *class, unsigned int old,
			     unsigned int new)
{
	if (old != new)
		bh_settings_note(s,
				 bh_more_is(BH_EFFECT_NARROWER, bh_response_strength(old), bh_response_strength(new)),
				 "%s.%s: %s -> %s", name, class, bh_name_text(bh_names_responses, old),
				 bh_name_text(bh_names_responses, new));
}

static void compare_responses(struct bh_settings *s)
{
	for (const struct bh_name *class = bh_names_classes; class->text; class ++)
		compare_response(s, "respond", class->text, response_of(s->old, NULL, class->number),
				 response_of(s->new, NULL, class->number));
}

/* ---- Tools ---- */

static void compare_flag(struct bh_settings *s, const char *tool, const char *flag, bool old, bool new,
			 enum bh_effect effect)
{
	if (old != new)
		bh_settings_note(s, bh_more_is(effect, old, new), "tools.%s.%s: %s -> %s", tool, flag,
				 old ? "true" : "false", new ? "true" : "false");
}

static uint8_t procfs_of(const struct bh_source_policy *policy, const struct bh_tool *tool)
{
	uint8_t procfs = tool->procfs ? tool->procfs : policy->procfs;

	return procfs ? procfs : BH_PROCFS_OWN;
}

/* A response is named here only where one of the tools has its own. */
static void compare_tool(struct bh_settings *s, const struct bh_tool *old, const struct bh_tool *new)
{
	bool listed = old->load_given || old->load.count, lists = new->load_given || new->load.count;
	uint8_t had = procfs_of(s->old, old), has = procfs_of(s->new, new);
	char name[96];

	compare_flag(s, old->name.text, "jit", old->jit, new->jit, BH_EFFECT_WIDER);
	compare_flag(s, old->name.text, "runs_code", old->runs_code, new->runs_code, BH_EFFECT_NONE);
	if (listed != lists) /* of what is listed the rules tell */
		bh_settings_note(s, lists ? BH_EFFECT_NARROWER : BH_EFFECT_WIDER, "tools.%s.load: %s -> %s",
				 old->name.text, listed ? "listed" : "derived", lists ? "listed" : "derived");
	if (had != has)
		bh_settings_note(s, has == BH_PROCFS_OWN ? BH_EFFECT_WIDER : BH_EFFECT_NARROWER,
				 "tools.%s.procfs: %s -> %s", old->name.text, had == BH_PROCFS_OWN ? "own" : "none",
				 has == BH_PROCFS_OWN ? "own" : "none");
	snprintf(name, sizeof(name), "tools.%.63s.respond", old->name.text);
	for (const struct bh_name *class = bh_names_classes; class->text; class ++)
		if (old->respond[class->number] || new->respond[class->number])
			compare_response(s, name, class->text, response_of(s->old, old, class->number),
					 response_of(s->new, new, class->number));
}

/* What tools of both say about themselves. */
static void compare_tools(struct bh_settings *s)
{
	for (size_t i = 0; i < s->old->tools_count; i++) {
		const struct bh_tool *tool = bh_compile_find_tool(s->new, s->old->tools[i].name.text);

		if (tool)
			compare_tool(s, &s->old->tools[i], tool);
	}
}

/* ---- Names, privileges ---- */

static unsigned int names_of(const struct bh_dns *dns)
{
	return dns->names ? dns->names : BH_DNS_NONE;
}

static void compare_resolvers(struct bh_settings *s, const struct bh_cidrs *more, const struct bh_cidrs *less,
			      bool added)
{
	for (size_t i = 0; i < more->count; i++) {
		char text[BH_CIDR_TEXT];
		size_t k = 0;

		while (k < less->count && memcmp(more->items[i].bytes, less->items[k].bytes, 16) != 0)
			k++;
		if (k < less->count)
			continue;
		bh_cidr_text(&more->items[i], text);
		bh_settings_note(s, added ? BH_EFFECT_WIDER : BH_EFFECT_NARROWER, "dns.resolvers %s= %.*s",
				 added ? "+" : "-", (int)strcspn(text, "/"), text);
	}
}

static void compare_dns(struct bh_settings *s)
{
	unsigned int old = names_of(&s->old->dns), new = names_of(&s->new->dns);

	if (old != new) /* none, listed, any */
		bh_settings_note(s, bh_more_is(BH_EFFECT_WIDER, old, new), "dns.names: %s -> %s",
				 bh_name_text(bh_names_dns, old), bh_name_text(bh_names_dns, new));
	compare_resolvers(s, &s->new->dns.resolvers, &s->old->dns.resolvers, true);
	compare_resolvers(s, &s->old->dns.resolvers, &s->new->dns.resolvers, false);
}

static const struct bh_pair *find_pair(const struct bh_pairs *pairs, const char *word)
{
	for (size_t i = 0; i < pairs->count; i++)
		if (strcmp(pairs->items[i].word.text, word) == 0)
			return &pairs->items[i];
	return NULL;
}

static void compare_privileges(struct bh_settings *s)
{
	const struct bh_pairs *old = &s->old->privileges.allow, *new = &s->new->privileges.allow;

	compare_words(s, "privileges.capabilities", &s->old->privileges.capabilities, &s->new->privileges.capabilities,
		      BH_EFFECT_WIDER);
	for (size_t i = 0; i < new->count; i++) {
		const struct bh_pair *before = find_pair(old, new->items[i].word.text);

		if (!before)
			bh_settings_note(s, BH_EFFECT_WIDER, "privileges.allow += %s: %s", new->items[i].word.text,
					 or_none(new->items[i].value.text));
		else if (!same_text(before->value.text, new->items[i].value.text))
			bh_settings_note(s, BH_EFFECT_NONE, "privileges.allow.%s: its reason changed",
					 new->items[i].word.text);
	}
	for (size_t i = 0; i < old->count; i++)
		if (!find_pair(new, old->items[i].word.text))
			bh_settings_note(s, BH_EFFECT_NARROWER, "privileges.allow -= %s", old->items[i].word.text);
}

/* ---- Exceptions ---- */

static const struct bh_lift *find_lift(const struct bh_source_policy *policy, const char *guard)
{
	for (size_t i = 0; i < policy->lifts_count; i++)
		if (strcmp(policy->lifts[i].guard.text, guard) == 0)
			return &policy->lifts[i];
	return NULL;
}

/* Also where a guard has no rules, for want of a workspace: whoever reads this wants to know. */
static void compare_lifts(struct bh_settings *s)
{
	for (size_t i = 0; i < s->new->lifts_count; i++) {
		const struct bh_lift *lift = &s->new->lifts[i], *before = find_lift(s->old, lift->guard.text);

		if (!before)
			bh_settings_note(s, BH_EFFECT_WIDER, "guard %s: lifted: %s", lift->guard.text,
					 lift->reason.text);
		else if (strcmp(before->reason.text, lift->reason.text) != 0)
			bh_settings_note(s, BH_EFFECT_NONE, "guard %s: its reason changed", lift->guard.text);
	}
	for (size_t i = 0; i < s->old->lifts_count; i++)
		if (!find_lift(s->new, s->old->lifts[i].guard.text))
			bh_settings_note(s, BH_EFFECT_NARROWER, "guard %s: in force again",
					 s->old->lifts[i].guard.text);
}

static bool has_acceptance(const struct bh_source_policy *policy, const struct bh_acceptance *it)
{
	for (size_t i = 0; i < policy->acceptances_count; i++)
		if (strcmp(policy->acceptances[i].code.text, it->code.text) == 0 &&
		    strcmp(policy->acceptances[i].at.text, it->at.text) == 0)
			return true;
	return false;
}

static void compare_acceptances(struct bh_settings *s)
{
	for (size_t i = 0; i < s->new->acceptances_count; i++)
		if (!has_acceptance(s->old, &s->new->acceptances[i]))
			bh_settings_note(s, BH_EFFECT_NONE, "accept += %s at %s", s->new->acceptances[i].code.text,
					 s->new->acceptances[i].at.text);
	for (size_t i = 0; i < s->old->acceptances_count; i++)
		if (!has_acceptance(s->new, &s->old->acceptances[i]))
			bh_settings_note(s, BH_EFFECT_NONE, "accept -= %s at %s", s->old->acceptances[i].code.text,
					 s->old->acceptances[i].at.text);
}

/* ---- Whom it is for: neither wider nor narrower ---- */

/* The clauses as canonical texts. NULL when out of memory. */
static json_t *clauses_of(const struct bh_select *select)
{
	json_t *object = bh_canon_select(select), *any = object ? json_incref(json_object_get(object, "any")) : NULL;

	json_decref(object);
	return any;
}

static void name_clauses(struct bh_settings *s, const char *sign, json_t *more, json_t *less)
{
	for (size_t i = 0; i < json_array_size(more); i++) {
		BH_FREE char *text = NULL;
		size_t k = 0;

		while (k < json_array_size(less) && !json_equal(json_array_get(more, i), json_array_get(less, k)))
			k++;
		if (k < json_array_size(less))
			continue;
		text = bh_canon_text(json_array_get(more, i));
		if (text)
			bh_settings_note(s, BH_EFFECT_NONE, "select %s= %s", sign, text);
		else
			s->error = -ENOMEM;
	}
}

static void compare_select(struct bh_settings *s)
{
	json_t *old = clauses_of(&s->old->select), *new = clauses_of(&s->new->select);

	if (s->old->select.given && s->new->select.given && s->old->select.priority != s->new->select.priority)
		bh_settings_note(s, BH_EFFECT_NONE, "select.priority: %u -> %u", s->old->select.priority,
				 s->new->select.priority);
	if (old && new) {
		name_clauses(s, "+", new, old);
		name_clauses(s, "-", old, new);
	} else {
		s->error = -ENOMEM;
	}
	json_decref(old);
	json_decref(new);
}

int bh_diff_settings(const struct bh_source_policy *old, const struct bh_source_policy *new, struct bh_diff *diff)
{
	struct bh_settings s = { .old = old, .new = new, .diff = diff };

	if (strcmp(old->name.text, new->name.text) != 0)
		bh_settings_note(&s, BH_EFFECT_NONE, "name: %s -> %s", old->name.text, new->name.text);
	compare_modes(&s);
	compare_responses(&s);
	compare_tools(&s);
	compare_dns(&s);
	compare_privileges(&s);
	bh_settings_resources(&s, &old->resources, &new->resources);
	compare_lifts(&s);
	compare_words(&s, "workspaces", &old->workspaces, &new->workspaces, BH_EFFECT_NONE);
	compare_acceptances(&s);
	compare_select(&s);
	return s.error;
}
