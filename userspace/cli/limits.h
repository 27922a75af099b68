/* SPDX-License-Identifier: GPL-2.0-only */
/* The limits of one run: set before its first program, watched while it lives, told when they are met. */
#ifndef BH_CLI_LIMITS_H
#define BH_CLI_LIMITS_H

#include "cli/session.h"

/* Puts every limit of the policy on the sandbox's cgroup and directory. Returns 0; -EOPNOTSUPP with err: it cannot be kept here. */
int bh_limits_set(struct bh_session *session, struct bh_err *err);

/* What the first program gets besides: the most descriptors of each process. */
void bh_limits_of_program(const struct bh_session *session, struct bh_program *program);

/* Descriptors to poll while the sandbox lives; -EBADF: nothing to wait for. */
struct bh_limits_watch {
	int memory, pids; /* POLLPRI */
	int wall; /* POLLIN */
};

/* Opens them; the time runs from here. 0, or negative errno with err. The caller gives them to bh_limits_unwatch. */
int bh_limits_watch(const struct bh_session *session, struct bh_limits_watch *ret_watch, struct bh_err *err);
void bh_limits_unwatch(struct bh_limits_watch *watch);

/* Looks what was met since: says each once, and ends the sandbox that has run out of memory. */
void bh_limits_look(struct bh_session *session);

/* The time is over: ends the sandbox. */
void bh_limits_time_over(struct bh_session *session);

/* For the last line, into buffer: "  out of memory", "  time over", "  process limit met 3 times", or nothing. */
void bh_limits_summary(const struct bh_session *session, char *buffer, size_t size);

#endif
