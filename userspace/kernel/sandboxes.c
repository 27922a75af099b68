/* SPDX-License-Identifier: GPL-2.0-only */
/* Sandboxes: bound governed and empty, found again by name, unbound when nobody is left in them. */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "kernel/core.h"
#include "kernel/private.h"

/* The next free number. Numbers go round, so that one that was just given up rests as long as can be. */
static int bh_number_find(struct bh_core *core, uint32_t *ret_number)
{
	int fd = bh_core_map(core, "bh_sandboxes"), state_fd = bh_core_map(core, "bh_state");
	struct bh_sandbox sandbox;
	struct bh_state state;
	__u32 zero = 0;

	if (bpf_map_lookup_elem(state_fd, &zero, &state))
		return -errno;
	for (uint32_t i = 0; i < BH_SANDBOXES_MAX - 1; i++) {
		uint32_t number = 1 + (state.next + i) % (BH_SANDBOXES_MAX - 1);

		if (bpf_map_lookup_elem(fd, &number, &sandbox))
			return -errno;
		if (!(sandbox.flags & BH_SANDBOX_BOUND)) {
			*ret_number = number;
			return 0;
		}
	}
	return -ENOSPC;
}

static int bh_state_count(struct bh_core *core, uint32_t number, uint32_t levels)
{
	int fd = bh_core_map(core, "bh_state");
	struct bh_state state;
	__u32 zero = 0;

	if (bpf_map_lookup_elem(fd, &zero, &state))
		return -errno;
	if (state.sandboxes <= number)
		state.sandboxes = number + 1;
	state.next = number;
	state.levels |= levels;
	return bpf_map_update_elem(fd, &zero, &state, BPF_ANY) ? -errno : 0;
}

int bh_core_bind(struct bh_core *core, const char *name, const struct bh_cgroup *cgroup, uint32_t slot, int ring,
		 uint32_t *ret_number, struct bh_err *err)
{
	struct bh_sandbox sandbox = { .cgroup_id = cgroup->id, .policy = slot, .flags = BH_SANDBOX_BOUND };
	uint32_t number = 0;
	int result = bh_number_find(core, &number);

	if (strlen(name) >= sizeof(sandbox.name))
		return bh_err_set(err, ENAMETOOLONG, "the sandbox's name is too long");
	if (result == -ENOSPC)
		return bh_err_set(err, ENOSPC, "%u sandboxes stand already", BH_SANDBOXES_MAX - 1);
	memcpy(sandbox.name, name, strlen(name));
	sandbox.serial = number; /* one that is new is given below */
	if (!result && ring >= 0 && bpf_map_update_elem(bh_core_map(core, "bh_rings"), &number, &ring, BPF_ANY))
		result = -errno;
	if (!result && bpf_map_update_elem(bh_core_map(core, "bh_sandboxes"), &number, &sandbox, BPF_ANY))
		result = -errno;
	if (!result)
		result = bh_core_forget(core, number, err);
	if (!result)
		result = bh_state_count(core, number, cgroup->levels);
	/* from here on the hooks know the cgroup */
	if (!result && bpf_map_update_elem(bh_core_map(core, "bh_cgroups"), &cgroup->id, &number, BPF_ANY))
		result = -errno;
	if (result)
		return bh_err_set(err, -result, "cannot bind sandbox '%s': %s", name, strerror(-result));
	*ret_number = number;
	return 0;
}

void bh_core_unbind(struct bh_core *core, uint32_t number)
{
	struct bh_sandbox sandbox, none = {};

	if (bh_core_sandbox(core, number, &sandbox) || !(sandbox.flags & BH_SANDBOX_BOUND))
		return;
	bh_core_detach_packets(core, number);
	bpf_map_delete_elem(bh_core_map(core, "bh_cgroups"), &sandbox.cgroup_id);
	bpf_map_delete_elem(bh_core_map(core, "bh_rings"), &number);
	bpf_map_update_elem(bh_core_map(core, "bh_sandboxes"), &number, &none, BPF_ANY);
}

int bh_core_sandbox(struct bh_core *core, uint32_t number, struct bh_sandbox *ret_sandbox)
{
	return bpf_map_lookup_elem(bh_core_map(core, "bh_sandboxes"), &number, ret_sandbox) ? -errno : 0;
}

int bh_core_each(struct bh_core *core, int (*visit)(uint32_t number, const struct bh_sandbox *sandbox, void *data),
		 void *data)
{
	struct bh_sandbox sandbox;
	struct bh_state state;
	__u32 zero = 0;
	int result = 0;

	if (bpf_map_lookup_elem(bh_core_map(core, "bh_state"), &zero, &state))
		return -errno;
	for (uint32_t number = 1; !result && number < state.sandboxes && number < BH_SANDBOXES_MAX; number++) {
		if (!bh_core_sandbox(core, number, &sandbox) && sandbox.flags & BH_SANDBOX_BOUND)
			result = visit(number, &sandbox, data);
	}
	return result;
}

struct bh_find {
	const char *name;
	uint32_t number;
};

static int bh_find_visit(uint32_t number, const struct bh_sandbox *sandbox, void *data)
{
	struct bh_find *find = data;

	if (strncmp((const char *)sandbox->name, find->name, sizeof(sandbox->name)) != 0)
		return 0;
	find->number = number;
	return 1;
}

uint32_t bh_core_find(struct bh_core *core, const char *name)
{
	struct bh_find find = { .name = name };

	bh_core_each(core, bh_find_visit, &find);
	return find.number;
}

uint64_t bh_core_count(struct bh_core *core, uint32_t what)
{
	int cpus = libbpf_num_possible_cpus();
	BH_FREE uint64_t *values = cpus > 0 ? calloc((size_t)cpus, sizeof(*values)) : NULL;
	uint64_t sum = 0;

	if (!values || bpf_map_lookup_elem(bh_core_map(core, "bh_counts"), &what, values))
		return 0;
	for (int i = 0; i < cpus; i++)
		sum += values[i];
	return sum;
}
