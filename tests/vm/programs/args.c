// SPDX-License-Identifier: GPL-2.0-only
/*
 * args [WORD...]: says as which tool it runs, which the files that it can read tell, how many words it was given and
 * what the last one is.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int local = open("/tmp/bh/local/file", O_RDONLY | O_CLOEXEC);
	int remote = open("/tmp/bh/remote/file", O_RDONLY | O_CLOEXEC);
	const char *tool = "neither";

	if (local >= 0)
		tool = remote >= 0 ? "both" : "local";
	else if (remote >= 0)
		tool = "remote";
	printf("ran as %s, %d words, %.20s\n", tool, argc - 1, argc > 1 ? argv[argc - 1] : "-");
	return 0;
}
