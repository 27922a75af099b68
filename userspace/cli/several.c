/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/several.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "policy/overlap.h"

static bool ends_with(const char *name, const char *end)
{
	size_t length = strlen(name), end_length = strlen(end);

	return length > end_length && strcmp(name + length - end_length, end) == 0;
}

static int is_policy(const struct dirent *entry)
{
	const char *name = entry->d_name;

	if (name[0] == '.' || ends_with(name, ".scenarios.yaml") || ends_with(name, ".boundary.yaml"))
		return 0;
	return ends_with(name, ".yaml") || ends_with(name, ".yml") || ends_with(name, ".txt") ||
	       ends_with(name, ".bhp");
}

/* Not alphasort(): that one asks the locale. */
static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int add_path(struct bh_files *files, const char *folder, const char *name)
{
	char *path = NULL;

	if (BH_RESERVE(files->paths, files->capacity, files->count + 1) ||
	    (folder ? asprintf(&path, "%s/%s", folder, name) : asprintf(&path, "%s", name)) < 0)
		return -ENOMEM;
	files->paths[files->count++] = path;
	return 0;
}

static int add_folder(struct bh_files *files, const char *folder, struct bh_err *err)
{
	struct dirent **entries = NULL;
	int count = scandir(folder, &entries, is_policy, by_bytes), result = 0;

	if (count < 0)
		return bh_err_set(err, errno, "%s: %s", folder, strerror(errno));
	for (int i = 0; i < count; i++) {
		if (!result)
			result = add_path(files, folder, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	if (result)
		return bh_err_set(err, ENOMEM, "out of memory");
	if (count)
		return 0;
	bh_err_set(err, ENOENT, "%s: no policy in this folder", folder);
	bh_err_hint(err, "policies are *.yaml, *.yml, *.txt and *.bhp; *.scenarios.yaml are none");
	return -ENOENT;
}

int bh_files_add(struct bh_files *files, const char *path, struct bh_err *err)
{
	struct stat status;

	if (!stat(path, &status) && S_ISDIR(status.st_mode))
		return add_folder(files, path, err);
	/* whatever else is wrong with it is said when it is read */
	return add_path(files, NULL, path) ? bh_err_set(err, ENOMEM, "out of memory") : 0;
}

void bh_files_done(struct bh_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->paths[i]);
	free(files->paths);
	memset(files, 0, sizeof(*files));
}

int bh_selection_add(struct bh_selection *selection, const char *path, const struct bh_source_policy *policy,
		     struct bh_diags *diags)
{
	if (!policy->select.given)
		return 0;
	for (size_t i = 0; i < selection->count; i++) {
		const struct bh_selected *earlier = &selection->items[i];
		const struct bh_select_clause *clause = bh_select_meets(&earlier->policy->select, &policy->select);

		if (clause)
			bh_diag_add(diags, BH_SEVERITY_WARNING, "W160", clause->loc,
				    "a sandbox that both match is put into quarantine: give one a higher priority",
				    "this may select the same sandboxes as policy '%s' (%s)",
				    earlier->policy->name.text, earlier->path);
	}
	if (BH_RESERVE(selection->items, selection->capacity, selection->count + 1))
		return -ENOMEM;
	selection->items[selection->count++] = (struct bh_selected){ path, policy };
	return 0;
}

void bh_selection_done(struct bh_selection *selection)
{
	free(selection->items);
	memset(selection, 0, sizeof(*selection));
}
