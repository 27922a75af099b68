/* SPDX-License-Identifier: GPL-2.0-only */
/* What a detector found: a threshold of the policy that was passed, or a detection of rules/detections.def. */
#ifndef BH_EVENT_ALERT_H
#define BH_EVENT_ALERT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "event/event.h"

/* What is to follow. Numbers of a policy's `respond`. */
#define BH_ALERT_ONLY 6u /* only said */
#define BH_ALERT_FREEZE BH_VERDICT_FREEZE
#define BH_ALERT_KILL BH_VERDICT_KILL

struct bh_alert {
	const char *name; /* "network.denied", "reverse-shell" */
	const char *class; /* "resource", "syscall", "network", "behavioral" */
	const char *severity; /* "info", "low", "medium", "high", "critical" */
	const char *mitre; /* id of MITRE ATT&CK; NULL: none fits for certain */
	const char *text; /* what it means: one English sentence without a full stop */
	bool threshold; /* of the policy; else a detection */
	uint8_t respond; /* BH_ALERT_* */
	uint8_t tool; /* that it is about; 0: the sandbox */
	uint64_t sequence; /* of this sandbox's alerts, from 1 */
	uint64_t time_ns; /* CLOCK_BOOTTIME, of what tipped it */
	uint64_t value, limit; /* value 0: nothing was counted */
	uint32_t window_ms; /* in which value was counted; 0: a state, not a count */
	const struct bh_event *event; /* the record that tipped it, borrowed for the call; NULL: it was no record */
	const char *object; /* what it is about where no record says it: a name, an address; NULL: nothing. Borrowed. */
};

/* contract.md's JSON line (kinds "threshold" and "detection"), and one for a person. Return 0, -ENOMEM, -EIO. */
int bh_alert_json(const struct bh_alert *alert, const struct bh_event_context *context, FILE *out);
int bh_alert_text(const struct bh_alert *alert, const struct bh_event_context *context, bool colour, FILE *out);

/* "alert", "freeze", "kill". */
const char *bh_alert_action(unsigned int respond);

/* What it says, without a full stop, in printable ASCII. */
#define BH_ALERT_MESSAGE_LEN 1024u
void bh_alert_message(const struct bh_alert *alert, const struct bh_event_context *context,
		      char buffer[static BH_ALERT_MESSAGE_LEN]);

#endif
