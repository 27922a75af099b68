/* SPDX-License-Identifier: GPL-2.0-only */
/* The words of canonical JSON that stand for numbers of the model. */
#ifndef BH_COMPILE_NAMES_H
#define BH_COMPILE_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/model.h"

struct bh_name {
	const char *text; /* NULL ends a list */
	unsigned int number;
};

extern const struct bh_name bh_names_modes[]; /* BH_MODE_* */
extern const struct bh_name bh_names_classes[]; /* BH_CLASS_* that have a response */
extern const struct bh_name bh_names_responses[]; /* BH_RESPOND_* */
extern const struct bh_name bh_names_protocols[]; /* IPPROTO_*; the model's one for echo requests */
extern const struct bh_name bh_names_operands[]; /* BH_OPERANDS_* */
extern const struct bh_name bh_names_dns[]; /* BH_DNS_* */
extern const struct bh_name bh_names_unix[]; /* BH_UNIX_* */
extern const struct bh_name bh_names_access[]; /* BH_ACCESS_* that a file rule has */
extern const struct bh_name bh_names_caps[]; /* enum bh_cap */
extern const struct bh_name bh_names_signals[]; /* enum bh_signal: "resource.fork_rate" */
extern const struct bh_name bh_names_select[]; /* enum bh_select_field: "container.image" */

/* Has a term of the field a label in front of its value? */
bool bh_select_has_label(const char *field);

/* What holds for a limit of which the policy says nothing; BH_UNLIMITED: no limit. By enum bh_cap. */
uint64_t bh_cap_standard(unsigned int cap);
/* What holds in this policy. */
uint64_t bh_cap_value(const struct bh_resources *resources, unsigned int cap);

/* The text of a number; NULL when the list has none. */
const char *bh_name_text(const struct bh_name *names, unsigned int number);
/* The number of a text; 0 when the list has none. */
unsigned int bh_name_number(const struct bh_name *names, const char *text);

#endif
