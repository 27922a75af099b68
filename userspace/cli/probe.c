/* SPDX-License-Identifier: GPL-2.0-only */
/* bulkhead probe: what this kernel can enforce, hook by hook, and why not. */
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/command.h"
#include "kernel/core.h"
#include "kernel/host.h"

#define BH_PROGRAMS_MAX 128

/* What each hook is for, in the reader's words. A hook without a line here is shown by its name alone. */
static const struct {
	const char *section, *question;
} bh_hook_words[] = {
	{ "lsm/bprm_check_security", "which programs may start" },
	{ "lsm/bprm_committing_creds", "what tool a program becomes" },
	{ "lsm/task_alloc", "children stay in their sandbox" },
	{ "lsm/file_open", "which files may be opened" },
	{ "fexit/vfs_rename", "moved directories are judged anew" },
	{ "lsm/path_mknod", "which files may be made" },
	{ "lsm/path_mkdir", "which directories may be made" },
	{ "lsm/path_rmdir", "which directories may be removed" },
	{ "lsm/path_unlink", "which files may be removed" },
	{ "lsm/path_symlink", "where symbolic links may be made" },
	{ "lsm/path_link", "which files may get a second name" },
	{ "lsm/path_rename", "what may be moved, and to where" },
	{ "lsm/path_truncate", "which files may be cut" },
	{ "lsm/path_chmod", "whose mode may be changed" },
	{ "lsm/path_chown", "whose owner may be changed" },
	{ "lsm/mmap_file", "which files may be loaded as code" },
	{ "lsm/file_mprotect", "which mapped files may become code" },
	{ "lsm/file_ioctl", "no typing into the terminal" },
	{ "lsm/file_ioctl_compat", "the same for 32-bit programs" },
	{ "lsm/inode_file_setattr", "no new flags or projects of files" },
	{ "lsm/inode_setxattr", "no new attributes or access lists" },
	{ "lsm/inode_removexattr", "no attributes taken away" },
	{ "lsm/inode_set_acl", "no new access lists" },
	{ "lsm/inode_remove_acl", "no access lists taken away" },
	{ "lsm/socket_bind", "which ports may be bound" },
	{ "lsm/socket_recvmsg", "no receiving on another's socket" },
	{ "lsm/socket_listen", "which ports may be waited on" },
	{ "lsm/socket_post_create", "whose a socket is" },
	{ "cgroup_skb/egress", "which packets leave" },
	{ "cgroup_skb/ingress", "which packets come in" },
	{ "lsm/socket_setsockopt", "no source routes" },
	{ "lsm/socket_connect", "whom a socket may connect to" },
	{ "lsm/socket_sendmsg", "whom a datagram may go to" },
	{ "lsm/socket_create", "which kinds of sockets may exist" },
	{ "lsm/unix_stream_connect", "unix sockets stay in their sandbox" },
	{ "lsm/unix_may_send", "unix datagrams stay in their sandbox" },
	{ "lsm/capable", "which capabilities may be used" },
	{ "lsm/sb_mount", "who may mount" },
	{ "lsm/sb_remount", "who may change a mount" },
	{ "lsm/sb_kern_mount", "who may make a file system" },
	{ "lsm/sb_umount", "who may unmount" },
	{ "lsm/sb_pivotroot", "who may change the root of mounts" },
	{ "lsm/move_mount", "who may move mounts" },
	{ "lsm/path_chroot", "who may change their own root" },
	{ "lsm/kernel_read_file", "no modules or kernels from files" },
	{ "lsm/kernel_load_data", "no modules or kernels from memory" },
	{ "lsm/kernel_module_request", "no modules loaded unasked" },
	{ "lsm/perf_event_open", "no performance events" },
	{ "lsm/syslog", "not the kernel's log" },
	{ "lsm/quotactl", "no disk quotas" },
	{ "lsm/inode_init_security_anon", "who may have io_uring and userfaultfd" },
	{ "lsm/userns_create", "who may make user namespaces" },
	{ "lsm/ptrace_access_check", "who may reach into other processes" },
	{ "lsm/ptrace_traceme", "who may be traced" },
	{ "lsm/bprm_committed_creds", "the same, one hook later" },
	{ "lsm/bpf", "no bpf()" },
	{ "lsm/uring_override_creds", "no borrowed credentials" },
	{ "lsm/file_fcntl", "no signals to others by descriptors" },
	{ "lsm/path_notify", "which files may be watched" },
	{ "lsm/task_setrlimit", "no limits for others" },
	{ "lsm/task_setscheduler", "no scheduling of others" },
	{ "lsm/task_setnice", "no priorities for others" },
	{ "lsm/task_setioprio", "no io priorities for others" },
	{ "lsm/key_alloc", "who may have keys in the kernel's store" },
	{ "lsm/key_permission", "who may use keys of the kernel's store" },
	{ "lsm/task_kill", "signals stay in their sandbox" },
	{ "syscall", "verdicts without hooks (self-test)" },
};

static const char *bh_hook_question(const char *section)
{
	for (size_t i = 0; i < BH_COUNT_OF(bh_hook_words); i++) {
		if (!strcmp(bh_hook_words[i].section, section))
			return bh_hook_words[i].question;
	}
	return "";
}

struct bh_probe {
	struct bh_host host;
	struct bh_core_program programs[BH_PROGRAMS_MAX];
	int count; /* programs tried, 0 when loading makes no sense */
	struct bh_err blocker; /* empty text: `bulkhead run` can enforce here */
};

