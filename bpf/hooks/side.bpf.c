// SPDX-License-Identifier: GPL-2.0-only
/* Side doors: what changes a file without its path, or a terminal without its owner. */
#include "bpf/lib/path.bpf.h"

#define BH_TIOCSTI 0x5412u /* types into the terminal, as if its user had */
#define BH_TIOCLINUX 0x541cu /* pastes into a console */
#define BH_TIOCSETD 0x5423u /* loads kernel code for a line */
#define BH_FIOSETOWN 0x8901u
#define BH_SIOCSPGRP 0x8902u
#define BH_F_SETOWN 8u
#define BH_F_SETOWN_EX 15u
#define BH_F_SETLEASE 1024u

/* Requests on files and directories that change nothing, or only where the descriptor was opened for writing. */
static BH_INLINE int bh_control_harmless(unsigned int command)
{
	if ((command >> 8 & 0xff) == 'T') /* terminals' own, asked of anything; and FIONREAD, FIOCLEX and kin */
		return 1;
	switch (command) {
	case 0x2: /* FIGETBSZ */
	case 0x80086601: /* FS_IOC_GETFLAGS */
	case 0x80087601: /* FS_IOC_GETVERSION */
	case 0x801c581f: /* FS_IOC_FSGETXATTR */
	case 0xc020660b: /* FS_IOC_FIEMAP */
	case 0x40049409: /* FICLONE: into a descriptor opened for writing */
	case 0x4020940d: /* FICLONERANGE */
	case 0xc0189436: /* FIDEDUPERANGE */
		return 1;
	}
	return 0;
}

static BH_INLINE int bh_judge_ioctl(struct file *file, unsigned int command)
{
	unsigned int type = file->f_inode->i_mode & BH_S_IFMT;

	if (type == BH_S_IFDIR || type == BH_S_IFREG)
		return bh_control_harmless(command) ? 0 : bh_refuse(BH_KIND_FILE_CONTROL, BH_REASON_F6);
	if (command == BH_TIOCSTI || command == BH_TIOCLINUX || command == BH_TIOCSETD)
		return bh_refuse(BH_KIND_TERMINAL, BH_REASON_C2);
	if (command == BH_FIOSETOWN || command == BH_SIOCSPGRP)
		return bh_refuse(BH_KIND_SIGNAL, BH_REASON_C2);
	return 0;
}

/* The owner of a descriptor gets its signals, of any number, and nobody asks task_kill: only oneself may be it. */
SEC("lsm/file_fcntl")
int BPF_PROG(bh_fcntl, struct file *file, unsigned int command, unsigned long arg, int ret)
{
	if (ret)
		return ret;
	if (command == BH_F_SETLEASE) /* makes others wait for the file */
		return bh_refuse(BH_KIND_FILE_LOCK, BH_REASON_C2);
	if (command != BH_F_SETOWN && command != BH_F_SETOWN_EX)
		return 0;
	if (command == BH_F_SETOWN && (__u32)arg == (__u32)(bpf_get_current_pid_tgid() >> 32))
		return 0;
	return bh_refuse(BH_KIND_SIGNAL, BH_REASON_C2);
}

SEC("lsm/file_ioctl")
int BPF_PROG(bh_ioctl, struct file *file, unsigned int command, unsigned long arg, int ret)
{
	return ret ? ret : bh_judge_ioctl(file, command);
}

/* 32-bit callers, from 6.8 on; before, file_ioctl sees them too */
SEC("?lsm/file_ioctl_compat")
int BPF_PROG(bh_ioctl_32, struct file *file, unsigned int command, unsigned long arg, int ret)
{
	return ret ? ret : bh_judge_ioctl(file, command);
}

/*
 * Attributes are reached by a dentry without its mount, so by no path: they are for the tool that was let write the file, or
 * change its mode or owner.
 */
static BH_INLINE int bh_judge_attributes(const struct dentry *dentry)
{
	struct bh_subject subject = {};
	struct inode *inode = dentry->d_inode;
	struct bh_object *object;

	if (bh_in_anothers_name() || !bh_subject_find(&subject))
		return 0;
	object = inode ? bpf_inode_storage_get(&bh_objects, inode, 0, 0) : NULL;
	if (object && subject.sandbox && object->cgroup_id == subject.sandbox->cgroup_id &&
	    object->written & bh_tool_bit(subject.tool))
		return 0;
	return bh_refuse(BH_KIND_FILE_WRITE, BH_REASON_F5);
}

/* With BPF LSM, kernels before 6.12 leave out their own question for a capability about "security." names: nobody's here. */
static BH_INLINE int bh_judge_xattr(const struct dentry *dentry, const char *name)
{
	char begin[4] = {};
	struct bh_subject subject = {};

	if (bpf_probe_read_kernel(begin, 2, name) || (begin[0] == 's' && begin[1] == 'e')) {
		if (bh_in_anothers_name() || !bh_subject_find(&subject))
			return 0;
		return bh_refuse(BH_KIND_FILE_WRITE, BH_REASON_F5);
	}
	return bh_judge_attributes(dentry);
}

SEC("lsm/inode_setxattr")
int BPF_PROG(bh_setxattr, void *idmap, struct dentry *dentry, const char *name)
{
	return bh_judge_xattr(dentry, name);
}

SEC("lsm/inode_removexattr")
int BPF_PROG(bh_removexattr, void *idmap, struct dentry *dentry, const char *name)
{
	return bh_judge_xattr(dentry, name);
}

/* from 6.17 on a system call does by path what the ioctl does by descriptor: a file's flags and its quota's project */
SEC("?lsm/inode_file_setattr")
int BPF_PROG(bh_file_setattr, struct dentry *dentry)
{
	return bh_in_anothers_name() ? 0 : bh_refuse(BH_KIND_FILE_CONTROL, BH_REASON_F6);
}

/* from 6.2 on access lists have hooks of their own */
SEC("?lsm/inode_set_acl")
int BPF_PROG(bh_set_acl, void *idmap, struct dentry *dentry)
{
	return bh_judge_attributes(dentry);
}

SEC("?lsm/inode_remove_acl")
int BPF_PROG(bh_remove_acl, void *idmap, struct dentry *dentry)
{
	return bh_judge_attributes(dentry);
}
