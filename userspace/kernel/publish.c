/* SPDX-License-Identifier: GPL-2.0-only */
/* Policies: filled whole, then switched. */
#include "kernel/core.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "kernel/private.h"

/* Whatever was let through before is judged anew, by one sandbox or, 0, by all. */
int bh_core_forget(struct bh_core *core, uint32_t sandbox, struct bh_err *err)
{
	struct bh_forget_args args = { .sandbox = sandbox };
	LIBBPF_OPTS(bpf_test_run_opts, options, .ctx_in = &args, .ctx_size_in = sizeof(args));

	if (bpf_prog_test_run_opts(bh_fds_find(&core->programs, "bh_forget"), &options))
		return bh_err_set(err, errno, "cannot end what was allowed before: %s", strerror(errno));
	return 0;
}

/* The key in bh_chunks of the policy that a slot holds now; 0: none, or it has no more than one chunk. */
static __u32 bh_slot_more(struct bh_core *core, uint32_t slot)
{
	BH_FREE struct bh_policy *policy = malloc(sizeof(*policy));
	BH_CLOSE int fd = -EBADF;
	__u32 id, zero = 0;

	if (!policy || bpf_map_lookup_elem(bh_core_map(core, "bh_policies"), &slot, &id))
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
	if (bpf_map_freeze(fd) || bpf_map_update_elem(bh_core_map(core, "bh_chunks"), &key, &fd, BPF_ANY))
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
	if (bpf_map_update_elem(bh_core_map(core, "bh_policies"), &slot, &fd, BPF_ANY))
		return bh_err_set(err, errno, "cannot put the policy in force: %s", strerror(errno));
	return 0;
}

int bh_core_publish(struct bh_core *core, uint32_t slot, const struct bh_policy *policy, struct bh_err *err)
{
	int sets = bh_core_map(core, "bh_chunks"), result = 0;
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
	return result ? result : bh_core_forget(core, 0, err);
}

int bh_core_slot_free(struct bh_core *core, uint32_t *ret_slot)
{
	int fd = bh_core_map(core, "bh_policies");
	__u32 id;

	for (uint32_t slot = 1; slot < BH_POLICIES_MAX; slot++) {
		if (bpf_map_lookup_elem(fd, &slot, &id)) {
			*ret_slot = slot;
			return errno == ENOENT ? 0 : -errno;
		}
	}
	return -ENOSPC;
}

void bh_core_withdraw(struct bh_core *core, uint32_t slot)
{
	__u32 more = bh_slot_more(core, slot);

	bpf_map_delete_elem(bh_core_map(core, "bh_policies"), &slot);
	if (more)
		bpf_map_delete_elem(bh_core_map(core, "bh_chunks"), &more);
}
