/* SPDX-License-Identifier: GPL-2.0-only */
/* What every wire format tells: an event of any kind with its numbers turned into words, once, whatever it came from. */
#ifndef BH_EXPORTERS_RECORD_H
#define BH_EXPORTERS_RECORD_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "event/alert.h"
#include "event/describe.h"
#include "event/event.h"
#include "event/utf8.h"

#define BH_EXPORT_NAME_LEN BH_UTF8_ROOM(256u)

enum bh_export_what {
	BH_EXPORT_EVENT = 1, /* the kernel's: something was asked for */
	BH_EXPORT_LIFECYCLE, /* our own: begin, end, kill, lost events, limits */
	BH_EXPORT_ALERT, /* a detector's */
};

/*
 * Every string is valid UTF-8 and ends; "" or NULL: it does not apply. Control characters are in there as they came. Strings by
 * pointer are borrowed from what the record was filled from.
 */
struct bh_export {
	enum bh_export_what what;
	char id[96]; /* contract.md's; also for its repetition after a failed sending */
	uint64_t time_ns; /* since 1970, UTC, within the years 1970 to 9999 */
	const char *class, *kind, *verdict, *severity; /* never NULL */
	const char *reason; /* code; of an alert its name */
	bool refused; /* it was, or would have been in enforce mode */
	char message[BH_UTF8_ROOM(BH_MESSAGE_LEN)];
	const char *mode;
	char node[BH_EXPORT_NAME_LEN], policy[BH_EXPORT_NAME_LEN], policy_hash[BH_EXPORT_NAME_LEN];
	char sandbox[BH_EXPORT_NAME_LEN], cgroup[BH_EXPORT_NAME_LEN];
	char tool[BH_EXPORT_NAME_LEN], rule[BH_EXPORT_NAME_LEN];
	/* who asked */
	bool has_process;
	uint32_t pid, tid, ppid, uid;
	uint64_t start_ns; /* since the machine was started */
	char comm[BH_UTF8_ROOM(16u)], parent[BH_UTF8_ROOM(16u)], exe[BH_UTF8_ROOM(BH_EXE_MAX)];
	/* what for */
	bool has_file, has_network;
	const char *access; /* "read", "write", "exec", "load" */
	char path[BH_UTF8_ROOM(BH_PATH_MAX)]; /* of a file or a unix socket */
	char family[BH_NUMBER_LEN], protocol[BH_NUMBER_LEN], address[INET6_ADDRSTRLEN];
	uint8_t protocol_number;
	uint16_t port;
	/* what came of it */
	const char *action; /* "kill" */
	int64_t latency_us, tasks, lost; /* -1: does not apply */
	const char *owasp, *mitre; /* first id of each */
};

void bh_export_event(const struct bh_event *event, const struct bh_event_context *context,
		     struct bh_export *ret_record);
void bh_export_lifecycle(const struct bh_lifecycle *lifecycle, const struct bh_event_context *context,
			 struct bh_export *ret_record);
void bh_export_alert(const struct bh_alert *alert, const struct bh_event_context *context,
		     struct bh_export *ret_record);

/* The name of the last component of `path`: it itself when it has no '/'. */
const char *bh_export_base_name(const char *path);

/*
 * Writes text for a format that is read line by line: a character of `special` gets a backslash before it, and a control
 * character, or one that reorders or breaks a shown line, becomes \uNNNN, whose backslash is escaped if it is special. At most
 * `most` bytes of text are taken, whole characters only.
 */
void bh_export_put(const char *text, const char *special, size_t most, FILE *out);

#endif
