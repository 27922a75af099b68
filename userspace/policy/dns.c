/* SPDX-License-Identifier: GPL-2.0-only */
/* Which names are resolved, by whom, and networks that nobody reaches. */
#include <string.h>

#include "policy/address.h"
#include "policy/fields.h"
#include "policy/host.h"

void bh_read_dns(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_dns *dns = field;

	dns->loc = at->key->loc;
	bh_fields_read(reader, "dns", "spec.egress.dns", at->key, at->value, dns);
}

/* hint: for whoever wrote a name. */
static void refuse_network(struct bh_reader *reader, const struct bh_node *item, struct bh_address_fault fault,
			   const char *hint)
{
	if (bh_host_form(item->text).code)
		hint = fault.hint[0] ? fault.hint : NULL;
	bh_refuse(reader, fault.code, item, hint, "'%.80s' %s", item->text, fault.text);
}

void bh_read_resolvers(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_cidrs *resolvers = field;

	bh_few_enough(reader, at, BH_RESOLVERS_LIMIT);
	resolvers->items = bh_reader_array(reader, at->value->count, sizeof(*resolvers->items));
	if (!resolvers->items)
		return;
	for (const struct bh_node *item = at->value->first; item; item = item->next) {
		struct bh_cidr *cidr = &resolvers->items[resolvers->count];
		struct bh_address_fault fault;

		if (!bh_item_is_word(reader, at, item))
			continue;
		cidr->loc = item->loc;
		fault = bh_address_parse(item->text, cidr);
		if (fault.code)
			refuse_network(reader, item, fault, "resolvers are listed by address");
		else
			resolvers->count++;
	}
}

/* Forbidding much is no danger, so breadth does not matter here. */
void bh_read_unreachable(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_cidrs *cidrs = field;

	if (!bh_networks_take(reader, at))
		return;
	cidrs->items = bh_reader_array(reader, at->value->count, sizeof(*cidrs->items));
	if (!cidrs->items)
		return;
	for (const struct bh_node *item = at->value->first; item; item = item->next) {
		struct bh_cidr *cidr = &cidrs->items[cidrs->count];
		struct bh_address_fault fault;

		if (!bh_item_is_word(reader, at, item))
			continue;
		cidr->loc = item->loc;
		fault = bh_cidr_parse(item->text, false, cidr);
		if (fault.code && strcmp(fault.code, "E312") == 0)
			fault = bh_cidr_parse(item->text, true, cidr);
		if (fault.code)
			refuse_network(reader, item, fault,
				       "names are only ever allowed, not forbidden: list networks");
		else
			cidrs->count++;
	}
}
