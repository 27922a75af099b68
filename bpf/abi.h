/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the kernel programs and userspace agree on: the compiled policy, the maps' keys and values, the event.
 * The only header that both sides include. Fixed-width integers and byte arrays only, padding named and zeroed,
 * numbers assigned by hand, 0 invalid. Change a layout: raise BH_ABI_VERSION, which is checked at load.
 */
#ifndef BH_ABI_H
#define BH_ABI_H

#include <linux/types.h>

#define BH_ABI_VERSION 11u

#define BH_PATH_MAX 4096u /* bytes a path may have, its NUL included */
#define BH_TOOLS_MAX 32u /* tools are numbered 1..32; a set of tools is one __u32, tool t = bit t-1 */
#define BH_TOOL_NONE 0u /* a task that has entered a sandbox but not started its first program */
#define BH_TOOL_SLOTS 64u /* entries of a table by tool: a power of two, so that the programs mask the index */
#define BH_TOOL_ATTACH 62u /* a session that joins a running sandbox, before its first program */

/* ---- Verdicts ---- */
#define BH_VERDICT_ALLOW 1u
#define BH_VERDICT_DENY 2u
#define BH_VERDICT_KILL 3u /* deny, and end the whole sandbox */
#define BH_VERDICT_FREEZE 4u /* deny, and stop the whole sandbox as it is */
#define BH_VERDICT_TASK 5u /* end the process: what is known too late to be refused */

#define BH_MODE_ENFORCE 1u
#define BH_MODE_OBSERVE 2u /* floors enforced, everything else only reported */
#define BH_MODE_GRACE 3u /* floors and prohibitions enforced, what no rule allows only reported, until a date */

/* Response classes (policy key `respond`). */
#define BH_CLASS_FLOOR 1u
#define BH_CLASS_EXEC 2u
#define BH_CLASS_FILES 3u
#define BH_CLASS_NETWORK 4u
#define BH_CLASS_PRIVILEGES 5u
#define BH_CLASS_ARGS 6u
#define BH_CLASSES 7u
#define BH_CLASS_SLOTS 8u

/* How much is looked at; more of it matches no rule that speaks of it. */
#define BH_ARGS_MAX 4096u /* bytes of all arguments but the first, each with its NUL */
#define BH_ARGS_WORDS_MAX 64u
#define BH_ARGS_WORD_MAX 256u /* bytes of one of them, without its NUL */
#define BH_ENV_MAX 16384u /* bytes of all variables, each with its NUL */
#define BH_NAME_MAX 253u /* bytes of a host name */

/* Which host names may be asked of a resolver. */
#define BH_NAMES_NONE 1u
#define BH_NAMES_LISTED 2u /* those that the tool may reach */
#define BH_NAMES_ANY 3u

#define BH_PRIVILEGE(bit, id, name, floor, text) BH_PRIVILEGE_##id = bit,
enum bh_privilege {
#include "../rules/privileges.def"
};
#undef BH_PRIVILEGE

#define BH_REASON(number, code, class, text) BH_REASON_##code = number,
enum bh_reason {
	BH_REASON_NONE = 0,
#include "../rules/reasons.def"
};
#undef BH_REASON

/* ---- The automaton: paths, addresses, names, arguments, environments are all byte strings ----
 * A state is the index of its head cell. Cell s is the head {check = BH_CELL_HEAD | accept id, next = where every byte
 * without a cell of its own leads}; the move on byte b lies at cell s+1+b and counts only if its check is s.
 * State 0 is dead: accept 0, next 0. Rows overlap (comb compression), so size grows with the moves, not states x 256.
 *
 * Cells lie in chunks, because no map value may exceed 4 MiB: cell s in chunk s / BH_CHUNK_CELLS. A row lies in one chunk,
 * its head and all its moves; `next` may lead into another. The addresses' rows all lie in the first.
 */
