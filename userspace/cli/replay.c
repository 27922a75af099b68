/* SPDX-License-Identifier: GPL-2.0-only */
/* bulkhead replay: what the detectors say about a recorded sandbox. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/command.h"
#include "cli/replaying.h"
#include "policy/quantity.h"

static const char *bh_replay_tool_name(const void *data, unsigned int tool)
{
	const struct bh_replay *replay = data;

	return tool && tool <= replay->tools_count ? replay->tools[tool - 1] : NULL;
}

/* The number of a tool of that name: the policy's, and behind them others as they come. 0: there are too many. */
static unsigned int bh_replay_tool(struct bh_replay *replay, const char *name)
{
	for (unsigned int i = 0; i < replay->tools_count; i++)
		if (strcmp(replay->tools[i], name) == 0)
			return i + 1;
	if (replay->tools_count == BH_TOOLS_MAX || strlen(name) >= sizeof(replay->tools[0]))
		return 0;
	strcpy(replay->tools[replay->tools_count], name);
	return ++replay->tools_count;
}

/* Once for the whole file, however many sandboxes are in it. */
static void bh_replay_alert(void *data, const struct bh_alert *alert)
{
	struct bh_replay *replay = data;
	struct bh_event_context context = { .boot_id = "replay", .tool_name = bh_replay_tool_name, .data = replay };
	struct bh_alert numbered = *alert;

	numbered.sequence = ++replay->alerts;
	context.sandbox_name = replay->current->name;
	context.node = replay->line->node;
	context.mode = replay->line->mode;
	if (replay->opened.compiled) {
		context.policy_name = bh_compiled_name(replay->opened.compiled);
		context.policy_hash = bh_compiled_hash(replay->opened.compiled);
	}
	if (replay->json)
		bh_alert_json(&numbered, &context, stdout);
	else
		bh_alert_text(&numbered, &context, bh_colour(STDOUT_FILENO), stdout);
}

/* The detectors of the sandbox of that name, made when it is new. NULL: no memory, or too many. */
static struct bh_replay_sandbox *bh_replay_sandbox(struct bh_replay *replay, const char *name)
{
	struct bh_replay_sandbox *sandbox;

	if (replay->current && strcmp(replay->current->name, name) == 0)
		return replay->current;
	for (size_t i = 0; i < replay->sandboxes_count; i++)
		if (strcmp(replay->sandboxes[i].name, name) == 0)
			return &replay->sandboxes[i];
	if (replay->sandboxes_count == BH_REPLAY_SANDBOXES)
		return NULL;
	sandbox = &replay->sandboxes[replay->sandboxes_count];
	if (strlen(name) >= sizeof(sandbox->name) || bh_detect_new(&replay->config, &sandbox->detect))
		return NULL;
	strcpy(sandbox->name, name);
	replay->sandboxes_count++;
	return sandbox;
}

/* NULL, or what is wrong. */
static const char *bh_replay_feed(struct bh_replay *replay, struct bh_line *line)
{
	unsigned int tool = 0;

	if (line->what == BH_LINE_OTHER)
		return NULL;
	if (line->tool[0]) {
		tool = bh_replay_tool(replay, line->tool);
		if (!tool)
			return "more than 32 tools in one file";
	}
	replay->current = bh_replay_sandbox(replay, line->sandbox);
	if (!replay->current)
		return "more sandboxes in one file than there is room for";
	replay->line = line;
	replay->fed++;
	switch (line->what) {
	case BH_LINE_EVENT:
		line->event.tool = (uint8_t)tool;
		bh_detect_event(replay->current->detect, &line->event);
		return NULL;
	case BH_LINE_SAMPLE:
		bh_detect_sample(replay->current->detect, &line->sample);
		return NULL;
	case BH_LINE_FLOW:
		line->flow.tool = (uint8_t)tool;
		bh_detect_flow(replay->current->detect, &line->flow);
		return NULL;
	default:
		line->query.tool = (uint8_t)tool;
		bh_detect_query(replay->current->detect, &line->query);
		return NULL;
	}
}

/* One line without its newline, at most one byte more than is allowed. False: the file has ended. */
static bool bh_replay_line(FILE *file, char *buffer, size_t *ret_length)
{
	size_t length = 0;
	int c;

	while ((c = getc_unlocked(file)) != EOF && c != '\n')
		if (length <= BH_LINE_MAX)
			buffer[length++] = (char)c;
	*ret_length = length;
	return c != EOF || length;
}

static int bh_replay_file(struct bh_replay *replay, FILE *file, const char *name)
{
	BH_FREE char *text = malloc(BH_LINE_MAX + 1);
	BH_FREE struct bh_line *line = malloc(sizeof(*line));
	struct bh_line_fault fault = { .column = 1 };
	struct bh_err err = {};
	const char *wrong;
	size_t length;

	if (!text || !line) {
		bh_err_set(&err, ENOMEM, "out of memory");
		bh_fail(&err);
		return BH_EXIT_INTERNAL;
	}
	while (bh_replay_line(file, text, &length)) {
		replay->lines++;
		wrong = bh_line_read(text, length, line, &fault) ? fault.text : bh_replay_feed(replay, line);
		if (wrong) {
			fflush(stdout);
			fprintf(stderr, "%s:%" PRIu64 ":%zu: error: %s\n", name, replay->lines,
				wrong == fault.text ? fault.column : 1, wrong);
			return BH_EXIT_POLICY;
		}
	}
	if (ferror(file)) {
		bh_err_set(&err, errno, "%s: cannot be read: %s", name, strerror(errno));
		bh_fail(&err);
		return BH_EXIT_POLICY;
	}
	return BH_EXIT_OK;
}

