/* SPDX-License-Identifier: GPL-2.0-only */
/* One record as the detectors look at it, and what of it later records are compared with. */
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "detect/private.h"
#include "event/describe.h"

size_t bh_address_bytes(unsigned int family)
{
	return family == AF_INET ? 4 : family == AF_INET6 ? 16 : 0;
}

bool bh_is_shell(const char *path, size_t length)
{
	static const char *const shells[] = { "ash", "bash", "busybox", "csh", "dash", "fish",
					      "ksh", "mksh", "rbash",	"sh",  "tcsh", "zsh" };
	const char *slash = memrchr(path, '/', length);
	const char *name = slash ? slash + 1 : path;
	size_t rest = length - (size_t)(name - path);

	for (size_t i = 0; i < BH_COUNT_OF(shells); i++)
		if (strlen(shells[i]) == rest && memcmp(shells[i], name, rest) == 0)
			return true;
	return false;
}

/* A record says "written" for every kind of file but a plain open, which has its access. */
static bool writes(const struct bh_event *event)
{
	switch (event->kind) {
	case BH_KIND_FILE_WRITE:
	case BH_KIND_FILE_LINK:
	case BH_KIND_FILE_RENAME:
		return true;
	case BH_KIND_FILE_OPEN:
		return event->access & BH_ACCESS_WRITE;
	default:
		return false;
	}
}

static uint64_t peer_key(const struct bh_event *event)
{
	return bh_key(event->port, event->address, bh_address_bytes(event->family));
}

void bh_moment_make(struct bh_detect *detect, const struct bh_event *event, struct bh_moment *ret)
{
	*ret = (struct bh_moment){ .event = event, .refused = bh_event_refused(event), .writes = writes(event) };
	ret->process = bh_process_of(detect, event);
	if (event->path_length > 1) {
		ret->path = (const char *)event->path;
		ret->path_length = event->path_length - 1;
		ret->path_key = bh_key(0, ret->path, ret->path_length);
	}
	ret->starts = event->kind == BH_KIND_EXEC && !ret->refused;
	ret->connects = (event->kind == BH_KIND_CONNECT || event->kind == BH_KIND_SENDMSG) &&
			bh_address_bytes(event->family);
	if (event->kind == BH_KIND_EXEC && ret->path)
		ret->own_program = bh_keys_has(detect->written, BH_WRITTEN, ret->path_key);
	if (ret->starts && ret->path)
		ret->new_program = bh_keys_add(detect->programs, BH_SEEN_PROGRAMS, ret->path_key);
	if (ret->connects && !ret->refused)
		ret->new_peer = bh_keys_add(detect->peers, BH_SEEN_PEERS, peer_key(event));
	ret->hop = ret->starts && ret->process && ret->process->tool != BH_TOOL_NONE &&
		   ret->process->tool != event->tool;
}

void bh_moment_keep(struct bh_detect *detect, const struct bh_moment *moment)
{
	/* what observe mode lets through happens, and what was refused does not */
	bool done = moment->event->verdict == BH_VERDICT_ALLOW;

	if (moment->writes && moment->path && done)
		bh_keys_add(detect->written, BH_WRITTEN, moment->path_key);
	if (!moment->process)
		return;
	if (moment->event->tool != BH_TOOL_NONE)
		moment->process->tool = moment->event->tool;
	if (moment->connects && done)
		moment->process->connected_ns = detect->now_ns;
	if (moment->event->kind == BH_KIND_EXIT)
		bh_process_end(detect, moment->event);
}
