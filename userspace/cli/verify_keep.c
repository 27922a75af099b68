/* SPDX-License-Identifier: GPL-2.0-only */
/* What a policy that passed leaves behind: its artifacts, and the lock with the approvals that it has had. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/lock.h"
#include "cli/output.h"
#include "cli/verification.h"
#include "compile/load.h"

static void bh_cleanup_json(json_t **json)
{
	json_decref(*json);
}

/* Of the policy's file; the caller frees it. */
static char *bh_folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
}

static int bh_add_approval(const struct bh_verification *v, const struct bh_proposal *approval, json_t *approvals,
			   struct bh_err *err)
{
	json_t *one = json_pack("{s:s, s:s, s:s, s:o}", "by", v->by, "old", v->applied_from, "new",
				bh_compiled_hash(v->opened.compiled), "proposal",
				bh_proposal_edits_json(&v->found, approval));

	return json_array_append_new(approvals, one) ? bh_err_set(err, ENOMEM, "out of memory") : 0;
}

/* Approvals are kept beside the policy's file; a folder that never had any takes those over. */
static int bh_collect_approvals(const struct bh_verification *v, const char *folder, const char *beside,
				json_t **ret_approvals, struct bh_err *err)
{
	const char *name = bh_compiled_name(v->opened.compiled);
	int result = bh_lock_approvals(folder, name, ret_approvals, err);

	if (result || json_array_size(*ret_approvals) || strcmp(folder, beside) == 0)
		return result;
	json_decref(*ret_approvals);
	*ret_approvals = NULL;
	return bh_lock_approvals(beside, name, ret_approvals, err);
}

int bh_verification_keep(struct bh_verification *v, const struct bh_proposal *approval, struct bh_err *err)
{
	const struct bh_compiled *compiled = v->opened.compiled;
	BH_FREE char *beside = bh_folder_of(v->policy_path);
	BH_CLEANUP(bh_cleanup_json) json_t *approvals = NULL;
	const char *folder = v->folder ? v->folder : beside;
	uint8_t hash[BH_HASH_BYTES];
	char text[BH_HASH_TEXT];
	int result = 0;

	if (!beside || v->scenario_bytes.error)
		return bh_err_set(err, ENOMEM, "out of memory");
	if (!v->folder && !approval && !bh_artifact_is(v->opened.text, v->opened.length))
		return 0;
	if (v->folder)
		result = bh_artifacts_put(compiled, v->folder, v->json, err);
	if (!result)
		result = bh_collect_approvals(v, folder, beside, &approvals, err);
	if (!result && approval)
		result = bh_add_approval(v, approval, approvals, err);
	bh_hash_bytes(v->scenario_bytes.bytes, v->scenario_bytes.length, hash);
	bh_hash_text(hash, text);
	if (!result)
		result = bh_lock_put(folder, bh_compiled_name(compiled), bh_compiled_hash(compiled), text, approvals,
				     err);
	if (!result)
		memcpy(v->locked, text, sizeof(text));
	return result;
}
