// SPDX-License-Identifier: GPL-2.0-only
/* Numbers of the record to their public names: reasons (from rules/reasons.def) and kinds. */
#include "event/event.h"

#include "base/cleanup.h"

struct reason {
	const char *code, *text;
	unsigned int class;
};

#define BH_REASON(number, code, class, text) [number] = { #code, text, BH_CLASS_##class },
static const struct reason reasons[] = {
#include "rules/reasons.def"
};
#undef BH_REASON

static const char *const kinds[] = {
	[BH_KIND_EXEC] = "exec",
	[BH_KIND_FILE_OPEN] = "file_open",
	[BH_KIND_FILE_WRITE] = "file_write",
	[BH_KIND_FILE_LINK] = "file_link",
	[BH_KIND_FILE_RENAME] = "file_rename",
	[BH_KIND_CONNECT] = "connect",
	[BH_KIND_SENDMSG] = "sendmsg",
	[BH_KIND_SOCKET] = "socket",
	[BH_KIND_UNIX_CONNECT] = "unix_connect",
	[BH_KIND_NAMESPACE] = "namespace",
	[BH_KIND_EXIT] = "exit",
	[BH_KIND_PTRACE] = "ptrace",
	[BH_KIND_SIGNAL] = "signal",
	[BH_KIND_MMAP_EXEC] = "mmap_exec",
	[BH_KIND_BIND] = "bind",
	[BH_KIND_TERMINAL] = "terminal",
	[BH_KIND_BPF] = "bpf",
	[BH_KIND_CGROUP_MOVE] = "cgroup_move",
	[BH_KIND_PROCESS] = "process",
	[BH_KIND_KEY] = "key",
	[BH_KIND_FILE_LOCK] = "file_lock",
	[BH_KIND_EXEC_ARGS] = "exec_args",
	[BH_KIND_RECEIVE] = "recvmsg",
	[BH_KIND_FILE_CONTROL] = "file_control",
	[BH_KIND_PACKET] = "packet",
	[BH_KIND_CAPABILITY] = "capability",
	[BH_KIND_MOUNT] = "mount",
	[BH_KIND_MODULE] = "module",
	[BH_KIND_SYSTEM] = "system",
};

#define BH_PRIVILEGE(bit, id, name, floor, text) [bit] = { name, text },
static const struct operation {
	const char *name, *text;
} operations[] = {
#include "rules/privileges.def"
};
#undef BH_PRIVILEGE

#define BH_CAPABILITY(number, name) [number] = #name,
static const char *const capabilities[] = {
#include "rules/capabilities.def"
};
#undef BH_CAPABILITY

static const struct reason *find(unsigned int reason)
{
	if (reason >= BH_COUNT_OF(reasons) || !reasons[reason].code)
		return NULL;
	return &reasons[reason];
}

const char *bh_reason_code(unsigned int reason)
{
	const struct reason *found = find(reason);

	return found ? found->code : "?";
}

const char *bh_reason_text(unsigned int reason)
{
	const struct reason *found = find(reason);

	return found ? found->text : "unknown reason";
}

unsigned int bh_reason_class(unsigned int reason)
{
	const struct reason *found = find(reason);

	return found ? found->class : 0;
}

const char *bh_kind_name(unsigned int kind)
{
	return kind < BH_COUNT_OF(kinds) ? kinds[kind] : NULL;
}

const char *bh_event_operation(const struct bh_event *event)
{
	unsigned int number = event->number - 1u; /* 0: none, and out of range */

	if (event->kind == BH_KIND_CAPABILITY)
		return number < BH_COUNT_OF(capabilities) ? capabilities[number] : NULL;
	return number < BH_COUNT_OF(operations) ? operations[number].name : NULL;
}

const char *bh_event_operation_text(const struct bh_event *event)
{
	unsigned int number = event->number - 1u;

	return event->kind != BH_KIND_CAPABILITY && number < BH_COUNT_OF(operations) ? operations[number].text : NULL;
}
