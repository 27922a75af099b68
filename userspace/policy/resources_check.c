/* SPDX-License-Identifier: GPL-2.0-only */
/* Thresholds that say the same twice, or watch what has no end. */
#include <string.h>

#include "policy/check.h"

static bool same_tool(const struct bh_threshold *a, const struct bh_threshold *b)
{
	if (!a->tool.text || !b->tool.text)
		return !a->tool.text && !b->tool.text;
	return strcmp(a->tool.text, b->tool.text) == 0;
}

/* The same signal, time and answer: of two values only the smaller one would ever be reached. */
static void check_twice(const struct bh_resources *resources, size_t index, struct bh_diags *diags)
{
	const struct bh_threshold *it = &resources->thresholds[index];

	for (size_t i = 0; it->signal && i < index; i++) {
		const struct bh_threshold *other = &resources->thresholds[i];

		if (other->signal != it->signal || other->window_ms != it->window_ms || other->for_ms != it->for_ms ||
		    other->respond != it->respond || !same_tool(other, it))
			continue;
		BH_CHECK_ERROR(diags, "E112", it->loc, "remove one: only the smaller value would count",
			       "a threshold with this signal, time and response was given before, in line %u",
			       other->loc.line);
		return;
	}
}

/* W351: a percentage of a cap that the policy does not set. */
static void check_cap(const struct bh_resources *resources, const struct bh_threshold *threshold,
		      struct bh_diags *diags)
{
	enum bh_cap cap = threshold->signal == BH_SIGNAL_resource_cpu_pct  ? BH_CAP_CPU :
			  threshold->signal == BH_SIGNAL_resource_wall_pct ? BH_CAP_WALL :
									     0;

	if (!cap || resources->caps[cap].value != BH_UNLIMITED)
		return;
	bh_diag_add(diags, BH_SEVERITY_WARNING, "W351", threshold->loc,
		    cap == BH_CAP_CPU ? "set spec.resources.caps.cpu" : "set spec.resources.caps.wall",
		    "this threshold is never reached: it is a share of a cap that the policy does not set");
}

void bh_check_resources(const struct bh_source_policy *policy, struct bh_diags *diags)
{
	const struct bh_resources *resources = &policy->resources;

	for (size_t i = 0; i < resources->thresholds_count; i++) {
		check_twice(resources, i, diags);
		check_cap(resources, &resources->thresholds[i], diags);
	}
}
