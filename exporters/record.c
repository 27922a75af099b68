/* SPDX-License-Identifier: GPL-2.0-only */
#include "exporters/record.h"

#include <inttypes.h>
#include <string.h>

static void copy(const char *from, char *to, size_t size)
{
	bh_utf8_repair(from ? from : "", from ? strlen(from) : 0, to, size);
}

static void copy_field(const uint8_t *bytes, size_t length, char *to, size_t size)
{
	bh_utf8_repair(bytes, strnlen((const char *)bytes, length), to, size);
}

/* As bh_event_time clamps: before 1970 is 1970. */
static uint64_t wall_ns(uint64_t time_ns, int64_t boot_offset_ns)
{
	__int128 now = (__int128)time_ns + boot_offset_ns, last = (__int128)253402300799 * 1000000000 + 999999999;

	now = now < 0 ? 0 : now > last ? last : now;
	return now > (__int128)UINT64_MAX ? UINT64_MAX : (uint64_t)now;
}

static void begin_record(struct bh_export *record, enum bh_export_what what, uint64_t time_ns,
			 const struct bh_event_context *context)
{
	memset(record, 0, sizeof(*record));
	record->what = what;
	record->time_ns = wall_ns(time_ns, context->boot_offset_ns);
	record->latency_us = record->tasks = record->lost = -1;
	record->mode = bh_mode_name(context->mode);
	copy(context->node, record->node, sizeof(record->node));
	copy(context->policy_name, record->policy, sizeof(record->policy));
	copy(context->policy_hash, record->policy_hash, sizeof(record->policy_hash));
	copy(context->sandbox_name, record->sandbox, sizeof(record->sandbox));
	copy(context->sandbox_cgroup, record->cgroup, sizeof(record->cgroup));
}

static void set_id(struct bh_export *record, const struct bh_event_context *context, const char *origin,
		   uint64_t sequence)
{
	char id[sizeof(record->id)];

	snprintf(id, sizeof(id), "%.64s-%s%" PRIu64, context->boot_id ? context->boot_id : "", origin, sequence);
	copy(id, record->id, sizeof(record->id));
}

static void set_tool(struct bh_export *record, const struct bh_event_context *context, unsigned int tool)
{
	if (tool != BH_TOOL_NONE && context->tool_name)
		copy(context->tool_name(context->data, tool), record->tool, sizeof(record->tool));
}

static void set_process(struct bh_export *record, const struct bh_event *event)
{
	record->has_process = true;
	record->pid = event->pid;
	record->tid = event->tid;
	record->ppid = event->ppid;
	record->uid = event->uid;
	record->start_ns = event->start_ns;
	copy_field(event->comm, sizeof(event->comm), record->comm, sizeof(record->comm));
	copy_field(event->exe, sizeof(event->exe), record->exe, sizeof(record->exe));
	copy_field(event->ancestors[0], sizeof(event->ancestors[0]), record->parent, sizeof(record->parent));
}

static void set_object(struct bh_export *record, const struct bh_event *event)
{
	record->has_file = bh_event_is_file(event);
	record->has_network = bh_event_is_network(event);
	record->access = bh_event_access(event);
	if ((record->has_file || record->has_network) && event->path_length > 1)
		bh_utf8_repair(event->path, event->path_length - 1, record->path, sizeof(record->path));
	if (!record->has_network)
		return;
	bh_family_name(event->family, record->family);
	record->protocol_number = event->protocol;
	if (event->protocol)
		bh_protocol_name(event->protocol, record->protocol);
	if (bh_event_address(event, record->address))
		record->port = event->port;
}

/* Everything that a kernel's record says by itself. */
static void set_event(struct bh_export *record, const struct bh_event *event, const struct bh_event_context *context)
{
	set_tool(record, context, event->tool);
	if (event->rule && context->rule_id)
		copy(context->rule_id(context->data, event->rule), record->rule, sizeof(record->rule));
	set_process(record, event);
	set_object(record, event);
}

