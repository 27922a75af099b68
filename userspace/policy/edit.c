/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/edit.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/address.h"
#include "policy/rewrite.h"

enum owner {
	OWNER_POLICY = 0,
	OWNER_TOOL,
	OWNER_CLAUSE,
	OWNER_DESTINATION,
};

enum field {
	FIELD_WORDS = 1,
	FIELD_PAIRS,
	FIELD_CIDRS,
	FIELD_PORTS,
	FIELD_DESTINATIONS,
};

/* Where a list is, in the model and in the text. */
static const struct {
	enum owner owner;
	enum field field;
	size_t offset;
	const char *place; /* below the owner */
} lists[BH_EDIT_LISTS] = {
	[BH_EDIT_BINARIES] = { OWNER_TOOL, FIELD_PAIRS, offsetof(struct bh_tool, binaries), "binaries" },
	[BH_EDIT_MAY_RUN] = { OWNER_TOOL, FIELD_WORDS, offsetof(struct bh_tool, may_run), "may_run" },
	[BH_EDIT_HELPERS] = { OWNER_TOOL, FIELD_WORDS, offsetof(struct bh_tool, helpers), "helpers" },
	[BH_EDIT_READ] = { OWNER_TOOL, FIELD_WORDS, offsetof(struct bh_tool, read), "files.read" },
	[BH_EDIT_WRITE] = { OWNER_TOOL, FIELD_WORDS, offsetof(struct bh_tool, write), "files.write" },
	[BH_EDIT_REACH] = { OWNER_TOOL, FIELD_WORDS, offsetof(struct bh_tool, reach), "reach" },
	[BH_EDIT_FIRST] = { OWNER_CLAUSE, FIELD_WORDS, offsetof(struct bh_args_clause, first), "first" },
	[BH_EDIT_OPTIONS] = { OWNER_CLAUSE, FIELD_WORDS, offsetof(struct bh_args_clause, options), "options" },
	[BH_EDIT_HOSTS] = { OWNER_DESTINATION, FIELD_WORDS, offsetof(struct bh_destination, hosts), "names" },
	[BH_EDIT_CIDRS] = { OWNER_DESTINATION, FIELD_CIDRS, offsetof(struct bh_destination, cidrs), "cidrs" },
	[BH_EDIT_PORTS] = { OWNER_DESTINATION, FIELD_PORTS, offsetof(struct bh_destination, ports), "ports" },
	[BH_EDIT_NEVER_READ] = { OWNER_POLICY, FIELD_WORDS, offsetof(struct bh_source_policy, never_read),
				 "never.read" },
	[BH_EDIT_NEVER_WRITE] = { OWNER_POLICY, FIELD_WORDS, offsetof(struct bh_source_policy, never_write),
				  "never.write" },
	[BH_EDIT_NEVER_RUN] = { OWNER_POLICY, FIELD_WORDS, offsetof(struct bh_source_policy, never_run), "never.run" },
	[BH_EDIT_NEVER_REACH] = { OWNER_POLICY, FIELD_CIDRS, offsetof(struct bh_source_policy, never_reach),
				  "never.reach" },
	[BH_EDIT_DESTINATIONS] = { OWNER_POLICY, FIELD_DESTINATIONS, 0, "egress.destinations" },
};

static struct bh_tool *find_tool(struct bh_source_policy *policy, const char *name)
{
	for (size_t i = 0; i < policy->tools_count; i++)
		if (strcmp(policy->tools[i].name.text, name) == 0)
			return &policy->tools[i];
	return NULL;
}

static struct bh_destination *find_destination(struct bh_source_policy *policy, const char *name)
{
	for (size_t i = 0; i < policy->destinations_count; i++)
		if (strcmp(policy->destinations[i].name.text, name) == 0)
			return &policy->destinations[i];
	return NULL;
}

