// SPDX-License-Identifier: GPL-2.0-only
/* What no tool needs and an escape begins with: new user namespaces, and reaching into other processes. */
#include "bpf/lib/privileged.bpf.h"

#define BH_PTRACE_MODE_READ 1u

static BH_INLINE int bh_refuse_privilege(__u32 kind)
{
	return bh_refuse(kind, BH_REASON_C2);
}

/* Our own maps and links are reached through bpf(), by whoever may open their pins. */
SEC("lsm/bpf")
int BPF_PROG(bh_bpf, int command, void *attributes, unsigned int size)
{
	return bh_judge_privilege(BH_KIND_BPF, BH_PRIVILEGE_BPF);
}

SEC("lsm/userns_create")
int BPF_PROG(bh_userns, const struct cred *cred, int ret)
{
	return ret ? ret : bh_judge_privilege(BH_KIND_NAMESPACE, BH_PRIVILEGE_NAMESPACES);
}

/* io_uring may not act with credentials that were put by: elsewhere, differing credentials mean the kernel itself. */
SEC("lsm/uring_override_creds")
int BPF_PROG(bh_uring_creds, const struct cred *new, int ret)
{
	return ret ? ret : bh_refuse_privilege(BH_KIND_NAMESPACE);
}

/* Is the other task of the same tool and sandbox? */
static BH_INLINE int bh_same_tool(const struct bh_subject *subject, struct task_struct *task)
{
	struct bh_label *other = bpf_task_storage_get(&bh_labels, task, 0, 0);

	return other && subject->tool && other->head.sandbox == subject->number && other->head.tool == subject->tool;
}

/* Reading another process (its /proc entries too) is for the same tool of the same sandbox; so is attaching, where it is allowed. */
SEC("lsm/ptrace_access_check")
int BPF_PROG(bh_ptrace, struct task_struct *child, unsigned int mode, int ret)
{
	struct bh_subject subject = {};

	if (ret)
		return ret;
	if (!bh_subject_find(&subject))
		return 0;
	if (!bh_same_tool(&subject, child))
		return bh_refuse_privilege(BH_KIND_PTRACE);
	return mode & BH_PTRACE_MODE_READ ? 0 : bh_judge_privilege(BH_KIND_PTRACE, BH_PRIVILEGE_PTRACE);
}

SEC("lsm/ptrace_traceme")
int BPF_PROG(bh_traceme, struct task_struct *parent, int ret)
{
	struct bh_subject subject = {};

	if (ret)
		return ret;
	if (!bh_subject_find(&subject))
		return 0;
	if (!bh_same_tool(&subject, parent))
		return bh_refuse_privilege(BH_KIND_PTRACE);
	return bh_judge_privilege(BH_KIND_PTRACE, BH_PRIVILEGE_PTRACE);
}

/* What is done to another process stays inside the sandbox. */
static BH_INLINE int bh_judge_other(struct task_struct *target, __u32 kind)
{
	struct bh_subject subject = {};
	struct bh_label *label;

	if (!bh_subject_find(&subject))
		return 0;
	label = bpf_task_storage_get(&bh_labels, target, 0, 0);
	if (label && label->head.sandbox == subject.number)
		return 0;
	return bh_refuse_privilege(kind);
}

/* The kernel's own signals (a pipe's, a child's, the terminal's) do not come by here. */
SEC("lsm/task_kill")
int BPF_PROG(bh_kill, struct task_struct *target, struct kernel_siginfo *info, int sig, const struct cred *cred,
	     int ret)
{
	return ret ? ret : bh_judge_other(target, BH_KIND_SIGNAL);
}

SEC("lsm/task_setrlimit")
int BPF_PROG(bh_setrlimit, struct task_struct *target, unsigned int resource, void *limit, int ret)
{
	return ret ? ret : bh_judge_other(target, BH_KIND_PROCESS);
}

SEC("lsm/task_setscheduler")
int BPF_PROG(bh_scheduler, struct task_struct *target, int ret)
{
	return ret ? ret : bh_judge_other(target, BH_KIND_PROCESS);
}

SEC("lsm/task_setnice")
int BPF_PROG(bh_setnice, struct task_struct *target, int nice, int ret)
{
	return ret ? ret : bh_judge_other(target, BH_KIND_PROCESS);
}

SEC("lsm/task_setioprio")
int BPF_PROG(bh_setioprio, struct task_struct *target, int priority, int ret)
{
	return ret ? ret : bh_judge_other(target, BH_KIND_PROCESS);
}

/* Keys are shared by user, and asking for one can start a helper outside of every sandbox. */
SEC("lsm/key_alloc")
int BPF_PROG(bh_key_alloc, struct key *key, const struct cred *cred, unsigned long flags, int ret)
{
	return ret ? ret : bh_judge_privilege(BH_KIND_KEY, BH_PRIVILEGE_KEYCTL);
}

SEC("lsm/key_permission")
int BPF_PROG(bh_key, struct key *key, const struct cred *cred, unsigned int need, int ret)
{
	return ret ? ret : bh_judge_privilege(BH_KIND_KEY, BH_PRIVILEGE_KEYCTL);
}
