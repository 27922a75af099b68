// SPDX-License-Identifier: GPL-2.0-only
/* The sentence: who, what, and why, from the record's own facts. Paths are escaped: the sentence may end in any log. */
#include "event/describe.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "event/utf8.h"

#define WHO_LEN 80u
#define WHAT_LEN 400u

/* The tool, or the lack of one. */
static void who(const struct bh_event *event, const struct bh_event_context *context, char *buffer)
{
	const char *name = NULL;

	if (event->tool != BH_TOOL_NONE && context->tool_name)
		name = context->tool_name(context->data, event->tool);
	if (name)
		snprintf(buffer, WHO_LEN, "tool '%s'", name);
	else if (event->tool != BH_TOOL_NONE)
		snprintf(buffer, WHO_LEN, "tool %u", event->tool);
	else
		snprintf(buffer, WHO_LEN, "a process that entered no tool");
}

static void what_file(const struct bh_event *event, char *buffer)
{
	const char *verb = "open", *access = bh_event_access(event);
	char path[BH_OBJECT_LEN] = "a file without a readable path";

	if (event->kind == BH_KIND_EXEC)
		verb = "execute";
	else if (event->kind == BH_KIND_MMAP_EXEC)
		verb = "load code from";
	else if (event->kind == BH_KIND_FILE_WRITE)
		verb = "change";
	else if (event->kind == BH_KIND_FILE_LINK)
		verb = "link";
	else if (event->kind == BH_KIND_FILE_RENAME)
		verb = "rename";
	else if (access)
		verb = access;
	if (event->path_length > 1)
		bh_escape(event->path, event->path_length - 1, true, path, sizeof(path));
	if (event->reason == BH_REASON_X11)
		snprintf(buffer, WHAT_LEN, "run code in memory that it can change");
	else
		snprintf(buffer, WHAT_LEN, "%s %s", verb, path);
}

static void what_socket(const struct bh_event *event, char *buffer)
{
	char family[BH_NUMBER_LEN], protocol[BH_NUMBER_LEN], address[INET6_ADDRSTRLEN], path[BH_OBJECT_LEN] = "";
	const char *verb = event->kind == BH_KIND_SENDMSG ? "send to" :
			   event->kind == BH_KIND_PACKET  ? "exchange packets with" :
							    "connect to";
	bool other = event->protocol && event->protocol != IPPROTO_TCP; /* TCP goes without saying */

	bh_family_name(event->family, family);
	bh_protocol_name(event->protocol, protocol);
	if (event->kind == BH_KIND_UNIX_CONNECT) {
		if (event->path_length > 1)
			bh_escape(event->path, event->path_length - 1, true, path, sizeof(path));
		snprintf(buffer, WHAT_LEN, "connect to %s unix socket%s%s", path[0] ? "the" : "a", path[0] ? " " : "",
			 path);
	} else if (event->kind == BH_KIND_BIND && event->port) {
		snprintf(buffer, WHAT_LEN, "wait on port %u (%s)", event->port, protocol);
	} else if (event->kind == BH_KIND_BIND || event->kind == BH_KIND_RECEIVE) {
		snprintf(buffer, WHAT_LEN, "wait for others on a socket of family %s", family);
	} else if (event->kind == BH_KIND_SOCKET && event->reason == BH_REASON_N9) {
		snprintf(buffer, WHAT_LEN, "set a routing option on a socket of family %s", family);
	} else if (event->kind == BH_KIND_SOCKET) {
		snprintf(buffer, WHAT_LEN,
			 event->protocol ? "create a socket of family %s, protocol %s" : "create a socket of family %s",
			 family, protocol);
	} else if (bh_event_address(event, address)) {
		snprintf(buffer, WHAT_LEN, other ? "%s %s port %u (%s)" : "%s %s port %u", verb, address, event->port,
			 protocol);
	} else {
		snprintf(buffer, WHAT_LEN, "%s an address of family %s", verb, family);
	}
}