/* The list that is to be changed; NULL when its owner is not there. */
static void *find_field(struct bh_source_policy *policy, const struct bh_edit *edit)
{
	char *owner = (char *)policy;
	struct bh_tool *tool;

	switch (lists[edit->list].owner) {
	case OWNER_TOOL:
		owner = (char *)find_tool(policy, edit->owner);
		break;
	case OWNER_CLAUSE:
		tool = find_tool(policy, edit->owner);
		owner = tool && edit->clause < tool->args_count ? (char *)&tool->args[edit->clause] : NULL;
		break;
	case OWNER_DESTINATION:
		owner = (char *)find_destination(policy, edit->owner);
		break;
	default:
		break;
	}
	return owner ? owner + lists[edit->list].offset : NULL;
}

/* The items as an array of any kind: what growing and shrinking has to know. */
struct array {
	void **items;
	size_t *count, size;
};

/* Makes room for one more, zeroed, at the end. NULL when out of memory. */
static void *grow(const struct array *array)
{
	size_t used = *array->count * array->size;
	char *items = realloc(*array->items, used + array->size);

	if (!items)
		return NULL;
	memset(items + used, 0, array->size);
	*array->items = items;
	return items + used;
}

/* Closes the gap; what the item owned is gone already. */
static void shrink(const struct array *array, size_t index)
{
	char *items = *array->items;

	memmove(items + index * array->size, items + (index + 1) * array->size,
		(*array->count - index - 1) * array->size);
	(*array->count)--;
}

static int edit_words(struct bh_words *words, const struct bh_edit *edit, struct bh_loc loc)
{
	const struct array array = { (void **)&words->items, &words->count, sizeof(*words->items) };
	struct bh_word *word;
	size_t before = words->count;

	for (size_t i = words->count; i-- > 0;) {
		if (strcmp(words->items[i].text, edit->item) != 0)
			continue;
		if (edit->add)
			return -EEXIST;
		free(words->items[i].text);
		shrink(&array, i);
	}
	if (!edit->add)
		return words->count < before ? 0 : -ENOENT;
	word = grow(&array);
	if (!word)
		return -ENOMEM;
	*word = (struct bh_word){ strdup(edit->item), loc };
	words->count += word->text != NULL;
	return word->text ? 0 : -ENOMEM;
}

static int edit_pairs(struct bh_pairs *pairs, const struct bh_edit *edit, struct bh_loc loc)
{
	const struct array array = { (void **)&pairs->items, &pairs->count, sizeof(*pairs->items) };
	struct bh_pair *pair;
	size_t before = pairs->count;

	for (size_t i = pairs->count; i-- > 0;) {
		if (strcmp(pairs->items[i].word.text, edit->item) != 0)
			continue;
		if (edit->add)
			return -EEXIST;
		free(pairs->items[i].word.text);
		free(pairs->items[i].value.text);
		shrink(&array, i);
	}
	if (!edit->add)
		return pairs->count < before ? 0 : -ENOENT;
	pair = grow(&array);
	if (!pair)
		return -ENOMEM;
	pair->word = (struct bh_word){ strdup(edit->item), loc };
	pairs->count += pair->word.text != NULL;
	return pair->word.text ? 0 : -ENOMEM;
}

