// SPDX-License-Identifier: GPL-2.0-only
/* `try`: one trick per call. */
#include <stdio.h>

#include "drill/try.h"

static int usage(void)
{
	fputs("usage: try TRICK ARGUMENTS...\nstatus: 0 it worked, 1 it was refused, 2 anything else\n", stderr);
	for (size_t i = 0; i < try_tables_count; i++)
		for (const struct try_trick *trick = try_tables[i]; trick->name; trick++)
			fprintf(stderr, "  %s%s%s\n", trick->name, trick->usage[0] ? " " : "", trick->usage);
	return TRY_USAGE;
}

int main(int argc, char **argv)
{
	const struct try_trick *trick = argc < 2 ? NULL : try_find(argv[1]);

	return !trick || argc - 2 < trick->arguments ? usage() : trick->run(argv + 2);
}
