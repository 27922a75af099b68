/* SPDX-License-Identifier: GPL-2.0-only */
/* Several policies at once: which files of a folder they are, and which of them may be for the same sandbox. */
#ifndef BH_CLI_SEVERAL_H
#define BH_CLI_SEVERAL_H

#include <stddef.h>

#include "base/diag.h"
#include "base/err.h"
#include "policy/model.h"

struct bh_files {
	char **paths;
	size_t count, capacity;
};

/*
 * Adds a file or, of a folder, its policies in the order of their names: *.yaml, *.yml, *.txt and *.bhp without scenario files.
 * Returns 0, negative errno with err (what cannot be read; a folder without policies is -ENOENT).
 */
int bh_files_add(struct bh_files *files, const char *path, struct bh_err *err);
void bh_files_done(struct bh_files *files);

/* The policies so far that select sandboxes. Zero it to begin; the models and paths are borrowed. */
struct bh_selected {
	const char *path;
	const struct bh_source_policy *policy;
};
struct bh_selection {
	struct bh_selected *items;
	size_t count, capacity;
};

/* Adds the policy. W160 to diags for each earlier one that may be for the same sandboxes. 0 or -ENOMEM. */
int bh_selection_add(struct bh_selection *selection, const char *path, const struct bh_source_policy *policy,
		     struct bh_diags *diags);
void bh_selection_done(struct bh_selection *selection);

#endif
