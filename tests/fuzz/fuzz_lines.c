// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines of events as anybody may have written them, and the detectors behind the reader. The same lines must give the same
 * alerts, and whatever is let through is a record as the kernel could have sent it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "detect/detect.h"
#include "event/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

/* One run over the input: what it said. */
struct run {
	struct bh_detect *detect;
	FILE *out;
	char *said;
	size_t size;
};

static void emit(void *data, const struct bh_alert *alert)
{
	static const struct bh_event_context context = { .boot_id = "fuzz", .sandbox_name = "fuzz" };
	struct run *run = data;

	if (bh_alert_json(alert, &context, run->out) || bh_alert_text(alert, &context, false, run->out))
		abort();
}

static void begin(struct run *run)
{
	static const struct bh_detect_threshold thresholds[] = {
		{ .signal = 2, .over = 0, .respond = BH_ALERT_ONLY },
		{ .signal = 1, .over = 90, .respond = BH_ALERT_KILL, .for_ms = 1000 },
		{ .signal = 6, .over = 5, .window_ms = 1000, .respond = BH_ALERT_ONLY },
		{ .signal = 22, .over = 1, .window_ms = 60000, .respond = BH_ALERT_ONLY, .for_ms = 90000 },
		{ .signal = 43, .over = 1000, .window_ms = 3600000, .respond = BH_ALERT_ONLY },
		{ .signal = 47, .over = 200, .respond = BH_ALERT_FREEZE },
		{ .signal = 66, .over = 2, .respond = BH_ALERT_ONLY },
		{ .signal = 67, .over = 1, .window_ms = 1000, .respond = BH_ALERT_ONLY },
		{ .signal = 40, .over = 0, .window_ms = 1000, .respond = BH_ALERT_ONLY, .tool = 1 },
	};
	static const char *const honey[] = { "/h" };
	const struct bh_detect_config config = {
		.thresholds = thresholds,
		.thresholds_count = sizeof(thresholds) / sizeof(thresholds[0]),
		.memory_cap_bytes = 1000,
		.pids_cap = 100,
		.cpu_cap_milli = 500,
		.wall_cap_s = 10,
		.honey = honey,
		.honey_count = 1,
		.learning_ns = 1000000000,
		.emit = emit,
		.data = run,
	};

	run->out = open_memstream(&run->said, &run->size);
	if (!run->out || bh_detect_new(&config, &run->detect))
		abort();
}

static void feed(struct run *run, struct bh_line *line)
{
	const struct bh_event *checked;

	switch (line->what) {
	case BH_LINE_EVENT:
		line->event.tool = (uint8_t)(line->tool[0] % (BH_TOOLS_MAX + 1));
		if (bh_event_check(&line->event, sizeof(line->event), &checked))
			abort();
		bh_detect_event(run->detect, &line->event);
		break;
	case BH_LINE_SAMPLE:
		bh_detect_sample(run->detect, &line->sample);
		break;
	case BH_LINE_FLOW:
		bh_detect_flow(run->detect, &line->flow);
		break;
	case BH_LINE_QUERY:
		bh_detect_query(run->detect, &line->query);
		break;
	case BH_LINE_OTHER:
		break;
	}
}

static void run_lines(struct run *run, const uint8_t *data, size_t length)
{
	struct bh_line *line = malloc(sizeof(*line));
	struct bh_line_fault fault;

	if (!line)
		abort();
	begin(run);
	while (length) {
		const uint8_t *end = memchr(data, '\n', length);
		size_t one = end ? (size_t)(end - data) : length;
		char *text = malloc(one + !one); /* of the exact length: reading beyond it is found */

		if (!text)
			abort();
		memcpy(text, data, one);
		if (!bh_line_read(text, one, line, &fault))
			feed(run, line);
		else if (!fault.column || fault.column > one + 1 || !fault.text[0])
			abort();
		free(text);
		data += one + (end != NULL);
		length -= one + (end != NULL);
	}
	free(line);
	bh_detect_free(run->detect);
	if (fclose(run->out))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct run first = { 0 }, second = { 0 };

	run_lines(&first, data, length);
	run_lines(&second, data, length);
	if (first.size != second.size || memcmp(first.said, second.said, first.size) != 0)
		abort();
	free(first.said);
	free(second.said);
	return 0;
}
