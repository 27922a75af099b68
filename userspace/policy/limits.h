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

/* Is text a name: [a-z][a-z0-9-]{0,62}? */
bool bh_is_name(const char *text);

#endif
