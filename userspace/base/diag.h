/* SPDX-License-Identifier: GPL-2.0-only */
/* Findings about a source text that a person wrote: place, code, sentence, hint; collected, then printed with the line and a caret. */
#ifndef BH_BASE_DIAG_H
#define BH_BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A place in a source text. line and column count from 1; 0 = no such place. width >= 1: columns to underline. */
struct bh_loc {
	uint32_t line, column, width;
};

enum bh_severity {
	BH_SEVERITY_NOTE = 1,
	BH_SEVERITY_WARNING,
	BH_SEVERITY_ERROR,
};

struct bh_diag {
	enum bh_severity severity;
	const char *code; /* "E110"; static storage */
	struct bh_loc loc;
	char *text; /* owned; printable ASCII, foreign bytes escaped */
	char *hint; /* owned, may be NULL */
};

/* The findings about one source. Keeps the first 50 errors and counts the rest. */
struct bh_diags;

/* name: as shown before ":line:col"; text, length: the whole source, borrowed until bh_diags_free. NULL when out of memory. */
struct bh_diags *bh_diags_new(const char *name, const char *text, size_t length);
void bh_diags_free(struct bh_diags *diags);

/* From now on only the first `most` errors are kept, at most 50 as ever; the rest is counted. */
void bh_diags_keep_errors(struct bh_diags *diags, size_t most);

/* Adds one finding; a hint of NULL means none. Running out of memory is itself remembered as an error. */
void bh_diag_add(struct bh_diags *diags, enum bh_severity severity, const char *code, struct bh_loc loc,
		 const char *hint, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Turns every kept warning of that code at that place into a note that says why. Returns how many there were. */
size_t bh_diags_accept(struct bh_diags *diags, const char *code, struct bh_loc loc, const char *why);

size_t bh_diags_errors(const struct bh_diags *diags);
size_t bh_diags_warnings(const struct bh_diags *diags);
size_t bh_diags_count(const struct bh_diags *diags); /* kept ones */
const struct bh_diag *bh_diags_get(const struct bh_diags *diags,
				   size_t index); /* in source order (line, column, order of adding) */
const char *bh_diags_name(const struct bh_diags *diags);

/* Prints every kept finding: "FILE:LINE:COL: error[E110]: text", the source line, caret and tildes, "    help: hint". colour: ANSI. */
void bh_diags_print(const struct bh_diags *diags, FILE *out, bool colour);

#endif
