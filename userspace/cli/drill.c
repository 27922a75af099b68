/* SPDX-License-Identifier: GPL-2.0-only */
/* bulkhead drill: harmless tricks on this very node, inside a throw-away sandbox and outside of it. */
#include <cap-ng.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <jansson.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/command.h"
#include "cli/drill.h"

/* What came of one trick. */
struct drill_result {
	int inside, outside; /* TRY_*, or -1: not tried */
	int pid; /* that tried it inside */
	unsigned int events; /* denials of that process or of its children */
	char reason[8]; /* of the last */
};

struct drill {
	char folder[PATH_MAX]; /* everything lies in it, and goes with it */
	char self[PATH_MAX]; /* this program */
	pid_t outsider;
	struct drill_result results[64];
	size_t passed, failed, skipped;
};

enum drill_format { DRILL_TEXT, DRILL_JSON, DRILL_METRICS };

static void folder_path(const struct drill *drill, const char *name, char ret_path[PATH_MAX])
{
	snprintf(ret_path, PATH_MAX, "%.4000s/%s", drill->folder, name);
}

/* Writes a file of the drill's own. 0 or negative errno. */
static int put(const struct drill *drill, const char *name, const char *text)
{
	char path[PATH_MAX];
	BH_FCLOSE FILE *file = NULL;

	folder_path(drill, name, path);
	file = fopen(path, "wxe");
	if (!file || fputs(text, file) < 0 || fflush(file))
		return -errno;
	return 0;
}

static int make_folder(const struct drill *drill, const char *name)
{
	char path[PATH_MAX];

	folder_path(drill, name, path);
	return mkdir(path, 0700) ? -errno : 0;
}

/* A program to copy and to start, which is nothing else than this one. */
static int put_program(const struct drill *drill)
{
	char path[PATH_MAX];

	folder_path(drill, "work/program", path);
	return symlink("/usr/bin/true", path) ? -errno : 0;
}

static int put_policy(const struct drill *drill)
{
	BH_FREE char *text = NULL;

	if (asprintf(&text,
		     "apiVersion: bulkhead.dev/v1\n"
		     "kind: SandboxPolicy\n"
		     "metadata: {name: drill}\n"
		     "spec:\n"
		     "  presets: [base]\n"
		     "  entry: drill\n"
		     "  tools:\n"
		     "    drill:\n"
		     "      binaries: [\"%s\"]\n"
		     "      files:\n"
		     "        read: [\"%s/work/**\", /usr/bin/true, \"%s\"]\n"
		     "        write: [\"%s/work/**\"]\n"
		     "  respond: {floor: deny, exec: deny, files: deny, network: deny, privileges: deny}\n",
		     drill->self, drill->folder, drill->self, drill->folder) < 0)
		return -ENOMEM;
	return put(drill, "policy.yaml", text);
}

static int fill(const struct drill *drill)
{
	static const char *const files[] = { "work/file", "outside/secret", "outside/precious", "outside/victim" };
	int result = make_folder(drill, "work");

	if (!result)
		result = make_folder(drill, "outside");
	for (size_t i = 0; !result && i < BH_COUNT_OF(files); i++)
		result = put(drill, files[i], "text\n");
	if (!result)
		result = put_program(drill);
	return result ? result : put_policy(drill);
}

static int prepare(struct drill *drill, struct bh_err *err)
{
	ssize_t length = readlink("/proc/self/exe", drill->self, sizeof(drill->self) - 1);
	int result;

	if (length <= 0 || length >= (ssize_t)sizeof(drill->self) - 1)
		return bh_err_set(err, ENAMETOOLONG, "cannot find this program's own name");
	snprintf(drill->folder, sizeof(drill->folder), "/tmp/bulkhead-drill-XXXXXX");
	if (!mkdtemp(drill->folder)) {
		drill->folder[0] = '\0';
		return bh_err_set(err, errno, "cannot make a folder in /tmp: %s", strerror(errno));
	}
	result = fill(drill);
	if (result)
		return bh_err_set(err, -result, "cannot fill %s: %s", drill->folder, strerror(-result));
	drill->outsider = fork();
	if (!drill->outsider) {
		/* without privileges, or the kernel itself would keep those inside away from it */
		capng_clear(CAPNG_SELECT_ALL);
		if (!capng_apply(CAPNG_SELECT_ALL))
			pause();
		_exit(0);
	}
	return drill->outsider < 0 ? bh_err_set(err, errno, "cannot start a process: %s", strerror(errno)) : 0;
}

