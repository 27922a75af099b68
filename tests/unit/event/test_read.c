// SPDX-License-Identifier: GPL-2.0-only
/* What we write is read back the same; what is no line of ours is refused, at the right column. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "event/alert.h"
#include "event/read.h"
#include "tests/unit/event/sample.h"

static struct bh_event event;
static struct bh_line line;
static struct bh_line_fault fault;

/* The line without its newline. */
static int read_text(const char *text)
{
	return bh_line_read(text, strcspn(text, "\n"), &line, &fault);
}

static void read_event(void)
{
	char *text = SAMPLE_WRITTEN(out, bh_event_json(&event, &sample_context, out));

	if (read_text(text))
		fail_msg("%zu: %s in %s", fault.column, fault.text, text);
	free(text);
	assert_int_equal(line.what, BH_LINE_EVENT);
	assert_string_equal(line.sandbox, "coder-1");
	assert_string_equal(line.tool, "git");
	assert_string_equal(line.node, "n1");
	assert_int_equal(line.mode, BH_MODE_ENFORCE);
}

/* All that a JSON line has of a record. */
static void same_as_written(void)
{
	const struct bh_event *got = &line.event;

	assert_int_equal(got->kind, event.kind);
	assert_int_equal(got->verdict, event.verdict == BH_VERDICT_TASK ? BH_VERDICT_DENY : event.verdict);
	assert_int_equal(got->wanted, event.wanted == BH_VERDICT_TASK ? BH_VERDICT_DENY : event.wanted);
	assert_int_equal(got->reason, event.reason);
	assert_int_equal(got->time_ns, event.time_ns + (uint64_t)sample_context.boot_offset_ns);
	assert_int_equal(got->pid, event.pid);
	assert_int_equal(got->tid, event.tid);
	assert_int_equal(got->ppid, event.ppid);
	assert_int_equal(got->uid, event.uid);
	assert_int_equal(got->start_ns, event.start_ns);
	assert_string_equal((const char *)got->comm, (const char *)event.comm);
	assert_string_equal((const char *)got->exe, (const char *)event.exe);
	assert_memory_equal(got->ancestors, event.ancestors, sizeof(got->ancestors));
	assert_int_equal(got->path_length, event.path_length);
	assert_memory_equal(got->path, event.path, event.path_length);
}

static void records_of_files_come_back(void **state)
{
	static const uint8_t kinds[] = { BH_KIND_EXEC, BH_KIND_FILE_OPEN, BH_KIND_FILE_WRITE, BH_KIND_FILE_LINK,
					 BH_KIND_FILE_RENAME };

	for (size_t i = 0; i < sizeof(kinds); i++) {
		sample_event(&event, kinds[i], BH_REASON_F1, "/w/a \"b\"\\c\x7f\td\xc3\xa9\xe2\x80\xae.txt");
		read_event();
		same_as_written();
		event.verdict = BH_VERDICT_ALLOW; /* observe mode */
		read_event();
		same_as_written();
	}
}

static void access_comes_back(void **state)
{
	sample_event(&event, BH_KIND_FILE_OPEN, BH_REASON_F2, "/x");
	event.access = BH_ACCESS_READ;
	read_event();
	assert_int_equal(line.event.access, BH_ACCESS_READ);
	event.access = BH_ACCESS_READ | BH_ACCESS_WRITE; /* the line says the stronger */
	read_event();
	assert_int_equal(line.event.access, BH_ACCESS_WRITE);
}

static void records_of_sockets_come_back(void **state)
{
	sample_event(&event, BH_KIND_CONNECT, BH_REASON_N0, NULL);
	sample_peer(&event, AF_INET, "169.254.169.254", 80, IPPROTO_TCP);
	read_event();
	same_as_written();
	assert_memory_equal(line.event.address, event.address, 16);
	assert_int_equal(line.event.port, 80);
	assert_int_equal(line.event.family, AF_INET);
	assert_int_equal(line.event.protocol, IPPROTO_TCP);
	sample_event(&event, BH_KIND_SENDMSG, BH_REASON_N2, NULL);
	sample_peer(&event, AF_INET6, "fd00:ec2::254", 53, IPPROTO_UDP);
	read_event();
	assert_memory_equal(line.event.address, event.address, 16);
	sample_event(&event, BH_KIND_SOCKET, BH_REASON_N6, NULL);
	sample_peer(&event, AF_PACKET, NULL, 0, 200);
	read_event();
	assert_int_equal(line.event.family, AF_PACKET);
	assert_int_equal(line.event.protocol, 200);
	sample_event(&event, BH_KIND_UNIX_CONNECT, BH_REASON_U2, "/run/x.sock");
	event.family = AF_UNIX;
	read_event();
	same_as_written();
}

