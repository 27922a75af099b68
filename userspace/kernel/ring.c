/* SPDX-License-Identifier: GPL-2.0-only */
/* A ring of this process's own, and reading it. */
#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>

#include "kernel/core.h"
#include "kernel/private.h"

#define BH_RING_BYTES (1u << 20)

static int bh_ring_sample(void *data, void *bytes, size_t length)
{
	struct bh_core *core = data;

	if (core->receive)
		core->receive(core->receive_data, bytes, length);
	return 0;
}

int bh_core_ring(struct bh_core *core, struct bh_err *err)
{
	if (core->ring)
		return core->ring_fd;
	core->ring_fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "bh_ring", 0, 0, BH_RING_BYTES, NULL);
	if (core->ring_fd >= 0)
		core->ring = ring_buffer__new(core->ring_fd, bh_ring_sample, core, NULL);
	if (!core->ring)
		return bh_err_set(err, errno, "cannot make a ring for records: %s", strerror(errno));
	return core->ring_fd;
}

int bh_core_events_fd(struct bh_core *core)
{
	return core->ring ? ring_buffer__epoll_fd(core->ring) : -ENOENT;
}

int bh_core_events_read(struct bh_core *core, void (*receive)(void *data, const void *bytes, size_t length), void *data)
{
	int result;

	if (!core->ring)
		return -ENOENT;
	core->receive = receive;
	core->receive_data = data;
	result = ring_buffer__consume(core->ring);
	core->receive = NULL;
	return result;
}
