// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "event/describe.h"
#include "tests/unit/event/sample.h"

static struct bh_event event;

static void expect_line(const struct bh_event_context *context, bool colour, const char *expected)
{
	char *line = SAMPLE_WRITTEN(out, bh_event_text(&event, context, colour, out));

	assert_string_equal(line, expected);
	free(line);
}

static void expect_message(const char *expected)
{
	char message[BH_MESSAGE_LEN];

	bh_event_message(&event, &sample_context, message);
	assert_string_equal(message, expected);
}

static void lines_are_aligned(void **state)
{
	sample_event(&event, BH_KIND_EXEC, BH_REASON_X1, "/tmp/x.sh");
	expect_line(&sample_context, false,
		    "12:01:07 coder-1      git        exec         DENY  X1 /tmp/x.sh  no edge of this tool leads to "
		    "this program\n");
	sample_event(&event, BH_KIND_CONNECT, BH_REASON_N2, NULL);
	sample_peer(&event, AF_INET6, "2001:db8::1", 443, IPPROTO_TCP);
	event.tool = 3;
	expect_line(&sample_context, false,
		    "12:01:07 coder-1      python     connect      DENY  N2 [2001:db8::1]:443  no destination of this "
		    "tool covers "
		    "this address and port\n");
	sample_event(&event, BH_KIND_FILE_OPEN, BH_REASON_F1, "/workspace/.git/hooks/pre-commit");
	event.access = BH_ACCESS_WRITE;
	expect_line(&sample_context, false,
		    "12:01:07 coder-1      git        file_open    DENY  F1 write /workspace/.git/hooks/pre-commit  "
		    "the policy or a "
		    "shipped guard forbids this file\n");
}

static void code_in_memory_has_no_path(void **state)
{
	sample_event(&event, BH_KIND_MMAP_EXEC, BH_REASON_X11, NULL);
	event.access = BH_ACCESS_LOAD;
	expect_message(
		"tool 'git' may not run code in memory that it can change: only a tool with 'jit: true' may run code "
		"in anonymous or changed memory");
}

static void colour_marks_the_verdict_only(void **state)
{
	sample_event(&event, BH_KIND_NAMESPACE, BH_REASON_C2, NULL);
	event.verdict = event.wanted = BH_VERDICT_KILL;
	expect_line(&sample_context, true,
		    "12:01:07 coder-1      git        namespace    \033[1;31mKILL \033[0m C2 this privileged operation "
		    "is not allowed\n");
}

static void observe_mode_shows_would(void **state)
{
	sample_event(&event, BH_KIND_SENDMSG, BH_REASON_N2, NULL);
	sample_peer(&event, AF_INET, "192.0.2.1", 53, IPPROTO_UDP);
	event.verdict = BH_VERDICT_ALLOW;
	expect_line(&sample_context, false,
		    "12:01:07 coder-1      git        sendmsg      would DENY N2 192.0.2.1:53/udp  no destination of "
		    "this tool covers "
		    "this address and port\n");
	expect_message("tool 'git' would not be allowed to send to 192.0.2.1 port 53 (udp): "
		       "no destination of this tool covers this address and port");
}

static void nothing_foreign_reaches_the_terminal(void **state)
{
	struct bh_event_context context = sample_context;
	char *line;

	context.sandbox_name = "a\033[2Jb c";
	sample_event(&event, BH_KIND_FILE_OPEN, BH_REASON_F2, "/tmp/\033]0;x\007 ALLOW\n\xc2\x9b\\");
	event.access = BH_ACCESS_READ;
	line = SAMPLE_WRITTEN(out, bh_event_text(&event, &context, false, out));
	for (const char *at = line; at[1]; at++)
		assert_true(*at >= ' ' && *at < 0x7f);
	assert_non_null(strstr(line, "a\\x1b[2Jb\\x20c"));
	assert_non_null(strstr(line, "read /tmp/\\x1b]0;x\\x07\\x20ALLOW\\x0a\\xc2\\x9b\\x5c  no rule"));
	free(line);
}

static void lifecycle_has_the_same_columns(void **state)
{
	const struct bh_lifecycle kill = {
		.kind = "kill",
		.verdict = "kill",
		.severity = "critical",
		.reason = "N0",
		.time_ns = 67000000000,
		.message = "sandbox ended\n",
		.latency_us = 420,
		.tasks = 17,
		.action = "kill",
		.lost = -1,
	};
	char *line = SAMPLE_WRITTEN(out, bh_lifecycle_text(&kill, &sample_context, false, out));

	assert_string_equal(line,
			    "12:01:07 coder-1      -          kill         KILL  N0 sandbox ended\\x0a  (420 us)\n");
	free(line);
}

static void sentences_are_built_from_the_facts(void **state)
{
	sample_event(&event, BH_KIND_CONNECT, BH_REASON_N0, NULL);
	sample_peer(&event, AF_INET, "169.254.169.254", 80, IPPROTO_TCP);
	event.tool = 3;
	expect_message("tool 'python' may not connect to 169.254.169.254 port 80: "
		       "always-blocked address (cloud metadata); no policy can open it");
	sample_event(&event, BH_KIND_UNIX_CONNECT, BH_REASON_U2, NULL);
	event.tool = 9;
	expect_message(
		"tool 9 may not connect to a unix socket: no rule of this tool lists this unix socket, and its owner is "
		"outside this sandbox");
	sample_event(&event, BH_KIND_EXEC_ARGS, BH_REASON_X3, "-c core.pager=sh status");
	event.verdict = event.wanted = BH_VERDICT_TASK;
	expect_message(
		"tool 'git' may not start /usr/bin/git with the arguments -c core.pager=sh status: these arguments "
		"are not ones that this program may be given; the process is ended");
	sample_event(&event, BH_KIND_EXEC_ARGS, BH_REASON_X4, NULL);
	event.verdict = event.wanted = BH_VERDICT_FREEZE;
	expect_message(
		"tool 'git' may not start /usr/bin/git with this environment: this environment is not one that this "
		"program may be given; the sandbox is stopped as it is");
	sample_event(&event, BH_KIND_EXEC_ARGS, BH_REASON_X5, "LD_PRELOAD");
	expect_message("tool 'git' may not start with the variable LD_PRELOAD: a variable that the dynamic loader or "
		       "the next tool's programs obey may not enter that tool");
	sample_event(&event, BH_KIND_EXEC, BH_REASON_X6, NULL);
	event.tool = BH_TOOL_NONE;
	event.verdict = event.wanted = BH_VERDICT_KILL;
	expect_message("a process that entered no tool may not execute a file without a readable path: "
		       "the interpreter of this script is not one the tool may run; the sandbox is ended");
	sample_event(&event, BH_KIND_FILE_OPEN, BH_REASON_NONE, "/etc/hosts");
	event.verdict = event.wanted = BH_VERDICT_ALLOW;
	event.access = BH_ACCESS_READ;
	expect_message("tool 'git' was allowed to read /etc/hosts");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_aligned),
		cmocka_unit_test(code_in_memory_has_no_path),
		cmocka_unit_test(colour_marks_the_verdict_only),
		cmocka_unit_test(observe_mode_shows_would),
		cmocka_unit_test(nothing_foreign_reaches_the_terminal),
		cmocka_unit_test(lifecycle_has_the_same_columns),
		cmocka_unit_test(sentences_are_built_from_the_facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