/* A path may be longer as UTF-8 than it was, and is cut; the record stays well-formed. */
static void long_texts_are_cut_at_whole_characters(void **state)
{
	char path[BH_PATH_MAX - 1];

	memset(path, 0xff, sizeof(path));
	path[0] = '/';
	sample_event(&event, BH_KIND_FILE_OPEN, BH_REASON_F2, NULL);
	sample_path(&event, path, sizeof(path));
	memset(event.exe, 0xff, sizeof(event.exe) - 1);
	read_event();
	assert_int_equal(line.event.path_length, BH_PATH_MAX - 1 + 1 - (BH_PATH_MAX - 2) % 3);
	assert_int_equal(strlen((char *)line.event.exe), 126);
}

static void samples_flows_and_names_come_back(void **state)
{
	struct bh_sample sample = { .time_ns = 5, .have = 1u << BH_SAMPLE_cpu_us | 1u << BH_SAMPLE_open_files };
	struct bh_flow flow = { .time_ns = 6, .bytes = 1 << 20, .family = AF_INET6, .port = 443, .tool = 2 };
	struct bh_query query = { .time_ns = 7, .name = "www.example.org", .length = 15, .tool = 2, .refused = true };
	char *text;

	sample.values[BH_SAMPLE_cpu_us] = 123456789;
	sample.values[BH_SAMPLE_open_files] = 7;
	text = SAMPLE_WRITTEN(out, bh_sample_json(&sample, &sample_context, out));
	assert_int_equal(read_text(text), 0);
	free(text);
	assert_int_equal(line.what, BH_LINE_SAMPLE);
	assert_int_equal(line.sample.have, sample.have);
	assert_int_equal(line.sample.values[BH_SAMPLE_cpu_us], 123456789);
	assert_int_equal(line.sample.values[BH_SAMPLE_open_files], 7);
	assert_int_equal(line.sample.time_ns, 5 + (uint64_t)sample_context.boot_offset_ns);

	flow.protocol = IPPROTO_UDP;
	assert_int_equal(inet_pton(AF_INET6, "2001:db8::1", flow.address), 1);
	text = SAMPLE_WRITTEN(out, bh_flow_json(&flow, &sample_context, out));
	assert_int_equal(read_text(text), 0);
	free(text);
	assert_int_equal(line.what, BH_LINE_FLOW);
	assert_memory_equal(line.flow.address, flow.address, 16);
	assert_int_equal(line.flow.bytes, flow.bytes);
	assert_int_equal(line.flow.port, 443);
	assert_int_equal(line.flow.protocol, IPPROTO_UDP);

	text = SAMPLE_WRITTEN(out, bh_query_json(&query, &sample_context, out));
	assert_int_equal(read_text(text), 0);
	free(text);
	assert_int_equal(line.what, BH_LINE_QUERY);
	assert_string_equal(line.query.name, "www.example.org");
	assert_int_equal(line.query.length, 15);
	assert_true(line.query.refused);
	assert_string_equal(line.tool, "git");
}

static void other_lines_of_ours_are_passed_over(void **state)
{
	struct bh_lifecycle end = { .kind = "exit", .message = "over", .latency_us = -1, .tasks = -1, .lost = -1 };
	struct bh_alert alert = { .name = "denial_storm", .class = "behavioral", .severity = "low", .text = "x" };
	char *text = SAMPLE_WRITTEN(out, bh_lifecycle_json(&end, &sample_context, out));

	assert_int_equal(read_text(text), 0);
	free(text);
	assert_int_equal(line.what, BH_LINE_OTHER);
	text = SAMPLE_WRITTEN(out, bh_alert_json(&alert, &sample_context, out));
	assert_int_equal(read_text(text), 0);
	free(text);
	assert_int_equal(line.what, BH_LINE_OTHER);
}

#define HEAD "{\"schema\":\"bulkhead.event/1\",\"time\":\"2026-11-29T12:00:00Z\",\"kind\":"
#define EVENT HEAD "\"exec\",\"verdict\":\"allow\",\"process\":{\"pid\":1}"

