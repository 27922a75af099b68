// SPDX-License-Identifier: GPL-2.0-only
/* Lines for what is no record of the kernel's: counters, traffic, names. */
#include "event/observed.h"

#include <errno.h>
#include <inttypes.h>

#include "event/json_object.h"

static const char *const sample_names[BH_SAMPLE_FIELDS] = {
#define BH_SAMPLE(number, name, kind, source) [number] = #name,
#include "rules/samples.def"
#undef BH_SAMPLE
};

static void begin_line(struct object *line, uint64_t time_ns, const struct bh_event_context *context, const char *class,
		       const char *kind)
{
	*line = begin();
	set_head(line, NULL, time_ns, context);
	set_text(line, "class", class);
	set_text(line, "kind", kind);
}

static void set_tool(struct object *line, unsigned int tool, const struct bh_event_context *context)
{
	set_owner(line, context);
	if (tool && context->tool_name)
		set_text(line, "tool", context->tool_name(context->data, tool));
}

int bh_sample_json(const struct bh_sample *sample, const struct bh_event_context *context, FILE *out)
{
	struct object line, values = begin();

	begin_line(&line, sample->time_ns, context, "resource", "sample");
	set_owner(&line, context);
	for (unsigned int i = 0; i < BH_SAMPLE_FIELDS; i++)
		if (sample->have & 1u << i)
			set_number(&values, sample_names[i], sample->values[i]);
	nest(&line, "sample", &values);
	return bh_json_finish(&line, out);
}

int bh_flow_json(const struct bh_flow *flow, const struct bh_event_context *context, FILE *out)
{
	struct object line, network = begin();
	char buffer[BH_NUMBER_LEN], address[INET6_ADDRSTRLEN];
	struct bh_event peer = { .kind = BH_KIND_SENDMSG, .family = flow->family };

	memcpy(peer.address, flow->address, sizeof(peer.address));
	begin_line(&line, flow->time_ns, context, "network", "flow");
	set_tool(&line, flow->tool, context);
	set_text(&network, "family", bh_family_name(flow->family, buffer));
	if (flow->protocol)
		set_text(&network, "protocol", bh_protocol_name(flow->protocol, buffer));
	if (bh_event_address(&peer, address))
		set_text(&network, "address", address);
	set_number(&network, "port", flow->port);
	set_number(&network, "bytes", flow->bytes);
	nest(&line, "network", &network);
	return bh_json_finish(&line, out);
}

int bh_query_json(const struct bh_query *query, const struct bh_event_context *context, FILE *out)
{
	struct object line, network = begin();

	begin_line(&line, query->time_ns, context, "network", "dns");
	set_text(&line, "verdict", query->refused ? "deny" : "allow");
	set_tool(&line, query->tool, context);
	set(&network, "name", text(query->name, query->length > BH_NAME_MAX ? BH_NAME_MAX : query->length));
	nest(&line, "network", &network);
	return bh_json_finish(&line, out);
}