static void bh_replay_sum(const struct bh_replay *replay, const char *name)
{
	uint64_t suppressed = 0;

	for (size_t i = 0; i < replay->sandboxes_count; i++)
		suppressed += bh_detect_suppressed(replay->sandboxes[i].detect);
	fprintf(stderr, "bulkhead: %s: %" PRIu64 " line%s, %" PRIu64 " for the detectors, %" PRIu64 " alert%s", name,
		replay->lines, replay->lines == 1 ? "" : "s", replay->fed, replay->alerts,
		replay->alerts == 1 ? "" : "s");
	if (suppressed)
		fprintf(stderr, "; %" PRIu64 " more of the same kinds were not shown", suppressed);
	fprintf(stderr, "\n");
}

static int bh_replay_run(struct bh_replay *replay, const char *policy, const char *name)
{
	BH_FCLOSE FILE *file = NULL;
	struct bh_err err = {};
	int code;

	replay->config.emit = bh_replay_alert;
	replay->config.data = replay;
	if (policy) {
		code = bh_opened_init(&replay->opened, policy, BH_FINDINGS_SERIOUS);
		if (code)
			return code;
		bh_replay_policy(replay);
	}
	file = strcmp(name, "-") == 0 ? fdopen(dup(STDIN_FILENO), "r") : fopen(name, "re");
	if (!file) {
		bh_err_set(&err, errno, "%s: %s", name, strerror(errno));
		bh_fail(&err);
		return BH_EXIT_POLICY;
	}
	code = bh_replay_file(replay, file, name);
	if (code)
		return code;
	if (fflush(stdout) || ferror(stdout)) {
		bh_err_set(&err, errno, "cannot write: %s", strerror(errno));
		bh_fail(&err);
		return BH_EXIT_INTERNAL;
	}
	bh_replay_sum(replay, name);
	return BH_EXIT_OK;
}

static int bh_replay_options(int argc, char **argv, struct bh_replay *replay, const char **ret_policy)
{
	static const struct option options[] = {
		{ "policy", required_argument, NULL, 'p' }, { "honey", required_argument, NULL, 'y' },
		{ "learn", required_argument, NULL, 'l' },  { "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },	    {},
	};
	const char *fault;
	uint64_t learn_ms;
	int option;

	optind = 1;
	opterr = 0;
	while ((option = getopt_long(argc, argv, "h", options, NULL)) >= 0) {
		if (option == 'p') {
			*ret_policy = optarg;
		} else if (option == 'y') {
			if (replay->config.honey_count == BH_DETECT_HONEY_MAX)
				return bh_usage(&bh_command_replay, "more than %u paths by --honey",
						BH_DETECT_HONEY_MAX);
			replay->honey[replay->config.honey_count++] = optarg;
		} else if (option == 'l') {
			fault = bh_quantity_duration(optarg, &learn_ms);
			if (fault || learn_ms > BH_REPLAY_LEARN_MOST_MS)
				return bh_usage(&bh_command_replay, "--learn %s: write 30m or 24h, at most 8760h",
						optarg);
			replay->config.learning_ns = learn_ms * 1000000;
		} else if (option == 'j') {
			replay->json = true;
		} else if (option == 'h') {
			return -1;
		} else {
			return bh_usage(&bh_command_replay, "bad option");
		}
	}
	if (optind + 1 != argc)
		return bh_usage(&bh_command_replay, "one file of events is needed");
	return BH_EXIT_OK;
}

static int bh_replay_main(int argc, char **argv)
{
	struct bh_replay *replay = calloc(1, sizeof(*replay));
	const char *policy = NULL;
	int code;

	if (!replay)
		return BH_EXIT_INTERNAL;
	replay->config.honey = replay->honey;
	code = bh_replay_options(argc, argv, replay, &policy);
	if (code < 0)
		code = bh_help(&bh_command_replay);
	else if (!code)
		code = bh_replay_run(replay, policy, argv[optind]);
	for (size_t i = 0; i < replay->sandboxes_count; i++)
		bh_detect_free(replay->sandboxes[i].detect);
	bh_opened_done(&replay->opened);
	free(replay);
	return code;
}

const struct bh_command bh_command_replay = {
	.name = "replay",
	.synopsis = "FILE [--policy POLICY] [--honey PATH]... [--learn TIME] [--json]",
	.summary = "say what the detectors find in recorded events",
	.help = "  --policy POLICY  its thresholds too; without it only the detections that need no policy\n"
		"  --honey PATH     a file that nobody has a reason to touch; may be given again\n"
		"  --learn TIME     after so much of the record (24h), report programs and destinations not seen before\n"
		"  --json           alerts as JSON lines, as a sandbox's events have them\n\n"
		"FILE has JSON lines (bulkhead.event/1), as 'bulkhead run --events' writes them; '-' is standard input. The same file\n"
		"always gives the same alerts. Needs no root. Exit status: 0, also when there are alerts; 3 the file or the policy\n"
		"has an error.\n",
	.main = bh_replay_main,
};
