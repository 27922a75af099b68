/* SPDX-License-Identifier: GPL-2.0-only */
/* How many in how long: refusals, changes of tool, and what follows a silence. */
#include "detect/private.h"

#define REFUSALS_MOST 60u
#define HOPS_MOST 600u
#define SILENT_NS (10 * BH_MINUTE_NS)
#define BURST_NS (10 * BH_NS_PER_S)
#define BURST_MOST 20u

static void raise_count(struct bh_detect *detect, enum bh_detection what, const struct bh_moment *moment,
			uint64_t value, uint64_t limit, uint64_t window_ns)
{
	struct bh_cause cause = { .event = moment->event,
				  .tool = moment->event->tool,
				  .value = value,
				  .limit = limit,
				  .window_ms = (uint32_t)(window_ns / BH_NS_PER_MS) };

	if (value > limit)
		bh_detect_raise(detect, what, &cause);
}

/* A burst begins with the first record after a silence, and lasts its time. */
static void look_for_burst(struct bh_detect *detect, const struct bh_moment *moment)
{
	struct bh_window *burst = &detect->burst; /* its bucket is when it began */

	if (detect->last_event_ns && detect->now_ns - detect->last_event_ns >= SILENT_NS)
		*burst = (struct bh_window){ .bucket = detect->now_ns };
	detect->last_event_ns = detect->now_ns;
	if (!burst->bucket || !moment->refused || detect->now_ns - burst->bucket >= BURST_NS)
		return;
	raise_count(detect, BH_DETECTION_waking_burst, moment, ++burst->count, BURST_MOST, BURST_NS);
}

void bh_detect_rates(struct bh_detect *detect, const struct bh_moment *moment)
{
	look_for_burst(detect, moment);
	if (moment->refused)
		raise_count(detect, BH_DETECTION_denial_storm, moment,
			    bh_window_add(detect, &detect->refusals, BH_MINUTE_NS, 1), REFUSALS_MOST, BH_MINUTE_NS);
	if (moment->hop)
		raise_count(detect, BH_DETECTION_tool_hopping, moment,
			    bh_window_add(detect, &detect->hops, BH_MINUTE_NS, 1), HOPS_MOST, BH_MINUTE_NS);
}