struct bh_cell {
	__u32 check;
	__u32 next;
};
#define BH_CELL_HEAD 0x80000000u
#define BH_STATE_DEAD 0u
#define BH_CHUNK_CELLS 131072u /* a power of two: the walk masks every index */
#define BH_CHUNKS_MAX 64u /* of cells, per policy */

struct bh_chunk {
	struct bh_cell cells[BH_CHUNK_CELLS];
};

/* ---- Compiled policy: one immutable value, published whole ---- */
#define BH_ACCEPTS_FIRST 2048u /* in struct bh_policy; what goes beyond them is in pages behind the chunks */
#define BH_ACCEPTS_PAGE 16384u /* a power of two; a page is as large as a chunk */
#define BH_ACCEPT_PAGES_MAX 8u
#define BH_ACCEPTS_MAX (BH_ACCEPTS_FIRST + BH_ACCEPT_PAGES_MAX * BH_ACCEPTS_PAGE)
#define BH_EDGE_ROWS_MAX 256u
#define BH_NET_ROWS_MAX 512u
#define BH_RANGES_MAX 1024u
#define BH_RANGES_EACH 64u /* of one tool at one address: the verdict looks at no more */

/*
 * What one accepting state of the path automaton means, for all tools at once. A bit set: the tool may. Abstract socket
 * names have an automaton of their own, of whose accepts only the last two sets are used.
 */
struct bh_accept {
	__u32 read;
	__u32 write;
	__u32 never_read; /* policy or guard forbids, beats read */
	__u32 never_write;
	__u32 load; /* map it as code: of the tools in head.load_listed; the others load what they read and nobody writes */
	__u32 load_written; /* of those: also what a sandbox wrote, the policy says why */
	__u32 helper; /* executing it keeps the tool, whatever the arguments */
	__u32 image; /* executing it can lead to the tool */
	__u32 unix_connect, unix_listen;
	__u16 edge_row; /* into edges[]; 0: nobody may execute it */
	__u8 floor; /* BH_FLOOR_* */
	__u8 pad0;
	__u32 never_read_rule, never_write_rule; /* index + 1 into the rule list, 0: none */
	__u32 never_run_rule; /* as these; not 0: nobody may execute it, and edge_row is 0 */
};
#define BH_FLOOR_READ 1u
#define BH_FLOOR_WRITE 2u
#define BH_FLOOR_PINNED 4u /* forbidden names lie below: as a directory it keeps its name */

/*
 * Row of exec edges: what tool t becomes by executing this file. A tool; BH_NEXT_CHOICE | index into choices[], when that
 * depends on arguments, environment or content; 0: no edge. to[0]: the entry edge.
 */
struct bh_edge_row {
	__u16 to[BH_TOOL_SLOTS];
};
#define BH_NEXT_CHOICE 0x8000u

/* One tool that an edge can lead to, and what it asks for. */
struct bh_way {
	__u32 env_start; /* state to begin the environment in; accepted: it is right. 0: any environment is */
	__u32 rule; /* index + 1 */
	__u16 hash; /* into hashes[]; 0: any content */
	__u8 to; /* 0: no such way */
	__u8 pad0;
};

#define BH_WAYS 4u /* a set of ways: way w = bit w */
#define BH_CHOICES_MAX 1024u
#define BH_HASHES_MAX 256u

struct bh_choice {
	__u32 args_start; /* state to begin the arguments in; the accept id is the set of ways that they fit. 0: no way asks */
	__u32 targets; /* tools that the ways lead to */
	__u8 args_any; /* ways that take any arguments */
	__u8 count; /* of ways */
	__u8 pad0[2];
	struct bh_way ways[BH_WAYS];
};

/*
 * What one accepting state of the automata over addresses and host names means: range_first[t], range_count[t] into
 * ranges[]. One row is what tools may listen on.
 */
