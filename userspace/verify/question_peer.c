/* SPDX-License-Identifier: GPL-2.0-only */
/* The keys of a scenario that ask about sockets and privileges. */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/address.h"
#include "policy/catalogue.h"
#include "policy/fields.h"
#include "policy/limits.h"
#include "verify/reading.h"

void bh_question_connect(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	struct bh_net_question net;
	struct bh_query *query;

	if (!bh_question_begin(reading, at, draft, BH_ACTION_CONNECT))
		return;
	query = &draft->step->query;
	if (bh_endpoint_parse(at->value->text, &net)) {
		net.protocol = query->net.protocol; /* which may have been given already */
		query->net = net;
	} else if (bh_named_endpoint_parse(at->value->text, query)) {
		reading->reader.out_of_memory = reading->reader.out_of_memory || !query->host;
	} else {
		bh_refuse(&reading->reader, "E403", at->value,
			  "write 192.0.2.1:443, \"[2001:db8::1]:443\" or host.example.com:443",
			  "'%.80s' is not an address or name and a port", at->value->text);
	}
	if (!query->net.protocol)
		query->net.protocol = IPPROTO_TCP;
}

void bh_question_protocol(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	draft->protocol = at->key;
	if (!draft->step)
		return;
	draft->step->query.net.protocol = IPPROTO_TCP;
	if (strcmp(at->value->text, "udp") == 0)
		draft->step->query.net.protocol = IPPROTO_UDP;
	else if (strcmp(at->value->text, "tcp") != 0)
		bh_refuse(&reading->reader, "E108", at->value, "write 'tcp' or 'udp'", "'protocol' cannot be '%.64s'",
			  at->value->text);
}

void bh_question_answers(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	draft->answers = at->key;
	if (!draft->step)
		return;
	if (at->value->count == 0 || at->value->count > BH_ANSWERS_MAX) {
		bh_refuse(&reading->reader, "E113", at->value, NULL, "'answers' has 1 to %u addresses", BH_ANSWERS_MAX);
		return;
	}
	for (const struct bh_node *item = at->value->first; item; item = item->next)
		if (item->bad || item->kind != BH_NODE_WORD ||
		    !bh_peer_address_parse(item->text, &draft->step->query.answers[draft->step->query.answers_count++]))
			bh_refuse(&reading->reader, "E403", item, "write 192.0.2.1 or \"2001:db8::1\"",
				  "'%.80s' is not an address", item->text);
}

void bh_question_dns(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	struct bh_word word = { 0 };

	if (!bh_question_begin(reading, at, draft, BH_ACTION_DNS))
		return;
	if (!bh_is_queried_host(at->value->text, at->value->length)) {
		bh_refuse(&reading->reader, "E302", at->value, NULL, "'%.80s' is not the name of a host",
			  at->value->text);
		return;
	}
	bh_word_take(&reading->reader, at->value, &word);
	draft->step->query.host = word.text;
}

/* A path, or '@' and the name of a socket that has none. */
static char *take_socket(struct bh_reading *reading, const struct bh_node *node)
{
	struct bh_word word = { 0 };

	if (node->text[0] != '@')
		return bh_question_path(reading, node);
	if (node->length < 2 || node->length > BH_ABSTRACT_LIMIT + 1)
		bh_refuse(&reading->reader, "E207", node, NULL, "the name of an abstract socket has 1 to %u bytes",
			  BH_ABSTRACT_LIMIT);
	else
		bh_word_take(&reading->reader, node, &word);
	return word.text;
}

void bh_question_unix(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	if (bh_question_begin(reading, at, draft, BH_ACTION_UNIX))
		draft->step->query.path = take_socket(reading, at->value);
}

void bh_question_listen(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	struct bh_port_range port;
	struct bh_query *query;

	if (!bh_question_begin(reading, at, draft, BH_ACTION_LISTEN))
		return;
	query = &draft->step->query;
	if (at->value->text[0] == '/' || at->value->text[0] == '@') {
		query->path = take_socket(reading, at->value);
	} else if (!bh_port_range_parse(at->value->text, &port) || port.low != port.high) {
		bh_refuse(&reading->reader, "E314", at->value, "write a port such as 8080, or the path of a socket",
			  "'%.80s' is not a port", at->value->text);
	} else {
		query->net.port = port.low;
		if (!query->net.protocol)
			query->net.protocol = IPPROTO_TCP;
	}
}

void bh_question_privilege(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	struct bh_suggestion suggestion = { 0 };
	int number = bh_privilege_number(at->value->text);
	char hint[96];

	if (!bh_question_begin(reading, at, draft, BH_ACTION_PRIVILEGE))
		return;
	draft->step->query.number = (uint32_t)(number < 0 ? 0 : number);
	for (const struct bh_privilege_entry *entry = bh_privilege_list; entry->name && number < 0; entry++)
		bh_suggest_offer(&suggestion, at->value->text, entry->name);
	if (number < 0)
		bh_refuse(&reading->reader, "E108", at->value, bh_suggest_hint(&suggestion, hint, sizeof(hint)),
			  "unknown privilege '%.64s'", at->value->text);
}

void bh_question_capability(struct bh_reading *reading, const struct bh_at *at, struct bh_scenario_draft *draft)
{
	struct bh_suggestion suggestion = { 0 };
	int number = bh_capability_number(at->value->text);
	char hint[96];

	if (!bh_question_begin(reading, at, draft, BH_ACTION_CAPABILITY))
		return;
	draft->step->query.number = (uint32_t)(number < 0 ? 0 : number);
	for (const struct bh_capability_entry *entry = bh_capabilities; entry->name && number < 0; entry++)
		bh_suggest_offer(&suggestion, at->value->text, entry->name);
	if (number < 0)
		bh_refuse(&reading->reader, "E108", at->value, bh_suggest_hint(&suggestion, hint, sizeof(hint)),
			  "unknown capability '%.64s'", at->value->text);
}
