/* SPDX-License-Identifier: GPL-2.0-only */
/* Feeding the maps: policies are filled whole and then switched, sandboxes begin governed and empty. */
#include "kernel/core.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "kernel/private.h"

/* Whatever was let through under an earlier policy is judged anew. */
static int bh_core_forget(struct bh_core *core, struct bh_err *err)
{
	LIBBPF_OPTS(bpf_test_run_opts, options);

	if (bpf_prog_test_run_opts(bpf_program__fd(core->skeleton->progs.bh_forget), &options))
		return bh_err_set(err, errno, "cannot end what was allowed before: %s", strerror(errno));
	return 0;
}

/* The key in bh_chunks of the policy that a slot holds now; 0: none, or it has no more than one chunk. */
static __u32 bh_slot_more(struct bh_core *core, uint32_t slot)
{
	BH_FREE struct bh_policy *policy = malloc(sizeof(*policy));
	BH_CLOSE int fd = -EBADF;
	__u32 id, zero = 0;

	if (!policy || bpf_map_lookup_elem(bpf_map__fd(core->skeleton->maps.bh_policies), &slot, &id))
		return 0;
	fd = bpf_map_get_fd_by_id(id);
	return fd >= 0 && !bpf_map_lookup_elem(fd, &zero, policy) ? policy->head.more : 0;
}

/* Puts the blocks behind the first into a set of their own, which no hook looks at yet. */
static int bh_chunks_fill(struct bh_core *core, __u32 key, const struct bh_policy *policy, struct bh_err *err)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = BPF_F_INNER_MAP);
	const struct bh_chunk *chunks = (const struct bh_chunk *)(policy + 1);
	__u32 count = policy->head.blocks - 1;
	BH_CLOSE int fd =
		bpf_map_create(BPF_MAP_TYPE_ARRAY, "bh_chunk_set", sizeof(key), sizeof(*chunks), count, &options);

	if (fd < 0)
		return bh_err_set(err, errno, "cannot make a table for the policy: %s", strerror(errno));
	for (__u32 i = 0; i < count; i++)
		if (bpf_map_update_elem(fd, &i, &chunks[i], BPF_ANY))
			return bh_err_set(err, errno, "cannot fill the policy's table: %s", strerror(errno));
	if (bpf_map_freeze(fd) || bpf_map_update_elem(bpf_map__fd(core->skeleton->maps.bh_chunks), &key, &fd, BPF_ANY))
		return bh_err_set(err, errno, "cannot fill the policy's table: %s", strerror(errno));
	return 0;
}

/* `more`: the policy's key in bh_chunks. Everything it leads to is in place. */
static int bh_policy_switch(struct bh_core *core, uint32_t slot, __u32 more, const struct bh_policy *policy,
			    struct bh_err *err)
{
	BH_FREE struct bh_policy *copy = malloc(sizeof(*copy));
	BH_CLOSE int fd = -EBADF;
	__u32 zero = 0;

	if (!copy)
		return bh_err_set(err, ENOMEM, "out of memory");
	*copy = *policy;
	copy->head.more = more;
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "bh_policy", sizeof(zero), sizeof(*copy), 1, NULL);
	if (fd < 0)
		return bh_err_set(err, errno, "cannot make a table for the policy: %s", strerror(errno));
	if (bpf_map_update_elem(fd, &zero, copy, BPF_ANY) || bpf_map_freeze(fd))
		return bh_err_set(err, errno, "cannot fill the policy's table: %s", strerror(errno));
	/* returns when no hook looks at the old one any more */
	if (bpf_map_update_elem(bpf_map__fd(core->skeleton->maps.bh_policies), &slot, &fd, BPF_ANY))
		return bh_err_set(err, errno, "cannot put the policy in force: %s", strerror(errno));
	return 0;
}