struct bh_net_row {
	__u16 range_first[BH_TOOL_SLOTS];
	__u8 range_count[BH_TOOL_SLOTS];
	__u8 resolved[BH_TOOL_SLOTS]; /* of a name, by tool: into resolved[] */
	__u32 never_rule; /* of an address: index + 1 of the rule by which it is nobody's, whatever the ranges say */
	__u8 floor; /* of a name: 1: never to be asked for */
	__u8 pad0[3];
};

/* Networks that are no global addresses and where a name may lie nevertheless: states to begin in; accepted: it may. */
struct bh_resolved {
	__u32 net4_start, net6_start;
};
#define BH_RESOLVED_MAX 256u

struct bh_range {
	__u16 low, high; /* ports, both included, host byte order */
	__u8 protocol; /* IPPROTO_* */
	__u8 pad0[3];
};

struct bh_policy_head {
	__u32 abi; /* BH_ABI_VERSION */
	__u8 mode;
	__u8 tools; /* how many */
	__u8 entry; /* tool id of the first program: always 1 */
	__u8 dns; /* BH_NAMES_* */
	__u8 modes[BH_CLASS_SLOTS]; /* by class; 0: as mode */
	__u32 path_start, net4_start, net6_start; /* automaton states to begin in */
	__u32 self_start; /* the state after "/proc/self" */
	__u32 names_start; /* of host names, last byte first, in small letters, without a dot at the end */
	__u32 abstract_start; /* of abstract socket names, without the leading NUL */
	__u32 obeyed_start[BH_TOOL_SLOTS]; /* of environments, by next tool: accepted without what its programs obey */
	__u32 cells, accepts, edge_rows, net_rows, ranges, choices, hashes,
		resolved; /* used entries, index 0 of each table included */
	__u32 jit; /* tools that may run code in memory that they can change */
	__u32 load_listed; /* tools whose policy lists what they may map as code */
	__u32 listen_row; /* into nets[]: ports to listen on */
	__u32 chunks; /* of cells, at least 1 */
	__u32 blocks; /* chunks, and behind them the pages of accepts */
	__u32 more; /* key in the map bh_chunks, 0: one chunk is all; set when the policy is published, 0 before */
	__u64 operations; /* BH_PRIVILEGE_* as bits */
	__u64 capabilities; /* CAP_* as bits */
	__u64 grace_until_ns; /* CLOCK_BOOTTIME; set when the policy is published, 0 before: mode grace is over */
	__u8 hash[32]; /* SHA-256 of the canonical JSON */
	__u8 respond[BH_TOOL_SLOTS][BH_CLASS_SLOTS]; /* by tool and class: BH_VERDICT_* but ALLOW */
};

struct bh_policy {
	struct bh_policy_head head;
	struct bh_accept accepts[BH_ACCEPTS_FIRST];
	struct bh_edge_row edges[BH_EDGE_ROWS_MAX];
	struct bh_choice choices[BH_CHOICES_MAX];
	__u8 hashes[BH_HASHES_MAX][32]; /* SHA-256 of files; [0] is nothing */
	struct bh_net_row nets[BH_NET_ROWS_MAX];
	struct bh_range ranges[BH_RANGES_MAX];
	struct bh_resolved resolved[BH_RESOLVED_MAX]; /* [0]: none */
	struct bh_chunk
		chunk; /* the first block. The others: natively right behind this struct, in the kernel in bh_chunks */
};

/* ---- Running state ---- */
#define BH_SANDBOXES_MAX 16384u
#define BH_POLICIES_MAX 1024u
#define BH_CHUNK_SETS_MAX                                                                                              \
	(2u * BH_POLICIES_MAX + 1) /* two a slot, so that a new policy is filled beside the old; 0 unused */
#define BH_DEPTH_MAX 32u /* a sandbox's cgroup may lie at most this deep, the root being 0 */

#define BH_SANDBOX_NAME 64u
#define BH_SANDBOX_BOUND 1u /* the policy is in force */
#define BH_SANDBOX_ENTERED 2u /* its first program has started: nobody else may enter */
#define BH_SANDBOX_STOPPED 4u /* a violation with response kill: everything is denied from now on, and who asks ends */
#define BH_SANDBOX_FROZEN 8u /* a violation with response freeze: everything is denied from now on */

