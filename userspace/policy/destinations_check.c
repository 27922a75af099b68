/* SPDX-License-Identifier: GPL-2.0-only */
/* Names that are none, and destinations that would open more than they say or nothing at all. */
#include <netinet/in.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/address.h"
#include "policy/check.h"
#include "policy/host.h"

static void check_host(const struct bh_word *host, const struct bh_shipped *shipped, struct bh_diags *diags)
{
	struct bh_host_fault fault = bh_host_form(host->text);

	if (fault.code) {
		BH_CHECK_ERROR(diags, fault.code, host->loc, fault.hint[0] ? fault.hint : NULL, "'%.120s' %s",
			       host->text, fault.text);
		return;
	}
	for (size_t i = 0; i < shipped->blocked_names.count; i++) {
		const char *blocked = shipped->blocked_names.items[i].text;

		if (!bh_host_matches(host->text, blocked))
			continue;
		if (host->text[0] == '*')
			bh_diag_add(diags, BH_SEVERITY_NOTE, "N311", host->loc, NULL,
				    "'%.120s' covers '%s', which stays blocked (a cloud's metadata service)",
				    host->text, blocked);
		else
			BH_CHECK_ERROR(diags, "E311", host->loc, "no policy can lift this; remove it",
				       "'%.120s' is on the always-blocked list (a cloud's metadata service)",
				       host->text);
	}
}

const struct bh_floor_address *bh_check_floor_row(const struct bh_shipped *shipped, const struct bh_cidr *cidr,
						  uint16_t only_port)
{
	struct bh_cidr ipv4;
	const struct bh_cidr *judged = bh_cidr_hidden_ipv4(cidr, &ipv4) ? &ipv4 : cidr;

	for (size_t i = 0; i < shipped->addresses_count; i++) {
		const struct bh_floor_address *floor = &shipped->addresses[i];

		if (only_port && only_port == floor->except_port)
			continue;
		if (bh_cidr_covers(&floor->cidr, judged) || bh_cidr_covers(&floor->cidr, cidr))
			return floor;
	}
	return NULL;
}

/* The one port that it opens; 0: there are more. */
static uint16_t only_port(const struct bh_destination *destination)
{
	const struct bh_port_range *first = destination->ports.items;

	for (size_t i = 0; i < destination->ports.count; i++)
		if (destination->ports.items[i].low != first->low || destination->ports.items[i].high != first->low)
			return 0;
	return destination->ports.count ? first->low : 0;
}

/* A rule that lies wholly on the floor can never take effect: whoever wrote it expects something else. */
static void check_floor(const struct bh_destination *destination, const struct bh_cidr *cidr,
			const struct bh_shipped *shipped, struct bh_diags *diags)
{
	const struct bh_floor_address *floor = bh_check_floor_row(shipped, cidr, only_port(destination));

	if (floor)
		BH_CHECK_ERROR(diags, "E311", cidr->loc, "no policy can lift this; remove it",
			       "this network is on the always-blocked list (%s)", floor->who);
}

#define RESOLVERS "resolvers are listed under spec.egress.dns"

/* Ports behind which the names asked for, or the name that is meant, can no longer be seen. */
static const struct {
	uint16_t port;
	uint8_t protocol; /* 0: any */
	const char *text, *hint;
} hiding_ports[] = {
	{ 53, 0, "port 53 is DNS", RESOLVERS },
	{ 443, IPPROTO_UDP, "UDP port 443 is QUIC, which hides the name that is meant", "clients take TCP without it" },
	{ 853, 0, "port 853 is DNS over TLS", RESOLVERS },
	{ 5353, 0, "port 5353 is multicast DNS", RESOLVERS },
};

/* E340: any of them beside names would go round the control of names. */
static void check_hiding(const struct bh_destination *destination, struct bh_diags *diags)
{
	for (size_t i = 0; i < destination->ports.count; i++)
		for (size_t k = 0; k < BH_COUNT_OF(hiding_ports); k++) {
			const struct bh_port_range *range = &destination->ports.items[i];

			if (range->low > hiding_ports[k].port || range->high < hiding_ports[k].port ||
			    (hiding_ports[k].protocol && hiding_ports[k].protocol != destination->protocol))
				continue;
			BH_CHECK_ERROR(diags, "E340", range->loc, hiding_ports[k].hint,
				       "%s: together with names it goes round their control", hiding_ports[k].text);
			return;
		}
}

void bh_check_destination(const struct bh_destination *destination, const struct bh_shipped *shipped,
			  struct bh_diags *diags)
{
	for (size_t i = 0; i < destination->hosts.count; i++)
		check_host(&destination->hosts.items[i], shipped, diags);
	for (size_t i = 0; i < destination->cidrs.count; i++)
		check_floor(destination, &destination->cidrs.items[i], shipped, diags);
	for (size_t i = 0; i < destination->resolves_to.count; i++)
		check_floor(destination, &destination->resolves_to.items[i], shipped, diags);
	if (destination->hosts.count)
		check_hiding(destination, diags);
	else if (destination->resolves_to.count)
		BH_CHECK_ERROR(diags, "E321", destination->resolves_to.items[0].loc, "put the networks under 'cidrs'",
			       "'resolves_to' is for the answers to 'names', and there are none");
	if (destination->sni && (!destination->hosts.count || destination->protocol != IPPROTO_TCP))
		BH_CHECK_ERROR(diags, "E322", destination->name.loc, "remove 'sni'",
			       "'sni' looks for one of 'names' in TLS over tcp, which '%s' is not",
			       destination->name.text);
}
