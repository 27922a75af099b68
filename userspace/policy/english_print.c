/* SPDX-License-Identifier: GPL-2.0-only */
/* A policy as sentences. */
#include "policy/english_print.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/address.h"
#include "policy/english.h"
#include "policy/english_words.h"
#include "policy/parse.h"
#include "policy/path.h"

void bh_english_print_words(struct bh_english_print *print, enum bh_english_sentence sentence,
			    const struct bh_words *words)
{
	if (words->count == 0)
		return;
	bh_english_say_begin(&print->say, sentence);
	for (size_t i = 0; i < words->count; i++)
		bh_english_say_item(&print->say, 0, words->items[i].text);
	bh_english_say_end(&print->say);
}

bool bh_english_print_is_ordered(const struct bh_english_print *print)
{
	return print->policy->acceptances_count > 0;
}

enum path_kind {
	UNDER,
	EXACT,
	MATCHING,
};

static size_t directory_length(const char *pattern)
{
	size_t length = strlen(pattern);

	return length >= 3 && strcmp(pattern + length - 3, "/**") == 0 ? length - 3 : 0;
}

unsigned int bh_english_path_kind(const char *pattern)
{
	size_t directory = directory_length(pattern);

	if (strcmp(pattern, "/**") == 0 || (directory && strcspn(pattern, "*?") >= directory))
		return UNDER;
	return bh_path_is_pattern(pattern) ? MATCHING : EXACT;
}

void bh_english_print_path(struct bh_english_print *print, const char *pattern)
{
	if (strcmp(pattern, "/**") == 0)
		bh_english_say_item(&print->say, 0, "/");
	else if (bh_english_path_kind(pattern) == UNDER)
		bh_english_say_format(&print->say, 0, "%.*s", (int)directory_length(pattern), pattern);
	else
		bh_english_say_item(&print->say, 0, pattern);
}

/* Those of one kind from `at` on: all there are, or, where places count, the run that begins there. */
static void print_kind(struct bh_english_print *print, enum bh_english_sentence under, const struct bh_words *paths,
		       size_t at, unsigned int kind)
{
	bool ordered = bh_english_print_is_ordered(print);

	bh_english_say_begin(&print->say, under + kind);
	for (; at < paths->count; at++) {
		if (bh_english_path_kind(paths->items[at].text) == kind)
			bh_english_print_path(print, paths->items[at].text);
		else if (ordered)
			break;
	}
	bh_english_say_end(&print->say);
}

void bh_english_print_paths(struct bh_english_print *print, enum bh_english_sentence under,
			    const struct bh_words *paths)
{
	unsigned int before = MATCHING + 1, said = 0;

	for (size_t i = 0; i < paths->count; i++) {
		unsigned int kind = bh_english_path_kind(paths->items[i].text);

		if (bh_english_print_is_ordered(print) ? kind != before : !(said & 1u << kind))
			print_kind(print, under, paths, i, kind);
		before = kind;
		said |= 1u << kind;
	}
}

void bh_english_print_respond(struct bh_english_print *print, enum bh_english_sentence sentence,
			      const uint8_t respond[BH_CLASSES])
{
	static const unsigned int order[] = { BH_CLASS_EXEC,	BH_CLASS_ARGS,	     BH_CLASS_FILES,
					      BH_CLASS_NETWORK, BH_CLASS_PRIVILEGES, BH_CLASS_FLOOR };
	static const uint8_t actions[BH_ENGLISH_ACTIONS] = { BH_RESPOND_DENY, BH_RESPOND_TASK, BH_RESPOND_FREEZE,
							     BH_RESPOND_KILL };

	for (uint8_t action = 0; action < BH_ENGLISH_ACTIONS; action++) {
		bool any = false;

		bh_english_say_begin(&print->say, sentence);
		bh_english_say_choice(&print->say, 0, action);
		for (size_t i = 0; i < BH_COUNT_OF(order); i++) {
			if (respond[order[i]] != actions[action])
				continue;
			any = true;
			bh_english_say_item(&print->say, 0, bh_english_class_word(order[i]));
		}
		if (any)
			bh_english_say_end(&print->say);
	}
}

