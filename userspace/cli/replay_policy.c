/* SPDX-License-Identifier: GPL-2.0-only */
/* What detectors want to know of a policy. */
#include <string.h>

#include "cli/replaying.h"
#include "policy/limits.h"

_Static_assert(BH_RESPOND_ALERT == BH_ALERT_ONLY, "thresholds answer in the policy's numbers");
_Static_assert(BH_THRESHOLDS_LIMIT <= BH_DETECT_THRESHOLDS_MAX, "every policy's thresholds fit");

/* Of the whole sandbox, 0, for a limit that there is not. */
static uint64_t bh_replay_cap(const struct bh_resources *resources, enum bh_cap cap)
{
	return resources->caps[cap].value == BH_UNLIMITED ? 0 : resources->caps[cap].value;
}

static void bh_replay_threshold(struct bh_replay *replay, const struct bh_threshold *from)
{
	replay->thresholds[replay->config.thresholds_count++] = (struct bh_detect_threshold){
		.signal = from->signal,
		.tool = from->tool.text ? (uint8_t)bh_compiled_tool_id(replay->opened.compiled, from->tool.text) : 0,
		.respond = from->respond,
		.over = from->over,
		.window_ms = from->window_ms,
		.for_ms = from->for_ms,
	};
}

void bh_replay_policy(struct bh_replay *replay)
{
	const struct bh_resources *resources = &replay->opened.source->resources;
	struct bh_detect_config *config = &replay->config;
	const char *name;

	for (unsigned int tool = 1; tool <= BH_TOOLS_MAX; tool++) {
		name = bh_compiled_tool_name(replay->opened.compiled, tool);
		if (!name)
			break;
		strncpy(replay->tools[replay->tools_count++], name, sizeof(replay->tools[0]) - 1);
	}
	config->memory_cap_bytes = bh_replay_cap(resources, BH_CAP_MEMORY);
	config->pids_cap = bh_replay_cap(resources, BH_CAP_PIDS);
	config->cpu_cap_milli = bh_replay_cap(resources, BH_CAP_CPU);
	config->wall_cap_s = bh_replay_cap(resources, BH_CAP_WALL);
	config->thresholds = replay->thresholds;
	for (size_t i = 0; i < resources->thresholds_count; i++)
		bh_replay_threshold(replay, &resources->thresholds[i]);
}
