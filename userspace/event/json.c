// SPDX-License-Identifier: GPL-2.0-only
/* contract.md's JSON line. Keys keep the order in which they are set, so the same event gives the same bytes. */
#include "event/json_object.h"

#include <errno.h>
#include <inttypes.h>

#include "base/cleanup.h"

/* A process may have given itself an empty name: the list ends at the last that has one. */
static void set_ancestors(struct object *process, const struct bh_event *event)
{
	size_t count = BH_ANCESTORS;
	json_t *list;

	while (count && !event->ancestors[count - 1][0])
		count--;
	if (!count)
		return;
	list = json_array();
	for (size_t i = 0; i < count; i++) {
		const uint8_t *comm = event->ancestors[i];

		if (json_array_append_new(list, text(comm, strnlen((const char *)comm, sizeof(event->ancestors[i])))))
			process->failed = true;
	}
	set(process, "ancestors", list);
}

static void set_process(struct object *parent, const struct bh_event *event, const struct bh_event_context *context)
{
	struct object process = begin();

	set_number(&process, "pid", event->pid);
	set_number(&process, "tid", event->tid);
	set_number(&process, "ppid", event->ppid);
	set_number(&process, "uid", event->uid);
	set_number(&process, "start_ns", event->start_ns);
	set_field(&process, "comm", event->comm, sizeof(event->comm));
	set_field(&process, "exe", event->exe, sizeof(event->exe));
	set_ancestors(&process, event);
	/* Beyond the contract: the cgroup below the sandbox's own that the task sits in. */
	if (event->cgroup_id && event->cgroup_id != context->sandbox_cgroup_id)
		set_number(&process, "cgroup_id", event->cgroup_id);
	nest(parent, "process", &process);
}

static void set_file(struct object *parent, const struct bh_event *event)
{
	struct object file = begin();

	if (event->path_length > 1)
		set(&file, "path", text(event->path, event->path_length - 1));
	set_text(&file, "access", bh_event_access(event));
	nest(parent, "file", &file);
}

static void set_network(struct object *parent, const struct bh_event *event)
{
	char buffer[BH_NUMBER_LEN], address[INET6_ADDRSTRLEN];
	struct object network = begin();

	set_text(&network, "family", bh_family_name(event->family, buffer));
	if (event->protocol)
		set_text(&network, "protocol", bh_protocol_name(event->protocol, buffer));
	if (bh_event_address(event, address)) {
		set_text(&network, "address", address);
		set_number(&network, "port", event->port);
	} else if (event->path_length > 1) {
		set(&network, "address", text(event->path, event->path_length - 1));
	} else if (event->port) {
		set_number(&network, "port", event->port);
	}
	nest(parent, "network", &network);
}

void bh_json_subject(struct object *parent, const struct bh_event *event, const struct bh_event_context *context)
{
	set_process(parent, event, context);
	if (bh_event_is_file(event))
		set_file(parent, event);
	if (bh_event_is_network(event))
		set_network(parent, event);
}

static void set_verdict(struct object *object, const struct bh_event *event)
{
	set_text(object, "class", bh_event_class(event));
	set_text(object, "kind", bh_kind_name(event->kind));
	set_text(object, "verdict", bh_verdict_name(event->verdict));
	/* Beyond the contract: what enforce mode would have done. */
	if (event->wanted != event->verdict)
		set_text(object, "would", bh_verdict_name(event->wanted));
	set_text(object, "severity", bh_event_severity(event));
	if (event->reason != BH_REASON_NONE)
		set_text(object, "reason", bh_reason_code(event->reason));
}

/* Outside strings a JSON text is ASCII without such bytes, so an escape can only land inside one. */
static void put(const char *line, FILE *out)
{
	const unsigned char *bytes = (const unsigned char *)line;
	size_t length = strlen(line), done = 0;

	for (size_t i = 0; i < length;) {
		size_t bad = 0, step = bh_utf8_next(bytes + i, length - i, &bad);
		uint32_t code = step ? bh_utf8_hidden(bytes + i, step) : 0;

		step = step ? step : bad;
		if (code) {
			fwrite(line + done, 1, i - done, out);
			fprintf(out, "\\u%04X", (unsigned int)code);
			done = i + step;
		}
		i += step;
	}
	fwrite(line + done, 1, length - done, out);
	fputc('\n', out);
}

int bh_json_finish(struct object *object, FILE *out)
{
	BH_FREE char *line = object->failed ? NULL : json_dumps(object->json, JSON_COMPACT);

	json_decref(object->json);
	object->json = NULL;
	if (!line)
		return -ENOMEM;
	put(line, out);
	return ferror(out) ? -EIO : 0;
}

int bh_event_json(const struct bh_event *event, const struct bh_event_context *context, FILE *out)
{
	uint8_t class_mode = context->modes[bh_reason_class(event->reason) % BH_CLASS_SLOTS];
	char id[BH_JSON_ID_LEN], message[BH_MESSAGE_LEN];
	struct bh_event_context head = *context;
	struct object object = begin();

	if (class_mode)
		head.mode = class_mode;
	snprintf(id, sizeof(id), "%s-%" PRIu64, context->boot_id ? context->boot_id : "", (uint64_t)event->sequence);
	bh_event_message(event, context, message);
	set_head(&object, id, event->time_ns, &head);
	set_verdict(&object, event);
	set_text(&object, "message", message);
	if (event->rule && context->rule_id)
		set_text(&object, "rule", context->rule_id(context->data, event->rule));
	set_owner(&object, context);
	if (event->tool != BH_TOOL_NONE && context->tool_name)
		set_text(&object, "tool", context->tool_name(context->data, event->tool));
	bh_json_subject(&object, event, context);
	/* beyond the contract: the operation or capability of policy keys `privileges` */
	set_text(&object, event->kind == BH_KIND_CAPABILITY ? "capability" : "privilege", bh_event_operation(event));
	if (bh_event_refused(event)) {
		set_list(&object, "owasp", bh_reason_owasp(event->reason));
		set_list(&object, "mitre", bh_reason_mitre(event->reason));
	}
	return bh_json_finish(&object, out);
}

int bh_lifecycle_json(const struct bh_lifecycle *lifecycle, const struct bh_event_context *context, FILE *out)
{
	struct object object = begin(), response = begin();
	char id[BH_JSON_ID_LEN];

	snprintf(id, sizeof(id), "%s-u%" PRIu64, context->boot_id ? context->boot_id : "", lifecycle->sequence);
	set_head(&object, id, lifecycle->time_ns, context);
	set_text(&object, "class", lifecycle->class ? lifecycle->class : "lifecycle");
	set_text(&object, "kind", lifecycle->kind);
	set_text(&object, "verdict", lifecycle->verdict);
	set_text(&object, "severity", lifecycle->severity);
	set_text(&object, "reason", lifecycle->reason);
	set_text(&object, "message", lifecycle->message);
	set_owner(&object, context);
	set_text(&response, "action", lifecycle->action);
	set_amount(&response, "latency_us", lifecycle->latency_us);
	set_amount(&response, "tasks", lifecycle->action ? lifecycle->tasks : -1);
	nest(&object, "response", &response);
	/* beyond the contract, which asks for the number but names no field */
	set_amount(&object, "lost", lifecycle->lost);
	return bh_json_finish(&object, out);
}
