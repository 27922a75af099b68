/* SPDX-License-Identifier: GPL-2.0-only */
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "policy/address.h"
#include "policy/english_print.h"

static const struct bh_destination *find(const struct bh_source_policy *policy, const char *name)
{
	for (size_t i = 0; i < policy->destinations_count; i++)
		if (strcmp(policy->destinations[i].name.text, name) == 0)
			return &policy->destinations[i];
	return NULL;
}

static size_t uses_of(const struct bh_source_policy *policy, const char *name)
{
	size_t uses = 0;

	for (size_t i = 0; i < policy->tools_count; i++)
		for (size_t k = 0; k < policy->tools[i].reach.count; k++)
			uses += strcmp(policy->tools[i].reach.items[k].text, name) == 0;
	return uses;
}

/* Does an accepted warning point into it by name? */
static bool is_pointed_at(const struct bh_source_policy *policy, const char *name)
{
	static const char way[] = "egress.destinations.";

	for (size_t i = 0; i < policy->acceptances_count; i++) {
		const char *at = policy->acceptances[i].at.text;
		size_t length = strlen(name);

		if (strncmp(at, way, strlen(way)) == 0 && strncmp(at + strlen(way), name, length) == 0 &&
		    strchr(".[", at[strlen(way) + length]))
			return true;
	}
	return false;
}

/* What one tool reaches is said where it reaches it; everything else needs its name. */
static bool is_inline(const struct bh_source_policy *policy, const struct bh_destination *destination)
{
	return uses_of(policy, destination->name.text) == 1 && !is_pointed_at(policy, destination->name.text);
}

static void add_cidrs(struct bh_english_print *print, size_t slot, const struct bh_cidrs *cidrs)
{
	char text[BH_CIDR_TEXT];

	for (size_t i = 0; i < cidrs->count; i++) {
		bh_cidr_text(&cidrs->items[i], text);
		bh_english_say_item(&print->say, slot, text);
	}
}

static void add_peers(struct bh_english_print *print, size_t slot, const struct bh_destination *destination)
{
	for (size_t i = 0; i < destination->hosts.count; i++) {
		const char *host = destination->hosts.items[i].text;

		if (strncmp(host, "*.", 2) == 0)
			bh_english_say_format(&print->say, slot, "any subdomain of %s", host + 2);
		else
			bh_english_say_item(&print->say, slot, host);
	}
	add_cidrs(print, slot, &destination->cidrs);
}

static void add_ports(struct bh_english_print *print, size_t slot, const struct bh_port_ranges *ports)
{
	for (size_t i = 0; i < ports->count; i++) {
		if (ports->items[i].low == ports->items[i].high)
			bh_english_say_format(&print->say, slot, "%u", ports->items[i].low);
		else
			bh_english_say_format(&print->say, slot, "%u-%u", ports->items[i].low, ports->items[i].high);
	}
}

/* The sentence is begun, peers go into `slot`. */
static void end_destination(struct bh_english_print *print, size_t slot, const struct bh_destination *destination)
{
	add_peers(print, slot++, destination);
	if (destination->protocol != IPPROTO_ICMP) {
		add_ports(print, slot++, &destination->ports);
		bh_english_say_choice(&print->say, 0, destination->protocol == IPPROTO_UDP);
		bh_english_say_choice(&print->say, 1, destination->sni);
	}
	add_cidrs(print, slot, &destination->resolves_to);
	bh_english_say_end(&print->say);
}

void bh_english_print_reach(struct bh_english_print *print, const struct bh_tool *tool)
{
	for (size_t i = 0; i < tool->reach.count;) {
		const struct bh_destination *destination = find(print->policy, tool->reach.items[i].text);

		if (destination && is_inline(print->policy, destination)) {
			bh_english_say_begin(&print->say, destination->protocol == IPPROTO_ICMP ? BH_SENTENCE_PING :
												  BH_SENTENCE_REACH);
			end_destination(print, 0, destination);
			i++;
			continue;
		}
		bh_english_say_begin(&print->say, BH_SENTENCE_REACH_NAMED);
		do {
			bh_english_say_item(&print->say, 0, tool->reach.items[i++].text);
			destination = i < tool->reach.count ? find(print->policy, tool->reach.items[i].text) : NULL;
		} while (destination && !is_inline(print->policy, destination));
		bh_english_say_end(&print->say);
	}
}

void bh_english_print_destinations(struct bh_english_print *print)
{
	for (size_t i = 0; i < print->policy->destinations_count; i++) {
		const struct bh_destination *destination = &print->policy->destinations[i];

		if (is_inline(print->policy, destination))
			continue;
		bh_english_say_begin(&print->say, destination->protocol == IPPROTO_ICMP ? BH_SENTENCE_DESTINATION_PING :
											  BH_SENTENCE_DESTINATION);
		bh_english_say_item(&print->say, 0, destination->name.text);
		end_destination(print, 1, destination);
	}
}

void bh_english_print_dns(struct bh_english_print *print)
{
	const struct bh_dns *dns = &print->policy->dns;
	char text[BH_CIDR_TEXT];

	if (dns->names != BH_DNS_LISTED && dns->names != BH_DNS_ANY) {
		bh_english_say_plain(&print->say, BH_SENTENCE_DNS_NONE);
		return;
	}
	bh_english_say_begin(&print->say, dns->names == BH_DNS_ANY ? BH_SENTENCE_DNS_ANY : BH_SENTENCE_DNS_LISTED);
	for (size_t i = 0; i < dns->resolvers.count; i++) {
		bh_cidr_text(&dns->resolvers.items[i], text);
		text[strcspn(text, "/")] = '\0';
		bh_english_say_item(&print->say, 0, text);
	}
	if (dns->names == BH_DNS_ANY)
		bh_english_say_item(&print->say, 1, dns->reason.text ? dns->reason.text : "");
	bh_english_say_end(&print->say);
}
