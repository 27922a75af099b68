/* SPDX-License-Identifier: GPL-2.0-only */
/* bulkhead verify --repair: the fewest edits that would make everything pass, with what they change, for a person to read. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/difference.h"
#include "cli/output.h"
#include "cli/verification.h"
#include "compile/load.h"
#include "event/event.h"
#include "policy/english.h"

#define BH_QUESTIONS_SHOWN 12u /* of those that a proposal brings with it; JSON has all */

int bh_repair_find(struct bh_verification *v, struct bh_err *err)
{
	struct bh_repair_task task = { .source = v->opened.source,
				       .exam = &v->judge.exam,
				       .diags = v->opened.diags,
				       .scenarios = &v->scenarios,
				       .compulsory = &v->compulsory,
				       .deep = v->deep };

	return v->report.failed ? bh_repair_make(&task, &v->found, err) : 0;
}

/* One proposal, as it would be in the file: with places, or without them where the file cannot be edited. */
struct bh_shown {
	const struct bh_proposal *proposal;
	struct bh_rewritten written; /* compiled NULL: see err */
	struct bh_err err;
	struct bh_diff diff;
	struct bh_difference difference;
	struct bh_exam exam; /* of the policy as it would be */
	struct bh_checks boundary; /* what is asked of it and was not before */
};

static int bh_shown_boundary(const struct bh_verification *v, struct bh_shown *shown)
{
	struct bh_checks all = { 0 };
	int result = bh_checks_boundary(&shown->exam, &all);

	for (size_t i = 0; i < all.count && !result; i++)
		if (!bh_checks_have(&v->boundary, &all.items[i].query))
			bh_checks_add(&shown->boundary, &all.items[i].query, all.items[i].what, false);
	bh_checks_done(&all);
	return result ? result : shown->boundary.error;
}

/* 0 or -ENOMEM. */
static int bh_shown_init(const struct bh_verification *v, const struct bh_proposal *proposal, struct bh_shown *shown)
{
	struct bh_diff_side before = { v->opened.compiled, v->opened.source };
	struct bh_diff_side after = { proposal->compiled, proposal->source };
	int result;

	*shown = (struct bh_shown){ .proposal = proposal };
	if (bh_artifact_is(v->opened.text, v->opened.length))
		result = bh_err_set(&shown->err, EINVAL, "a compiled policy is not edited; edit its source");
	else if (bh_english_begins(v->opened.text, v->opened.length))
		result = bh_err_set(&shown->err, EINVAL, "it is written in English, and only YAML is edited");
	else
		result = bh_proposal_write(&v->found, proposal, v->opened.shipped, v->policy_path, v->opened.text,
					   v->opened.length, &shown->written, &shown->err);
	if (result == -ENOMEM)
		return result;
	if (!result)
		after = (struct bh_diff_side){ shown->written.compiled, shown->written.source };
	shown->difference = (struct bh_difference){ .diff = &shown->diff,
						    .before = before.compiled,
						    .after = after.compiled,
						    .before_name = result ? NULL : v->policy_path,
						    .after_name = result ? NULL : v->policy_path };
	shown->exam = (struct bh_exam){ after.compiled, v->opened.shipped, v->floor };
	result = bh_diff_make(&before, &after, &shown->diff);
	return result ? result : bh_shown_boundary(v, shown);
}

static void bh_shown_done(struct bh_shown *shown)
{
	bh_checks_done(&shown->boundary);
	bh_diff_done(&shown->diff);
	bh_rewritten_done(&shown->written);
}

static const struct bh_edit *bh_proposal_edit(const struct bh_repair *repair, const struct bh_proposal *proposal,
					      size_t index)
{
	for (size_t i = 0; i < proposal->count; i++) {
		const struct bh_atom *atom = &repair->atoms.items[proposal->atoms[i]];

		if (index < atom->edits_count)
			return &atom->edits[index];
		index -= atom->edits_count;
	}
	return NULL;
}

/* The edit in words; the caller frees it. */
static char *bh_edit_words(const struct bh_edit *edit, unsigned int column)
{
	struct bh_buf text = {};

	bh_edit_describe(edit, column, &text);
	return (char *)text.bytes;
}

