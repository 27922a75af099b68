// SPDX-License-Identifier: GPL-2.0-only
/* One aligned line per event for a person. Nothing that a sandbox chose reaches the terminal unescaped. */
#include "event/event.h"

#include <errno.h>
#include <string.h>

#include "event/alert.h"
#include "event/describe.h"
#include "event/utf8.h"

#define NAME_ROOM 129u /* 32 foreign bytes, each escaped */
#define LINE_LEN 1024u

#define RED "\033[31m"
#define RED_BOLD "\033[1;31m"
#define GREEN "\033[32m"
#define YELLOW "\033[33m"
#define PLAIN "\033[0m"

static const char *name(const char *value, char buffer[static NAME_ROOM])
{
	if (!value || !value[0])
		return "-";
	bh_escape(value, strlen(value), false, buffer, NAME_ROOM);
	return buffer;
}

static const char *verdict_colour(unsigned int verdict, bool would)
{
	if (would)
		return YELLOW;
	if (verdict == BH_VERDICT_ALLOW)
		return GREEN;
	return verdict == BH_VERDICT_KILL || verdict == BH_VERDICT_FREEZE ? RED_BOLD : RED;
}

/* HH:MM:SS of the RFC 3339 form, then sandbox, tool and kind. */
static int put_head(uint64_t time_ns, const struct bh_event_context *context, const char *tool, const char *kind,
		    FILE *out)
{
	char when[BH_TIME_LEN], sandbox[NAME_ROOM], tool_text[NAME_ROOM], kind_text[NAME_ROOM];

	bh_event_time(time_ns, context->boot_offset_ns, when);
	return fprintf(out, "%.8s %-12s %-10s %-12s ", when + strlen("YYYY-MM-DDT"),
		       name(context->sandbox_name, sandbox), name(tool, tool_text), name(kind, kind_text));
}

static const char *verdict_word(const struct bh_event *event, bool would)
{
	switch (event->wanted) {
	case BH_VERDICT_DENY:
	case BH_VERDICT_TASK:
		return would ? "would DENY" : "DENY";
	case BH_VERDICT_KILL:
		return would ? "would KILL" : "KILL";
	case BH_VERDICT_FREEZE:
		return would ? "would FREEZE" : "FREEZE";
	default:
		return "ALLOW";
	}
}

int bh_event_text(const struct bh_event *event, const struct bh_event_context *context, bool colour, FILE *out)
{
	const char *tool = NULL, *code = event->reason == BH_REASON_NONE ? "-" : bh_reason_code(event->reason);
	bool would = event->wanted != event->verdict;
	char object[BH_OBJECT_LEN];

	if (event->tool != BH_TOOL_NONE && context->tool_name)
		tool = context->tool_name(context->data, event->tool);
	bh_event_object(event, object);
	if (put_head(event->time_ns, context, tool, bh_kind_name(event->kind), out) < 0)
		return -EIO;
	fprintf(out, "%s%-5s%s %-2s %s", colour ? verdict_colour(event->wanted, would) : "", verdict_word(event, would),
		colour ? PLAIN : "", code, object);
	if (event->reason != BH_REASON_NONE)
		fprintf(out, "%s%s", object[0] ? "  " : "", bh_reason_text(event->reason));
	fputc('\n', out);
	return ferror(out) ? -EIO : 0;
}

/* As the verdict word of an event: "ALERT", at most what fits. */
static void upper(const char *verdict, char buffer[static NAME_ROOM])
{
	char text[NAME_ROOM];
	const char *word = name(verdict, text);
	size_t length = 0;

	for (; word[length] && length < NAME_ROOM - 1; length++)
		buffer[length] =
			(char)(word[length] >= 'a' && word[length] <= 'z' ? word[length] - 'a' + 'A' : word[length]);
	buffer[length] = '\0';
}

static const char *severity_colour(const char *severity)
{
	if (severity && !strcmp(severity, "critical"))
		return RED_BOLD;
	if (severity && (!strcmp(severity, "high") || !strcmp(severity, "medium")))
		return YELLOW;
	return GREEN;
}

int bh_lifecycle_text(const struct bh_lifecycle *lifecycle, const struct bh_event_context *context, bool colour,
		      FILE *out)
{
	char verdict[NAME_ROOM] = "-", code[NAME_ROOM], message[LINE_LEN] = "";

	if (lifecycle->verdict && lifecycle->verdict[0])
		upper(lifecycle->verdict, verdict);
	if (lifecycle->message)
		bh_escape(lifecycle->message, strlen(lifecycle->message), true, message, sizeof(message));
	if (put_head(lifecycle->time_ns, context, NULL, lifecycle->kind, out) < 0)
		return -EIO;
	fprintf(out, "%s%-5s%s %-2s %s", colour ? severity_colour(lifecycle->severity) : "", verdict,
		colour ? PLAIN : "", name(lifecycle->reason, code), message);
	if (lifecycle->latency_us >= 0)
		fprintf(out, "  (%lld us)", (long long)lifecycle->latency_us);
	if (lifecycle->lost >= 0)
		fprintf(out, "  (%lld lost)", (long long)lifecycle->lost);
	fputc('\n', out);
	return ferror(out) ? -EIO : 0;
}

int bh_alert_text(const struct bh_alert *alert, const struct bh_event_context *context, bool colour, FILE *out)
{
	const char *tool = alert->tool && context->tool_name ? context->tool_name(context->data, alert->tool) : NULL;
	char verdict[NAME_ROOM], message[BH_ALERT_MESSAGE_LEN];

	upper(bh_alert_action(alert->respond), verdict);
	bh_alert_message(alert, context, message);
	if (put_head(alert->time_ns, context, tool, alert->threshold ? "threshold" : "detection", out) < 0)
		return -EIO;
	fprintf(out, "%s%-6s%s %-8s %s  %s\n", colour ? severity_colour(alert->severity) : "", verdict,
		colour ? PLAIN : "", alert->severity, alert->name, message);
	return ferror(out) ? -EIO : 0;
}
