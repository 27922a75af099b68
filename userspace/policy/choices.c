/* SPDX-License-Identifier: GPL-2.0-only */
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/fields.h"
#include "policy/suggest.h"

struct choice {
	const char *word;
	uint8_t value;
	const char *never; /* why it cannot be this one, though it is a word of the language; NULL: it can */
};

static void hint_choices(char *hint, size_t size, const struct choice *choices, size_t count)
{
	size_t used = (size_t)snprintf(hint, size, "write");

	for (size_t i = 0; i < count; i++)
		if (!choices[i].never && used < size)
			used += (size_t)snprintf(hint + used, size - used, "%s '%s'", used > 5 ? " or" : "",
						 choices[i].word);
}

static void read_choice(struct bh_reader *reader, const struct bh_at *at, uint8_t *field, const struct choice *choices,
			size_t count)
{
	struct bh_suggestion suggestion = { 0 };
	char hint[128], label[BH_LABEL_MAX];

	hint_choices(hint, sizeof(hint), choices, count);
	bh_label_join(label, sizeof(label), at->label, at->key->text);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(choices[i].word, at->value->text) != 0) {
			bh_suggest_offer(&suggestion, at->value->text, choices[i].word);
			continue;
		}
		if (choices[i].never)
			bh_refuse(reader, "E108", at->value, hint, "'%s' cannot be '%s': %s", label, at->value->text,
				  choices[i].never);
		else if (field)
			*field = choices[i].value;
		return;
	}
	bh_suggest_hint(&suggestion, hint, sizeof(hint));
	bh_refuse(reader, "E108", at->value, hint, "'%s' cannot be '%.64s'", label, at->value->text);
}

void bh_read_api_version(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	static const struct choice choices[] = { { "bulkhead.dev/v1", 1 } };

	read_choice(reader, at, NULL, choices, BH_COUNT_OF(choices));
}

void bh_read_kind(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	static const struct choice choices[] = { { "SandboxPolicy", 1 } };

	read_choice(reader, at, NULL, choices, BH_COUNT_OF(choices));
}

void bh_read_mode(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	static const struct choice choices[] = {
		{ "observe", BH_MODE_OBSERVE },
		{ "enforce", BH_MODE_ENFORCE },
		{ "grace", BH_MODE_GRACE },
	};

	read_choice(reader, at, field, choices, BH_COUNT_OF(choices));
}

void bh_read_action(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	static const struct choice choices[] = {
		{ "deny", BH_RESPOND_DENY },
		{ "kill", BH_RESPOND_KILL },
		{ "freeze", BH_RESPOND_FREEZE },
		{ "task", 0, "what is refused in time needs no process to end" },
	};

	read_choice(reader, at, field, choices, BH_COUNT_OF(choices));
}

void bh_read_args_action(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	static const struct choice choices[] = {
		{ "task", BH_RESPOND_TASK },
		{ "kill", BH_RESPOND_KILL },
		{ "freeze", BH_RESPOND_FREEZE },
		{ "deny", 0, "arguments are known too late to refuse the program, the process must end" },
	};

	read_choice(reader, at, field, choices, BH_COUNT_OF(choices));
}

void bh_read_procfs(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	static const struct choice choices[] = { { "own", BH_PROCFS_OWN }, { "none", BH_PROCFS_NONE } };

	read_choice(reader, at, field, choices, BH_COUNT_OF(choices));
}

void bh_read_dns_names(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	static const struct choice choices[] = {
		{ "none", BH_DNS_NONE },
		{ "listed", BH_DNS_LISTED },
		{ "any", BH_DNS_ANY },
	};

	read_choice(reader, at, field, choices, BH_COUNT_OF(choices));
}

void bh_read_answer(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	static const struct choice choices[] = {
		{ "alert", BH_RESPOND_ALERT },
		{ "freeze", BH_RESPOND_FREEZE },
		{ "kill", BH_RESPOND_KILL },
		{ "deny", 0, "when a threshold is reached there is nothing left to deny" },
	};

	read_choice(reader, at, field, choices, BH_COUNT_OF(choices));
}

/* Of a class that may be relaxed while a policy is rolled out. */
void bh_read_class_mode(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	static const struct choice choices[] = { { "observe", BH_MODE_OBSERVE } };

	read_choice(reader, at, field, choices, BH_COUNT_OF(choices));
}

/* Of the others: who could start, reach or become what the policy does not list could do anything. */
void bh_read_no_mode(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	bh_refuse(reader, "E182", at->key, "only 'files' may be observed alone; 'spec.mode: observe' observes all",
		  "'%s' rules are never relaxed alone", at->key->text);
}

void bh_read_operands(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	static const struct choice choices[] = {
		{ "none", BH_OPERANDS_NONE },
		{ "words", BH_OPERANDS_WORDS },
		{ "any", BH_OPERANDS_ANY },
	};

	read_choice(reader, at, field, choices, BH_COUNT_OF(choices));
}

/* YAML's other spellings are no words of ours: what looks like "no" to one reader is text to the next. */
void bh_read_flag(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	static const struct choice choices[] = { { "true", 1 }, { "false", 2 } };
	uint8_t choice = 2;

	read_choice(reader, at, &choice, choices, BH_COUNT_OF(choices));
	*(bool *)field = choice == 1;
}

void bh_read_protocol(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	static const struct choice choices[] = {
		{ "tcp", IPPROTO_TCP },
		{ "udp", IPPROTO_UDP },
		{ "icmp-echo", IPPROTO_ICMP },
	};

	read_choice(reader, at, field, choices, BH_COUNT_OF(choices));
}

void bh_read_listen_protocol(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	static const struct choice choices[] = { { "tcp", IPPROTO_TCP }, { "udp", IPPROTO_UDP } };

	read_choice(reader, at, field, choices, BH_COUNT_OF(choices));
}

void bh_read_status(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	static const struct choice choices[] = { { "verified", 1 }, { "unverified", 2 } };

	read_choice(reader, at, NULL, choices, BH_COUNT_OF(choices));
}
