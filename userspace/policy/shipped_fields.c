/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdlib.h>
#include <string.h>

#include "policy/address.h"
#include "policy/fields.h"

/* The shared files must be of one version: floor_version says which set a machine enforces. */
void bh_read_version(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	uint32_t *version = field;
	char *end;
	unsigned long number = strtoul(at->value->text, &end, 10);

	if (at->value->text[0] < '1' || at->value->text[0] > '9' || *end != '\0' || number > 999999)
		bh_refuse(reader, "E108", at->value, NULL, "'%.32s' is not a version", at->value->text);
	else if (*version != 0 && *version != number)
		bh_refuse(reader, "E108", at->value, NULL, "version %lu, but another file has %u", number, *version);
	else
		*version = (uint32_t)number;
}

void bh_read_string(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	char **string = field;

	*string = strdup(at->value->text);
	if (!*string)
		reader->out_of_memory = true;
}

static bool any_word(struct bh_reader *reader, const struct bh_node *item)
{
	return true;
}

void bh_read_strings(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	bh_words_read(reader, at, field, any_word);
}

void bh_read_floor_address(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	bh_cidr_take(reader, at->value, field);
}

void bh_read_except_port(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_port_range range;
	uint16_t *port = field;

	if (bh_port_range_parse(at->value->text, &range) && range.low == range.high)
		*port = range.low;
	else
		bh_refuse(reader, "E314", at->value, NULL, "'%.32s' is not a port", at->value->text);
}

void bh_read_floor_addresses(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_shipped *shipped = field;

	shipped->addresses = bh_reader_array(reader, at->value->count, sizeof(*shipped->addresses));
	if (!shipped->addresses)
		return;
	for (const struct bh_node *item = at->value->first; item; item = item->next) {
		if (item->kind == BH_NODE_MAP)
			bh_fields_read(reader, "floor-address", "addresses", NULL, item,
				       &shipped->addresses[shipped->addresses_count++]);
		else
			bh_refuse(reader, "E106", item, NULL, "each address is a mapping");
	}
}

static void read_prohibitions(struct bh_reader *reader, const struct bh_at *at, struct bh_prohibition **ret_items,
			      size_t *ret_count)
{
	struct bh_prohibition *items = bh_reader_array(reader, at->value->count, sizeof(*items));

	*ret_items = items;
	if (!items)
		return;
	for (const struct bh_node *key = at->value->first; key; key = key->next->next) {
		struct bh_at one = { .label = at->key->text, .key = key, .value = key->next };
		struct bh_prohibition *item = &items[*ret_count];

		if (key->bad || !bh_word_take(reader, key, &item->name))
			continue;
		(*ret_count)++;
		if (bh_kind_check(reader, &one, BH_NODE_MAP))
			bh_fields_read(reader, "prohibition", key->text, key, key->next, item);
	}
}

void bh_read_floors(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_shipped *shipped = field;

	read_prohibitions(reader, at, &shipped->floors, &shipped->floors_count);
}

void bh_read_guards(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_shipped *shipped = field;

	read_prohibitions(reader, at, &shipped->guards, &shipped->guards_count);
}
