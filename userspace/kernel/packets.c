/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The programs on packets: attached to a sandbox's cgroup, not to the whole machine. Of a standing set what attaches them is
 * pinned in its folder packets, under the sandbox's number.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "kernel/core.h"
#include "kernel/private.h"

static const struct {
	const char *program;
	enum bpf_attach_type type;
} bh_packet_programs[] = {
	{ "bh_egress", BPF_CGROUP_INET_EGRESS },
	{ "bh_ingress", BPF_CGROUP_INET_INGRESS },
};

bool bh_program_on_packets(const struct bpf_program *program)
{
	return bpf_program__type(program) == BPF_PROG_TYPE_CGROUP_SKB;
}

static void bh_packets_pin(const struct bh_core *core, uint32_t number, const char *program, char *ret_path,
			   size_t size)
{
	snprintf(ret_path, size, "%s/packets/%u-%s", core->folder, number, program);
}

/* Pinned, or, of a set that is not, held by the core. */
static int bh_packets_keep(struct bh_core *core, uint32_t number, const char *program, int link)
{
	char path[PATH_MAX];
	int result;

	if (!core->folder[0])
		return bh_fds_add(&core->links, program, link);
	snprintf(path, sizeof(path), "%s/packets", core->folder);
	result = mkdir(path, 0700) && errno != EEXIST ? -errno : 0;
	bh_packets_pin(core, number, program, path, sizeof(path));
	if (!result && bpf_obj_pin(link, path))
		result = -errno;
	close(link);
	return result;
}

int bh_core_attach_packets(struct bh_core *core, uint32_t number, const struct bh_cgroup *cgroup, struct bh_err *err)
{
	BH_CLOSE int fd = open(cgroup->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int result = 0;

	if (fd < 0)
		return bh_err_set(err, errno, "cannot open %s: %s", cgroup->path, strerror(errno));
	for (size_t i = 0; !result && i < BH_COUNT_OF(bh_packet_programs); i++) {
		const char *program = bh_packet_programs[i].program;
		int link = bpf_link_create(bh_fds_find(&core->programs, program), fd, bh_packet_programs[i].type, NULL);

		result = link < 0 ? -errno : bh_packets_keep(core, number, program, link);
		if (result)
			bh_err_set(err, -result, "cannot attach %s to %s: %s", program, cgroup->path,
				   strerror(-result));
	}
	return result;
}

void bh_core_detach_packets(struct bh_core *core, uint32_t number)
{
	char path[PATH_MAX];

	for (size_t i = 0; core->folder[0] && i < BH_COUNT_OF(bh_packet_programs); i++) {
		bh_packets_pin(core, number, bh_packet_programs[i].program, path, sizeof(path));
		unlink(path);
	}
}
