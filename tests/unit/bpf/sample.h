/* SPDX-License-Identifier: GPL-2.0-only */
/* One compiled policy with a floor, a guard, an edge, helpers and networks, for the tests of the verdict. */
#ifndef TESTS_UNIT_BPF_SAMPLE_H
#define TESTS_UNIT_BPF_SAMPLE_H

#include "tests/unit/compile/build.h"

#include "bpf/lib/decide.h"
#include "policy/parse.h"

#define WORKER 1u
#define GIT 2u

static struct bh_compiled *compiled;
static const struct bh_policy *policy;
static struct bh_floor_net floor_net;
static struct bh_path_bytes bytes;

static inline struct bh_source_policy source(void)
{
	static struct bh_tool tools[2];
	static struct bh_destination destinations[2];
	static struct bh_cidr cidrs[5];
	static struct bh_port_range ports[2] = { { .low = 443, .high = 443 }, { .low = 8000, .high = 8010 } };
	struct bh_source_policy from;

	tools[0] =
		build_tool((struct build_tool){ .name = "worker",
						.binaries = "/usr/bin/worker",
						.may_run = "git",
						.helpers = "/usr/bin/cat",
						.read = "/work/** /home/** /lib/** /proc/self/** /proc/12/x /dev/* /",
						.write = "/work/** /home/me/** /dev/*" });
	tools[1] = build_tool((struct build_tool){ .name = "git",
						   .binaries = "/usr/bin/git",
						   .helpers = "/usr/bin/dash /usr/bin/n* /usr/lib/git/**",
						   .read = "/work/** /etc/git /usr/bin/never-*",
						   .reach = "forge cloud" });
	tools[1].jit = true;
	cidrs[0] = build_cidr("10.1.0.0", 16);
	cidrs[1] = build_cidr("2001:db8::", 32);
	cidrs[2] = build_cidr("64:ff9b::", 96);
	cidrs[3] = build_cidr("::ffff:11.0.0.0", 104);
	cidrs[4] = build_cidr("169.254.0.0", 16);
	destinations[0] = (struct bh_destination){
		.name = build_word("forge"), .cidrs = { cidrs, 4 }, .ports = { ports, 2 }, .protocol = IPPROTO_TCP
	};
	destinations[1] = (struct bh_destination){
		.name = build_word("cloud"), .cidrs = { &cidrs[4], 1 }, .ports = { ports, 1 }, .protocol = IPPROTO_TCP
	};
	from = build_policy(tools, 2);
	from.destinations = destinations;
	from.destinations_count = 2;
	from.never_read = build_words("/work/own");
	from.never_run = build_words("/usr/bin/never-* /usr/lib/git/never");
	return from;
}

static inline int set_up(void **state)
{
	static struct bh_prohibition floors[1], guards[1];
	struct bh_source_policy from = source();
	struct bh_shipped *shipped = NULL, here;
	struct bh_diags *diags = bh_diags_new("sample", "", 0);

	assert_int_equal(bh_shipped_load(&shipped, NULL), 0);
	assert_int_equal(bh_floor_compile(shipped, &floor_net, NULL), 0);
	here = *shipped;
	floors[0] = (struct bh_prohibition){ build_word("machine"), build_words("/dev/mem /lib/floor"),
					     build_words("/dev/mem /dev/kmsg /proc/sys/**") };
	guards[0] = (struct bh_prohibition){ build_word("keys"), build_words("/home/*/.ssh/** /work/secret"),
					     build_words("/home/*/.ssh/** /work/.git/config /home/me/rc") };
	here.floors = floors;
	here.floors_count = 1;
	here.guards = guards;
	here.guards_count = 1;

	assert_int_equal(bh_compile(&from, &here, NULL, diags, &compiled), 0);
	policy = bh_compiled_tables(compiled);
	bh_diags_free(diags);
	bh_shipped_free(shipped);
	return 0;
}

static inline int tear_down(void **state)
{
	bh_compiled_free(compiled);
	return 0;
}

static inline const struct bh_path_question *at(const char *path, uint32_t self)
{
	static struct bh_path_question question;

	memset(&bytes, 0xff, sizeof(bytes)); /* what lies behind the path must not matter */
	memcpy(bytes.bytes, path, strlen(path));
	question = (struct bh_path_question){ &bytes, (uint32_t)strlen(path), self };
	return &question;
}

#endif
