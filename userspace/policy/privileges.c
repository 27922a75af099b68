/* SPDX-License-Identifier: GPL-2.0-only */
/* Privileged operations and capabilities: nothing is allowed without a reason, and some never. */
#include <stdlib.h>
#include <string.h>

#include "policy/catalogue.h"
#include "policy/fields.h"
#include "policy/suggest.h"

/* "net_admin", without the beginning that every one has, is near none of them. */
static const struct bh_capability_entry *without_prefix(const char *text)
{
	for (const struct bh_capability_entry *entry = bh_capabilities; entry->name; entry++)
		if (strcasecmp(entry->name + strlen("CAP_"), text) == 0 || strcasecmp(entry->name, text) == 0)
			return entry;
	return NULL;
}

static bool capability_check(struct bh_reader *reader, const struct bh_node *item)
{
	const struct bh_capability_entry *meant = without_prefix(item->text);
	struct bh_suggestion suggestion = { 0 };
	char hint[96];

	for (const struct bh_capability_entry *entry = bh_capabilities; entry->name; entry++) {
		if (strcmp(entry->name, item->text) == 0)
			return true;
		bh_suggest_offer(&suggestion, item->text, entry->name);
	}
	if (meant)
		suggestion.best = meant->name;
	bh_refuse(reader, "E127", item, bh_suggest_hint(&suggestion, hint, sizeof(hint)), "unknown capability '%.80s'",
		  item->text);
	return false;
}

void bh_read_capabilities(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	if (bh_few_enough(reader, at, BH_NAMES_LIMIT))
		bh_words_read(reader, at, field, capability_check);
}

static bool operation_check(struct bh_reader *reader, const struct bh_node *item)
{
	struct bh_suggestion suggestion = { 0 };
	char hint[96];

	for (const struct bh_privilege_entry *entry = bh_privilege_list; entry->name; entry++) {
		if (!entry->floor)
			bh_suggest_offer(&suggestion, item->text, entry->name);
		if (strcmp(entry->name, item->text) != 0)
			continue;
		if (entry->floor)
			bh_refuse(reader, "E360", item, "no policy can lift this; remove it", "'%s' is always refused",
				  item->text);
		return !entry->floor;
	}
	bh_refuse(reader, "E126", item, bh_suggest_hint(&suggestion, hint, sizeof(hint)),
		  "unknown privileged operation '%.80s'", item->text);
	return false;
}

static struct bh_pair *find(const struct bh_pairs *pairs, const char *text)
{
	for (size_t i = 0; i < pairs->count; i++)
		if (strcmp(pairs->items[i].word.text, text) == 0)
			return &pairs->items[i];
	return NULL;
}

void bh_read_allowed(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_pairs *allow = field;

	if (!bh_few_enough(reader, at, BH_NAMES_LIMIT))
		return;
	allow->items = bh_reader_array(reader, at->value->count, sizeof(*allow->items));
	if (!allow->items)
		return;
	for (const struct bh_node *item = at->value->first; item; item = item->next) {
		if (!bh_item_is_word(reader, at, item) || !operation_check(reader, item))
			continue;
		if (find(allow, item->text))
			bh_refuse(reader, "E112", item, "remove one", "'%s' is allowed twice", item->text);
		else if (bh_word_take(reader, item, &allow->items[allow->count].word))
			allow->count++;
	}
}

void bh_read_reasons(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_pairs *reasons = field;
	char label[BH_LABEL_MAX];

	bh_label_join(label, sizeof(label), at->label, at->key->text);
	if (!bh_few_enough(reader, at, BH_NAMES_LIMIT))
		return;
	reasons->items = bh_reader_array(reader, at->value->count, sizeof(*reasons->items));
	if (!reasons->items)
		return;
	for (const struct bh_node *key = at->value->first; key; key = key->next->next) {
		struct bh_at one = { .label = label, .key = key, .value = key->next };
		struct bh_pair *pair = &reasons->items[reasons->count];

		if (key->bad || !bh_kind_check(reader, &one, BH_NODE_WORD) || !bh_word_take(reader, key, &pair->word))
			continue;
		reasons->count++;
		bh_read_reason(reader, &one, &pair->value);
	}
}

/* Is the operation in the list as it was written, also when a finding left it out? */
static bool is_written(const struct bh_node *allow, const char *text)
{
	if (!allow || allow->next->kind != BH_NODE_LIST)
		return false;
	for (const struct bh_node *item = allow->next->first; item; item = item->next)
		if (strcmp(item->text, text) == 0)
			return true;
	return false;
}

/* Each operation gets its reason; an operation or a reason that stands alone is E360. */
static void join(struct bh_reader *reader, const struct bh_node *allow, struct bh_privileges_draft *draft)
{
	struct bh_pairs *allowed = &draft->privileges.allow;

	for (size_t i = 0; i < draft->reasons.count; i++) {
		struct bh_pair *reason = &draft->reasons.items[i], *operation = find(allowed, reason->word.text);

		if (operation) {
			operation->value = reason->value;
			reason->value.text = NULL;
		}
		if (!is_written(allow, reason->word.text))
			bh_diag_add(reader->diags, BH_SEVERITY_ERROR, "E360", reason->word.loc,
				    "list it under spec.privileges.allow, or remove the reason",
				    "a reason for '%.80s', which is not allowed", reason->word.text);
	}
	for (size_t i = 0; i < allowed->count && !reader->partial; i++)
		if (!allowed->items[i].value.text)
			bh_diag_add(reader->diags, BH_SEVERITY_ERROR, "E360", allowed->items[i].word.loc,
				    "say why under spec.privileges.reasons", "'%s' is allowed without a reason",
				    allowed->items[i].word.text);
}

void bh_read_privileges(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_privileges_draft draft = { .privileges.given = true };

	bh_fields_read(reader, "privileges", "spec.privileges", at->key, at->value, &draft);
	join(reader, bh_key_find(at->value, "allow"), &draft);
	for (size_t i = 0; i < draft.reasons.count; i++) {
		free(draft.reasons.items[i].word.text);
		free(draft.reasons.items[i].value.text);
	}
	free(draft.reasons.items);
	*(struct bh_privileges *)field = draft.privileges;
}
