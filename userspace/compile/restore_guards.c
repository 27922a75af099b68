/* SPDX-License-Identifier: GPL-2.0-only */
/* What guards forbid is the compiler's to say, and no part of the model. */
#include "compile/restore_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Patterns of guards in force, sorted. */
struct patterns {
	char **items; /* owned */
	size_t count, capacity;
};

static int add_pattern(struct patterns *list, const char *directory, const char *pattern)
{
	struct bh_buf text = { 0 };

	bh_buf_print(&text, "%s%s", directory, pattern);
	if (text.error || BH_RESERVE(list->items, list->capacity, list->count + 1)) {
		bh_buf_done(&text);
		return -ENOMEM;
	}
	list->items[list->count++] = (char *)text.bytes;
	return 0;
}

static bool is_in_force(const struct restore *r, const struct bh_prohibition *guard)
{
	for (size_t i = 0; i < r->policy->lifts_count; i++)
		if (strcmp(r->policy->lifts[i].guard.text, guard->name.text) == 0)
			return false;
	return true;
}

static int collect(struct restore *r, bool write, struct patterns *list)
{
	const struct bh_words *workspaces = &r->policy->workspaces;
	int result = 0;

	for (size_t i = 0; i < r->shipped->guards_count; i++) {
		const struct bh_prohibition *guard = &r->shipped->guards[i];
		const struct bh_words *words = write ? &guard->write : &guard->read;

		if (!is_in_force(r, guard))
			continue;
		for (size_t k = 0; k < words->count && !result; k++) {
			if (!guard->below_workspaces)
				result = add_pattern(list, "", words->items[k].text);
			for (size_t w = 0; guard->below_workspaces && w < workspaces->count && !result; w++)
				result = add_pattern(list, workspaces->items[w].text, words->items[k].text);
		}
	}
	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), compare_texts);
	return result;
}

static int drop(struct restore *r, bool write)
{
	struct bh_words *never = write ? &r->policy->never_write : &r->policy->never_read;
	struct patterns list = { 0 };
	int result = collect(r, write, &list);
	size_t kept = 0;

	for (size_t i = 0; i < never->count && !result; i++) {
		if (list.count &&
		    bsearch(&never->items[i].text, list.items, list.count, sizeof(*list.items), compare_texts))
			free(never->items[i].text);
		else
			never->items[kept++] = never->items[i];
	}
	if (!result)
		never->count = kept;
	for (size_t i = 0; i < list.count; i++)
		free(list.items[i]);
	free(list.items);
	return result ? bh_restore_no_memory(r) : 0;
}

/* Guards are known when the whole policy is read: it may lift some, and names the workspaces of others. */
int bh_restore_drop_guarded(struct restore *r)
{
	int result = drop(r, false);

	return result ? result : drop(r, true);
}
