/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The path of a name that is about to be made, moved or removed. bpf_d_path is not allowed in these hooks before 6.12, so the
 * path is put together from the dentries, as far up as the task's root. A rename at the same time may tear only names that
 * the renaming task may itself write: an object it may not touch has no ancestor that it could move.
 */
#ifndef BH_LIB_NAME_BPF_H
#define BH_LIB_NAME_BPF_H

#include "bpf/lib/path.bpf.h"

#define BH_COMPONENTS_MAX 256 /* mounts crossed included; deeper denies */
#define BH_COMPONENT_BYTES 255u

/* Puts "/NAME" before what is in the buffer. Returns 0 when it does not fit. */
static BH_INLINE int bh_name_prepend(struct bh_scratch *scratch, const struct dentry *dentry)
{
	const unsigned char *name = BPF_CORE_READ(dentry, d_name.name);
	__u32 length = BPF_CORE_READ(dentry, d_name.len), at = scratch->at;

	if (!length || length > BH_COMPONENT_BYTES || at <= length + 1 || at >= BH_PATH_MAX)
		return 0;
	at -= length;
	if (bpf_probe_read_kernel(&scratch->event.path[at & (BH_PATH_MAX - 1)], length & BH_COMPONENT_BYTES, name))
		return 0;
	at--;
	scratch->event.path[at & (BH_PATH_MAX - 1)] = '/';
	scratch->at = at;
	return 1;
}

/* bpf_loop step: one component or one mount up. Returns 1 to end: at the task's root, or with at = 0 where none is found. */
static long bh_name_climb(__u32 index, struct bh_scratch **data)
{
	struct bh_scratch *scratch = *data;
	struct task_struct *task = (void *)bpf_get_current_task();
	struct dentry *dentry = (void *)scratch->dentry, *parent;
	struct vfsmount *mount = (void *)scratch->mount;

	if (dentry == BPF_CORE_READ(task, fs, root.dentry) && mount == BPF_CORE_READ(task, fs, root.mnt))
		return 1;
	if (dentry == BPF_CORE_READ(mount, mnt_root)) {
		struct mount *whole = (void *)mount - bpf_core_field_offset(struct mount, mnt);
		struct mount *above = BPF_CORE_READ(whole, mnt_parent);

		scratch->dentry = (__u64)BPF_CORE_READ(whole, mnt_mountpoint);
		scratch->mount = (__u64)above + bpf_core_field_offset(struct mount, mnt);
		if (above != whole && index < BH_COMPONENTS_MAX - 1)
			return 0;
	} else {
		parent = BPF_CORE_READ(dentry, d_parent);
		scratch->dentry = (__u64)parent;
		if (parent != dentry && bh_name_prepend(scratch, dentry) && index < BH_COMPONENTS_MAX - 1)
			return 0;
	}
	scratch->at = 0;
	return 1;
}

/* A name as the hooks give it: a dentry in a mount, or one about to be below it. */
struct bh_name {
	const struct dentry *leaf; /* NULL: the path is dentry itself */
	const struct dentry *dentry;
	const struct vfsmount *mount;
};

/* Writes the name's whole path at the end of buffer's path. buffer->at is where it begins; 0: no path can be given. */
static BH_INLINE void bh_name_build(struct bh_scratch *buffer, const struct bh_name *name)
{
	buffer->at = BH_PATH_MAX - 1;
	buffer->dentry = (__u64)name->dentry;
	buffer->mount = (__u64)name->mount;
	buffer->event.path[BH_PATH_MAX - 1] = '\0';
	if (name->leaf && !bh_name_prepend(buffer, name->leaf)) {
		buffer->at = 0;
		return;
	}
	bpf_loop(BH_COMPONENTS_MAX, bh_name_climb, &buffer, 0);
}

/* As bh_path_read, for a name. */
static BH_INLINE __u32 bh_name_read(struct bh_case *this, const struct bh_name *name, struct bh_path_question *question)
{
	struct bh_event *event = &this->scratch->event;
	struct bh_scratch *buffer = bh_scratch_claim();
	long length = 0;
	__u32 at;

	if (!buffer)
		return BH_REASON_R2;
	bh_name_build(buffer, name);
	at = buffer->at;
	if (at)
		length = bpf_probe_read_kernel_str(event->path, BH_PATH_MAX,
						   &buffer->event.path[at & (BH_PATH_MAX - 1)]);
	bh_scratch_release(buffer);
	if (length < 2 || length > (long)BH_PATH_MAX) {
		bh_count(BH_COUNT_PATH_FAULT);
		return BH_REASON_P0;
	}
	event->path_length = length;
	question->path = (struct bh_path_bytes *)event->path;
	question->length = length - 1;
	question->self = 0;
	question->written = 0;
	return bh_root_foreign(&this->subject) ? BH_REASON_P1 : 0;
}

#endif
