/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One version of the policy after the other. Most are found wanting by the rules alone, which are made in no time; only what
 * passes all scenarios is compiled whole, held against the compiler's findings, and asked everything else.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "verify/repairing.h"

void bh_candidate_done(struct bh_candidate *candidate)
{
	bh_compiled_free(candidate->compiled);
	bh_compiled_free(candidate->outline);
	bh_source_policy_free(candidate->source);
	memset(candidate, 0, sizeof(*candidate));
}

static int out_of_memory(struct bh_search *search)
{
	return bh_err_set(search->err, ENOMEM, "out of memory");
}

/* Applies the atoms to a copy. *ret_changed: each of them changed something. */
static int edit_copy(struct bh_search *search, const uint16_t *atoms, size_t count, struct bh_candidate *candidate,
		     bool *ret_changed)
{
	uint32_t number = 0;

	*ret_changed = true;
	candidate->source = bh_source_policy_copy(search->task->source);
	if (!candidate->source)
		return out_of_memory(search);
	for (size_t i = 0; i < count; i++) {
		const struct bh_atom *atom = &search->repair->atoms.items[atoms[i]];

		for (size_t k = 0; k < atom->edits_count; k++) {
			int result = bh_edit_apply(candidate->source, &atom->edits[k], number++);

			if (result == -ENOMEM)
				return out_of_memory(search);
			*ret_changed = *ret_changed && !result;
		}
	}
	return 0;
}

int bh_want_ask(const struct bh_search *search, const struct bh_compiled *compiled, const struct bh_want *want,
		struct bh_failure *ret_failure, bool *ret_pass)
{
	struct bh_judge judge = { .exam = *search->task->exam };
	struct bh_failure failure;
	int result;

	judge.exam.compiled = compiled;
	if (want->scenario)
		return bh_scenario_run(&judge, want->scenario, want->tool, NULL, ret_failure, ret_pass, search->err);
	failure = (struct bh_failure){ .what = want->check->what, .query = want->check->query };
	result = bh_judge(&judge, &failure.query, &failure.reply, search->err);
	*ret_pass = failure.reply.reason != 0;
	if (!*ret_pass)
		*ret_failure = failure;
	return result;
}

/* The first want that the outline does not meet. */
static int ask_outline(struct bh_search *search, const struct bh_compiled *outline)
{
	int result = 0;

	search->failed = false;
	for (size_t i = 0; i < search->wants.count && !result && !search->failed; i++) {
		bool pass = true;

		result = bh_want_ask(search, outline, &search->wants.items[i], &search->failure, &pass);
		search->failed = !pass;
	}
	return result;
}

static size_t count_diags(const struct bh_diags *diags, const struct bh_diag *like)
{
	size_t count = 0;

	for (size_t i = 0; i < bh_diags_count(diags); i++) {
		const struct bh_diag *diag = bh_diags_get(diags, i);

		count += diag->severity >= BH_SEVERITY_WARNING && strcmp(diag->code, like->code) == 0 &&
			 strcmp(diag->text, like->text) == 0;
	}
	return count;
}

/* Did the compiler find something that it does not find in the policy as it is? */
static bool adds_findings(const struct bh_search *search, const struct bh_diags *diags)
{
	for (size_t i = 0; i < bh_diags_count(diags); i++) {
		const struct bh_diag *diag = bh_diags_get(diags, i);

		if (diag->severity >= BH_SEVERITY_WARNING &&
		    count_diags(diags, diag) > count_diags(search->task->diags, diag))
			return true;
	}
	return false;
}

/* Everything that `bulkhead verify` asks, of a version whose scenarios pass. */
static int ask_all(struct bh_search *search, const struct bh_compiled *compiled)
{
	struct bh_exam exam = { compiled, search->task->exam->shipped, search->task->exam->floor };
	struct bh_engine engine = { "host", bh_ask_tables, &exam };
	struct bh_judge judge = { exam, &engine, 1 };
	struct bh_checks compulsory = { 0 }, boundary = { 0 };
	struct bh_report *report = calloc(1, sizeof(*report));
	int result = report ? bh_checks_compulsory(&exam, &compulsory) : -ENOMEM;

	if (!result)
		result = bh_checks_boundary(&exam, &boundary);
	if (result)
		out_of_memory(search);
	else
		result = bh_verify(&judge, search->task->scenarios, &compulsory, &boundary, report, search->err);
	search->failed = !result && report->failed;
	if (search->failed) {
		search->failure = report->failures[0];
		/* its query may point into the checks that go now */
		search->failed = report->failures[0].scenario != NULL;
		if (!search->failed)
			result = 1;
	}
	if (report)
		bh_report_done(report);
	free(report);
	bh_checks_done(&boundary);
	bh_checks_done(&compulsory);
	return result;
}

