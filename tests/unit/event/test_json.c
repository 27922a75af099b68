// SPDX-License-Identifier: GPL-2.0-only
/* Golden lines lie in golden/, read from the top of the tree; BH_GOLDEN_WRITE=1 writes them anew. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <jansson.h>

#include "tests/unit/event/sample.h"

#define GOLDEN "tests/unit/event/golden/%s.json"

static struct bh_event event;

static void compare(const char *name, char *line)
{
	char path[256], golden[8192] = "";
	FILE *file;

	snprintf(path, sizeof(path), GOLDEN, name);
	file = fopen(path, getenv("BH_GOLDEN_WRITE") ? "w+" : "r");
	if (!file)
		fail_msg("%s: %s (run from the top of the tree)", path, strerror(errno));
	if (getenv("BH_GOLDEN_WRITE")) {
		fputs(line, file);
		rewind(file);
	}
	golden[fread(golden, 1, sizeof(golden) - 1, file)] = '\0';
	fclose(file);
	assert_string_equal(line, golden);
	free(line);
}

static void golden(const char *name)
{
	const struct bh_event *checked;

	assert_int_equal(bh_event_check(&event, event.length, &checked), 0);
	compare(name, SAMPLE_WRITTEN(out, bh_event_json(checked, &sample_context, out)));
}

static void every_kind_of_file_event_is_golden(void **state)
{
	sample_event(&event, BH_KIND_EXEC, BH_REASON_X1, "/tmp/x.sh");
	event.access = BH_ACCESS_EXEC;
	golden("exec");
	sample_event(&event, BH_KIND_FILE_OPEN, BH_REASON_F1, "/etc/shadow");
	event.access = BH_ACCESS_READ;
	event.rule = 7;
	golden("file_open");
	sample_event(&event, BH_KIND_FILE_WRITE, BH_REASON_F2, "/usr/bin/git");
	event.access = BH_ACCESS_WRITE;
	golden("file_write");
	sample_event(&event, BH_KIND_FILE_LINK, BH_REASON_F2, "/workspace/link");
	golden("file_link");
	sample_event(&event, BH_KIND_FILE_RENAME, BH_REASON_P0, NULL);
	golden("file_rename");
	sample_event(&event, BH_KIND_MMAP_EXEC, BH_REASON_X8, "/workspace/evil.so");
	event.access = BH_ACCESS_LOAD;
	golden("mmap_exec");
}

static void every_kind_of_network_event_is_golden(void **state)
{
	sample_event(&event, BH_KIND_CONNECT, BH_REASON_N0, NULL);
	sample_peer(&event, AF_INET, "169.254.169.254", 80, IPPROTO_TCP);
	event.verdict = event.wanted = BH_VERDICT_KILL;
	event.tool = 3;
	golden("connect");
	sample_event(&event, BH_KIND_SENDMSG, BH_REASON_N2, NULL);
	sample_peer(&event, AF_INET6, "2001:db8::35", 53, IPPROTO_UDP);
	golden("sendmsg");
	sample_event(&event, BH_KIND_SOCKET, BH_REASON_N6, NULL);
	sample_peer(&event, AF_NETLINK, NULL, 0, 15);
	golden("socket");
	sample_event(&event, BH_KIND_UNIX_CONNECT, BH_REASON_U2, "/run/docker.sock");
	sample_peer(&event, AF_UNIX, NULL, 0, 0);
	golden("unix_connect");
	sample_event(&event, BH_KIND_BIND, BH_REASON_N8, NULL);
	sample_peer(&event, AF_INET, NULL, 0, IPPROTO_TCP);
	golden("bind");
	sample_event(&event, BH_KIND_SOCKET, BH_REASON_N9, NULL);
	sample_peer(&event, AF_INET6, NULL, 0, IPPROTO_TCP);
	golden("socket_option");
}

static void other_kinds_are_golden(void **state)
{
	sample_event(&event, BH_KIND_NAMESPACE, BH_REASON_C2, NULL);
	event.cgroup_id = 5678; /* below the sandbox's own */
	golden("namespace");
	sample_event(&event, BH_KIND_EXIT, BH_REASON_NONE, NULL);
	event.verdict = event.wanted = BH_VERDICT_ALLOW;
	event.tool = BH_TOOL_NONE;
	golden("exit");
	sample_event(&event, BH_KIND_PTRACE, BH_REASON_C2, NULL);
	memset(event.ancestors[0], 0, sizeof(event.ancestors[0])); /* prctl(PR_SET_NAME, "") */
	golden("ptrace");
	sample_event(&event, BH_KIND_SIGNAL, BH_REASON_C2, NULL);
	golden("signal");
	sample_event(&event, BH_KIND_TERMINAL, BH_REASON_C2, NULL);
	golden("terminal");
}

static void observe_mode_says_what_would_have_been_done(void **state)
{
	struct bh_event_context context = sample_context;

	context.mode = BH_MODE_OBSERVE;
	sample_event(&event, BH_KIND_CONNECT, BH_REASON_N2, NULL);
	sample_peer(&event, AF_INET, "192.0.2.1", 443, IPPROTO_TCP);
	event.verdict = BH_VERDICT_ALLOW;
	compare("observe", SAMPLE_WRITTEN(out, bh_event_json(&event, &context, out)));
}

