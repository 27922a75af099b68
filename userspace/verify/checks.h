/* SPDX-License-Identifier: GPL-2.0-only */
/* Questions that nobody had to write: the compulsory ones, and those just outside of each grant. */
#ifndef BH_VERIFY_CHECKS_H
#define BH_VERIFY_CHECKS_H

#include "verify/engine.h"
#include "verify/query.h"

struct bh_check {
	struct bh_query query; /* its strings are owned by the list */
	const char *what; /* static: what it is for, "floor-address" */
	bool denied; /* must be; else the definition knows and the engines must agree */
};

/* Each query once. Zero it to begin. */
struct bh_checks {
	struct bh_check *items;
	size_t count, capacity;
	uint32_t *table; /* index + 1 by hash of the query; 0: free */
	size_t table_size;
	int error; /* -ENOMEM once memory ran out */
};

void bh_checks_done(struct bh_checks *checks);

/* Adds a copy, unless the query is there. Running out of memory is remembered in error. */
void bh_checks_add(struct bh_checks *checks, const struct bh_query *query, const char *what, bool denied);

/* Is the query there? */
bool bh_checks_have(const struct bh_checks *checks, const struct bh_query *query);

/*
 * Fills the list with what holds for every policy (policy.md 9.1): the always-blocked addresses and files, guards and the
 * policy's own prohibitions, for every tool; shells and the dynamic loader, for every tool that does not list them by name.
 * Returns 0 or -ENOMEM.
 */
int bh_checks_compulsory(const struct bh_exam *exam, struct bh_checks *checks);

/*
 * Fills the list with each grant of the policy itself, the nearest things outside it, and what only other tools may do
 * (policy.md 9.3). The same policy gives the same list. Returns 0 or -ENOMEM.
 */
int bh_checks_boundary(const struct bh_exam *exam, struct bh_checks *checks);

/* bh_checks_boundary's parts. */
void bh_boundary_file(const struct bh_exam *exam, const struct bh_rule *rule, struct bh_checks *checks);
void bh_boundary_exec(const struct bh_exam *exam, const struct bh_rule *rule, struct bh_checks *checks);
void bh_boundary_entry(const struct bh_exam *exam, const struct bh_rule *rule, struct bh_checks *checks);
void bh_boundary_net(const struct bh_exam *exam, const struct bh_rule *rule, struct bh_checks *checks);
void bh_boundary_host(const struct bh_exam *exam, const struct bh_rule *rule, struct bh_checks *checks);
void bh_boundary_unix(const struct bh_exam *exam, const struct bh_rule *rule, struct bh_checks *checks);
void bh_boundary_listen(const struct bh_exam *exam, const struct bh_rule *rule, struct bh_checks *checks);
void bh_boundary_rights(const struct bh_exam *exam, struct bh_checks *checks);
/* Around the path of the rule, whatever is done with it. */
void bh_boundary_path(const struct bh_exam *exam, const struct bh_rule *rule, enum bh_action action,
		      struct bh_checks *checks);

#define BH_SAMPLE_MAX 2048u /* bytes: a pattern and what is put beside it */

/* A path that the pattern matches: each wildcard becomes an x. False when it has no room. */
bool bh_pattern_sample(const char *pattern, char ret_path[BH_SAMPLE_MAX]);

/* A name that the host or suffix stands for. False when it has no room. */
bool bh_host_sample(const char *pattern, char *ret_host, size_t size);

/* A command line that the exec rule's first clause lets pass, and the variables that it requires, as blocks. */
void bh_entry_usual(const struct bh_rule *rule, struct bh_buf *args, struct bh_buf *env);

/* Is it known of this program that it runs others, or reads where to find them, by this option ("-c" or "-c:1")? */
bool bh_option_runs_programs(const char *path, const char *option);

/* The tool number of a rule's scope. 0: "@entry". */
unsigned int bh_rule_tool(const struct bh_exam *exam, const struct bh_rule *rule);

/* A question about one path, or two. Does nothing for what is no path, or when memory ran out. */
void bh_checks_add_path(struct bh_checks *checks, enum bh_action action, unsigned int tool, const char *path,
			const char *other, const char *what, bool denied);

/* A question of the boundary about a program with these arguments and variables, given as blocks. */
void bh_checks_add_run(struct bh_checks *checks, unsigned int tool, const char *path, const struct bh_buf *args,
		       const struct bh_buf *env);

#endif
