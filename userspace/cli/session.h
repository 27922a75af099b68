/* SPDX-License-Identifier: GPL-2.0-only */
/* One `bulkhead run`: everything it owns, in the order in which it comes to be. */
#ifndef BH_CLI_SESSION_H
#define BH_CLI_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/child.h"
#include "cli/command.h"
#include "event/event.h"
#include "kernel/caps.h"
#include "kernel/core.h"
#include "kernel/disk.h"
#include "kernel/host.h"

struct bh_session {
	/* asked for */
	const char *policy_path;
	char name[64];
	uint8_t mode; /* 0: the policy's, until bh_session_prepare */
	bool quiet;
	/* found */
	struct bh_host host;
	struct bh_opened opened;
	struct bh_compiled *compiled; /* with the aliases of this host */
	struct bh_program program;
	uint8_t modes[BH_CLASS_SLOTS]; /* of single classes, 0: as mode */
	uint64_t grace_until_ns; /* CLOCK_BOOTTIME; of mode grace */
	/* made */
	int lock;
	bool standing; /* cgroup or pins may exist: teardown must run */
	struct bh_cgroup cgroup;
	struct bh_disk disk;
	struct bh_core *core;
	uint32_t number, slot; /* the sandbox's and its policy's */
	struct bh_child child;
	FILE *events; /* --events, or NULL */
	/* for records */
	struct bh_event_context context;
	char boot_id[40], node[65];
	uint64_t said; /* userspace's own events so far */
	/* what happened */
	bool proven; /* the kernel has judged the child, before it did anything */
	bool proof_denied; /* and refused what it asked */
	uint64_t denials, printed;
	int64_t written_until_ns; /* the events file has had its share of time up to here */
	uint64_t unwritten; /* events that were over that share */
	bool killed, frozen;
	unsigned int ended_by; /* BH_REASON_L*: the limit that ended it; 0 none */
	struct bh_caps_met met;
	int status; /* as waitpid gives it; -1 while it runs */
	int64_t start_ns;
};

/* Every step below returns 0 or fills err and returns negative errno. */
int bh_session_prepare(struct bh_session *session,
		       struct bh_err *err); /* names, links, tables; changes nothing outside */
int bh_session_stand(struct bh_session *session, struct bh_err *err); /* cgroup, programs, policy in force, pins */
int bh_session_start(struct bh_session *session, struct bh_err *err); /* the child, moved in and let go */
int bh_session_watch(struct bh_session *session,
		     struct bh_err *err); /* until CMD has ended or the sandbox was killed */
int bh_session_fall(struct bh_session *session, struct bh_err *err); /* ends what still runs, removes everything */

/* Says something in the session's own name: to the events file, and to standard error when it is worth a line. */
void bh_session_say(struct bh_session *session, const struct bh_lifecycle *what, bool print);
/* Takes every waiting record: writes it, and kills the sandbox if one asks for it. */
int bh_session_drain(struct bh_session *session, struct bh_err *err);
/* Kills the sandbox, and says why. */
void bh_session_end(struct bh_session *session, unsigned int reason);
/* Ends a sandbox that was frozen. */
void bh_session_end_frozen(struct bh_session *session);
/* Kills or freezes the sandbox if the kernel has marked it so: the record that asked for it may have found no room. */
void bh_session_check(struct bh_session *session);

#endif