static void what_is_unknown_is_passed_over(void **state)
{
	assert_int_equal(read_text(HEAD "\"from_the_future\"}"), 0);
	assert_int_equal(line.what, BH_LINE_OTHER);
	assert_int_equal(read_text(EVENT ",\"x\":[1,-2.5e+7,{\"a\":null,\"a\":true},[],{},\"\\ud83d\\ude00\",false]}"),
			 0);
	assert_int_equal(line.what, BH_LINE_EVENT);
	assert_int_equal(read_text(EVENT ",\"file\":{\"inode\":{\"path\":5}}}"), 0);
	assert_int_equal(read_text("  {  \"schema\" : \"bulkhead.event/1\" , \"time\":\"2026-11-29T12:00:00.5Z\","
				   "\"kind\":\"sample\" }\r"),
			 0);
	assert_int_equal(line.what, BH_LINE_SAMPLE);
	assert_int_equal(line.sample.have, 0);
	assert_int_equal(line.time_ns % 1000000000, 500000000);
}

static void times_are_read_exactly(void **state)
{
	static const struct {
		const char *time;
		uint64_t seconds;
	} good[] = {
		{ "1970-01-01T00:00:00Z", 0 },		{ "2000-02-29T23:59:59Z", 951868799 },
		{ "2026-11-29T12:00:00Z", 1795953600 }, { "2100-03-01T00:00:00Z", 4107542400 },
		{ "2261-12-31T23:59:59Z", 9214646399 },
	};
	static const char *const bad[] = { "1969-12-31T23:59:59Z",  "2262-01-01T00:00:00Z",
					   "2026-02-29T00:00:00Z",  "2026-13-01T00:00:00Z",
					   "2026-00-01T00:00:00Z",  "2026-11-29T24:00:00Z",
					   "2026-11-29T12:60:00Z",  "2026-11-29T12:00:60Z",
					   "2026-11-29T12:00:00",   "2026-11-29T12:00:00+00:00",
					   "2026-11-29T12:00:00.Z", "2026-11-29T12:00:00.1234567890Z",
					   "2026-11-29 12:00:00Z",  "",
					   "2026-11-29T12:00:00ZZ", "02026-11-29T12:00:00Z" };
	char text[160];

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		snprintf(text, sizeof(text), "{\"schema\":\"bulkhead.event/1\",\"time\":\"%s\",\"kind\":\"x\"}",
			 good[i].time);
		assert_int_equal(read_text(text), 0);
		assert_int_equal(line.time_ns, good[i].seconds * 1000000000);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(text, sizeof(text), "{\"schema\":\"bulkhead.event/1\",\"time\":\"%s\",\"kind\":\"x\"}",
			 bad[i]);
		assert_int_equal(read_text(text), -EINVAL);
		assert_int_equal(fault.column, 37);
	}
}

