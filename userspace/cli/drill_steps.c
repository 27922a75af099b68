/* SPDX-License-Identifier: GPL-2.0-only */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/command.h"
#include "cli/drill.h"

#define DRILL_WORDS 6
#define DRILL_LIMIT_S 10 /* no trick waits longer */

#define BH_DRILL(trick, arguments, reason, outside, text) { trick, arguments, #reason, outside, text },
const struct bh_drill_step bh_drill_steps[] = {
#include "rules/drill.def"
};
#undef BH_DRILL
const size_t bh_drill_count = BH_COUNT_OF(bh_drill_steps);

/* The step's words with what stands for the folder and for the process outside. Never returns too few. */
static void fill_words(const char *arguments, const char *folder, int outsider, char words[DRILL_WORDS][4200],
		       char *ret_args[DRILL_WORDS + 1])
{
	size_t count = 0;

	for (const char *at = arguments; *at && count < DRILL_WORDS; at += strspn(at, " ")) {
		size_t length = strcspn(at, " ");

		if (length == 4 && !strncmp(at, "%pid", 4))
			snprintf(words[count], sizeof(words[0]), "%d", outsider);
		else if (*at == '%')
			snprintf(words[count], sizeof(words[0]), "%.4000s%.*s", folder, (int)length - 1, at + 1);
		else
			snprintf(words[count], sizeof(words[0]), "%.*s", (int)length, at);
		ret_args[count] = words[count];
		count++;
		at += length;
	}
	ret_args[count] = NULL;
}

/* In the child: nothing of what the trick prints is wanted. */
static _Noreturn void play(const struct bh_drill_step *step, const char *folder, int outsider)
{
	static char words[DRILL_WORDS][4200];
	const struct try_trick *trick = try_find(step->trick);
	char *args[DRILL_WORDS + 1];
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (fd >= 0 && (dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0))
		_exit(TRY_ERROR);
	alarm(DRILL_LIMIT_S);
	fill_words(step->arguments, folder, outsider, words, args);
	_exit(trick ? trick->run(args) : TRY_ERROR);
}

int bh_drill_try(size_t index, const char *folder, int outsider, int *ret_pid)
{
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (!pid)
		play(&bh_drill_steps[index], folder, outsider);
	*ret_pid = (int)pid;
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return TRY_ERROR;
	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGKILL ? TRY_REFUSED : TRY_ERROR;
	return WEXITSTATUS(status);
}

int bh_drill_inside(const char *folder, int outsider)
{
	for (size_t i = 0; i < bh_drill_count; i++) {
		int pid, status = bh_drill_try(i, folder, outsider, &pid);

		printf(BH_DRILL_LINE "%zu %d %d\n", i, pid, status);
	}
	return fflush(stdout) ? BH_EXIT_INTERNAL : BH_EXIT_OK;
}
