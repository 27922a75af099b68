/* SPDX-License-Identifier: GPL-2.0-only */
/* Starts of programs, and shells that speak to the network. */
#include <string.h>

#include "detect/private.h"

#define CONNECTED_LATELY_NS (10 * BH_MINUTE_NS)
#define PORT_NAMES 53u /* a shell may look a user or host up */

static bool ends_in(const struct bh_moment *moment, const char *end)
{
	size_t length = strlen(end);

	return moment->path_length >= length && !memcmp(moment->path + moment->path_length - length, end, length);
}

static bool begins_with(const struct bh_moment *moment, const char *start)
{
	size_t length = strlen(start);

	return moment->path_length >= length && !memcmp(moment->path, start, length);
}

/* In memory, or removed; what the kernel can give no name at all has none either. */
static bool has_no_name(const struct bh_moment *moment)
{
	if (!moment->path)
		return moment->event->reason == BH_REASON_P0;
	return begins_with(moment, "/memfd:") || ends_in(moment, " (deleted)");
}

static void look_at_exec(struct bh_detect *detect, const struct bh_moment *moment)
{
	const struct bh_event *event = moment->event;
	bool shell = moment->path && bh_is_shell(moment->path, moment->path_length);

	if (moment->own_program)
		bh_detect_raise_event(detect, BH_DETECTION_write_then_exec, event);
	if (has_no_name(moment))
		bh_detect_raise_event(detect, BH_DETECTION_fileless_exec, event);
	if (shell && moment->refused && event->reason == BH_REASON_X1)
		bh_detect_raise_event(detect, BH_DETECTION_shell_without_edge, event);
	if (shell && event->verdict == BH_VERDICT_ALLOW && moment->process && moment->process->connected_ns &&
	    detect->now_ns - moment->process->connected_ns <= CONNECTED_LATELY_NS)
		bh_detect_raise_event(detect, BH_DETECTION_reverse_shell, event);
}

/* One alert for each address, whatever the port. */
static void raise_speaking(struct bh_detect *detect, const struct bh_event *event)
{
	struct bh_cause cause = { .event = event, .tool = event->tool };

	cause.key = bh_key(event->family, event->address, bh_address_bytes(event->family));
	bh_detect_raise(detect, BH_DETECTION_reverse_shell, &cause);
}

void bh_detect_programs(struct bh_detect *detect, const struct bh_moment *moment)
{
	const struct bh_event *event = moment->event;
	const char *exe = (const char *)event->exe;

	if (event->kind == BH_KIND_EXEC)
		look_at_exec(detect, moment);
	if (moment->connects && event->port != PORT_NAMES && bh_is_shell(exe, strnlen(exe, sizeof(event->exe))))
		raise_speaking(detect, event);
	if (moment->new_program && detect->config.learning_ns &&
	    detect->now_ns - detect->began_ns > detect->config.learning_ns)
		bh_detect_raise_event(detect, BH_DETECTION_new_program, event);
}
