// SPDX-License-Identifier: GPL-2.0-only
/* The edges of windows, and what an episode is. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "tests/unit/detect/watched.h"

static void refuse(unsigned int times)
{
	begin_refusal(BH_KIND_CONNECT, BH_REASON_N2, NULL);
	record.family = AF_INET;
	while (times--)
		feed();
}

static void the_limit_itself_is_not_over_it(void **state)
{
	watch(BH_WATCH_network_denied, 5, 60000, 0);
	refuse(5);
	assert_int_equal(alerts_of("network.denied"), 0);
	refuse(1);
	assert_int_equal(alerts_of("network.denied"), 1);
	assert_int_equal(watched.alerts[0].value, 6);
	assert_int_equal(watched.alerts[0].limit, 5);
	assert_int_equal(watched.alerts[0].window_ms, 60000);
	assert_int_equal(watched.alerts[0].respond, BH_ALERT_KILL);
	assert_string_equal(watched.alerts[0].severity, "critical");
	assert_string_equal(watched.alerts[0].class, "network");
	assert_true(watched.alerts[0].threshold);
}

static void a_window_begins_at_a_multiple_of_its_length(void **state)
{
	watch(BH_WATCH_network_denied, 5, 60000, 0);
	watched.now = START + MINUTE - 1;
	refuse(5);
	watched.now = START + MINUTE; /* one nanosecond later, and another window */
	refuse(5);
	assert_int_equal(watched.count, 0);
	refuse(1);
	assert_int_equal(alerts_of("network.denied"), 1);
}

static void the_offset_puts_windows_on_the_real_clock(void **state)
{
	struct bh_detect_threshold threshold = { .signal = BH_WATCH_network_denied, .over = 5, .window_ms = 60000 };

	watch_with((struct bh_detect_config){
		.thresholds = &threshold, .thresholds_count = 1, .boot_offset_ns = 30 * (int64_t)SECOND });
	watched.now = START + 29 * SECOND;
	refuse(3);
	watched.now = START + 30 * SECOND; /* a full minute on the real clock */
	refuse(5);
	assert_int_equal(watched.count, 0);
	refuse(1);
	assert_int_equal(alerts_of("network.denied"), 1);
	assert_int_equal(watched.alerts[0].time_ns, START + 30 * SECOND); /* again that of the record */
}

static void an_episode_is_said_once_and_again_after_ten_minutes(void **state)
{
	watch(BH_WATCH_network_denied, 5, 60000, 0);
	for (unsigned int minute = 0; minute < 10; minute++, watched.now += MINUTE)
		refuse(6);
	assert_int_equal(alerts_of("network.denied"), 1);
	refuse(6);
	assert_int_equal(alerts_of("network.denied"), 2);
}

static void after_a_quiet_window_it_is_a_new_episode(void **state)
{
	watch(BH_WATCH_network_denied, 5, 60000, 0);
	refuse(6);
	watched.now += MINUTE;
	refuse(5);
	watched.now += MINUTE;
	refuse(6);
	assert_int_equal(alerts_of("network.denied"), 2);
}

static void a_duration_is_so_many_windows_in_a_row(void **state)
{
	watch(BH_WATCH_network_denied, 5, 60000, 150000); /* two and a half: three */
	refuse(6);
	watched.now += MINUTE;
	refuse(6);
	watched.now += MINUTE;
	refuse(5);
	assert_int_equal(watched.count, 0);
	refuse(1);
	assert_int_equal(alerts_of("network.denied"), 1);
}

static void a_window_without_anything_breaks_the_row(void **state)
{
	watch(BH_WATCH_network_denied, 5, 60000, 120000);
	refuse(6);
	watched.now += 2 * MINUTE;
	refuse(6);
	assert_int_equal(watched.count, 0);
	watched.now += MINUTE;
	refuse(6);
	assert_int_equal(alerts_of("network.denied"), 1);
}

static void time_never_runs_backwards(void **state)
{
	watch(BH_WATCH_network_denied, 5, 1000, 0);
	refuse(3);
	watched.now = START - HOUR; /* from another processor, late */
	refuse(3);
	assert_int_equal(alerts_of("network.denied"), 1);
}

static void a_threshold_of_a_tool_counts_that_tool_only(void **state)
{
	struct bh_detect_threshold threshold = {
		.signal = BH_WATCH_syscall_exec_rate, .tool = 2, .over = 1, .window_ms = 60000
	};

	watch_with((struct bh_detect_config){ .thresholds = &threshold, .thresholds_count = 1 });
	feed_start("/usr/bin/git", 1);
	feed_start("/usr/bin/git", 1);
	feed_start("/usr/bin/git", 2);
	assert_int_equal(watched.count, 0);
	feed_start("/usr/bin/git", 2);
	assert_int_equal(alerts_of("syscall.exec_rate"), 1);
	assert_int_equal(watched.alerts[0].tool, 2);
}

