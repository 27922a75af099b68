/* SPDX-License-Identifier: GPL-2.0-only */
/* What the schema has no field for is in an object of our own, `bulkhead`, as it allows. */
#include "exporters/encode.h"

#include "event/json_object.h"

#define ECS_VERSION "9.4.0"

static unsigned int severity_number(const char *severity)
{
	static const struct {
		const char *name;
		unsigned int number;
	} numbers[] = { { "info", 10 }, { "low", 21 }, { "medium", 47 }, { "high", 73 }, { "critical", 99 } };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!strcmp(severity, numbers[i].name))
			return numbers[i].number;
	return 47;
}

/* event.category and event.type: each of the latter is one that the former allows. */
struct kinds {
	const char *category[3], *type[3];
};

static const char *type_of_file(const struct bh_export *record)
{
	return record->access && !strcmp(record->access, "write") ? "change" : "access";
}

static void find_kinds(const struct bh_export *record, struct kinds *kinds)
{
	const char *result = record->refused ? "denied" : "allowed";

	*kinds = (struct kinds){ { "configuration" }, { "info" } };
	if (record->what == BH_EXPORT_ALERT || record->action)
		*kinds = (struct kinds){ { "intrusion_detection" }, { record->refused ? "denied" : "info" } };
	else if (record->what == BH_EXPORT_LIFECYCLE)
		return;
	else if (record->has_network)
		*kinds = (struct kinds){ { "network", "intrusion_detection" }, { "connection", result } };
	else if (record->has_file && record->access && !strcmp(record->access, "exec"))
		*kinds = (struct kinds){ { "process", "intrusion_detection" }, { "start", result } };
	else if (record->has_file)
		*kinds = (struct kinds){ { "file", "intrusion_detection" }, { type_of_file(record), result } };
	else
		*kinds = (struct kinds){ { "process", "intrusion_detection" }, { "info", result } };
}

static void set_event(struct object *parent, const struct bh_export *record)
{
	bool alert = record->refused || record->what == BH_EXPORT_ALERT;
	struct object event = begin();
	struct kinds kinds;

	find_kinds(record, &kinds);
	set_text(&event, "kind", alert ? "alert" : "event");
	set_list(&event, "category", kinds.category);
	set_list(&event, "type", kinds.type);
	set_text(&event, "action", record->kind);
	set_text(&event, "outcome", record->refused ? "failure" : "success");
	set_text(&event, "code", record->reason);
	set_text(&event, "id", record->id);
	set_number(&event, "severity", severity_number(record->severity));
	set_text(&event, "reason", record->message);
	set_text(&event, "module", "bulkhead");
	set_text(&event, "dataset", "bulkhead.events");
	nest(parent, "event", &event);
}

static void set_process(struct object *parent, const struct bh_export *record)
{
	struct object process = begin(), above = begin(), user = begin(), thread = begin();
	char uid[BH_NUMBER_LEN], entity[64];

	if (record->has_process) {
		snprintf(uid, sizeof(uid), "%u", record->uid);
		snprintf(entity, sizeof(entity), "%.36s-%u-%llu", record->id, record->pid,
			 (unsigned long long)record->start_ns);
		set_number(&process, "pid", record->pid);
		set_text(&process, "name", record->comm);
		set_text(&process, "executable", record->exe);
		set_text(&process, "entity_id", entity);
		set_number(&thread, "id", record->tid);
		set_number(&above, "pid", record->ppid);
		set_text(&above, "name", record->parent);
		set_text(&user, "id", uid);
	}
	nest(&process, "thread", &thread);
	nest(&process, "parent", &above);
	nest(&process, "user", &user);
	nest(parent, "process", &process);
}

static void set_object(struct object *parent, const struct bh_export *record)
{
	struct object file = begin(), destination = begin(), network = begin();
	bool ip = !strcmp(record->family, "inet") || !strcmp(record->family, "inet6");

	set_text(&file, "path", record->path);
	set_text(&file, "name", record->path[0] ? bh_export_base_name(record->path) : NULL);
	nest(parent, "file", &file);
	if (record->address[0]) {
		set_text(&destination, "address", record->address);
		set_text(&destination, "ip", record->address);
		set_number(&destination, "port", record->port);
	}
	nest(parent, "destination", &destination);
	if (ip)
		set_text(&network, "type", !strcmp(record->family, "inet") ? "ipv4" : "ipv6");
	set_text(&network, "transport", record->protocol);
	if (record->has_network && ip)
		set_text(&network, "direction", "egress");
	nest(parent, "network", &network);
}

static void set_rule(struct object *parent, const struct bh_export *record)
{
	struct object rule = begin(), threat = begin(), technique = begin();
	const char *ids[2] = { record->mitre };

	set_text(&rule, "id", record->rule);
	set_text(&rule, "name", record->reason);
	set_text(&rule, "ruleset", record->policy);
	set_text(&rule, "version", record->policy_hash);
	nest(parent, "rule", &rule);
	if (record->mitre) {
		set_text(&threat, "framework", "MITRE ATT&CK");
		set_list(&technique, "id", ids);
	}
	nest(&threat, "technique", &technique);
	nest(parent, "threat", &threat);
}

static void set_own(struct object *parent, const struct bh_export *record)
{
	struct object own = begin();

	set_text(&own, "class", record->class);
	set_text(&own, "verdict", record->verdict);
	set_text(&own, "mode", record->mode);
	set_text(&own, "sandbox", record->sandbox);
	set_text(&own, "cgroup", record->cgroup);
	set_text(&own, "tool", record->tool);
	set_text(&own, "access", record->access);
	set_text(&own, "owasp", record->owasp);
	set_text(&own, "action", record->action);
	set_amount(&own, "latency_us", record->latency_us);
	set_amount(&own, "tasks", record->tasks);
	set_amount(&own, "lost", record->lost);
	nest(parent, "bulkhead", &own);
}

int bh_encode_ecs(const struct bh_export *record, FILE *out)
{
	struct object object = begin(), ecs = begin(), host = begin(), observer = begin();
	char when[BH_TIME_LEN];

	bh_event_time(record->time_ns, 0, when);
	set_text(&object, "@timestamp", when);
	set_text(&ecs, "version", ECS_VERSION);
	nest(&object, "ecs", &ecs);
	set_text(&object, "message", record->message);
	set_event(&object, record);
	set_text(&host, "name", record->node);
	nest(&object, "host", &host);
	set_text(&observer, "vendor", "Bulkhead");
	set_text(&observer, "product", "bulkhead");
	set_text(&observer, "version", BH_VERSION);
	nest(&object, "observer", &observer);
	set_process(&object, record);
	set_object(&object, record);
	set_rule(&object, record);
	set_own(&object, record);
	return bh_json_finish(&object, out);
}
