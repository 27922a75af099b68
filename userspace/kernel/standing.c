/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The node's one set of programs and maps, pinned, so that it stands without any process: BH_PINS/ID/{maps,programs,hooks},
 * and, while a sandbox stands, links. ID is a hash of the programs and the floor: another version has a set of its own.
 * A set at rest costs memory and nothing else: it is kept, because the kernel's check of it takes seconds on slow machines.
 */
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
#include "base/hash.h"
#include "kernel/core.h"
#include "kernel/private.h"

#define BH_SET_NEW "new" /* the folder of a set that is being made */
#define BH_SET_DEPTH 3 /* BH_PINS/ID/maps/NAME, and no deeper */

static int bh_bpffs_ready(struct bh_err *err)
{
	struct statfs fs;

	if (statfs(BH_BPFFS, &fs) || fs.f_type != BPF_FS_MAGIC) {
		if (mount("bpf", BH_BPFFS, "bpf", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=0700"))
			return bh_err_set(err, errno, "cannot mount the bpf file system on " BH_BPFFS ": %s",
					  strerror(errno));
	}
	if (mkdir(BH_PINS, 0700) && errno != EEXIST)
		return bh_err_set(err, errno, "cannot make " BH_PINS ": %s", strerror(errno));
	return 0;
}

static void bh_set_folder(const struct bh_floor_net *floor, char *ret_path, size_t size)
{
	uint8_t hashes[2][BH_HASH_BYTES], hash[BH_HASH_BYTES];
	char text[BH_HASH_TEXT];
	size_t length;
	const void *elf = bulkhead_bpf__elf_bytes(&length);

	bh_hash_bytes(elf, length, hashes[0]);
	bh_hash_bytes(floor, sizeof(*floor), hashes[1]);
	bh_hash_bytes(hashes, sizeof(hashes), hash);
	bh_hash_text(hash, text);
	snprintf(ret_path, size, BH_PINS "/%.16s", text);
}

/* Takes a pinned folder away with all that is in it; one that is not there is away. */
static int bh_pins_remove(const char *path, int depth)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	int result = 0;

	if (!folder)
		return errno == ENOENT ? 0 : -errno;
	while (!result && (entry = readdir(folder))) {
		char below[PATH_MAX];

		if (entry->d_name[0] == '.')
			continue;
		if (snprintf(below, sizeof(below), "%s/%s", path, entry->d_name) >= (int)sizeof(below))
			result = -ENAMETOOLONG;
		else if (entry->d_type == DT_DIR && depth < BH_SET_DEPTH)
			result = bh_pins_remove(below, depth + 1);
		else if (unlink(below))
			result = -errno;
	}
	closedir(folder);
	return result ? result : rmdir(path) ? -errno : 0;
}

static int bh_pin_all(const struct bh_fds *fds, const char *folder, const char *part, struct bh_err *err)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", folder, part);
	if (mkdir(path, 0700))
		return bh_err_set(err, errno, "cannot make %s: %s", path, strerror(errno));
	for (size_t i = 0; i < fds->count; i++) {
		snprintf(path, sizeof(path), "%s/%s/%s", folder, part, fds->items[i].name);
		if (bpf_obj_pin(fds->items[i].fd, path))
			return bh_err_set(err, errno, "cannot pin %s: %s", path, strerror(errno));
	}
	return 0;
}

/* Pins everything in a folder of another name first: one of the right name is whole. */
static int bh_set_pin(struct bh_core *core, struct bh_err *err)
{
	static const char fresh[] = BH_PINS "/" BH_SET_NEW;
	int result = bh_pins_remove(fresh, 0);

	if (result || mkdir(fresh, 0700))
		return bh_err_set(err, result ? -result : errno, "cannot make %s: %s", fresh, strerror(errno));
	result = bh_pin_all(&core->maps, fresh, "maps", err);
	if (!result)
		result = bh_pin_all(&core->programs, fresh, "programs", err);
	if (!result)
		result = bh_pin_all(&core->hooks, fresh, "hooks", err);
	if (!result && rename(fresh, core->folder))
		result = bh_err_set(err, errno, "cannot name %s: %s", core->folder, strerror(errno));
	if (result)
		bh_pins_remove(fresh, 0);
	return result;
}

static int bh_open_all(struct bh_fds *fds, const char *folder, const char *part)
{
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *directory;
	int result = 0;

	snprintf(path, sizeof(path), "%s/%s", folder, part);
	directory = opendir(path);
	if (!directory)
		return -errno;
	while (!result && (entry = readdir(directory))) {
		snprintf(path, sizeof(path), "%s/%s/%s", folder, part, entry->d_name);
		if (entry->d_name[0] != '.')
			result = bh_fds_add(fds, entry->d_name, bpf_obj_get(path));
	}
	closedir(directory);
	return result;
}

