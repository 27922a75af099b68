// SPDX-License-Identifier: GPL-2.0-only
/* Detections by single records: what tips each, and what is next to it and does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "tests/unit/detect/watched.h"

static void begin(void)
{
	watch_with((struct bh_detect_config){ 0 });
}

/* The only alert since the beginning is this one. */
static void only(enum bh_detection what)
{
	assert_int_equal(watched.count, 1);
	assert_string_equal(watched.alerts[0].name, bh_detections[what].name);
	assert_string_equal(watched.alerts[0].severity, bh_detections[what].severity);
	assert_false(watched.alerts[0].threshold);
	assert_int_equal(watched.alerts[0].respond, BH_ALERT_ONLY);
}

static void quiet(void)
{
	assert_int_equal(watched.count, 0);
}

static void writing(const char *path)
{
	begin_record(BH_KIND_FILE_WRITE, path);
	record.access = BH_ACCESS_WRITE;
	feed();
}

static void reading(const char *path)
{
	begin_record(BH_KIND_FILE_OPEN, path);
	record.access = BH_ACCESS_READ;
	feed();
}

/* Names: what is written, and what is written next to it or only read. */
static void names_that_are_written(void **state)
{
	static const struct {
		enum bh_detection what;
		const char *hit, *miss;
	} cases[] = {
		{ BH_DETECTION_cgroup_escape, "/sys/fs/cgroup/a/cgroup.procs", "/sys/fs/cgroups" },
		{ BH_DETECTION_cgroup_escape, "/mnt/x/release_agent", "/mnt/x/release_agents" },
		{ BH_DETECTION_kernel_interface, "/proc/sys/kernel/core_pattern", "/proc/self/oom_score_adj" },
		{ BH_DETECTION_kernel_interface, "/proc/sysrq-trigger", "/proc/sysrq-triggers" },
		{ BH_DETECTION_process_injection, "/proc/4711/mem", "/proc/4711/task/mem" },
		{ BH_DETECTION_log_wiping, "/var/log/auth.log", "/var/log/nginx/access.log" },
		{ BH_DETECTION_log_wiping, "/root/.bash_history", "/root/bash_history" },
		{ BH_DETECTION_cron_persistence, "/etc/cron.d/x", "/etc/crond/x" },
		{ BH_DETECTION_cron_persistence, "/var/spool/cron/crontabs/root", "/var/spool/cronx" },
		{ BH_DETECTION_shell_startup, "/home/u/.bashrc", "/home/u/bashrc" },
		{ BH_DETECTION_shell_startup, "/.profile", "/.profile.d/x" },
		{ BH_DETECTION_repository_hook, "/work/a/.git/hooks/pre-commit",
		  "/work/a/.git/hooks/pre-commit.sample" },
		{ BH_DETECTION_service_persistence, "/etc/systemd/system/x.service", "/etc/systemd" },
		{ BH_DETECTION_account_change, "/root/.ssh/authorized_keys", "/root/.ssh/known_hosts" },
		{ BH_DETECTION_account_change, "/etc/passwd", "/etc/passwd.d" },
		{ BH_DETECTION_loader_hijack, "/etc/ld.so.preload", "/etc/ld.so.cache" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		begin();
		writing(cases[i].miss);
		reading(cases[i].hit);
		quiet();
		writing(cases[i].hit);
		only(cases[i].what);
		assert_ptr_equal(watched.alerts[0].event, &record);
	}
}

static void names_that_are_touched(void **state)
{
	static const struct {
		enum bh_detection what;
		const char *hit, *miss;
	} cases[] = {
		{ BH_DETECTION_credential_touch, "/etc/shadow", "/etc/shadows" },
		{ BH_DETECTION_credential_touch, "/home/u/.ssh/id_ed25519", "/home/u/.ssh/config" },
		{ BH_DETECTION_credential_touch, "/root/.aws/credentials", "/root/.aws/config" },
		{ BH_DETECTION_credential_touch, "/run/secrets/kubernetes.io/serviceaccount/token", "/run/secrets" },
		{ BH_DETECTION_credential_touch, "/root/.kube/config", "/root/.kube/cache" },
		{ BH_DETECTION_tamper, "/run/bulkhead/control.sock", "/run/bulkheads" },
		{ BH_DETECTION_tamper, "/sys/fs/bpf/bulkhead/a", "/sys/fs/bpfx" },
		{ BH_DETECTION_kernel_interface, "/proc/kcore", "/proc/cpuinfo" },
		{ BH_DETECTION_kernel_interface, "/dev/sda1", "/dev/null" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		begin();
		reading(cases[i].miss);
		quiet();
		reading(cases[i].hit);
		only(cases[i].what);
		begin();
		begin_refusal(BH_KIND_FILE_OPEN, BH_REASON_F1, cases[i].hit); /* refused just the same */
		feed();
		only(cases[i].what);
	}
}

static void a_shell_keeps_its_history(void **state)
{
	begin();
	begin_record(BH_KIND_FILE_WRITE, "/root/.bash_history");
	strcpy((char *)record.exe, "/usr/bin/bash");
	feed();
	quiet();
}

static void sockets_of_runtimes(void **state)
{
	begin();
	begin_record(BH_KIND_UNIX_CONNECT, "/run/postgresql/.s.PGSQL.5432");
	feed();
	quiet();
	begin_record(BH_KIND_UNIX_CONNECT, "/var/run/docker.sock");
	feed();
	only(BH_DETECTION_runtime_socket);
	begin();
	begin_refusal(BH_KIND_UNIX_CONNECT, BH_REASON_U0, "/run/other.sock");
	feed();
	only(BH_DETECTION_runtime_socket);
}

static void refusals_by_their_kind(void **state)
{
	static const struct {
		enum bh_detection what;
		unsigned int kind, reason;
	} cases[] = {
		{ BH_DETECTION_cgroup_escape, BH_KIND_CGROUP_MOVE, BH_REASON_C2 },
		{ BH_DETECTION_namespace_change, BH_KIND_NAMESPACE, BH_REASON_C2 },
		{ BH_DETECTION_process_injection, BH_KIND_PTRACE, BH_REASON_C2 },
		{ BH_DETECTION_kernel_code, BH_KIND_BPF, BH_REASON_C0 },
		{ BH_DETECTION_terminal_injection, BH_KIND_TERMINAL, BH_REASON_C2 },
		{ BH_DETECTION_code_in_memory, BH_KIND_MMAP_EXEC, BH_REASON_X11 },
		{ BH_DETECTION_metadata_touch, BH_KIND_CONNECT, BH_REASON_N0 },
		{ BH_DETECTION_kernel_interface, BH_KIND_FILE_OPEN, BH_REASON_F0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		begin();
		begin_record(cases[i].kind, NULL); /* let through: the policy allows it */
		feed();
		begin_refusal(BH_KIND_SIGNAL, BH_REASON_C2, NULL);
		feed();
		quiet();
		begin_refusal(cases[i].kind, cases[i].reason, NULL);
		feed();
		only(cases[i].what);
	}
}

static void observe_mode_says_the_same(void **state)
{
	begin();
	begin_refusal(BH_KIND_NAMESPACE, BH_REASON_C2, NULL);
	record.verdict = BH_VERDICT_ALLOW;
	feed();
	only(BH_DETECTION_namespace_change);
}

static void honey_is_touched_by_name(void **state)
{
	static const char *const honey[] = { "/srv/backup/passwords.txt", "/root/wallet.dat" };

	watch_with((struct bh_detect_config){ .honey = honey, .honey_count = 2 });
	reading("/srv/backup/passwords.tx");
	quiet();
	reading("/root/wallet.dat");
	only(BH_DETECTION_honey_credential);
}

static void written_files_are_not_to_be_executed(void **state)
{
	begin();
	writing("/tmp/payload");
	reading("/tmp/other");
	begin_refusal(BH_KIND_EXEC, BH_REASON_X1, "/tmp/other");
	feed();
	quiet();
	begin_refusal(BH_KIND_EXEC, BH_REASON_X1, "/tmp/payload");
	feed();
	only(BH_DETECTION_write_then_exec);
	begin();
	begin_record(BH_KIND_FILE_RENAME, "/tmp/renamed"); /* its new name */
	feed();
	feed_start("/tmp/renamed", 1);
	only(BH_DETECTION_write_then_exec);
}

static void programs_without_a_name(void **state)
{
	begin();
	feed_start("/usr/bin/memfd:", 1);
	begin_refusal(BH_KIND_EXEC, BH_REASON_X10, NULL);
	feed();
	quiet();
	feed_start("/memfd:x (deleted)", 1);
	only(BH_DETECTION_fileless_exec);
	begin();
	begin_refusal(BH_KIND_EXEC, BH_REASON_P0, NULL);
	feed();
	only(BH_DETECTION_fileless_exec);
	begin();
	begin_refusal(BH_KIND_EXEC, BH_REASON_P0, "/tmp/x (deleted)");
	feed();
	only(BH_DETECTION_fileless_exec);
}

static void shells_without_an_edge(void **state)
{
	begin();
	begin_refusal(BH_KIND_EXEC, BH_REASON_X1, "/usr/bin/bashful");
	feed();
	begin_refusal(BH_KIND_EXEC, BH_REASON_X10, "/usr/bin/bash"); /* forbidden to all: the policy says so */
	feed();
	feed_start("/usr/bin/bash", 1);
	quiet();
	begin_refusal(BH_KIND_EXEC, BH_REASON_X1, "/usr/bin/bash");
	feed();
	only(BH_DETECTION_shell_without_edge);
}

static void shells_that_speak_to_the_network(void **state)
{
	begin();
	begin_peer(BH_KIND_CONNECT, "203.0.113.1", 443);
	feed(); /* node may */
	begin_peer(BH_KIND_CONNECT, "10.0.0.53", 53);
	strcpy((char *)record.exe, "/usr/bin/dash");
	feed(); /* a name is looked up */
	quiet();
	begin_peer(BH_KIND_CONNECT, "203.0.113.1", 4444);
	strcpy((char *)record.exe, "/usr/bin/dash");
	feed();
	record.port++;
	feed(); /* the same address */
	only(BH_DETECTION_reverse_shell);
}

static void processes_that_become_shells(void **state)
{
	begin();
	begin_peer(BH_KIND_CONNECT, "203.0.113.1", 443);
	feed();
	begin_record(BH_KIND_EXEC, "/usr/bin/bash");
	record.pid = 101; /* a child: package managers do that */
	record.ppid = 100;
	feed();
	watched.now += 11 * MINUTE;
	feed_start("/usr/bin/bash", 1); /* long after */
	quiet();
	begin_peer(BH_KIND_CONNECT, "203.0.113.1", 443);
	feed();
	feed_start("/usr/bin/bash", 1);
	only(BH_DETECTION_reverse_shell);
}

static void another_process_of_the_same_number_connected_never(void **state)
{
	begin();
	begin_peer(BH_KIND_CONNECT, "203.0.113.1", 443);
	feed();
	begin_record(BH_KIND_EXEC, "/usr/bin/bash");
	record.start_ns = 2;
	feed();
	quiet();
}

static void a_process_that_ended_is_forgotten(void **state)
{
	begin();
	begin_peer(BH_KIND_CONNECT, "203.0.113.1", 443);
	feed();
	begin_record(BH_KIND_EXIT, NULL);
	feed();
	feed_start("/usr/bin/bash", 1);
	quiet();
}

static void news_after_learning(void **state)
{
	watch_with((struct bh_detect_config){ .learning_ns = HOUR });
	feed_start("/usr/bin/git", 1);
	begin_peer(BH_KIND_CONNECT, "203.0.113.1", 443);
	feed();
	watched.now += HOUR; /* not yet over */
	feed_start("/usr/bin/python3", 1);
	watched.now += 1;
	feed_start("/usr/bin/git", 1);
	begin_peer(BH_KIND_CONNECT, "203.0.113.1", 443);
	feed();
	quiet();
	feed_start("/usr/bin/perl", 1);
	only(BH_DETECTION_new_program);
	begin_peer(BH_KIND_CONNECT, "203.0.113.2", 443);
	feed();
	assert_int_equal(alerts_of("new_destination"), 1);
}

static void one_object_is_said_once_in_ten_minutes(void **state)
{
	begin();
	reading("/etc/shadow");
	reading("/etc/shadow");
	watched.now += 10 * MINUTE - 1;
	reading("/etc/shadow");
	assert_int_equal(watched.count, 1);
	reading("/etc/gshadow");
	assert_int_equal(watched.count, 2);
	watched.now += 1;
	reading("/etc/shadow");
	assert_int_equal(watched.count, 3);
}

static void a_flood_is_cut_and_counted(void **state)
{
	char path[64];

	begin();
	for (unsigned int i = 0; i < 100; i++) {
		snprintf(path, sizeof(path), "/home/u%u/.ssh/id_rsa", i);
		reading(path);
	}
	assert_int_equal(watched.count, 20);
	assert_int_equal(bh_detect_suppressed(watched.detect), 80);
	watched.now += MINUTE;
	reading("/etc/shadow");
	assert_int_equal(watched.count, 21);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_that_are_written),
		cmocka_unit_test(names_that_are_touched),
		cmocka_unit_test(a_shell_keeps_its_history),
		cmocka_unit_test(sockets_of_runtimes),
		cmocka_unit_test(refusals_by_their_kind),
		cmocka_unit_test(observe_mode_says_the_same),
		cmocka_unit_test(honey_is_touched_by_name),
		cmocka_unit_test(written_files_are_not_to_be_executed),
		cmocka_unit_test(programs_without_a_name),
		cmocka_unit_test(shells_without_an_edge),
		cmocka_unit_test(shells_that_speak_to_the_network),
		cmocka_unit_test(processes_that_become_shells),
		cmocka_unit_test(another_process_of_the_same_number_connected_never),
		cmocka_unit_test(a_process_that_ended_is_forgotten),
		cmocka_unit_test(news_after_learning),
		cmocka_unit_test(one_object_is_said_once_in_ten_minutes),
		cmocka_unit_test(a_flood_is_cut_and_counted),
	};

	return cmocka_run_group_tests(tests, NULL, free_watched);
}
