/* SPDX-License-Identifier: GPL-2.0-only */
/* bulkhead explain --english: the policy as sentences, read back before anybody relies on them. */
#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/explain.h"
#include "policy/english.h"

static void cleanup_diags(struct bh_diags **diags)
{
	bh_diags_free(*diags);
}

/* Do the sentences make the same policy? Findings about them go to diags. 0, -EINVAL: no, -ENOMEM. */
static int read_back(const struct bh_opened *opened, const struct bh_buf *text, struct bh_diags *diags)
{
	struct bh_source_policy *policy = NULL;
	struct bh_compiled *compiled = NULL;
	int result = bh_policy_parse((const char *)text->bytes, text->length, opened->shipped, diags, &policy);

	if (!result)
		result = bh_compile(policy, opened->shipped, NULL, diags, &compiled);
	if (!result && strcmp(bh_compiled_hash(compiled), bh_compiled_hash(opened->compiled)) != 0)
		result = -EINVAL;
	bh_compiled_free(compiled);
	bh_source_policy_free(policy);
	return result;
}

static int print_text(const struct bh_opened *opened, const struct bh_buf *text, bool json)
{
	json_t *object;

	if (!json) {
		fwrite(text->bytes, 1, text->length, stdout);
		return 0;
	}
	object = json_pack("{s:i, s:s, s:s, s:s#}", "schema_version", 1, "name", bh_compiled_name(opened->compiled),
			   "policy", bh_compiled_hash(opened->compiled), "english", (const char *)text->bytes,
			   (int)text->length);
	if (!object)
		return -ENOMEM;
	json_dumpf(object, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(object);
	return 0;
}

static int out_of_memory(void)
{
	struct bh_err err = { 0 };

	bh_err_set(&err, ENOMEM, "out of memory");
	bh_fail(&err);
	return BH_EXIT_INTERNAL;
}

/* Something of the policy has no sentence: said once more, where it can be seen. */
static int not_whole(const char *path, const struct bh_diags *unsaid, const struct bh_diags *unread)
{
	fflush(stdout);
	fprintf(stderr, "bulkhead: %s: these sentences are not the whole policy\n", path);
	bh_diags_print(unsaid, stderr, bh_colour(STDERR_FILENO));
	if (bh_diags_errors(unsaid) == 0)
		bh_diags_print(unread, stderr, bh_colour(STDERR_FILENO));
	return BH_EXIT_NO;
}

int bh_explain_english(const char *path, bool json)
{
	BH_CLEANUP(bh_opened_done) struct bh_opened opened = { 0 };
	BH_CLEANUP(bh_buf_done) struct bh_buf text = { 0 };
	BH_CLEANUP(cleanup_diags) struct bh_diags *unsaid = NULL, *unread = NULL;
	int result, code = bh_opened_init(&opened, path, json ? BH_FINDINGS_NONE : BH_FINDINGS_SERIOUS);

	if (code)
		return code;
	unsaid = bh_diags_new(path, "", 0);
	if (!unsaid || bh_english_print(opened.source, opened.shipped, &text, unsaid))
		return out_of_memory();
	unread = bh_diags_new("sentences", (const char *)text.bytes, text.length);
	if (!unread)
		return out_of_memory();
	result = read_back(&opened, &text, unread);
	if (result == -ENOMEM || print_text(&opened, &text, json))
		return out_of_memory();
	return result ? not_whole(path, unsaid, unread) : BH_EXIT_OK;
}
