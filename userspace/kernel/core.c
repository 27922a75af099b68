/* SPDX-License-Identifier: GPL-2.0-only */
/* Loading, and the questions that need no hook. Publishing and binding are in publish.c, pins in pins.c. */
#include "kernel/core.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "kernel/private.h"

/* The last words libbpf said, for err: loading is quiet unless it fails. */
static _Thread_local char bh_libbpf_words[512];

static int bh_libbpf_hear(enum libbpf_print_level level, const char *format, va_list args)
{
	char line[512];

	if (level != LIBBPF_WARN)
		return 0;
	vsnprintf(line, sizeof(line), format, args);
	line[strcspn(line, "\n")] = '\0';
	/* keep the first complaint: the ones after it only pass the failure up */
	if (!bh_libbpf_words[0])
		snprintf(bh_libbpf_words, sizeof(bh_libbpf_words), "%s", line);
	return 0;
}

static int bh_load_refused(int error, struct bh_err *err)
{
	if (error == EPERM) {
		bh_err_set(err, EOPNOTSUPP, "the kernel refuses security programs: %s", bh_libbpf_words);
		bh_err_hint(err, "kernel lockdown or a missing capability; see `bulkhead probe`");
	} else {
		bh_err_set(err, EOPNOTSUPP, "this kernel does not take the security programs: %s (%s)", bh_libbpf_words,
			   strerror(error));
		bh_err_hint(err, "file and exec rules need Linux 6.1 or later with BPF LSM; see `bulkhead probe`");
	}
	return -EOPNOTSUPP;
}

static int bh_floor_write(struct bh_core *core, const struct bh_floor_net *floor, struct bh_err *err)
{
	int fd = bh_core_map(core, "bh_floor");
	__u32 zero = 0;

	if (bpf_map_update_elem(fd, &zero, floor, BPF_ANY) || bpf_map_freeze(fd))
		return bh_err_set(err, errno, "cannot write the address floor: %s", strerror(errno));
	return 0;
}

static int bh_state_write(struct bh_core *core, struct bh_err *err)
{
	struct bh_state state = {};
	__u32 zero = 0;

	if (getrandom(&state.cookie, sizeof(state.cookie), 0) != sizeof(state.cookie))
		return bh_err_set(err, EIO, "cannot read random bytes");
	if (bpf_map_update_elem(bh_core_map(core, "bh_state"), &zero, &state, BPF_ANY))
		return bh_err_set(err, errno, "cannot write the load's state: %s", strerror(errno));
	return 0;
}

/* The kernel's function behind a program of the section "lsm/NAME" or "fexit/NAME"; false: the program is attached to none. */
static bool bh_hook_function(const struct bpf_program *program, char *ret_name, size_t size)
{
	const char *section = bpf_program__section_name(program);

	if (strncmp(section, "lsm/", 4) == 0)
		snprintf(ret_name, size, "bpf_lsm_%s", section + 4);
	else if (strncmp(section, "fexit/", 6) == 0)
		snprintf(ret_name, size, "%s", section + 6);
	else
		return false;
	return true;
}

static bool bh_is_hook(const struct bpf_program *program)
{
	char name[80];

	return bh_hook_function(program, name, sizeof(name));
}

/* Marked "?lsm/NAME" in the source: older kernels do without the hook. Only true until somebody sets autoload. */
static bool bh_hook_optional(const struct bpf_program *program)
{
	return !bpf_program__autoload(program);
}

static bool bh_hook_exists(const struct btf *kernel, const struct bpf_program *program)
{
	char name[80];

	return kernel && bh_hook_function(program, name, sizeof(name)) &&
	       btf__find_by_name_kind(kernel, name, BTF_KIND_FUNC) > 0;
}

/* Which required hook this kernel's own description lacks; NULL: none. Before anything is loaded, so that the reason is the true one. */
static const char *bh_hook_missing(const struct bulkhead_bpf *skeleton, const struct btf *kernel)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, skeleton->obj) {
		if (bh_is_hook(program) && !bh_hook_optional(program) && !bh_hook_exists(kernel, program))
			return strchr(bpf_program__section_name(program), '/') + 1;
	}
	return NULL;
}

