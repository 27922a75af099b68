// SPDX-License-Identifier: GPL-2.0-only
#include "drill/uring.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *map(int ring, size_t length, off_t what)
{
	void *at = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring, what);

	return at == MAP_FAILED ? NULL : at;
}

int try_uring_open(const char *path)
{
	struct io_uring_params params = { 0 };
	int ring = (int)syscall(SYS_io_uring_setup, 1, &params);
	uint8_t *submissions, *completions;
	struct io_uring_sqe *entry;
	uint32_t *array, *tail;

	if (ring < 0)
		return -errno;
	submissions = map(ring, params.sq_off.array + params.sq_entries * sizeof(uint32_t), IORING_OFF_SQ_RING);
	completions =
		map(ring, params.cq_off.cqes + params.cq_entries * sizeof(struct io_uring_cqe), IORING_OFF_CQ_RING);
	entry = map(ring, params.sq_entries * sizeof(*entry), IORING_OFF_SQES);
	if (!submissions || !completions || !entry)
		return -errno;
	*entry = (struct io_uring_sqe){ .opcode = IORING_OP_OPENAT,
					.fd = AT_FDCWD,
					.addr = (uint64_t)(uintptr_t)path,
					.open_flags = O_RDONLY | O_CLOEXEC };
	array = (uint32_t *)(void *)(submissions + params.sq_off.array);
	tail = (uint32_t *)(void *)(submissions + params.sq_off.tail);
	array[0] = 0;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0)
		return -errno;
	return ((struct io_uring_cqe *)(void *)(completions + params.cq_off.cqes))->res;
}
