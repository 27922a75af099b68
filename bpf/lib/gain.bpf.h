/* SPDX-License-Identifier: GPL-2.0-only */
/* Programs that may start by their file, but for what else their start would give: another user, another's process. */
#ifndef BH_LIB_GAIN_BPF_H
#define BH_LIB_GAIN_BPF_H

#include "bpf/lib/path.bpf.h"

#define BH_S_ISUID 04000
#define BH_S_ISGID 02000
#define BH_S_IXGRP 00010

/* Would the file give whoever starts it another user or group? Capabilities of files give nothing under no_new_privs. */
static BH_INLINE int bh_file_changes_user(struct file *file)
{
	__u32 mode = file->f_inode->i_mode;

	return mode & BH_S_ISUID || (mode & (BH_S_ISGID | BH_S_IXGRP)) == (BH_S_ISGID | BH_S_IXGRP);
}

/* The answer, unless the program would gain a user or group. */
static BH_INLINE struct bh_answer bh_judge_gain(struct bh_case *this, struct file *file, struct bh_answer answer)
{
	struct bh_answer gain;

	if (answer.reason || !bh_file_changes_user(file))
		return answer;
	gain = bh_decide_privilege(this->subject.policy, this->subject.tool, BH_PRIVILEGE_SETUID_EXEC);
	if (!gain.reason)
		return answer;
	this->scratch->event.number = BH_PRIVILEGE_SETUID_EXEC + 1;
	return gain;
}

/* Does the task trace, or is it traced? Then it stays in the tool where that was allowed: else one tool would lead another's process. */
static BH_INLINE int bh_traces(struct bh_case *this)
{
	struct task_struct *task = bpf_get_current_task_btf();

	if (!task->ptrace && (__u64)task->ptraced.next == (__u64)task + bpf_core_field_offset(task->ptraced))
		return 0;
	this->scratch->event.number = BH_PRIVILEGE_PTRACE + 1;
	return 1;
}

#endif
