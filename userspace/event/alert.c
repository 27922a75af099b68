// SPDX-License-Identifier: GPL-2.0-only
/* An alert in words and as a line of JSON. */
#include "event/alert.h"

#include <errno.h>
#include <inttypes.h>

#include "event/json_object.h"

#define NAME_ROOM 129u /* 32 foreign bytes, each escaped */

const char *bh_alert_action(unsigned int respond)
{
	switch (respond) {
	case BH_ALERT_FREEZE:
		return "freeze";
	case BH_ALERT_KILL:
		return "kill";
	default:
		return "alert";
	}
}

static const char *tool_name(const struct bh_alert *alert, const struct bh_event_context *context)
{
	return alert->tool && context->tool_name ? context->tool_name(context->data, alert->tool) : NULL;
}

/* What was done, from the record; else what the detector names. */
static void object_of(const struct bh_alert *alert, char buffer[static BH_OBJECT_LEN])
{
	buffer[0] = '\0';
	if (alert->object)
		bh_escape(alert->object, strlen(alert->object), true, buffer, BH_OBJECT_LEN);
	else if (alert->event)
		bh_event_object(alert->event, buffer);
}

void bh_alert_message(const struct bh_alert *alert, const struct bh_event_context *context,
		      char buffer[static BH_ALERT_MESSAGE_LEN])
{
	char object[BH_OBJECT_LEN], tool[NAME_ROOM], counted[96] = "";
	const char *name = tool_name(alert, context);

	object_of(alert, object);
	if (name)
		bh_escape(name, strlen(name), false, tool, sizeof(tool));
	if (alert->value && alert->window_ms)
		snprintf(counted, sizeof(counted), "; %" PRIu64 " in %" PRIu32 " s, at most %" PRIu64, alert->value,
			 alert->window_ms / 1000, alert->limit);
	else if (alert->value)
		snprintf(counted, sizeof(counted), "; %" PRIu64 ", at most %" PRIu64, alert->value, alert->limit);
	snprintf(buffer, BH_ALERT_MESSAGE_LEN, "%s%s%s%s%s%s%s", alert->text, name ? " (tool '" : "", name ? tool : "",
		 name ? "')" : "", object[0] ? ": " : "", object, counted);
}

static void set_signal(struct object *line, const struct bh_alert *alert)
{
	struct object signal = begin();

	set_text(&signal, "name", alert->name);
	if (alert->value) {
		set_number(&signal, "value", alert->value);
		set_number(&signal, "limit", alert->limit);
	}
	if (alert->value && alert->window_ms)
		set_number(&signal, "window_ms", alert->window_ms);
	nest(line, "signal", &signal);
}

int bh_alert_json(const struct bh_alert *alert, const struct bh_event_context *context, FILE *out)
{
	const char *const mitre[] = { alert->mitre, NULL };
	char id[BH_JSON_ID_LEN], message[BH_ALERT_MESSAGE_LEN];
	struct object line = begin();

	snprintf(id, sizeof(id), "%s-a%" PRIu64, context->boot_id ? context->boot_id : "", alert->sequence);
	bh_alert_message(alert, context, message);
	set_head(&line, id, alert->time_ns, context);
	set_text(&line, "class", alert->class);
	set_text(&line, "kind", alert->threshold ? "threshold" : "detection");
	set_text(&line, "verdict", bh_alert_action(alert->respond));
	set_text(&line, "severity", alert->severity);
	set_text(&line, "message", message);
	set_owner(&line, context);
	set_text(&line, "tool", tool_name(alert, context));
	if (alert->event)
		bh_json_subject(&line, alert->event, context);
	set_signal(&line, alert);
	set_list(&line, "mitre", mitre);
	return bh_json_finish(&line, out);
}