/* Starts `bulkhead run` on the drill's policy, with this program inside. Returns its exit status. */
static int run_inside(const struct drill *drill)
{
	char policy[PATH_MAX], events[PATH_MAX], said[PATH_MAX], name[64], outsider[16];
	int status;
	pid_t pid;

	folder_path(drill, "policy.yaml", policy);
	folder_path(drill, "events", events);
	folder_path(drill, "said", said);
	snprintf(name, sizeof(name), "drill-%d", (int)getpid());
	snprintf(outsider, sizeof(outsider), "%d", (int)drill->outsider);
	pid = fork();
	if (!pid) {
		int fd = open(said, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

		if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
			_exit(BH_EXIT_INTERNAL);
		execl(drill->self, "bulkhead", "run", "--quiet", "--policy", policy, "--events", events, "--name", name,
		      "--", drill->self, "drill", BH_DRILL_INSIDE, drill->folder, outsider, NULL);
		_exit(BH_EXIT_INTERNAL);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return BH_EXIT_INTERNAL;
	return WIFEXITED(status) ? WEXITSTATUS(status) : BH_EXIT_INTERNAL;
}

static int read_said(struct drill *drill)
{
	char path[PATH_MAX], line[256];
	size_t seen = 0, index;
	BH_FCLOSE FILE *said = NULL;
	int pid, status;

	folder_path(drill, "said", path);
	said = fopen(path, "re");
	while (said && fgets(line, sizeof(line), said)) {
		if (sscanf(line, BH_DRILL_LINE "%zu %d %d", &index, &pid, &status) != 3 || index >= bh_drill_count)
			continue;
		drill->results[index].inside = status;
		drill->results[index].pid = pid;
		seen++;
	}
	return seen == bh_drill_count ? 0 : -EPROTO;
}

/* Whose denial it is. A trick that forks has its children's too: their numbers lie below the next trick's. */
static struct drill_result *result_of(struct drill *drill, const json_t *process)
{
	json_int_t pid = json_integer_value(json_object_get(process, "pid"));
	json_int_t parent = json_integer_value(json_object_get(process, "ppid"));
	struct drill_result *found = NULL;

	for (size_t i = 0; i < bh_drill_count; i++) {
		struct drill_result *result = &drill->results[i];

		if (result->pid == pid || result->pid == parent)
			return result;
		if (result->pid < pid && (!found || result->pid > found->pid))
			found = result;
	}
	return found;
}

static void note_event(struct drill *drill, const json_t *event)
{
	struct drill_result *result;
	const char *verdict = json_string_value(json_object_get(event, "verdict"));
	const char *reason = json_string_value(json_object_get(event, "reason"));

	if (!verdict || !reason || (strcmp(verdict, "deny") != 0 && strcmp(verdict, "kill") != 0))
		return;
	result = result_of(drill, json_object_get(event, "process"));
	if (!result)
		return;
	result->events++;
	snprintf(result->reason, sizeof(result->reason), "%s", reason);
}

static void read_events(struct drill *drill)
{
	char path[PATH_MAX];
	BH_FCLOSE FILE *events = NULL;

	folder_path(drill, "events", path);
	events = fopen(path, "re");
	while (events) {
		json_t *event = json_loadf(events, JSON_DISABLE_EOF_CHECK, NULL);

		if (!event)
			break;
		note_event(drill, event);
		json_decref(event);
	}
}

static bool trick_passed(const struct drill *drill, size_t index)
{
	const struct drill_result *result = &drill->results[index];
	const struct bh_drill_step *step = &bh_drill_steps[index];

	return result->inside == TRY_REFUSED && result->events == 1 && !strcmp(result->reason, step->reason) &&
	       (!step->outside || result->outside == TRY_WON);
}

/* This kernel has no such thing, or this node does not let it be tried: neither inside nor outside. */
static bool trick_skipped(const struct drill *drill, size_t index)
{
	const struct drill_result *result = &drill->results[index];

	return bh_drill_steps[index].outside && result->outside == TRY_ERROR && result->inside != TRY_WON;
}

static const char *trick_verdict(const struct drill *drill, size_t index)
{
	return trick_skipped(drill, index) ? "skip" : trick_passed(drill, index) ? "pass" : "FAIL";
}

static const char *status_word(int status)
{
	return status == TRY_WON ? "worked" : status == TRY_REFUSED ? "refused" : status < 0 ? "not tried" : "error";
}

static void print_text(const struct drill *drill)
{
	for (size_t i = 0; i < bh_drill_count; i++) {
		const struct drill_result *result = &drill->results[i];
		const struct bh_drill_step *step = &bh_drill_steps[i];

		printf("%s  %-44s inside %s %-3s outside %s\n", trick_verdict(drill, i), step->text,
		       status_word(result->inside), result->reason, status_word(result->outside));
		if (!trick_passed(drill, i) && !trick_skipped(drill, i))
			printf("      wanted: refused inside, one event of reason %s (%u came)%s\n", step->reason,
			       result->events, step->outside ? ", worked outside" : "");
	}
	printf("%zu passed, %zu failed, %zu skipped\n", drill->passed, drill->failed, drill->skipped);
}

static void print_json(const struct drill *drill)
{
	json_t *tricks = json_array(), *object;
	struct utsname host;

	if (uname(&host))
		memset(&host, 0, sizeof(host));
	for (size_t i = 0; i < bh_drill_count; i++) {
		const struct drill_result *result = &drill->results[i];
		const struct bh_drill_step *step = &bh_drill_steps[i];

		json_array_append_new(tricks,
				      json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:i}", "trick", step->trick,
						"does", step->text, "result", trick_verdict(drill, i), "inside",
						status_word(result->inside), "outside", status_word(result->outside),
						"reason", result->reason, "wanted", step->reason, "events",
						(int)result->events));
	}
	object = json_pack("{s:i, s:s, s:i, s:i, s:i, s:o}", "schema_version", 1, "kernel", host.release, "passed",
			   (int)drill->passed, "failed", (int)drill->failed, "skipped", (int)drill->skipped, "tricks",
			   tricks);
	json_dumpf(object, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(object);
}

/* For the textfile collector of Prometheus' node exporter. */
static void print_metrics(const struct drill *drill)
{
	puts("# HELP bulkhead_drill_tricks Tricks of the last drill on this node, by result.\n"
	     "# TYPE bulkhead_drill_tricks gauge");
	printf("bulkhead_drill_tricks{result=\"pass\"} %zu\n", drill->passed);
	printf("bulkhead_drill_tricks{result=\"fail\"} %zu\n", drill->failed);
	printf("bulkhead_drill_tricks{result=\"skip\"} %zu\n", drill->skipped);
}

static int drill_all(struct drill *drill, struct bh_err *err)
{
	int status;

	for (size_t i = 0; i < bh_drill_count; i++)
		drill->results[i].inside = drill->results[i].outside = -1;
	status = run_inside(drill);
	if (status == BH_EXIT_HOST || read_said(drill)) {
		bh_err_set(err, EOPNOTSUPP, "the drill's sandbox did not get through (status %d)", status);
		bh_err_hint(err, "see `bulkhead probe`");
		return -EOPNOTSUPP;
	}
	read_events(drill);
	for (size_t i = 0; i < bh_drill_count; i++) {
		int pid;

		if (bh_drill_steps[i].outside)
			drill->results[i].outside = bh_drill_try(i, drill->folder, (int)drill->outsider, &pid);
		if (trick_skipped(drill, i))
			drill->skipped++;
		else if (trick_passed(drill, i))
			drill->passed++;
		else
			drill->failed++;
	}
	return 0;
}

static void remove_all(struct drill *drill)
{
	pid_t pid;

	if (drill->outsider > 0) {
		kill(drill->outsider, SIGKILL);
		waitpid(drill->outsider, NULL, 0);
	}
	if (!drill->folder[0])
		return;
	pid = fork();
	if (!pid) {
		execl("/bin/rm", "rm", "-rf", "--", drill->folder, NULL);
		_exit(127);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

static int drill_node(enum drill_format format)
{
	struct drill drill = {};
	struct bh_err err = {};
	int result = prepare(&drill, &err);

	if (!result)
		result = drill_all(&drill, &err);
	remove_all(&drill);
	if (result) {
		bh_fail(&err);
		return result == -EOPNOTSUPP ? BH_EXIT_HOST : BH_EXIT_INTERNAL;
	}
	if (format == DRILL_JSON)
		print_json(&drill);
	else if (format == DRILL_METRICS)
		print_metrics(&drill);
	else
		print_text(&drill);
	return drill.failed ? BH_EXIT_NO : BH_EXIT_OK;
}

static int drill_main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "metrics", no_argument, NULL, 'm' },
		{ "help", no_argument, NULL, 'h' },
		{},
	};
	enum drill_format format = DRILL_TEXT;
	int option;

	if (argc == 4 && !strcmp(argv[1], BH_DRILL_INSIDE))
		return bh_drill_inside(argv[2], atoi(argv[3]));
	optind = 1;
	opterr = 0;
	while ((option = getopt_long(argc, argv, "h", options, NULL)) >= 0) {
		if (option == 'h')
			return bh_help(&bh_command_drill);
		if (option == '?')
			return bh_usage(&bh_command_drill, "bad option");
		format = option == 'j' ? DRILL_JSON : DRILL_METRICS;
	}
	if (optind != argc)
		return bh_usage(&bh_command_drill, "takes no arguments");
	return drill_node(format);
}

const struct bh_command bh_command_drill = {
	.name = "drill",
	.synopsis = "[--json|--metrics]",
	.summary = "try harmless attacks in a throw-away sandbox on this node",
	.help = "  --json      one JSON object\n"
		"  --metrics   as metrics, for the textfile collector of a node exporter\n\n"
		"Each trick must be refused inside with one event of the right reason, and must work outside, so that it proves\n"
		"something. Exit status: 0 all passed, 1 one failed, 4 this host cannot enforce a policy.\n",
	.main = drill_main,
};
