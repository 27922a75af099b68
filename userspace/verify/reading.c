/* SPDX-License-Identifier: GPL-2.0-only */
#include "verify/reading.h"

#include <string.h>

#include "base/cleanup.h"

#define BH_REASON(number, code, class, text) { #code, number },
static const struct {
	const char *code;
	uint16_t number;
} reasons[] = {
#include "rules/reasons.def"
};
#undef BH_REASON

uint16_t bh_reason_number(const char *code, struct bh_suggestion *suggestion)
{
	for (size_t i = 0; i < BH_COUNT_OF(reasons); i++) {
		if (strcmp(reasons[i].code, code) == 0)
			return reasons[i].number;
		bh_suggest_offer(suggestion, code, reasons[i].code);
	}
	return 0;
}

static const struct bh_scenario_key *find_key(const struct bh_scenario_key *keys, size_t count, const char *name,
					      struct bh_suggestion *suggestion)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(keys[i].name, name) == 0)
			return &keys[i];
		bh_suggest_offer(suggestion, name, keys[i].name);
	}
	return NULL;
}

static void read_key(struct bh_reading *reading, const struct bh_scenario_key *key, const struct bh_at *at,
		     struct bh_scenario_draft *draft)
{
	if (key->kind == BH_KIND_ANY && at->value->empty)
		bh_kind_check(&reading->reader, at, BH_NODE_WORD);
	else if (key->kind == BH_KIND_ANY || bh_kind_check(&reading->reader, at, (enum bh_node_kind)key->kind))
		key->read(reading, at, draft);
}

void bh_reading_fields(struct bh_reading *reading, const struct bh_scenario_key *keys, size_t count, const char *label,
		       const struct bh_node *owner, const struct bh_node *map, struct bh_scenario_draft *draft)
{
	uint64_t seen = 0; /* given, or probably meant */

	for (const struct bh_node *node = map->first; node; node = node->next->next) {
		struct bh_at at = { .label = label, .key = node, .value = node->next };
		struct bh_suggestion suggestion = { 0 };
		const struct bh_scenario_key *key;
		char hint[96];

		if (node->bad)
			continue;
		key = find_key(keys, count, node->text, &suggestion);
		if (draft && !key)
			draft->misread = true;
		if (key)
			read_key(reading, key, &at, draft);
		else
			bh_refuse(&reading->reader, "E110", node, bh_suggest_hint(&suggestion, hint, sizeof(hint)),
				  "unknown key '%.128s'%s%s", node->text, label[0] ? " in " : "", label);
		for (size_t i = 0; i < count; i++)
			if (strcmp(keys[i].name, key ? key->name : suggestion.best ? suggestion.best : "") == 0)
				seen |= UINT64_C(1) << i;
	}
	for (size_t i = 0; i < count; i++)
		if ((keys[i].flags & BH_KEY_REQUIRED) && !(seen & UINT64_C(1) << i))
			bh_refuse(&reading->reader, "E107", owner ? owner : map, NULL, "missing required key '%s'%s%s",
				  keys[i].name, label[0] ? " in " : "", label);
}