static void lifecycle_lines_are_golden(void **state)
{
	struct bh_lifecycle kill = {
		.kind = "kill",
		.verdict = "kill",
		.severity = "critical",
		.reason = "N0",
		.sequence = 3,
		.time_ns = 68000000000,
		.message = "sandbox coder-1 was ended",
		.latency_us = 420,
		.tasks = 17,
		.action = "kill",
		.lost = -1,
	};
	struct bh_lifecycle drop = {
		.kind = "drop",
		.severity = "medium",
		.message = "12 events of sandbox coder-1 found the ring full",
		.sequence = 4,
		.time_ns = 69000000000,
		.latency_us = -1,
		.tasks = -1,
		.lost = 12,
	};

	compare("lifecycle_kill", SAMPLE_WRITTEN(out, bh_lifecycle_json(&kill, &sample_context, out)));
	compare("lifecycle_drop", SAMPLE_WRITTEN(out, bh_lifecycle_json(&drop, &sample_context, out)));
}

static void foreign_bytes_are_repaired_and_controls_escaped(void **state)
{
	char *line;
	json_t *parsed;

	sample_event(&event, BH_KIND_FILE_OPEN, BH_REASON_F2, NULL);
	sample_path(&event, "/a\xff\x1b[2J\x7f\xc2\x9b\xe2\x80\xae\"\\\xe2\x82", 17);
	line = SAMPLE_WRITTEN(out, bh_event_json(&event, &sample_context, out));
	assert_non_null(strstr(line, "/a\xef\xbf\xbd\\u001B[2J\\u007F\\u009B\\u202E\\\"\\\\\xef\xbf\xbd"));
	for (const char *at = line; at[1]; at++)
		assert_true((unsigned char)*at >= ' ' && *at != 0x7f);
	parsed = json_loads(line, 0, NULL);
	assert_non_null(parsed);
	assert_string_equal(json_string_value(json_object_get(json_object_get(parsed, "file"), "path")),
			    "/a\xef\xbf\xbd\x1b[2J\x7f\xc2\x9b\xe2\x80\xae\"\\\xef\xbf\xbd");
	json_decref(parsed);
	free(line);
}

static void what_is_not_known_is_left_out(void **state)
{
	const struct bh_event_context nothing = { 0 };
	char *line;

	sample_event(&event, BH_KIND_NAMESPACE, BH_REASON_C2, NULL);
	memset(event.comm, 0, sizeof(event.comm));
	memset(event.exe, 0, sizeof(event.exe));
	memset(event.ancestors, 0, sizeof(event.ancestors));
	line = SAMPLE_WRITTEN(out, bh_event_json(&event, &nothing, out));
	assert_null(strstr(line, "null"));
	assert_null(strstr(line, "policy"));
	assert_null(strstr(line, "sandbox"));
	assert_null(strstr(line, "comm"));
	assert_null(strstr(line, "file"));
	free(line);
}

static void a_full_disk_is_reported(void **state)
{
	FILE *out = fopen("/dev/full", "w");

	if (!out)
		skip();
	setvbuf(out, NULL, _IONBF, 0);
	sample_event(&event, BH_KIND_SOCKET, BH_REASON_N6, NULL);
	assert_int_equal(bh_event_json(&event, &sample_context, out), -EIO);
	fclose(out);
}

/* jansson allocates through these: the n-th allocation fails. */
static unsigned int allowed;

static void *failing_malloc(size_t size)
{
	return allowed ? (allowed--, malloc(size)) : NULL;
}

static void no_failed_allocation_crashes_or_writes_half_a_line(void **state)
{
	unsigned int n;
	int result = -ENOMEM;

	sample_event(&event, BH_KIND_FILE_OPEN, BH_REASON_F1, "/etc/shadow");
	json_set_alloc_funcs(failing_malloc, free);
	for (n = 0; result && n < 1000; n++) {
		char *line = NULL;
		size_t length = 0;
		FILE *out = open_memstream(&line, &length);

		allowed = n;
		result = bh_event_json(&event, &sample_context, out);
		fclose(out);
		assert_true(result == 0 ? length > 0 : result == -ENOMEM && length == 0);
		free(line);
	}
	json_set_alloc_funcs(malloc, free);
	assert_int_equal(result, 0);
	assert_true(n > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_file_event_is_golden),
		cmocka_unit_test(every_kind_of_network_event_is_golden),
		cmocka_unit_test(other_kinds_are_golden),
		cmocka_unit_test(observe_mode_says_what_would_have_been_done),
		cmocka_unit_test(lifecycle_lines_are_golden),
		cmocka_unit_test(foreign_bytes_are_repaired_and_controls_escaped),
		cmocka_unit_test(what_is_not_known_is_left_out),
		cmocka_unit_test(a_full_disk_is_reported),
		cmocka_unit_test(no_failed_allocation_crashes_or_writes_half_a_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
