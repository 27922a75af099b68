/* SPDX-License-Identifier: GPL-2.0-only */
/* Standing without the process that loaded: links and maps pinned in one folder a sandbox, and taken away when it is empty. */
#include <bpf/bpf.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "kernel/core.h"
#include "kernel/private.h"

static int bh_bpffs_ready(struct bh_err *err)
{
	struct statfs fs;

	if (!statfs(BH_BPFFS, &fs) && fs.f_type == BPF_FS_MAGIC)
		return 0;
	if (mount("bpf", BH_BPFFS, "bpf", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=0700"))
		return bh_err_set(err, errno, "cannot mount the bpf file system on " BH_BPFFS ": %s", strerror(errno));
	return 0;
}

static int bh_pin_folder(const char *name, char *ret_path, size_t size, struct bh_err *err)
{
	int result = bh_bpffs_ready(err);

	if (result)
		return result;
	if (mkdir(BH_PINS, 0700) && errno != EEXIST)
		return bh_err_set(err, errno, "cannot make " BH_PINS ": %s", strerror(errno));
	snprintf(ret_path, size, BH_PINS "/%s", name);
	if (mkdir(ret_path, 0700))
		return bh_err_set(err, errno, "cannot make %s: %s", ret_path, strerror(errno));
	return 0;
}

static int bh_pin_maps(struct bh_core *core, const char *folder, struct bh_err *err)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, core->skeleton->obj) {
		char path[PATH_MAX + 64];

		if (bpf_map__is_internal(map))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, bpf_map__name(map));
		if (bpf_obj_pin(bpf_map__fd(map), path))
			return bh_err_set(err, errno, "cannot pin %s: %s", path, strerror(errno));
	}
	return 0;
}

static int bh_attach_one(struct bh_core *core, struct bpf_program *program, const char *folder, struct bh_err *err)
{
	char path[PATH_MAX + 64];
	struct bpf_link *link;
	int error;

	if (core->links_count >= BH_LINKS_MAX)
		return bh_err_set(err, ENOSPC, "more hooks than links");
	link = bpf_program__attach(program);
	if (!link) {
		error = errno;
		bh_err_set(err, error, "cannot attach %s: %s", bpf_program__section_name(program), strerror(error));
		if (error == E2BIG)
			bh_err_hint(err,
				    "each `bulkhead run` adds to every hook, and the kernel takes 38 on one: end some");
		return -error;
	}
	core->links[core->links_count++] = link;
	snprintf(path, sizeof(path), "%s/%s", folder, bpf_program__name(program));
	if (bpf_link__pin(link, path))
		return bh_err_set(err, errno, "cannot pin %s: %s", path, strerror(errno));
	return 0;
}

int bh_core_attach(struct bh_core *core, const char *name, struct bh_err *err)
{
	struct bpf_program *program;
	char folder[PATH_MAX];
	int result = bh_pin_folder(name, folder, sizeof(folder), err);

	if (!result)
		result = bh_pin_maps(core, folder, err);
	bpf_object__for_each_program(program, core->skeleton->obj) {
		if (result)
			break;
		if (bpf_program__autoload(program) && program != core->skeleton->progs.bh_forget)
			result = bh_attach_one(core, program, folder, err);
	}
	return result;
}

int bh_pins_sandbox(const char *name, struct bh_sandbox *ret_sandbox)
{
	char path[PATH_MAX];
	BH_CLOSE int fd = -EBADF;
	__u32 number = 1;

	snprintf(path, sizeof(path), BH_PINS "/%s/bh_sandboxes", name);
	fd = bpf_obj_get(path);
	if (fd < 0)
		return -errno;
	return bpf_map_lookup_elem(fd, &number, ret_sandbox) ? -errno : 0;
}

int bh_pins_remove(const char *name)
{
	char path[PATH_MAX], pin[PATH_MAX + NAME_MAX + 2];
	struct dirent *entry;
	DIR *folder;

	snprintf(path, sizeof(path), BH_PINS "/%s", name);
	folder = opendir(path);
	if (!folder)
		return errno == ENOENT ? 0 : -errno;
	while ((entry = readdir(folder))) {
		snprintf(pin, sizeof(pin), "%s/%s", path, entry->d_name);
		if (entry->d_name[0] != '.')
			unlink(pin);
	}
	closedir(folder);
	return rmdir(path) ? -errno : 0;
}

int bh_pins_each(int (*visit)(const char *name, void *data), void *data)
{
	struct dirent *entry;
	DIR *folder = opendir(BH_PINS);
	int result = 0;

	if (!folder)
		return errno == ENOENT ? 0 : -errno;
	while (!result && (entry = readdir(folder))) {
		if (entry->d_name[0] != '.')
			result = visit(entry->d_name, data);
	}
	closedir(folder);
	return result;
}