json_t *bh_proposal_edits_json(const struct bh_repair *repair, const struct bh_proposal *proposal)
{
	const struct bh_edit *edit;
	json_t *edits = json_array();

	for (size_t i = 0; (edit = bh_proposal_edit(repair, proposal, i)); i++) {
		BH_FREE char *words = bh_edit_words(edit, 0);

		json_array_append_new(edits, json_string(words ? words : "?"));
	}
	return edits;
}

static void bh_proposal_print_edits(const struct bh_repair *repair, const struct bh_proposal *proposal)
{
	const struct bh_edit *edit;
	unsigned int column = 0;

	for (size_t i = 0; (edit = bh_proposal_edit(repair, proposal, i)); i++) {
		BH_FREE char *words = bh_edit_words(edit, 0);
		unsigned int width = words ? (unsigned int)strcspn(words, " ") : 0;

		column = width + 1 > column ? width + 1 : column;
	}
	for (size_t i = 0; (edit = bh_proposal_edit(repair, proposal, i)); i++) {
		BH_FREE char *words = bh_edit_words(edit, column);

		printf("    %s\n", words ? words : "?");
	}
}

/* The answer that the policy would give, by its rules. */
static uint16_t bh_shown_answer(const struct bh_shown *shown, const struct bh_query *query)
{
	struct bh_judge judge = { .exam = shown->exam };
	struct bh_reply reply = {};

	return bh_judge(&judge, query, &reply, NULL) ? BH_REASON_F2 : reply.reason;
}

static void bh_shown_print_questions(const struct bh_shown *shown)
{
	size_t allowed = 0, printed = 0;

	for (size_t i = 0; i < shown->boundary.count; i++)
		allowed += !bh_shown_answer(shown, &shown->boundary.items[i].query);
	if (!shown->boundary.count)
		return;
	printf("    new boundary questions: %zu deny, %zu allow\n", shown->boundary.count - allowed, allowed);
	for (unsigned int denied = 0; denied < 2; denied++)
		for (size_t i = 0; i < shown->boundary.count && printed < BH_QUESTIONS_SHOWN; i++) {
			const struct bh_query *query = &shown->boundary.items[i].query;
			uint16_t reason = bh_shown_answer(shown, query);
			struct bh_buf words = {};

			if (!reason != !denied)
				continue;
			bh_query_print(query, shown->exam.compiled, &words);
			printf("      %-70s %s%s\n", words.error ? "?" : (const char *)words.bytes,
			       reason ? "deny " : "allow", reason ? bh_reason_code(reason) : "");
			bh_buf_done(&words);
			printed++;
		}
	if (printed < shown->boundary.count)
		printf("      ... and %zu more: --json\n", shown->boundary.count - printed);
}

static void bh_proposal_print(const struct bh_verification *v, size_t index)
{
	const struct bh_proposal *proposal = &v->found.proposals[index];
	struct bh_shown shown;

	printf("proposal %zu (%u edit%s, %s):\n", index + 1, proposal->edits, proposal->edits == 1 ? "" : "s",
	       v->found.end == BH_REPAIR_GREEDY ? "not proven minimal" : "minimal");
	bh_proposal_print_edits(&v->found, proposal);
	if (!bh_shown_init(v, proposal, &shown)) {
		bh_difference_print(&shown.difference, 4);
		bh_shown_print_questions(&shown);
		if (!shown.written.compiled)
			printf("    it cannot be applied to the file: %s\n", shown.err.text);
	}
	bh_shown_done(&shown);
}

/* The id of a scenario; of a check its question. The caller frees it. */
static char *bh_failure_name(const struct bh_verification *v, const struct bh_failure *failure)
{
	struct bh_buf words = {};

	if (failure->scenario)
		return strdup(failure->scenario->id);
	bh_query_print(&failure->query, v->opened.compiled, &words);
	return (char *)words.bytes;
}

/* Why nothing can be done: what repair does not touch, or an answer that is right for the wrong reason. */
static const char *bh_unfixable_reason(const struct bh_failure *failure)
{
	if (!failure->reply.reason)
		return "what grants it is not this policy's own, or is needed elsewhere";
	if (!failure->allow)
		return "it is denied already, for another reason than is expected";
	return bh_reason_text(failure->reply.reason);
}

