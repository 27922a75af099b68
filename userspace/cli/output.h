/* SPDX-License-Identifier: GPL-2.0-only */
/* What several commands leave behind: files, and findings as JSON. */
#ifndef BH_CLI_OUTPUT_H
#define BH_CLI_OUTPUT_H

#include <jansson.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/err.h"
#include "compile/compile.h"

/* Writes a file whole or not at all: beside its place, then renamed. Returns 0, or negative errno with err. */
int bh_file_put(const char *path, const void *bytes, size_t length, struct bh_err *err);

/*
 * Writes a file that is there anew, whole or not at all, with the same mode and owner. old: what was read from it; a file that
 * holds something else now is left alone. A symbolic link is followed. Returns 0, or negative errno with err.
 */
int bh_file_replace(const char *path, const void *old, size_t old_length, const void *bytes, size_t length,
		    struct bh_err *err);

/* As bh_file_put, for FOLDER/NAME and its ending. */
int bh_file_put_in(const char *folder, const char *name, const char *ending, const void *bytes, size_t length,
		   struct bh_err *err);

/* Writes NAME.policy.json and NAME.bhp into the folder, which is made if need be, and says so on standard output unless quiet. */
int bh_artifacts_put(const struct bh_compiled *compiled, const char *folder, bool quiet, struct bh_err *err);

/* The findings as an array: severity, code, line, column, text, help. */
json_t *bh_findings_json(const struct bh_diags *diags);

/* Prints the object on one line and lets go of it. */
void bh_json_print(json_t *object);

#endif
