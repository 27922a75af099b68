/* SPDX-License-Identifier: GPL-2.0-only */
/* The sandbox's first program: born outside, stripped, moved in, and only then let go. */
#ifndef BH_CLI_CHILD_H
#define BH_CLI_CHILD_H

#include <limits.h>
#include <sys/types.h>

#include "base/err.h"
#include "cli/protect.h"
#include "cli/rights.h"

/* A program to run. path is absolute. */
struct bh_program {
	char path[PATH_MAX];
	char **argv;
	uint64_t open_files; /* most descriptors of a process; 0: as many as we may */
	struct bh_unprotected before; /* what it goes back to */
};

struct bh_child {
	pid_t pid;
	int pidfd; /* polls readable when it has ended */
	int release; /* writing lets it go */
	int failure; /* carries the errno of a failed exec, or end of file */
};

/*
 * Finds argv[0] as a shell would. Returns 0; -ENOENT or -EACCES with err: no such command, or not executable.
 */
int bh_program_find(char **argv, struct bh_program *ret_program, struct bh_err *err);

/*
 * Forks the child. It gives up every right but these (cli/rights.h), closes what it must not inherit, and waits; all of that is done when this returns, so that nothing of it happens in the sandbox. bh_child_done closes the descriptors; it does not reap.
 */
int bh_child_fork(const struct bh_program *program, const struct bh_rights *rights, struct bh_child *ret_child,
		  struct bh_err *err);

/*
 * Has it try what a process without a tool may not do: open the root directory. Returns 0 and the errno it got (0: it was
 * let) in *ret_error; negative errno when it does not answer.
 */
int bh_child_prove(struct bh_child *child, int *ret_error);

/*
 * Limits its descriptors, which it could not do itself any more, and lets it execute. Returns 0 when the program has started, or
 * the negative errno of the exec that failed.
 */
int bh_child_release(struct bh_child *child, const struct bh_program *program);

void bh_child_done(struct bh_child *child);

#endif
