// SPDX-License-Identifier: GPL-2.0-only
/* What a trick says when it ends. */
#include "drill/try.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One write per line: output of a process that is killed a moment later is not lost in a buffer. */
static void say(const char *word, const char *error, const char *format, va_list args)
{
	char what[1024];

	vsnprintf(what, sizeof(what), format, args);
	printf("%s: %s%s%s\n", word, what, error ? ": " : "", error ? error : "");
	fflush(stdout);
}

int try_won(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("won", NULL, format, args);
	va_end(args);
	return TRY_WON;
}

int try_failed(const char *format, ...)
{
	int error = errno;
	int refused = error == EPERM || error == EACCES;
	const char *name = strerrorname_np(error);
	va_list args;

	va_start(args, format);
	say(refused ? "refused" : "error", name ? name : "unknown error", format, args);
	va_end(args);
	return refused ? TRY_REFUSED : TRY_ERROR;
}

int try_refused(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("refused", NULL, format, args);
	va_end(args);
	return TRY_REFUSED;
}

int try_read_fd(int fd, const char *what)
{
	char byte;
	ssize_t got;

	if (fd < 0)
		return try_failed("open %s", what);
	got = read(fd, &byte, 1);
	if (got < 0 && errno != EISDIR) {
		int status = try_failed("read %s", what);

		close(fd);
		return status;
	}
	close(fd);
	return try_won("read %s", what);
}

long try_number(const char *text, long low, long high)
{
	char *end;
	long number;

	errno = 0;
	number = strtol(text, &end, 10);
	if (errno || end == text || *end || number < low || number > high) {
		fprintf(stderr, "try: not a number from %ld to %ld: %s\n", low, high, text);
		exit(TRY_USAGE);
	}
	return number;
}
