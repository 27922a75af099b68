// SPDX-License-Identifier: GPL-2.0-only
/* Code: which files may be mapped executable, and who may run what is in memory alone. */
#include "bpf/lib/name.bpf.h"

#define BH_PROT_WRITE 2u
#define BH_PROT_EXEC 4u

/* Preloading, auditing and dlopen all come by here: a tool cannot be given code that some tool could have written. */
static BH_INLINE int bh_judge_load(struct file *file)
{
	struct bh_case this = {};
	struct bh_path_question path = {};
	struct bh_name name = {};
	__u32 fault;

	switch (bh_case_open(&this, BH_KIND_MMAP_EXEC)) {
	case BH_OUTSIDE:
		return 0;
	case BH_REFUSE:
		return -BH_EPERM;
	}
	this.access = BH_ACCESS_LOAD;
	name.dentry = file->f_path.dentry;
	name.mount = file->f_path.mnt;
	if (bh_file_unlinked(file))
		return bh_case_close(&this,
				     bh_reason(bh_nameless_allowed(&this.subject) ? BH_REASON_NONE : BH_REASON_P0));
	fault = bh_name_read(&this, &name, &path);
	if (fault)
		return bh_case_close(&this, bh_reason(fault));
	if (!this.subject.policy)
		return bh_case_close(&this, bh_reason(BH_REASON_R0));
	path.written = bh_is_written(file->f_inode);
	return bh_case_close(&this, bh_decide_load(this.subject.policy, this.subject.tool, &path));
}

/* Code that was made here, or could be changed here: without a file, or a private copy of one. */
static BH_INLINE int bh_judge_jit(void)
{
	struct bh_case this = {};

	switch (bh_case_open(&this, BH_KIND_MMAP_EXEC)) {
	case BH_OUTSIDE:
		return 0;
	case BH_REFUSE:
		return -BH_EPERM;
	}
	this.access = BH_ACCESS_LOAD;
	if (!this.subject.policy)
		return bh_case_close(&this, bh_reason(BH_REASON_R0));
	return bh_case_close(&this, bh_decide_jit(this.subject.policy, this.subject.tool));
}

/*
 * changed: the memory need not be what the file holds. prot, not reqprot: READ_IMPLIES_EXEC adds to it (kernel-facts 11).
 * Not asked here are the heap that brk() gives to a process with that personality, and the stack of a program whose file
 * asks for an executable one: the kernel has no hook there.
 */
static BH_INLINE int bh_judge_code(struct file *file, unsigned long prot, int changed)
{
	int ret = 0;

	if (!(prot & BH_PROT_EXEC))
		return 0;
	if (!file || changed || prot & BH_PROT_WRITE)
		ret = bh_judge_jit();
	return ret || !file ? ret : bh_judge_load(file);
}

SEC("lsm/mmap_file")
int BPF_PROG(bh_mmap, struct file *file, unsigned long reqprot, unsigned long prot, unsigned long flags, int ret)
{
	return ret ? ret : bh_judge_code(file, prot, 0);
}

/*
 * A private mapping of a file that was written to has pages of its own, and for them an anon_vma. On an overlay, from Linux
 * 6.8 on, the file of a mapping is the one below, in no place that a rule could name: making it executable later, which the
 * dynamic loader does not do, is refused there (P0).
 */
SEC("lsm/file_mprotect")
int BPF_PROG(bh_mprotect, struct vm_area_struct *vma, unsigned long reqprot, unsigned long prot, int ret)
{
	return ret ? ret : bh_judge_code(vma->vm_file, prot, vma->anon_vma != NULL);
}
