/* SPDX-License-Identifier: GPL-2.0-only */
/* bulkhead verify --repair --apply: the policy's file is edited as one proposal says, and the lock says who wanted that. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/output.h"
#include "cli/verification.h"
#include "compile/load.h"
#include "policy/english.h"

#define BH_BY_MAX 64u

/* Set to anything but no, as the services that run builds do. */
static bool bh_in_ci(void)
{
	const char *ci = getenv("CI");

	return ci && *ci && strcmp(ci, "0") != 0 && strcasecmp(ci, "false") != 0;
}

static bool bh_is_by(const char *by)
{
	size_t length = strlen(by);

	for (size_t i = 0; i < length; i++)
		if (by[i] < ' ' || by[i] > '~')
			return false;
	return length && length <= BH_BY_MAX && strspn(by, " ") < length;
}

int bh_apply_check(const struct bh_verification *v)
{
	if (bh_in_ci())
		return bh_usage(&bh_command_verify, "--apply is refused where CI is set: a person applies a proposal");
	if (!bh_is_by(v->by))
		return bh_usage(&bh_command_verify, "--by takes a name of 1 to %u printable ASCII characters",
				BH_BY_MAX);
	if (bh_artifact_is(v->opened.text, v->opened.length))
		return bh_usage(&bh_command_verify, "--apply edits the YAML source; %s is compiled", v->policy_path);
	if (bh_english_begins(v->opened.text, v->opened.length))
		return bh_usage(&bh_command_verify, "--apply edits YAML; %s is written in English", v->policy_path);
	return BH_EXIT_OK;
}

/* From here on the edited policy is the one that is examined. The old one stays in *old until the end. */
static int bh_examine_written(struct bh_verification *v, struct bh_rewritten *written, struct bh_opened *old,
			      struct bh_err *err)
{
	*old = v->opened;
	v->opened.length = written->text.length;
	v->opened.text = (char *)BH_TAKE(written->text.bytes);
	v->opened.diags = BH_TAKE(written->diags);
	v->opened.source = BH_TAKE(written->source);
	v->opened.compiled = BH_TAKE(written->compiled);
	v->judge.exam.compiled = v->opened.compiled;
	bh_report_done(&v->report);
	bh_checks_done(&v->boundary);
	bh_checks_done(&v->compulsory);
	return v->core ? bh_core_publish(v->core, BH_VERIFY_SLOT, bh_compiled_tables(v->opened.compiled), err) : 0;
}

static int bh_write_it(struct bh_verification *v, const struct bh_proposal *proposal, const struct bh_opened *old,
		       struct bh_err *err)
{
	int result = bh_verification_ask(v, err);

	if (!result && v->report.failed)
		result = bh_err_set(err, EINVAL, "the edited policy does not pass");
	if (!result)
		result = bh_file_replace(v->policy_path, old->text, old->length, v->opened.text, v->opened.length, err);
	if (result)
		return bh_err_goal(err, result, "nothing was changed");
	memcpy(v->applied_from, bh_compiled_hash(old->compiled), sizeof(v->applied_from));
	result = bh_verification_keep(v, proposal, err);
	return bh_err_goal(err, result, "%s was edited, but that could not be recorded", v->policy_path);
}

/* The old policy without what is still in use. */
static void bh_old_done(struct bh_opened *old)
{
	bh_compiled_free(old->compiled);
	bh_source_policy_free(old->source);
	bh_diags_free(old->diags);
	free(old->text);
}

int bh_proposal_apply(struct bh_verification *v)
{
	const struct bh_proposal *proposal = &v->found.proposals[v->apply - 1];
	struct bh_rewritten written = {};
	struct bh_opened old = {};
	struct bh_err err = {};
	int result;

	if (v->apply > v->found.count) {
		bh_verification_print(v);
		return bh_usage(&bh_command_verify, "there is no proposal %u", v->apply);
	}
	result = bh_proposal_write(&v->found, proposal, v->opened.shipped, v->policy_path, v->opened.text,
				   v->opened.length, &written, &err);
	if (result) {
		bh_err_goal(&err, result, "%s was not changed: proposal %u", v->policy_path, v->apply);
		bh_fail(&err);
		return result == -ENOMEM ? BH_EXIT_INTERNAL : BH_EXIT_NO;
	}
	result = bh_examine_written(v, &written, &old, &err);
	if (!result)
		result = bh_write_it(v, proposal, &old, &err);
	if (result)
		bh_fail(&err);
	else
		bh_verification_print(v);
	bh_rewritten_done(&written);
	bh_old_done(&old);
	return result ? BH_EXIT_INTERNAL : BH_EXIT_OK;
}
