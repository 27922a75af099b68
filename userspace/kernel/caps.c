/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/caps.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "kernel/caps_text.h"

#define BH_KNOB_LEN 8192u /* io.max has a line for each device */

/* One limit on its way to a file of the cgroup. */
struct bh_knob {
	const char *controller, *file;
	char text[BH_CAP_TEXT_LEN];
	char found[BH_KNOB_LEN]; /* what the file says afterwards */
};

static int bh_file_read(const char *path, char *ret_text, size_t size)
{
	BH_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t length = 0;
	ssize_t count = 1;

	ret_text[0] = '\0';
	if (fd < 0)
		return -errno;
	while (count > 0 && length < size - 1) {
		count = read(fd, ret_text + length, size - 1 - length);
		if (count < 0)
			return -errno;
		length += (size_t)count;
	}
	ret_text[length] = '\0';
	return 0;
}

static int bh_file_write(const char *path, const char *text)
{
	BH_CLOSE int fd = open(path, O_WRONLY | O_CLOEXEC);
	size_t length = strlen(text);

	if (fd < 0)
		return -errno;
	return write(fd, text, length) == (ssize_t)length ? 0 : -errno;
}

/* ---- Controllers ---- */

/* Version 2 has not got the controller: where it is instead decides what helps. */
static int bh_controller_refuse(const char *controller, struct bh_err *err)
{
	char groups[BH_KNOB_LEN];

	bh_err_set(err, EOPNOTSUPP,
		   "the limits of this policy need the cgroup controller '%s', which version 2 does not have here",
		   controller);
	bh_file_read("/proc/cgroups", groups, sizeof(groups));
	switch (bh_controller_place(groups, controller)) {
	case BH_CONTROLLER_VERSION_1:
		bh_err_hint(err,
			    "version 1 has it: boot with systemd.unified_cgroup_hierarchy=1, or unmount its hierarchy");
		break;
	case BH_CONTROLLER_DISABLED:
		bh_err_hint(err, "take cgroup_disable=%s away from the kernel's arguments", controller);
		break;
	default:
		bh_err_hint(err, "use a kernel that is built with it; Debian's are");
	}
	return -EOPNOTSUPP;
}

/* Hands the controller down from `directory` to what lies below it. */
static int bh_controller_hand_down(const char *directory, const char *controller, struct bh_err *err)
{
	char file[PATH_MAX + 64], list[BH_KNOB_LEN], word[32];
	int result;

	snprintf(file, sizeof(file), "%s/cgroup.subtree_control", directory);
	if (!bh_file_read(file, list, sizeof(list)) && bh_controller_listed(list, controller))
		return 0;
	snprintf(word, sizeof(word), "+%s", controller);
	result = bh_file_write(file, word);
	if (!result)
		return 0;
	bh_err_set(err, EOPNOTSUPP, "cannot hand the cgroup controller '%s' down from %s: %s", controller, directory,
		   strerror(-result));
	if (result == -EBUSY)
		bh_err_hint(err, "processes sit in %s itself: move them to a cgroup below it", directory);
	else
		bh_err_hint(err, "see that this works: echo +%s >%s", controller, file);
	return -EOPNOTSUPP;
}

/* From the root through every cgroup above the sandbox's own. */
static int bh_controller_enable(const struct bh_cgroup *cgroup, const char *root, const char *controller,
				struct bh_err *err)
{
	char path[PATH_MAX + 32], list[BH_KNOB_LEN];

	snprintf(path, sizeof(path), "%s/cgroup.controllers", root);
	if (bh_file_read(path, list, sizeof(list)) || !bh_controller_listed(list, controller))
		return bh_controller_refuse(controller, err);
	for (const char *end = cgroup->path + strlen(root); end && *end; end = strchr(end + 1, '/')) {
		int result;

		snprintf(path, sizeof(path), "%.*s", (int)(end - cgroup->path), cgroup->path);
		result = bh_controller_hand_down(path, controller, err);
		if (result)
			return result;
	}
	return 0;
}

/* ---- Limits ---- */

static int bh_knob_fail(const struct bh_cgroup *cgroup, const struct bh_knob *knob, const char *why, struct bh_err *err)
{
	bh_err_set(err, EOPNOTSUPP, "cannot set the limit %s of %s to '%s' (controller '%s'): %s", knob->file,
		   cgroup->name, knob->text, knob->controller, why);
	bh_err_hint(err,
		    "a sandbox without its limits is not started: use a kernel that has this one, or another limit");
	return -EOPNOTSUPP;
}

/* Writes and reads back; what it says then is the caller's to compare. */
static int bh_knob_set(const struct bh_cgroup *cgroup, struct bh_knob *knob, struct bh_err *err)
{
	char path[PATH_MAX + 32];
	int result;

	snprintf(path, sizeof(path), "%s/%s", cgroup->path, knob->file);
	result = bh_file_write(path, knob->text);
	if (!result)
		result = bh_file_read(path, knob->found, sizeof(knob->found));
	return result ? bh_knob_fail(cgroup, knob, strerror(-result), err) : 0;
}

static int bh_count_set(const struct bh_cgroup *cgroup, const char *controller, const char *file, uint64_t value,
			uint64_t unit, struct bh_err *err)
{
	struct bh_knob knob = { .controller = controller, .file = file };
	int result;

	bh_cap_count_text(value, knob.text);
	result = bh_knob_set(cgroup, &knob, err);
	if (!result && !bh_cap_count_holds(knob.found, value, unit))
		result = bh_knob_fail(cgroup, &knob, "the kernel took another value", err);
	return result;
}

