// SPDX-License-Identifier: GPL-2.0-only
/*
 * Formats that are JSON: their exact bytes, in golden/ (BH_GOLDEN_WRITE=1 writes them anew; this version's number stands as
 * @VERSION@), and what each format demands of every event.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <jansson.h>

#include "tests/unit/exporters/sample.h"

#define GOLDEN "tests/unit/exporters/golden/%s.json"

static struct bh_export record;

/* The line with each number of this version replaced. The caller frees it. */
static char *unversioned(char *line)
{
	return SAMPLE_WRITTEN(out, ({
				      for (char *at = line; *at;) {
					      bool here = !strncmp(at, "\"" BH_VERSION "\"", strlen(BH_VERSION) + 2);

					      fputs(here ? "\"@VERSION@\"" : (char[2]){ *at, '\0' }, out);
					      at += here ? strlen(BH_VERSION) + 2 : 1;
				      }
				      free(line);
				      0;
			      }));
}

static char *written(int (*encode)(const struct bh_export *, FILE *))
{
	return SAMPLE_WRITTEN(out, encode(&record, out));
}

static void compare(const char *format, const char *name, char *line)
{
	char path[256], golden[8192] = "", file_name[64];
	FILE *file;

	snprintf(file_name, sizeof(file_name), "%s-%s", format, name);
	snprintf(path, sizeof(path), GOLDEN, file_name);
	file = fopen(path, getenv("BH_GOLDEN_WRITE") ? "w+" : "r");
	if (!file)
		fail_msg("%s: %s (run from the top of the tree)", path, strerror(errno));
	if (getenv("BH_GOLDEN_WRITE")) {
		fputs(line, file);
		rewind(file);
	}
	golden[fread(golden, 1, sizeof(golden) - 1, file)] = '\0';
	fclose(file);
	assert_string_equal(line, golden);
	free(line);
}

static const struct {
	const char *name;
	void (*fill)(struct bh_export *record);
} samples[] = {
	{ "file", export_file }, { "connect", export_connect }, { "hostile", export_hostile },
	{ "kill", export_kill }, { "begin", export_begin },	{ "alert", export_alert },
};
#define SAMPLES (sizeof(samples) / sizeof(samples[0]))

static void every_event_of_a_format(const char *format, int (*encode)(const struct bh_export *, FILE *))
{
	for (size_t i = 0; i < SAMPLES; i++) {
		samples[i].fill(&record);
		compare(format, samples[i].name, unversioned(written(encode)));
	}
}

static void falco_is_golden(void **state)
{
	every_event_of_a_format("falco", bh_encode_falco);
}

static void ecs_is_golden(void **state)
{
	every_event_of_a_format("ecs", bh_encode_ecs);
}

static void ocsf_is_golden(void **state)
{
	every_event_of_a_format("ocsf", bh_encode_ocsf);
}

/* ---- Every kind and reason ---- */

static json_t *parsed(int (*encode)(const struct bh_export *, FILE *))
{
	char *line = written(encode);
	json_t *json = json_loads(line, JSON_REJECT_DUPLICATES, NULL);

	assert_non_null(json);
	free(line);
	return json;
}

/* Calls check for each kind with a reason of each class, and for what userspace says itself. */
static void for_every_event(void (*check)(void))
{
	static const uint16_t reasons[] = { BH_REASON_X1, BH_REASON_F2, BH_REASON_N0, BH_REASON_C2, BH_REASON_NONE };
	struct bh_event event;

	for (uint8_t kind = 1; kind <= BH_KIND_LAST; kind++) {
		for (size_t i = 0; bh_kind_name(kind) && i < sizeof(reasons) / sizeof(reasons[0]); i++) {
			sample_event(&event, kind, reasons[i], i % 2 ? "/srv/data" : NULL);
			event.family = i % 2 ? AF_INET6 : AF_INET;
			event.access = (uint8_t)(1u << (i % 4));
			if (reasons[i] == BH_REASON_NONE)
				event.verdict = event.wanted = BH_VERDICT_ALLOW;
			bh_export_event(&event, &sample_context, &record);
			check();
		}
	}
	for (size_t i = 0; i < SAMPLES; i++) {
		samples[i].fill(&record);
		check();
	}
}

static const char *string_at(const json_t *json, const char *key)
{
	return json_string_value(json_object_get(json, key));
}

/* The conditions under which falcosidekick takes an event. */
static void check_falco(void)
{
	static const char *const priorities[] = { "Critical", "Error", "Warning", "Notice", "Informational" };
	json_t *json = parsed(bh_encode_falco);
	bool known = false;

	for (size_t i = 0; i < sizeof(priorities) / sizeof(priorities[0]); i++)
		known |= !strcmp(string_at(json, "priority"), priorities[i]);
	assert_true(known);
	assert_true(string_at(json, "rule")[0]);
	assert_true(string_at(json, "output")[0]);
	assert_int_equal(strlen(string_at(json, "time")), strlen("2026-11-29T12:00:00.123456789Z"));
	assert_true(json_object_size(json_object_get(json, "output_fields")));
	json_decref(json);
}