static void bh_probe_take(struct bh_probe *probe)
{
	bh_host_read(&probe->host);
	bh_host_require(&probe->host, &probe->blocker);
	if (!probe->host.root || !probe->host.privileged || !probe->host.btf)
		return;
	probe->count = bh_core_probe(probe->programs, BH_PROGRAMS_MAX);
	if (probe->count < 0)
		probe->count = 0;
	for (int i = 0; i < probe->count && !probe->blocker.text[0]; i++) {
		struct bh_core_program *program = &probe->programs[i];

		if (program->error && !program->optional && strcmp(program->section, "syscall") != 0) {
			bh_err_set(&probe->blocker, program->error, "the kernel does not take %s (%s)",
				   program->section, strerror(program->error));
			bh_err_hint(&probe->blocker, program->error == EPERM ?
							     "kernel lockdown or a missing capability" :
							     "Linux 6.1 or later is needed");
		}
	}
}

static const char *bh_yes(bool yes)
{
	return yes ? "yes" : "no";
}

static void bh_probe_print(const struct bh_probe *probe)
{
	const struct bh_host *host = &probe->host;

	printf("kernel            %s\n", host->release);
	printf("root, privileges  %s, %s\n", bh_yes(host->root), bh_yes(host->privileged));
	printf("type information  %s\n", bh_yes(host->btf));
	printf("BPF LSM active    %s%s%s\n",
	       host->lsm_known ? bh_yes(host->lsm_bpf) : "unknown (securityfs is not mounted)",
	       host->lsm_known ? "  " : "", host->lsm);
	printf("lockdown          %s\n", host->lockdown[0] ? host->lockdown : "unknown");
	printf("cgroup v2         %s%s\n", host->cgroup[0] ? host->cgroup : "not mounted",
	       host->cgroup_hybrid ? " (version 1 beside it)" : "");
	printf("controllers       %s\n", host->controllers[0] ? host->controllers : "none");
	printf("cgroup.kill       %s\n", host->cgroup_kill ? "yes" : "no: freeze and signal instead");
	for (int i = 0; i < probe->count; i++) {
		const struct bh_core_program *program = &probe->programs[i];

		printf("%-26s %-38s ", program->section, bh_hook_question(program->section));
		if (program->error && program->optional)
			printf("not needed on this kernel\n");
		else if (program->error)
			printf("NO: %s\n", strerror(program->error));
		else
			printf("yes  (%u instructions verified)\n", program->instructions);
	}
	if (!probe->blocker.text[0]) {
		printf("`bulkhead run` can enforce exec, file, network and privilege rules here\n");
		return;
	}
	printf("`bulkhead run` cannot enforce here: %s\n", probe->blocker.text);
	if (probe->blocker.hint[0])
		printf("    help: %s\n", probe->blocker.hint);
}

static void bh_probe_print_json(const struct bh_probe *probe)
{
	const struct bh_host *host = &probe->host;
	json_t *hooks = json_array(), *object;

	for (int i = 0; i < probe->count; i++) {
		const struct bh_core_program *program = &probe->programs[i];
		json_t *one = json_pack("{s:s, s:s, s:b}", "hook", program->section, "decides",
					bh_hook_question(program->section), "works", !program->error);

		if (program->error)
			json_object_set_new(one, "error", json_string(strerror(program->error)));
		else
			json_object_set_new(one, "verified_instructions", json_integer(program->instructions));
		json_array_append_new(hooks, one);
	}
	object = json_pack("{s:i, s:s, s:b, s:b, s:b, s:s, s:s, s:s, s:b, s:b, s:o, s:b}", "schema_version", 1,
			   "kernel", host->release, "root", host->root, "privileged", host->privileged, "btf",
			   host->btf, "lsm", host->lsm, "lockdown", host->lockdown, "cgroup2", host->cgroup,
			   "cgroup_hybrid", host->cgroup_hybrid, "cgroup_kill", host->cgroup_kill, "hooks", hooks,
			   "can_enforce", !probe->blocker.text[0]);
	if (probe->blocker.text[0]) {
		json_object_set_new(object, "blocker", json_string(probe->blocker.text));
		json_object_set_new(object, "help", json_string(probe->blocker.hint));
	}
	json_dumpf(object, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(object);
}

static int bh_probe_main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{},
	};
	struct bh_probe probe = {};
	bool json = false;
	int option;

	optind = 1;
	opterr = 0;
	while ((option = getopt_long(argc, argv, "h", options, NULL)) >= 0) {
		if (option == 'h')
			return bh_help(&bh_command_probe);
		if (option != 'j')
			return bh_usage(&bh_command_probe, "bad option");
		json = true;
	}
	if (optind != argc)
		return bh_usage(&bh_command_probe, "takes no arguments");
	bh_probe_take(&probe);
	if (json)
		bh_probe_print_json(&probe);
	else
		bh_probe_print(&probe);
	return probe.blocker.text[0] ? BH_EXIT_HOST : BH_EXIT_OK;
}

const struct bh_command bh_command_probe = {
	.name = "probe",
	.synopsis = "[--json]",
	.summary = "tell what this kernel can enforce, and why not",
	.help = "  --json   one JSON object\n\n"
		"Loads each kernel program once, alone, and attaches none. Exit status: 0 `bulkhead run` can enforce here, 4 it\n"
		"cannot.\n",
	.main = bh_probe_main,
};
