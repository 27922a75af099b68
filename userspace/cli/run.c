/* SPDX-License-Identifier: GPL-2.0-only */
/* bulkhead run: one command, one sandbox, no daemon. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/command.h"
#include "cli/limits.h"
#include "cli/modes.h"
#include "cli/session.h"
#include "compile/unenforced.h"

enum bh_run_option {
	BH_RUN_POLICY = 256,
	BH_RUN_NAME,
	BH_RUN_EVENTS,
	BH_RUN_MODE,
	BH_RUN_QUIET,
	BH_RUN_HELP,
};

static const struct option bh_run_options[] = {
	{ "policy", required_argument, NULL, BH_RUN_POLICY },
	{ "name", required_argument, NULL, BH_RUN_NAME },
	{ "events", required_argument, NULL, BH_RUN_EVENTS },
	{ "mode", required_argument, NULL, BH_RUN_MODE },
	{ "quiet", no_argument, NULL, BH_RUN_QUIET },
	{ "help", no_argument, NULL, BH_RUN_HELP },
	{},
};

static bool bh_name_valid(const char *name)
{
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");

	return length && !name[length] && length < 64 && name[0] != '-';
}

/* Every failure has one place to be said, and what exists by then is taken down again. */
static int bh_run_fail(struct bh_session *session, const struct bh_err *err, int code)
{
	struct bh_err end = {};

	bh_fail(err);
	if (bh_session_fall(session, &end))
		bh_fail(&end);
	return code;
}

static int bh_run_exit_code(const struct bh_session *session)
{
	if (session->killed)
		return 128 + SIGKILL;
	return WIFSIGNALED(session->status) ? 128 + WTERMSIG(session->status) : WEXITSTATUS(session->status);
}

static int bh_run_start_code(int result)
{
	if (result == -EOPNOTSUPP)
		return BH_EXIT_HOST;
	return result == -EPERM || result == -EACCES ? 126 : BH_EXIT_INTERNAL;
}

static void bh_run_summary(const struct bh_session *session, int code, double seconds, uint64_t memory)
{
	char limits[96];

	fprintf(stderr, "bulkhead: %s  %s %d  %.1f s", session->name, session->killed ? "killed" : "exit", code,
		seconds);
	if (memory)
		fprintf(stderr, "  %llu MiB peak", (unsigned long long)(memory >> 20));
	bh_limits_summary(session, limits, sizeof(limits));
	fprintf(stderr, "  %llu denial%s%s\n", (unsigned long long)session->denials, session->denials == 1 ? "" : "s",
		limits);
}

/* Signals are taken by signalfd once the sandbox stands; until then they wait, so that nothing is left half-made. */
static void bh_run_block_signals(void)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP);
	sigaddset(&mask, SIGQUIT);
	sigprocmask(SIG_BLOCK, &mask, NULL);
}

/* What cannot be enforced is named, all of it, and nothing is started: a part of a policy is another policy. */
static int bh_run_refuse(const struct bh_session *session)
{
	const struct bh_opened *opened = &session->opened;
	struct bh_diags *diags = bh_diags_new(session->policy_path, opened->text, opened->length);
	size_t count = diags ? bh_unenforced_find(opened->source, diags) : 0;
	struct bh_err err = {};

	if (!diags) {
		bh_err_set(&err, ENOMEM, "out of memory");
		bh_fail(&err);
		return BH_EXIT_INTERNAL;
	}
	bh_diags_print(diags, stderr, bh_colour(STDERR_FILENO));
	bh_diags_free(diags);
	if (!count)
		return BH_EXIT_OK;
	bh_err_set(&err, EOPNOTSUPP, "%s: %zu thing%s in this policy cannot be enforced yet; nothing was started",
		   session->policy_path, count, count == 1 ? "" : "s");
	bh_fail(&err);
	return BH_EXIT_HOST;
}

static int bh_run_session(struct bh_session *session, char **command)
{
	struct bh_err err = {};
	double seconds;
	uint64_t memory;
	int result, code;

	code = bh_opened_init(&session->opened, session->policy_path, BH_FINDINGS_SERIOUS);
	if (!code)
		code = bh_run_refuse(session);
	if (code)
		return code;
	bh_host_read(&session->host);
	if (bh_host_require(&session->host, &err))
		return bh_run_fail(session, &err, BH_EXIT_HOST);
	if ((result = bh_program_find(command, &session->program, &err)))
		return bh_run_fail(session, &err, result == -ENOENT ? 127 : 126);
	if ((result = bh_session_prepare(session, &err)))
		return bh_run_fail(session, &err, result == -EPERM ? BH_EXIT_NO : BH_EXIT_POLICY);
	bh_run_block_signals();
	if ((result = bh_session_stand(session, &err)))
		return bh_run_fail(session, &err, result == -EOPNOTSUPP ? BH_EXIT_HOST : BH_EXIT_INTERNAL);
	if (!session->quiet)
		fprintf(stderr, "bulkhead: %s  policy %s %.8s  %s\n", session->name, session->context.policy_name,
			session->context.policy_hash, bh_session_mode_name(session));
	if ((result = bh_session_start(session, &err)))
		return bh_run_fail(session, &err, bh_run_start_code(result));
	if (bh_session_watch(session, &err))
		bh_fail(&err);
	bh_limits_look(session); /* what came with the end of CMD */
	seconds = (double)(bh_boot_now() - session->start_ns) / 1e9;
	memory = bh_cgroup_memory_peak(&session->cgroup);
	err = (struct bh_err){};
	if (bh_session_fall(session, &err))
		bh_fail(&err);
	code = bh_run_exit_code(session);
	bh_run_summary(session, code, seconds, memory);
	return code;
}

