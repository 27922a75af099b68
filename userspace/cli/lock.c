/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/lock.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/output.h"
#include "policy/parse.h"

#define LOCK_MAX (1024u * 1024u) /* bytes: thousands of approvals */
#define CANONICAL (JSON_COMPACT | JSON_SORT_KEYS | JSON_ENSURE_ASCII)

static void cleanup_json(json_t **json)
{
	json_decref(*json);
}

int bh_lock_approvals(const char *folder, const char *name, json_t **ret_approvals, struct bh_err *err)
{
	BH_CLEANUP(cleanup_json) json_t *lock = NULL;
	BH_FREE char *text = NULL;
	char path[PATH_MAX];
	json_t *approvals;
	size_t length = 0;
	int result;

	if (snprintf(path, sizeof(path), "%s/%s.lock", folder, name) >= (int)sizeof(path))
		return bh_err_set(err, ENAMETOOLONG, "the folder's name is too long");
	result = bh_source_read(path, LOCK_MAX, &text, &length, err);
	if (result && result != -ENOENT)
		return bh_err_goal(err, result, "%s", path);
	if (!result)
		lock = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
	approvals = lock ? json_object_get(lock, "approvals") : NULL;
	if (!result && (!json_is_object(lock) || (approvals && !json_is_array(approvals)))) {
		bh_err_set(err, EINVAL, "%s is no lock, but stands in the place of one", path);
		bh_err_hint(err, "move it away");
		return -EINVAL;
	}
	*ret_approvals = approvals ? json_incref(approvals) : json_array();
	return *ret_approvals ? 0 : bh_err_set(err, ENOMEM, "out of memory");
}

int bh_lock_put(const char *folder, const char *name, const char *hash, const char *scenarios, const json_t *approvals,
		struct bh_err *err)
{
	BH_CLEANUP(cleanup_json)
	json_t *lock = json_pack("{s:s, s:s, s:s, s:s}", "compiler", BH_VERSION, "hash", hash, "scenarios", scenarios,
				 "verdict", "pass");
	BH_FREE char *text = NULL;
	BH_FREE char *line = NULL;

	if (lock && json_array_size(approvals) && json_object_set_new(lock, "approvals", json_deep_copy(approvals)))
		return bh_err_set(err, ENOMEM, "out of memory");
	text = lock ? json_dumps(lock, CANONICAL) : NULL;
	if (!text || asprintf(&line, "%s\n", text) < 0)
		return bh_err_set(err, ENOMEM, "out of memory");
	return bh_file_put_in(folder, name, ".lock", line, strlen(line), err);
}
