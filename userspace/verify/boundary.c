/* SPDX-License-Identifier: GPL-2.0-only */
/* Just outside of each path that is granted. The order of the questions is that of the rules. */
#include <stdio.h>
#include <string.h>

#include "compile/definition.h"
#include "compile/near.h"
#include "verify/checks.h"

#define LONG_NAME                                                                                                      \
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" /* 56: where a component is long for some */

/* One grant while its neighbours are asked about. */
struct grant {
	struct bh_checks *checks;
	enum bh_action action;
	unsigned int tool;
	char inside[BH_SAMPLE_MAX]; /* what it covers */
	char base[BH_SAMPLE_MAX]; /* the directory of D/ and two stars; else the same as inside */
	char outside[BH_SAMPLE_MAX + 16]; /* beside the base, beginning with the same letters */
	bool tree;
	struct bh_buf args, env; /* of a program: what it must be given */
};

static void ask(const struct grant *grant, enum bh_action action, const char *path)
{
	if (action == BH_ACTION_RUN)
		bh_checks_add_run(grant->checks, grant->tool, path, &grant->args, &grant->env);
	else
		bh_checks_add_path(grant->checks, action, grant->tool, path, NULL, "boundary", false);
}

static void ask_two(const struct grant *grant, enum bh_action action, const char *path, const char *other)
{
	bh_checks_add_path(grant->checks, action, grant->tool, path, other, "boundary", false);
}

static void ask_joined(const struct grant *grant, const char *path, const char *more)
{
	char joined[BH_SAMPLE_MAX + 80];

	snprintf(joined, sizeof(joined), "%s%s", path, more);
	ask(grant, grant->action, joined);
}

/* Without its last component; false at the top. */
static bool cut_component(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash || slash == path)
		return false;
	*slash = '\0';
	return true;
}

static bool grant_init(struct grant *grant, const struct bh_exam *exam, const struct bh_rule *rule,
		       enum bh_action action, struct bh_checks *checks)
{
	size_t length = strlen(rule->path);

	*grant = (struct grant){ .checks = checks, .action = action, .tool = bh_rule_tool(exam, rule) };
	if (!bh_pattern_sample(rule->path, grant->inside))
		return false;
	snprintf(grant->base, sizeof(grant->base), "%s", grant->inside);
	grant->tree = length > 3 && strcmp(rule->path + length - 3, "/**") == 0;
	if (grant->tree)
		cut_component(grant->base);
	snprintf(grant->outside, sizeof(grant->outside), grant->tree ? "%s-evil/x" : "%s-evil", grant->base);
	return true;
}

/* The same for everything that is granted by path. */
static void ask_around(const struct grant *grant)
{
	char path[BH_SAMPLE_MAX];
	size_t length;

	ask(grant, grant->action, grant->inside);
	ask(grant, grant->action, grant->base);
	ask(grant, grant->action, grant->outside);
	ask_joined(grant, grant->base, grant->tree ? "/x/x" : "/x");
	ask_joined(grant, grant->base, grant->tree ? "/" LONG_NAME : LONG_NAME);
	snprintf(path, sizeof(path), "%s", grant->base);
	length = strlen(path);
	if (length > 2 && path[length - 2] != '/') {
		path[length - 1] = '\0'; /* a name that is one letter shorter */
		ask(grant, grant->action, path);
	}
	snprintf(path, sizeof(path), "%s", grant->base);
	if (cut_component(path))
		ask(grant, grant->action, path);
}

/* Each directory above, moved away; and names that lead in or out. */
static void ask_moves(const struct grant *grant)
{
	char path[BH_SAMPLE_MAX], to[BH_SAMPLE_MAX + 16];

	snprintf(path, sizeof(path), "%s", grant->base);
	do {
		snprintf(to, sizeof(to), "%s-evil", path);
		ask_two(grant, BH_ACTION_RENAME, path, to);
	} while (cut_component(path));
	ask_two(grant, BH_ACTION_RENAME, grant->inside, grant->outside);
	ask_two(grant, BH_ACTION_RENAME, grant->outside, grant->inside);
	ask_two(grant, BH_ACTION_LINK, grant->inside, grant->outside);
	ask_two(grant, BH_ACTION_LINK, grant->outside, grant->inside);
}

/* What is forbidden inside of the grant. */
static void ask_forbidden(const struct grant *grant, const struct bh_exam *exam, const char *pattern)
{
	const struct bh_rule *rule;
	char path[BH_SAMPLE_MAX];

	for (size_t i = 0; (rule = bh_compiled_wall(exam->compiled, i)); i++)
		if (rule->class == BH_RULE_FILE && bh_pattern_sample(rule->path, path) &&
		    bh_pattern_matches(pattern, path))
			ask(grant, rule->access == BH_ACCESS_READ ? BH_ACTION_READ : BH_ACTION_WRITE, path);
}

void bh_boundary_path(const struct bh_exam *exam, const struct bh_rule *rule, enum bh_action action,
		      struct bh_checks *checks)
{
	struct grant grant;

	if (grant_init(&grant, exam, rule, action, checks))
		ask_around(&grant);
}

void bh_boundary_file(const struct bh_exam *exam, const struct bh_rule *rule, struct bh_checks *checks)
{
	bool write = rule->access == BH_ACCESS_WRITE;
	struct grant grant;

	if (rule->access == BH_ACCESS_LOAD) {
		bh_boundary_path(exam, rule, BH_ACTION_LOAD, checks);
		return;
	}
	if (!grant_init(&grant, exam, rule, write ? BH_ACTION_WRITE : BH_ACTION_READ, checks))
		return;
	ask_around(&grant);
	ask(&grant, write ? BH_ACTION_READ : BH_ACTION_WRITE, grant.inside);
	ask_forbidden(&grant, exam, rule->path);
	if (write)
		ask_moves(&grant);
}

void bh_boundary_exec(const struct bh_exam *exam, const struct bh_rule *rule, struct bh_checks *checks)
{
	char elsewhere[BH_SAMPLE_MAX + 16];
	struct grant grant;

	if (!grant_init(&grant, exam, rule, BH_ACTION_RUN, checks))
		return;
	bh_entry_usual(rule, &grant.args, &grant.env);
	if (rule->args_given || rule->env || rule->sha256)
		bh_boundary_entry(exam, rule, checks);
	ask_around(&grant);
	snprintf(elsewhere, sizeof(elsewhere), "/tmp%s", strrchr(grant.inside, '/'));
	ask(&grant, BH_ACTION_RUN, elsewhere);
	grant.tool = BH_TOOL_NONE;
	ask(&grant, BH_ACTION_RUN, grant.inside);
	bh_buf_done(&grant.args);
	bh_buf_done(&grant.env);
}