static int bh_run_events_open(struct bh_session *session, const char *path)
{
	struct bh_err err = {};
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
	struct stat status;

	if (fd < 0) {
		bh_err_set(&err, errno, "cannot open the events file %s: %s", path, strerror(errno));
	} else if (fstat(fd, &status) || (!S_ISREG(status.st_mode) && !S_ISCHR(status.st_mode))) {
		/* whoever reads a pipe slowly, or not at all, would hold up the kill */
		close(fd);
		bh_err_set(&err, EINVAL, "%s is not a regular file", path);
	} else {
		session->events = fdopen(fd, "ae");
		if (session->events)
			return 0;
		close(fd);
		bh_err_set(&err, ENOMEM, "out of memory");
	}
	bh_fail(&err);
	return BH_EXIT_USAGE;
}

static int bh_run_option(struct bh_session *session, int option, const char *value, const char **events)
{
	switch (option) {
	case BH_RUN_POLICY:
		session->policy_path = value;
		return 0;
	case BH_RUN_NAME:
		if (!bh_name_valid(value))
			return bh_usage(&bh_command_run, "--name takes 1 to 63 letters, digits, '-' or '_'");
		snprintf(session->name, sizeof(session->name), "%s", value);
		return 0;
	case BH_RUN_EVENTS:
		*events = value;
		return 0;
	case BH_RUN_MODE:
		session->mode = !strcmp(value, "enforce") ? BH_MODE_ENFORCE :
				!strcmp(value, "observe") ? BH_MODE_OBSERVE :
							    0;
		return session->mode ? 0 :
				       bh_usage(&bh_command_run, "--mode is 'observe' or 'enforce', not '%s'", value);
	case BH_RUN_QUIET:
		session->quiet = true;
		return 0;
	default:
		return bh_usage(&bh_command_run, "bad option");
	}
}

/*
 * Standard error through a descriptor of our own, which never blocks. The sandbox shares the one we were given, and could
 * stop the terminal's output or let a pipe run full: then our lines get lost, but we go on. A file keeps the given one.
 */
static void bh_run_own_stderr(void)
{
	struct stat status;
	FILE *own;
	int fd;

	if (fstat(STDERR_FILENO, &status) || !(S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode)))
		return;
	fd = open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	own = fd < 0 ? NULL : fdopen(fd, "we");
	if (own) {
		setvbuf(own, NULL, _IOLBF, BUFSIZ);
		stderr = own;
	}
}

static int bh_run_main(int argc, char **argv)
{
	struct bh_session session = { .lock = -EBADF,
				      .status = -1,
				      .disk = { .directory = -EBADF },
				      .child = { .pidfd = -EBADF, .release = -EBADF, .failure = -EBADF } };
	const char *events = NULL;
	int option, code;

	optind = 1;
	opterr = 0;
	while ((option = getopt_long(argc, argv, "+", bh_run_options, NULL)) >= 0) {
		if (option == BH_RUN_HELP)
			return bh_help(&bh_command_run);
		code = bh_run_option(&session, option, optarg, &events);
		if (code)
			return code;
	}
	if (!session.policy_path)
		return bh_usage(&bh_command_run, "--policy FILE is missing");
	if (optind >= argc)
		return bh_usage(&bh_command_run, "no command to run");
	bh_run_own_stderr();
	if (events && (code = bh_run_events_open(&session, events)))
		return code;
	code = bh_run_session(&session, argv + optind);
	bh_session_fall(&session, &(struct bh_err){});
	if (session.events)
		fclose(session.events);
	return code;
}

const struct bh_command bh_command_run = {
	.name = "run",
	.synopsis = "--policy FILE [--name N] [--events FILE] [--mode observe|enforce] [--quiet] [--] CMD...",
	.summary = "run a command in a new sandbox under a policy",
	.help = "  --policy FILE   the policy, as YAML or compiled (NAME.bhp)\n"
		"  --name N        the sandbox's name; default: the policy's with a random number\n"
		"  --events FILE   append every event as a JSON line\n"
		"  --mode MODE     observe: report what enforce would deny (floors are enforced all the same)\n"
		"  --quiet         no events and notes on standard error, only failures and the last line\n\n"
		"CMD's program must be a binary of the policy's entry tool. The exit status is CMD's, 128 + signal when it was\n"
		"killed; 3: the policy has an error; 4: this kernel or this version cannot enforce it; nothing was started then.\n",
	.main = bh_run_main,
};