static void bh_print_no_proposal(const struct bh_verification *v)
{
	const struct bh_repair *found = &v->found;

	switch (found->end) {
	case BH_REPAIR_OPPOSITES:
		printf("no proposal: '%s' and '%s' ask opposite things of the same question\n", found->first->id,
		       found->second->id);
		return;
	case BH_REPAIR_CLASH:
		printf("no proposal: no edits give both '%s' and '%s'\n", found->first->id, found->second->id);
		return;
	case BH_REPAIR_UNFIXABLE:
		for (size_t i = 0; i < found->unfixable_count; i++) {
			BH_FREE char *name = bh_failure_name(v, &found->unfixable[i]);

			printf("no proposal: no edit gives '%s': %s\n", name ? name : "?",
			       bh_unfixable_reason(&found->unfixable[i]));
		}
		return;
	default:
		printf("no proposal: no %u edits make everything pass%s\n",
		       v->deep ? BH_REPAIR_EDITS_DEEP : BH_REPAIR_EDITS, v->deep ? "" : "; --deep tries 4");
	}
}

void bh_repair_print(const struct bh_verification *v)
{
	if (!v->report.failed) {
		printf("nothing to repair\n");
		return;
	}
	for (size_t i = 0; i < v->found.count; i++)
		bh_proposal_print(v, i);
	if (!v->found.count)
		bh_print_no_proposal(v);
	printf("nothing was changed");
	if (v->found.count)
		printf("; apply with: bulkhead verify ... --repair --apply %s --by YOUR-NAME",
		       v->found.count == 1 ? "1" : "N");
	putchar('\n');
}

static json_t *bh_questions_json(const struct bh_shown *shown)
{
	json_t *array = json_array();

	for (size_t i = 0; i < shown->boundary.count; i++) {
		const struct bh_query *query = &shown->boundary.items[i].query;
		uint16_t reason = bh_shown_answer(shown, query);
		struct bh_buf words = {};
		json_t *one;

		bh_query_print(query, shown->exam.compiled, &words);
		one = json_pack("{s:s, s:s}", "question", words.error ? "?" : (const char *)words.bytes, "answer",
				reason ? "deny" : "allow");
		if (reason)
			json_object_set_new(one, "reason", json_string(bh_reason_code(reason)));
		json_array_append_new(array, one);
		bh_buf_done(&words);
	}
	return array;
}

static json_t *bh_proposal_json(const struct bh_verification *v, const struct bh_proposal *proposal)
{
	json_t *object = json_pack("{s:o, s:i, s:i}", "edits", bh_proposal_edits_json(&v->found, proposal), "count",
				   (int)proposal->edits, "cost", (int)proposal->cost);
	struct bh_shown shown;

	if (!bh_shown_init(v, proposal, &shown)) {
		json_object_set_new(object, "diff", bh_difference_json(&shown.difference));
		json_object_set_new(object, "new_boundary", bh_questions_json(&shown));
		if (!shown.written.compiled)
			json_object_set_new(object, "not_applicable", json_string(shown.err.text));
	}
	bh_shown_done(&shown);
	return object;
}

json_t *bh_repair_json(const struct bh_verification *v)
{
	static const char *const ends[] = {
		[0] = "nothing to repair",
		[BH_REPAIR_FOUND] = "minimal",
		[BH_REPAIR_GREEDY] = "not proven minimal",
		[BH_REPAIR_OPPOSITES] = "opposites",
		[BH_REPAIR_CLASH] = "clash",
		[BH_REPAIR_UNFIXABLE] = "unfixable",
		[BH_REPAIR_NONE] = "none",
	};
	const struct bh_repair *found = &v->found;
	json_t *proposals = json_array(), *unfixable = json_array(), *object;

	for (size_t i = 0; i < found->count; i++)
		json_array_append_new(proposals, bh_proposal_json(v, &found->proposals[i]));
	object = json_pack("{s:s, s:I, s:o}", "result", ends[found->end], "candidates", (json_int_t)found->candidates,
			   "proposals", proposals);
	if (found->first)
		json_object_set_new(object, "clash", json_pack("[s, s]", found->first->id, found->second->id));
	for (size_t i = 0; i < found->unfixable_count; i++) {
		BH_FREE char *name = bh_failure_name(v, &found->unfixable[i]);

		json_array_append_new(unfixable, json_pack("{s:s, s:s}", "scenario", name ? name : "?", "because",
							   bh_unfixable_reason(&found->unfixable[i])));
	}
	if (found->unfixable_count)
		json_object_set(object, "unfixable", unfixable);
	json_decref(unfixable);
	return object;
}
