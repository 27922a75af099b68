/* SPDX-License-Identifier: GPL-2.0-only */
/* How much a policy may say, and what a name is: the same in whatever form the policy comes. */
#ifndef BH_POLICY_LIMITS_H
#define BH_POLICY_LIMITS_H

#include <stdbool.h>

#define BH_NAMES_LIMIT 256u /* in one list */
#define BH_PATTERNS_LIMIT 1024u /* in one policy */
#define BH_NETWORKS_LIMIT 512u /* in one policy */
#define BH_DESTINATIONS_LIMIT 256u /* in one policy */
#define BH_PORT_RANGES_LIMIT 8u /* in one destination */

#define BH_REASON_LIMIT 200u /* bytes of one */
#define BH_PLACE_LIMIT 200u /* bytes of the way to a value, as in tools.git.helpers[0] */

/* Is text a name: [a-z][a-z0-9-]{0,62}? */
bool bh_is_name(const char *text);

/* Is text the code of a warning: W and three digits? */
bool bh_is_warning_code(const char *text);

#endif
