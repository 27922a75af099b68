/* SPDX-License-Identifier: GPL-2.0-only */
/* What a policy takes upon itself, each with a reason: guards that it lifts, warnings that it accepts. */
#include <stdlib.h>
#include <string.h>

#include "policy/fields.h"
#include "policy/limits.h"
#include "policy/suggest.h"

/* A sentence that is kept with the policy; whatever the file, words are printable ASCII. */
void bh_read_reason(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	const struct bh_node *value = at->value;
	char label[BH_LABEL_MAX];

	bh_label_join(label, sizeof(label), at->label, at->key->text);
	if (value->length == 0)
		bh_refuse(reader, "E108", value, "say it in a few words", "'%s' is empty", label);
	else if (value->length > BH_REASON_LIMIT)
		bh_refuse(reader, "E108", value, NULL, "'%s' has more than %u characters", label, BH_REASON_LIMIT);
	else
		bh_word_take(reader, value, field);
}

void bh_read_guard_name(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_suggestion suggestion = { 0 };
	char hint[96];

	for (size_t i = 0; i < reader->shipped->guards_count; i++) {
		const char *name = reader->shipped->guards[i].name.text;

		if (strcmp(name, at->value->text) == 0) {
			bh_word_take(reader, at->value, field);
			return;
		}
		bh_suggest_offer(&suggestion, at->value->text, name);
	}
	bh_refuse(reader, "E123", at->value, bh_suggest_hint(&suggestion, hint, sizeof(hint)), "unknown guard '%.80s'",
		  at->value->text);
}

static bool is_lifted(const struct bh_source_policy *policy, const char *name)
{
	for (size_t i = 0; i < policy->lifts_count; i++)
		if (policy->lifts[i].guard.text && strcmp(policy->lifts[i].guard.text, name) == 0)
			return true;
	return false;
}

void bh_read_lifts(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_source_policy *policy = field;

	if (!bh_few_enough(reader, at, BH_NAMES_LIMIT))
		return;
	policy->lifts = bh_reader_array(reader, at->value->count, sizeof(*policy->lifts));
	if (!policy->lifts)
		return;
	for (const struct bh_node *item = at->value->first; item; item = item->next) {
		struct bh_lift *lift = &policy->lifts[policy->lifts_count];

		if (!bh_item_is_map(reader, at, item))
			continue;
		bh_fields_read(reader, "lift", "spec.guards", item, item, lift);
		if (lift->guard.text && is_lifted(policy, lift->guard.text))
			bh_diag_add(reader->diags, BH_SEVERITY_ERROR, "E112", lift->guard.loc, "remove one",
				    "guard '%s' is lifted twice", lift->guard.text);
		policy->lifts_count++;
	}
}

bool bh_is_warning_code(const char *text)
{
	return text[0] == 'W' && strlen(text) == 4 && strspn(text + 1, "0123456789") == 3;
}

void bh_read_warning_code(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	if (bh_is_warning_code(at->value->text))
		bh_word_take(reader, at->value, field);
	else
		bh_refuse(reader, "E108", at->value, "warnings have codes like W150; errors cannot be accepted",
			  "'%.32s' is not the code of a warning", at->value->text);
}

/* A place in the document on the way to another. key: what the value stands behind, NULL for an item of a list. */
struct place {
	const struct bh_node *key, *value;
};

/* Goes to a key of the mapping. */
static bool go_to_key(struct place *place, const char *name, size_t length)
{
	if (place->value->kind != BH_NODE_MAP)
		return false;
	for (const struct bh_node *key = place->value->first; key; key = key->next->next) {
		if (key->length != length || memcmp(key->text, name, length) != 0)
			continue;
		*place = (struct place){ key, key->next };
		return true;
	}
	return false;
}

/* Goes to the item whose number stands at *way, as in "12]", and moves on behind it. */
static bool go_to_item(struct place *place, const char **way)
{
	size_t digits = strspn(*way, "0123456789"), number = 0;
	const struct bh_node *item = place->value->kind == BH_NODE_LIST ? place->value->first : NULL;

	if (digits == 0 || digits > 6 || (digits > 1 && **way == '0') || (*way)[digits] != ']')
		return false;
	for (size_t i = 0; i < digits; i++)
		number = number * 10 + (size_t)((*way)[i] - '0');
	for (; item && number; number--)
		item = item->next;
	*way += digits + 1;
	*place = (struct place){ NULL, item };
	return item;
}

/* Where the way "tools.git.helpers[0]" leads from the policy's spec. */
static bool find_place(const struct bh_reader *reader, const char *way, struct place *ret_place)
{
	struct place place = { NULL, reader->root };

	if (!go_to_key(&place, "spec", 4))
		return false;
	for (;;) {
		size_t length = strcspn(way, ".[");

		if (!go_to_key(&place, way, length))
			return false;
		for (way += length; *way == '[';) {
			way++;
			if (!go_to_item(&place, &way))
				return false;
		}
		if (*way == '\0')
			break;
		if (*way++ != '.')
			return false;
	}
	*ret_place = place;
	return true;
}

void bh_read_place(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	const char *way = at->value->text + (strncmp(at->value->text, "spec.", 5) == 0 ? 5 : 0);
	struct bh_acceptance *acceptance = field;
	struct place place;

	if (strlen(way) > BH_PLACE_LIMIT || !find_place(reader, way, &place)) {
		bh_refuse(reader, "E151", at->value, "write the keys that lead there, as in tools.git.helpers[0]",
			  "nothing stands at '%.200s'", at->value->text);
		return;
	}
	if (place.key)
		acceptance->places[0] = place.key->loc;
	acceptance->places[1] = place.value->loc;
	if (bh_word_take(reader, at->value, &acceptance->at))
		memmove(acceptance->at.text, acceptance->at.text + (way - at->value->text), strlen(way) + 1);
}

/* Did an earlier item say the same? */
static bool is_accepted(const struct bh_source_policy *policy, const struct bh_acceptance *acceptance)
{
	for (size_t i = 0; i < policy->acceptances_count; i++) {
		const struct bh_acceptance *other = &policy->acceptances[i];

		if (other->code.text && other->at.text && strcmp(other->code.text, acceptance->code.text) == 0 &&
		    strcmp(other->at.text, acceptance->at.text) == 0)
			return true;
	}
	return false;
}

void bh_read_acceptances(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_source_policy *policy = field;

	if (!bh_few_enough(reader, at, BH_NAMES_LIMIT))
		return;
	policy->acceptances = bh_reader_array(reader, at->value->count, sizeof(*policy->acceptances));
	if (!policy->acceptances)
		return;
	for (const struct bh_node *item = at->value->first; item; item = item->next) {
		struct bh_acceptance *acceptance = &policy->acceptances[policy->acceptances_count];

		if (!bh_item_is_map(reader, at, item))
			continue;
		bh_fields_read(reader, "acceptance", "spec.accept", item, item, acceptance);
		if (acceptance->code.text && acceptance->at.text && is_accepted(policy, acceptance))
			bh_diag_add(reader->diags, BH_SEVERITY_ERROR, "E112", acceptance->at.loc, "remove one",
				    "%s at '%s' is accepted twice", acceptance->code.text, acceptance->at.text);
		policy->acceptances_count++;
	}
}
