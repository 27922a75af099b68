// SPDX-License-Identifier: GPL-2.0-only
/* Formats that are read line by line: their exact bytes, and that nothing a sandbox chose ends a line, a value or a field. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "tests/unit/exporters/sample.h"

static struct bh_export record;

#define BOOT "6b3f1c52-90a4-4f0e-8d39-2f6f7a1f5f11"
#define HASH "ec6c7cbf00112233445566778899aabbccddeeff00112233445566778899aabb"

static char *written(int (*encode)(const struct bh_export *, FILE *))
{
	return SAMPLE_WRITTEN(out, encode(&record, out));
}

static void written_is(int (*encode)(const struct bh_export *, FILE *), const char *want)
{
	char *got = written(encode);

	assert_string_equal(got, want);
	free(got);
}

static void syslog_of_a_file(void **state)
{
	export_file(&record);
	written_is(bh_encode_syslog,
		   "<84>1 2026-11-29T12:01:07.123456Z n1 bulkhead - file_open [bulkhead@32473 id=\"" BOOT "-42\""
		   " class=\"syscall\" verdict=\"deny\" severity=\"medium\" reason=\"F1\" rule=\"r-34230242659f\""
		   " mode=\"enforce\" policy=\"coding-agent\" policyHash=\"" HASH "\" sandbox=\"coder-1\""
		   " cgroup=\"/bulkhead.slice/coder-1.scope\" tool=\"git\" pid=\"301\" ppid=\"300\" uid=\"1000\""
		   " comm=\"git\" exe=\"/usr/bin/git\" parent=\"node\" path=\"/home/a b/.ssh/id_rsa\" access=\"read\""
		   " owasp=\"ASI03\" mitre=\"T1552\"] tool 'git' may not read /home/a b/.ssh/id_rsa: the policy or a"
		   " shipped guard forbids this file");
}

static void syslog_of_a_kill(void **state)
{
	export_kill(&record);
	written_is(bh_encode_syslog,
		   "<82>1 2026-11-29T12:01:07.123456Z n1 bulkhead - kill [bulkhead@32473 id=\"" BOOT "-u3\""
		   " class=\"resource\" verdict=\"kill\" severity=\"critical\" reason=\"L1\" mode=\"enforce\""
		   " policy=\"coding-agent\" policyHash=\"" HASH "\" sandbox=\"coder-1\""
		   " cgroup=\"/bulkhead.slice/coder-1.scope\" action=\"kill\" latencyUs=\"420\" tasks=\"17\"]"
		   " sandbox 'coder-1' was killed: the sandbox used up its memory");
}

static void syslog_values_end_where_we_end_them(void **state)
{
	char *got;

	export_hostile(&record);
	got = written(bh_encode_syslog);
	assert_null(strchr(got, '\n'));
	assert_non_null(strstr(got, " comm=\"a\\\"\\]=|\\\\u000A\\\\\xef\xbf\xbd\" "));
	assert_non_null(strstr(
		got, " path=\"/x\\\\u000A<34>1 - - - - - -\\\"\\]\\\\|=\\\\u007F\\\\u0085\\\\u202E\xef\xbf\xbd\" "));
	free(got);
}

static void a_host_name_with_blanks_is_not_a_header(void **state)
{
	char *got;

	export_begin(&record);
	strcpy(record.node, "n 1");
	got = written(bh_encode_syslog);
	assert_memory_equal(got, "<86>1 2026-11-29T12:00:00.000000Z - bulkhead - bind_policy [", 60);
	free(got);
}

static void cef_of_a_connection(void **state)
{
	export_connect(&record);
	written_is(
		bh_encode_cef,
		"CEF:0|Bulkhead|bulkhead|" BH_VERSION "|N0|connect|10|rt=1795953667123 externalId=" BOOT
		"-42 dvchost=n1"
		" cat=network act=kill outcome=failure reason=N0 spid=301 suid=1000 sproc=/usr/bin/git proto=tcp"
		" dst=169.254.169.254 dpt=80 cs1=git cs1Label=tool cs2=coder-1 cs2Label=sandbox cs3=coding-agent"
		" cs3Label=policy cs4=" HASH " cs4Label=policyHash cs6=T1552.005 cs6Label=mitre"
		" msg=tool 'git' may not connect to 169.254.169.254 port 80: always-blocked address (cloud metadata); no"
		" policy can open it; the sandbox is ended");
}

static void cef_of_an_alert(void **state)
{
	char *got;

	export_alert(&record);
	got = written(bh_encode_cef);
	assert_memory_equal(got, "CEF:0|Bulkhead|bulkhead|" BH_VERSION "|network.denied|threshold|8|rt=1795953667123 ",
			    strlen("CEF:0|Bulkhead|bulkhead|" BH_VERSION
				   "|network.denied|threshold|8|rt=1795953667123 "));
	assert_non_null(
		strstr(got, " cat=network act=alert outcome=success reason=network.denied cs1=git cs1Label=tool "));
	free(got);
}

static void cef_of_version_6_has_its_own_key(void **state)
{
	struct bh_event event;
	char *got;

	sample_event(&event, BH_KIND_SENDMSG, BH_REASON_N2, NULL);
	sample_peer(&event, AF_INET6, "2001:db8::35", 53, IPPROTO_UDP);
	bh_export_event(&event, &sample_context, &record);
	got = written(bh_encode_cef);
	assert_non_null(strstr(got, " proto=udp c6a3=2001:db8::35 c6a3Label=Destination IPv6 Address dpt=53 "));
	assert_null(strstr(got, " dst="));
	free(got);
}

static void cef_values_end_where_we_end_them(void **state)
{
	char *got;

	export_hostile(&record);
	got = written(bh_encode_cef);
	assert_null(strchr(got, '\n'));
	assert_non_null(strstr(
		got,
		" filePath=/x\\\\u000A<34>1 - - - - - -\"]\\\\|\\=\\\\u007F\\\\u0085\\\\u202E\xef\xbf\xbd fname="));
	free(got);
	record.reason = "a|b\\c\nd";
	got = written(bh_encode_cef);
	assert_non_null(strstr(got, "|" BH_VERSION "|a\\|b\\\\c\\\\u000Ad|exec|8|rt="));
	free(got);
}

static void a_long_value_is_cut_between_characters(void **state)
{
	char *got;

	export_begin(&record);
	memset(record.sandbox, 'x', 10);
	strcpy(record.sandbox + 10, "");
	for (size_t i = 0; i < 600; i++)
		memcpy(record.message + 2 * i, "\xc3\xa9", 3);
	got = written(bh_encode_syslog);
	assert_int_equal(strlen(strchr(got, ']')), strlen("] ") + 1022);
	free(got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(syslog_of_a_file),
		cmocka_unit_test(syslog_of_a_kill),
		cmocka_unit_test(syslog_values_end_where_we_end_them),
		cmocka_unit_test(a_host_name_with_blanks_is_not_a_header),
		cmocka_unit_test(cef_of_a_connection),
		cmocka_unit_test(cef_of_an_alert),
		cmocka_unit_test(cef_of_version_6_has_its_own_key),
		cmocka_unit_test(cef_values_end_where_we_end_them),
		cmocka_unit_test(a_long_value_is_cut_between_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
