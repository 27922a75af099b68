/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/check.h"

void bh_policy_check(const struct bh_source_policy *policy, const struct bh_shipped *shipped, struct bh_diags *diags)
{
	bh_check_references(policy, diags);
	for (size_t i = 0; i < policy->tools_count; i++)
		bh_check_arguments(&policy->tools[i], diags);
	for (size_t i = 0; i < policy->destinations_count; i++)
		bh_check_destination(&policy->destinations[i], shipped, diags);
	bh_check_dns(policy, shipped, diags);
	bh_check_resources(policy, diags);
}
