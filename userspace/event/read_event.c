// SPDX-License-Identifier: GPL-2.0-only
/* The second step of reading a line: words become numbers again, and what does not fit together is refused. */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "event/json_object.h"
#include "event/reading.h"

#define REASONS_MOST 256u

struct word {
	const char *word;
	unsigned int number;
};

static const struct word verdicts[] = {
	{ "allow", BH_VERDICT_ALLOW },
	{ "deny", BH_VERDICT_DENY },
	{ "freeze", BH_VERDICT_FREEZE },
	{ "kill", BH_VERDICT_KILL },
	{ NULL },
};
static const struct word accesses[] = {
	{ "read", BH_ACCESS_READ },
	{ "write", BH_ACCESS_WRITE },
	{ "exec", BH_ACCESS_EXEC },
	{ "load", BH_ACCESS_LOAD },
	{ NULL },
};
static const struct word modes[] = {
	{ "enforce", BH_MODE_ENFORCE },
	{ "observe", BH_MODE_OBSERVE },
	{ "grace", BH_MODE_GRACE },
	{ NULL },
};
static const struct word families[] = { { "unix", AF_UNIX }, { "inet", AF_INET }, { "inet6", AF_INET6 }, { NULL } };
static const struct word protocols[] = {
	{ "tcp", IPPROTO_TCP },
	{ "udp", IPPROTO_UDP },
	{ "icmp", IPPROTO_ICMP },
	{ NULL },
};

static bool given(const struct bh_line_raw *raw, enum bh_line_key key)
{
	return raw->given & UINT64_C(1) << key;
}

static const struct word *find(const struct word *words, const char *text)
{
	while (words->word && strcmp(words->word, text) != 0)
		words++;
	return words->word ? words : NULL;
}

/* A word, or a number up to most in its place. */
static bool word_or_number(const struct word *words, const char *text, unsigned int most, unsigned int *ret)
{
	const struct word *found = find(words, text);
	struct bh_lex lex;
	uint64_t number;

	if (found) {
		*ret = found->number;
		return true;
	}
	bh_lex_init(&lex, text, strlen(text));
	if (*text == ' ' || !bh_lex_number(&lex, most, &number) || lex.at != lex.end)
		return false;
	*ret = (unsigned int)number;
	return true;
}

static unsigned int find_kind(const char *name)
{
	for (unsigned int kind = 1; kind <= BH_KIND_LAST; kind++)
		if (bh_kind_name(kind) && strcmp(bh_kind_name(kind), name) == 0)
			return kind;
	return 0;
}

static unsigned int find_reason(const char *code)
{
	for (unsigned int reason = 1; reason < REASONS_MOST; reason++)
		if (strcmp(bh_reason_code(reason), code) == 0)
			return reason;
	return 0;
}

/* ---- Parts ---- */

static int build_peer(const struct bh_line_raw *raw, uint16_t *family, uint8_t *protocol, uint8_t address[static 16],
		      struct bh_line_fault *fault)
{
	unsigned int number = 0;

	if (given(raw, BH_KEY_FAMILY) && !word_or_number(families, raw->family, UINT16_MAX, &number))
		return bh_line_fail(fault, raw->columns[BH_KEY_FAMILY], "not the name or number of a socket family");
	*family = (uint16_t)number;
	number = 0;
	if (given(raw, BH_KEY_PROTOCOL) && !word_or_number(protocols, raw->protocol, UINT8_MAX, &number))
		return bh_line_fail(fault, raw->columns[BH_KEY_PROTOCOL], "not the name or number of a protocol");
	*protocol = (uint8_t)number;
	if ((*family != AF_INET && *family != AF_INET6) || !given(raw, BH_KEY_ADDRESS))
		return 0;
	if (inet_pton(*family, raw->address, address) != 1)
		return bh_line_fail(fault, raw->columns[BH_KEY_ADDRESS], "not an address of its family");
	return 0;
}

static int build_verdict(const struct bh_line_raw *raw, struct bh_event *event, struct bh_line_fault *fault)
{
	const struct word *verdict = find(verdicts, raw->verdict), *would = find(verdicts, raw->would);

	if (!verdict)
		return bh_line_fail(fault, given(raw, BH_KEY_VERDICT) ? raw->columns[BH_KEY_VERDICT] : 1,
				    given(raw, BH_KEY_VERDICT) ? "not a verdict of an event" : "no verdict");
	if (given(raw, BH_KEY_WOULD) && !would)
		return bh_line_fail(fault, raw->columns[BH_KEY_WOULD], "not a verdict of an event");
	event->verdict = (uint8_t)verdict->number;
	event->wanted = (uint8_t)(would ? would->number : verdict->number);
	if (!given(raw, BH_KEY_REASON))
		return 0;
	event->reason = (uint16_t)find_reason(raw->reason);
	if (!event->reason)
		return bh_line_fail(fault, raw->columns[BH_KEY_REASON], "an unknown reason");
	return 0;
}

static void build_process(const struct bh_line_raw *raw, struct bh_event *event)
{
	event->pid = (uint32_t)raw->pid;
	event->tid = (uint32_t)raw->tid;
	event->ppid = (uint32_t)raw->ppid;
	event->uid = (uint32_t)raw->uid;
	event->start_ns = raw->start_ns;
	memcpy(event->comm, raw->comm, sizeof(event->comm));
	memcpy(event->exe, raw->exe, sizeof(event->exe));
	memcpy(event->ancestors, raw->ancestors, sizeof(event->ancestors));
}

