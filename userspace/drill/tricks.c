/* SPDX-License-Identifier: GPL-2.0-only */
#include "drill/try.h"

#include <string.h>

const struct try_trick *const try_tables[] = { try_files, try_names,   try_exec, try_spawn,
					       try_inet,  try_sockets, try_unix, try_process };
const size_t try_tables_count = sizeof(try_tables) / sizeof(try_tables[0]);

const struct try_trick *try_find(const char *name)
{
	for (size_t i = 0; i < try_tables_count; i++)
		for (const struct try_trick *trick = try_tables[i]; trick->name; trick++)
			if (!strcmp(trick->name, name))
				return trick;
	return NULL;
}
