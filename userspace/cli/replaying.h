/* SPDX-License-Identifier: GPL-2.0-only */
/* One replay under way. */
#ifndef BH_CLI_REPLAYING_H
#define BH_CLI_REPLAYING_H

#include "cli/command.h"
#include "detect/detect.h"
#include "event/read.h"

#define BH_REPLAY_SANDBOXES 1024u
#define BH_REPLAY_LEARN_MOST_MS (UINT64_C(8760) * 60 * 60 * 1000)

struct bh_replay_sandbox {
	char name[256];
	struct bh_detect *detect;
};

struct bh_replay {
	struct bh_detect_config config; /* for each sandbox */
	struct bh_detect_threshold thresholds[BH_DETECT_THRESHOLDS_MAX];
	const char *honey[BH_DETECT_HONEY_MAX];
	struct bh_opened opened; /* the policy; empty: none */
	char tools[BH_TOOLS_MAX][64]; /* by number - 1 */
	unsigned int tools_count;
	struct bh_replay_sandbox sandboxes[BH_REPLAY_SANDBOXES];
	size_t sandboxes_count;
	struct bh_replay_sandbox *current; /* whose line is read */
	const struct bh_line *line; /* which is this */
	uint64_t lines, fed, alerts;
	bool json;
};

/* replay_policy.c: names of tools, limits and thresholds of the opened policy. */
void bh_replay_policy(struct bh_replay *replay);

#endif
