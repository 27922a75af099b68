/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/catalogue.h"

#include <stddef.h>

#include "policy/model.h"

const struct bh_signal_entry bh_signals[] = {
#define BH_SIGNAL(number, class, name, kind, text) { #class "." #name, number, BH_SIGNAL_##kind },
#include "../../rules/signals.def"
#undef BH_SIGNAL
	{ NULL },
};

const struct bh_cap_entry bh_caps[] = {
#define BH_CAP(number, id, key, unit, standard, english) [number] = { key, BH_CAP_##unit, standard },
#include "../../rules/caps.def"
#undef BH_CAP
	[BH_CAPS] = { NULL },
};

const struct bh_privilege_entry bh_privilege_list[] = {
#define BH_PRIVILEGE(bit, id, name, floor, text) { name, bit, floor },
#include "../../rules/privileges.def"
#undef BH_PRIVILEGE
	{ NULL },
};

const struct bh_capability_entry bh_capabilities[] = {
#define BH_CAPABILITY(number, name) { #name, number },
#include "../../rules/capabilities.def"
#undef BH_CAPABILITY
	{ NULL },
};
