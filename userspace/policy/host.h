/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of hosts as a policy writes them. Pure functions; no name is ever resolved. */
#ifndef BH_POLICY_HOST_H
#define BH_POLICY_HOST_H

#include <stdbool.h>

#define BH_HOST_MAX 253u /* bytes of a name, a leading "*." not counted */
#define BH_LABEL_BYTES_MAX 63u

/* What is wrong with a name. code NULL: nothing. */
struct bh_host_fault {
	const char *code; /* static */
	const char *text; /* static; goes behind the quoted word */
	char hint[160]; /* empty: none */
};

/*
 * Lower-case letters, digits and '-' in labels, maybe "*." in front: E302. A wildcard under a suffix where anybody can
 * register a name, or over such a suffix (rules/public-suffixes.txt): E303.
 */
struct bh_host_fault bh_host_form(const char *host);

/* Does the pattern (a name, or "*." and a suffix) stand for that name? */
bool bh_host_matches(const char *pattern, const char *name);

#endif
