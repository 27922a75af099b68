/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/embedded.h"
#include "policy/fields.h"
#include "policy/parse.h"

static void cleanup_shipped(struct bh_shipped **shipped)
{
	bh_shipped_free(*shipped);
}

static void cleanup_diags(struct bh_diags **diags)
{
	bh_diags_free(*diags);
}

/* The first finding becomes the message: there should never be one. */
static int say_finding(const struct bh_diags *diags, struct bh_err *err)
{
	const struct bh_diag *diag = bh_diags_get(diags, 0);

	if (!diag)
		return bh_err_set(err, ENOMEM, "%s: out of memory", bh_diags_name(diags));
	return bh_err_set(err, EINVAL, "%s:%u:%u: %s (this file is part of the program)", bh_diags_name(diags),
			  diag->loc.line, diag->loc.column, diag->text);
}

static int read_file(const struct bh_embedded *file, struct bh_shipped *shipped, struct bh_err *err)
{
	size_t length = (size_t)(file->end - file->start);
	BH_CLEANUP(cleanup_diags) struct bh_diags *diags = bh_diags_new(file->name, file->start, length);
	BH_CLEANUP(bh_document_done) struct bh_document document = { 0 };
	struct bh_reader reader = { .diags = diags, .ours = true };
	void *target = shipped;
	int r;

	if (!diags)
		return bh_err_set(err, ENOMEM, "out of memory");
	if (!bh_lexical_check(file->start, length, diags))
		return say_finding(diags, err);
	r = bh_document_parse(file->start, length, diags, &document);
	if (r < 0)
		return r == -ENOMEM ? bh_err_set(err, ENOMEM, "out of memory") : say_finding(diags, err);
	if (strcmp(file->where, "preset") == 0)
		target = &shipped->presets[shipped->presets_count++];
	bh_fields_read(&reader, file->where, "", NULL, document.root, target);
	if (reader.out_of_memory)
		return bh_err_set(err, ENOMEM, "out of memory");
	return bh_diags_errors(diags) ? say_finding(diags, err) : 0;
}

int bh_shipped_load(struct bh_shipped **ret_shipped, struct bh_err *err)
{
	BH_CLEANUP(cleanup_shipped) struct bh_shipped *shipped = calloc(1, sizeof(*shipped));

	if (!shipped)
		return bh_err_set(err, ENOMEM, "out of memory");
	shipped->presets = calloc(bh_embedded_count, sizeof(*shipped->presets));
	if (!shipped->presets)
		return bh_err_set(err, ENOMEM, "out of memory");
	for (size_t i = 0; i < bh_embedded_count; i++) {
		int r = read_file(&bh_embedded_files[i], shipped, err);

		if (r < 0)
			return r;
	}
	*ret_shipped = BH_TAKE(shipped);
	return 0;
}
