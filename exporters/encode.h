/* SPDX-License-Identifier: GPL-2.0-only */
/* From a record to the bytes of one wire format, a file for each. Pure: no time, host or environment takes part. */
#ifndef BH_EXPORTERS_ENCODE_H
#define BH_EXPORTERS_ENCODE_H

#include "exporters/record.h"

/* Each writes one message, without what frames it, and returns 0, -ENOMEM or -EIO. All write valid UTF-8 without controls. */

/* Syslog as of RFC 5424: structured data, and the sentence as message. At most about 8 KiB, as receivers take by default. */
int bh_encode_syslog(const struct bh_export *record, FILE *out);
/* ArcSight's Common Event Format, a line; syslog carries it as a message. */
int bh_encode_cef(const struct bh_export *record, FILE *out);
/* As Falco writes it, for falcosidekick and what reads its alerts; with a newline. */
int bh_encode_falco(const struct bh_export *record, FILE *out);
/* Elastic Common Schema 9.4; with a newline. */
int bh_encode_ecs(const struct bh_export *record, FILE *out);
/* Open Cybersecurity Schema Framework, valid from 1.1.0 on; with a newline. */
int bh_encode_ocsf(const struct bh_export *record, FILE *out);

#endif
