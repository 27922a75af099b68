/* SPDX-License-Identifier: GPL-2.0-only */
/* rules/detections.def and rules/signals.def as tables. */
#include "detect/private.h"

/* An id of the catalogue of attacks; "": none. */
#define MITRE(id) (sizeof(id) > 1 ? (id) : NULL)

const struct bh_detection_entry bh_detections[BH_DETECTIONS] = {
#define BH_DETECTION(number, id, class, severity, mitre, needs, meaning, evasion)                                      \
	[number] = { #id, #class, #severity, MITRE(mitre), meaning },
#include "rules/detections.def"
#undef BH_DETECTION
};

const struct bh_signal_form_entry bh_signal_forms[BH_WATCH_MOST] = {
#define BH_SIGNAL(number, class, name, kind, text) [number] = { #class "." #name, #class, text, BH_FORM_##kind },
#include "rules/signals.def"
#undef BH_SIGNAL
};
