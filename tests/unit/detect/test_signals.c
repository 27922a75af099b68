// SPDX-License-Identifier: GPL-2.0-only
/* Every signal of rules/signals.def: what is just over its threshold, and what is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "tests/unit/detect/watched.h"

#define MINUTE_MS 60000u
#define HOUR_MS 3600000u

static unsigned int seen_signals;

/* Watches a signal; the test that follows is the one of that signal. */
static void begin(unsigned int signal, uint64_t over, uint32_t window_ms)
{
	watch(signal, over, window_ms, 0);
}

static void expect(unsigned int signal, size_t alerts)
{
	assert_int_equal(alerts_of(bh_signal_forms[signal].name), alerts);
	seen_signals += alerts;
}

/* A level, or a share of a cap: `below` is not over `over`, `above` is. */
static void check_level(unsigned int signal, uint64_t over, enum bh_sample_field field, uint64_t below, uint64_t above)
{
	begin(signal, over, 0);
	feed_sample(field, below);
	expect(signal, 0);
	watched.now += SECOND;
	feed_sample(field, above);
	expect(signal, 1);
}

/* A share of the time between two samples a second apart. */
static void check_share(unsigned int signal, enum bh_sample_field field)
{
	begin(signal, 50, 0);
	feed_sample(field, 1000);
	watched.now += SECOND;
	feed_sample(field, 1000 + 509999); /* 50 of 100 */
	expect(signal, 0);
	watched.now += SECOND;
	feed_sample(field, 1000 + 509999 + 510000);
	expect(signal, 1);
	assert_int_equal(watched.alerts[0].value, 51);
}

/* What grows by more than 100 in a minute. */
static void check_total(unsigned int signal, enum bh_sample_field field)
{
	begin(signal, 100, MINUTE_MS);
	feed_sample(field, 5000); /* what was before counts for nothing */
	watched.now += SECOND;
	feed_sample(field, 5060);
	watched.now += SECOND;
	feed_sample(field, 5100);
	expect(signal, 0);
	watched.now += SECOND;
	feed_sample(field, 7); /* a counter that began anew */
	expect(signal, 0);
	feed_sample(field, 8);
	expect(signal, 1);
}

/* The record that was begun counts, and one that differs a little does not. */
static void check_record(unsigned int signal, struct bh_event counts, struct bh_event other)
{
	begin(signal, 1, MINUTE_MS);
	record = other;
	feed();
	feed();
	expect(signal, 0);
	record = counts;
	feed();
	expect(signal, 0);
	feed();
	expect(signal, 1);
}

static struct bh_event refusal(unsigned int kind, unsigned int reason, const char *path)
{
	begin_refusal(kind, reason, path);
	return record;
}

static struct bh_event allowed(unsigned int kind, const char *path)
{
	begin_record(kind, path);
	return record;
}

static void resource_signals(void **state)
{
	seen_signals = 0;
	check_level(BH_WATCH_resource_memory_pct, 90, BH_SAMPLE_memory_bytes, (91 << 20) - 1, 91 << 20);
	check_level(BH_WATCH_resource_pids_pct, 80, BH_SAMPLE_tasks, 80, 81);
	check_share(BH_WATCH_resource_memory_psi, BH_SAMPLE_memory_stall_us);
	check_share(BH_WATCH_resource_cpu_psi, BH_SAMPLE_cpu_stall_us);
	check_share(BH_WATCH_resource_cpu_pct, BH_SAMPLE_cpu_us);
	check_total(BH_WATCH_resource_fork_rate, BH_SAMPLE_forks);
	check_total(BH_WATCH_resource_io_write, BH_SAMPLE_io_write_bytes);
	check_total(BH_WATCH_resource_oom_kills, BH_SAMPLE_oom_kills);
	begin(BH_WATCH_resource_wall_pct, 90, 0);
	bh_detect_tick(watched.detect, START);
	bh_detect_tick(watched.detect, START + 91 * SECOND - 1);
	expect(BH_WATCH_resource_wall_pct, 0);
	bh_detect_tick(watched.detect, START + 91 * SECOND);
	expect(BH_WATCH_resource_wall_pct, 1);
	assert_int_equal(seen_signals, 9);
}

