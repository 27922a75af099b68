/* SPDX-License-Identifier: GPL-2.0-only */
/* The words of rules/NAME.def that a policy may use, as tables. Each ends with an entry without a name. */
#ifndef BH_POLICY_CATALOGUE_H
#define BH_POLICY_CATALOGUE_H

#include <stdbool.h>
#include <stdint.h>

enum bh_signal_kind {
	BH_SIGNAL_PERCENT = 1,
	BH_SIGNAL_COUNT,
	BH_SIGNAL_RATE,
	BH_SIGNAL_BYTES_RATE,
	BH_SIGNAL_BITS,
};

struct bh_signal_entry {
	const char *name; /* "resource.memory_pct" */
	uint16_t number; /* enum bh_signal */
	enum bh_signal_kind kind;
};
extern const struct bh_signal_entry bh_signals[];

enum bh_cap_unit {
	BH_CAP_BYTES = 1,
	BH_CAP_COUNT,
	BH_CAP_MILLICPU,
	BH_CAP_BYTES_PER_S,
	BH_CAP_SECONDS,
};

struct bh_cap_entry {
	const char *name; /* the keys below spec.resources.caps: "io.read" */
	enum bh_cap_unit unit;
	uint64_t standard; /* what holds when the policy says nothing; BH_UNLIMITED: no limit */
};
extern const struct bh_cap_entry bh_caps[]; /* by enum bh_cap; entry 0 has no name */

struct bh_privilege_entry {
	const char *name;
	uint8_t bit;
	bool floor; /* no policy can allow it */
};
extern const struct bh_privilege_entry bh_privilege_list[];

struct bh_capability_entry {
	const char *name; /* "CAP_CHOWN" */
	uint8_t number; /* the kernel's */
};
extern const struct bh_capability_entry bh_capabilities[];

#endif
