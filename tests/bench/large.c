// SPDX-License-Identifier: GPL-2.0-only
/* usage: large KIND RULES: prints a policy of many rules, of a kind of large.h, as a source. */
#include "tests/bench/large.h"

int main(int argc, char **argv)
{
	struct large *large;

	if (argc != 3 || strlen(argv[1]) != 1 || !strchr(LARGE_KINDS, argv[1][0]))
		return 2;
	large = large_new(argv[1][0], (uint32_t)strtoul(argv[2], NULL, 10));
	if (!large)
		return 1;
	large_print(large, stdout);
	large_free(large);
	return ferror(stdout) || fflush(stdout);
}
