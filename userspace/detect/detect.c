/* SPDX-License-Identifier: GPL-2.0-only */
/* The door: what comes in, in which order it is looked at, and what time it is. */
#include "detect/detect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "detect/private.h"

_Static_assert(BH_OBJECT_ROOM > BH_NAME_MAX, "a name fits");

static bool is_rate(enum bh_signal_form form)
{
	return form == BH_FORM_RATE || form == BH_FORM_BYTES_RATE;
}

static bool makes_sense(const struct bh_detect_threshold *threshold)
{
	if (threshold->signal >= BH_WATCH_MOST || !bh_signal_forms[threshold->signal].name ||
	    threshold->tool > BH_TOOLS_MAX)
		return false;
	return is_rate(bh_signal_forms[threshold->signal].form) == (threshold->window_ms != 0);
}

/* In front of those of the same signal: which comes first changes nothing but the order of alerts. */
static void add_watch(struct bh_detect *detect, const struct bh_detect_threshold *threshold)
{
	struct bh_watch *watch = &detect->watches[detect->watches_count++];

	watch->given = *threshold;
	watch->next = detect->first[threshold->signal];
	detect->first[threshold->signal] = (uint8_t)detect->watches_count;
}

int bh_detect_new(const struct bh_detect_config *config, struct bh_detect **ret)
{
	struct bh_detect *detect;

	if (!config->emit || config->thresholds_count > BH_DETECT_THRESHOLDS_MAX ||
	    config->honey_count > BH_DETECT_HONEY_MAX)
		return -EINVAL;
	for (size_t i = 0; i < config->thresholds_count; i++)
		if (!makes_sense(&config->thresholds[i]))
			return -EINVAL;
	detect = calloc(1, sizeof(*detect));
	if (!detect)
		return -ENOMEM;
	detect->config = *config;
	detect->config.thresholds = NULL; /* copied below */
	detect->config.honey = NULL;
	for (size_t i = config->thresholds_count; i-- > 0;)
		add_watch(detect, &config->thresholds[i]);
	for (size_t i = 0; i < config->honey_count; i++)
		detect->honey[i] = bh_key(0, config->honey[i], strlen(config->honey[i]));
	*ret = detect;
	return 0;
}

void bh_detect_free(struct bh_detect *detect)
{
	free(detect);
}

/* Real time from 1 on, never back. What lasts as long as the sandbox is looked at here. */
static void advance(struct bh_detect *detect, uint64_t time_ns)
{
	__int128 real = (__int128)time_ns + detect->config.boot_offset_ns;
	uint64_t now = real < 1 ? 1 : real > INT64_MAX ? INT64_MAX : (uint64_t)real, percent;

	if (now > detect->now_ns)
		detect->now_ns = now;
	if (!detect->began_ns)
		detect->began_ns = detect->now_ns;
	if (!detect->config.wall_cap_s || !detect->first[BH_WATCH_resource_wall_pct])
		return;
	percent = (detect->now_ns - detect->began_ns) / (BH_NS_PER_S / 100) / detect->config.wall_cap_s;
	bh_watch_state(detect, BH_WATCH_resource_wall_pct, 0, percent, NULL);
}

void bh_detect_event(struct bh_detect *detect, const struct bh_event *event)
{
	struct bh_moment moment;

	advance(detect, event->time_ns);
	bh_moment_make(detect, event, &moment);
	bh_detect_signals(detect, &moment);
	bh_detect_objects(detect, &moment);
	bh_detect_programs(detect, &moment);
	bh_detect_connections(detect, &moment);
	bh_detect_rates(detect, &moment);
	bh_moment_keep(detect, &moment);
}

void bh_detect_sample(struct bh_detect *detect, const struct bh_sample *sample)
{
	advance(detect, sample->time_ns);
	bh_detect_levels(detect, sample);
	bh_detect_load(detect, sample);
	for (unsigned int i = 0; i < BH_SAMPLE_FIELDS; i++) {
		if (!(sample->have & 1u << i))
			continue;
		detect->before.values[i] = sample->values[i];
		detect->known_ns[i] = detect->now_ns;
	}
	detect->before.have |= sample->have;
}

void bh_detect_flow(struct bh_detect *detect, const struct bh_flow *flow)
{
	advance(detect, flow->time_ns);
	bh_detect_sent(detect, flow);
}

void bh_detect_query(struct bh_detect *detect, const struct bh_query *query)
{
	advance(detect, query->time_ns);
	bh_detect_names(detect, query);
}

void bh_detect_tick(struct bh_detect *detect, uint64_t time_ns)
{
	advance(detect, time_ns);
}

uint64_t bh_detect_suppressed(const struct bh_detect *detect)
{
	return detect->suppressed;
}
