// SPDX-License-Identifier: GPL-2.0-only
/* Records as a broken or hostile ring might hold them: whatever passes the check must become good JSON and a safe line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <jansson.h>

#include "event/utf8.h"
#include "tests/unit/event/sample.h"

#define RECORDS 100000

/* xorshift64: the same records on every machine. */
static uint64_t seed = 0x9e3779b97f4a7c15;

static uint32_t roll(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 32) % below;
}

static void fresh(struct bh_event *event)
{
	static const uint16_t reasons[] = { BH_REASON_X1, BH_REASON_F1, BH_REASON_N0, BH_REASON_C2, BH_REASON_R1 };
	uint8_t path[300];
	size_t length = roll(sizeof(path));

	sample_event(event, (uint8_t)(1 + roll(BH_KIND_LAST)), reasons[roll(5)], NULL);
	event->tool = (uint8_t)roll(BH_TOOLS_MAX + 1);
	event->family = (uint16_t)roll(12);
	event->protocol = (uint8_t)roll(20);
	event->access = (uint8_t)roll(8);
	event->rule = roll(9);
	for (size_t i = 0; i < length; i++)
		path[i] = (uint8_t)(1 + roll(255));
	if (length)
		sample_path(event, path, length);
}

static void mutate(struct bh_event *event)
{
	uint8_t *bytes = (uint8_t *)event;

	for (uint32_t blows = roll(12); blows; blows--)
		bytes[roll(BH_EVENT_FIXED + 320)] = (uint8_t)roll(256);
	/* The head decides; the rest takes nearly any value. */
	if (roll(3) == 0)
		bytes[roll(offsetof(struct bh_event, sequence))] = (uint8_t)roll(256);
}

static void assert_utf8(const char *line, size_t length)
{
	size_t bad;

	for (size_t i = 0, step; i < length; i += step) {
		step = bh_utf8_next((const unsigned char *)line + i, length - i, &bad);
		if (!step)
			fail_msg("invalid UTF-8 at byte %zu", i);
	}
}

static void written_forms_are_sound(const struct bh_event *event)
{
	char *line = SAMPLE_WRITTEN(out, bh_event_json(event, &sample_context, out));
	size_t length = strlen(line);
	json_t *parsed = json_loads(line, JSON_REJECT_DUPLICATES, NULL);

	assert_non_null(parsed);
	json_decref(parsed);
	assert_utf8(line, length);
	assert_ptr_equal(strchr(line, '\n'), line + length - 1);
	free(line);

	line = SAMPLE_WRITTEN(out, bh_event_text(event, &sample_context, false, out));
	for (const char *at = line; at[1]; at++)
		if (*at < ' ' || *at >= 0x7f)
			fail_msg("byte %d in a line for a terminal", *at);
	free(line);
}

static void whatever_passes_the_check_can_be_written(void **state)
{
	unsigned int passed = 0;

	for (unsigned int i = 0; i < RECORDS; i++) {
		/* A block of its own per record, so that the sanitizer sees one byte too many. */
		struct bh_event *event = calloc(1, sizeof(*event)), *exact;
		const struct bh_event *checked;
		size_t length;

		assert_non_null(event);
		fresh(event);
		length = event->length;
		mutate(event);
		exact = malloc(length);
		assert_non_null(exact);
		memcpy(exact, event, length);
		if (!bh_event_check(exact, length, &checked)) {
			passed++;
			written_forms_are_sound(checked);
		}
		free(exact);
		free(event);
	}
	print_message("%u of %u records passed the check\n", passed, RECORDS);
	assert_in_range(passed, RECORDS / 10, RECORDS - RECORDS / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whatever_passes_the_check_can_be_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
