// SPDX-License-Identifier: GPL-2.0-only
/* Files: every open that gives a descriptor. */
#include "bpf/lib/path.bpf.h"

char _license[] SEC("license") = "GPL";

/* The rights an open asks for. Truncating and creating are writing, whatever the access mode says; no mode at all (ioctl only) is both. */
static BH_INLINE __u32 bh_open_access(const struct file *file)
{
	__u32 access = 0;

	if (file->f_mode & BH_FMODE_READ)
		access |= BH_ACCESS_READ;
	if (file->f_mode & BH_FMODE_WRITE || file->f_flags & BH_O_TRUNC || file->f_mode & BH_FMODE_CREATED)
		access |= BH_ACCESS_WRITE;
	return access ? access : BH_ACCESS_READ | BH_ACCESS_WRITE;
}

static BH_INLINE struct bh_answer bh_judge_open(struct bh_case *this, struct file *file)
{
	struct bh_path_question path = {};
	__u32 fault;

	fault = bh_path_read(this, file, &path);
	if (fault)
		return bh_reason(fault);
	if (bh_file_unlinked(file)) {
		/* an O_TMPFILE has no name yet; it is judged by the directory it is made in */
		if (!(file->f_flags & BH_O_TMPFILE) || path.length <= BH_DELETED_LENGTH)
			return bh_reason(BH_REASON_P0);
		path.length -= BH_DELETED_LENGTH;
	}
	if (!this->subject.policy)
		return bh_reason(BH_REASON_R0);
	path.self = bh_proc_self(file);
	if (this->access & BH_ACCESS_EXEC)
		return bh_decide_exec_open(this->subject.policy, this->subject.tool, this->subject.next_tool, &path);
	return bh_decide_file(this->subject.policy, this->subject.tool, this->access, &path);
}

SEC("lsm/file_open")
int BPF_PROG(bh_file_open, struct file *file, int ret)
{
	struct bh_case this = {};

	if (ret)
		return ret;
	if (file->f_mode & BH_FMODE_NOACCOUNT) /* the overlay's second open of what was just judged */
		return 0;
	switch (bh_case_open(&this, BH_KIND_FILE_OPEN)) {
	case BH_OUTSIDE:
		return 0;
	case BH_REFUSE:
		return -BH_EPERM;
	}
	if (file->f_inode->i_sb->s_magic == BH_PIPEFS_MAGIC) {
		/* a pipe of its own, opened again through /proc/self/fd; others' are behind ptrace_access_check */
		bh_scratch_release(this.scratch);
		return 0;
	}
	if (file->f_flags & BH_FMODE_EXEC) {
		this.kind = BH_KIND_EXEC;
		this.access = BH_ACCESS_EXEC;
	} else {
		this.access = bh_open_access(file);
		if (this.access & BH_ACCESS_WRITE)
			this.kind = BH_KIND_FILE_WRITE;
	}
	return bh_case_close(&this, bh_judge_open(&this, file));
}
