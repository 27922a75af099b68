/* SPDX-License-Identifier: GPL-2.0-only */
/* The first stages alone, for who tries many versions of a policy and asks the definition about each. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compiled.h"

int bh_compile_outline(const struct bh_source_policy *policy, const struct bh_shipped *shipped, struct bh_diags *diags,
		       struct bh_compiled **ret_compiled)
{
	struct bh_compile c = { policy, shipped, NULL, diags, calloc(1, sizeof(struct bh_compiled)) };
	int result = -ENOMEM;

	if (c.compiled)
		c.compiled->name = strdup(policy->name.text);
	if (c.compiled && c.compiled->name)
		result = bh_compile_tools(&c);
	if (!result)
		result = bh_compile_rules(&c);
	if (result)
		bh_compiled_free(c.compiled);
	else
		*ret_compiled = c.compiled;
	return result;
}
