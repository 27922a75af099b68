/* SPDX-License-Identifier: GPL-2.0-only */
/* The commands and what they share: exit codes, finding a policy, printing a failure. */
#ifndef BH_CLI_COMMAND_H
#define BH_CLI_COMMAND_H

#include <stdbool.h>

#include "base/err.h"
#include "compile/compile.h"
#include "policy/parse.h"

/* contract.md */
enum bh_exit {
	BH_EXIT_OK = 0,
	BH_EXIT_NO = 1, /* the answer is no: the policy denies, a difference was found */
	BH_EXIT_USAGE = 2,
	BH_EXIT_POLICY = 3, /* an error in a policy or configuration */
	BH_EXIT_HOST = 4, /* this host cannot enforce it */
	BH_EXIT_DAEMON = 5,
	BH_EXIT_INTERNAL = 6,
};

struct bh_command {
	const char *name;
	const char *synopsis; /* after "bulkhead NAME " */
	const char *summary; /* one line */
	const char *help; /* the options, a line each */
	int (*main)(int argc,
		    char **argv); /* argv[0] is the command's name; returns enum bh_exit or, for run, CMD's status */
};

extern const struct bh_command bh_command_run, bh_command_compile, bh_command_verify, bh_command_explain,
	bh_command_diff, bh_command_replay, bh_command_probe, bh_command_drill;

/* Prints "bulkhead: TEXT" and the hint to standard error. */
void bh_fail(const struct bh_err *err);
/* Prints a usage error with how to get help. Returns BH_EXIT_USAGE. */
int bh_usage(const struct bh_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints the command's help to standard output. Returns BH_EXIT_OK. */
int bh_help(const struct bh_command *command);
bool bh_colour(int fd); /* a terminal, and NO_COLOR is not set */

/* A policy file, open and understood. Zero it to begin; done frees what is there. */
struct bh_opened {
	char *text;
	size_t length;
	struct bh_shipped *shipped;
	struct bh_diags *diags;
	struct bh_source_policy *source;
	struct bh_compiled *compiled;
};
/* How much of what the compiler found is printed to standard error. */
enum bh_findings {
	BH_FINDINGS_NONE = 0,
	BH_FINDINGS_SERIOUS, /* all, if there is an error or a warning; notes alone are for `bulkhead compile` */
	BH_FINDINGS_ALL,
};

/*
 * Reads; then parses and compiles a source, or loads a compiled policy. Returns an exit code; on BH_EXIT_OK all is filled.
 */
int bh_opened_init(struct bh_opened *opened, const char *path, enum bh_findings show);
/* Prints the findings, and how many errors there are. For callers that add some after bh_opened_init with BH_FINDINGS_NONE. */
void bh_opened_say(const struct bh_opened *opened, const char *path, enum bh_findings show);
void bh_opened_done(struct bh_opened *opened);

#endif
