/* SPDX-License-Identifier: GPL-2.0-only */
/* Operations and capabilities by name. */
#include <string.h>

#include "policy/catalogue.h"
#include "verify/query.h"

int bh_privilege_number(const char *name)
{
	for (const struct bh_privilege_entry *entry = bh_privilege_list; entry->name; entry++)
		if (strcmp(entry->name, name) == 0)
			return entry->bit;
	return -1;
}

const char *bh_privilege_name(uint32_t number)
{
	for (const struct bh_privilege_entry *entry = bh_privilege_list; entry->name; entry++)
		if (entry->bit == number)
			return entry->name;
	return NULL;
}

int bh_capability_number(const char *name)
{
	for (const struct bh_capability_entry *entry = bh_capabilities; entry->name; entry++)
		if (strcmp(entry->name, name) == 0)
			return entry->number;
	return -1;
}

const char *bh_capability_name(uint32_t number)
{
	for (const struct bh_capability_entry *entry = bh_capabilities; entry->name; entry++)
		if (entry->number == number)
			return entry->name;
	return NULL;
}