/* One governed cgroup. Index 0 of the map is unused. */
struct bh_sandbox {
	__u64 cgroup_id;
	__u32 policy; /* slot */
	__u32 flags;
	__u32 level; /* the cgroup's depth, the root's being 0; the programs set it when the first task enters */
	__u32 pad0;
	__u64 root_dentry, root_mount; /* kernel addresses, kept as identities: the root its first program had */
	__u32 filters; /* seccomp filters that its first program had */
	__u32 serial; /* of what is remembered; the programs give a new one when that may hold no longer; 0: nothing is */
	__u64 events, lost, denied; /* lost: events that found no ring, or it full */
	__u8 name[BH_SANDBOX_NAME]; /* NUL-terminated; for userspace alone */
};

struct bh_label_head {
	__u64 cookie; /* the load's own random number: tells ours from other owners' storage in a raw walk */
	__u32 sandbox;
	__u8 tool;
	__u8 pad0;
	__u16 next; /* as in struct bh_edge_row: found at the exec check, put on at the commit */
};

#define BH_EXE_MAX 128u

/* What a task carries from its first exec on; inherited at fork, never taken off. */
struct bh_label {
	struct bh_label_head head;
	__u32 words; /* of the exec that was let through: arguments that its caller gave, but for the first */
	__u32 led; /* not 0: that file's name could lead its interpreter elsewhere */
	__u8 exe[BH_EXE_MAX]; /* path of the running program or script, empty when it is longer */
	__u8 next_exe[BH_EXE_MAX]; /* of the one that was let through */
};

/* Who may open a file again without its path being looked at: serial << 32 | tools, a set as in struct bh_accept. */
struct bh_seen {
	/* the name by which it was judged: kernel addresses, kept as identities, and the last component's hash and length */
	__u64 entry, parent, mount;
	__u32 hash, length;
	__u64 read, write;
};
#define BH_SEEN_WAYS 4u /* sandboxes share an inode: number & 3 is a sandbox's place */

/* What is remembered of an inode. */
struct bh_object {
	__u64 cgroup_id; /* of the sandbox that last opened it for writing; no two ever share one */
	__u32 written; /* by which of its tools it ever was, a set */
	__u32 pad0;
	struct bh_seen seen[BH_SEEN_WAYS];
};

/* One value per load: what every hook asks first. */
struct bh_state {
	__u64 cookie;
	__u32 levels; /* bit l: a governed cgroup lies at depth l */
	__u32 sandboxes; /* every number in use is lower */
	__u32 next; /* the number that was given last; for userspace alone */
	__u32 pad0;
};

/* What the program bh_forget is run with. */
struct bh_forget_args {
	__u32 sandbox; /* 0: all */
	__u32 pad0;
};

/* ---- Events ---- */
#define BH_EVENT_VERSION 1u
#define BH_KIND_EXEC 1u
#define BH_KIND_FILE_OPEN 2u
#define BH_KIND_FILE_WRITE 3u
#define BH_KIND_FILE_LINK 4u
#define BH_KIND_FILE_RENAME 5u
#define BH_KIND_CONNECT 6u
#define BH_KIND_SENDMSG 7u
#define BH_KIND_SOCKET 8u
#define BH_KIND_UNIX_CONNECT 9u
#define BH_KIND_NAMESPACE 10u
#define BH_KIND_EXIT 11u
#define BH_KIND_PTRACE 12u
#define BH_KIND_SIGNAL 13u
#define BH_KIND_MMAP_EXEC 14u
#define BH_KIND_BIND 15u
#define BH_KIND_TERMINAL 16u
#define BH_KIND_BPF 17u
#define BH_KIND_CGROUP_MOVE 18u
#define BH_KIND_PROCESS 19u
#define BH_KIND_KEY 20u
#define BH_KIND_FILE_LOCK 21u
#define BH_KIND_EXEC_ARGS 22u /* path: the variable's name */
#define BH_KIND_RECEIVE 23u
#define BH_KIND_FILE_CONTROL 24u
#define BH_KIND_PACKET 25u
#define BH_KIND_CAPABILITY 26u
#define BH_KIND_MOUNT 27u
#define BH_KIND_MODULE 28u
#define BH_KIND_SYSTEM 29u /* io_uring, userfaultfd, perf, the kernel's log, quotas, setuid programs */
#define BH_KIND_LAST BH_KIND_SYSTEM

