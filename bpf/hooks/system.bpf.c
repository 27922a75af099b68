// SPDX-License-Identifier: GPL-2.0-only
/* What reaches beyond the sandbox into the machine: mounts, roots, kernel code, its log, its measurements; and capabilities. */
#include "bpf/lib/privileged.bpf.h"

#define BH_CAPABILITY_UNTOLD 2u /* CAP_OPT_NOAUDIT: the kernel only wants to know, and goes on without */
#define BH_KERNEL_READS_FIRMWARE 1u /* READING_FIRMWARE, LOADING_FIRMWARE: a driver's, whoever is running */

/*
 * The kernel's own rules come before: this is only asked for what the task has. Over the machine, a capability must be listed;
 * over a user namespace that a sandbox made for itself, having been let make it is enough, but for those that the floor has.
 */
static BH_INLINE struct bh_answer bh_judge_capability(const struct bh_subject *subject, const struct user_namespace *ns,
						      __u32 capability)
{
	struct bh_answer answer;

	if (!subject->policy)
		return bh_reason(BH_REASON_R0);
	answer = bh_decide_capability(subject->policy, subject->tool, capability);
	if (answer.reason == BH_REASON_C2 && ns->level > 0)
		answer = bh_decide_privilege(subject->policy, subject->tool, BH_PRIVILEGE_NAMESPACES);
	return answer;
}

SEC("lsm/capable")
int BPF_PROG(bh_capable, const struct cred *cred, struct user_namespace *ns, int capability, unsigned int options)
{
	struct bh_case this = {};
	struct bh_answer answer;

	if (!bh_subject_who(&this.subject) || bh_in_anothers_name())
		return 0;
	bh_subject_policy(&this.subject);
	answer = bh_judge_capability(&this.subject, ns, capability);
	if (!answer.reason)
		return 0;
	if (options & BH_CAPABILITY_UNTOLD)
		return this.subject.policy && bh_verdict_now(&this.subject, answer.reason) == BH_VERDICT_ALLOW ?
			       0 :
			       -BH_EPERM;
	if (bh_case_begin(&this, BH_KIND_CAPABILITY) == BH_REFUSE)
		return -BH_EPERM;
	this.scratch->event.number = capability + 1;
	return bh_case_close(&this, answer);
}

SEC("lsm/sb_mount")
int BPF_PROG(bh_mount, const char *device, const struct path *path)
{
	return bh_judge_privilege(BH_KIND_MOUNT, BH_PRIVILEGE_MOUNT);
}

SEC("lsm/sb_remount")
int BPF_PROG(bh_remount, struct super_block *sb)
{
	return bh_judge_privilege(BH_KIND_MOUNT, BH_PRIVILEGE_MOUNT);
}

/* A file system that is made, before it is mounted anywhere: fsmount() gives a descriptor of its root. */
SEC("lsm/sb_kern_mount")
int BPF_PROG(bh_kern_mount, struct super_block *sb)
{
	return bh_judge_privilege(BH_KIND_MOUNT, BH_PRIVILEGE_MOUNT);
}

SEC("lsm/sb_umount")
int BPF_PROG(bh_umount, struct vfsmount *mount, int flags)
{
	return bh_judge_privilege(BH_KIND_MOUNT, BH_PRIVILEGE_MOUNT);
}

SEC("lsm/sb_pivotroot")
int BPF_PROG(bh_pivotroot, const struct path *old_path, const struct path *new_path)
{
	return bh_judge_privilege(BH_KIND_MOUNT, BH_PRIVILEGE_MOUNT);
}

SEC("lsm/move_mount")
int BPF_PROG(bh_move_mount, const struct path *from, const struct path *to)
{
	return bh_judge_privilege(BH_KIND_MOUNT, BH_PRIVILEGE_MOUNT);
}

SEC("lsm/path_chroot")
int BPF_PROG(bh_chroot, const struct path *path)
{
	return bh_judge_privilege(BH_KIND_MOUNT, BH_PRIVILEGE_MOUNT);
}

/* Modules, other kernels, their signatures and policies: all that the kernel reads to become different. */
SEC("lsm/kernel_read_file")
int BPF_PROG(bh_kernel_read, struct file *file, unsigned int what)
{
	return what == BH_KERNEL_READS_FIRMWARE ? 0 : bh_judge_privilege(BH_KIND_MODULE, BH_PRIVILEGE_MODULE);
}

SEC("lsm/kernel_load_data")
int BPF_PROG(bh_kernel_load, unsigned int what)
{
	return what == BH_KERNEL_READS_FIRMWARE ? 0 : bh_judge_privilege(BH_KIND_MODULE, BH_PRIVILEGE_MODULE);
}

/* Asked by the kernel for a task that used something whose module is not there: the task may not even know. */
SEC("lsm/kernel_module_request")
int BPF_PROG(bh_module_request, char *name)
{
	return bh_refuse(BH_KIND_MODULE, BH_REASON_C3);
}

SEC("lsm/perf_event_open")
int BPF_PROG(bh_perf, void *attributes)
{
	return bh_judge_privilege(BH_KIND_SYSTEM, BH_PRIVILEGE_PERF_OTHERS);
}

SEC("lsm/syslog")
int BPF_PROG(bh_syslog, int type)
{
	return bh_judge_privilege(BH_KIND_SYSTEM, BH_PRIVILEGE_SYSLOG);
}

SEC("lsm/quotactl")
int BPF_PROG(bh_quotactl, int commands, int type, int id, struct super_block *sb)
{
	return bh_judge_privilege(BH_KIND_SYSTEM, BH_PRIVILEGE_QUOTACTL);
}

#define BH_ANON_NAME 16

static BH_INLINE int bh_name_is(const char *name, const char *wanted, __u32 size)
{
	for (__u32 i = 0; i < size; i++) {
		if (name[i] != wanted[i])
			return 0;
	}
	return 1;
}

/* Descriptors without a file, by the name that the kernel gives the kind; others of them reach nothing that is not judged by itself. */
SEC("lsm/inode_init_security_anon")
int BPF_PROG(bh_anonymous, struct inode *inode, const struct qstr *kind)
{
	char name[BH_ANON_NAME] = {};

	/* not readable: not told from those */
	if (bpf_probe_read_kernel_str(name, sizeof(name), kind->name) < 0 || bh_name_is(name, "[io_uring]", 11))
		return bh_judge_privilege(BH_KIND_SYSTEM, BH_PRIVILEGE_IO_URING);
	if (bh_name_is(name, "[userfaultfd]", 14))
		return bh_judge_privilege(BH_KIND_SYSTEM, BH_PRIVILEGE_USERFAULTFD);
	return 0;
}