/* A kernel without swapping keeps every limit on it. */
static int bh_swap_set(const struct bh_cgroup *cgroup, uint64_t value, uint64_t page, struct bh_err *err)
{
	if (access("/proc/swaps", F_OK) && errno == ENOENT)
		return 0;
	return bh_count_set(cgroup, "memory", "memory.swap.max", value, page, err);
}

static int bh_memory_set(const struct bh_cgroup *cgroup, const struct bh_limit *caps, struct bh_err *err)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	int result = bh_count_set(cgroup, "memory", "memory.max", caps[BH_CAP_MEMORY].value, page, err);

	if (!result)
		result = bh_swap_set(cgroup, caps[BH_CAP_SWAP].value, page, err);
	/* a session whose processes die one by one is another one */
	if (!result)
		result = bh_count_set(cgroup, "memory", "memory.oom.group", 1, 1, err);
	return result;
}

static int bh_cpu_set(const struct bh_cgroup *cgroup, uint64_t millicpu, struct bh_err *err)
{
	struct bh_knob knob = { .controller = "cpu", .file = "cpu.max" };
	int result;

	bh_cap_cpu_text(millicpu, knob.text);
	result = bh_knob_set(cgroup, &knob, err);
	if (!result && !bh_cap_cpu_holds(knob.found, millicpu))
		result = bh_knob_fail(cgroup, &knob, "the kernel took another value", err);
	return result;
}

/* One disk of the machine; one without a size has nothing to read or write. 1: it has limits now, 0: it needs none. */
static int bh_disk_io_set(const struct bh_cgroup *cgroup, const char *disk, const struct bh_limit *caps,
			  struct bh_err *err)
{
	uint64_t read = caps[BH_CAP_IO_READ].value, write = caps[BH_CAP_IO_WRITE].value;
	struct bh_knob knob = { .controller = "io", .file = "io.max" };
	struct bh_block_device device;
	char path[PATH_MAX], text[64];
	int result;

	snprintf(path, sizeof(path), "/sys/block/%s/size", disk);
	if (bh_file_read(path, text, sizeof(text)) || !strcmp(text, "0\n"))
		return 0;
	snprintf(path, sizeof(path), "/sys/block/%s/dev", disk);
	if (bh_file_read(path, text, sizeof(text)) || !bh_block_device_parse(text, &device))
		return bh_err_set(err, EOPNOTSUPP, "cannot read the number of the disk %s", disk);
	bh_cap_io_text(device, read, write, knob.text);
	result = bh_knob_set(cgroup, &knob, err);
	if (!result && !bh_cap_io_holds(knob.found, device, read, write))
		result = bh_knob_fail(cgroup, &knob, "the kernel took another value", err);
	return result ? result : 1;
}

/* Every disk, also those that are not mounted now, or not here: the limit holds for what comes. */
static int bh_io_set(const struct bh_cgroup *cgroup, const struct bh_limit *caps, struct bh_err *err)
{
	DIR *disks = opendir("/sys/block");
	struct dirent *entry;
	int result = 0, limited = 0;

	if (!disks)
		return bh_err_set(err, EOPNOTSUPP, "cannot list the disks in /sys/block: %s", strerror(errno));
	while (result >= 0 && (entry = readdir(disks))) {
		if (entry->d_name[0] == '.')
			continue;
		result = bh_disk_io_set(cgroup, entry->d_name, caps, err);
		limited += result > 0;
	}
	closedir(disks);
	if (result < 0)
		return result;
	if (limited)
		return 0;
	bh_err_set(err, EOPNOTSUPP,
		   "this machine shows no disk whose reading and writing (controller 'io') could be limited");
	bh_err_hint(err, "leave spec.resources.caps.io out: memory and network file systems are not its matter");
	return -EOPNOTSUPP;
}

static bool bh_capped(const struct bh_limit *limit)
{
	return limit->value != BH_UNLIMITED;
}

int bh_caps_apply(const struct bh_cgroup *cgroup, const char *root, const struct bh_resources *resources,
		  struct bh_err *err)
{
	const struct bh_limit *caps = resources->caps;
	bool io = bh_capped(&caps[BH_CAP_IO_READ]) || bh_capped(&caps[BH_CAP_IO_WRITE]);
	int result = bh_controller_enable(cgroup, root, "memory", err);

	if (!result)
		result = bh_controller_enable(cgroup, root, "pids", err);
	if (!result && bh_capped(&caps[BH_CAP_CPU]))
		result = bh_controller_enable(cgroup, root, "cpu", err);
	if (!result && io)
		result = bh_controller_enable(cgroup, root, "io", err);
	if (!result)
		result = bh_memory_set(cgroup, caps, err);
	if (!result)
		result = bh_count_set(cgroup, "pids", "pids.max", caps[BH_CAP_PIDS].value, 1, err);
	if (!result && bh_capped(&caps[BH_CAP_CPU]))
		result = bh_cpu_set(cgroup, caps[BH_CAP_CPU].value, err);
	if (!result && io)
		result = bh_io_set(cgroup, caps, err);
	return result;
}

/* ---- What came of them ---- */

void bh_caps_met(const struct bh_cgroup *cgroup, struct bh_caps_met *ret_met)
{
	char path[PATH_MAX + 32], text[1024];

	snprintf(path, sizeof(path), "%s/memory.events", cgroup->path);
	bh_file_read(path, text, sizeof(text));
	ret_met->oom_kills = bh_cap_event_count(text, "oom_kill");
	snprintf(path, sizeof(path), "%s/pids.events", cgroup->path);
	bh_file_read(path, text, sizeof(text));
	ret_met->forks_refused = bh_cap_event_count(text, "max");
}
