/* SPDX-License-Identifier: GPL-2.0-only */
/* Networks, hosts and ports to listen on, back into destinations: their names are not part of the canonical form. */
#include "compile/restore_parts.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "compile/names.h"
#include "policy/address.h"

#define PORTS_EACH (BH_NETWORKS_LIMIT * BH_PORT_RANGES_LIMIT) /* of one tool in one network */
#define HOSTS_MAX 65536u /* rules about hosts in one policy; no source has room for more */

int bh_restore_ports(struct restore *r, struct bh_port_range *ret_port)
{
	uint32_t number;
	char text[16];

	if (!LITERAL(r, "["))
		return bh_restore_not_canonical(r);
	if (LITERAL(r, "]")) {
		*ret_port = (struct bh_port_range){ .high = 65535 };
		return 0;
	}
	if (bh_scan_number(&r->scan, &number)) {
		*ret_port = (struct bh_port_range){ .low = (uint16_t)number, .high = (uint16_t)number };
		return number >= 1 && number <= 65535 && LITERAL(r, "]") ? 0 : bh_restore_not_canonical(r);
	}
	return TEXT(r, text) && bh_port_range_parse(text, ret_port) && LITERAL(r, "]") ? 0 :
											 bh_restore_not_canonical(r);
}

/* A destination of its own for the tool. */
static int add_destination(struct restore *r, struct bh_tool *tool, struct bh_destination **ret_destination)
{
	struct bh_source_policy *policy = r->policy;
	char name[24];

	if (GROW(r, policy->destinations, policy->destinations_count))
		return -ENOMEM;
	*ret_destination = &policy->destinations[policy->destinations_count];
	**ret_destination = (struct bh_destination){ 0 };
	snprintf(name, sizeof(name), "n%zu", policy->destinations_count++);
	if (bh_restore_word(r, &(*ret_destination)->name, name))
		return -ENOMEM;
	return bh_restore_append(r, &tool->reach, name);
}

static int add_host(struct restore *r, struct bh_tool *tool, const struct bh_restore_rule *rule,
		    struct bh_destination **ret_destination)
{
	struct bh_scan here = r->scan;
	int result;

	if (++r->hosts > HOSTS_MAX)
		return REFUSE(r, "its policy has more than %u rules about hosts", HOSTS_MAX);
	r->net_tool = NULL;
	result = add_destination(r, tool, ret_destination);
	if (!result)
		result = bh_restore_append(r, &(*ret_destination)->hosts, rule->host);
	if (result)
		return result;
	(*ret_destination)->sni = rule->sni;
	if (!rule->resolves_to.at)
		return 0;
	r->scan = rule->resolves_to;
	result = bh_restore_blocks(r, &(*ret_destination)->resolves_to, false);
	if (!result)
		r->scan = here;
	return result;
}

static bool same_cidr(const struct bh_cidr *a, const struct bh_cidr *b)
{
	return a->family == b->family && a->prefix == b->prefix && memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

/* Ports of one network stand one behind the other. */
static int add_network(struct restore *r, struct bh_tool *tool, const char *text, uint8_t protocol,
		       struct bh_destination **ret_destination)
{
	struct bh_source_policy *policy = r->policy;
	struct bh_cidr cidr = { 0 };
	struct bh_address_fault fault = bh_cidr_parse(text, false, &cidr);
	int result;

	if (fault.code)
		return REFUSE(r, "its policy: '%s' %s", text, fault.text);
	if (r->net_tool == tool) {
		*ret_destination = &policy->destinations[policy->destinations_count - 1];
		if ((*ret_destination)->protocol == protocol && same_cidr((*ret_destination)->cidrs.items, &cidr))
			return 0;
	}
	if (tool->reach.count >= BH_NETWORKS_LIMIT)
		return REFUSE(r, "its policy has more than %u networks", BH_NETWORKS_LIMIT);
	result = add_destination(r, tool, ret_destination);
	r->net_tool = tool;
	return result ? result : bh_restore_block(r, &(*ret_destination)->cidrs, text, false);
}

static int add_port(struct restore *r, struct bh_port_ranges *ports, const struct bh_port_range *port)
{
	if (ports->count >= PORTS_EACH)
		return REFUSE(r, "its policy has more than %u ports for one network", PORTS_EACH);
	if (GROW(r, ports->items, ports->count))
		return -ENOMEM;
	ports->items[ports->count++] = *port;
	return 0;
}

int bh_restore_net(struct restore *r, struct bh_tool *tool, const struct bh_restore_rule *rule)
{
	uint8_t protocol = (uint8_t)bh_name_number(bh_names_protocols, rule->proto);
	struct bh_destination *destination = NULL;
	int result;

	if (!protocol || (protocol != IPPROTO_ICMP && !rule->port.low))
		return REFUSE(r, "its policy: '%s' is no protocol, or has no port", rule->proto);
	result = rule->host[0] ? add_host(r, tool, rule, &destination) :
				 add_network(r, tool, rule->cidr, protocol, &destination);
	if (result || !destination)
		return result ? result : bh_restore_no_memory(r);
	destination->protocol = protocol;
	return protocol == IPPROTO_ICMP ? 0 : add_port(r, &destination->ports, &rule->port);
}

int bh_restore_listen(struct restore *r, struct bh_tool *tool, const struct bh_restore_rule *rule)
{
	struct bh_port_range port = rule->port;

	port.protocol = (uint8_t)bh_name_number(bh_names_protocols, rule->proto);
	if ((port.protocol != IPPROTO_TCP && port.protocol != IPPROTO_UDP) || !port.low)
		return REFUSE(r, "its policy: '%s' is no protocol to listen by, or has no port", rule->proto);
	return add_port(r, &tool->listen, &port);
}
