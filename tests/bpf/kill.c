// SPDX-License-Identifier: GPL-2.0-only
/*
 * kill: ends a cgroup full of processes, some in a sub-cgroup, some that fork on; by cgroup.kill where the kernel has it, by
 * freezing and signals before 5.14. No hook takes part. As root (else 77). Prints one line per question.
 */
#include <errno.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/cgroup.h"
#include "kernel/host.h"
#include "respond/kill.h"

#define PROCESSES 40
#define FORKERS 4
#define LIMIT_MS 20000

static void say(bool fine, const char *sentence)
{
	printf("%s - %s\n", fine ? "ok" : "not ok", sentence);
}

/* Forks a process that is in the cgroup before it does anything; it sleeps, or leaves children behind without end. */
static bool populate(const struct bh_cgroup *cgroup, bool forker)
{
	struct bh_err err = {};
	int ready[2];
	pid_t pid;
	char byte;
	bool moved;

	if (pipe(ready))
		return false;
	pid = fork();
	if (!pid) {
		close(ready[1]);
		if (read(ready[0], &byte, 1) != 1)
			_exit(1);
		while (forker) {
			if (!fork())
				pause();
			usleep(20000);
		}
		pause();
		_exit(0);
	}
	close(ready[0]);
	moved = pid > 0 && !bh_cgroup_add(cgroup, pid, &err) && write(ready[1], "", 1) == 1;
	close(ready[1]);
	if (!moved)
		printf("# %s\n", err.text);
	return moved;
}

int main(void)
{
	struct bh_host host;
	struct bh_cgroup cgroup, below;
	struct bh_err err = {};
	struct bh_kill_result killed;
	bool all = true;

	if (geteuid())
		return 77;
	bh_host_read(&host);
	bh_cgroup_init(&cgroup, host.cgroup, "kill-test");
	if (bh_cgroup_make(&cgroup, &err)) {
		printf("not ok - a cgroup is made\n# %s\n", err.text);
		return 1;
	}
	below = cgroup;
	strcat(below.path, "/below");
	say(!mkdir(below.path, 0755), "a cgroup may lie in it");
	for (int i = 0; i < PROCESSES; i++)
		all &= populate(i % 2 ? &below : &cgroup, i < FORKERS);
	say(all && bh_cgroup_populated(&cgroup), "processes are in both");
	say(!bh_kill_sandbox(&cgroup, LIMIT_MS, &killed), "the kill succeeds");
	say(killed.tasks >= PROCESSES && killed.empty, "it counted them, and none is left");
	say(!bh_cgroup_populated(&cgroup) && !bh_cgroup_tasks(&cgroup), "the cgroup is empty");
	printf("# %s, %d processes, %lld us\n", host.cgroup_kill ? "cgroup.kill" : "freeze and signals", killed.tasks,
	       (long long)killed.latency_us);
	say(!bh_kill_sandbox(&cgroup, LIMIT_MS, &killed) && killed.empty, "an empty one is killed at once");
	say(!bh_cgroup_remove(&cgroup) && access(cgroup.path, F_OK), "it is removed with what lies in it");
	rmdir(dirname(cgroup.path)); /* the slice, unless others use it */
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	return 0;
}
