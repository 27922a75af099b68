// SPDX-License-Identifier: GPL-2.0-only
/* Detections by many inputs: scans, beacons, tunnels, uploads, bombs, miners, rates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "tests/unit/detect/watched.h"

static void begin(void)
{
	watch_with((struct bh_detect_config){ .pids_cap = 100, .cpu_cap_milli = 2000 });
}

static void only(enum bh_detection what)
{
	assert_int_equal(watched.count, 1);
	assert_string_equal(watched.alerts[0].name, bh_detections[what].name);
}

static void quiet(void)
{
	assert_int_equal(watched.count, 0);
}

static void try_port(uint16_t port)
{
	begin_peer(BH_KIND_CONNECT, "203.0.113.1", port);
	feed();
}

static void try_host(unsigned int last, uint16_t port)
{
	char address[32];

	snprintf(address, sizeof(address), "10.0.0.%u", last);
	begin_peer(BH_KIND_CONNECT, address, port);
	record.verdict = record.wanted = BH_VERDICT_DENY;
	record.reason = BH_REASON_N2;
	feed();
}

static void many_ports_of_one_address(void **state)
{
	begin();
	for (uint16_t i = 0; i < 15; i++)
		try_port((uint16_t)(1000 + i));
	for (uint16_t i = 0; i < 15; i++)
		try_port((uint16_t)(1000 + i)); /* the same again */
	quiet();
	try_port(2000);
	only(BH_DETECTION_port_scan);
	assert_int_equal(watched.alerts[0].value, 16);
	begin();
	for (uint16_t i = 0; i < 30; i++) {
		try_port((uint16_t)(1000 + i));
		watched.now += 4 * SECOND; /* fifteen in a minute */
	}
	quiet();
}

static void ones_own_servers_are_no_scan(void **state)
{
	begin();
	for (uint16_t i = 0; i < 100; i++) {
		begin_peer(BH_KIND_CONNECT, i % 2 ? "127.0.0.1" : "::1", (uint16_t)(30000 + i));
		feed();
	}
	quiet();
	for (uint16_t i = 0; i < 16; i++) {
		begin_peer(BH_KIND_CONNECT, "127.0.0.1", (uint16_t)(1 + i));
		record.verdict = record.wanted = BH_VERDICT_DENY;
		record.reason = BH_REASON_N2;
		feed();
	}
	only(BH_DETECTION_port_scan);
}

static void neighbours_may_be_asked_evenly(void **state)
{
	static const char *const near[] = { "10.1.2.3",	  "172.31.0.9", "192.168.1.1",
					    "100.64.0.1", "127.0.0.1",	"fd00::1" };

	begin();
	for (unsigned int i = 0; i < 20; i++, watched.now += 10 * SECOND) {
		for (size_t j = 0; j < sizeof(near) / sizeof(near[0]); j++) {
			begin_peer(BH_KIND_CONNECT, near[j], 8080);
			feed();
		}
	}
	quiet();
}

static void many_addresses_at_one_port(void **state)
{
	begin();
	for (unsigned int i = 1; i <= 20; i++)
		try_host(i, 22);
	for (unsigned int i = 21; i <= 40; i++)
		try_host(i, 80); /* another port */
	quiet();
	try_host(21, 22);
	only(BH_DETECTION_host_sweep);
}

static void a_browser_talks_to_many_networks(void **state)
{
	char address[32];

	begin();
	for (unsigned int i = 0; i < 120; i++) {
		snprintf(address, sizeof(address), "%u.%u.7.%u", 20 + i, i, i);
		begin_peer(BH_KIND_CONNECT, address, 443);
		feed();
	}
	quiet();
}

static void sweeps_of_ipv6_are_seen(void **state)
{
	char address[64];

	begin();
	for (unsigned int i = 1; i <= 21; i++) {
		snprintf(address, sizeof(address), "2001:db8::%x", i * 16);
		begin_peer(BH_KIND_CONNECT, address, 22);
		feed();
	}
	assert_int_equal(alerts_of("host_sweep"), 1);
}

