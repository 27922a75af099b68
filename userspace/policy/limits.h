/* SPDX-License-Identifier: GPL-2.0-only */
/* How much a policy may say, and what a name is: the same in whatever form the policy comes. */
#ifndef BH_POLICY_LIMITS_H
#define BH_POLICY_LIMITS_H

#include <stdbool.h>

#define BH_NAMES_LIMIT 256u /* in one list */
#define BH_PATTERNS_LIMIT 131072u /* in one policy */
#define BH_NETWORKS_LIMIT 512u /* in one policy */
#define BH_HOSTS_LIMIT 4096u /* in one policy */
#define BH_DESTINATIONS_LIMIT 256u /* in one policy */
#define BH_PORT_RANGES_LIMIT 8u /* in one destination */
#define BH_RESOLVERS_LIMIT 8u
#define BH_SELECT_LIMIT 64u /* clauses */
#define BH_THRESHOLDS_LIMIT 64u
#define BH_LISTEN_LIMIT 32u /* ports of one tool */
#define BH_ABSTRACT_LIMIT 107u /* bytes of the name of an abstract socket: sun_path without its first NUL */

/* Command lines and environments (policy.md 2.4.1); what is longer at run time matches nothing. */
#define BH_CLAUSES_LIMIT 16u /* of one tool */
#define BH_ARGS_LIMIT 64u /* words of one command line */
#define BH_ARG_LIMIT 256u /* bytes of one word, or of a variable's value */
#define BH_ARGS_BYTES_LIMIT 4096u /* of all words together, each with the NUL at its end */
#define BH_REQUIRE_LIMIT 8u /* words of one clause, or variables of one tool, that must be there */
#define BH_VARIABLE_LIMIT 128u /* bytes of the name of a variable */

#define BH_REASON_LIMIT 200u /* bytes of one */
#define BH_PLACE_LIMIT 200u /* bytes of the way to a value, as in tools.git.helpers[0] */

/* Is text a name: [a-z][a-z0-9-]{0,62}? */
bool bh_is_name(const char *text);

/* Is text the code of a warning: W and three digits? */
bool bh_is_warning_code(const char *text);

#endif
