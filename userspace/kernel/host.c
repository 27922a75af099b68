/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/host.h"

#include <cap-ng.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"

/* First line of a small file, without its newline; 0 or negative errno. */
static int bh_line_read(const char *path, char *ret_line, size_t size)
{
	BH_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t count;

	ret_line[0] = '\0';
	if (fd < 0)
		return -errno;
	count = read(fd, ret_line, size - 1);
	if (count < 0)
		return -errno;
	ret_line[count] = '\0';
	ret_line[strcspn(ret_line, "\n")] = '\0';
	return 0;
}

static bool bh_list_has(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at += length) {
		if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
			return true;
	}
	return false;
}

/* "none [integrity] confidentiality": the word in brackets is in force. */
static void bh_lockdown_read(char *ret_word, size_t size)
{
	char line[128], *begin, *end;

	ret_word[0] = '\0';
	if (bh_line_read("/sys/kernel/security/lockdown", line, sizeof(line)))
		return;
	begin = strchr(line, '[');
	end = begin ? strchr(begin, ']') : NULL;
	if (end)
		snprintf(ret_word, size, "%.*s", (int)(end - begin - 1), begin + 1);
}

static void bh_cgroup_find(struct bh_host *host)
{
	char line[4096], path[PATH_MAX + 32];
	struct mntent entry;
	FILE *mounts = setmntent("/proc/self/mounts", "re");

	if (!mounts)
		return;
	while (getmntent_r(mounts, &entry, line, sizeof(line))) {
		if (!strcmp(entry.mnt_type, "cgroup"))
			host->cgroup_hybrid = true;
		if (!strcmp(entry.mnt_type, "cgroup2") && !host->cgroup[0])
			snprintf(host->cgroup, sizeof(host->cgroup), "%s", entry.mnt_dir);
	}
	endmntent(mounts);
	if (!host->cgroup[0])
		return;
	snprintf(path, sizeof(path), "%s/cgroup.controllers", host->cgroup);
	bh_line_read(path, host->controllers, sizeof(host->controllers));
	/* the root cgroup has no cgroup.kill: any child tells, and one always exists where systemd runs; else the release decides */
	snprintf(path, sizeof(path), "%s/bulkhead.slice/cgroup.kill", host->cgroup);
	host->cgroup_kill = access(path, F_OK) == 0;
}

void bh_host_read(struct bh_host *ret_host)
{
	struct utsname name;
	struct statfs fs;
	int major = 0, minor = 0;

	memset(ret_host, 0, sizeof(*ret_host));
	if (!uname(&name)) {
		snprintf(ret_host->release, sizeof(ret_host->release), "%s", name.release);
		if (sscanf(name.release, "%d.%d", &major, &minor) != 2)
			major = 0;
	}
	ret_host->root = geteuid() == 0;
	if (!capng_get_caps_process()) {
		bool admin = capng_have_capability(CAPNG_EFFECTIVE, CAP_SYS_ADMIN);

		ret_host->privileged = admin || (capng_have_capability(CAPNG_EFFECTIVE, CAP_BPF) &&
						 capng_have_capability(CAPNG_EFFECTIVE, CAP_PERFMON));
	}
	ret_host->btf = access("/sys/kernel/btf/vmlinux", R_OK) == 0;
	ret_host->lsm_known = !bh_line_read("/sys/kernel/security/lsm", ret_host->lsm, sizeof(ret_host->lsm));
	ret_host->lsm_bpf = bh_list_has(ret_host->lsm, "bpf");
	bh_lockdown_read(ret_host->lockdown, sizeof(ret_host->lockdown));
	bh_cgroup_find(ret_host);
	ret_host->cgroup_kill |= major > 5 || (major == 5 && minor >= 14);
	ret_host->bpffs = !statfs("/sys/fs/bpf", &fs) && fs.f_type == BPF_FS_MAGIC;
}

int bh_host_require(const struct bh_host *host, struct bh_err *err)
{
	if (!host->root || !host->privileged) {
		bh_err_set(err, EOPNOTSUPP, "loading kernel programs needs root with CAP_SYS_ADMIN");
		bh_err_hint(err, "run it as root, for example with sudo");
	} else if (!host->btf) {
		bh_err_set(err, EOPNOTSUPP, "this kernel (%s) carries no type information (BTF)", host->release);
		bh_err_hint(err, "use a kernel built with CONFIG_DEBUG_INFO_BTF=y; Debian's kernels are, from 5.10 on");
	} else if (host->lsm_known && !host->lsm_bpf) {
		bh_err_set(err, EOPNOTSUPP, "BPF is not among the kernel's active security modules (%s)", host->lsm);
		bh_err_hint(err, "boot with the kernel argument lsm=%s,bpf", host->lsm);
	} else if (!host->cgroup[0]) {
		bh_err_set(err, EOPNOTSUPP, "cgroup version 2 is not mounted");
		bh_err_hint(err, "boot with systemd.unified_cgroup_hierarchy=1, or beside version 1: mkdir -p "
				 "/sys/fs/cgroup/unified && mount -t cgroup2 cgroup2 /sys/fs/cgroup/unified");
	} else {
		return 0;
	}
	return -EOPNOTSUPP;
}
