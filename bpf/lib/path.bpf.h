/* SPDX-License-Identifier: GPL-2.0-only */
/* What a file is called, as far as that may decide anything. */
#ifndef BH_LIB_PATH_BPF_H
#define BH_LIB_PATH_BPF_H

#include "bpf/lib/report.bpf.h"

#define BH_FMODE_READ 1u
#define BH_FMODE_WRITE 2u
#define BH_FMODE_CREATED 0x100000u
#define BH_FMODE_NOACCOUNT 0x20000000u /* set by the kernel alone: overlayfs opening its backing file */
#define BH_FMODE_EXEC 0x20u /* in f_flags: the kernel opens a program, its loader or its interpreter */
#define BH_MNT_NS_INTERNAL (-22) /* ERR_PTR(-EINVAL): the kernel's own mounts */
#define BH_S_IFMT 0170000
#define BH_S_IFDIR 0040000
#define BH_S_IFREG 0100000
#define BH_O_TRUNC 01000u
#define BH_O_TMPFILE 020000000u
#define BH_PROC_MAGIC 0x9fa0u
#define BH_PIPEFS_MAGIC 0x50495045u
#define BH_DELETED_LENGTH 10u /* of " (deleted)" */

/*
 * No name leads to it any more, or ever did (memfd): d_path prints a last or made-up one with " (deleted)" behind. The root
 * of a mount has no name of its own either, but is one.
 */
static BH_INLINE int bh_file_unlinked(struct file *file)
{
	struct dentry *dentry = file->f_path.dentry;

	return !dentry->d_hash.pprev && dentry != file->f_path.mnt->mnt_root;
}

/* May the tool run and load code from files without a name? */
static BH_INLINE int bh_nameless_allowed(const struct bh_subject *subject)
{
	return subject->policy && !bh_decide_privilege(subject->policy, subject->tool, BH_PRIVILEGE_MEMFD_EXEC).reason;
}

/* The sandbox's first program fixed its root; a path seen through another root names something else. */
static BH_INLINE int bh_root_foreign(const struct bh_subject *subject)
{
	struct fs_struct *fs = bpf_get_current_task_btf()->fs;

	if (!subject->tool || !subject->sandbox)
		return 0;
	return !fs || (__u64)fs->root.dentry != subject->sandbox->root_dentry ||
	       (__u64)fs->root.mnt != subject->sandbox->root_mount;
}

/* The number under which this procfs instance shows the current process; 0: the file is not on procfs, or shows no such. */
static BH_INLINE __u32 bh_proc_self(struct file *file)
{
	struct super_block *sb = file->f_inode->i_sb;
	struct proc_fs_info *info;
	struct pid *pid;
	struct upid upid = {};
	__u32 level;

	if (sb->s_magic != BH_PROC_MAGIC)
		return 0;
	info = (void *)sb->s_fs_info;
	pid = BPF_CORE_READ(bpf_get_current_task_btf(), group_leader, thread_pid);
	level = BPF_CORE_READ(pid, level);
	if (level > 32 || bpf_core_read(&upid, sizeof(upid), &pid->numbers[level]))
		return 0;
	return upid.ns == BPF_CORE_READ(info, pid_ns) ? upid.nr : 0;
}

static BH_INLINE int bh_is_directory(const struct dentry *dentry)
{
	struct inode *inode = BPF_CORE_READ(dentry, d_inode);

	return inode && (BPF_CORE_READ(inode, i_mode) & BH_S_IFMT) == BH_S_IFDIR;
}

/*
 * Remembers on the inode that this tool may write it: for its attributes, and so that it is no code from here on. 0: it
 * could not be remembered. Goes with the inode: over names, links and moves; not over the memory that the kernel takes back.
 */
static BH_INLINE int bh_written_note(const struct bh_subject *subject, struct inode *inode)
{
	struct bh_object *object = bpf_inode_storage_get(&bh_objects, inode, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (!object || !subject->sandbox)
		return 0;
	if (object->cgroup_id != subject->sandbox->cgroup_id)
		object->written = 0;
	object->cgroup_id = subject->sandbox->cgroup_id;
	object->written |= bh_tool_bit(subject->tool);
	return 1;
}

/* Was it ever open for writing in a sandbox? */
static BH_INLINE int bh_is_written(struct inode *inode)
{
	struct bh_object *object = bpf_inode_storage_get(&bh_objects, inode, 0, 0);

	return object && object->cgroup_id;
}

/*
 * Reads the path into the case's record and fills the question. A result of 0 means the path may be judged; otherwise it
 * is the reason to deny. On failure d_path leaves bytes of the asker's choice in the buffer (kernel-facts 2): not looked at.
 */
static BH_INLINE __u32 bh_path_read(struct bh_case *this, struct file *file, struct bh_path_question *question)
{
	struct bh_event *event = &this->scratch->event;
	long length = bpf_d_path(&file->f_path, (char *)event->path, BH_PATH_MAX);

	if (length < 2 || length > (long)BH_PATH_MAX) {
		bh_count(BH_COUNT_PATH_FAULT);
		return BH_REASON_P0;
	}
	event->path_length = length;
	question->path = (struct bh_path_bytes *)event->path;
	question->length = length - 1;
	question->self = 0;
	question->written = 0;
	if (bh_root_foreign(&this->subject))
		return BH_REASON_P1;
	if (event->path[0] != '/')
		return BH_REASON_P0;
	return 0;
}

#endif
