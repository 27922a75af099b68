/* SPDX-License-Identifier: GPL-2.0-only */
/* Signals of class resource, and what else only counters tell. */
#include "base/cleanup.h"
#include "detect/private.h"

bool bh_sample_grown(const struct bh_detect *detect, const struct bh_sample *sample, enum bh_sample_field field,
		     uint64_t *ret_more, uint64_t *ret_elapsed_us)
{
	uint64_t now = sample->values[field], before = detect->before.values[field];

	if (!(sample->have & 1u << field) || !(detect->before.have & 1u << field))
		return false;
	*ret_more = now > before ? now - before : 0;
	*ret_elapsed_us = (detect->now_ns - detect->known_ns[field]) / 1000;
	return true;
}

/* part * 100 / whole; whole 0: nothing is known. */
static void state(struct bh_detect *detect, unsigned int signal, unsigned __int128 part, unsigned __int128 whole)
{
	unsigned __int128 percent = whole ? part * 100 / whole : 0;

	if (whole)
		bh_watch_state(detect, signal, 0, percent > UINT32_MAX ? UINT32_MAX : (uint64_t)percent, NULL);
}

static void levels(struct bh_detect *detect, const struct bh_sample *sample)
{
	if (sample->have & 1u << BH_SAMPLE_memory_bytes)
		state(detect, BH_WATCH_resource_memory_pct, sample->values[BH_SAMPLE_memory_bytes],
		      detect->config.memory_cap_bytes);
	if (sample->have & 1u << BH_SAMPLE_tasks)
		state(detect, BH_WATCH_resource_pids_pct, sample->values[BH_SAMPLE_tasks], detect->config.pids_cap);
}

static void shares_of_time(struct bh_detect *detect, const struct bh_sample *sample)
{
	uint64_t more, elapsed_us;

	if (bh_sample_grown(detect, sample, BH_SAMPLE_memory_stall_us, &more, &elapsed_us))
		state(detect, BH_WATCH_resource_memory_psi, more, elapsed_us);
	if (bh_sample_grown(detect, sample, BH_SAMPLE_cpu_stall_us, &more, &elapsed_us))
		state(detect, BH_WATCH_resource_cpu_psi, more, elapsed_us);
	if (bh_sample_grown(detect, sample, BH_SAMPLE_cpu_us, &more, &elapsed_us))
		state(detect, BH_WATCH_resource_cpu_pct, (unsigned __int128)more * 1000,
		      (unsigned __int128)elapsed_us * detect->config.cpu_cap_milli);
}

void bh_detect_levels(struct bh_detect *detect, const struct bh_sample *sample)
{
	static const struct {
		enum bh_sample_field field;
		unsigned int signal;
	} rates[] = {
		{ BH_SAMPLE_forks, BH_WATCH_resource_fork_rate },
		{ BH_SAMPLE_io_write_bytes, BH_WATCH_resource_io_write },
		{ BH_SAMPLE_oom_kills, BH_WATCH_resource_oom_kills },
		{ BH_SAMPLE_exec_failures, BH_WATCH_syscall_exec_failures },
		{ BH_SAMPLE_packets_refused, BH_WATCH_network_denied },
		{ BH_SAMPLE_bytes_out, BH_WATCH_network_bytes_out },
	};
	uint64_t more, elapsed_us;

	levels(detect, sample);
	shares_of_time(detect, sample);
	for (size_t i = 0; i < BH_COUNT_OF(rates); i++)
		if (bh_sample_grown(detect, sample, rates[i].field, &more, &elapsed_us))
			bh_watch_count(detect, rates[i].signal, 0, more, NULL);
}
