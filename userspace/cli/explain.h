/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of `bulkhead explain`. */
#ifndef BH_CLI_EXPLAIN_H
#define BH_CLI_EXPLAIN_H

#include "cli/command.h"

/* Prints the policy in constrained English. Returns an exit code; BH_EXIT_NO when the sentences do not say all of it. */
int bh_explain_english(const char *path, bool json);

#endif