static int build_object(const struct bh_line_raw *raw, struct bh_event *event, struct bh_line_fault *fault)
{
	const struct word *access = find(accesses, raw->access);
	const char *path = raw->path;
	size_t length;

	if (given(raw, BH_KEY_ACCESS) && !access)
		return bh_line_fail(fault, raw->columns[BH_KEY_ACCESS], "not a way to access a file");
	event->access = access ? (uint8_t)access->number : 0;
	event->port = (uint16_t)raw->port;
	if (event->kind == BH_KIND_UNIX_CONNECT)
		path = raw->address;
	else if (bh_event_is_network(event) && raw->name[0])
		path = raw->name;
	length = strlen(path);
	if (length) {
		memcpy(event->path, path, length + 1);
		event->path_length = (uint32_t)length + 1;
	}
	event->length = (uint16_t)(BH_EVENT_FIXED + event->path_length);
	return build_peer(raw, &event->family, &event->protocol, event->address, fault);
}

static int build_event(const struct bh_line_raw *raw, struct bh_line *line, struct bh_line_fault *fault)
{
	struct bh_event *event = &line->event;
	const struct bh_event *checked;
	int result;

	memset(event, 0, BH_EVENT_FIXED);
	event->version = BH_EVENT_VERSION;
	event->kind = (uint8_t)find_kind(raw->kind);
	event->time_ns = line->time_ns;
	result = build_verdict(raw, event, fault);
	if (result)
		return result;
	build_process(raw, event);
	result = build_object(raw, event, fault);
	if (result)
		return result;
	if (bh_event_check(event, sizeof(*event), &checked))
		return bh_line_fail(fault, 1, "verdict, would and reason do not fit together");
	return 0;
}

static int build_sample(const struct bh_line_raw *raw, struct bh_line *line)
{
	line->sample = (struct bh_sample){ .time_ns = line->time_ns };
	line->sample.have = (uint32_t)(raw->given >> BH_KEY_SAMPLE_FIRST);
	memcpy(line->sample.values, raw->values, sizeof(line->sample.values));
	return 0;
}

static int build_flow(const struct bh_line_raw *raw, struct bh_line *line, struct bh_line_fault *fault)
{
	line->flow = (struct bh_flow){ .time_ns = line->time_ns, .bytes = raw->bytes, .port = (uint16_t)raw->port };
	if (!given(raw, BH_KEY_BYTES) || !given(raw, BH_KEY_ADDRESS))
		return bh_line_fail(fault, 1, "a flow without its address or its bytes");
	return build_peer(raw, &line->flow.family, &line->flow.protocol, line->flow.address, fault);
}

static int build_query(const struct bh_line_raw *raw, struct bh_line *line, struct bh_line_fault *fault)
{
	if (!raw->name[0])
		return bh_line_fail(fault, 1, "a name is asked for, and there is none");
	memcpy(line->name, raw->name, sizeof(line->name));
	line->query = (struct bh_query){ .time_ns = line->time_ns,
					 .name = line->name,
					 .length = strlen(line->name),
					 .refused = strcmp(raw->verdict, "deny") == 0 };
	return 0;
}

static enum bh_line_what what_of(const struct bh_line_raw *raw)
{
	if (strcmp(raw->kind, "sample") == 0)
		return BH_LINE_SAMPLE;
	if (strcmp(raw->kind, "flow") == 0)
		return BH_LINE_FLOW;
	/* a sandbox's own end has the same kind as that of a process, and a name that was asked for that of a record about it */
	if (find_kind(raw->kind) && given(raw, BH_KEY_PROCESS))
		return BH_LINE_EVENT;
	if (strcmp(raw->kind, "dns") == 0 && (raw->name[0] || !given(raw, BH_KEY_PROCESS)))
		return BH_LINE_QUERY;
	return BH_LINE_OTHER;
}

int bh_line_build(const struct bh_line_raw *raw, struct bh_line *ret, struct bh_line_fault *fault)
{
	const struct word *mode = find(modes, raw->mode);

	if (!given(raw, BH_KEY_SCHEMA))
		return bh_line_fail(fault, 1, "no schema");
	if (strcmp(raw->schema, BH_JSON_SCHEMA) != 0)
		return bh_line_fail(fault, raw->columns[BH_KEY_SCHEMA], "the schema is not %s", BH_JSON_SCHEMA);
	if (!given(raw, BH_KEY_KIND))
		return bh_line_fail(fault, 1, "no kind");
	if (!given(raw, BH_KEY_TIME))
		return bh_line_fail(fault, 1, "no time");
	if (!bh_line_time(raw->time, &ret->time_ns))
		return bh_line_fail(fault, raw->columns[BH_KEY_TIME],
				    "not a time like 2026-11-29T12:00:00.123456789Z between 1970 and 2261");
	memcpy(ret->sandbox, raw->sandbox, sizeof(ret->sandbox));
	memcpy(ret->tool, raw->tool, sizeof(ret->tool));
	memcpy(ret->node, raw->node, sizeof(ret->node));
	ret->mode = mode ? (uint8_t)mode->number : 0;
	ret->what = what_of(raw);
	switch (ret->what) {
	case BH_LINE_EVENT:
		return build_event(raw, ret, fault);
	case BH_LINE_SAMPLE:
		return build_sample(raw, ret);
	case BH_LINE_FLOW:
		return build_flow(raw, ret, fault);
	case BH_LINE_QUERY:
		return build_query(raw, ret, fault);
	default:
		return 0;
	}
}
