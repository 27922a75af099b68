/* SPDX-License-Identifier: GPL-2.0-only */
/* Starting a program so that the starter learns whether it started: a successful exec closes a pipe. */
#ifndef BH_DRILL_START_H
#define BH_DRILL_START_H

/* What the child does; only returns if it failed, with errno set. */
typedef void (*try_start_fn)(void *data);

/*
 * Runs start(data) in a child and waits for its end (and for that of children it left behind).
 * Won: the program started and ended with another status than 126 and 127, which a loader uses to say no.
 */
int try_start(try_start_fn start, void *data, const char *what);

/* For a child where start() itself forks: tells the waiting parent that starting failed with errno, and ends. */
void try_start_failed(void) __attribute__((noreturn));

#endif
