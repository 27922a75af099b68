/* SPDX-License-Identifier: GPL-2.0-only */
/* Classes and numbers of version 1.1.0, which later versions have kept; profile security_control. */
#include "exporters/encode.h"

#include "event/json_object.h"

#define OCSF_VERSION "1.1.0"
#define OTHER 99u

/* Of the schema: uid is category * 1000 + class, type is uid * 100 + activity. */
enum ocsf_class {
	FILE_ACTIVITY = 1001,
	PROCESS_ACTIVITY = 1007,
	DETECTION_FINDING = 2004,
	NETWORK_ACTIVITY = 4001,
	APPLICATION_LIFECYCLE = 6002,
};

struct kind {
	enum ocsf_class class;
	unsigned int activity;
};

static struct kind kind_of_file(const struct bh_export *record)
{
	if (record->access && !strcmp(record->access, "exec"))
		return (struct kind){ PROCESS_ACTIVITY, 1 };
	if (!strcmp(record->kind, "file_rename"))
		return (struct kind){ FILE_ACTIVITY, 5 };
	if (!strcmp(record->kind, "file_link"))
		return (struct kind){ FILE_ACTIVITY, 1 };
	return (struct kind){ FILE_ACTIVITY, record->access && !strcmp(record->access, "write") ? 3 : 2 };
}

static struct kind kind_of_lifecycle(const struct bh_export *record)
{
	if (record->action || !strcmp(record->class, "resource"))
		return (struct kind){ DETECTION_FINDING, 1 };
	if (!strcmp(record->kind, "bind_policy"))
		return (struct kind){ APPLICATION_LIFECYCLE, 3 };
	return (struct kind){ APPLICATION_LIFECYCLE, !strcmp(record->kind, "exit") ? 4 : OTHER };
}

static struct kind find_kind(const struct bh_export *record)
{
	if (record->what == BH_EXPORT_ALERT)
		return (struct kind){ DETECTION_FINDING, 1 };
	if (record->what == BH_EXPORT_LIFECYCLE)
		return kind_of_lifecycle(record);
	if (record->has_network)
		return (struct kind){ NETWORK_ACTIVITY, !strcmp(record->kind, "bind") ? 7 : 1 };
	if (record->has_file)
		return kind_of_file(record);
	return (struct kind){ PROCESS_ACTIVITY, !strcmp(record->kind, "exit") ? 2 : OTHER };
}

static unsigned int severity_id(const char *severity)
{
	static const char *const names[] = { "info", "low", "medium", "high", "critical" };

	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(severity, names[i]))
			return i + 1;
	return 0;
}

/* What was done about it: allowed, blocked, or only seen. */
static void set_disposition(struct object *object, const struct bh_export *record)
{
	bool let = !strcmp(record->verdict, "allow") || !strcmp(record->verdict, "alert");

	set_number(object, "action_id", let ? 1 : 2);
	if (!let)
		set_number(object, "disposition_id", !strcmp(record->verdict, "freeze") ? 4 : 2);
	else if (record->what == BH_EXPORT_ALERT)
		set_number(object, "disposition_id", 19);
	else
		set_number(object, "disposition_id", record->refused ? 15 : 1);
}

static void set_metadata(struct object *parent, const struct bh_export *record)
{
	struct object metadata = begin(), product = begin();
	const char *const profiles[] = { "security_control", NULL };

	set_text(&metadata, "version", OCSF_VERSION);
	set_text(&product, "name", "bulkhead");
	set_text(&product, "vendor_name", "Bulkhead");
	set_text(&product, "version", BH_VERSION);
	nest(&metadata, "product", &product);
	set_list(&metadata, "profiles", profiles);
	set_text(&metadata, "uid", record->id);
	nest(parent, "metadata", &metadata);
}

/* `name` and `type_id` are what a file must have. */
static void set_file(struct object *parent, const char *key, const char *path, bool executable)
{
	struct object file = begin();
	const char *name = bh_export_base_name(path);

	set_text(&file, "name", name[0] ? name : "unknown");
	set_text(&file, "path", path);
	set_number(&file, "type_id", executable ? 8 : path[0] ? 1 : 0);
	nest(parent, key, &file);
}

static void set_process(struct object *parent, const char *key, const struct bh_export *record)
{
	struct object process = begin(), above = begin(), user = begin();
	char uid[BH_NUMBER_LEN];

	if (record->has_process) {
		snprintf(uid, sizeof(uid), "%u", record->uid);
		set_number(&process, "pid", record->pid);
		set_text(&process, "name", record->comm);
		if (record->exe[0])
			set_file(&process, "file", record->exe, true);
		set_number(&above, "pid", record->ppid);
		set_text(&above, "name", record->parent);
		set_text(&user, "uid", uid);
	} else {
		set_text(&process, "name", "bulkhead");
	}
	nest(&process, "parent_process", &above);
	nest(&process, "user", &user);
	nest(parent, key, &process);
}

