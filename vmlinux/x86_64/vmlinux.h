/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's types as far as our programs read them, written by hand and pinned: field offsets come from the running
 * kernel's BTF (CO-RE), so only names and types must be right. Checked on Debian 6.1, 6.12 and 7.3.
 */
#ifndef BH_VMLINUX_H
#define BH_VMLINUX_H

#include <linux/types.h>
/* the programs' own constants: map and program types, flags */
#include <linux/bpf.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

typedef int pid_t;
typedef __u32 uid_t;
typedef unsigned short umode_t;

typedef struct {
	uid_t val;
} kuid_t;

struct hlist_node {
	struct hlist_node *next, **pprev;
};

struct hlist_head {
	struct hlist_node *first;
};

struct hlist_bl_node {
	struct hlist_bl_node *next, **pprev;
};

struct qstr {
	union {
		struct {
			__u32 hash;
			__u32 len;
		};
	};
	const unsigned char *name;
};

struct super_block {
	__u32 s_dev;
	unsigned long s_magic;
	void *s_fs_info;
};

struct pid_namespace;

/* what super_block.s_fs_info points to on procfs */
struct proc_fs_info {
	struct pid_namespace *pid_ns;
};

struct inode {
	umode_t i_mode;
	struct super_block *i_sb;
	unsigned long i_ino;
};

struct dentry {
	struct hlist_bl_node d_hash;
	struct dentry *d_parent;
	struct qstr d_name;
	struct inode *d_inode;
	struct super_block *d_sb;
};

struct renamedata {
	struct dentry *old_dentry;
	struct dentry *new_dentry;
};

struct vfsmount {
	struct dentry *mnt_root;
	struct super_block *mnt_sb;
};

struct mnt_namespace;

struct mount {
	struct mnt_namespace *mnt_ns;
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
};

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct file {
	struct path f_path;
	struct inode *f_inode;
	unsigned int f_flags;
	unsigned int f_mode;
};

struct vm_area_struct {
	struct anon_vma *anon_vma;
	struct file *vm_file;
};

struct fs_struct {
	struct path root;
};

struct cred {
	kuid_t uid;
};

struct kernfs_node {
	__u64 id;
};

struct cgroup {
	struct kernfs_node *kn;
	int level;
	struct cgroup *ancestors[];
};

struct css_set {
	struct cgroup *dfl_cgrp;
};

struct upid {
	int nr;
	struct pid_namespace *ns;
};

struct pid {
	unsigned int level;
	struct upid numbers[];
};

struct kernel_siginfo;
struct key;
struct bpf_local_storage_map;

struct bpf_local_storage_data {
	struct bpf_local_storage_map *smap;
	__u8 data[];
};

struct bpf_local_storage_elem {
	struct hlist_node snode;
	struct bpf_local_storage_data sdata;
};

struct bpf_local_storage {
	struct hlist_head list;
};

typedef struct {
	int counter;
} atomic_t;

struct seccomp {
	atomic_t filter_count;
};

struct list_head {
	struct list_head *next, *prev;
};

struct user_namespace {
	int level;
};

struct task_struct {
	unsigned int flags;
	unsigned int ptrace;
	struct list_head ptraced;
	pid_t pid, tgid;
	struct task_struct *real_parent, *group_leader;
	struct pid *thread_pid;
	__u64 start_boottime;
	const struct cred *real_cred, *cred;
	char comm[16];
	struct fs_struct *fs;
	struct seccomp seccomp;
	struct css_set *cgroups;
	struct bpf_local_storage *bpf_storage;
};

struct linux_binprm {
	struct file *file;
	unsigned long p; /* where the arguments begin, in the new memory */
	int argc, envc;
	const char *filename, *interp;
	unsigned long exec; /* where the environment ends */
};

struct sockaddr {
	unsigned short sa_family;
	char sa_data[14];
};

struct in_addr {
	__be32 s_addr;
};

struct sockaddr_in {
	unsigned short sin_family;
	__be16 sin_port;
	struct in_addr sin_addr;
};

struct in6_addr {
	union {
		__u8 u6_addr8[16];
	} in6_u;
};

struct sockaddr_in6 {
	unsigned short sin6_family;
	__be16 sin6_port;
	__be32 sin6_flowinfo;
	struct in6_addr sin6_addr;
};

struct sock_cgroup_data {
	struct cgroup *cgroup;
};

struct sock_common {
	unsigned short skc_family;
	__u16 skc_num; /* the port of its own, host byte order */
};

struct sock {
	struct sock_common __sk_common;
	__u16 sk_type;
	__u16 sk_protocol;
	struct sock_cgroup_data sk_cgrp_data;
};

struct socket {
	short type;
	struct sock *sk;
};

struct msghdr {
	void *msg_name;
	int msg_namelen;
};

#pragma clang attribute pop

#endif
