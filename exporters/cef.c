/* SPDX-License-Identifier: GPL-2.0-only */
#include "exporters/encode.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define VALUE_MOST 1023u /* of msg and filePath */
#define HEADER_MOST 512u
#define ACTION_MOST 63u

static unsigned int severity_number(const char *severity)
{
	static const struct {
		const char *name;
		unsigned int number;
	} numbers[] = { { "info", 1 }, { "low", 3 }, { "medium", 5 }, { "high", 8 }, { "critical", 10 } };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!strcmp(severity, numbers[i].name))
			return numbers[i].number;
	return 5;
}

static void put_header(const char *text, FILE *out)
{
	bh_export_put(text, "\\|", HEADER_MOST, out);
	fputc('|', out);
}

static void put_value(const char *key, const char *value, size_t most, FILE *out)
{
	if (!value || !value[0])
		return;
	fprintf(out, " %s=", key);
	bh_export_put(value, "\\=", most, out);
}

/* A field that the format has no key for. */
static void put_custom(const char *key, const char *label, const char *value, FILE *out)
{
	if (!value || !value[0])
		return;
	put_value(key, value, VALUE_MOST, out);
	fprintf(out, " %sLabel=%s", key, label);
}

static void put_number(const char *key, const char *label, int64_t value, FILE *out)
{
	if (value < 0)
		return;
	fprintf(out, " %s=%" PRId64 " %sLabel=%s", key, value, key, label);
}

static void put_process(const struct bh_export *record, FILE *out)
{
	if (!record->has_process)
		return;
	fprintf(out, " spid=%" PRIu32 " suid=%" PRIu32, record->pid, record->uid);
	put_value("sproc", record->exe[0] ? record->exe : record->comm, VALUE_MOST, out);
}

static void put_object(const struct bh_export *record, FILE *out)
{
	bool known = !strcmp(record->protocol, "tcp") || !strcmp(record->protocol, "udp") ||
		     !strcmp(record->protocol, "icmp");

	put_value("filePath", record->path, VALUE_MOST, out);
	put_value("fname", bh_export_base_name(record->path), VALUE_MOST, out);
	if (known)
		put_value("proto", record->protocol, VALUE_MOST, out);
	/* dst is for version 4 by the format's own type */
	put_value(strchr(record->address, ':') ? "c6a3" : "dst", record->address, VALUE_MOST, out);
	if (strchr(record->address, ':'))
		fputs(" c6a3Label=Destination IPv6 Address", out);
	if (record->address[0])
		fprintf(out, " dpt=%u", record->port);
}

int bh_encode_cef(const struct bh_export *record, FILE *out)
{
	fprintf(out, "CEF:0|Bulkhead|bulkhead|%s|", BH_VERSION);
	put_header(record->reason && record->reason[0] ? record->reason : record->kind, out);
	put_header(record->kind, out);
	fprintf(out, "%u|rt=%" PRIu64, severity_number(record->severity), record->time_ns / 1000000);
	put_value("externalId", record->id, VALUE_MOST, out);
	put_value("dvchost", record->node, 100, out);
	put_value("cat", record->class, VALUE_MOST, out);
	put_value("act", record->verdict, ACTION_MOST, out);
	fprintf(out, " outcome=%s", record->refused ? "failure" : "success");
	put_value("reason", record->reason, VALUE_MOST, out);
	put_process(record, out);
	put_object(record, out);
	put_custom("cs1", "tool", record->tool, out);
	put_custom("cs2", "sandbox", record->sandbox, out);
	put_custom("cs3", "policy", record->policy, out);
	put_custom("cs4", "policyHash", record->policy_hash, out);
	put_custom("cs5", "rule", record->rule, out);
	put_custom("cs6", "mitre", record->mitre, out);
	put_number("cn1", "latencyUs", record->latency_us, out);
	put_number("cn2", "tasks", record->tasks, out);
	put_number("cn3", "lost", record->lost, out);
	put_value("msg", record->message, VALUE_MOST, out);
	return ferror(out) ? -EIO : 0;
}
