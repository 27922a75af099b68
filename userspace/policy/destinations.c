/* SPDX-License-Identifier: GPL-2.0-only */
#include <netinet/in.h>
#include <string.h>

#include "policy/address.h"
#include "policy/fields.h"

bool bh_cidr_take(struct bh_reader *reader, const struct bh_node *node, struct bh_cidr *ret_cidr)
{
	struct bh_address_fault fault;

	ret_cidr->loc = node->loc;
	fault = bh_cidr_parse(node->text, reader->ours, ret_cidr);
	if (!fault.code)
		return true;
	bh_refuse(reader, fault.code, node, fault.hint[0] ? fault.hint : NULL, "'%.80s' %s", node->text, fault.text);
	return false;
}

static bool item_is_word(struct bh_reader *reader, const struct bh_node *item, const char *what)
{
	if (item->bad)
		return false;
	if (item->kind == BH_NODE_WORD && item->length > 0)
		return true;
	bh_refuse(reader, "E106", item, NULL, "each item is %s", what);
	return false;
}

void bh_read_cidrs(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_destination *destination = field;
	size_t count = at->value->count;

	if (count == 0)
		bh_refuse(reader, "E108", at->value, NULL, "'%s.cidrs' is empty", at->label);
	if (reader->networks + count > BH_NETWORKS_LIMIT) {
		bh_refuse(reader, "E113", at->key, NULL, "more than %u networks in one policy", BH_NETWORKS_LIMIT);
		return;
	}
	reader->networks += (unsigned int)count;
	destination->cidrs.items = bh_reader_array(reader, count, sizeof(*destination->cidrs.items));
	if (!destination->cidrs.items)
		return;
	for (const struct bh_node *item = at->value->first; item; item = item->next)
		if (item_is_word(reader, item, "a network like 10.1.0.0/16") &&
		    bh_cidr_take(reader, item, &destination->cidrs.items[destination->cidrs.count]))
			destination->cidrs.count++;
}

static bool port_take(struct bh_reader *reader, const struct bh_node *item, struct bh_port_range *range)
{
	range->loc = item->loc;
	if (bh_port_range_parse(item->text, range))
		return true;
	bh_refuse(reader, "E314", item, "write 443 or 8000-8010, within 1..65535", "'%.32s' is not a port", item->text);
	return false;
}

void bh_read_ports(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_destination *destination = field;
	size_t count = at->value->count;

	if (count == 0)
		bh_refuse(reader, "E313", at->value, "list the ports, for example [443]", "'%s.ports' is empty",
			  at->label);
	if (count > BH_PORT_RANGES_LIMIT) {
		bh_refuse(reader, "E113", at->key, "join neighbours into ranges, or split the destination",
			  "%zu ports; at most %u ports or ranges are possible in one destination", count,
			  BH_PORT_RANGES_LIMIT);
		return;
	}
	destination->ports.items = bh_reader_array(reader, count, sizeof(*destination->ports.items));
	if (!destination->ports.items)
		return;
	for (const struct bh_node *item = at->value->first; item; item = item->next)
		if (item_is_word(reader, item, "a port or a range of ports") &&
		    port_take(reader, item, &destination->ports.items[destination->ports.count]))
			destination->ports.count++;
}

/* Are all its ports the one that the floor leaves open? */
static bool only_exception(const struct bh_destination *destination, uint16_t except_port)
{
	for (size_t i = 0; i < destination->ports.count; i++)
		if (destination->ports.items[i].low != except_port || destination->ports.items[i].high != except_port)
			return false;
	return except_port != 0;
}

/* A rule that lies wholly on the floor can never take effect: whoever wrote it expects something else. */
static void check_floor(struct bh_reader *reader, const struct bh_destination *destination, const struct bh_cidr *cidr)
{
	struct bh_cidr ipv4;
	const struct bh_cidr *judged = bh_cidr_hidden_ipv4(cidr, &ipv4) ? &ipv4 : cidr;

	for (size_t i = 0; i < reader->shipped->addresses_count; i++) {
		const struct bh_floor_address *floor = &reader->shipped->addresses[i];

		if (!bh_cidr_covers(&floor->cidr, judged) && !bh_cidr_covers(&floor->cidr, cidr))
			continue;
		if (only_exception(destination, floor->except_port))
			continue;
		bh_diag_add(reader->diags, BH_SEVERITY_ERROR, "E311", cidr->loc, "no policy can lift this; remove it",
			    "this network is on the always-blocked list (%s)", floor->who);
		return;
	}
}

static const struct bh_node *find_key(const struct bh_node *map, const char *name)
{
	for (const struct bh_node *key = map->first; key; key = key->next->next)
		if (!key->bad && strcmp(key->text, name) == 0)
			return key;
	return NULL;
}

static bool earlier(const struct bh_loc *a, const struct bh_loc *b)
{
	return a->line != b->line ? a->line < b->line : a->column < b->column;
}

static void check_keys(struct bh_reader *reader, const struct bh_at *at, const char *label)
{
	const struct bh_node *cidrs = find_key(at->value, "cidrs"), *names = find_key(at->value, "names");

	if (cidrs && names)
		bh_refuse(reader, "E320", earlier(&cidrs->loc, &names->loc) ? names : cidrs,
			  "make two destinations of them", "'%s' lists both networks and names", label);
	if (!cidrs && !names)
		bh_refuse(reader, "E107", at->key, NULL, "missing required key 'cidrs' in %s", label);
	if (!find_key(at->value, "ports"))
		bh_refuse(reader, "E313", at->key, "add the ports, for example ports: [443]",
			  "missing required key 'ports' in %s", label);
}

static void read_destination(struct bh_reader *reader, const struct bh_at *at, struct bh_destination *destination)
{
	char label[BH_LABEL_MAX];

	if (!bh_is_name(at->key->text))
		bh_refuse(reader, "E109", at->key,
			  "a lower-case letter, then up to 62 lower-case letters, digits or '-'",
			  "'%.80s' is not a name", at->key->text);
	if (!bh_word_take(reader, at->key, &destination->name) || !bh_kind_check(reader, at, BH_NODE_MAP))
		return;
	destination->protocol = IPPROTO_TCP;
	bh_label_join(label, sizeof(label), at->label, at->key->text);
	check_keys(reader, at, label);
	bh_fields_read(reader, "destination", label, at->key, at->value, destination);
	for (size_t i = 0; i < destination->cidrs.count; i++)
		check_floor(reader, destination, &destination->cidrs.items[i]);
}

void bh_read_destinations(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_source_policy *policy = field;
	size_t count = at->value->count;

	if (count > BH_DESTINATIONS_LIMIT) {
		bh_refuse(reader, "E113", at->key, NULL, "%zu destinations; at most %u are possible", count,
			  BH_DESTINATIONS_LIMIT);
		return;
	}
	policy->destinations = bh_reader_array(reader, count, sizeof(*policy->destinations));
	if (!policy->destinations)
		return;
	for (const struct bh_node *key = at->value->first; key; key = key->next->next) {
		struct bh_at one = { .label = "spec.egress.destinations", .key = key, .value = key->next };

		if (!key->bad)
			read_destination(reader, &one, &policy->destinations[policy->destinations_count++]);
	}
}
