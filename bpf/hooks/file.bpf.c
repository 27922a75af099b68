// SPDX-License-Identifier: GPL-2.0-only
/* Files: every open that gives a descriptor. */
#include "bpf/lib/seen.bpf.h"

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
		if (this->access & BH_ACCESS_EXEC && bh_nameless_allowed(&this->subject)) /* the check decides */
			return bh_reason(BH_REASON_NONE);
		/* an O_TMPFILE has no name yet; it is judged by the directory it is made in */
		if (!(file->f_flags & BH_O_TMPFILE) || path.length <= BH_DELETED_LENGTH)
			return bh_reason(BH_REASON_P0);
		path.length -= BH_DELETED_LENGTH;
	}
	if (!this->subject.policy)
		return bh_reason(BH_REASON_R0);
	path.self = bh_proc_self(file);
	path.written = this->access & BH_ACCESS_EXEC && bh_is_written(file->f_inode);
	if (this->access & BH_ACCESS_EXEC)
		return bh_decide_exec_open(this->subject.policy, this->subject.tool, this->subject.next, &path);
	return bh_decide_file(this->subject.policy, this->subject.tool, this->access, &path);
}

/*
 * The second open of what was just judged: overlayfs opens the file behind the one that the task named (marked by the
 * kernel), the directories of each layer, and the two files of a copy-up. Those lie in a mount of no namespace, where no
 * task can go, and are opened in the mounter's name.
 */
static BH_INLINE int bh_is_backing(struct file *file)
{
	struct mount *mount;

	if (file->f_mode & BH_FMODE_NOACCOUNT)
		return 1;
	if (!bh_in_anothers_name())
		return 0;
	mount = (void *)file->f_path.mnt - bpf_core_field_offset(struct mount, mnt);
	return (long)BPF_CORE_READ(mount, mnt_ns) == BH_MNT_NS_INTERNAL;
}

static BH_INLINE int bh_open_close(struct bh_case *this, struct file *file, __u32 serial)
{
	struct bh_answer answer = bh_judge_open(this, file);
	int ret;

	if (!answer.reason && this->access & BH_ACCESS_WRITE && !bh_written_note(&this->subject, file->f_inode))
		answer = bh_reason(BH_REASON_R4);
	ret = bh_case_close(this, answer);
	if (ret || this->access & BH_ACCESS_EXEC)
		return ret;
	if (answer.reason && this->access & BH_ACCESS_WRITE) /* in observe mode */
		bh_written_note(&this->subject, file->f_inode);
	if (!answer.reason) /* in observe mode, what would be denied is said each time */
		bh_seen_note(&this->subject, file, this->access, serial);
	return ret;
}

/*
 * The file behind is known as written, too: the overlay's own inode is made anew when the kernel took its memory back, or the
 * overlay was mounted again. Nobody waits for the writer: what cannot be noted is not opened.
 */
static BH_INLINE int bh_open_backing(struct file *file)
{
	struct bh_case this = {};

	if (!(file->f_mode & BH_FMODE_WRITE) && !(file->f_flags & BH_FMODE_EXEC))
		return 0;
	if (!bh_subject_who(&this.subject))
		return 0;
	if (file->f_mode & BH_FMODE_WRITE)
		return bh_written_note(&this.subject, file->f_inode) ? 0 : -BH_EPERM;
	if (!bh_is_written(file->f_inode))
		return 0;
	this.access = BH_ACCESS_EXEC;
	if (bh_case_begin(&this, BH_KIND_EXEC) == BH_REFUSE)
		return -BH_EPERM;
	return bh_case_close(&this, bh_reason(BH_REASON_X9));
}

SEC("lsm/file_open")
int BPF_PROG(bh_file_open, struct file *file, int ret)
{
	struct bh_case this = {};
	__u32 serial, kind = BH_KIND_FILE_OPEN;

	if (ret)
		return ret;
	if (bh_is_backing(file))
		return bh_open_backing(file);
	if (!bh_subject_who(&this.subject))
		return 0;
	/* before the policy and the path: a change of either makes it an old one */
	serial = this.subject.sandbox ? this.subject.sandbox->serial : 0;
	if (file->f_flags & BH_FMODE_EXEC) {
		kind = BH_KIND_EXEC;
		this.access = BH_ACCESS_EXEC;
	} else {
		this.access = bh_open_access(file);
		if (bh_seen_before(&this.subject, file, this.access))
			return 0;
		if (this.access & BH_ACCESS_WRITE)
			kind = BH_KIND_FILE_WRITE;
	}
	if (bh_case_begin(&this, kind) == BH_REFUSE)
		return -BH_EPERM;
	if (file->f_inode->i_sb->s_magic == BH_PIPEFS_MAGIC) {
		/* a pipe of its own, opened again through /proc/self/fd; others' are behind ptrace_access_check */
		bh_scratch_release(this.scratch);
		return 0;
	}
	return bh_open_close(&this, file, serial);
}

/* Userspace has switched a policy, or bound a sandbox. */
SEC("syscall")
int bh_forget(struct bh_forget_args *args)
{
	if (args->sandbox)
		bh_seen_forget_one(args->sandbox, NULL);
	else
		bh_seen_forget();
	return 0;
}

/* A directory has another name, and with it everything beneath. After the fact: an open in between may have been remembered. */
SEC("fexit/vfs_rename")
int BPF_PROG(bh_renamed, struct renamedata *data, int ret)
{
	if (!ret && (bh_is_directory(data->old_dentry) || bh_is_directory(data->new_dentry)))
		bh_seen_forget();
	return 0;
}