static int bh_set_adopt(struct bh_core *core)
{
	int result = bh_open_all(&core->maps, core->folder, "maps");

	if (!result)
		result = bh_open_all(&core->programs, core->folder, "programs");
	if (!result)
		result = bh_open_all(&core->hooks, core->folder, "hooks");
	if (!result)
		result = bh_open_all(&core->links, core->folder, "links");
	/* at rest it has none */
	return result == -ENOENT && core->hooks.count ? 0 : result;
}

int bh_core_stand(const struct bh_floor_net *floor, struct bh_core **ret_core, struct bh_err *err)
{
	struct bh_core *core = bh_core_new();
	char folder[sizeof(core->folder)];
	int result = bh_bpffs_ready(err);

	if (!core || result) {
		bh_core_free(core);
		return result ? result : bh_err_set(err, ENOMEM, "out of memory");
	}
	bh_set_folder(floor, core->folder, sizeof(core->folder));
	result = bh_set_adopt(core);
	if (!result) {
		*ret_core = core;
		return 0;
	}
	if (result != -ENOENT) {
		bh_err_set(err, -result, "cannot take over the programs in %s: %s", core->folder, strerror(-result));
		bh_core_free(core);
		return result;
	}
	memcpy(folder, core->folder, sizeof(folder));
	bh_core_free(core);
	result = bh_core_load(floor, &core, err);
	if (result)
		return result;
	memcpy(core->folder, folder, sizeof(folder));
	result = bh_set_pin(core, err);
	if (result)
		bh_core_free(core);
	else
		*ret_core = core;
	return result;
}

static int bh_attach_refused(const char *name, int error, struct bh_err *err)
{
	bh_err_set(err, error, "cannot attach %s: %s", name, strerror(error));
	if (error == E2BIG)
		bh_err_hint(err, "the kernel takes 38 programs on one hook: end what else has put some there");
	return -error;
}

int bh_core_attach(struct bh_core *core, struct bh_err *err)
{
	char path[PATH_MAX];
	int result = 0;

	snprintf(path, sizeof(path), "%s/links", core->folder);
	if (mkdir(path, 0700) && errno != EEXIST)
		return bh_err_set(err, errno, "cannot make %s: %s", path, strerror(errno));
	for (size_t i = 0; !result && i < core->hooks.count; i++) {
		const struct bh_named_fd *hook = &core->hooks.items[i];
		int link;

		if (bh_fds_find(&core->links, hook->name) >= 0)
			continue;
		link = bpf_raw_tracepoint_open(NULL, hook->fd);
		if (link < 0)
			return bh_attach_refused(hook->name, errno, err);
		result = bh_fds_add(&core->links, hook->name, link);
		snprintf(path, sizeof(path), "%s/links/%s", core->folder, hook->name);
		if (!result && bpf_obj_pin(link, path))
			result = -errno;
		if (result)
			bh_err_set(err, -result, "cannot pin %s: %s", path, strerror(-result));
	}
	return result;
}

static int bh_rest_visit(uint32_t number, const struct bh_sandbox *sandbox, void *data)
{
	return 1;
}

const char *bh_core_folder(const struct bh_core *core)
{
	return core->folder;
}

int bh_core_rest(const char *folder)
{
	struct bh_core *core = bh_core_new();
	char path[PATH_MAX];
	int result;

	if (!core)
		return -ENOMEM;
	snprintf(core->folder, sizeof(core->folder), "%s", folder);
	result = bh_set_adopt(core);
	if (!result)
		result = bh_core_each(core, bh_rest_visit, NULL);
	snprintf(path, sizeof(path), "%s/links", folder);
	if (!result)
		result = bh_pins_remove(path, 1);
	bh_core_free(core);
	return result < 0 && result != -ENOENT ? result : 0;
}

int bh_core_others_remove(const struct bh_core *core)
{
	const char *own = strrchr(core->folder, '/') + 1;
	DIR *folder = opendir(BH_PINS);
	struct dirent *entry;
	int result = 0;

	if (!folder)
		return errno == ENOENT ? 0 : -errno;
	while (!result && (entry = readdir(folder))) {
		char path[PATH_MAX];

		snprintf(path, sizeof(path), BH_PINS "/%s", entry->d_name);
		if (entry->d_name[0] != '.' && strcmp(entry->d_name, own) != 0)
			result = bh_pins_remove(path, 0);
	}
	closedir(folder);
	return result;
}
