/* SPDX-License-Identifier: GPL-2.0-only */
/* What a tool serves: ports, and sockets under names that are no files. */
#include <netinet/in.h>
#include <string.h>

#include "policy/address.h"
#include "policy/fields.h"

void bh_read_listen_port(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_port_range *range = field;
	struct bh_port_range port;

	if (bh_port_range_parse(at->value->text, &port) && port.low == port.high) {
		range->low = port.low;
		range->high = port.high;
		return;
	}
	bh_refuse(reader, "E314", at->value, "one port of 1..65535; write an item for each", "'%.32s' is not a port",
		  at->value->text);
}

static bool is_listed(const struct bh_port_ranges *ranges, const struct bh_port_range *range)
{
	for (size_t i = 0; i < ranges->count; i++)
		if (ranges->items[i].low == range->low && ranges->items[i].protocol == range->protocol)
			return true;
	return false;
}

void bh_read_listen(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_port_ranges *ranges = field;
	char label[BH_LABEL_MAX];

	bh_label_join(label, sizeof(label), at->label, at->key->text);
	if (!bh_few_enough(reader, at, BH_LISTEN_LIMIT))
		return;
	ranges->items = bh_reader_array(reader, at->value->count, sizeof(*ranges->items));
	if (!ranges->items)
		return;
	for (const struct bh_node *item = at->value->first; item; item = item->next) {
		struct bh_port_range *range = &ranges->items[ranges->count];

		if (!bh_item_is_map(reader, at, item))
			continue;
		range->protocol = IPPROTO_TCP;
		range->loc = item->loc;
		bh_fields_read(reader, "listen", label, item, item, range);
		if (range->low && is_listed(ranges, range))
			bh_refuse(reader, "E112", item, "remove one", "port %u is listed twice", range->low);
		ranges->count++;
	}
}

static bool abstract_check(struct bh_reader *reader, const struct bh_node *item)
{
	if (item->text[0] == '@') {
		bh_refuse(reader, "E207", item,
			  "leave out the '@': tools print it for the NUL byte in front of the name",
			  "'%.120s' begins with '@'", item->text);
		return false;
	}
	if (strchr(item->text, '*')) {
		bh_refuse(reader, "E207", item, "only files have patterns: list the names",
			  "'%.120s' is a pattern; names of abstract sockets are exact", item->text);
		return false;
	}
	if (item->length > BH_ABSTRACT_LIMIT) {
		bh_refuse(reader, "E207", item, NULL, "the name of an abstract socket has more than %u bytes",
			  BH_ABSTRACT_LIMIT);
		return false;
	}
	return true;
}

void bh_read_abstract(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	if (bh_few_enough(reader, at, BH_NAMES_LIMIT))
		bh_words_read(reader, at, field, abstract_check);
}
