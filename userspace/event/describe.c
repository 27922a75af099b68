// SPDX-License-Identifier: GPL-2.0-only
#include "event/describe.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "event/utf8.h"

#define NS_PER_S 1000000000

bool bh_event_is_file(const struct bh_event *event)
{
	return event->kind == BH_KIND_EXEC || event->kind == BH_KIND_FILE_OPEN || event->kind == BH_KIND_FILE_WRITE ||
	       event->kind == BH_KIND_FILE_LINK || event->kind == BH_KIND_FILE_RENAME ||
	       event->kind == BH_KIND_MMAP_EXEC;
}

bool bh_event_is_network(const struct bh_event *event)
{
	return event->kind == BH_KIND_CONNECT || event->kind == BH_KIND_SENDMSG || event->kind == BH_KIND_SOCKET ||
	       event->kind == BH_KIND_UNIX_CONNECT || event->kind == BH_KIND_BIND || event->kind == BH_KIND_RECEIVE ||
	       event->kind == BH_KIND_PACKET;
}

bool bh_event_refused(const struct bh_event *event)
{
	return event->wanted != BH_VERDICT_ALLOW;
}

const char *bh_event_class(const struct bh_event *event)
{
	if (event->kind == BH_KIND_EXIT)
		return "lifecycle";
	return bh_event_is_network(event) ? "network" : "syscall";
}

const char *bh_event_severity(const struct bh_event *event)
{
	if (!bh_event_refused(event))
		return "info";
	if (event->wanted == BH_VERDICT_KILL)
		return "critical";
	switch (bh_reason_class(event->reason)) {
	case BH_CLASS_FLOOR:
		return "critical";
	case BH_CLASS_FILES:
		return "medium";
	default:
		return "high";
	}
}

const char *bh_event_access(const struct bh_event *event)
{
	if (!bh_event_is_file(event))
		return NULL;
	if (event->kind == BH_KIND_EXEC || (event->access & BH_ACCESS_EXEC))
		return "exec";
	if (event->kind == BH_KIND_MMAP_EXEC)
		return "load";
	if (event->kind != BH_KIND_FILE_OPEN || (event->access & BH_ACCESS_WRITE))
		return "write";
	return event->access & BH_ACCESS_READ ? "read" : NULL;
}

const char *bh_verdict_name(unsigned int verdict)
{
	switch (verdict) {
	case BH_VERDICT_ALLOW:
		return "allow";
	case BH_VERDICT_DENY:
	case BH_VERDICT_TASK: /* what was asked for did not happen; that the process ended is in the message */
		return "deny";
	case BH_VERDICT_FREEZE:
		return "freeze";
	case BH_VERDICT_KILL:
		return "kill";
	default:
		return "?";
	}
}

const char *bh_mode_name(unsigned int mode)
{
	switch (mode) {
	case BH_MODE_ENFORCE:
		return "enforce";
	case BH_MODE_OBSERVE:
		return "observe";
	case BH_MODE_GRACE:
		return "grace";
	default:
		return NULL;
	}
}

const char *bh_family_name(unsigned int family, char buffer[static BH_NUMBER_LEN])
{
	switch (family) {
	case AF_UNIX:
		return strcpy(buffer, "unix");
	case AF_INET:
		return strcpy(buffer, "inet");
	case AF_INET6:
		return strcpy(buffer, "inet6");
	default:
		snprintf(buffer, BH_NUMBER_LEN, "%u", family);
		return buffer;
	}
}

const char *bh_protocol_name(unsigned int protocol, char buffer[static BH_NUMBER_LEN])
{
	switch (protocol) {
	case IPPROTO_TCP:
		return strcpy(buffer, "tcp");
	case IPPROTO_UDP:
		return strcpy(buffer, "udp");
	case IPPROTO_ICMP:
		return strcpy(buffer, "icmp");
	default:
		snprintf(buffer, BH_NUMBER_LEN, "%u", protocol);
		return buffer;
	}
}

bool bh_event_address(const struct bh_event *event, char buffer[static INET6_ADDRSTRLEN])
{
	buffer[0] = '\0';
	if (event->kind != BH_KIND_CONNECT && event->kind != BH_KIND_SENDMSG && event->kind != BH_KIND_PACKET)
		return false;
	if (event->family != AF_INET && event->family != AF_INET6)
		return false;
	return inet_ntop(event->family, event->address, buffer, INET6_ADDRSTRLEN) != NULL;
}

void bh_event_time(uint64_t time_ns, int64_t boot_offset_ns, char buffer[static BH_TIME_LEN])
{
	const __int128 last = (__int128)253402300799 * NS_PER_S + NS_PER_S - 1; /* end of the year 9999 */
	__int128 now = (__int128)time_ns + boot_offset_ns;
	struct tm parts;
	size_t length;
	time_t seconds;

	now = now < 0 ? 0 : now > last ? last : now;
	seconds = (time_t)(now / NS_PER_S);
	gmtime_r(&seconds, &parts); /* cannot fail within the clamp */
	length = strftime(buffer, BH_TIME_LEN, "%Y-%m-%dT%H:%M:%S", &parts);
	snprintf(buffer + length, BH_TIME_LEN - length, ".%09uZ", (unsigned int)(now % NS_PER_S));
}

static void socket_object(const struct bh_event *event, char *buffer)
{
	char family[BH_NUMBER_LEN], protocol[BH_NUMBER_LEN], address[INET6_ADDRSTRLEN];

	bh_family_name(event->family, family);
	bh_protocol_name(event->protocol, protocol);
	if (bh_event_address(event, address))
		snprintf(buffer, BH_OBJECT_LEN, event->family == AF_INET6 ? "[%s]:%u%s%s" : "%s:%u%s%s", address,
			 event->port, event->protocol && event->protocol != IPPROTO_TCP ? "/" : "",
			 event->protocol && event->protocol != IPPROTO_TCP ? protocol : "");
	else
		snprintf(buffer, BH_OBJECT_LEN, event->protocol ? "family %s protocol %s" : "family %s", family,
			 protocol);
}

void bh_event_object(const struct bh_event *event, char buffer[static BH_OBJECT_LEN])
{
	const char *access = bh_event_access(event);
	size_t used = 0;

	buffer[0] = '\0';
	if (event->kind == BH_KIND_UNIX_CONNECT)
		used = (size_t)snprintf(buffer, BH_OBJECT_LEN, "unix ");
	else if (bh_event_is_network(event))
		socket_object(event, buffer);
	else if (access && event->kind != BH_KIND_EXEC)
		used = (size_t)snprintf(buffer, BH_OBJECT_LEN, "%s ", access);
	if (bh_event_is_network(event) && event->kind != BH_KIND_UNIX_CONNECT)
		return;
	if (event->number && !bh_event_is_file(event))
		snprintf(buffer, BH_OBJECT_LEN, "%s", bh_event_operation(event));
	else if (event->path_length > 1)
		bh_escape(event->path, event->path_length - 1, false, buffer + used, BH_OBJECT_LEN - used);
	else if (used)
		snprintf(buffer + used, BH_OBJECT_LEN - used, "(no path)");
}
