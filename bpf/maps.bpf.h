/* SPDX-License-Identifier: GPL-2.0-only */
/* Every map. Weak, so that each object may define them and the linker keeps one. */
#ifndef BH_MAPS_BPF_H
#define BH_MAPS_BPF_H

#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/lib/inline.h"

#define BH_SCRATCHES 16

/* One hook's working memory: the record it may send, whose path buffer is also where the path is read. */
struct bh_scratch {
	__u32 busy;
	__u32 at; /* where the path that is being put together begins, in event.path */
	__u64 dentry, mount; /* how far up that is */
	struct bh_event event;
	__u8 tail[264]; /* so that a masked index plus one component, or one argument, stays inside */
};

struct bh_policy_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	/* sizes, not types: clang leaves out the body of a type that one of the objects only points to */
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct bh_policy));
};

/* slot -> the compiled policy; filled whole, then switched by one update */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, BH_POLICIES_MAX);
	__type(key, __u32);
	__array(values, struct bh_policy_map);
} bh_policies SEC(".maps") __weak;

struct bh_chunk_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_INNER_MAP); /* sets may differ in size */
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct bh_chunk));
};

/* a policy's head.more -> its blocks behind the first; filled before the policy is, taken away after */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, BH_CHUNK_SETS_MAX);
	__type(key, __u32);
	__array(values, struct bh_chunk_map);
} bh_chunks SEC(".maps") __weak;

/* the address floor; written once, then frozen */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bh_floor_net);
} bh_floor SEC(".maps") __weak;

/* cgroup id -> index into bh_sandboxes */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, BH_SANDBOXES_MAX);
	__type(key, __u64);
	__type(value, __u32);
} bh_cgroups SEC(".maps") __weak;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, BH_SANDBOXES_MAX);
	__type(key, __u32);
	__type(value, struct bh_sandbox);
} bh_sandboxes SEC(".maps") __weak;

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct bh_label);
} bh_labels SEC(".maps") __weak;

/* inode -> who was let open it; goes with the inode */
struct {
	__uint(type, BPF_MAP_TYPE_INODE_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct bh_object);
} bh_objects SEC(".maps") __weak;

/* socket -> whose it is and whom it talks to; goes with the socket */
struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC | BPF_F_CLONE);
	__type(key, int);
	__type(value, struct bh_socket);
} bh_flows SEC(".maps") __weak;

/* who has sent datagrams to a port that a tool may listen on */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, BH_SENDERS_MAX);
	__type(key, struct bh_sender);
	__type(value, __u32);
} bh_senders SEC(".maps") __weak;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bh_state);
} bh_state SEC(".maps") __weak;

/* the last serial that a sandbox was given; only the programs write it */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} bh_serial SEC(".maps") __weak;

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, BH_COUNTS);
	__type(key, __u32);
	__type(value, __u64);
} bh_counts SEC(".maps") __weak;

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, BH_SCRATCHES);
	__type(key, __u32);
	__type(value, struct bh_scratch);
} bh_scratches SEC(".maps") __weak;

struct bh_ring {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 20);
};

/* sandbox -> where its records go; whoever watches the sandbox puts its own ring there, one for many if it likes */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, BH_SANDBOXES_MAX);
	__type(key, __u32);
	__array(values, struct bh_ring);
} bh_rings SEC(".maps") __weak;

static BH_INLINE void bh_count(__u32 what)
{
	__u64 *counter = bpf_map_lookup_elem(&bh_counts, &what);

	if (counter)
		__sync_fetch_and_add(counter, 1);
}

#endif