static void syscall_signals(void **state)
{
	seen_signals = 0;
	check_record(BH_WATCH_syscall_denied_privilege, refusal(BH_KIND_NAMESPACE, BH_REASON_C2, NULL),
		     refusal(BH_KIND_FILE_OPEN, BH_REASON_F2, "/x"));
	check_record(BH_WATCH_syscall_denied_privilege, refusal(BH_KIND_BPF, BH_REASON_C0, NULL),
		     refusal(BH_KIND_CONNECT, BH_REASON_N0, NULL));
	check_record(BH_WATCH_syscall_denied_file, refusal(BH_KIND_FILE_OPEN, BH_REASON_F2, "/x"),
		     allowed(BH_KIND_FILE_OPEN, "/x"));
	check_record(BH_WATCH_syscall_exec_rate, allowed(BH_KIND_EXEC, "/usr/bin/git"),
		     refusal(BH_KIND_EXEC, BH_REASON_X1, "/usr/bin/git"));
	check_record(BH_WATCH_syscall_exec_failures, refusal(BH_KIND_EXEC, BH_REASON_X1, "/x"),
		     allowed(BH_KIND_EXEC, "/x"));
	check_total(BH_WATCH_syscall_exec_failures, BH_SAMPLE_exec_failures);
	check_record(BH_WATCH_syscall_anon_exec_maps, refusal(BH_KIND_MMAP_EXEC, BH_REASON_X11, NULL),
		     refusal(BH_KIND_MMAP_EXEC, BH_REASON_X8, "/lib/x.so"));
	assert_int_equal(seen_signals, 7);
}

static void network_signals(void **state)
{
	struct bh_event peer;

	seen_signals = 0;
	check_record(BH_WATCH_network_denied, refusal(BH_KIND_CONNECT, BH_REASON_N2, NULL),
		     refusal(BH_KIND_FILE_OPEN, BH_REASON_F2, "/x"));
	check_total(BH_WATCH_network_denied, BH_SAMPLE_packets_refused);
	check_record(BH_WATCH_network_denied_metadata, refusal(BH_KIND_CONNECT, BH_REASON_N0, NULL),
		     refusal(BH_KIND_CONNECT, BH_REASON_N2, NULL));
	check_total(BH_WATCH_network_bytes_out, BH_SAMPLE_bytes_out);

	begin(BH_WATCH_network_bytes_out_per_dest, 1000, MINUTE_MS);
	feed_flow("203.0.113.1", 443, 1000);
	feed_flow("203.0.113.2", 443, 1000);
	feed_flow("203.0.113.1", 80, 1000);
	expect(BH_WATCH_network_bytes_out_per_dest, 0);
	feed_flow("203.0.113.2", 443, 1);
	expect(BH_WATCH_network_bytes_out_per_dest, 1);
	assert_string_equal(watched.alerts[0].object, "203.0.113.2:443");

	begin(BH_WATCH_network_new_peers, 1, MINUTE_MS);
	begin_peer(BH_KIND_CONNECT, "203.0.113.1", 443);
	peer = record;
	feed();
	feed();
	expect(BH_WATCH_network_new_peers, 0);
	record = peer;
	record.address[3]++;
	feed();
	expect(BH_WATCH_network_new_peers, 1);

	begin(BH_WATCH_network_dns_queries, 2, MINUTE_MS);
	feed_query("example.org", true);
	feed_query("example.org", false);
	expect(BH_WATCH_network_dns_queries, 0);
	feed_query("example.org", false);
	expect(BH_WATCH_network_dns_queries, 1);

	begin(BH_WATCH_network_dns_refused, 1, MINUTE_MS);
	feed_query("example.org", true);
	feed_query("example.org", false);
	expect(BH_WATCH_network_dns_refused, 0);
	feed_query("example.org", true);
	expect(BH_WATCH_network_dns_refused, 1);
	assert_int_equal(seen_signals, 8);
}

/* Sixteen different characters have four bits each. */
static void label_entropy_is_a_mean(void **state)
{
	begin(BH_WATCH_network_dns_label_entropy, 350, 0);
	for (unsigned int i = 0; i < 7; i++)
		feed_query("0123456789abcdef.example.org", false);
	expect(BH_WATCH_network_dns_label_entropy, 0); /* too few to say */
	feed_query("0123456789abcdef.example.org", false);
	expect(BH_WATCH_network_dns_label_entropy, 1);
	assert_int_equal(watched.alerts[0].value, 400);
	begin(BH_WATCH_network_dns_label_entropy, 350, 0);
	for (unsigned int i = 0; i < 20; i++)
		feed_query(i % 2 ? "www.example.org" : "0123456789abcdef.example.org", false);
	expect(BH_WATCH_network_dns_label_entropy, 0); /* half of them are words */
}