#define BH_ACCESS_READ 1u
#define BH_ACCESS_WRITE 2u
#define BH_ACCESS_EXEC 4u
#define BH_ACCESS_LOAD 8u

#define BH_ANCESTORS 4u

struct bh_event {
	__u16 length; /* of this record, its path included */
	__u8 version; /* BH_EVENT_VERSION */
	__u8 kind;
	__u8 verdict; /* what was done */
	__u8 wanted; /* what enforce mode would have done */
	__u16 reason;
	__u64 sequence; /* per sandbox, from 1 */
	__u64 time_ns; /* CLOCK_BOOTTIME */
	__u64 cgroup_id; /* the task's own cgroup, maybe below the sandbox's */
	__u64 start_ns; /* CLOCK_BOOTTIME of the process's start; with pid its identity */
	__u32 sandbox;
	__u32 pid, tid, ppid, uid;
	__u32 rule; /* index + 1 into the policy's rules, 0: none */
	__u8 tool;
	__u8 access; /* BH_ACCESS_* bits */
	__u16 family;
	__u16 port; /* host byte order */
	__u8 protocol;
	__u8 number; /* BH_PRIVILEGE_* + 1, of kind capability CAP_* + 1; 0: none */
	__u8 address[16]; /* network byte order; IPv4 in the first four bytes */
	__u8 comm[16];
	__u8 exe[BH_EXE_MAX];
	__u8 ancestors[BH_ANCESTORS][16]; /* comm of parent, its parent, ...; empty at the end */
	__u32 path_length; /* bytes that follow the fixed part, their NUL included; 0: none */
	__u32 pad1;
	__u8 path[BH_PATH_MAX];
};

#define BH_EVENT_FIXED __builtin_offsetof(struct bh_event, path)

_Static_assert(sizeof(struct bh_accept) == 56, "abi");
_Static_assert(sizeof(struct bh_edge_row) == 128, "abi");
_Static_assert(sizeof(struct bh_way) == 12, "abi");
_Static_assert(sizeof(struct bh_choice) == 60, "abi");
_Static_assert(sizeof(struct bh_net_row) == 264, "abi");
_Static_assert(sizeof(struct bh_range) == 8, "abi");
_Static_assert(sizeof(struct bh_policy_head) == 920, "abi");
_Static_assert(sizeof(struct bh_policy) % 8 == 0, "abi");
_Static_assert(sizeof(struct bh_accept) * BH_ACCEPTS_PAGE <= sizeof(struct bh_chunk), "abi");
_Static_assert(__builtin_offsetof(struct bh_policy, chunk) + sizeof(struct bh_chunk) == sizeof(struct bh_policy),
	       "abi");
_Static_assert(sizeof(struct bh_sandbox) == 136, "abi");
_Static_assert(sizeof(struct bh_label) == 280, "abi");
_Static_assert(sizeof(struct bh_object) == 208, "abi");
_Static_assert(sizeof(struct bh_state) == 24, "abi");
_Static_assert(BH_EVENT_FIXED == 304, "abi");
_Static_assert(__builtin_offsetof(struct bh_event, address) == 72, "abi");
_Static_assert(__builtin_offsetof(struct bh_event, exe) == 104, "abi");

#include "bpf/ask.h"
#include "bpf/counts.h"
#include "bpf/flow.h"
#include "bpf/floor.h"

#endif
