/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opens that repeat. A file that a tool was let open is remembered on its inode, by the sandbox's serial, so that the next open
 * by the same name costs no path. A policy that is switched, and a directory that is moved, change the serial; a file
 * that is moved gets another parent or name. Another name of the same file is judged by itself.
 */
#ifndef BH_LIB_SEEN_BPF_H
#define BH_LIB_SEEN_BPF_H

#include "bpf/lib/path.bpf.h"

/* Is this the name that was judged? A directory entry that was moved has another parent, or its name another hash or length. */
static BH_INLINE int bh_seen_same_name(const struct bh_seen *seen, const struct file *file)
{
	const struct dentry *dentry = file->f_path.dentry;

	return seen->entry == (__u64)dentry && seen->parent == (__u64)dentry->d_parent &&
	       seen->mount == (__u64)file->f_path.mnt && seen->hash == dentry->d_name.hash &&
	       seen->length == dentry->d_name.len;
}

/* Regular files and directories with a name; of procfs nothing, where a name means something else to each process. */
static BH_INLINE int bh_seen_fits(struct file *file)
{
	__u32 type = file->f_inode->i_mode & BH_S_IFMT;

	return (type == BH_S_IFREG || type == BH_S_IFDIR) && file->f_inode->i_sb->s_magic != BH_PROC_MAGIC &&
	       !bh_file_unlinked(file);
}

static BH_INLINE int bh_seen_word_has(__u64 word, __u32 serial, __u32 bit)
{
	return word >> 32 == serial && word & bit;
}

/* May this subject open the file so, because it was let before? Asked before anything else about the file. */
static BH_INLINE int bh_seen_before(const struct bh_subject *subject, struct file *file, __u32 access)
{
	struct bh_sandbox *sandbox = subject->sandbox;
	__u32 bit = bh_tool_bit(subject->tool);
	struct bh_object *object;
	struct bh_seen *seen;

	if (!sandbox || !bit || !sandbox->serial || sandbox->flags != (BH_SANDBOX_BOUND | BH_SANDBOX_ENTERED))
		return 0;
	object = bpf_inode_storage_get(&bh_objects, file->f_inode, 0, 0);
	if (!object)
		return 0;
	seen = &object->seen[subject->number & (BH_SEEN_WAYS - 1)];
	if (!bh_seen_same_name(seen, file))
		return 0;
	if (access & BH_ACCESS_READ && !bh_seen_word_has(seen->read, sandbox->serial, bit))
		return 0;
	if (access & BH_ACCESS_WRITE && !bh_seen_word_has(seen->write, sandbox->serial, bit))
		return 0;
	/* what fitted when it was noted still does, but for its name, which may be gone */
	return file->f_path.dentry->d_hash.pprev && !bh_root_foreign(subject);
}

/* Adds the bit to what is remembered under the serial. Whoever comes between leaves less remembered, never more. */
static BH_INLINE void bh_seen_word_add(__u64 *word, __u32 serial, __u32 bit)
{
	__u64 old = *word, kept = old >> 32 == serial ? old : (__u64)serial << 32;

	__sync_val_compare_and_swap(word, old, kept | bit);
}

/* Remembers an open that was allowed. serial: the sandbox's before the policy and the path were looked at. */
static BH_INLINE void bh_seen_note(const struct bh_subject *subject, struct file *file, __u32 access, __u32 serial)
{
	__u32 bit = bh_tool_bit(subject->tool);
	const struct dentry *dentry = file->f_path.dentry;
	struct bh_object *object;
	struct bh_seen *seen;

	if (!serial || !bit || !bh_seen_fits(file))
		return;
	object = bpf_inode_storage_get(&bh_objects, file->f_inode, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!object)
		return;
	seen = &object->seen[subject->number & (BH_SEEN_WAYS - 1)];
	if (!bh_seen_same_name(seen, file)) {
		seen->read = seen->write = 0;
		seen->entry = (__u64)dentry;
		seen->parent = (__u64)dentry->d_parent;
		seen->mount = (__u64)file->f_path.mnt;
		seen->hash = dentry->d_name.hash;
		seen->length = dentry->d_name.len;
	}
	if (access & BH_ACCESS_READ)
		bh_seen_word_add(&seen->read, serial, bit);
	if (access & BH_ACCESS_WRITE)
		bh_seen_word_add(&seen->write, serial, bit);
}

/* bpf_loop step: one sandbox forgets. */
static long bh_seen_forget_one(__u32 index, void *context)
{
	struct bh_sandbox *sandbox = bpf_map_lookup_elem(&bh_sandboxes, &index);
	__u32 zero = 0, *serial = bpf_map_lookup_elem(&bh_serial, &zero);

	if (sandbox && serial && sandbox->serial)
		sandbox->serial = BH_SANDBOXES_MAX + __sync_fetch_and_add(serial, 1);
	return 0;
}

/* Paths have changed for who knows how many files: every sandbox of this load judges anew. */
static BH_INLINE void bh_seen_forget(void)
{
	struct bh_state *state;
	__u32 zero = 0;

	state = bpf_map_lookup_elem(&bh_state, &zero);
	if (state)
		bpf_loop(state->sandboxes, bh_seen_forget_one, NULL, 0);
}

#endif
