/* SPDX-License-Identifier: GPL-2.0-only */
#include "exporters/encode.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define FACILITY 10u /* security and authorization messages */
/* The enterprise number that RFC 5612 sets aside for documents: a site that has one of its own rewrites it on the way. */
#define DATA_ID "bulkhead@32473"
#define HOST_MOST 255u
#define KIND_MOST 32u
#define VALUE_MOST 1023u /* bytes of one value: a path of 4 KiB would fill the message */

static unsigned int severity_number(const char *severity)
{
	static const char *const names[] = { "critical", "high", "medium", "low", "info" };

	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(severity, names[i]))
			return 2 + i;
	return 5;
}

/* A field of the header: printable ASCII without blanks, or "-". */
static void put_header(const char *text, size_t most, FILE *out)
{
	size_t length = strnlen(text, most);

	for (size_t i = 0; i < length; i++)
		if (text[i] <= ' ' || text[i] > '~')
			length = 0;
	fprintf(out, " %.*s", (int)(length ? length : 1), length ? text : "-");
}

static void put_time(uint64_t time_ns, FILE *out)
{
	char when[BH_TIME_LEN];

	bh_event_time(time_ns, 0, when);
	fprintf(out, " %.26sZ", when); /* no more than six digits of a second are allowed */
}

static void put_value(const char *name, const char *value, FILE *out)
{
	if (!value || !value[0])
		return;
	fprintf(out, " %s=\"", name);
	bh_export_put(value, "\"\\]", VALUE_MOST, out);
	fputc('"', out);
}

static void put_number(const char *name, int64_t value, FILE *out)
{
	if (value >= 0)
		fprintf(out, " %s=\"%" PRId64 "\"", name, value);
}

static void put_process(const struct bh_export *record, FILE *out)
{
	if (!record->has_process)
		return;
	put_number("pid", record->pid, out);
	put_number("ppid", record->ppid, out);
	put_number("uid", record->uid, out);
	put_value("comm", record->comm, out);
	put_value("exe", record->exe, out);
	put_value("parent", record->parent, out);
}

static void put_object(const struct bh_export *record, FILE *out)
{
	put_value("path", record->path, out);
	put_value("access", record->access, out);
	put_value("family", record->family, out);
	put_value("protocol", record->protocol, out);
	put_value("address", record->address, out);
	if (record->address[0])
		put_number("port", record->port, out);
}

int bh_encode_syslog(const struct bh_export *record, FILE *out)
{
	fprintf(out, "<%u>1", FACILITY * 8 + severity_number(record->severity));
	put_time(record->time_ns, out);
	put_header(record->node, HOST_MOST, out);
	fputs(" bulkhead -", out);
	put_header(record->kind, KIND_MOST, out);
	fputs(" [" DATA_ID, out);
	put_value("id", record->id, out);
	put_value("class", record->class, out);
	put_value("verdict", record->verdict, out);
	put_value("severity", record->severity, out);
	put_value("reason", record->reason, out);
	put_value("rule", record->rule, out);
	put_value("mode", record->mode, out);
	put_value("policy", record->policy, out);
	put_value("policyHash", record->policy_hash, out);
	put_value("sandbox", record->sandbox, out);
	put_value("cgroup", record->cgroup, out);
	put_value("tool", record->tool, out);
	put_process(record, out);
	put_object(record, out);
	put_value("action", record->action, out);
	put_number("latencyUs", record->latency_us, out);
	put_number("tasks", record->tasks, out);
	put_number("lost", record->lost, out);
	put_value("owasp", record->owasp, out);
	put_value("mitre", record->mitre, out);
	fputs("] ", out);
	bh_export_put(record->message, "", VALUE_MOST, out);
	return ferror(out) ? -EIO : 0;
}
