// SPDX-License-Identifier: GPL-2.0-only
/* usage: detect FILE...: how many lines a second are read, and how many records a second the detectors take, on one processor. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "detect/detect.h"
#include "event/read.h"

#define LINES_MOST 20000u
#define TIMES 20u
#define ROUND_NS UINT64_C(3600000000000) /* each time they come an hour later */

static char *texts[LINES_MOST];
static struct bh_line *lines;
static size_t count;
static unsigned long alerts;

static void emit(void *data, const struct bh_alert *alert)
{
	(void)data;
	(void)alert;
	alerts++;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void load(const char *path)
{
	FILE *file = fopen(path, "re");
	size_t size = 0;
	ssize_t length;

	if (!file) {
		perror(path);
		exit(1);
	}
	while (count < LINES_MOST && (length = getline(&texts[count], &size, file)) > 0) {
		texts[count][length - 1] = '\0';
		count++;
		size = 0;
	}
	fclose(file);
}

static double read_all(void)
{
	struct bh_line_fault fault;
	double start = now();

	for (size_t i = 0; i < count; i++) {
		if (bh_line_read(texts[i], strlen(texts[i]), &lines[i], &fault)) {
			fprintf(stderr, "%s: %s\n", texts[i], fault.text);
			exit(1);
		}
		if (lines[i].what == BH_LINE_EVENT)
			lines[i].event.tool = 1;
	}
	return now() - start;
}

static double detect_all(struct bh_detect *detect)
{
	double start = now();

	for (uint64_t round = 0; round < TIMES; round++) {
		for (size_t i = 0; i < count; i++) {
			uint64_t shift = round ? ROUND_NS : 0;

			if (lines[i].what == BH_LINE_EVENT) {
				lines[i].event.time_ns += shift;
				bh_detect_event(detect, &lines[i].event);
			} else if (lines[i].what == BH_LINE_SAMPLE) {
				lines[i].sample.time_ns += shift;
				bh_detect_sample(detect, &lines[i].sample);
			} else if (lines[i].what == BH_LINE_FLOW) {
				lines[i].flow.time_ns += shift;
				bh_detect_flow(detect, &lines[i].flow);
			} else if (lines[i].what == BH_LINE_QUERY) {
				lines[i].query.time_ns += shift;
				bh_detect_query(detect, &lines[i].query);
			}
		}
	}
	return now() - start;
}

int main(int argc, char **argv)
{
	static const struct bh_detect_threshold thresholds[] = {
		{ .signal = 21, .over = 100, .window_ms = 60000, .respond = BH_ALERT_ONLY },
		{ .signal = 22, .over = 10000, .window_ms = 60000, .respond = BH_ALERT_ONLY },
		{ .signal = 40, .over = 100, .window_ms = 60000, .respond = BH_ALERT_ONLY },
		{ .signal = 44, .over = 1000, .window_ms = 60000, .respond = BH_ALERT_ONLY },
		{ .signal = 60, .over = 100, .window_ms = 60000, .respond = BH_ALERT_ONLY },
		{ .signal = 66, .over = 30, .respond = BH_ALERT_ONLY },
		{ .signal = 67, .over = 10000, .window_ms = 60000, .respond = BH_ALERT_ONLY },
	};
	const struct bh_detect_config config = { .thresholds = thresholds,
						 .thresholds_count = sizeof(thresholds) / sizeof(thresholds[0]),
						 .pids_cap = 512,
						 .emit = emit };
	struct bh_detect *detect;
	double seconds;

	for (int i = 1; i < argc; i++)
		load(argv[i]);
	lines = calloc(count + !count, sizeof(*lines));
	if (!count || !lines || bh_detect_new(&config, &detect))
		return 1;
	seconds = read_all();
	printf("lines read        %10.0f /s  (%zu)\n", (double)count / seconds, count);
	seconds = detect_all(detect);
	printf("records detected  %10.0f /s  (%zu, %zu thresholds, %lu alerts)\n", (double)count * TIMES / seconds,
	       count * TIMES, config.thresholds_count, alerts);
	printf("memory            %10u bytes a sandbox at most\n", BH_DETECT_BYTES);
	return 0;
}
