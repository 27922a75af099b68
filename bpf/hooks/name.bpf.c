// SPDX-License-Identifier: GPL-2.0-only
/* Names: what may be made, moved, removed or changed without being opened. All of it is writing. */
#include "bpf/lib/name.bpf.h"

/*
 * One name, judged from the first question to the verdict. directory: what gets or leaves the name may be one, and then the
 * name must not be pinned. The case is the caller's, to ask it more.
 */
static BH_INLINE int bh_judge_name(struct bh_case *this, __u32 kind, __u32 access, const struct bh_name *name,
				   int directory)
{
	struct bh_path_question path = {};
	struct bh_answer answer;
	__u32 fault;

	switch (bh_case_open(this, kind)) {
	case BH_OUTSIDE:
		return 0;
	case BH_REFUSE:
		return -BH_EPERM;
	}
	this->access = access;
	fault = bh_name_read(this, name, &path);
	if (fault)
		return bh_case_close(this, bh_reason(fault));
	if (!this->subject.policy)
		return bh_case_close(this, bh_reason(BH_REASON_R0));
	answer = bh_decide_file(this->subject.policy, this->subject.tool, access, &path);
	if (!answer.reason && directory)
		answer = bh_decide_move(this->subject.policy, &path);
	return bh_case_close(this, answer);
}

static BH_INLINE int bh_change_name(__u32 kind, const struct path *directory, const struct dentry *dentry)
{
	struct bh_case this = {};
	struct bh_name name = { .leaf = dentry, .dentry = directory->dentry, .mount = directory->mnt };

	return bh_judge_name(&this, kind, BH_ACCESS_WRITE, &name, 0);
}

static BH_INLINE int bh_change_path(const struct path *path)
{
	struct bh_case this = {};
	struct bh_name name = { .dentry = path->dentry, .mount = path->mnt };
	int ret = bh_judge_name(&this, BH_KIND_FILE_WRITE, BH_ACCESS_WRITE, &name, 0);

	if (!ret && this.subject.number && path->dentry->d_inode)
		ret = bh_written_note(&this.subject, path->dentry->d_inode) ? 0 : -BH_EPERM;
	return ret;
}

SEC("lsm/path_mknod")
int BPF_PROG(bh_mknod, const struct path *dir, struct dentry *dentry, umode_t mode, unsigned int dev, int ret)
{
	return ret ? ret : bh_change_name(BH_KIND_FILE_WRITE, dir, dentry);
}

SEC("lsm/path_mkdir")
int BPF_PROG(bh_mkdir, const struct path *dir, struct dentry *dentry, umode_t mode, int ret)
{
	return ret ? ret : bh_change_name(BH_KIND_FILE_WRITE, dir, dentry);
}

SEC("lsm/path_rmdir")
int BPF_PROG(bh_rmdir, const struct path *dir, struct dentry *dentry, int ret)
{
	return ret ? ret : bh_change_name(BH_KIND_FILE_WRITE, dir, dentry);
}

SEC("lsm/path_unlink")
int BPF_PROG(bh_unlink, const struct path *dir, struct dentry *dentry, int ret)
{
	return ret ? ret : bh_change_name(BH_KIND_FILE_WRITE, dir, dentry);
}

SEC("lsm/path_symlink")
int BPF_PROG(bh_symlink, const struct path *dir, struct dentry *dentry, const char *old_name, int ret)
{
	return ret ? ret : bh_change_name(BH_KIND_FILE_WRITE, dir, dentry);
}

/* Watching a name (inotify, fanotify) tells as much as reading its directory. */
SEC("lsm/path_notify")
int BPF_PROG(bh_notify, const struct path *path, __u64 mask, unsigned int type, int ret)
{
	struct bh_case this = {};
	struct bh_name name = { .dentry = path->dentry, .mount = path->mnt };

	return ret ? ret : bh_judge_name(&this, BH_KIND_FILE_OPEN, BH_ACCESS_READ, &name, 0);
}

SEC("lsm/path_truncate")
int BPF_PROG(bh_truncate, const struct path *path, int ret)
{
	return ret ? ret : bh_change_path(path);
}

SEC("lsm/path_chmod")
int BPF_PROG(bh_chmod, const struct path *path, umode_t mode, int ret)
{
	return ret ? ret : bh_change_path(path);
}

SEC("lsm/path_chown")
int BPF_PROG(bh_chown, const struct path *path, __u64 uid, __u64 gid, int ret)
{
	return ret ? ret : bh_change_path(path);
}

/* One of the two names of a link or rename: each is a case of its own, and the first refusal ends it. */
static BH_INLINE int bh_move_name(__u32 kind, const struct bh_name *name, int directory)
{
	struct bh_case this = {};

	return bh_judge_name(&this, kind, BH_ACCESS_WRITE, name, directory);
}

SEC("lsm/path_link")
int BPF_PROG(bh_link, struct dentry *old_dentry, const struct path *new_dir, struct dentry *new_dentry, int ret)
{
	/* both lie in one mount: linkat refuses others */
	struct bh_name from = { .dentry = old_dentry, .mount = new_dir->mnt };
	struct bh_name to = { .leaf = new_dentry, .dentry = new_dir->dentry, .mount = new_dir->mnt };

	if (!ret)
		ret = bh_move_name(BH_KIND_FILE_LINK, &from, 0);
	return ret ? ret : bh_move_name(BH_KIND_FILE_LINK, &to, 0);
}

SEC("lsm/path_rename")
int BPF_PROG(bh_rename, const struct path *old_dir, struct dentry *old_dentry, const struct path *new_dir,
	     struct dentry *new_dentry)
{
	struct bh_name from = { .leaf = old_dentry, .dentry = old_dir->dentry, .mount = old_dir->mnt };
	struct bh_name to = { .leaf = new_dentry, .dentry = new_dir->dentry, .mount = new_dir->mnt };
	/* either may move: an exchange puts each in the other's place */
	int directory = bh_is_directory(old_dentry) || bh_is_directory(new_dentry);
	int ret = bh_move_name(BH_KIND_FILE_RENAME, &from, directory);

	return ret ? ret : bh_move_name(BH_KIND_FILE_RENAME, &to, directory);
}
