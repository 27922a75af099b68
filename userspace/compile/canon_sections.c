/* SPDX-License-Identifier: GPL-2.0-only */
/* The lists of a policy that are no rules: what it lifts and accepts, names, privileges, resources. */
#include "compile/canon_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/names.h"

json_t *bh_canon_lifts(const struct bh_source_policy *policy)
{
	json_t *array = json_array();
	int result = 0;

	for (size_t i = 0; i < policy->lifts_count && !result; i++)
		result = bh_canon_append(array, json_pack("{s:s, s:s}", "lift", policy->lifts[i].guard.text, "reason",
							  policy->lifts[i].reason.text));
	return bh_canon_sorted(bh_canon_finish(array, result));
}

json_t *bh_canon_acceptances(const struct bh_source_policy *policy)
{
	json_t *array = json_array();
	int result = 0;

	for (size_t i = 0; i < policy->acceptances_count && !result; i++) {
		const struct bh_acceptance *item = &policy->acceptances[i];

		result = bh_canon_append(array, json_pack("{s:s, s:s, s:s}", "at", item->at.text, "code",
							  item->code.text, "reason", item->reason.text));
	}
	return bh_canon_sorted(bh_canon_finish(array, result));
}

json_t *bh_canon_dns(const struct bh_dns *dns)
{
	json_t *object = json_pack("{s:s, s:o}", "names", bh_name_text(bh_names_dns, dns->names), "resolvers",
				   bh_canon_blocks(&dns->resolvers, true));

	return bh_canon_finish(object,
			       dns->reason.text ? bh_canon_put(object, "reason", json_string(dns->reason.text)) : 0);
}

json_t *bh_canon_privileges(const struct bh_privileges *privileges)
{
	json_t *allow = json_array();
	int result = 0;

	for (size_t i = 0; i < privileges->allow.count && !result; i++) {
		const struct bh_pair *pair = &privileges->allow.items[i];
		json_t *object = json_pack("{s:s}", "operation", pair->word.text);

		if (pair->value.text)
			result = bh_canon_put(object, "reason", json_string(pair->value.text));
		if (!result)
			result = bh_canon_append(allow, object);
		else
			json_decref(object);
	}
	return json_pack("{s:o, s:o}", "allow", bh_canon_sorted(bh_canon_finish(allow, result)), "capabilities",
			 bh_canon_set(&privileges->capabilities));
}

/* A rate has its window: "over 20/min" and "over 20/h" are different. */
static json_t *threshold_of(const struct bh_threshold *threshold)
{
	json_t *object = json_pack("{s:I, s:o, s:s, s:s}", "for_ms", (json_int_t)threshold->for_ms, "over",
				   bh_canon_number(threshold->over), "respond",
				   bh_name_text(bh_names_responses, threshold->respond), "signal",
				   bh_name_text(bh_names_signals, threshold->signal));
	int result = 0;

	if (threshold->tool.text)
		result = bh_canon_put(object, "tool", json_string(threshold->tool.text));
	if (threshold->window_ms && !result)
		result = bh_canon_put(object, "window_ms", json_integer(threshold->window_ms));
	return bh_canon_finish(object, result);
}

/* Every limit that holds, the defaults too; those that are none are left out. */
static json_t *caps_of(const struct bh_resources *resources)
{
	json_t *object = json_object();
	int result = 0;

	for (const struct bh_name *cap = bh_names_caps; cap->text && !result; cap++) {
		uint64_t value = bh_cap_value(resources, cap->number);

		if (value != BH_UNLIMITED)
			result = bh_canon_put(object, cap->text, bh_canon_number(value));
	}
	if (resources->disk_path.text && !result)
		result = bh_canon_put(object, "disk.path", json_string(resources->disk_path.text));
	return bh_canon_finish(object, result);
}

json_t *bh_canon_resources(const struct bh_resources *resources)
{
	json_t *thresholds = json_array();
	int result = 0;

	for (size_t i = 0; i < resources->thresholds_count && !result; i++)
		result = bh_canon_append(thresholds, threshold_of(&resources->thresholds[i]));
	return json_pack("{s:o, s:o}", "caps", caps_of(resources), "thresholds",
			 bh_canon_sorted(bh_canon_finish(thresholds, result)));
}
