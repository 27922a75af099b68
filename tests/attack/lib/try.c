// SPDX-License-Identifier: GPL-2.0-only
#include "tests/attack/lib/try.h"

#include <stdio.h>
#include <string.h>

static const struct try_trick *const tables[] = { try_files, try_names,	  try_exec, try_spawn,
						  try_inet,  try_sockets, try_unix, try_process };

#define TABLES (sizeof(tables) / sizeof(tables[0]))

static int usage(void)
{
	fputs("usage: try TRICK ARGUMENTS...\nstatus: 0 it worked, 1 it was refused, 2 anything else\n", stderr);
	for (size_t i = 0; i < TABLES; i++)
		for (const struct try_trick *trick = tables[i]; trick->name; trick++)
			fprintf(stderr, "  %s%s%s\n", trick->name, trick->usage[0] ? " " : "", trick->usage);
	return TRY_USAGE;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return usage();
	for (size_t i = 0; i < TABLES; i++)
		for (const struct try_trick *trick = tables[i]; trick->name; trick++)
			if (!strcmp(trick->name, argv[1]))
				return argc - 2 < trick->arguments ? usage() : trick->run(argv + 2);
	return usage();
}