void bh_export_event(const struct bh_event *event, const struct bh_event_context *context, struct bh_export *ret_record)
{
	char message[BH_MESSAGE_LEN];

	begin_record(ret_record, BH_EXPORT_EVENT, event->time_ns, context);
	set_id(ret_record, context, "", event->sequence);
	ret_record->class = bh_event_class(event);
	ret_record->kind = bh_kind_name(event->kind);
	ret_record->verdict = bh_verdict_name(event->verdict);
	ret_record->severity = bh_event_severity(event);
	ret_record->refused = bh_event_refused(event);
	if (event->reason != BH_REASON_NONE)
		ret_record->reason = bh_reason_code(event->reason);
	if (ret_record->refused) {
		ret_record->owasp = bh_reason_owasp(event->reason)[0];
		ret_record->mitre = bh_reason_mitre(event->reason)[0];
	}
	bh_event_message(event, context, message);
	copy(message, ret_record->message, sizeof(ret_record->message));
	set_event(ret_record, event, context);
}

static const char *or_else(const char *text, const char *otherwise)
{
	return text && text[0] ? text : otherwise;
}

void bh_export_lifecycle(const struct bh_lifecycle *lifecycle, const struct bh_event_context *context,
			 struct bh_export *ret_record)
{
	begin_record(ret_record, BH_EXPORT_LIFECYCLE, lifecycle->time_ns, context);
	set_id(ret_record, context, "u", lifecycle->sequence);
	ret_record->class = or_else(lifecycle->class, "lifecycle");
	ret_record->kind = or_else(lifecycle->kind, "unknown");
	ret_record->verdict = or_else(lifecycle->verdict, "allow");
	ret_record->severity = or_else(lifecycle->severity, "info");
	ret_record->refused = !strcmp(ret_record->verdict, "kill") || !strcmp(ret_record->verdict, "deny");
	ret_record->reason = lifecycle->reason;
	copy(lifecycle->message, ret_record->message, sizeof(ret_record->message));
	ret_record->action = lifecycle->action;
	ret_record->latency_us = lifecycle->latency_us;
	ret_record->tasks = lifecycle->action ? lifecycle->tasks : -1;
	ret_record->lost = lifecycle->lost;
}

void bh_export_alert(const struct bh_alert *alert, const struct bh_event_context *context, struct bh_export *ret_record)
{
	char message[BH_ALERT_MESSAGE_LEN];

	begin_record(ret_record, BH_EXPORT_ALERT, alert->time_ns, context);
	set_id(ret_record, context, "a", alert->sequence);
	if (alert->event)
		set_event(ret_record, alert->event, context);
	else
		set_tool(ret_record, context, alert->tool);
	ret_record->class = or_else(alert->class, "behavioral");
	ret_record->kind = alert->threshold ? "threshold" : "detection";
	ret_record->verdict = "alert";
	ret_record->severity = or_else(alert->severity, "medium");
	ret_record->reason = alert->name;
	ret_record->mitre = alert->mitre;
	if (alert->respond != BH_ALERT_ONLY)
		ret_record->action = bh_alert_action(alert->respond);
	bh_alert_message(alert, context, message);
	copy(message, ret_record->message, sizeof(ret_record->message));
}

const char *bh_export_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

void bh_export_put(const char *text, const char *special, size_t most, FILE *out)
{
	const unsigned char *bytes = (const unsigned char *)text;
	size_t length = strnlen(text, most);

	for (size_t i = 0; i < length;) {
		size_t bad = 1, step = bh_utf8_next(bytes + i, length - i, &bad);
		uint32_t hidden = step ? bh_utf8_hidden(bytes + i, step) : 0;

		if (!step) /* a character that `most` cut */
			return;
		if (hidden)
			fprintf(out, "%s\\u%04X", strchr(special, '\\') ? "\\" : "", (unsigned int)hidden);
		else if (step == 1 && strchr(special, text[i]))
			fprintf(out, "\\%c", text[i]);
		else
			fwrite(text + i, 1, step, out);
		i += step;
	}
}
