/* SPDX-License-Identifier: GPL-2.0-only */
/* How a difference between two policies is shown, wherever there is one. */
#ifndef BH_CLI_DIFFERENCE_H
#define BH_CLI_DIFFERENCE_H

#include <jansson.h>

#include "verify/diff.h"

/* What goes with a difference. names: of the files; NULL: its rules' places are not shown. */
struct bh_difference {
	const struct bh_diff *diff;
	const struct bh_compiled *before, *after;
	const char *before_name, *after_name;
};

/* Prints a heading, settings, rules and a last line, each after this many spaces. */
void bh_difference_print(const struct bh_difference *difference, int indent);

/* The same as an object. */
json_t *bh_difference_json(const struct bh_difference *difference);

#endif