static void even_intervals(void **state)
{
	begin();
	for (unsigned int i = 0; i < 8; i++) {
		try_port(443);
		watched.now += 60 * SECOND + i % 3 * SECOND; /* a little uneven */
	}
	quiet();
	try_port(443);
	only(BH_DETECTION_beaconing);
}

static void uneven_intervals_are_people(void **state)
{
	static const unsigned int seconds[] = { 60, 75, 50, 66, 90, 61, 70, 100, 60, 80, 20, 60, 90, 40 };

	begin();
	for (size_t i = 0; i < sizeof(seconds) / sizeof(seconds[0]); i++) {
		try_port(443);
		watched.now += seconds[i] * SECOND;
	}
	quiet();
	for (unsigned int i = 0; i < 30; i++) {
		try_port(443);
		watched.now += 2 * SECOND; /* even, but too fast to be one */
	}
	quiet();
}

static void names_that_carry_something(void **state)
{
	char name[128];

	begin();
	for (unsigned int i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "www%u.images.example.com", i); /* many, and words */
		feed_query(name, false);
	}
	for (unsigned int i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "k7x2q%02um9z4w8v1p6t3.example.net", i); /* random, and few */
		feed_query(name, false);
	}
	quiet();
	for (unsigned int i = 0; i < 64; i++) {
		snprintf(name, sizeof(name), "k7x2q%02um9z4w8v1p6t3.evil.co.uk", i);
		feed_query(name, true);
	}
	only(BH_DETECTION_dns_tunnel);
	assert_string_equal(bh_detections[BH_DETECTION_dns_tunnel].mitre, watched.alerts[0].mitre);
}

static void much_to_one_destination(void **state)
{
	begin();
	for (unsigned int i = 0; i < 256; i++)
		feed_flow("203.0.113.1", 443, 1 << 20);
	feed_flow("203.0.113.2", 443, 200 << 20);
	quiet();
	feed_flow("203.0.113.1", 443, 1);
	only(BH_DETECTION_bulk_upload);
	begin();
	feed_flow("203.0.113.1", 443, 200 << 20);
	watched.now += HOUR;
	feed_flow("203.0.113.1", 443, 200 << 20);
	quiet();
}

static void feed_tasks(uint64_t tasks, uint64_t refused, uint64_t forks)
{
	struct bh_sample sample = { .time_ns = watched.now,
				    .have = 1u << BH_SAMPLE_tasks | 1u << BH_SAMPLE_tasks_refused |
					    1u << BH_SAMPLE_forks };

	sample.values[BH_SAMPLE_tasks] = tasks;
	sample.values[BH_SAMPLE_tasks_refused] = refused;
	sample.values[BH_SAMPLE_forks] = forks;
	bh_detect_sample(watched.detect, &sample);
	watched.now += SECOND;
}

static void forks_until_none_is_left(void **state)
{
	begin();
	feed_tasks(10, 0, 0);
	feed_tasks(89, 1000, 5000); /* busy, and below */
	feed_tasks(95, 1050, 5400); /* full, and slow */
	quiet();
	feed_tasks(95, 1101, 5500);
	only(BH_DETECTION_fork_bomb);
	begin();
	feed_tasks(95, 0, 0);
	feed_tasks(95, 0, 501);
	only(BH_DETECTION_fork_bomb);
}

/* One minute of two processors at `percent`. */
static void feed_minute(struct bh_sample *total, unsigned int percent, uint64_t io, uint64_t forks, uint64_t sent)
{
	watched.now += MINUTE;
	total->time_ns = watched.now;
	total->values[BH_SAMPLE_cpu_us] += 1200000u * percent;
	total->values[BH_SAMPLE_io_write_bytes] += io;
	total->values[BH_SAMPLE_forks] += forks;
	total->values[BH_SAMPLE_bytes_out] += sent;
	bh_detect_sample(watched.detect, total);
}