static void faults_have_their_column(void **state)
{
	static const struct {
		const char *text;
		size_t column;
		const char *fault;
	} cases[] = {
		{ "", 1, "an object is expected" },
		{ "[]", 1, "an object is expected" },
		{ "{}", 1, "no schema" },
		{ "{\"schema\":\"bulkhead.event/2\"}", 11, "the schema is not bulkhead.event/1" },
		{ "{\"schema\":\"bulkhead.event/1\"}", 1, "no kind" },
		{ "{\"schema\":\"bulkhead.event/1\",\"kind\":\"x\"}", 1, "no time" },
		{ "{\"schema\":5}", 11, "a string is expected" },
		{ "{\"schema\"}", 10, "':' is expected" },
		{ "{\"a\":1 \"b\":2}", 8, "',' or the end of it is expected" },
		{ "{\"a\":1,}", 8, "a string is expected" },
		{ "{\"a\":1", 7, "the line ends too early" },
		{ "{\"a\":tru}", 6, "not JSON" },
		{ "{\"a\":}", 6, "not JSON" },
		{ "{\"a\":01}", 7, "',' or the end of it is expected" },
		{ "{\"a\":1.}", 8, "a digit is expected" },
		{ "{\"a\":1e}", 8, "a digit is expected" },
		{ "{\"a\":\"x", 8, "the line ends within a string" },
		{ "{\"a\":\"\\", 8, "the line ends within a string" },
		{ "{\"a\":\"\\x\"}", 7, "no escape of JSON" },
		{ "{\"a\":\"\\u12g4\"}", 11, "four hexadecimal digits are expected" },
		{ "{\"a\":\"\\u0000\"}", 7, "a string with a zero byte" },
		{ "{\"a\":\"\\ud800\"}", 7, "half of a pair of surrogates" },
		{ "{\"a\":\"\\udc00\\ud800\"}", 7, "half of a pair of surrogates" },
		{ "{\"a\":\"\xff\"}", 7, "not UTF-8" },
		{ "{\"a\":\"\xc0\xaf\"}", 7, "not UTF-8" },
		{ "{\"a\":\"\x01\"}", 7, "a control character within a string" },
		{ "{\"a\":[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]}", 21, "too many objects or lists within each other" },
		{ EVENT "} x", sizeof(EVENT "} "), "text after the object" },
		{ HEAD "\"exec\",\"verdict\":\"allow\",\"process\":{\"pid\":-1}}", 109, "a whole number is expected" },
		{ HEAD "\"exec\",\"verdict\":\"allow\",\"process\":{\"pid\":4294967296}}", 109,
		  "a number that is too large" },
		{ HEAD "\"exec\",\"verdict\":\"allow\",\"process\":{\"pid\":1.5}}", 109, "a whole number is expected" },
		{ HEAD "\"exec\",\"verdict\":\"allow\",\"process\":{\"pid\":01}}", 109,
		  "a number with a leading zero" },
		{ HEAD "\"exec\",\"verdict\":\"allow\",\"process\":[]}", 102, "an object is expected" },
		{ HEAD "\"exec\",\"kind\":\"exec\"}", 74, "a key twice in one object" },
		{ HEAD "\"exec\",\"verdict\":\"alert\",\"process\":{}}", 84, "not a verdict of an event" },
		{ HEAD "\"exec\",\"process\":{}}", 1, "no verdict" },
		{ HEAD "\"exec\",\"verdict\":\"deny\",\"process\":{}}", 1,
		  "verdict, would and reason do not fit together" },
		{ HEAD "\"exec\",\"verdict\":\"deny\",\"reason\":\"Q9\",\"process\":{}}", 100, "an unknown reason" },
		{ HEAD "\"flow\",\"network\":{\"address\":\"1.2.3.4\"}}", 1,
		  "a flow without its address or its bytes" },
		{ HEAD "\"dns\"}", 1, "a name is asked for, and there is none" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(read_text(cases[i].text), -EINVAL);
		if (fault.column != cases[i].column || strcmp(fault.text, cases[i].fault) != 0)
			fail_msg("%s\nwant %zu %s\ngot  %zu %s", cases[i].text, cases[i].column, cases[i].fault,
				 fault.column, fault.text);
	}
}

static void addresses_are_checked_against_their_family(void **state)
{
	assert_int_equal(read_text(HEAD
				   "\"connect\",\"verdict\":\"allow\",\"process\":{},\"network\":{\"family\":\"inet\","
				   "\"address\":\"::1\"}}"),
			 -EINVAL);
	assert_string_equal(fault.text, "not an address of its family");
	assert_int_equal(
		read_text(HEAD "\"connect\",\"verdict\":\"allow\",\"process\":{},\"network\":{\"family\":\"ipv4\"}}"),
		-EINVAL);
	assert_string_equal(fault.text, "not the name or number of a socket family");
	assert_int_equal(read_text(HEAD
				   "\"connect\",\"verdict\":\"allow\",\"process\":{},\"network\":{\"port\":65536}}"),
			 -EINVAL);
	assert_string_equal(fault.text, "a number that is too large");
}

static void lines_are_bounded(void **state)
{
	char *text = malloc(BH_LINE_MAX + 2);

	assert_non_null(text);
	memset(text, ' ', BH_LINE_MAX + 2);
	memcpy(text, HEAD "\"x\"}", strlen(HEAD "\"x\"}"));
	assert_int_equal(bh_line_read(text, BH_LINE_MAX, &line, &fault), 0);
	assert_int_equal(bh_line_read(text, BH_LINE_MAX + 1, &line, &fault), -EINVAL);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_of_files_come_back),
		cmocka_unit_test(access_comes_back),
		cmocka_unit_test(records_of_sockets_come_back),
		cmocka_unit_test(long_texts_are_cut_at_whole_characters),
		cmocka_unit_test(samples_flows_and_names_come_back),
		cmocka_unit_test(other_lines_of_ours_are_passed_over),
		cmocka_unit_test(what_is_unknown_is_passed_over),
		cmocka_unit_test(times_are_read_exactly),
		cmocka_unit_test(faults_have_their_column),
		cmocka_unit_test(addresses_are_checked_against_their_family),
		cmocka_unit_test(lines_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
