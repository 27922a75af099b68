/* SPDX-License-Identifier: GPL-2.0-only */
/* What both written forms of an event say: words for its numbers, its object, its sentence. Printable ASCII only. */
#ifndef BH_EVENT_DESCRIBE_H
#define BH_EVENT_DESCRIBE_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/event.h"

#define BH_OBJECT_LEN 320u /* a long path is cut and ends in "..." */
#define BH_MESSAGE_LEN 1024u
#define BH_NUMBER_LEN 16u
#define BH_TIME_LEN 32u /* "2026-11-29T12:00:00.123456789Z" */

bool bh_event_is_file(const struct bh_event *event); /* speaks of a path that is a file */
bool bh_event_is_network(const struct bh_event *event); /* speaks of a socket */

/* Enforce mode refuses it, whether or not it was refused. */
bool bh_event_refused(const struct bh_event *event);

const char *bh_event_class(const struct bh_event *event); /* contract.md's "class" */
const char *bh_event_severity(const struct bh_event *event); /* contract.md's "severity" */
const char *bh_event_access(const struct bh_event *event); /* "read", "write", "exec"; NULL: does not apply */
const char *bh_verdict_name(unsigned int verdict); /* "deny"; "?" unknown */
const char *bh_mode_name(unsigned int mode); /* "enforce"; NULL unknown */

/* Both write the name, or the number where it has none, and return buffer. */
const char *bh_family_name(unsigned int family, char buffer[static BH_NUMBER_LEN]);
const char *bh_protocol_name(unsigned int protocol, char buffer[static BH_NUMBER_LEN]);

/* The IP address in text. False (buffer empty): the record holds none. */
bool bh_event_address(const struct bh_event *event, char buffer[static INET6_ADDRSTRLEN]);

/* RFC 3339 in UTC with nanoseconds; clamped to the years 1970..9999. */
void bh_event_time(uint64_t time_ns, int64_t boot_offset_ns, char buffer[static BH_TIME_LEN]);

/* What was acted on, in short: "write /etc/passwd", "[fd00::1]:443", "unix /run/x.sock". May be empty. */
void bh_event_object(const struct bh_event *event, char buffer[static BH_OBJECT_LEN]);

/* One English sentence without a full stop. */
void bh_event_message(const struct bh_event *event, const struct bh_event_context *context,
		      char buffer[static BH_MESSAGE_LEN]);

/* Ids of the catalogues, each list ended by NULL. Empty where the link would be a guess. */
const char *const *bh_reason_owasp(unsigned int reason);
const char *const *bh_reason_mitre(unsigned int reason);

#endif
