/* SPDX-License-Identifier: GPL-2.0-only */
/* What would let a single question pass: each edit is tried alone. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "verify/repairing.h"

static int compare_costs(const void *left, const void *right)
{
	const struct bh_atom *a = left, *b = right;

	if (a->cost != b->cost)
		return a->cost < b->cost ? -1 : 1;
	return strcmp(a->text, b->text);
}

/* Is the query allowed by the policy with this edit? */
static int try_alone(const struct bh_source_policy *source, const struct bh_exam *exam, const struct bh_query *query,
		     const struct bh_atom *atom, bool *ret_allowed, struct bh_err *err)
{
	struct bh_source_policy *copy = bh_source_policy_copy(source);
	struct bh_diags *diags = bh_diags_new("", "", 0);
	struct bh_judge judge = { .exam = *exam };
	struct bh_compiled *compiled = NULL;
	struct bh_reply reply = { 0 };
	int result = copy && diags ? 0 : -ENOMEM;

	for (size_t i = 0; i < atom->edits_count && !result; i++)
		result = bh_edit_apply(copy, &atom->edits[i], (uint32_t)i);
	if (!result)
		result = bh_compile_outline(copy, exam->shipped, diags, &compiled);
	judge.exam.compiled = compiled;
	if (!result)
		result = bh_judge(&judge, query, &reply, err);
	*ret_allowed = !result && !reply.reason;
	bh_compiled_free(compiled);
	bh_diags_free(diags);
	bh_source_policy_free(copy);
	if (result == -ENOMEM)
		return bh_err_set(err, ENOMEM, "out of memory");
	return result == -EPROTO ? result : 0;
}

int bh_repair_hints(const struct bh_source_policy *source, const struct bh_exam *exam, const struct bh_query *query,
		    const struct bh_reply *reply, struct bh_atoms *ret_atoms, bool *ret_more, struct bh_err *err)
{
	struct bh_version version = { source, exam->compiled };
	struct bh_atoms all = { 0 };
	int result = 0;

	bh_atoms_allow(&version, query, reply, 0, &all);
	if (all.error)
		result = bh_err_set(err, ENOMEM, "out of memory");
	for (size_t i = 0; i < all.count && !result; i++) {
		const struct bh_atom *atom = &all.items[i];
		bool allowed = false;

		result = try_alone(source, exam, query, atom, &allowed, err);
		if (allowed)
			bh_atoms_add(ret_atoms, atom->cost, &atom->edits[0],
				     atom->edits_count > 1 ? &atom->edits[1] : NULL);
	}
	if (!result && ret_atoms->error)
		result = bh_err_set(err, ENOMEM, "out of memory");
	if (ret_atoms->count)
		qsort(ret_atoms->items, ret_atoms->count, sizeof(*ret_atoms->items), compare_costs);
	*ret_more = !ret_atoms->count && all.count;
	bh_atoms_done(&all);
	return result;
}
