/* SPDX-License-Identifier: GPL-2.0-only */
/* falcosidekick takes it if priority, rule, time and output_fields are there; its k8s.* fields must be strings, so ours are not sent. */
#include "exporters/encode.h"

#include "event/json_object.h"

static const char *priority(const char *severity)
{
	static const char *const names[][2] = { { "critical", "Critical" },
						{ "high", "Error" },
						{ "medium", "Warning" },
						{ "low", "Notice" },
						{ "info", "Informational" } };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(severity, names[i][0]))
			return names[i][1];
	return "Notice";
}

static void set_output_fields(struct object *fields, const struct bh_export *record)
{
	set_number(fields, "evt.time", record->time_ns);
	set_text(fields, "evt.type", record->kind);
	if (record->has_process) {
		set_text(fields, "proc.name", record->comm);
		set_text(fields, "proc.exepath", record->exe);
		set_number(fields, "proc.pid", record->pid);
		set_number(fields, "proc.ppid", record->ppid);
		set_text(fields, "proc.pname", record->parent);
		set_number(fields, "user.uid", record->uid);
	}
	set_text(fields, "fd.name", record->path[0] ? record->path : record->address);
	if (record->address[0]) {
		set_text(fields, "fd.sip", record->address);
		set_number(fields, "fd.sport", record->port);
	}
	set_text(fields, "bulkhead.id", record->id);
	set_text(fields, "bulkhead.verdict", record->verdict);
	set_text(fields, "bulkhead.reason", record->reason);
	set_text(fields, "bulkhead.rule", record->rule);
	set_text(fields, "bulkhead.mode", record->mode);
	set_text(fields, "bulkhead.policy", record->policy);
	set_text(fields, "bulkhead.policy_hash", record->policy_hash);
	set_text(fields, "bulkhead.sandbox", record->sandbox);
	set_text(fields, "bulkhead.tool", record->tool);
	set_text(fields, "bulkhead.access", record->access);
	set_text(fields, "bulkhead.action", record->action);
	set_amount(fields, "bulkhead.latency_us", record->latency_us);
	set_amount(fields, "bulkhead.tasks", record->tasks);
	set_amount(fields, "bulkhead.lost", record->lost);
}

/* The rule that somebody filters by: never empty. */
static void set_rule(struct object *object, const struct bh_export *record)
{
	char rule[sizeof(record->policy) + 64];
	const char *why = record->reason && record->reason[0] ? record->reason : record->kind;

	snprintf(rule, sizeof(rule), "%s%s%.60s", record->policy, record->policy[0] ? "/" : "", why);
	set_text(object, "rule", rule);
}

int bh_encode_falco(const struct bh_export *record, FILE *out)
{
	const char *tags[4] = { record->class };
	struct object object = begin(), fields = begin();
	char when[BH_TIME_LEN];
	size_t count = 1;

	if (record->owasp)
		tags[count++] = record->owasp;
	if (record->mitre)
		tags[count] = record->mitre;
	bh_event_time(record->time_ns, 0, when);
	set_text(&object, "output", record->message[0] ? record->message : record->kind);
	set_text(&object, "priority", priority(record->severity));
	set_rule(&object, record);
	set_text(&object, "time", when);
	set_text(&object, "source", record->what == BH_EXPORT_EVENT ? "syscall" : "bulkhead");
	set_list(&object, "tags", tags);
	set_text(&object, "hostname", record->node);
	set_output_fields(&fields, record);
	nest(&object, "output_fields", &fields);
	return bh_json_finish(&object, out);
}
