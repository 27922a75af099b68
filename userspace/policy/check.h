/* SPDX-License-Identifier: GPL-2.0-only */
/* What a policy must be, whatever form it was written in: every front end asks this of the model that it built. */
#ifndef BH_POLICY_CHECK_H
#define BH_POLICY_CHECK_H

#include <stddef.h>

#include "base/diag.h"
#include "policy/model.h"

/* Adds every finding of the parts below. The model may be half-built: what was refused is not looked at again. */
void bh_policy_check(const struct bh_source_policy *policy, const struct bh_shipped *shipped, struct bh_diags *diags);

/* references.c: E120 (entry), E122 (other tools) and E124 (destinations) for each name that nothing declares. */
void bh_check_references(const struct bh_source_policy *policy, struct bh_diags *diags);

/*
 * arguments_check.c: command lines and environments that could never match (E172), badly spelt options and subcommands
 * (E173), names of variables (E174), words that contradict each other (E171), too many of them (E113).
 */
void bh_check_arguments(const struct bh_tool *tool, struct bh_diags *diags);

/* destinations_check.c: names (E302, E303), what goes together (E311, E321, E322, E340). */
void bh_check_destination(const struct bh_destination *destination, const struct bh_shipped *shipped,
			  struct bh_diags *diags);

/* dns_check.c: what resolving needs (E330, E331), whom it may ask (E311), and what follows from it (W330, W331). */
void bh_check_dns(const struct bh_source_policy *policy, const struct bh_shipped *shipped, struct bh_diags *diags);

/* resources_check.c: thresholds twice (E112), thresholds that are never reached (W351). */
void bh_check_resources(const struct bh_source_policy *policy, struct bh_diags *diags);

/* The row of rules/floor-net.yaml that wholly holds the network, also as IPv4 in IPv6 spelling; NULL: none does. */
const struct bh_floor_address *bh_check_floor_row(const struct bh_shipped *shipped, const struct bh_cidr *cidr,
						  uint16_t only_port);

/* Adds an error; hint may be NULL. */
#define BH_CHECK_ERROR(diags, code, loc, hint, ...)                                                                    \
	bh_diag_add((diags), BH_SEVERITY_ERROR, (code), (loc), (hint), __VA_ARGS__)

#endif