static void falcosidekick_takes_every_event(void **state)
{
	for_every_event(check_falco);
}

/* category and the types that it allows, as the schema lists them */
static const struct {
	const char *category;
	const char *types[8];
} ecs_types[] = {
	{ "process", { "access", "change", "end", "info", "start" } },
	{ "network", { "access", "allowed", "connection", "denied", "end", "info", "protocol", "start" } },
	{ "file", { "access", "change", "creation", "deletion", "info" } },
	{ "intrusion_detection", { "allowed", "denied", "info" } },
	{ "configuration", { "access", "change", "creation", "deletion", "info" } },
};

static bool ecs_allows(const json_t *categories, const char *type)
{
	size_t index;
	json_t *category;

	json_array_foreach(categories, index, category) {
		for (size_t i = 0; i < sizeof(ecs_types) / sizeof(ecs_types[0]); i++)
			for (size_t j = 0; !strcmp(ecs_types[i].category, json_string_value(category)) && j < 8; j++)
				if (ecs_types[i].types[j] && !strcmp(ecs_types[i].types[j], type))
					return true;
	}
	return false;
}

static void check_ecs(void)
{
	json_t *json = parsed(bh_encode_ecs), *event = json_object_get(json, "event"), *type;
	size_t index;

	assert_non_null(string_at(json, "@timestamp"));
	assert_string_equal(string_at(json_object_get(json, "ecs"), "version"), "9.4.0");
	assert_true(json_array_size(json_object_get(event, "category")));
	assert_true(json_array_size(json_object_get(event, "type")));
	json_array_foreach(json_object_get(event, "type"), index, type)
		assert_true(ecs_allows(json_object_get(event, "category"), json_string_value(type)));
	json_decref(json);
}

static void ecs_types_fit_their_categories(void **state)
{
	for_every_event(check_ecs);
}

/* What version 1.1.0 demands, by class; NULL ends. */
static const struct {
	json_int_t class, activities; /* the last of them; 99 is allowed always */
	const char *needs[6];
} ocsf_classes[] = {
	{ 1001, 14, { "device", "actor", "file" } },
	{ 1007, 5, { "device", "actor", "process" } },
	{ 2004, 3, { "finding_info" } },
	{ 4001, 7, { "src_endpoint", "dst_endpoint", "device", "connection_info" } },
	{ 6002, 8, { "app" } },
};

static json_int_t number_at(const json_t *json, const char *key)
{
	assert_true(json_is_integer(json_object_get(json, key)));
	return json_integer_value(json_object_get(json, key));
}

static void check_ocsf(void)
{
	static const char *const always[] = { "category_uid", "class_uid",   "activity_id", "type_uid",
					      "time",	      "severity_id", "action_id",   "disposition_id" };
	json_t *json = parsed(bh_encode_ocsf), *metadata = json_object_get(json, "metadata");
	json_int_t class = number_at(json, "class_uid"), activity = number_at(json, "activity_id");
	size_t found = 0;

	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		number_at(json, always[i]);
	assert_int_equal(number_at(json, "category_uid"), class / 1000);
	assert_int_equal(number_at(json, "type_uid"), class * 100 + activity);
	assert_in_range(number_at(json, "severity_id"), 1, 5);
	assert_in_range(number_at(json, "action_id"), 1, 2);
	assert_non_null(string_at(metadata, "version"));
	assert_non_null(string_at(json_object_get(metadata, "product"), "name"));
	for (size_t i = 0; i < sizeof(ocsf_classes) / sizeof(ocsf_classes[0]); i++) {
		if (ocsf_classes[i].class != class)
			continue;
		found++;
		assert_true(activity == 99 || (activity >= 1 && activity <= ocsf_classes[i].activities));
		for (size_t j = 0; ocsf_classes[i].needs[j]; j++)
			assert_true(json_object_size(json_object_get(json, ocsf_classes[i].needs[j])));
	}
	assert_int_equal(found, 1);
	assert_true(activity != 99 || string_at(json, "activity_name"));
	json_decref(json);
}

static void ocsf_has_what_each_class_demands(void **state)
{
	for_every_event(check_ocsf);
}

static void no_time_is_beyond_the_formats(void **state)
{
	struct bh_event event;
	struct bh_event_context context = sample_context;

	context.boot_offset_ns = INT64_MIN;
	sample_event(&event, BH_KIND_EXIT, BH_REASON_NONE, NULL);
	bh_export_event(&event, &context, &record);
	assert_int_equal(record.time_ns, 0);
	context.boot_offset_ns = INT64_MAX;
	event.time_ns = UINT64_MAX;
	bh_export_event(&event, &context, &record);
	assert_true(record.time_ns == UINT64_MAX);
	check_falco();
	check_ocsf();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(falco_is_golden),
		cmocka_unit_test(ecs_is_golden),
		cmocka_unit_test(ocsf_is_golden),
		cmocka_unit_test(falcosidekick_takes_every_event),
		cmocka_unit_test(ecs_types_fit_their_categories),
		cmocka_unit_test(ocsf_has_what_each_class_demands),
		cmocka_unit_test(no_time_is_beyond_the_formats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