/* What is loaded beside bh_forget, which works with each. */
enum bh_part {
	BH_PART_ALL, /* whatever is attached */
	BH_PART_PACKETS, /* of that, what needs no hook */
	BH_PART_VERDICT, /* only what is asked */
};

static bool bh_program_wanted(const struct bulkhead_bpf *skeleton, const struct bpf_program *program,
			      const struct btf *kernel, enum bh_part part)
{
	if (program == skeleton->progs.bh_forget)
		return true;
	if (bh_program_on_packets(program))
		return part != BH_PART_VERDICT;
	if (bh_is_hook(program))
		return part == BH_PART_ALL && (!bh_hook_optional(program) || bh_hook_exists(kernel, program));
	return part == BH_PART_VERDICT;
}

static int bh_core_choose(struct bulkhead_bpf *skeleton, enum bh_part part, struct bh_err *err)
{
	struct btf *kernel = btf__load_vmlinux_btf();
	const char *missing = part == BH_PART_ALL ? bh_hook_missing(skeleton, kernel) : NULL;
	struct bpf_program *program;

	bpf_object__for_each_program(program, skeleton->obj)
		bpf_program__set_autoload(program, bh_program_wanted(skeleton, program, kernel, part));
	btf__free(kernel);
	if (!missing)
		return 0;
	bh_err_set(err, EOPNOTSUPP, "this kernel has no hook '%s', and without it there is a way around the policy",
		   missing);
	bh_err_hint(err, "Linux 6.1 or later has all that are needed; see `bulkhead probe`");
	return -EOPNOTSUPP;
}

int bh_fds_add(struct bh_fds *fds, const char *name, int fd)
{
	struct bh_named_fd *one = &fds->items[fds->count];

	if (fd < 0)
		return -errno;
	if (fds->count >= BH_COUNT_OF(fds->items) || strlen(name) >= sizeof(one->name)) {
		close(fd);
		return -ENOSPC;
	}
	snprintf(one->name, sizeof(one->name), "%s", name);
	one->fd = fd;
	fds->count++;
	return 0;
}

int bh_fds_find(const struct bh_fds *fds, const char *name)
{
	for (size_t i = 0; i < fds->count; i++) {
		if (!strcmp(fds->items[i].name, name))
			return fds->items[i].fd;
	}
	return -ENOENT;
}

static void bh_fds_close(struct bh_fds *fds)
{
	while (fds->count)
		close(fds->items[--fds->count].fd);
}

int bh_core_map(const struct bh_core *core, const char *name)
{
	return bh_fds_find(&core->maps, name);
}

/* Takes descriptors of its own for all that was loaded: from here on, loaded and found standing are the same. */
static int bh_core_take(struct bh_core *core, const struct bulkhead_bpf *skeleton)
{
	struct bpf_program *program;
	struct bpf_map *map;
	int result = 0;

	bpf_object__for_each_map(map, skeleton->obj) {
		if (!result && !bpf_map__is_internal(map))
			result = bh_fds_add(&core->maps, bpf_map__name(map),
					    fcntl(bpf_map__fd(map), F_DUPFD_CLOEXEC, 0));
	}
	bpf_object__for_each_program(program, skeleton->obj) {
		if (!result && bpf_program__fd(program) >= 0)
			result = bh_fds_add(bh_is_hook(program) ? &core->hooks : &core->programs,
					    bpf_program__name(program),
					    fcntl(bpf_program__fd(program), F_DUPFD_CLOEXEC, 0));
	}
	return result;
}

struct bh_core *bh_core_new(void)
{
	struct bh_core *core = calloc(1, sizeof(*core));

	if (core)
		core->ring_fd = -EBADF;
	return core;
}

static int bh_skeleton_load(struct bh_core *core, struct bulkhead_bpf *skeleton, enum bh_part part, struct bh_err *err)
{
	int result = bh_core_choose(skeleton, part, err);

	if (result)
		return result;
	if (part == BH_PART_VERDICT)
		bpf_map__set_max_entries(skeleton->maps.bh_asked, BH_ASKED_MAX);
	result = bulkhead_bpf__load(skeleton);
	if (result)
		return bh_load_refused(-result, err);
	result = bh_core_take(core, skeleton);
	return result ? bh_err_set(err, -result, "cannot keep the kernel programs: %s", strerror(-result)) : 0;
}

