/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers for the tools. */
#include "compile/compiled.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int bh_compile_tools(struct bh_compile *c)
{
	const struct bh_source_policy *policy = c->policy;
	const char *names[BH_TOOLS_MAX];
	unsigned int id = 1;

	if (policy->tools_count > BH_TOOLS_MAX)
		return bh_compile_too_many(c, "tools", BH_TOOLS_MAX);
	for (size_t i = 0; i < policy->tools_count; i++)
		names[i] = policy->tools[i].name.text;
	qsort(names, policy->tools_count, sizeof(names[0]), compare_names);
	for (size_t i = 0; i < policy->tools_count; i++) {
		unsigned int to = strcmp(names[i], policy->entry.text) == 0 ? 1 : ++id;

		if (to > BH_TOOLS_MAX || strlen(names[i]) >= BH_TOOL_NAME_BYTES)
			return bh_compile_too_many(c, "bytes in a tool's name", BH_TOOL_NAME_BYTES - 1);
		strcpy(c->compiled->tool_names[to], names[i]);
	}
	c->compiled->tools = id;
	return 0;
}

int bh_compile_too_many(struct bh_compile *c, const char *what, size_t limit)
{
	bh_diag_add(c->diags, BH_SEVERITY_ERROR, "E204", c->policy->name.loc,
		    "split the policy, or say the same with fewer rules", "the policy needs more than %zu %s", limit,
		    what);
	return -EINVAL;
}
