/* SPDX-License-Identifier: GPL-2.0-only */
/* Questions to the verdict program: no hook takes part. */
#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "kernel/core.h"
#include "kernel/private.h"

static int open_map(struct bh_core *core)
{
	int fd = bh_core_map(core, "bh_asked");
	struct bpf_map_info info = {};
	__u32 length = sizeof(info);
	void *memory;

	if (core->asked)
		return 0;
	if (bpf_obj_get_info_by_fd(fd, &info, &length))
		return -errno;
	memory = mmap(NULL, info.max_entries * sizeof(*core->asked), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		return -errno;
	core->asked = memory;
	core->asked_count = info.max_entries;
	return 0;
}

void bh_core_ask_done(struct bh_core *core)
{
	if (core->asked)
		munmap(core->asked, core->asked_count * sizeof(*core->asked));
	core->asked = NULL;
}

int bh_core_entries(struct bh_core *core, struct bh_ask_entry **ret_entries, size_t *ret_count)
{
	int result = open_map(core);

	if (result)
		return result;
	*ret_entries = core->asked;
	*ret_count = core->asked_count;
	return 0;
}

int bh_core_ask_many(struct bh_core *core, uint32_t count)
{
	struct bh_ask_range range = { .count = count };
	LIBBPF_OPTS(bpf_test_run_opts, options, .ctx_in = &range, .ctx_size_in = sizeof(range));

	if (bpf_prog_test_run_opts(bh_fds_find(&core->programs, "bh_ask"), &options))
		return -errno;
	return 0;
}

int bh_core_ask(struct bh_core *core, struct bh_question *question, const struct bh_texts *texts)
{
	int result = open_map(core);

	if (result)
		return result;
	core->asked->question = *question;
	core->asked->answered = 0;
	if (texts)
		core->asked->texts = *texts;
	result = bh_core_ask_many(core, 1);
	if (result)
		return result;
	*question = core->asked->question;
	return core->asked->answered == 1 ? 0 : -EINVAL;
}