static int bh_core_load_some(const struct bh_floor_net *floor, enum bh_part part, struct bh_core **ret_core,
			     struct bh_err *err)
{
	struct bh_core *core = bh_core_new();
	struct bulkhead_bpf *skeleton;
	int result;

	if (!core)
		return bh_err_set(err, ENOMEM, "out of memory");
	libbpf_set_print(bh_libbpf_hear);
	bh_libbpf_words[0] = '\0';
	skeleton = bulkhead_bpf__open();
	result = skeleton ? bh_skeleton_load(core, skeleton, part, err) :
			    bh_err_set(err, errno, "cannot open the kernel programs: %s", strerror(errno));
	bulkhead_bpf__destroy(skeleton);
	if (!result)
		result = bh_floor_write(core, floor, err);
	if (!result)
		result = bh_state_write(core, err);
	if (result) {
		bh_core_free(core);
		return result;
	}
	*ret_core = core;
	return 0;
}

int bh_core_load(const struct bh_floor_net *floor, struct bh_core **ret_core, struct bh_err *err)
{
	return bh_core_load_some(floor, BH_PART_ALL, ret_core, err);
}

int bh_core_load_verdict(const struct bh_floor_net *floor, struct bh_core **ret_core, struct bh_err *err)
{
	if (floor->abi != BH_ABI_VERSION)
		return bh_err_set(err, EPROTO, "the address floor is of format %u, this program's of %u", floor->abi,
				  BH_ABI_VERSION);
	return bh_core_load_some(floor, BH_PART_VERDICT, ret_core, err);
}

int bh_core_load_packets(const struct bh_floor_net *floor, struct bh_core **ret_core, struct bh_err *err)
{
	return bh_core_load_some(floor, BH_PART_PACKETS, ret_core, err);
}

void bh_core_free(struct bh_core *core)
{
	if (!core)
		return;
	ring_buffer__free(core->ring);
	bh_core_ask_done(core);
	bh_fds_close(&core->links);
	bh_fds_close(&core->hooks);
	bh_fds_close(&core->programs);
	bh_fds_close(&core->maps);
	bh_cleanup_close(&core->ring_fd);
	free(core);
}

static int bh_probe_one(const struct btf *kernel, size_t index, struct bh_core_program *ret_program)
{
	struct bulkhead_bpf *skeleton = bulkhead_bpf__open();
	struct bpf_program *program, *wanted = NULL;
	struct bpf_prog_info info = {};
	__u32 length = sizeof(info);
	size_t at = 0;

	if (!skeleton)
		return -errno;
	memset(ret_program, 0, sizeof(*ret_program));
	bpf_object__for_each_program(program, skeleton->obj) {
		if (at == index) {
			wanted = program;
			ret_program->optional = bh_hook_optional(program);
		}
		bpf_program__set_autoload(program, at++ == index);
	}
	if (!wanted) {
		bulkhead_bpf__destroy(skeleton);
		return -ENOENT;
	}
	snprintf(ret_program->name, sizeof(ret_program->name), "%s", bpf_program__name(wanted));
	if (ret_program->optional && !bh_hook_exists(kernel, wanted))
		ret_program->error = ENOENT;
	else
		ret_program->error = -bulkhead_bpf__load(skeleton);
	if (!ret_program->error && !bpf_obj_get_info_by_fd(bpf_program__fd(wanted), &info, &length))
		ret_program->instructions = info.verified_insns;
	snprintf(ret_program->section, sizeof(ret_program->section), "%s", bpf_program__section_name(wanted));
	bulkhead_bpf__destroy(skeleton);
	return 0;
}

int bh_core_probe(struct bh_core_program *programs, size_t count)
{
	size_t filled = 0;
	int result = 0;

	struct btf *kernel;

	libbpf_set_print(bh_libbpf_hear);
	kernel = btf__load_vmlinux_btf();
	while (filled < count && !(result = bh_probe_one(kernel, filled, &programs[filled])))
		filled++;
	btf__free(kernel);
	return result && result != -ENOENT ? result : (int)filled;
}
