// SPDX-License-Identifier: GPL-2.0-only
/* Whatever bytes a session chose: every wire format stays valid UTF-8 on one line, and JSON stays JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <jansson.h>

#include "tests/unit/exporters/sample.h"

#define EVENTS 5000

static int (*const lines[])(const struct bh_export *, FILE *) = { bh_encode_syslog, bh_encode_cef };
static int (*const objects[])(const struct bh_export *, FILE *) = { bh_encode_falco, bh_encode_ecs, bh_encode_ocsf };

static struct bh_export record;

/* xorshift64: the same events on every machine. */
static uint64_t seed = 0x9e3779b97f4a7c15;

static uint32_t roll(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 32) % below;
}

/* Bytes without NUL; some are likely to matter. */
static void fill(uint8_t *bytes, size_t length)
{
	static const uint8_t special[] = { '\n', '"',  '\\', ']',  '=',	 '|',  0x7f,
					   0x80, 0xc2, 0x85, 0xe2, 0xed, 0xf4, 0xff };

	for (size_t i = 0; i < length; i++)
		bytes[i] = roll(3) ? (uint8_t)(1 + roll(255)) : special[roll(sizeof(special))];
}

static void any_event(struct bh_event *event)
{
	static const uint16_t reasons[] = { BH_REASON_X1, BH_REASON_F1, BH_REASON_N0, BH_REASON_C2, BH_REASON_R1 };
	uint8_t path[BH_PATH_MAX];

	do
		sample_event(event, (uint8_t)(1 + roll(BH_KIND_LAST)), reasons[roll(5)], NULL);
	while (!bh_kind_name(event->kind));
	event->tool = (uint8_t)roll(BH_TOOLS_MAX + 1);
	event->family = (uint16_t)roll(12);
	event->protocol = (uint8_t)roll(20);
	event->access = (uint8_t)roll(16);
	fill(event->comm, roll(sizeof(event->comm)));
	fill(event->exe, roll(sizeof(event->exe)));
	fill(event->ancestors[0], roll(sizeof(event->ancestors[0])));
	if (roll(4)) {
		size_t length = 1 + roll(roll(20) ? 64 : BH_PATH_MAX - 1);

		fill(path, length);
		sample_path(event, path, length);
	}
}

static void assert_sound(const char *text, size_t length)
{
	size_t bad;

	for (size_t i = 0, step; i < length; i += step) {
		step = bh_utf8_next((const unsigned char *)text + i, length - i, &bad);
		if (!step || bh_utf8_hidden((const unsigned char *)text + i, step))
			fail_msg("byte %zu of: %s", i, text);
	}
}

static char *written(int (*encode)(const struct bh_export *, FILE *))
{
	return SAMPLE_WRITTEN(out, encode(&record, out));
}

static void every_format_is_sound(void)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		char *line = written(lines[i]);

		assert_sound(line, strlen(line));
		assert_true(strlen(line) < 65536);
		free(line);
	}
	for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++) {
		char *line = written(objects[i]);
		size_t length = strlen(line);
		json_t *json = json_loads(line, JSON_REJECT_DUPLICATES, NULL);

		assert_non_null(json);
		json_decref(json);
		assert_true(line[length - 1] == '\n');
		assert_sound(line, length - 1);
		free(line);
	}
}

static void any_event_is_sound_in_every_format(void **state)
{
	static struct bh_event event;

	for (size_t i = 0; i < EVENTS; i++) {
		any_event(&event);
		bh_export_event(&event, &sample_context, &record);
		every_format_is_sound();
	}
}

/* Host and sandbox names come from outside too. */
static void any_name_is_sound_in_every_format(void **state)
{
	struct bh_event_context context = sample_context;
	struct bh_event event;
	char name[256] = "";

	context.node = context.sandbox_name = context.sandbox_cgroup = context.policy_name = name;
	for (size_t i = 0; i < EVENTS / 10; i++) {
		memset(name, 0, sizeof(name));
		fill((uint8_t *)name, roll(sizeof(name)));
		any_event(&event);
		bh_export_event(&event, &context, &record);
		every_format_is_sound();
	}
}

static void nothing_known_is_sound_in_every_format(void **state)
{
	static const struct bh_event_context empty;
	static const struct bh_lifecycle silent = { .latency_us = -1, .lost = -1 };
	static const struct bh_alert alert = { .name = "", .text = "" };
	struct bh_event event;

	bh_export_lifecycle(&silent, &empty, &record);
	every_format_is_sound();
	bh_export_alert(&alert, &empty, &record);
	every_format_is_sound();
	sample_event(&event, BH_KIND_EXEC, BH_REASON_NONE, NULL);
	bh_export_event(&event, &empty, &record);
	every_format_is_sound();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_event_is_sound_in_every_format),
		cmocka_unit_test(any_name_is_sound_in_every_format),
		cmocka_unit_test(nothing_known_is_sound_in_every_format),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
