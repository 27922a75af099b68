/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of rules/ as they are linked into the program. */
#ifndef BH_POLICY_EMBEDDED_H
#define BH_POLICY_EMBEDDED_H

#include <stddef.h>

struct bh_embedded {
	const char *name; /* as in the source tree */
	const char *where; /* which kind of mapping it holds: a name of the key table */
	const char *start, *end; /* *end is NUL */
};

extern const struct bh_embedded bh_embedded_files[];
extern const size_t bh_embedded_count;

/* rules/public-suffixes.txt: one suffix in a line, lines that begin with '#' and empty ones say nothing. *end is NUL. */
extern const char bh_embedded_suffixes_start[], bh_embedded_suffixes_end[];

#endif
