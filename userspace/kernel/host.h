/* SPDX-License-Identifier: GPL-2.0-only */
/* What this machine offers, read without changing anything. */
#ifndef BH_KERNEL_HOST_H
#define BH_KERNEL_HOST_H

#include <limits.h>
#include <stdbool.h>

#include "base/err.h"

struct bh_host {
	char release[65]; /* uname -r */
	bool root; /* effective user 0 */
	bool privileged; /* CAP_BPF or CAP_SYS_ADMIN, with CAP_PERFMON or CAP_SYS_ADMIN */
	bool btf; /* /sys/kernel/btf/vmlinux */
	bool lsm_known; /* lsm is filled: securityfs could be read */
	bool lsm_bpf; /* bpf is among the active security modules */
	char lsm[256]; /* the active list */
	char lockdown[32]; /* "none", "integrity", "confidentiality"; "" unknown */
	char cgroup[PATH_MAX]; /* where cgroup v2 is mounted; "" nowhere */
	char controllers[128]; /* that version 2 has, separated by blanks; limits need memory, pids, cpu and io */
	bool cgroup_hybrid; /* version 1 hierarchies are mounted as well */
	bool cgroup_kill; /* cgroup.kill exists (5.14) */
	bool bpffs; /* /sys/fs/bpf is a bpf file system */
};

/* Fills *ret_host. What cannot be read is left at "no". */
void bh_host_read(struct bh_host *ret_host);

/*
 * Whether `bulkhead run` can enforce here, as far as reading tells. 0, or -EOPNOTSUPP with err saying what is missing and
 * what to do about it.
 */
int bh_host_require(const struct bh_host *host, struct bh_err *err);

#endif
