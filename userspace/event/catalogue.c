// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reasons and the public catalogues of attacks: OWASP Top 10 for Agentic Applications (ASI01..ASI10) and MITRE ATT&CK.
 * A reason that fits no entry for certain has none: a wrong label misleads whoever sorts by it.
 */
#include "event/describe.h"

#include "base/cleanup.h"

#define IDS_MAX 3

struct labels {
	const char *owasp[IDS_MAX];
	const char *mitre[IDS_MAX];
};

static const struct labels labels[] = {
	/* ASI05 unexpected code execution; T1059 command and scripting interpreter */
	[BH_REASON_X1] = { { "ASI05" }, { NULL } },
	[BH_REASON_X6] = { { "ASI05" }, { "T1059" } },
	[BH_REASON_X5] = { { "ASI05" }, { "T1574.006" } }, /* dynamic linker hijacking */
	[BH_REASON_X2] = { { "ASI05" }, { NULL } },
	[BH_REASON_X3] = { { "ASI05" }, { NULL } },
	[BH_REASON_X4] = { { "ASI05" }, { NULL } },
	[BH_REASON_X13] = { { "ASI05" }, { "T1574" } }, /* hijack execution flow */
	[BH_REASON_X12] = { { "ASI05" }, { NULL } },
	[BH_REASON_X8] = { { "ASI05" }, { "T1129" } }, /* shared modules */
	[BH_REASON_X9] = { { "ASI05" }, { NULL } },
	[BH_REASON_X11] = { { "ASI05" }, { NULL } },
	[BH_REASON_X10] = { { "ASI05" }, { NULL } },
	/* ASI03 identity and privilege abuse; T1552 unsecured credentials, .005 cloud instance metadata */
	[BH_REASON_F0] = { { "ASI03" }, { NULL } },
	[BH_REASON_F1] = { { "ASI03" }, { "T1552" } },
	[BH_REASON_N0] = { { "ASI03" }, { "T1552.005" } },
	/* ASI02 tool misuse */
	[BH_REASON_F2] = { { "ASI02" }, { NULL } },
	[BH_REASON_F4] = { { "ASI02" }, { NULL } },
	[BH_REASON_F5] = { { "ASI02" }, { NULL } },
	[BH_REASON_N2] = { { "ASI02" }, { NULL } },
	[BH_REASON_N6] = { { "ASI02" }, { NULL } },
	[BH_REASON_N7] = { { "ASI02" }, { NULL } },
	[BH_REASON_N8] = { { "ASI02" }, { NULL } },
	[BH_REASON_N9] = { { "ASI02" }, { NULL } },
	[BH_REASON_N1] = { { "ASI02" }, { NULL } },
	[BH_REASON_N3] = { { "ASI02" }, { NULL } },
	[BH_REASON_N5] = { { "ASI02" }, { NULL } },
	[BH_REASON_S1] = { { "ASI02" }, { NULL } },
	[BH_REASON_N10] = { { "ASI02" }, { NULL } },
	[BH_REASON_U0] = { { "ASI03" }, { NULL } },
	[BH_REASON_U1] = { { "ASI02" }, { NULL } },
	[BH_REASON_U2] = { { "ASI02" }, { NULL } },
	[BH_REASON_C0] = { { "ASI03" }, { NULL } },
	[BH_REASON_C3] = { { "ASI03" }, { NULL } },
	[BH_REASON_C2] = { { "ASI03" }, { NULL } },
};

static const struct labels none;

static const struct labels *find(unsigned int reason)
{
	return reason < BH_COUNT_OF(labels) ? &labels[reason] : &none;
}

const char *const *bh_reason_owasp(unsigned int reason)
{
	return find(reason)->owasp;
}

const char *const *bh_reason_mitre(unsigned int reason)
{
	return find(reason)->mitre;
}