void bh_english_print_sockets(struct bh_english_print *print, enum bh_english_sentence under,
			      const struct bh_unix *sockets)
{
	bh_english_print_paths(print, under, &sockets->connect);
	bh_english_print_paths(print, under + 3, &sockets->listen);
	bh_english_print_words(print, under + 6, &sockets->abstract);
}

/* ---- what the policy is ---- */

static void print_mode(struct bh_english_print *print)
{
	const struct bh_source_policy *policy = print->policy;
	struct bh_english_say *say = &print->say;
	char date[BH_AMOUNT_TEXT];
	bool any = false;

	if (policy->mode == BH_MODE_GRACE)
		bh_english_say_one(say, BH_SENTENCE_GRACE, bh_amount_date(policy->grace_until, date));
	else
		bh_english_say_plain(say,
				     policy->mode == BH_MODE_OBSERVE ? BH_SENTENCE_OBSERVES : BH_SENTENCE_ENFORCED);
	bh_english_say_begin(say, BH_SENTENCE_MODES);
	for (unsigned int class = 1; class < BH_CLASSES; class ++) {
		if (policy->modes[class] != BH_MODE_OBSERVE)
			continue;
		any = true;
		bh_english_say_item(say, 0, bh_english_class_word(class));
	}
	if (any)
		bh_english_say_end(say);
}

static void print_text(struct bh_english_print *print, enum bh_english_sentence sentence, const struct bh_word *word)
{
	if (word->text)
		bh_english_say_one(&print->say, sentence, word->text);
}

static void print_header(struct bh_english_print *print)
{
	const struct bh_source_policy *policy = print->policy;

	bh_english_say_one(&print->say, BH_SENTENCE_POLICY, policy->name.text);
	print_text(print, BH_SENTENCE_DESCRIPTION, &policy->description);
	print_text(print, BH_SENTENCE_OWNER, &policy->owner);
	print_text(print, BH_SENTENCE_TICKET, &policy->ticket);
	bh_english_print_select(print);
	print_mode(print);
	bh_english_print_words(print, BH_SENTENCE_PRESETS, &policy->presets);
	bh_english_print_words(print, BH_SENTENCE_WORKSPACES, &policy->workspaces);
	print_text(print, BH_SENTENCE_ENTRY, &policy->entry);
	bh_english_print_words(print, BH_SENTENCE_ATTACH, &policy->attach);
	bh_english_say_break(&print->say);
}

/* ---- what holds for every tool ---- */

static void print_never(struct bh_english_print *print)
{
	const struct bh_source_policy *policy = print->policy;
	char text[BH_CIDR_TEXT];

	bh_english_print_paths(print, BH_SENTENCE_NEVER_READ_UNDER, &policy->never_read);
	bh_english_print_paths(print, BH_SENTENCE_NEVER_WRITE_UNDER, &policy->never_write);
	bh_english_print_paths(print, BH_SENTENCE_NEVER_RUN_UNDER, &policy->never_run);
	if (policy->never_reach.count == 0)
		return;
	bh_english_say_begin(&print->say, BH_SENTENCE_NEVER_REACH);
	for (size_t i = 0; i < policy->never_reach.count; i++) {
		bh_cidr_text(&policy->never_reach.items[i], text);
		bh_english_say_item(&print->say, 0, text);
	}
	bh_english_say_end(&print->say);
}

static void print_privileges(struct bh_english_print *print)
{
	const struct bh_privileges *privileges = &print->policy->privileges;
	const struct bh_words *capabilities = &privileges->capabilities;

	if (capabilities->count > 0) {
		bh_english_say_begin(&print->say, BH_SENTENCE_CAPABILITIES);
		bh_english_say_choice(&print->say, 0, capabilities->count > 1);
		for (size_t i = 0; i < capabilities->count; i++)
			bh_english_say_item(&print->say, 0, capabilities->items[i].text);
		bh_english_say_end(&print->say);
	}
	for (size_t i = 0; i < privileges->allow.count; i++) {
		const struct bh_pair *pair = &privileges->allow.items[i];

		bh_english_say_begin(&print->say, BH_SENTENCE_PRIVILEGE);
		bh_english_say_item(&print->say, 0, pair->word.text);
		bh_english_say_item(&print->say, 1, pair->value.text ? pair->value.text : "");
		bh_english_say_end(&print->say);
	}
}

