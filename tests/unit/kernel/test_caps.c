// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "compile/compile.h"
#include "kernel/caps_text.h"
#include "kernel/disk.h"

#define PAGE 4096u

static char text[BH_CAP_TEXT_LEN];

static void counts_are_written_as_the_kernel_takes_them(void **state)
{
	bh_cap_count_text(536870912, text);
	assert_string_equal(text, "536870912");
	bh_cap_count_text(0, text);
	assert_string_equal(text, "0");
	bh_cap_count_text(BH_UNLIMITED, text);
	assert_string_equal(text, "max");
}

static void memory_is_read_back_in_pages(void **state)
{
	assert_true(bh_cap_count_holds("536870912\n", 536870912, PAGE));
	assert_true(bh_cap_count_holds("536870912\n", 536870913, PAGE));
	assert_true(bh_cap_count_holds("536870912\n", 536870912 + PAGE - 1, PAGE));
	assert_false(bh_cap_count_holds("536870912\n", 536870912 + PAGE, PAGE));
	assert_true(bh_cap_count_holds("0\n", 0, PAGE));
	assert_true(bh_cap_count_holds("max\n", BH_UNLIMITED, PAGE));
}

static void another_value_is_not_the_limit(void **state)
{
	assert_false(bh_cap_count_holds("513\n", 512, 1));
	assert_false(bh_cap_count_holds("max\n", 512, 1));
	assert_false(bh_cap_count_holds("512\n", BH_UNLIMITED, 1));
	assert_false(bh_cap_count_holds("", 512, 1));
	assert_false(bh_cap_count_holds("\n", 0, 1));
	assert_false(bh_cap_count_holds("512x\n", 512, 1));
	assert_false(bh_cap_count_holds("-512\n", 512, 1));
	assert_false(bh_cap_count_holds("maximum\n", BH_UNLIMITED, 1));
	assert_true(bh_cap_count_holds("512", 512, 1));
}

static void a_share_of_cpu_is_a_quota_in_a_tenth_of_a_second(void **state)
{
	bh_cap_cpu_text(500, text);
	assert_string_equal(text, "50000 100000");
	bh_cap_cpu_text(10, text);
	assert_string_equal(text, "1000 100000");
	bh_cap_cpu_text(8192000, text);
	assert_string_equal(text, "819200000 100000");
	bh_cap_cpu_text(BH_UNLIMITED, text);
	assert_string_equal(text, "max 100000");
}

static void cpu_is_read_back(void **state)
{
	assert_true(bh_cap_cpu_holds("50000 100000\n", 500));
	assert_true(bh_cap_cpu_holds("max 100000\n", BH_UNLIMITED));
	assert_false(bh_cap_cpu_holds("50000 50000\n", 500));
	assert_false(bh_cap_cpu_holds("50001 100000\n", 500));
	assert_false(bh_cap_cpu_holds("max 100000\n", 500));
	assert_false(bh_cap_cpu_holds("50000\n", 500));
	assert_false(bh_cap_cpu_holds("", 500));
}

static const struct bh_block_device disk = { 254, 16 };

static void each_disk_has_a_line(void **state)
{
	bh_cap_io_text(disk, 1048576, BH_UNLIMITED, text);
	assert_string_equal(text, "254:16 rbps=1048576 wbps=max");
	bh_cap_io_text(disk, (1ull << 53) - 1, 4096, text);
	assert_string_equal(text, "254:16 rbps=9007199254740991 wbps=4096");
}

static void the_line_of_a_disk_is_read_back(void **state)
{
	static const char found[] = "8:0 rbps=1048576 wbps=max riops=max wiops=max\n"
				    "254:16 rbps=max wbps=4096 riops=max wiops=10\n";

	assert_true(bh_cap_io_holds(found, disk, BH_UNLIMITED, 4096));
	assert_false(bh_cap_io_holds(found, disk, BH_UNLIMITED, 4097));
	assert_false(bh_cap_io_holds(found, disk, 1048576, 4096));
	assert_true(bh_cap_io_holds(found, (struct bh_block_device){ 8, 0 }, 1048576, BH_UNLIMITED));
	assert_false(bh_cap_io_holds(found, (struct bh_block_device){ 54, 16 }, BH_UNLIMITED, 4096));
	assert_false(bh_cap_io_holds(found, (struct bh_block_device){ 8, 1 }, 1048576, BH_UNLIMITED));
	assert_true(bh_cap_io_holds(found, (struct bh_block_device){ 8, 1 }, BH_UNLIMITED, BH_UNLIMITED));
	assert_false(bh_cap_io_holds("", disk, 1, 1));
	assert_false(bh_cap_io_holds("254:16 rbps=x wbps=4096\n", disk, BH_UNLIMITED, 4096));
	/* another disk's words are not this one's */
	assert_false(bh_cap_io_holds("254:16 riops=1\n8:0 rbps=5 wbps=6\n", disk, 5, 6));
}