/* What a program was started with: the record's path is a variable's name, or the arguments, or nothing. */
static void what_command(const struct bh_event *event, char *buffer)
{
	char text[BH_OBJECT_LEN] = "", program[BH_OBJECT_LEN] = "a program";

	if (event->path_length > 1)
		bh_escape(event->path, event->path_length - 1, true, text, sizeof(text));
	if (event->exe[0])
		bh_escape((const char *)event->exe, strnlen((const char *)event->exe, sizeof(event->exe)), true,
			  program, sizeof(program));
	if (event->reason == BH_REASON_X3)
		snprintf(buffer, WHAT_LEN, "start %.160s with %s%.160s", program,
			 text[0] ? "the arguments " : "these arguments", text);
	else if (event->reason == BH_REASON_X4)
		snprintf(buffer, WHAT_LEN, "start %.160s with %s%.160s", program,
			 text[0] ? "the variable " : "this environment", text);
	else
		snprintf(buffer, WHAT_LEN, "start with the variable %s", text);
}

static void what(const struct bh_event *event, char *buffer)
{
	if (bh_event_is_file(event))
		what_file(event, buffer);
	else if (bh_event_is_network(event))
		what_socket(event, buffer);
	else if (event->kind == BH_KIND_EXIT)
		snprintf(buffer, WHAT_LEN, "end process %u", event->pid);
	else if (event->kind == BH_KIND_BPF)
		snprintf(buffer, WHAT_LEN, "call bpf()");
	else if (event->kind == BH_KIND_PROCESS)
		snprintf(buffer, WHAT_LEN, "change limits or priorities of a process outside its sandbox");
	else if (event->kind == BH_KIND_KEY)
		snprintf(buffer, WHAT_LEN, "use the kernel's key store");
	else if (event->kind == BH_KIND_EXEC_ARGS)
		what_command(event, buffer);
	else if (event->kind == BH_KIND_FILE_CONTROL)
		snprintf(buffer, WHAT_LEN, "send this control request to a file");
	else if (event->kind == BH_KIND_FILE_LOCK)
		snprintf(buffer, WHAT_LEN, "take a lease on a file");
	else if (event->kind == BH_KIND_CGROUP_MOVE)
		snprintf(buffer, WHAT_LEN, "start a process in another cgroup");
	else if (event->kind == BH_KIND_TERMINAL)
		snprintf(buffer, WHAT_LEN, "type into the terminal");
	else if (event->kind == BH_KIND_SIGNAL)
		snprintf(buffer, WHAT_LEN, "signal a process outside its sandbox");
	else if (event->kind == BH_KIND_PTRACE)
		snprintf(buffer, WHAT_LEN, "trace or look into another process");
	else if (event->kind == BH_KIND_CAPABILITY && event->number)
		snprintf(buffer, WHAT_LEN, "use %s", bh_event_operation(event));
	else if (event->kind == BH_KIND_MODULE)
		snprintf(buffer, WHAT_LEN, "have code loaded into the kernel");
	else if (bh_event_operation(event))
		snprintf(buffer, WHAT_LEN, "do what '%s' covers (%s)", bh_event_operation(event),
			 bh_event_operation_text(event));
	else
		snprintf(buffer, WHAT_LEN, "change namespaces, mounts, roots or other privileged state");
}

void bh_event_message(const struct bh_event *event, const struct bh_event_context *context,
		      char buffer[static BH_MESSAGE_LEN])
{
	char subject[WHO_LEN], deed[WHAT_LEN];
	const char *reason = bh_reason_text(event->reason);

	who(event, context, subject);
	what(event, deed);
	if (event->kind == BH_KIND_EXIT && !bh_event_refused(event))
		snprintf(buffer, BH_MESSAGE_LEN, "process %u ended", event->pid);
	else if (!bh_event_refused(event))
		snprintf(buffer, BH_MESSAGE_LEN, "%s was allowed to %s", subject, deed);
	else if (event->verdict == BH_VERDICT_ALLOW)
		snprintf(buffer, BH_MESSAGE_LEN, "%s would not be allowed to %s: %s", subject, deed, reason);
	else if (event->verdict == BH_VERDICT_KILL)
		snprintf(buffer, BH_MESSAGE_LEN, "%s may not %s: %s; the sandbox is ended", subject, deed, reason);
	else if (event->verdict == BH_VERDICT_FREEZE)
		snprintf(buffer, BH_MESSAGE_LEN, "%s may not %s: %s; the sandbox is stopped as it is", subject, deed,
			 reason);
	else if (event->verdict == BH_VERDICT_TASK)
		snprintf(buffer, BH_MESSAGE_LEN, "%s may not %s: %s; the process is ended", subject, deed, reason);
	else
		snprintf(buffer, BH_MESSAGE_LEN, "%s may not %s: %s", subject, deed, reason);
}
