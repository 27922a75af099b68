// SPDX-License-Identifier: GPL-2.0-only
/*
 * A policy in whatever layout, and edits of it that the bytes themselves choose: the edited text means what the edited model
 * does, or the edit is refused.
 */
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "compile/compile.h"
#include "policy/edit.h"
#include "policy/english.h"
#include "policy/parse.h"
#include "tests/fuzz/shipped.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

#define EDITS 6u /* of each policy */

static uint64_t state;

static uint32_t draw(size_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return below ? (uint32_t)(state % below) : 0;
}

static const char *const paths[] = { "/usr/bin/new", "/n/**", "/a b",  "/x: y", "/z #z",
				     "/[",	     "/q/\"", "/r/\\", "/s,t",	"/{u}" };
static const char *const networks[] = { "192.0.2.1/32", "2001:db8::1/128" };
static const char *const ports[] = { "1", "8443", "9000-9001" };

/* One of the list's own words, or one that is in none. */
static const char *draw_path(const struct bh_words *list)
{
	if (list->count && draw(2))
		return list->items[draw(list->count)].text;
	return paths[draw(BH_COUNT_OF(paths))];
}

static const char *draw_item(const struct bh_source_policy *policy, const struct bh_tool *tool,
			     const struct bh_destination *destination, uint8_t list)
{
	switch (list) {
	case BH_EDIT_BINARIES:
		return draw(2) ? tool->binaries.items[draw(tool->binaries.count)].word.text : paths[0];
	case BH_EDIT_MAY_RUN:
		return policy->tools[draw(policy->tools_count)].name.text;
	case BH_EDIT_HELPERS:
		return draw_path(&tool->helpers);
	case BH_EDIT_READ:
	case BH_EDIT_NEVER_READ:
		return draw_path(&tool->read);
	case BH_EDIT_WRITE:
	case BH_EDIT_NEVER_WRITE:
	case BH_EDIT_NEVER_RUN:
		return draw_path(&tool->write);
	case BH_EDIT_REACH:
		return destination->name.text;
	case BH_EDIT_PORTS:
		return ports[draw(BH_COUNT_OF(ports))];
	case BH_EDIT_CIDRS:
	case BH_EDIT_NEVER_REACH:
	case BH_EDIT_DESTINATIONS:
		return networks[draw(BH_COUNT_OF(networks))];
	default:
		return "word";
	}
}

static struct bh_edit draw_edit(const struct bh_source_policy *policy)
{
	const struct bh_tool *tool = &policy->tools[draw(policy->tools_count)];
	const struct bh_destination *destination =
		policy->destinations_count ? &policy->destinations[draw(policy->destinations_count)] : NULL;
	struct bh_edit edit = { .list = (uint8_t)(1 + draw(BH_EDIT_LISTS - 1)),
				.add = draw(2),
				.owner = tool->name.text,
				.clause = draw(2),
				.port = 8443,
				.protocol = IPPROTO_TCP };

	if (edit.list == BH_EDIT_REACH && !destination) /* there is nothing to name */
		edit.list = BH_EDIT_HELPERS;
	edit.item = draw_item(policy, tool, destination, edit.list);
	if (edit.list == BH_EDIT_DESTINATIONS)
		edit.owner = edit.add || !destination ? "new" : destination->name.text;
	else if (edit.list == BH_EDIT_HOSTS || edit.list == BH_EDIT_CIDRS || edit.list == BH_EDIT_PORTS)
		edit.owner = destination ? destination->name.text : "new";
	return edit;
}

/* What the model means; NULL: nothing. The caller frees it. */
static char *hash_of(const struct bh_source_policy *policy)
{
	struct bh_diags *diags = bh_diags_new("", "", 0);
	struct bh_compiled *compiled = NULL;
	char *hash = NULL;

	if (diags && !bh_compile(policy, fuzz_shipped(), NULL, diags, &compiled))
		hash = strdup(bh_compiled_hash(compiled));
	bh_compiled_free(compiled);
	bh_diags_free(diags);
	return hash;
}

/* Findings about how a text is built: none that was edited right has them, whatever it says then. */
static bool is_broken(const struct bh_diags *diags)
{
	static const char *const codes[] = { "E100", "E101", "E103", "E105", "E106", "E110" };

	for (size_t i = 0; i < bh_diags_count(diags); i++)
		for (size_t k = 0; k < BH_COUNT_OF(codes); k++)
			if (strcmp(bh_diags_get(diags, i)->code, codes[k]) == 0)
				return true;
	return false;
}

static struct bh_source_policy *parse(const char *text, size_t length, bool *ret_broken)
{
	struct bh_diags *diags = bh_diags_new("", text, length);
	struct bh_source_policy *policy = NULL;

	if (diags)
		bh_policy_parse(text, length, fuzz_shipped(), diags, &policy);
	*ret_broken = diags && is_broken(diags);
	bh_diags_free(diags);
	return policy;
}

static void die(const struct bh_edit *edit, const struct bh_buf *text)
{
	struct bh_buf words = { 0 };

	bh_edit_describe(edit, 0, &words);
	fprintf(stderr, "%s\n%s\n", (const char *)words.bytes, (const char *)text->bytes);
	abort();
}

static void try_edit(const struct bh_source_policy *policy, const char *text, size_t length)
{
	struct bh_source_policy *model = bh_source_policy_copy(policy), *read = NULL;
	struct bh_edit edit = draw_edit(policy);
	struct bh_buf out = { 0 };
	struct bh_err err = { 0 };
	BH_FREE char *wanted = NULL;
	BH_FREE char *got = NULL;
	bool broken = false, applied = model && !bh_edit_apply(model, &edit, 0) && edit.list != BH_EDIT_NEVER_REACH;
	int result = bh_edit_text(text, length, &edit, &out, &err);

	if (applied && !result && (wanted = hash_of(model))) {
		read = parse((const char *)out.bytes, out.length, &broken);
		got = read ? hash_of(read) : NULL;
		if (broken || (got && strcmp(got, wanted) != 0))
			die(&edit, &out);
	}
	if (result && !err.text[0])
		abort(); /* refused without a reason */
	bh_source_policy_free(read);
	bh_source_policy_free(model);
	bh_buf_done(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct bh_source_policy *policy = NULL;
	char *text = malloc(length + 1);
	bool broken;

	if (!text)
		return 0;
	if (length)
		memcpy(text, data, length);
	text[length] = '\0';
	state = 0xcbf29ce484222325u;
	for (size_t i = 0; i < length; i++)
		state = (state ^ data[i]) * 0x100000001b3u;
	state |= 1;
	if (!bh_english_begins(text, length))
		policy = parse(text, length, &broken);
	for (unsigned int i = 0; policy && i < EDITS; i++)
		try_edit(policy, text, length);
	bh_source_policy_free(policy);
	free(text);
	return 0;
}
