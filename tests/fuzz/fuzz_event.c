// SPDX-License-Identifier: GPL-2.0-only
/* A record as a broken or hostile ring might hold it: as it is, and with a head that lets it pass the first checks. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/event.h"
#include "exporters/encode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

static const char *tool_name(const void *data, unsigned int tool)
{
	return tool == 1 ? "agent" : NULL;
}

static const char *rule_id(const void *data, uint32_t rule)
{
	return rule == 1 ? "r-0123456789ab" : NULL;
}

static const struct bh_event_context context = {
	.boot_id = "00000000-0000-0000-0000-000000000000",
	.node = "node",
	.policy_name = "policy",
	.policy_hash = "0",
	.sandbox_name = "sandbox",
	.sandbox_cgroup = "/sandbox",
	.sandbox_cgroup_id = 1,
	.mode = BH_MODE_ENFORCE,
	.tool_name = tool_name,
	.rule_id = rule_id,
};

/* One line, of characters that a terminal only shows; JSON may hold other languages' letters. */
static void check_line(const char *line, size_t length, int highest)
{
	if (!length || line[length - 1] != '\n')
		abort();
	for (size_t i = 0; i + 1 < length; i++)
		if ((uint8_t)line[i] < ' ' || (uint8_t)line[i] == 0x7f || (uint8_t)line[i] > highest)
			abort();
}

static void write_forms(const struct bh_event *event)
{
	char *line = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&line, &size);

	if (!out || bh_event_json(event, &context, out) || fclose(out))
		abort();
	check_line(line, size, 0xff);
	free(line);
	line = NULL;
	out = open_memstream(&line, &size);
	if (!out || bh_event_text(event, &context, false, out) || fclose(out))
		abort();
	check_line(line, size, 0x7e);
	free(line);
}

/* What is sent elsewhere: valid characters, none of them a control. */
static void export_forms(const struct bh_event *event)
{
	static int (*const formats[])(const struct bh_export *, FILE *) = { bh_encode_syslog, bh_encode_cef,
									    bh_encode_falco, bh_encode_ecs,
									    bh_encode_ocsf };
	static struct bh_export record;

	bh_export_event(event, &context, &record);
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		char *text = NULL;
		size_t size = 0, bad;
		FILE *out = open_memstream(&text, &size);

		if (!out || formats[i](&record, out) || fclose(out) || !size)
			abort();
		size -= text[size - 1] == '\n';
		for (size_t at = 0, step; at < size; at += step) {
			step = bh_utf8_next((const unsigned char *)text + at, size - at, &bad);
			if (!step || bh_utf8_hidden((const unsigned char *)text + at, step))
				abort();
		}
		free(text);
	}
}

static void try_record(const uint8_t *bytes, size_t length)
{
	const struct bh_event *event = NULL;

	if (bh_event_check(bytes, length, &event))
		return;
	write_forms(event);
	export_forms(event);
}

/* Length, version and path length that fit, and texts that end. */
static void make_plausible(struct bh_event *event, size_t length)
{
	event->length = (uint16_t)length;
	event->version = BH_EVENT_VERSION;
	event->kind = (uint8_t)(event->kind % (BH_KIND_LAST + 1));
	event->verdict = (uint8_t)(event->verdict % (BH_VERDICT_KILL + 1));
	event->wanted = (uint8_t)(event->wanted % (BH_VERDICT_KILL + 1));
	event->comm[sizeof(event->comm) - 1] = 0;
	event->exe[sizeof(event->exe) - 1] = 0;
	for (unsigned int i = 0; i < BH_ANCESTORS; i++)
		event->ancestors[i][sizeof(event->ancestors[i]) - 1] = 0;
	event->path_length = (uint32_t)(length - BH_EVENT_FIXED);
	if (event->path_length)
		event->path[event->path_length - 1] = 0;
	event->pad1 = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	uint8_t *bytes = malloc(length + !length); /* of the exact length, and aligned as the ring's records are */

	if (!bytes)
		return 0;
	if (length)
		memcpy(bytes, data, length);
	try_record(bytes, length);
	if (length >= BH_EVENT_FIXED && length <= sizeof(struct bh_event)) {
		make_plausible((struct bh_event *)bytes, length);
		try_record(bytes, length);
	}
	free(bytes);
	return 0;
}