static void several_thresholds_of_one_signal_are_all_kept(void **state)
{
	struct bh_detect_threshold thresholds[] = {
		{ .signal = BH_WATCH_network_denied, .over = 2, .window_ms = 1000, .respond = BH_ALERT_ONLY },
		{ .signal = BH_WATCH_network_denied, .over = 4, .window_ms = 60000, .respond = BH_ALERT_FREEZE },
	};

	watch_with((struct bh_detect_config){ .thresholds = thresholds, .thresholds_count = 2 });
	refuse(3);
	watched.now += SECOND;
	refuse(2);
	assert_int_equal(watched.count, 2);
	assert_int_equal(watched.alerts[0].respond, BH_ALERT_ONLY);
	assert_int_equal(watched.alerts[1].respond, BH_ALERT_FREEZE);
}

static void a_state_must_last(void **state)
{
	watch(BH_WATCH_resource_memory_pct, 90, 0, 30000);
	feed_sample(BH_SAMPLE_memory_bytes, 91 << 20);
	watched.now += 30 * SECOND - 1;
	feed_sample(BH_SAMPLE_memory_bytes, 91 << 20);
	assert_int_equal(watched.count, 0);
	watched.now += 1;
	feed_sample(BH_SAMPLE_memory_bytes, 91 << 20);
	assert_int_equal(alerts_of("resource.memory_pct"), 1);
	assert_int_equal(watched.alerts[0].value, 91);
	assert_int_equal(watched.alerts[0].window_ms, 0);
}

static void a_state_that_ends_begins_anew(void **state)
{
	watch(BH_WATCH_resource_memory_pct, 90, 0, 30000);
	feed_sample(BH_SAMPLE_memory_bytes, 95 << 20);
	watched.now += 20 * SECOND;
	feed_sample(BH_SAMPLE_memory_bytes, 90 << 20);
	watched.now += 10 * SECOND;
	feed_sample(BH_SAMPLE_memory_bytes, 95 << 20);
	watched.now += 29 * SECOND;
	feed_sample(BH_SAMPLE_memory_bytes, 95 << 20);
	assert_int_equal(watched.count, 0);
}

static void what_makes_no_sense_is_refused(void **state)
{
	struct bh_detect_threshold threshold = { .signal = BH_WATCH_network_denied, .window_ms = 0 };
	struct bh_detect_config config = { .thresholds = &threshold, .thresholds_count = 1, .emit = watched_emit };
	struct bh_detect *detect = NULL;

	assert_int_equal(bh_detect_new(&config, &detect), -EINVAL); /* a rate without its window */
	threshold = (struct bh_detect_threshold){ .signal = 10, .window_ms = 1000 };
	assert_int_equal(bh_detect_new(&config, &detect), -EINVAL); /* no such signal */
	threshold = (struct bh_detect_threshold){ .signal = 60000, .window_ms = 1000 };
	assert_int_equal(bh_detect_new(&config, &detect), -EINVAL);
	threshold = (struct bh_detect_threshold){ .signal = BH_WATCH_resource_memory_pct, .window_ms = 1000 };
	assert_int_equal(bh_detect_new(&config, &detect), -EINVAL); /* a state with a window */
	config.thresholds_count = BH_DETECT_THRESHOLDS_MAX + 1;
	assert_int_equal(bh_detect_new(&config, &detect), -EINVAL);
	config = (struct bh_detect_config){ .emit = watched_emit, .honey_count = BH_DETECT_HONEY_MAX + 1 };
	assert_int_equal(bh_detect_new(&config, &detect), -EINVAL);
	assert_null(detect);
}

static void memory_is_bounded(void **state)
{
	assert_true(sizeof(struct bh_detect) <= BH_DETECT_BYTES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_limit_itself_is_not_over_it),
		cmocka_unit_test(a_window_begins_at_a_multiple_of_its_length),
		cmocka_unit_test(the_offset_puts_windows_on_the_real_clock),
		cmocka_unit_test(an_episode_is_said_once_and_again_after_ten_minutes),
		cmocka_unit_test(after_a_quiet_window_it_is_a_new_episode),
		cmocka_unit_test(a_duration_is_so_many_windows_in_a_row),
		cmocka_unit_test(a_window_without_anything_breaks_the_row),
		cmocka_unit_test(time_never_runs_backwards),
		cmocka_unit_test(a_threshold_of_a_tool_counts_that_tool_only),
		cmocka_unit_test(several_thresholds_of_one_signal_are_all_kept),
		cmocka_unit_test(a_state_must_last),
		cmocka_unit_test(a_state_that_ends_begins_anew),
		cmocka_unit_test(what_makes_no_sense_is_refused),
		cmocka_unit_test(memory_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, free_watched);
}
