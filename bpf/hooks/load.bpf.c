// SPDX-License-Identifier: GPL-2.0-only
/* Code: which files may be mapped executable. Anonymous memory is not judged. */
#include "bpf/lib/name.bpf.h"

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
		return bh_case_close(&this, bh_reason(BH_REASON_P0));
	fault = bh_name_read(&this, &name, &path);
	if (fault)
		return bh_case_close(&this, bh_reason(fault));
	if (!this.subject.policy)
		return bh_case_close(&this, bh_reason(BH_REASON_R0));
	return bh_case_close(&this, bh_decide_load(this.subject.policy, this.subject.tool, &path));
}

/* prot, not reqprot: READ_IMPLIES_EXEC adds to it (kernel-facts 11) */
SEC("lsm/mmap_file")
int BPF_PROG(bh_mmap, struct file *file, unsigned long reqprot, unsigned long prot, unsigned long flags, int ret)
{
	if (ret)
		return ret;
	if (!file || !(prot & BH_PROT_EXEC))
		return 0;
	return bh_judge_load(file);
}

SEC("lsm/file_mprotect")
int BPF_PROG(bh_mprotect, struct vm_area_struct *vma, unsigned long reqprot, unsigned long prot, int ret)
{
	struct file *file = vma->vm_file;

	if (ret)
		return ret;
	if (!file || !(prot & BH_PROT_EXEC))
		return 0;
	return bh_judge_load(file);
}
