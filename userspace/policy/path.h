/* SPDX-License-Identifier: GPL-2.0-only */
/* The form of paths and path patterns (policy.md 2.4.2), and which patterns open too much. */
#ifndef BH_POLICY_PATH_H
#define BH_POLICY_PATH_H

#include <stdbool.h>
#include <stdint.h>

#define BH_PATTERN_MAX 1024u
#define BH_COMPONENTS_MAX 32u

/* A finding about a path. code NULL: none. Both strings static. */
struct bh_path_fault {
	const char *code;
	const char *text; /* goes behind the quoted path */
	const char *hint; /* or NULL */
};

/* Absolute, canonical, short enough, wildcards only where they may stand: E201-E205. */
struct bh_path_fault bh_path_form(const char *path);

/* Does it hold a wildcard? */
bool bh_path_is_pattern(const char *path);

/* For a well-formed pattern: does it open so much that the rule says nothing (E206)? access: one BH_ACCESS_* bit. */
struct bh_path_fault bh_path_breadth(const char *pattern, uint32_t access);

#endif