static void set_endpoints(struct object *parent, const struct bh_export *record)
{
	struct object source = begin(), target = begin(), connection = begin();

	set_text(&source, "name", record->sandbox[0] ? record->sandbox : "unknown");
	nest(parent, "src_endpoint", &source);
	if (record->address[0]) {
		set_text(&target, "ip", record->address);
		set_number(&target, "port", record->port);
	} else {
		set_text(&target, "name", record->path[0] ? record->path : "unknown");
	}
	nest(parent, "dst_endpoint", &target);
	set_number(&connection, "direction_id", 2);
	if (record->protocol_number)
		set_number(&connection, "protocol_num", record->protocol_number);
	set_text(&connection, "protocol_name", record->protocol);
	if (!strcmp(record->family, "inet") || !strcmp(record->family, "inet6"))
		set_number(&connection, "protocol_ver_id", record->family[4] ? 6 : 4);
	nest(parent, "connection_info", &connection);
}

static void set_finding(struct object *parent, const struct bh_export *record)
{
	struct object finding = begin();
	const char *why = record->reason && record->reason[0] ? record->reason : record->kind;

	set_text(&finding, "uid", record->id);
	set_text(&finding, "title", why);
	set_text(&finding, "desc", record->message);
	nest(parent, "finding_info", &finding);
}

/* An array with one object that tells what the finding rests on. */
static void set_evidences(struct object *parent, const struct bh_export *record)
{
	struct object evidence = begin();
	json_t *list;

	if (record->has_process)
		set_process(&evidence, "process", record);
	if (record->has_file)
		set_file(&evidence, "file", record->path, false);
	if (!json_object_size(evidence.json)) {
		json_decref(evidence.json);
		parent->failed |= evidence.failed;
		return;
	}
	list = json_array();
	parent->failed |= evidence.failed || !list || json_array_append_new(list, evidence.json);
	set(parent, "evidences", list);
}

static void set_device(struct object *parent, const struct bh_export *record)
{
	struct object device = begin();

	set_text(&device, "hostname", record->node[0] ? record->node : "unknown");
	set_number(&device, "type_id", 0);
	nest(parent, "device", &device);
}

static void set_actor(struct object *parent, const struct bh_export *record)
{
	struct object actor = begin();

	set_process(&actor, "process", record);
	nest(parent, "actor", &actor);
}

static void set_app(struct object *parent)
{
	struct object app = begin();

	set_text(&app, "name", "bulkhead");
	set_text(&app, "vendor_name", "Bulkhead");
	set_text(&app, "version", BH_VERSION);
	nest(parent, "app", &app);
}

static void set_launched(struct object *parent, const struct bh_export *record)
{
	struct object process = begin();

	set_text(&process, "name", record->path[0] ? bh_export_base_name(record->path) : "unknown");
	set_file(&process, "file", record->path, true);
	nest(parent, "process", &process);
}

/* What each class demands besides what all do. */
static void set_subject(struct object *object, const struct bh_export *record, struct kind kind)
{
	switch (kind.class) {
	case FILE_ACTIVITY:
		set_device(object, record);
		set_actor(object, record);
		set_file(object, "file", record->path, false);
		break;
	case PROCESS_ACTIVITY:
		set_device(object, record);
		set_actor(object, record);
		if (kind.activity == 1)
			set_launched(object, record);
		else
			set_process(object, "process", record);
		break;
	case NETWORK_ACTIVITY:
		set_device(object, record);
		set_actor(object, record);
		set_endpoints(object, record);
		break;
	case DETECTION_FINDING:
		set_finding(object, record);
		set_evidences(object, record);
		break;
	case APPLICATION_LIFECYCLE:
		set_app(object);
		break;
	}
}

/* What the schema has no place for. */
static void set_unmapped(struct object *parent, const struct bh_export *record)
{
	struct object own = begin();

	set_text(&own, "class", record->class);
	set_text(&own, "kind", record->kind);
	set_text(&own, "verdict", record->verdict);
	set_text(&own, "reason", record->reason);
	set_text(&own, "rule", record->rule);
	set_text(&own, "mode", record->mode);
	set_text(&own, "policy", record->policy);
	set_text(&own, "policy_hash", record->policy_hash);
	set_text(&own, "sandbox", record->sandbox);
	set_text(&own, "tool", record->tool);
	set_text(&own, "owasp", record->owasp);
	set_text(&own, "mitre", record->mitre);
	set_text(&own, "action", record->action);
	set_amount(&own, "latency_us", record->latency_us);
	set_amount(&own, "tasks", record->tasks);
	set_amount(&own, "lost", record->lost);
	nest(parent, "unmapped", &own);
}

int bh_encode_ocsf(const struct bh_export *record, FILE *out)
{
	struct kind kind = find_kind(record);
	struct object object = begin();

	set_number(&object, "category_uid", kind.class / 1000);
	set_number(&object, "class_uid", kind.class);
	set_number(&object, "activity_id", kind.activity);
	if (kind.activity == OTHER)
		set_text(&object, "activity_name", record->kind);
	set_number(&object, "type_uid", (uint64_t)kind.class * 100 + kind.activity);
	set_number(&object, "time", record->time_ns / 1000000);
	set_number(&object, "severity_id", severity_id(record->severity));
	set_number(&object, "status_id", kind.class == DETECTION_FINDING ? 1 : record->refused ? 2 : 1);
	set_text(&object, "message", record->message);
	set_disposition(&object, record);
	set_metadata(&object, record);
	set_subject(&object, record, kind);
	set_unmapped(&object, record);
	return bh_json_finish(&object, out);
}
