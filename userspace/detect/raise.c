/* SPDX-License-Identifier: GPL-2.0-only */
/* From what was found to the alert: once for each object in ten minutes, and no more of a kind in a minute than a person reads. */
#include "detect/private.h"

#define SILENCE_NS (10 * BH_MINUTE_NS)
#define EACH_MINUTE 20u

/* Whether this was raised lately. If not, it is from now on. */
static bool raised_lately(struct bh_detect *detect, uint64_t key)
{
	struct bh_raised *row = &detect->raised[key % (BH_RAISED / BH_KEY_WAYS) * BH_KEY_WAYS], *oldest = row;

	for (size_t i = 0; i < BH_KEY_WAYS; i++) {
		if (row[i].key == key && row[i].until_ns > detect->now_ns)
			return true;
		if (row[i].key == key || (oldest->key != key && row[i].until_ns < oldest->until_ns))
			oldest = &row[i];
	}
	*oldest = (struct bh_raised){ key, detect->now_ns + SILENCE_NS };
	return false;
}

static void emit(struct bh_detect *detect, struct bh_alert *alert)
{
	alert->sequence = ++detect->sequence;
	alert->time_ns = detect->now_ns - (uint64_t)detect->config.boot_offset_ns;
	detect->config.emit(detect->config.data, alert);
}

void bh_detect_raise(struct bh_detect *detect, enum bh_detection what, const struct bh_cause *cause)
{
	const struct bh_detection_entry *entry = &bh_detections[what];
	struct bh_alert alert = {
		.name = entry->name,
		.class = entry->class,
		.severity = entry->severity,
		.mitre = entry->mitre,
		.text = entry->meaning,
		.respond = BH_ALERT_ONLY,
		.tool = cause->tool,
		.value = cause->value,
		.limit = cause->limit,
		.window_ms = cause->window_ms,
		.event = cause->event,
		.object = cause->object,
	};

	if (raised_lately(detect, bh_key(what, &cause->key, sizeof(cause->key))))
		return;
	if (bh_window_add(detect, &detect->said[what], BH_MINUTE_NS, 1) > EACH_MINUTE) {
		detect->suppressed++;
		return;
	}
	emit(detect, &alert);
}

void bh_detect_raise_event(struct bh_detect *detect, enum bh_detection what, const struct bh_event *event)
{
	struct bh_cause cause = { .event = event, .tool = event->tool };

	if (event->path_length)
		cause.key = bh_key(event->kind, event->path, event->path_length);
	else
		cause.key = bh_key(event->kind, event->address, sizeof(event->address)) ^ event->port;
	bh_detect_raise(detect, what, &cause);
}

void bh_detect_raise_watch(struct bh_detect *detect, const struct bh_watch *watch, uint64_t value,
			   const struct bh_event *event, const char *object)
{
	const struct bh_signal_form_entry *signal = &bh_signal_forms[watch->given.signal];
	struct bh_alert alert = {
		.name = signal->name,
		.class = signal->class,
		.text = signal->text,
		.threshold = true,
		.respond = watch->given.respond,
		.tool = watch->given.tool,
		.value = value,
		.limit = watch->given.over,
		.window_ms = watch->given.window_ms,
		.event = event,
		.object = object,
	};

	alert.severity = alert.respond == BH_ALERT_KILL	  ? "critical" :
			 alert.respond == BH_ALERT_FREEZE ? "high" :
							    "medium";
	emit(detect, &alert);
}
