/* SPDX-License-Identifier: GPL-2.0-only */
/* What a policy takes upon itself, each with a reason: guards that it lifts. */
#include <stdlib.h>
#include <string.h>

#include "policy/fields.h"
#include "policy/limits.h"
#include "policy/suggest.h"

/* A sentence that is kept with the policy; whatever the file, words are printable ASCII. */
void bh_read_reason(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	const struct bh_node *value = at->value;

	if (value->length == 0)
		bh_refuse(reader, "E108", value, "say it in a few words", "'%s.reason' is empty", at->label);
	else if (value->length > BH_REASON_LIMIT)
		bh_refuse(reader, "E108", value, NULL, "'%s.reason' has more than %u characters", at->label,
			  BH_REASON_LIMIT);
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

/* Few enough, and each item a mapping? Says what is wrong. */
static bool items_are_maps(struct bh_reader *reader, const struct bh_at *at, const char *label)
{
	bool good = true;

	if (at->value->count > BH_NAMES_LIMIT) {
		bh_refuse(reader, "E113", at->key, NULL, "'%s' has %zu items; at most %u are possible", label,
			  at->value->count, BH_NAMES_LIMIT);
		return false;
	}
	for (const struct bh_node *item = at->value->first; item; item = item->next) {
		if (item->kind == BH_NODE_MAP && !item->bad)
			continue;
		bh_refuse(reader, "E106", item, NULL, "the items of '%s' are mappings", label);
		good = false;
	}
	return good;
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

	if (!items_are_maps(reader, at, "spec.guards"))
		return;
	policy->lifts = bh_reader_array(reader, at->value->count, sizeof(*policy->lifts));
	if (!policy->lifts)
		return;
	for (const struct bh_node *item = at->value->first; item; item = item->next) {
		struct bh_lift *lift = &policy->lifts[policy->lifts_count];

		bh_fields_read(reader, "lift", "spec.guards", item, item, lift);
		if (lift->guard.text && is_lifted(policy, lift->guard.text))
			bh_diag_add(reader->diags, BH_SEVERITY_ERROR, "E112", lift->guard.loc, "remove one",
				    "guard '%s' is lifted twice", lift->guard.text);
		policy->lifts_count++;
	}
}
