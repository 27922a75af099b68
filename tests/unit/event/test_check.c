// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "tests/unit/event/sample.h"

static struct bh_event event;

static int check(void)
{
	const struct bh_event *found = NULL;
	int result = bh_event_check(&event, event.length, &found);

	assert_true(result == 0 ? found == &event : result == -EPROTO && !found);
	return result;
}

static void start(void)
{
	sample_event(&event, BH_KIND_FILE_OPEN, BH_REASON_F1, "/etc/shadow");
	event.access = BH_ACCESS_READ;
	assert_int_equal(check(), 0);
}

#define REFUSED_WHEN(change)                                                                                           \
	do {                                                                                                           \
		start();                                                                                               \
		change;                                                                                                \
		assert_int_equal(check(), -EPROTO);                                                                    \
	} while (0)

static void well_formed_records_pass(void **state)
{
	start();
	sample_event(&event, BH_KIND_SOCKET, BH_REASON_N6, NULL);
	assert_int_equal(check(), 0);
	start();
	event.verdict = BH_VERDICT_ALLOW; /* observe */
	assert_int_equal(check(), 0);
	sample_event(&event, BH_KIND_EXIT, BH_REASON_NONE, NULL);
	event.verdict = event.wanted = BH_VERDICT_ALLOW;
	assert_int_equal(check(), 0);
}

static void the_longest_path_passes(void **state)
{
	static char path[BH_PATH_MAX - 1];

	memset(path, 'a', sizeof(path));
	sample_event(&event, BH_KIND_FILE_OPEN, BH_REASON_F2, NULL);
	sample_path(&event, path, sizeof(path));
	assert_int_equal(check(), 0);
	event.path_length++;
	event.length++;
	assert_int_equal(check(), -EPROTO);
}

static void lengths_must_agree(void **state)
{
	const struct bh_event *found;

	start();
	for (size_t length = 0; length < event.length; length++)
		assert_int_equal(bh_event_check(&event, length, &found), -EPROTO);
	assert_int_equal(bh_event_check(&event, event.length + 4u, &found), 0); /* the ring rounds up */
	assert_int_equal(bh_event_check(NULL, event.length, &found), -EPROTO);
	assert_int_equal(bh_event_check((const char *)&event + 1, event.length, &found), -EPROTO);
	REFUSED_WHEN(event.length--);
	REFUSED_WHEN(event.path_length--);
	REFUSED_WHEN(event.path_length = UINT32_MAX);
}

static void unknown_numbers_are_refused(void **state)
{
	REFUSED_WHEN(event.version = 0);
	REFUSED_WHEN(event.version = 2);
	REFUSED_WHEN(event.kind = 0);
	REFUSED_WHEN(event.kind = BH_KIND_LAST + 1);
	REFUSED_WHEN(event.kind = 255);
	REFUSED_WHEN(event.verdict = 0);
	REFUSED_WHEN(event.verdict = event.wanted = 6);
	REFUSED_WHEN(event.wanted = 0);
	REFUSED_WHEN(event.reason = 3);
	REFUSED_WHEN(event.reason = 65535);
	REFUSED_WHEN(event.tool = BH_TOOLS_MAX + 1);
	REFUSED_WHEN(event.access = 16);
	REFUSED_WHEN(event.number = BH_PRIVILEGE_LSM_ADMIN + 2);
	REFUSED_WHEN(event.number = 255);
	REFUSED_WHEN((event.kind = BH_KIND_CAPABILITY, event.number = 42));
	REFUSED_WHEN(event.pad1 = 1);
}

static void verdicts_must_agree(void **state)
{
	REFUSED_WHEN(event.wanted = BH_VERDICT_ALLOW);
	REFUSED_WHEN(event.verdict = BH_VERDICT_KILL);
	REFUSED_WHEN(event.wanted = BH_VERDICT_KILL);
	REFUSED_WHEN(event.reason = BH_REASON_NONE); /* a refusal without a reason */
}

static void strings_must_end(void **state)
{
	REFUSED_WHEN(memset(event.comm, 'x', sizeof(event.comm)));
	REFUSED_WHEN(memset(event.exe, 'x', sizeof(event.exe)));
	for (size_t i = 0; i < BH_ANCESTORS; i++)
		REFUSED_WHEN(memset(event.ancestors, 'x', 16 * (i + 1)));
	REFUSED_WHEN(event.path[event.path_length - 1] = 'x');
	REFUSED_WHEN(event.path[3] = '\0');
}

/* prctl(PR_SET_NAME, "") must not be a way to have one's denials thrown away. */
static void a_process_without_a_name_hides_nothing(void **state)
{
	start();
	memset(event.comm, 0, sizeof(event.comm));
	memset(event.ancestors, 0, sizeof(event.ancestors));
	event.ancestors[2][0] = 'x';
	assert_int_equal(check(), 0);
}

static void only_abstract_names_may_hold_nuls(void **state)
{
	sample_event(&event, BH_KIND_UNIX_CONNECT, BH_REASON_U2, NULL);
	event.family = AF_UNIX;
	sample_path(&event, "\0bus\0a", 6);
	assert_int_equal(check(), 0);
	event.kind = BH_KIND_FILE_OPEN;
	assert_int_equal(check(), -EPROTO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(well_formed_records_pass),
		cmocka_unit_test(the_longest_path_passes),
		cmocka_unit_test(lengths_must_agree),
		cmocka_unit_test(unknown_numbers_are_refused),
		cmocka_unit_test(verdicts_must_agree),
		cmocka_unit_test(strings_must_end),
		cmocka_unit_test(a_process_without_a_name_hides_nothing),
		cmocka_unit_test(only_abstract_names_may_hold_nuls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
