/* SPDX-License-Identifier: GPL-2.0-only */
/* What a sandbox does to its machine: fork bombs, and coins. */
#include "detect/private.h"

#define FULL_PERCENT 90u
#define REFUSED_MOST 50u /* tasks that the limit refused between two samples */
#define FORKS_MOST 500u /* in a second; what comes in less time is taken for as many in one */
#define SECOND_US 1000000u

#define MINUTES 10u
#define MINUTE_MOST_NS (3 * BH_MINUTE_NS) /* between samples; beyond that nothing is known */
#define BUSY_PERCENT 90u
#define ONE_CPU_MILLI 1000u
#define QUIET_BYTES (UINT64_C(1) << 20) /* in a minute */
#define QUIET_FORKS 10u

static bool has(const struct bh_sample *sample, enum bh_sample_field field)
{
	return sample->have & 1u << field;
}

static void look_for_bomb(struct bh_detect *detect, const struct bh_sample *sample)
{
	uint64_t cap = detect->config.pids_cap, refused = 0, forks = 0, elapsed_us = 0;
	struct bh_cause cause = { .value = sample->values[BH_SAMPLE_tasks], .limit = cap };
	bool many;

	if (!cap || !has(sample, BH_SAMPLE_tasks) || cause.value < cap - cap * (100 - FULL_PERCENT) / 100)
		return;
	many = bh_sample_grown(detect, sample, BH_SAMPLE_tasks_refused, &refused, &elapsed_us) &&
	       refused > REFUSED_MOST;
	if (!many && bh_sample_grown(detect, sample, BH_SAMPLE_forks, &forks, &elapsed_us))
		many = (unsigned __int128)forks * SECOND_US >
		       (unsigned __int128)FORKS_MOST * (elapsed_us > SECOND_US ? elapsed_us : SECOND_US);
	if (many)
		bh_detect_raise(detect, BH_DETECTION_fork_bomb, &cause);
}

/* By how much a total grew in this minute. Unknown: `otherwise`. */
static uint64_t grown(const struct bh_detect *detect, const struct bh_sample *sample, enum bh_sample_field field,
		      uint64_t otherwise)
{
	uint64_t began = detect->minute.values[field];

	if (!has(sample, field) || !has(&detect->minute, field))
		return otherwise;
	return sample->values[field] > began ? sample->values[field] - began : 0;
}

/* Full load, next to no files and no new tasks, and a trickle of traffic: without any there is nobody to mine for. */
static bool is_mining(const struct bh_detect *detect, const struct bh_sample *sample, uint64_t elapsed_us)
{
	uint64_t milli = detect->config.cpu_cap_milli ? detect->config.cpu_cap_milli : ONE_CPU_MILLI;
	uint64_t cpu_us = grown(detect, sample, BH_SAMPLE_cpu_us, 0);
	uint64_t sent = grown(detect, sample, BH_SAMPLE_bytes_out, 0);

	return (unsigned __int128)cpu_us * 100 * 1000 >= (unsigned __int128)elapsed_us * milli * BUSY_PERCENT &&
	       grown(detect, sample, BH_SAMPLE_io_read_bytes, 0) < QUIET_BYTES &&
	       grown(detect, sample, BH_SAMPLE_io_write_bytes, 0) < QUIET_BYTES &&
	       grown(detect, sample, BH_SAMPLE_forks, 0) < QUIET_FORKS && sent && sent < QUIET_BYTES;
}

static void look_for_mining(struct bh_detect *detect, const struct bh_sample *sample)
{
	uint64_t elapsed_ns = detect->now_ns - detect->minute_ns;
	struct bh_cause cause = { 0 };

	if (!has(sample, BH_SAMPLE_cpu_us))
		return;
	if (detect->minute_ns && elapsed_ns < BH_MINUTE_NS)
		return;
	if (detect->minute_ns && elapsed_ns <= MINUTE_MOST_NS && is_mining(detect, sample, elapsed_ns / 1000))
		detect->mining_minutes++;
	else
		detect->mining_minutes = 0;
	detect->minute = *sample;
	detect->minute_ns = detect->now_ns;
	if (detect->mining_minutes >= MINUTES)
		bh_detect_raise(detect, BH_DETECTION_miner_profile, &cause);
}

void bh_detect_load(struct bh_detect *detect, const struct bh_sample *sample)
{
	look_for_bomb(detect, sample);
	look_for_mining(detect, sample);
}
