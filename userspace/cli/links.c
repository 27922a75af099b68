/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/links.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "bpf/lib/decide.h"

#define BH_LINKS_FOLLOWED 40 /* as many as the kernel follows */

/* A path being followed: `done` is resolved, `left` is still to walk (and may grow by a link's target). */
struct bh_follow {
	char done[PATH_MAX];
	char left[2 * PATH_MAX];
	int links;
};

/* Whether any tool of the policy may write this very name. */
static bool bh_path_writable(const struct bh_compiled *compiled, const char *path)
{
	struct bh_path_question question = { .length = (__u32)strlen(path) };
	struct bh_path_bytes *bytes = calloc(1, sizeof(*bytes));
	bool writable = true;

	if (bytes && question.length < BH_PATH_MAX) {
		memcpy(bytes->bytes, path, question.length);
		question.path = bytes;
		writable = bh_path_accept(bh_compiled_tables(compiled), &question)->write != 0;
	}
	free(bytes);
	return writable;
}

/* Length of the leading part of a pattern that has no wildcard, ending at a component's end. */
static size_t bh_literal_prefix(const char *pattern)
{
	size_t wildcard = strcspn(pattern, "*?");

	if (!pattern[wildcard])
		return wildcard;
	while (wildcard > 0 && pattern[wildcard] != '/')
		wildcard--;
	return wildcard;
}

/* Takes the next component off `left` into name. False at the end. */
static bool bh_follow_next(struct bh_follow *follow, char *ret_name, size_t size)
{
	char *at = follow->left;
	size_t length;

	while (*at == '/')
		at++;
	length = strcspn(at, "/");
	if (!length)
		return false;
	snprintf(ret_name, size, "%.*s", (int)length, at);
	memmove(follow->left, at + length, strlen(at + length) + 1);
	return true;
}

static int bh_follow_link(struct bh_follow *follow, const char *link)
{
	char target[PATH_MAX], rest[sizeof(follow->left)];
	ssize_t length = readlink(link, target, sizeof(target) - 1);

	if (length < 0)
		return -errno;
	target[length] = '\0';
	if (++follow->links > BH_LINKS_FOLLOWED)
		return -ELOOP;
	memcpy(rest, follow->left, sizeof(rest));
	if (snprintf(follow->left, sizeof(follow->left), "%s/%s", target, rest) >= (int)sizeof(follow->left))
		return -ENAMETOOLONG;
	if (target[0] == '/')
		follow->done[0] = '\0';
	return 0;
}

/* Walks one component. A component that does not exist is taken as it is: it may be made later. */
static int bh_follow_step(struct bh_follow *follow, const char *name, const struct bh_compiled *compiled,
			  struct bh_err *err)
{
	char here[PATH_MAX + NAME_MAX + 2];
	struct stat status;
	int result;

	if (!strcmp(name, "."))
		return 0;
	if (!strcmp(name, "..")) {
		char *slash = strrchr(follow->done, '/');

		if (slash)
			*slash = '\0';
		return 0;
	}
	snprintf(here, sizeof(here), "%s/%s", follow->done, name);
	if (lstat(here, &status) || !S_ISLNK(status.st_mode)) {
		if (snprintf(follow->done, sizeof(follow->done), "%s", here) >= (int)sizeof(follow->done))
			return bh_err_set(err, ENAMETOOLONG, "%s is too long", here);
		return 0;
	}
	if (bh_path_writable(compiled, here)) {
		bh_err_set(err, EPERM, "%s is a symbolic link that the sandbox itself may replace", here);
		bh_err_hint(err, "name what it leads to, or take write rights on it away");
		return -EPERM;
	}
	result = bh_follow_link(follow, here);
	return result ? bh_err_set(err, -result, "cannot follow %s: %s", here, strerror(-result)) : 0;
}

static int bh_alias_add(struct bh_aliases *aliases, const char *listed, const char *resolved, const char *rest)
{
	struct bh_alias *items, *item;

	items = reallocarray(aliases->items, aliases->count + 1, sizeof(*items));
	if (!items)
		return -ENOMEM;
	aliases->items = items;
	item = &items[aliases->count];
	item->listed = strdup(listed);
	if (asprintf(&item->resolved, "%s%s", resolved, rest) < 0)
		item->resolved = NULL;
	if (!item->listed || !item->resolved) {
		free(item->listed);
		free(item->resolved);
		return -ENOMEM;
	}
	aliases->count++;
	return 0;
}

static int bh_link_follow(const struct bh_compiled *compiled, const char *pattern, struct bh_aliases *aliases,
			  struct bh_err *err)
{
	struct bh_follow follow = {};
	size_t prefix = bh_literal_prefix(pattern);
	char name[NAME_MAX + 1];
	int result = 0;

	/* procfs names differ for each process, and the walk knows them as /proc/self */
	if (!strncmp(pattern, "/proc/", 6) || !strncmp(pattern, "/sys/", 5))
		return 0;
	snprintf(follow.left, sizeof(follow.left), "%.*s", (int)prefix, pattern);
	while (!result && bh_follow_next(&follow, name, sizeof(name)))
		result = bh_follow_step(&follow, name, compiled, err);
	if (result)
		return bh_err_goal(err, result, "policy path %s", pattern);
	if (strlen(follow.done) == prefix && !strncmp(follow.done, pattern, prefix))
		return 0;
	if (bh_alias_add(aliases, pattern, follow.done, pattern + prefix))
		return bh_err_set(err, ENOMEM, "out of memory");
	return 0;
}

static bool bh_alias_known(const struct bh_aliases *aliases, const char *listed)
{
	for (size_t i = 0; i < aliases->count; i++) {
		if (!strcmp(aliases->items[i].listed, listed))
			return true;
	}
	return false;
}

int bh_links_find(const struct bh_compiled *compiled, struct bh_aliases *ret_aliases, struct bh_err *err)
{
	size_t count = bh_compiled_rules_count(compiled);
	int result = 0;

	memset(ret_aliases, 0, sizeof(*ret_aliases));
	for (size_t i = 0; i < count && !result; i++) {
		const struct bh_rule *rule = bh_compiled_rule(compiled, i);

		if (rule->path && rule->unix_op != BH_UNIX_ABSTRACT && !bh_alias_known(ret_aliases, rule->path))
			result = bh_link_follow(compiled, rule->path, ret_aliases, err);
	}
	if (result)
		bh_aliases_done(ret_aliases);
	return result;
}

void bh_aliases_done(struct bh_aliases *aliases)
{
	for (size_t i = 0; i < aliases->count; i++) {
		free(aliases->items[i].listed);
		free(aliases->items[i].resolved);
	}
	free(aliases->items);
	memset(aliases, 0, sizeof(*aliases));
}