static void behavioral_signals(void **state)
{
	seen_signals = 0;
	check_record(BH_WATCH_behavioral_denied_exec, refusal(BH_KIND_EXEC, BH_REASON_X1, "/x"),
		     refusal(BH_KIND_EXEC_ARGS, BH_REASON_X3, NULL));
	check_record(BH_WATCH_behavioral_denied_args, refusal(BH_KIND_EXEC_ARGS, BH_REASON_X3, NULL),
		     refusal(BH_KIND_EXEC, BH_REASON_X1, "/x"));
	check_record(BH_WATCH_behavioral_secret_touch, refusal(BH_KIND_FILE_OPEN, BH_REASON_F1, "/x"),
		     refusal(BH_KIND_FILE_OPEN, BH_REASON_F2, "/x"));

	begin(BH_WATCH_behavioral_new_binary, 2, MINUTE_MS);
	feed_start("/usr/bin/a", 1);
	feed_start("/usr/bin/b", 1);
	feed_start("/usr/bin/a", 1);
	expect(BH_WATCH_behavioral_new_binary, 0);
	feed_start("/usr/bin/c", 1);
	expect(BH_WATCH_behavioral_new_binary, 1);

	begin(BH_WATCH_behavioral_tool_hop_rate, 1, MINUTE_MS);
	feed_start("/usr/bin/node", 1);
	feed_start("/usr/bin/git", 2);
	feed_start("/usr/bin/git", 2);
	expect(BH_WATCH_behavioral_tool_hop_rate, 0);
	feed_start("/usr/bin/python", 3);
	expect(BH_WATCH_behavioral_tool_hop_rate, 1);

	begin(BH_WATCH_behavioral_write_then_exec, 0, MINUTE_MS);
	begin_record(BH_KIND_FILE_WRITE, "/tmp/a");
	feed();
	begin_refusal(BH_KIND_FILE_WRITE, BH_REASON_F2, "/tmp/b"); /* never written */
	feed();
	begin_refusal(BH_KIND_EXEC, BH_REASON_X1, "/tmp/b");
	feed();
	expect(BH_WATCH_behavioral_write_then_exec, 0);
	begin_refusal(BH_KIND_EXEC, BH_REASON_X1, "/tmp/a");
	feed();
	expect(BH_WATCH_behavioral_write_then_exec, 1);
	assert_int_equal(seen_signals, 6);
}

/* Each process is a child of the one before. */
static void depth_is_counted_from_the_first_program(void **state)
{
	begin(BH_WATCH_behavioral_child_depth, 3, 0);
	for (uint32_t i = 0; i < 5; i++) {
		begin_record(BH_KIND_EXEC, "/usr/bin/bash");
		record.pid = 100 + i;
		record.ppid = 99 + i;
		feed();
		expect(BH_WATCH_behavioral_child_depth, i > 3);
	}
	assert_int_equal(watched.alerts[0].value, 4);
}

static void bursts_count_after_a_silent_window_only(void **state)
{
	begin(BH_WATCH_behavioral_idle_then_burst, 2, MINUTE_MS);
	for (unsigned int i = 0; i < 9; i++)
		feed_start("/usr/bin/git", 1); /* the beginning follows nothing */
	watched.now += MINUTE;
	for (unsigned int i = 0; i < 9; i++)
		feed_start("/usr/bin/git", 1); /* follows a busy window */
	watched.now += 2 * MINUTE;
	feed_start("/usr/bin/git", 1);
	feed_start("/usr/bin/git", 1);
	expect(BH_WATCH_behavioral_idle_then_burst, 0);
	feed_start("/usr/bin/git", 1);
	expect(BH_WATCH_behavioral_idle_then_burst, 1);
}

static void a_percentage_without_its_cap_is_never_reached(void **state)
{
	struct bh_detect_threshold threshold = { .signal = BH_WATCH_resource_memory_pct, .over = 0 };

	watch_with((struct bh_detect_config){ .thresholds = &threshold, .thresholds_count = 1 });
	feed_sample(BH_SAMPLE_memory_bytes, UINT64_MAX);
	assert_int_equal(watched.count, 0);
}

static void huge_counters_do_not_wrap(void **state)
{
	begin(BH_WATCH_network_bytes_out, UINT64_C(1) << 62, HOUR_MS);
	feed_sample(BH_SAMPLE_bytes_out, 0);
	feed_sample(BH_SAMPLE_bytes_out, UINT64_MAX);
	feed_sample(BH_SAMPLE_bytes_out, 0);
	feed_sample(BH_SAMPLE_bytes_out, UINT64_MAX);
	assert_int_equal(watched.count, 1);
	begin(BH_WATCH_resource_cpu_pct, 100, 0);
	feed_sample(BH_SAMPLE_cpu_us, 0);
	watched.now += 1000;
	feed_sample(BH_SAMPLE_cpu_us, UINT64_MAX);
	assert_int_equal(watched.count, 1);
	assert_int_equal(watched.alerts[0].value, UINT32_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(resource_signals),
		cmocka_unit_test(syscall_signals),
		cmocka_unit_test(network_signals),
		cmocka_unit_test(label_entropy_is_a_mean),
		cmocka_unit_test(behavioral_signals),
		cmocka_unit_test(depth_is_counted_from_the_first_program),
		cmocka_unit_test(bursts_count_after_a_silent_window_only),
		cmocka_unit_test(a_percentage_without_its_cap_is_never_reached),
		cmocka_unit_test(huge_counters_do_not_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, free_watched);
}
