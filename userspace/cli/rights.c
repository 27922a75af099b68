/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/rights.h"

#include <cap-ng.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "bpf/abi.h"

#define BH_CLONE_NAMESPACES 0x7e020080u /* CLONE_NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET */
#define BH_PERSONALITY_ASK 0xffffffffu
#define BH_X32_BIT 0x40000000u

/* Numbers of one architecture's calls. */
struct bh_calls {
	uint32_t arch;
	uint32_t personality, unshare, setns, swapon, swapoff, open_by_handle;
};

static const struct bh_calls bh_architectures[] = {
#if defined(__x86_64__)
	{ AUDIT_ARCH_X86_64, SYS_personality, SYS_unshare, SYS_setns, SYS_swapon, SYS_swapoff, SYS_open_by_handle_at },
	{ AUDIT_ARCH_I386, 136, 310, 346, 87, 115, 342 },
#elif defined(__aarch64__)
	{ AUDIT_ARCH_AARCH64, SYS_personality, SYS_unshare, SYS_setns, SYS_swapon, SYS_swapoff, SYS_open_by_handle_at },
	{ AUDIT_ARCH_ARM, 136, 337, 375, 87, 115, 371 },
#else
#error "the numbers of this architecture's system calls are missing"
#endif
};

#define BH_FILTER_MAX 64

/* A filter that grows. The jumps are short: each check is over before the next begins. */
struct bh_filter {
	struct sock_filter code[BH_FILTER_MAX];
	unsigned short length;
};

static void put(struct bh_filter *f, uint16_t code, uint32_t value, uint8_t yes, uint8_t no)
{
	if (f->length < BH_FILTER_MAX)
		f->code[f->length++] = (struct sock_filter)BPF_JUMP(code, value, yes, no);
}

static void load(struct bh_filter *f, uint32_t offset)
{
	put(f, BPF_LD | BPF_W | BPF_ABS, offset, 0, 0);
}

static void answer(struct bh_filter *f, uint32_t value)
{
	put(f, BPF_RET | BPF_K, value, 0, 0);
}

/* With the call's number loaded: this one is refused. */
static void refuse(struct bh_filter *f, uint32_t call)
{
	put(f, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
	answer(f, SECCOMP_RET_ERRNO | EPERM);
}

#define BH_FIRST_ARGUMENT ((uint32_t)offsetof(struct seccomp_data, args)) /* its low half, on little-endian machines */
#define BH_NUMBER ((uint32_t)offsetof(struct seccomp_data, nr))

/* Only asking, and the usual personality. */
static void refuse_personality(struct bh_filter *f, const struct bh_calls *calls)
{
	put(f, BPF_JMP | BPF_JEQ | BPF_K, calls->personality, 0, 5);
	load(f, BH_FIRST_ARGUMENT);
	put(f, BPF_JMP | BPF_JEQ | BPF_K, BH_PERSONALITY_ASK, 2, 0);
	put(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
	answer(f, SECCOMP_RET_ERRNO | EPERM);
	answer(f, SECCOMP_RET_ALLOW);
}

static void refuse_unshare(struct bh_filter *f, const struct bh_calls *calls)
{
	put(f, BPF_JMP | BPF_JEQ | BPF_K, calls->unshare, 0, 4);
	load(f, BH_FIRST_ARGUMENT);
	put(f, BPF_JMP | BPF_JSET | BPF_K, BH_CLONE_NAMESPACES, 0, 1);
	answer(f, SECCOMP_RET_ERRNO | EPERM);
	answer(f, SECCOMP_RET_ALLOW);
}

static bool may(const struct bh_rights *rights, unsigned int operation)
{
	return rights->operations >> operation & 1;
}

static void filter_one(struct bh_filter *f, const struct bh_rights *rights, const struct bh_calls *calls)
{
	refuse(f, calls->swapon);
	refuse(f, calls->swapoff);
	refuse(f, calls->open_by_handle);
	/* without that capability both fail by themselves, and are told as events where a hook sees them */
	if (!may(rights, BH_PRIVILEGE_NAMESPACES) && rights->capabilities >> CAP_SYS_ADMIN & 1) {
		refuse(f, calls->setns);
		refuse_unshare(f, calls);
	}
	if (!may(rights, BH_PRIVILEGE_PERSONALITY))
		refuse_personality(f, calls);
	answer(f, SECCOMP_RET_ALLOW);
}

static int filter_install(const struct bh_rights *rights)
{
	struct bh_filter whole = {};
	struct sock_fprog program;

	for (size_t i = 0; i < sizeof(bh_architectures) / sizeof(bh_architectures[0]); i++) {
		struct bh_filter one = {};

		filter_one(&one, rights, &bh_architectures[i]);
		load(&whole, (uint32_t)offsetof(struct seccomp_data, arch));
		put(&whole, BPF_JMP | BPF_JEQ | BPF_K, bh_architectures[i].arch, 0, (uint8_t)(one.length + 2));
		load(&whole, BH_NUMBER);
		put(&whole, BPF_ALU | BPF_AND | BPF_K, ~BH_X32_BIT, 0, 0);
		for (unsigned short at = 0; at < one.length && whole.length < BH_FILTER_MAX; at++)
			whole.code[whole.length++] = one.code[at];
	}
	answer(&whole, SECCOMP_RET_ERRNO | EPERM); /* calls of an architecture whose numbers we do not know */
	if (whole.length == BH_FILTER_MAX)
		return -E2BIG;
	program = (struct sock_fprog){ .len = whole.length, .filter = whole.code };
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) ? -errno : 0;
}

int bh_rights_drop(const struct bh_rights *rights)
{
	int result;

	if (!may(rights, BH_PRIVILEGE_SETUID_EXEC) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	result = filter_install(rights);
	if (result)
		return result;
	capng_clear(CAPNG_SELECT_ALL);
	for (unsigned int number = 0; number < 64; number++)
		if (rights->capabilities >> number & 1 &&
		    capng_update(CAPNG_ADD, CAPNG_EFFECTIVE | CAPNG_PERMITTED | CAPNG_INHERITABLE | CAPNG_BOUNDING_SET,
				 number))
			return -EINVAL;
	return capng_apply(CAPNG_SELECT_ALL) ? -EPERM : 0;
}