static void print_exceptions(struct bh_english_print *print)
{
	const struct bh_source_policy *policy = print->policy;

	for (size_t i = 0; i < policy->lifts_count; i++) {
		bh_english_say_begin(&print->say, BH_SENTENCE_GUARD);
		bh_english_say_item(&print->say, 0, policy->lifts[i].guard.text);
		bh_english_say_item(&print->say, 1, policy->lifts[i].reason.text);
		bh_english_say_end(&print->say);
	}
	for (size_t i = 0; i < policy->acceptances_count; i++) {
		bh_english_say_begin(&print->say, BH_SENTENCE_ACCEPT);
		bh_english_say_item(&print->say, 0, policy->acceptances[i].code.text);
		bh_english_say_item(&print->say, 1, policy->acceptances[i].at.text);
		bh_english_say_item(&print->say, 2, policy->acceptances[i].reason.text);
		bh_english_say_end(&print->say);
	}
}

static void print_globals(struct bh_english_print *print)
{
	const struct bh_source_policy *policy = print->policy;

	bh_english_print_sockets(print, BH_SENTENCE_TOOLS_CONNECT_UNDER, &policy->unix_sockets);
	if (policy->procfs == BH_PROCFS_NONE)
		bh_english_say_plain(&print->say, BH_SENTENCE_TOOLS_PROCFS_NONE);
	print_never(print);
	bh_english_print_destinations(print);
	bh_english_print_dns(print);
	bh_english_print_resources(print);
	bh_english_print_respond(print, BH_SENTENCE_RESPOND, policy->respond);
	print_privileges(print);
	print_exceptions(print);
	bh_english_say_plain(&print->say, BH_SENTENCE_END);
}

static int print_all(const struct bh_source_policy *policy, struct bh_buf *out)
{
	BH_FREE struct bh_english_forms *forms = bh_english_forms_new();
	struct bh_english_print print = { .say = { .out = out, .forms = forms }, .policy = policy };

	if (!forms)
		return -ENOMEM;
	print_header(&print);
	for (size_t i = 0; i < policy->tools_count; i++) {
		bh_english_print_tool(&print, &policy->tools[i]);
		bh_english_say_break(&print.say);
	}
	print_globals(&print);
	bh_english_say_done(&print.say);
	return out->error;
}

/* Each error about the sentences is about something that has none. */
static int report_unsaid(const struct bh_diags *found, struct bh_diags *diags)
{
	bool any = false;

	for (size_t i = 0; i < bh_diags_count(found); i++) {
		const struct bh_diag *diag = bh_diags_get(found, i);

		if (diag->severity != BH_SEVERITY_ERROR)
			continue;
		any = true;
		bh_diag_add(diags, BH_SEVERITY_ERROR, "L050", (struct bh_loc){ 0 }, diag->hint,
			    "no sentence can say this: %s (%s)", diag->text, diag->code);
	}
	return any ? 0 : -ENOMEM;
}

int bh_english_print(const struct bh_source_policy *policy, const struct bh_shipped *shipped, struct bh_buf *out,
		     struct bh_diags *diags)
{
	struct bh_source_policy *copy = NULL;
	struct bh_diags *found;
	int result = print_all(policy, out);

	if (result)
		return result;
	found = bh_diags_new("", (const char *)out->bytes, out->length);
	if (!found)
		return -ENOMEM;
	result = bh_policy_parse((const char *)out->bytes, out->length, shipped, found, &copy);
	if (result == -EINVAL)
		result = report_unsaid(found, diags);
	bh_source_policy_free(copy);
	bh_diags_free(found);
	return result;
}