int bh_core_publish(struct bh_core *core, uint32_t slot, const struct bh_policy *policy, struct bh_err *err)
{
	int sets = bpf_map__fd(core->skeleton->maps.bh_chunks), result = 0;
	__u32 old, first = 1 + 2 * slot, more = 0;

	if (policy->head.abi != BH_ABI_VERSION)
		return bh_err_set(err, EPROTO, "the policy's tables are of format %u, this program's of %u",
				  policy->head.abi, BH_ABI_VERSION);
	if (slot >= BH_POLICIES_MAX)
		return bh_err_set(err, ERANGE, "policy slot %u is out of range", slot);
	old = bh_slot_more(core, slot);
	if (policy->head.blocks > 1) {
		more = old == first ? first + 1 : first;
		result = bh_chunks_fill(core, more, policy, err);
	}
	if (!result)
		result = bh_policy_switch(core, slot, more, policy, err);
	if (result && more)
		bpf_map_delete_elem(sets, &more);
	else if (!result && old)
		bpf_map_delete_elem(sets, &old);
	return result ? result : bh_core_forget(core, err);
}

int bh_core_bind(struct bh_core *core, uint32_t number, const struct bh_cgroup *cgroup, uint32_t slot,
		 struct bh_err *err)
{
	/* a serial that is new is given below */
	struct bh_sandbox sandbox = {
		.cgroup_id = cgroup->id, .policy = slot, .flags = BH_SANDBOX_BOUND, .serial = number
	};
	struct bh_state state;
	__u32 zero = 0;
	int state_fd = bpf_map__fd(core->skeleton->maps.bh_state);

	if (!number || number >= BH_SANDBOXES_MAX)
		return bh_err_set(err, ERANGE, "sandbox number %u is out of range", number);
	if (bpf_map_lookup_elem(state_fd, &zero, &state))
		return bh_err_set(err, errno, "cannot bind the sandbox: %s", strerror(errno));
	if (state.sandboxes <= number)
		state.sandboxes = number + 1;
	state.levels |= cgroup->levels;
	if (bpf_map_update_elem(bpf_map__fd(core->skeleton->maps.bh_sandboxes), &number, &sandbox, BPF_ANY) ||
	    bpf_map_update_elem(bpf_map__fd(core->skeleton->maps.bh_cgroups), &cgroup->id, &number, BPF_ANY))
		return bh_err_set(err, errno, "cannot bind the sandbox: %s", strerror(errno));
	if (bpf_map_update_elem(state_fd, &zero, &state, BPF_ANY))
		return bh_err_set(err, errno, "cannot bind the sandbox: %s", strerror(errno));
	return bh_core_forget(core, err);
}

int bh_core_sandbox(struct bh_core *core, uint32_t number, struct bh_sandbox *ret_sandbox)
{
	return bpf_map_lookup_elem(bpf_map__fd(core->skeleton->maps.bh_sandboxes), &number, ret_sandbox) ? -errno : 0;
}

uint64_t bh_core_count(struct bh_core *core, uint32_t what)
{
	int cpus = libbpf_num_possible_cpus();
	BH_FREE uint64_t *values = cpus > 0 ? calloc((size_t)cpus, sizeof(*values)) : NULL;
	uint64_t sum = 0;

	if (!values || bpf_map_lookup_elem(bpf_map__fd(core->skeleton->maps.bh_counts), &what, values))
		return 0;
	for (int i = 0; i < cpus; i++)
		sum += values[i];
	return sum;
}

static int bh_ring_sample(void *data, void *bytes, size_t length)
{
	struct bh_core *core = data;

	if (core->receive)
		core->receive(core->receive_data, bytes, length);
	return 0;
}

static int bh_ring_open(struct bh_core *core)
{
	if (!core->ring)
		core->ring = ring_buffer__new(bpf_map__fd(core->skeleton->maps.bh_events), bh_ring_sample, core, NULL);
	return core->ring ? 0 : -errno;
}

int bh_core_events_fd(struct bh_core *core)
{
	int result = bh_ring_open(core);

	return result ? result : ring_buffer__epoll_fd(core->ring);
}

int bh_core_events_read(struct bh_core *core, void (*receive)(void *data, const void *bytes, size_t length), void *data)
{
	int result = bh_ring_open(core);

	if (result)
		return result;
	core->receive = receive;
	core->receive_data = data;
	result = ring_buffer__consume(core->ring);
	core->receive = NULL;
	return result;
}
