/* SPDX-License-Identifier: GPL-2.0-only */
/* Does resolving names fit what is listed? */
#include "policy/check.h"

#define DNS_PORT 53u

static void check_resolvers(const struct bh_dns *dns, const struct bh_shipped *shipped, struct bh_diags *diags)
{
	for (size_t i = 0; i < dns->resolvers.count; i++) {
		const struct bh_floor_address *floor = bh_check_floor_row(shipped, &dns->resolvers.items[i], DNS_PORT);

		if (floor)
			BH_CHECK_ERROR(diags, "E311", dns->resolvers.items[i].loc, "no policy can lift this; remove it",
				       "this address is on the always-blocked list (%s)", floor->who);
	}
}

static void check_mode(const struct bh_dns *dns, struct bh_diags *diags)
{
	if (dns->names == BH_DNS_NONE && dns->resolvers.count)
		BH_CHECK_ERROR(diags, "E330", dns->resolvers.items[0].loc, "write 'names: listed', or remove them",
			       "resolvers, but no names are resolved");
	if (dns->names != BH_DNS_NONE && !dns->resolvers.count)
		BH_CHECK_ERROR(diags, "E330", dns->loc, "add resolvers: [ADDRESS]",
			       "names are resolved, but no resolver is listed");
	if (dns->names == BH_DNS_ANY && !dns->reason.text)
		BH_CHECK_ERROR(diags, "E331", dns->loc, "add reason: TEXT", "'names: any' needs a reason");
	if (dns->names != BH_DNS_ANY && dns->reason.text)
		BH_CHECK_ERROR(diags, "E331", dns->reason.loc, "remove it", "only 'names: any' has a reason");
	if (dns->names == BH_DNS_ANY && dns->reason.text)
		bh_diag_add(diags, BH_SEVERITY_WARNING, "W330", dns->loc, "prefer 'names: listed'",
			    "any name is resolved, and queries can carry data out: %s", dns->reason.text);
}

void bh_check_dns(const struct bh_source_policy *policy, const struct bh_shipped *shipped, struct bh_diags *diags)
{
	if (policy->dns.loc.line) {
		check_resolvers(&policy->dns, shipped, diags);
		check_mode(&policy->dns, diags);
	}
	for (size_t i = 0; i < policy->destinations_count; i++)
		if (policy->destinations[i].hosts.count && policy->dns.names == BH_DNS_NONE)
			bh_diag_add(diags, BH_SEVERITY_WARNING, "W331", policy->destinations[i].name.loc,
				    "say under spec.egress.dns who resolves names",
				    "destination '%s' has names, and no name is resolved in the sandbox",
				    policy->destinations[i].name.text);
}
