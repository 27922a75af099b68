/* SPDX-License-Identifier: GPL-2.0-only */
/* What the writers of JSON lines share: an object that grows key by key, and the parts that every line begins with. */
#ifndef BH_EVENT_JSON_OBJECT_H
#define BH_EVENT_JSON_OBJECT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "event/describe.h"
#include "event/utf8.h"

#define BH_JSON_SCHEMA "bulkhead.event/1"
#define BH_JSON_ID_LEN 64u

/* An object under construction. A failure sticks, so that only the end has to look. */
struct object {
	json_t *json;
	bool failed;
};

static inline void set(struct object *object, const char *key, json_t *value)
{
	if (!object->json || json_object_set_new_nocheck(object->json, key, value))
		object->failed = true;
}

static inline struct object begin(void)
{
	struct object object = { .json = json_object() };

	object.failed = !object.json;
	return object;
}

/* Hands child to parent; an empty one says nothing and is dropped. */
static inline void nest(struct object *parent, const char *key, struct object *child)
{
	parent->failed |= child->failed;
	if (json_object_size(child->json))
		set(parent, key, child->json);
	else
		json_decref(child->json);
	child->json = NULL;
}

/* JSON integers are signed here; a larger value stops at the largest. */
static inline void set_number(struct object *object, const char *key, uint64_t value)
{
	set(object, key, json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value));
}

/* A negative one does not apply. */
static inline void set_amount(struct object *object, const char *key, int64_t value)
{
	if (value >= 0)
		set_number(object, key, (uint64_t)value);
}

static inline json_t *text(const void *bytes, size_t length)
{
	char fixed[BH_UTF8_ROOM(BH_PATH_MAX)];

	return json_stringn_nocheck(fixed, bh_utf8_repair(bytes, length, fixed, sizeof(fixed)));
}

/* NULL or empty: the field does not apply. */
static inline void set_text(struct object *object, const char *key, const char *value)
{
	if (value && value[0])
		set(object, key, text(value, strlen(value)));
}

static inline void set_field(struct object *object, const char *key, const uint8_t *bytes, size_t size)
{
	size_t length = strnlen((const char *)bytes, size);

	if (length)
		set(object, key, text(bytes, length));
}

static inline void set_list(struct object *object, const char *key, const char *const *values)
{
	json_t *list;

	if (!values[0])
		return;
	list = json_array();
	for (size_t i = 0; values[i]; i++)
		if (json_array_append_new(list, json_string(values[i])))
			object->failed = true;
	set(object, key, list);
}

static inline void set_head(struct object *event, const char *id, uint64_t time_ns,
			    const struct bh_event_context *context)
{
	char when[BH_TIME_LEN];

	bh_event_time(time_ns, context->boot_offset_ns, when);
	set_text(event, "schema", BH_JSON_SCHEMA);
	set_text(event, "id", id);
	set_text(event, "time", when);
	set_text(event, "node", context->node);
	set_text(event, "mode", bh_mode_name(context->mode));
}

static inline void set_owner(struct object *event, const struct bh_event_context *context)
{
	struct object policy = begin(), sandbox = begin();

	set_text(&policy, "name", context->policy_name);
	set_text(&policy, "hash", context->policy_hash);
	nest(event, "policy", &policy);
	set_text(&sandbox, "id", context->sandbox_name);
	set_text(&sandbox, "cgroup", context->sandbox_cgroup);
	if (context->sandbox_cgroup_id)
		set_number(&sandbox, "cgroup_id", context->sandbox_cgroup_id);
	nest(event, "sandbox", &sandbox);
}

/* json.c: who did it, and the file or the socket that it was done to. */
void bh_json_subject(struct object *parent, const struct bh_event *event, const struct bh_event_context *context);
/* json.c: writes the object as one line and consumes it. 0, -ENOMEM, -EIO. */
int bh_json_finish(struct object *object, FILE *out);

#endif
