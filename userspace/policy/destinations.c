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

/* What the items of a list are, for whoever wrote something else. */
static bool item_says(struct bh_reader *reader, const struct bh_node *item, const char *what)
{
	if (item->bad)
		return false;
	if (item->kind == BH_NODE_WORD && item->length > 0)
		return true;
	bh_refuse(reader, "E106", item, NULL, "each item is %s", what);
	return false;
}

static void refuse_empty(struct bh_reader *reader, const struct bh_at *at, const char *code, const char *hint)
{
	char label[BH_LABEL_MAX];

	if (at->value->count == 0)
		bh_refuse(reader, code, at->value, hint, "'%s' is empty",
			  bh_label_join(label, sizeof(label), at->label, at->key->text));
}

static bool any_word(struct bh_reader *reader, const struct bh_node *item)
{
	return true;
}

/* What they are is for destinations_check.c to say. */
void bh_read_hosts(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	size_t count = at->value->count;

	refuse_empty(reader, at, "E108", NULL);
	if (reader->hosts + count > BH_HOSTS_LIMIT) {
		bh_refuse(reader, "E113", at->key, NULL, "more than %u names of hosts in one policy", BH_HOSTS_LIMIT);
		return;
	}
	reader->hosts += (unsigned int)count;
	bh_words_read(reader, at, field, any_word);
}

bool bh_networks_take(struct bh_reader *reader, const struct bh_at *at)
{
	size_t count = at->value->count;

	if (reader->networks + count > BH_NETWORKS_LIMIT) {
		bh_refuse(reader, "E113", at->key, NULL, "more than %u networks in one policy", BH_NETWORKS_LIMIT);
		return false;
	}
	reader->networks += (unsigned int)count;
	return true;
}

void bh_read_cidrs(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_cidrs *cidrs = field;

	refuse_empty(reader, at, "E108", NULL);
	if (!bh_networks_take(reader, at))
		return;
	cidrs->items = bh_reader_array(reader, at->value->count, sizeof(*cidrs->items));
	if (!cidrs->items)
		return;
	for (const struct bh_node *item = at->value->first; item; item = item->next)
		if (item_says(reader, item, "a network like 10.1.0.0/16") &&
		    bh_cidr_take(reader, item, &cidrs->items[cidrs->count]))
			cidrs->count++;
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

	refuse_empty(reader, at, "E313", "list the ports, for example [443]");
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
		if (item_says(reader, item, "a port or a range of ports") &&
		    port_take(reader, item, &destination->ports.items[destination->ports.count]))
			destination->ports.count++;
}

static bool earlier(const struct bh_loc *a, const struct bh_loc *b)
{
	return a->line != b->line ? a->line < b->line : a->column < b->column;
}

/* Which keys a destination has: only the source can tell an absent one from an empty one. */
static void check_keys(struct bh_reader *reader, const struct bh_at *at, const char *label)
{
	const struct bh_node *cidrs = bh_key_find(at->value, "cidrs"), *names = bh_key_find(at->value, "names");
	const struct bh_node *ports = bh_key_find(at->value, "ports"), *protocol = bh_key_find(at->value, "protocol");
	bool echo = protocol && strcmp(protocol->next->text, "icmp-echo") == 0;

	if (cidrs && names)
		bh_refuse(reader, "E320", earlier(&cidrs->loc, &names->loc) ? names : cidrs,
			  "make two destinations of them", "'%s' lists both networks and names", label);
	if (!cidrs && !names)
		bh_refuse(reader, "E107", at->key, NULL, "missing required key 'names' or 'cidrs' in %s", label);
	if (!ports && !echo)
		bh_refuse(reader, "E313", at->key, "add the ports, for example ports: [443]",
			  "missing required key 'ports' in %s", label);
	if (ports && echo)
		bh_refuse(reader, "E313", ports, "remove 'ports'", "'icmp-echo' has no ports");
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
