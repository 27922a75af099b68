/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The environment of a program that is about to start as another tool. Variables that the dynamic loader obeys would let the
 * tool that starts it choose what code runs with the new one's rights (policy.md 4.3).
 */
#ifndef BH_LIB_ENVIRON_BPF_H
#define BH_LIB_ENVIRON_BPF_H

#include "bpf/lib/path.bpf.h"

#define BH_STRINGS_MAX 131072 /* pieces of arguments and environment looked at; more ends the exec */

/* The strings lie one behind the other in the new program's memory: bprm->argc arguments, then bprm->envc variables. */
struct bh_strings {
	struct bh_scratch *scratch;
	__u64 at;
	__u32 arguments, variables; /* left to pass */
	__u32 inside; /* the next piece continues a string that was longer than the buffer */
	__u32 result;
};
#define BH_STRINGS_CLEAN 1u
#define BH_STRINGS_LOADER 2u /* the buffer begins with the variable */

static BH_INLINE int bh_begins(const __u8 *string, const char *name, __u32 length)
{
	for (__u32 i = 0; i < length; i++) {
		if (string[i] != (__u8)name[i])
			return 0;
	}
	return 1;
}

static BH_INLINE int bh_is_loader_variable(const __u8 *string)
{
	return bh_begins(string, "LD_", 3) || bh_begins(string, "GLIBC_TUNABLES=", 15) ||
	       bh_begins(string, "GCONV_PATH=", 11) || bh_begins(string, "MALLOC_", 7) ||
	       bh_begins(string, "LOCPATH=", 8) || bh_begins(string, "NLSPATH=", 8);
}

/* bpf_loop step: one string, or one buffer full of it. Returns 1 to end. */
static long bh_string_step(__u32 index, struct bh_strings *this)
{
	struct bh_scratch *scratch = this->scratch;
	long length;

	if (!this->arguments && !this->variables) {
		this->result = BH_STRINGS_CLEAN;
		return 1;
	}
	length = bpf_probe_read_user_str(scratch->event.path, BH_PATH_MAX, (void *)this->at);
	if (length <= 0)
		return 1;
	if (!this->arguments && !this->inside && bh_is_loader_variable(scratch->event.path)) {
		this->result = BH_STRINGS_LOADER;
		return 1;
	}
	if (length == BH_PATH_MAX) {
		/* cut: the last byte is a NUL of the helper's own */
		this->at += length - 1;
		this->inside = 1;
		return 0;
	}
	this->at += length;
	this->inside = 0;
	if (this->arguments)
		this->arguments--;
	else
		this->variables--;
	return 0;
}

/* 0: nothing in it; else the reason to end the exec, and the variable's name is the case's path. */
static BH_INLINE __u32 bh_environment_judge(struct bh_case *this, struct linux_binprm *bprm)
{
	struct bh_event *event = &this->scratch->event;
	struct bh_strings strings = {
		.scratch = this->scratch, .at = bprm->p, .arguments = bprm->argc, .variables = bprm->envc
	};

	bpf_loop(BH_STRINGS_MAX, bh_string_step, &strings, 0);
	if (strings.result == BH_STRINGS_CLEAN)
		return 0;
	if (strings.result != BH_STRINGS_LOADER)
		return BH_REASON_R1;
	for (__u32 i = 0; i < 64; i++) {
		if (event->path[i] == '=' || !event->path[i]) {
			event->path[i] = '\0';
			event->path_length = i + 1;
			break;
		}
	}
	return BH_REASON_X5;
}

#endif
