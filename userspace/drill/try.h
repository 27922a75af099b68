/* SPDX-License-Identifier: GPL-2.0-only */
/* Tricks, for `bulkhead drill` and for the tests' `try`. Each plays an attacker's single move and says whether the kernel let it through. */
#ifndef BH_DRILL_TRY_H
#define BH_DRILL_TRY_H

#include <stddef.h>

/* Exit statuses. */
#define TRY_WON 0 /* the trick worked */
#define TRY_REFUSED 1 /* EPERM or EACCES, or the process was killed for it */
#define TRY_ERROR 2 /* anything else: no such file, not in this kernel, time out */
#define TRY_USAGE 64

struct try_trick {
	const char *name;
	const char *usage; /* what follows the name */
	int arguments; /* at least so many */
	int (*run)(char **args); /* args: what follows the name, ended by NULL; returns an exit status */
};

/* The trick of that name; NULL: none. */
const struct try_trick *try_find(const char *name);

/* One table per theme, each ended by an entry without a name; and all of them. */
extern const struct try_trick *const try_tables[];
extern const size_t try_tables_count;
extern const struct try_trick try_files[], try_names[], try_exec[], try_spawn[], try_inet[], try_sockets[], try_unix[],
	try_process[];

/* Prints "won: WHAT" and returns TRY_WON. */
int try_won(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints "refused: WHAT: EPERM" or "error: WHAT: ENOENT" by errno and returns the status that fits. */
int try_failed(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints "refused: WHAT" and returns TRY_REFUSED. */
int try_refused(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Reads one byte from fd, which it closes: a file that opens but cannot be read is no loot. fd < 0: errno says why. */
int try_read_fd(int fd, const char *what);

/* A decimal number; ends the program when text is none or is out of range. */
long try_number(const char *text, long low, long high);

#endif
