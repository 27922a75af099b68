/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>

#include "policy/parse.h"
#include "verify/repair.h"

void bh_rewritten_done(struct bh_rewritten *written)
{
	bh_compiled_free(written->compiled);
	bh_source_policy_free(written->source);
	bh_diags_free(written->diags);
	bh_buf_done(&written->text);
	memset(written, 0, sizeof(*written));
}

/* One edit after the other: each is found in the text that the one before left. */
static int edit_text(const struct bh_repair *repair, const struct bh_proposal *proposal, struct bh_buf *text,
		     struct bh_err *err)
{
	int result = 0;

	for (size_t i = 0; i < proposal->count; i++) {
		const struct bh_atom *atom = &repair->atoms.items[proposal->atoms[i]];

		for (size_t k = 0; k < atom->edits_count && !result; k++) {
			struct bh_buf next = { 0 };

			result = bh_edit_text((const char *)text->bytes, text->length, &atom->edits[k], &next, err);
			bh_buf_done(text);
			*text = next;
			if (result && result != -ENOMEM)
				bh_err_goal(err, result, "%s", atom->text);
		}
	}
	return result;
}

static int read_again(const struct bh_shipped *shipped, const char *name, struct bh_rewritten *written,
		      struct bh_err *err)
{
	const char *text = (const char *)written->text.bytes;
	int result;

	written->diags = bh_diags_new(name, text, written->text.length);
	if (!written->diags)
		return bh_err_set(err, ENOMEM, "out of memory");
	result = bh_policy_parse(text, written->text.length, shipped, written->diags, &written->source);
	if (!result)
		result = bh_compile(written->source, shipped, NULL, written->diags, &written->compiled);
	if (result == -ENOMEM)
		return bh_err_set(err, ENOMEM, "out of memory");
	return result ? bh_err_set(err, EINVAL, "the edited text is no policy any more") : 0;
}

int bh_proposal_write(const struct bh_repair *repair, const struct bh_proposal *proposal,
		      const struct bh_shipped *shipped, const char *name, const char *text, size_t length,
		      struct bh_rewritten *ret_written, struct bh_err *err)
{
	struct bh_rewritten written = { 0 };
	int result;

	bh_buf_add(&written.text, text, length);
	result = written.text.error ? bh_err_set(err, ENOMEM, "out of memory") :
				      edit_text(repair, proposal, &written.text, err);
	if (!result)
		result = read_again(shipped, name, &written, err);
	if (!result && strcmp(bh_compiled_hash(written.compiled), bh_compiled_hash(proposal->compiled)) != 0)
		result = bh_err_set(err, EINVAL, "the edited text does not mean what was proposed");
	if (result)
		bh_rewritten_done(&written);
	else
		*ret_written = written;
	return result;
}