static struct bh_sample begin_minutes(void)
{
	struct bh_sample total = { .time_ns = START,
				   .have = 1u << BH_SAMPLE_cpu_us | 1u << BH_SAMPLE_io_write_bytes |
					   1u << BH_SAMPLE_forks | 1u << BH_SAMPLE_bytes_out };

	begin();
	bh_detect_sample(watched.detect, &total);
	return total;
}

static void ten_minutes_of_nothing_but_work(void **state)
{
	struct bh_sample total = begin_minutes();

	for (unsigned int i = 0; i < 9; i++)
		feed_minute(&total, 95, 1000, 1, 5000);
	quiet();
	feed_minute(&total, 95, 1000, 1, 5000);
	only(BH_DETECTION_miner_profile);
}

static void builds_and_calculations_are_no_miners(void **state)
{
	static const struct {
		unsigned int percent;
		uint64_t io, forks, sent;
	} minutes[] = {
		{ 95, 50 << 20, 1, 5000 }, /* writes */
		{ 95, 1000, 400, 5000 }, /* starts programs */
		{ 95, 1000, 1, 0 }, /* speaks to nobody */
		{ 95, 1000, 1, 50 << 20 }, /* sends */
		{ 80, 1000, 1, 5000 }, /* waits */
	};

	for (size_t i = 0; i < sizeof(minutes) / sizeof(minutes[0]); i++) {
		struct bh_sample total = begin_minutes();

		for (unsigned int minute = 0; minute < 30; minute++)
			feed_minute(&total, minutes[i].percent, minutes[i].io, minutes[i].forks, minutes[i].sent);
		quiet();
	}
}

static void refuse(unsigned int times)
{
	for (begin_refusal(BH_KIND_FILE_OPEN, BH_REASON_F2, "/x"); times; times--)
		feed();
}

static void many_refusals(void **state)
{
	begin();
	refuse(60);
	watched.now += MINUTE;
	refuse(60);
	quiet();
	refuse(1);
	only(BH_DETECTION_denial_storm);
}

static void refusals_after_silence(void **state)
{
	begin();
	refuse(40);
	watched.now += 10 * MINUTE - 1; /* not quite silent for long enough */
	refuse(40);
	watched.now += 10 * MINUTE;
	refuse(20);
	watched.now += 10 * SECOND;
	refuse(20);
	quiet();
	watched.now += 10 * MINUTE;
	refuse(21);
	only(BH_DETECTION_waking_burst);
}

static void changes_of_tool(void **state)
{
	begin();
	feed_start("/usr/bin/node", 1);
	for (unsigned int i = 0; i < 600; i++)
		feed_start("/usr/bin/git", i % 2 ? 1 : 2);
	quiet();
	feed_start("/usr/bin/git", 2);
	only(BH_DETECTION_tool_hopping);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_ports_of_one_address),
		cmocka_unit_test(ones_own_servers_are_no_scan),
		cmocka_unit_test(neighbours_may_be_asked_evenly),
		cmocka_unit_test(many_addresses_at_one_port),
		cmocka_unit_test(a_browser_talks_to_many_networks),
		cmocka_unit_test(sweeps_of_ipv6_are_seen),
		cmocka_unit_test(even_intervals),
		cmocka_unit_test(uneven_intervals_are_people),
		cmocka_unit_test(names_that_carry_something),
		cmocka_unit_test(much_to_one_destination),
		cmocka_unit_test(forks_until_none_is_left),
		cmocka_unit_test(ten_minutes_of_nothing_but_work),
		cmocka_unit_test(builds_and_calculations_are_no_miners),
		cmocka_unit_test(many_refusals),
		cmocka_unit_test(refusals_after_silence),
		cmocka_unit_test(changes_of_tool),
	};

	return cmocka_run_group_tests(tests, NULL, free_watched);
}