static int try_whole(struct bh_search *search, struct bh_candidate *candidate, enum bh_outcome *ret_outcome)
{
	struct bh_diags *diags = bh_diags_new("", "", 0);
	int result = -ENOMEM;

	*ret_outcome = BH_OUTCOME_BLOCKED;
	if (diags)
		result = bh_compile(candidate->source, search->task->exam->shipped, NULL, diags, &candidate->compiled);
	if (result == -EINVAL || (!result && adds_findings(search, diags))) {
		bh_diags_free(diags);
		return 0;
	}
	bh_diags_free(diags);
	if (result)
		return out_of_memory(search);
	if (search->whole)
		result = ask_all(search, candidate->compiled);
	if (result == 0)
		*ret_outcome = search->failed ? BH_OUTCOME_FAILS : BH_OUTCOME_SOLVED;
	return result < 0 ? result : 0;
}

int bh_candidate_try(struct bh_search *search, const uint16_t *atoms, size_t count, struct bh_candidate *candidate,
		     enum bh_outcome *ret_outcome)
{
	struct bh_diags *diags = NULL;
	bool changed;
	int result = edit_copy(search, atoms, count, candidate, &changed);

	search->repair->candidates++;
	search->failed = false;
	*ret_outcome = BH_OUTCOME_POINTLESS;
	if (result || !changed)
		return result;
	diags = bh_diags_new("", "", 0);
	result =
		diags ? bh_compile_outline(candidate->source, search->task->exam->shipped, diags, &candidate->outline) :
			-ENOMEM;
	bh_diags_free(diags);
	*ret_outcome = BH_OUTCOME_BLOCKED;
	if (result)
		return result == -EINVAL ? 0 : out_of_memory(search);
	result = ask_outline(search, candidate->outline);
	if (result || search->failed) {
		*ret_outcome = BH_OUTCOME_FAILS;
		return result;
	}
	return try_whole(search, candidate, ret_outcome);
}

/* Notes those of the repair's atoms that are among these. */
static void note_helpers(const struct bh_search *search, const struct bh_atoms *atoms, bool *ret_helps)
{
	for (size_t i = 0; i < atoms->count; i++) {
		size_t found = bh_atoms_find(&search->repair->atoms, atoms->items[i].text);

		if (found < search->repair->atoms.count)
			ret_helps[found] = true;
	}
}

/* What leads a story to another tool earlier on changes what comes after. */
static void add_earlier(const struct bh_version *version, const struct bh_failure *failure, struct bh_atoms *atoms)
{
	size_t steps = failure->step ? failure->step - 1 : failure->scenario->steps_count - 1;

	for (size_t i = 0; i < steps; i++) {
		struct bh_query query = failure->scenario->steps[i].query;

		if (query.action != BH_ACTION_RUN)
			continue;
		for (query.tool = 0; bh_query_tool(&query, version->compiled); query.tool++) {
			struct bh_reply denied = { .reason = BH_REASON_X1 };

			bh_atoms_deny(version, &query, atoms);
			bh_atoms_allow(version, &query, &denied, 0, atoms);
			if (!bh_compiled_tool_name(version->compiled, query.tool + 1))
				break;
		}
	}
}

int bh_candidate_helpers(struct bh_search *search, const struct bh_candidate *candidate, enum bh_outcome outcome,
			 bool *ret_helps)
{
	struct bh_version version = { candidate->source, candidate->outline };
	struct bh_atoms atoms = { 0 };
	int result;

	if (outcome != BH_OUTCOME_FAILS || !search->failed) {
		memset(ret_helps, true, search->repair->atoms.count * sizeof(*ret_helps));
		return 0;
	}
	bh_atoms_for(&version, &search->failure, &atoms);
	if (search->failure.scenario)
		add_earlier(&version, &search->failure, &atoms);
	note_helpers(search, &atoms, ret_helps);
	result = atoms.error ? out_of_memory(search) : 0;
	bh_atoms_done(&atoms);
	return result;
}
