/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The part of the ABI by which userspace asks the verdict program, without any hook. Included by abi.h. */
#ifndef BH_ASK_H
#define BH_ASK_H

#include "bpf/abi.h"

/*
 * One question to the verdict program, run by BPF_PROG_RUN, and its texts. A text that is longer than it may be has a length
 * that says so, and any bytes.
 */
struct bh_texts {
	__u8 text[BH_PATH_MAX]; /* a path, or a name; host names back to front */
	__u8 args[BH_ARGS_MAX];
	__u8 env[BH_ENV_MAX];
};

struct bh_question {
	__u32 slot;
	__u32 kind; /* BH_KIND_*, BH_ASK_* */
	__u32 tool, access, self;
	__u32 text_length, args_length, env_length;
	__u8 address[16];
	__u16 port; /* host byte order */
	__u8 family; /* 4 or 6 */
	__u8 protocol;
	__u32 number; /* of an operation or a capability */
	__u8 sha256[32]; /* of the program's file */
	__u32 content_known; /* 0: the file's content is not asked about */
	__u32 reason, to, rule; /* the answer */
};

/* One of many questions that one run answers; they lie in the map bh_asked. */
struct bh_ask_entry {
	struct bh_question question;
	__u32 answered; /* 1: the answer is there; 2: no such kind; 0: no such policy */
	__u32 pad0;
	struct bh_texts texts;
};
#define BH_ASKED_MAX 256u /* entries, where the verdict program is loaded; else one */

/* Which of the entries a run answers. */
struct bh_ask_range {
	__u32 first, count;
};

/* Kinds of question that no event has. */
#define BH_ASK_HOST 128u /* text: a name that is connected to; port, protocol */
#define BH_ASK_DNS 129u /* text: a name that is asked for */
#define BH_ASK_ANSWER 130u /* text: that name; address: what a resolver says that it has */
#define BH_ASK_LISTEN 131u /* port, protocol */
#define BH_ASK_ABSTRACT 132u /* text: an abstract socket's name */
#define BH_ASK_UNIX_LISTEN 133u /* text: a socket's path; connecting is BH_KIND_UNIX_CONNECT */
#define BH_ASK_PRIVILEGE 134u /* number: BH_PRIVILEGE_* */
#define BH_ASK_CAPABILITY 135u /* number: CAP_* */
#define BH_ASK_JIT 136u

_Static_assert(sizeof(struct bh_question) == 104, "abi");

#endif
