/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"

static const struct bh_command *const bh_commands[] = {
	&bh_command_run,  &bh_command_compile, &bh_command_verify, &bh_command_explain,
	&bh_command_diff, &bh_command_replay,  &bh_command_probe,  &bh_command_drill,
};

#define BH_COMMANDS (sizeof(bh_commands) / sizeof(bh_commands[0]))

static void bh_main_help(FILE *out)
{
	fprintf(out,
		"Bulkhead keeps a command inside an allowlist that the kernel enforces, and ends it when it breaks out.\n\n"
		"usage: bulkhead COMMAND ...\n\n");
	for (size_t i = 0; i < BH_COMMANDS; i++)
		fprintf(out, "  %-9s %s\n", bh_commands[i]->name, bh_commands[i]->summary);
	fprintf(out,
		"\n`bulkhead COMMAND --help` tells more; `bulkhead --version` the version.\n"
		"Exit codes: 0 ok, 1 the answer is no, 2 usage, 3 policy error, 4 this host cannot enforce it, 6 internal.\n");
}

int main(int argc, char **argv)
{
	/* a line of ours is one write, whatever the sandbox prints to the same terminal */
	setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
	if (argc < 2) {
		bh_main_help(stderr);
		return BH_EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		bh_main_help(stdout);
		return BH_EXIT_OK;
	}
	if (!strcmp(argv[1], "--version")) {
		printf("bulkhead %s\n", BH_VERSION);
		return BH_EXIT_OK;
	}
	for (size_t i = 0; i < BH_COMMANDS; i++) {
		if (!strcmp(argv[1], bh_commands[i]->name))
			return bh_commands[i]->main(argc - 1, argv + 1);
	}
	fprintf(stderr, "bulkhead: unknown command '%s'\n    help: bulkhead --help lists the commands\n", argv[1]);
	return BH_EXIT_USAGE;
}