static bool same_cidr(const struct bh_cidr *a, const struct bh_cidr *b)
{
	return a->family == b->family && a->prefix == b->prefix && memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

static int edit_cidrs(struct bh_cidrs *cidrs, const struct bh_edit *edit, struct bh_loc loc)
{
	const struct array array = { (void **)&cidrs->items, &cidrs->count, sizeof(*cidrs->items) };
	struct bh_cidr wanted = { 0 }, *cidr;
	size_t before = cidrs->count;

	if (bh_cidr_parse(edit->item, true, &wanted).code)
		return -EINVAL;
	for (size_t i = cidrs->count; i-- > 0;) {
		if (!same_cidr(&cidrs->items[i], &wanted))
			continue;
		if (edit->add)
			return -EEXIST;
		shrink(&array, i);
	}
	if (!edit->add)
		return cidrs->count < before ? 0 : -ENOENT;
	cidr = grow(&array);
	if (!cidr)
		return -ENOMEM;
	*cidr = wanted;
	cidr->loc = loc;
	cidrs->count++;
	return 0;
}

static int edit_ports(struct bh_port_ranges *ports, const struct bh_edit *edit, struct bh_loc loc)
{
	const struct array array = { (void **)&ports->items, &ports->count, sizeof(*ports->items) };
	struct bh_port_range wanted = { 0 }, *port;
	size_t before = ports->count;

	if (!bh_port_range_parse(edit->item, &wanted))
		return -EINVAL;
	for (size_t i = ports->count; i-- > 0;) {
		if (ports->items[i].low != wanted.low || ports->items[i].high != wanted.high)
			continue;
		if (edit->add)
			return -EEXIST;
		shrink(&array, i);
	}
	if (!edit->add)
		return ports->count < before ? 0 : -ENOENT;
	port = grow(&array);
	if (!port)
		return -ENOMEM;
	*port = wanted;
	port->loc = loc;
	ports->count++;
	return 0;
}

static void free_destination(struct bh_destination *destination)
{
	free(destination->name.text);
	for (size_t i = 0; i < destination->hosts.count; i++)
		free(destination->hosts.items[i].text);
	free(destination->hosts.items);
	free(destination->cidrs.items);
	free(destination->resolves_to.items);
	free(destination->ports.items);
}

/* A slash makes it a network: no host has one. */
static bool is_network(const char *item)
{
	return strchr(item, '/') != NULL;
}

static int fill_destination(struct bh_destination *destination, const struct bh_edit *edit, struct bh_loc loc)
{
	char text[8];
	struct bh_edit item = { .add = true, .item = edit->item }, port = { .add = true, .item = text };
	int result;

	snprintf(text, sizeof(text), "%u", edit->port);
	destination->protocol = edit->protocol;
	destination->name = (struct bh_word){ strdup(edit->owner), loc };
	if (!destination->name.text)
		return -ENOMEM;
	result = is_network(edit->item) ? edit_cidrs(&destination->cidrs, &item, loc) :
					  edit_words(&destination->hosts, &item, loc);
	return result ? result : edit_ports(&destination->ports, &port, loc);
}

static int edit_destinations(struct bh_source_policy *policy, const struct bh_edit *edit, struct bh_loc loc)
{
	const struct array array = { (void **)&policy->destinations, &policy->destinations_count,
				     sizeof(*policy->destinations) };
	struct bh_destination *destination = find_destination(policy, edit->owner);
	int result;

	if (destination && edit->add)
		return -EEXIST;
	if (!destination && !edit->add)
		return -ENOENT;
	if (!edit->add) {
		free_destination(destination);
		shrink(&array, (size_t)(destination - policy->destinations));
		return 0;
	}
	destination = grow(&array);
	if (!destination)
		return -ENOMEM;
	result = fill_destination(destination, edit, loc);
	if (result)
		free_destination(destination);
	else
		policy->destinations_count++;
	return result;
}

int bh_edit_apply(struct bh_source_policy *policy, const struct bh_edit *edit, uint32_t number)
{
	struct bh_loc loc = { .line = BH_EDITED_LINE + number, .column = 1, .width = 1 };
	void *field = find_field(policy, edit);

	if (!field)
		return -ENOENT;
	switch (lists[edit->list].field) {
	case FIELD_WORDS:
		return edit_words(field, edit, loc);
	case FIELD_PAIRS:
		return edit_pairs(field, edit, loc);
	case FIELD_CIDRS:
		return edit_cidrs(field, edit, loc);
	case FIELD_PORTS:
		return edit_ports(field, edit, loc);
	default:
		return edit_destinations(policy, edit, loc);
	}
}

/* The list's place below spec. */
static void print_place(const struct bh_edit *edit, struct bh_buf *out)
{
	switch (lists[edit->list].owner) {
	case OWNER_TOOL:
		bh_buf_print(out, "tools.%s.", edit->owner);
		break;
	case OWNER_CLAUSE:
		bh_buf_print(out, "tools.%s.args[%zu].", edit->owner, edit->clause);
		break;
	case OWNER_DESTINATION:
		bh_buf_print(out, "egress.destinations.%s.", edit->owner);
		break;
	default:
		break;
	}
	bh_buf_print(out, "%s", lists[edit->list].place);
}

/* {names: [host], ports: [443]} */
static void print_destination(const struct bh_edit *edit, struct bh_buf *out)
{
	bh_buf_print(out, "{%s: [", is_network(edit->item) ? "cidrs" : "names");
	bh_rewrite_word(out, edit->item);
	bh_buf_print(out, "], ports: [%u]", edit->port);
	if (edit->protocol != IPPROTO_TCP)
		bh_buf_print(out, ", protocol: udp");
	bh_buf_print(out, "}");
}

void bh_edit_describe(const struct bh_edit *edit, unsigned int column, struct bh_buf *out)
{
	size_t begin = out->length, width;
	bool whole = edit->list == BH_EDIT_DESTINATIONS;

	print_place(edit, out);
	width = out->length - begin;
	bh_buf_print(out, "%*s %s ", (int)(width + 1 < column ? column - width - 1 : 0), "", edit->add ? "+=" : "-=");
	if (whole)
		bh_buf_print(out, edit->add ? "%s: " : "%s", edit->owner);
	if (whole && edit->add)
		print_destination(edit, out);
	else if (!whole)
		bh_rewrite_word(out, edit->item);
}

/* Is it the word of this edit, or a mapping with that path? */
static bool is_item(const struct bh_node *node, const void *wanted)
{
	const struct bh_edit *edit = wanted;
	struct bh_cidr cidr = { 0 }, other = { 0 };
	struct bh_port_range port, range;

	if (node->kind == BH_NODE_MAP) {
		for (const struct bh_node *key = node->first; key; key = key->next->next)
			if (strcmp(key->text, "path") == 0)
				return key->next->kind == BH_NODE_WORD && strcmp(key->next->text, edit->item) == 0;
		return false;
	}
	if (node->kind != BH_NODE_WORD)
		return false;
	switch (lists[edit->list].field) {
	case FIELD_CIDRS: /* which may be spelled in several ways */
		return !bh_cidr_parse(node->text, true, &cidr).code && !bh_cidr_parse(edit->item, true, &other).code &&
		       same_cidr(&cidr, &other);
	case FIELD_PORTS:
		return bh_port_range_parse(node->text, &port) && bh_port_range_parse(edit->item, &range) &&
		       port.low == range.low && port.high == range.high;
	default:
		return strcmp(node->text, edit->item) == 0;
	}
}

int bh_edit_text(const char *text, size_t length, const struct bh_edit *edit, struct bh_buf *ret_text,
		 struct bh_err *err)
{
	bool whole = edit->list == BH_EDIT_DESTINATIONS;
	BH_CLEANUP(bh_buf_done) struct bh_buf place = { 0 };
	BH_CLEANUP(bh_buf_done) struct bh_buf yaml = { 0 };
	struct bh_rewrite change = { .key = edit->owner, .is_wanted = is_item, .wanted = edit };

	bh_buf_print(&place, "spec.");
	print_place(edit, &place);
	if (whole)
		print_destination(edit, &yaml);
	else
		bh_rewrite_word(&yaml, edit->item);
	if (place.error || yaml.error)
		return bh_err_set(err, ENOMEM, "out of memory");
	if (whole)
		change.kind = edit->add ? BH_REWRITE_ADD_KEY : BH_REWRITE_REMOVE_KEY;
	else
		change.kind = edit->add ? BH_REWRITE_ADD_ITEM : BH_REWRITE_REMOVE_ITEM;
	change.place = (const char *)place.bytes;
	change.yaml = (const char *)yaml.bytes;
	return bh_rewrite(text, length, &change, ret_text, err);
}