static void a_disk_has_two_numbers(void **state)
{
	struct bh_block_device found;

	assert_true(bh_block_device_parse("254:16\n", &found));
	assert_int_equal(found.major, 254);
	assert_int_equal(found.minor, 16);
	assert_false(bh_block_device_parse("254\n", &found));
	assert_false(bh_block_device_parse("254:16", &found));
	assert_false(bh_block_device_parse("", &found));
}

static void events_are_found_by_their_whole_name(void **state)
{
	static const char memory[] = "low 0\nhigh 0\nmax 71\noom 3\noom_kill 2\noom_group_kill 1\n";

	assert_int_equal(bh_cap_event_count(memory, "oom"), 3);
	assert_int_equal(bh_cap_event_count(memory, "oom_kill"), 2);
	assert_int_equal(bh_cap_event_count(memory, "oom_group_kill"), 1);
	assert_int_equal(bh_cap_event_count(memory, "max"), 71);
	assert_int_equal(bh_cap_event_count(memory, "oom_k"), 0);
	assert_int_equal(bh_cap_event_count("", "max"), 0);
}

static void controllers_are_found_by_their_whole_name(void **state)
{
	assert_true(bh_controller_listed("cpuset cpu io memory hugetlb pids rdma misc\n", "cpu"));
	assert_true(bh_controller_listed("cpuset cpu io memory hugetlb pids\n", "pids"));
	assert_false(bh_controller_listed("cpuset io memory\n", "cpu"));
	assert_false(bh_controller_listed("\n", "cpu"));
	assert_false(bh_controller_listed("", "memory"));
}

static void a_missing_controller_is_looked_for(void **state)
{
	static const char groups[] = "#subsys_name\thierarchy\tnum_cgroups\tenabled\n"
				     "cpuset\t4\t1\t1\ncpu\t3\t62\t1\nmemory\t0\t1\t0\npids\t0\t80\t1\n";

	assert_int_equal(bh_controller_place(groups, "cpu"), BH_CONTROLLER_VERSION_1);
	assert_int_equal(bh_controller_place(groups, "memory"), BH_CONTROLLER_DISABLED);
	assert_int_equal(bh_controller_place(groups, "pids"), BH_CONTROLLER_ABSENT);
	assert_int_equal(bh_controller_place(groups, "io"), BH_CONTROLLER_ABSENT);
	assert_int_equal(bh_controller_place("", "memory"), BH_CONTROLLER_ABSENT);
}

static void only_a_file_system_of_a_size_is_a_limit(void **state)
{
	assert_true(bh_disk_fits(256, 4096, 1 << 20));
	assert_false(bh_disk_fits(257, 4096, 1 << 20));
	assert_false(bh_disk_fits(0, 4096, 1 << 20));
	assert_false(bh_disk_fits(UINT64_MAX, 4096, UINT64_MAX - 1));
}

static void every_directory_has_a_project_of_ours(void **state)
{
	assert_int_equal(bh_disk_project(12), 0x4000000c);
	assert_int_equal(bh_disk_project(0), 0x40000000);
	assert_int_equal(bh_disk_project(UINT64_MAX), 0x7fffffff);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_written_as_the_kernel_takes_them),
		cmocka_unit_test(memory_is_read_back_in_pages),
		cmocka_unit_test(another_value_is_not_the_limit),
		cmocka_unit_test(a_share_of_cpu_is_a_quota_in_a_tenth_of_a_second),
		cmocka_unit_test(cpu_is_read_back),
		cmocka_unit_test(each_disk_has_a_line),
		cmocka_unit_test(the_line_of_a_disk_is_read_back),
		cmocka_unit_test(a_disk_has_two_numbers),
		cmocka_unit_test(events_are_found_by_their_whole_name),
		cmocka_unit_test(controllers_are_found_by_their_whole_name),
		cmocka_unit_test(a_missing_controller_is_looked_for),
		cmocka_unit_test(only_a_file_system_of_a_size_is_a_limit),
		cmocka_unit_test(every_directory_has_a_project_of_ours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
