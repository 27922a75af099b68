/* SPDX-License-Identifier: GPL-2.0-only */
/* The steps of a drill, and playing them: the same inside and outside. */
#ifndef BH_CLI_DRILL_H
#define BH_CLI_DRILL_H

#include <stddef.h>

#include "drill/try.h"

#define BH_DRILL_INSIDE "--inside" /* how the program is told that it is in the sandbox */
#define BH_DRILL_LINE "STEP " /* begins what it says there: number, process, TRY_* */

/* A line of rules/drill.def. */
struct bh_drill_step {
	const char *trick, *arguments, *reason;
	int outside; /* whether it is tried there too */
	const char *text;
};

extern const struct bh_drill_step bh_drill_steps[];
extern const size_t bh_drill_count;

/* Plays a step in a process of its own, whose number is put in ret_pid. Returns TRY_*. */
int bh_drill_try(size_t index, const char *folder, int outsider, int *ret_pid);

/* All steps, each with a line on standard output. Returns an exit code. */
int bh_drill_inside(const char *folder, int outsider);

#endif
