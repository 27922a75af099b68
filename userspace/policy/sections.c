/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdlib.h>
#include <string.h>

#include "policy/fields.h"
#include "policy/quantity.h"

void bh_read_metadata(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	bh_fields_read(reader, "metadata", "metadata", at->key, at->value, field);
}

/* The date belongs to one mode, and the mode needs it. */
static void check_grace(struct bh_reader *reader, const struct bh_node *spec)
{
	const struct bh_node *mode = bh_key_find(spec, "mode"), *grace = bh_key_find(spec, "grace");
	bool graceful = mode && strcmp(mode->next->text, "grace") == 0;

	if (graceful && !grace)
		bh_refuse(reader, "E181", mode, "add grace: {until: 2027-01-31T00:00:00Z}",
			  "'mode: grace' needs a date in 'spec.grace.until'");
	if (grace && !graceful)
		bh_refuse(reader, "E181", grace, "write 'mode: grace', or remove it",
			  "'spec.grace' has no meaning in another mode");
}

void bh_read_grace(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_source_policy *policy = field;

	policy->grace_loc = at->key->loc;
	bh_fields_read(reader, "grace", "spec.grace", at->key, at->value, policy);
}

void bh_read_date(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	int64_t seconds;
	const char *fault = bh_quantity_date(at->value->text, &seconds);

	if (fault)
		bh_refuse(reader, "E180", at->value, "write 2027-01-31T00:00:00Z", "'%.64s' %s", at->value->text,
			  fault);
	else
		*(int64_t *)field = seconds;
}

void bh_read_modes(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	bh_fields_read(reader, "modes", "spec.modes", at->key, at->value, field);
}

void bh_read_spec(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	if (!reader->partial)
		check_grace(reader, at->value);
	bh_fields_read(reader, "spec", "spec", at->key, at->value, field);
}

void bh_read_files(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	char label[BH_LABEL_MAX];

	bh_label_join(label, sizeof(label), at->label, at->key->text);
	bh_fields_read(reader, "files", label, at->key, at->value, field);
}

void bh_read_egress(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	bh_fields_read(reader, "egress", "spec.egress", at->key, at->value, field);
}

void bh_read_respond(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	bh_fields_read(reader, "respond", "spec.respond", at->key, at->value, field);
}

void bh_read_tool_respond(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	char label[BH_LABEL_MAX];

	bh_label_join(label, sizeof(label), at->label, at->key->text);
	bh_fields_read(reader, "tool-respond", label, at->key, at->value, field);
}

void bh_read_unix(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_unix *sockets = field;
	char label[BH_LABEL_MAX];

	sockets->given = true;
	sockets->loc = at->key->loc;
	bh_label_join(label, sizeof(label), at->label, at->key->text);
	bh_fields_read(reader, "unix", label, at->key, at->value, sockets);
}

void bh_read_never(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	bh_fields_read(reader, "never", "spec.never", at->key, at->value, field);
}

/* A bad name is reported but kept, so that references to it are not reported as well. */
static void read_tool(struct bh_reader *reader, const struct bh_at *at, struct bh_tool *tool)
{
	char label[BH_LABEL_MAX];

	if (!bh_is_name(at->key->text))
		bh_refuse(reader, "E109", at->key,
			  "a lower-case letter, then up to 62 lower-case letters, digits or '-'",
			  "'%.80s' is not a name", at->key->text);
	if (!bh_word_take(reader, at->key, &tool->name) || !bh_kind_check(reader, at, BH_NODE_MAP))
		return;
	bh_label_join(label, sizeof(label), at->label, at->key->text);
	bh_fields_read(reader, "tool", label, at->key, at->value, tool);
}

void bh_read_tools(struct bh_reader *reader, const struct bh_at *at, void *field)
{
	struct bh_source_policy *policy = field;
	size_t count = at->value->count;

	if (count == 0)
		bh_refuse(reader, "E113", at->value, "a policy needs at least its entry tool", "'spec.tools' is empty");
	if (count > BH_TOOLS_MAX) {
		bh_refuse(reader, "E113", at->key, NULL, "%zu tools; at most %u are possible", count, BH_TOOLS_MAX);
		return;
	}
	policy->tools = bh_reader_array(reader, count, sizeof(*policy->tools));
	if (!policy->tools)
		return;
	for (const struct bh_node *key = at->value->first; key; key = key->next->next) {
		struct bh_at tool = { .label = "spec.tools", .key = key, .value = key->next };

		if (!key->bad)
			read_tool(reader, &tool, &policy->tools[policy->tools_count++]);
	}
}
