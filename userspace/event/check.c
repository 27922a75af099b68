// SPDX-License-Identifier: GPL-2.0-only
/* The door between the ring and userspace: after it, every number is known and every string ends. */
#include "event/event.h"

#include <errno.h>
#include <string.h>

/* length bytes; a string must end within them. */
static bool ends(const uint8_t *bytes, size_t length)
{
	return memchr(bytes, '\0', length) != NULL;
}

static bool names_end(const struct bh_event *event)
{
	if (!ends(event->comm, sizeof(event->comm)) || !ends(event->exe, sizeof(event->exe)))
		return false;
	for (size_t i = 0; i < BH_ANCESTORS; i++)
		if (!ends(event->ancestors[i], sizeof(event->ancestors[i])))
			return false;
	return true;
}

/* An abstract unix name may hold NULs of its own; no other path can. */
static bool path_ends(const struct bh_event *event)
{
	const uint8_t *end;

	if (!event->path_length)
		return true;
	if (event->path[event->path_length - 1])
		return false;
	end = memchr(event->path, '\0', event->path_length);
	return event->kind == BH_KIND_UNIX_CONNECT || end == event->path + event->path_length - 1;
}

static bool known_verdict(uint8_t verdict)
{
	return verdict >= BH_VERDICT_ALLOW && verdict <= BH_VERDICT_TASK;
}

/* What was done is what enforce mode would do, or, in observe mode, nothing. A refusal always says why. */
static bool verdict_agrees(const struct bh_event *event)
{
	if (!known_verdict(event->verdict) || !known_verdict(event->wanted))
		return false;
	if (event->verdict != event->wanted && event->verdict != BH_VERDICT_ALLOW)
		return false;
	if (event->reason == BH_REASON_NONE)
		return event->wanted == BH_VERDICT_ALLOW;
	return bh_reason_class(event->reason) != 0;
}

int bh_event_check(const void *bytes, size_t length, const struct bh_event **ret_event)
{
	const struct bh_event *event = bytes;

	if (!bytes || length < BH_EVENT_FIXED || (uintptr_t)bytes % _Alignof(struct bh_event))
		return -EPROTO;
	if (event->version != BH_EVENT_VERSION || event->length > length || event->path_length > BH_PATH_MAX ||
	    event->length != BH_EVENT_FIXED + event->path_length)
		return -EPROTO;
	if (!bh_kind_name(event->kind) || !verdict_agrees(event))
		return -EPROTO;
	if (event->tool > BH_TOOLS_MAX || event->pad1 ||
	    (event->access & ~(BH_ACCESS_READ | BH_ACCESS_WRITE | BH_ACCESS_EXEC | BH_ACCESS_LOAD)))
		return -EPROTO;
	if (event->number && !bh_event_operation(event))
		return -EPROTO;
	if (!names_end(event) || !path_ends(event))
		return -EPROTO;
	*ret_event = event;
	return 0;
}
