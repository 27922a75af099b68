/* SPDX-License-Identifier: GPL-2.0-only */
/* What a policy says beside its tools: lifted guards, accepted warnings, names, privileges, resources. */
#include "compile/restore_parts.h"

#include <errno.h>
#include <string.h>

#include "compile/names.h"

/* A text that goes into the word `data`. */
static int read_word(struct restore *r, const char *key, void *data)
{
	char text[BH_PATTERN_MAX + 1];

	return TEXT(r, text) ? bh_restore_word(r, data, text) : bh_restore_not_canonical(r);
}

static bool is_guard(const struct restore *r, const char *name)
{
	for (size_t i = 0; i < r->shipped->guards_count; i++)
		if (strcmp(r->shipped->guards[i].name.text, name) == 0)
			return true;
	return false;
}

static int lift_guard(struct restore *r, const char *key, void *data)
{
	return read_word(r, key, &((struct bh_lift *)data)->guard);
}

static int lift_reason(struct restore *r, const char *key, void *data)
{
	return read_word(r, key, &((struct bh_lift *)data)->reason);
}

static int lift_item(struct restore *r, void *data)
{
	static const struct bh_restore_key keys[] = { { "lift", lift_guard, true }, { "reason", lift_reason, true } };
	struct bh_source_policy *policy = r->policy;
	const char *guard;
	int result;

	if (GROW(r, policy->lifts, policy->lifts_count))
		return -ENOMEM;
	result = OBJECT(r, keys, &policy->lifts[policy->lifts_count++]);
	if (result)
		return result;
	guard = policy->lifts[policy->lifts_count - 1].guard.text;
	if (!is_guard(r, guard))
		return REFUSE(r, "its policy lifts guard '%.64s', which this program does not ship", guard);
	for (size_t i = 0; i + 1 < policy->lifts_count; i++)
		if (strcmp(policy->lifts[i].guard.text, guard) == 0)
			return REFUSE(r, "its policy lifts guard '%s' twice", guard);
	return 0;
}

int bh_restore_lifts(struct restore *r, const char *key, void *data)
{
	return bh_restore_list(r, lift_item, NULL);
}

static int accept_at(struct restore *r, const char *key, void *data)
{
	return read_word(r, key, &((struct bh_acceptance *)data)->at);
}

static int accept_code(struct restore *r, const char *key, void *data)
{
	return read_word(r, key, &((struct bh_acceptance *)data)->code);
}

static int accept_reason(struct restore *r, const char *key, void *data)
{
	return read_word(r, key, &((struct bh_acceptance *)data)->reason);
}

static int accept_item(struct restore *r, void *data)
{
	static const struct bh_restore_key keys[] = {
		{ "at", accept_at, true },
		{ "code", accept_code, true },
		{ "reason", accept_reason, true },
	};
	struct bh_source_policy *policy = r->policy;
	int result;

	if (GROW(r, policy->acceptances, policy->acceptances_count))
		return -ENOMEM;
	result = OBJECT(r, keys, &policy->acceptances[policy->acceptances_count++]);
	if (result)
		return result;
	if (!bh_is_warning_code(policy->acceptances[policy->acceptances_count - 1].code.text) ||
	    policy->acceptances_count > BH_NAMES_LIMIT)
		return REFUSE(r, "its policy accepts '%.64s', or too much",
			      policy->acceptances[policy->acceptances_count - 1].code.text);
	return 0;
}

int bh_restore_acceptances(struct restore *r, const char *key, void *data)
{
	return bh_restore_list(r, accept_item, NULL);
}

static int dns_names(struct restore *r, const char *key, void *data)
{
	return bh_restore_name(r, bh_names_dns, "choice of names", &r->policy->dns.names);
}

static int dns_reason(struct restore *r, const char *key, void *data)
{
	return read_word(r, key, &r->policy->dns.reason);
}

static int dns_resolvers(struct restore *r, const char *key, void *data)
{
	return bh_restore_blocks(r, &r->policy->dns.resolvers, true);
}

int bh_restore_dns(struct restore *r, const char *key, void *data)
{
	static const struct bh_restore_key keys[] = {
		{ "names", dns_names, true },
		{ "reason", dns_reason, false },
		{ "resolvers", dns_resolvers, true },
	};

	return OBJECT(r, keys, NULL);
}

static int allow_operation(struct restore *r, const char *key, void *data)
{
	return read_word(r, key, &((struct bh_pair *)data)->word);
}

static int allow_reason(struct restore *r, const char *key, void *data)
{
	return read_word(r, key, &((struct bh_pair *)data)->value);
}

static int allow_item(struct restore *r, void *data)
{
	static const struct bh_restore_key keys[] = {
		{ "operation", allow_operation, true },
		{ "reason", allow_reason, false },
	};
	struct bh_pairs *allow = &r->policy->privileges.allow;

	if (allow->count == BH_NAMES_LIMIT)
		return REFUSE(r, "its policy allows more than %u operations", BH_NAMES_LIMIT);
	if (GROW(r, allow->items, allow->count))
		return -ENOMEM;
	return OBJECT(r, keys, &allow->items[allow->count++]);
}

static int privileges_allow(struct restore *r, const char *key, void *data)
{
	return bh_restore_list(r, allow_item, NULL);
}

static int privileges_capabilities(struct restore *r, const char *key, void *data)
{
	return bh_restore_words(r, &r->policy->privileges.capabilities);
}

int bh_restore_privileges(struct restore *r, const char *key, void *data)
{
	static const struct bh_restore_key keys[] = {
		{ "allow", privileges_allow, true },
		{ "capabilities", privileges_capabilities, true },
	};

	r->policy->privileges.given = true;
	return OBJECT(r, keys, NULL);
}

static int read_cap(struct restore *r, const char *key, void *data)
{
	unsigned int cap = bh_name_number(bh_names_caps, key);
	struct bh_limit *limit = &r->policy->resources.caps[cap];

	if (strcmp(key, "disk.path") == 0)
		return read_word(r, key, &r->policy->resources.disk_path);
	if (!cap)
		return REFUSE(r, "its policy has a limit '%.64s', which this program does not know", key);
	limit->given = true;
	return bh_scan_number64(&r->scan, &limit->value) ? 0 : bh_restore_not_canonical(r);
}

/* A limit that is not there is none; one that is has been given or is the default, which is no difference. */
static int read_caps(struct restore *r, const char *key, void *data)
{
	static const struct bh_restore_key keys[] = { { NULL, read_cap, false } };

	for (unsigned int cap = 1; cap < BH_CAPS; cap++)
		r->policy->resources.caps[cap] = (struct bh_limit){ .given = true, .value = BH_UNLIMITED };
	return OBJECT(r, keys, NULL);
}

static int threshold_for(struct restore *r, const char *key, void *data)
{
	return bh_scan_number(&r->scan, &((struct bh_threshold *)data)->for_ms) ? 0 : bh_restore_not_canonical(r);
}

static int threshold_over(struct restore *r, const char *key, void *data)
{
	return bh_scan_number64(&r->scan, &((struct bh_threshold *)data)->over) ? 0 : bh_restore_not_canonical(r);
}

static int threshold_respond(struct restore *r, const char *key, void *data)
{
	return bh_restore_name(r, bh_names_responses, "response", &((struct bh_threshold *)data)->respond);
}

static int threshold_signal(struct restore *r, const char *key, void *data)
{
	uint8_t signal;
	int result = bh_restore_name(r, bh_names_signals, "signal", &signal);

	((struct bh_threshold *)data)->signal = signal;
	return result;
}

static int threshold_tool(struct restore *r, const char *key, void *data)
{
	struct bh_threshold *threshold = data;
	struct bh_tool *tool;
	int result = read_word(r, key, &threshold->tool);

	return result ? result : bh_restore_tool(r, threshold->tool.text, &tool);
}

static int threshold_window(struct restore *r, const char *key, void *data)
{
	return bh_scan_number(&r->scan, &((struct bh_threshold *)data)->window_ms) ? 0 : bh_restore_not_canonical(r);
}

static int threshold_item(struct restore *r, void *data)
{
	static const struct bh_restore_key keys[] = {
		{ "for_ms", threshold_for, true },	{ "over", threshold_over, true },
		{ "respond", threshold_respond, true }, { "signal", threshold_signal, true },
		{ "tool", threshold_tool, false },	{ "window_ms", threshold_window, false },
	};
	struct bh_resources *resources = &r->policy->resources;

	if (resources->thresholds_count == BH_NAMES_LIMIT)
		return REFUSE(r, "its policy has more than %u thresholds", BH_NAMES_LIMIT);
	if (GROW(r, resources->thresholds, resources->thresholds_count))
		return -ENOMEM;
	return OBJECT(r, keys, &resources->thresholds[resources->thresholds_count++]);
}

static int read_thresholds(struct restore *r, const char *key, void *data)
{
	return bh_restore_list(r, threshold_item, NULL);
}

int bh_restore_resources(struct restore *r, const char *key, void *data)
{
	static const struct bh_restore_key keys[] = {
		{ "caps", read_caps, true },
		{ "thresholds", read_thresholds, true },
	};

	r->policy->resources.given = true;
	return OBJECT(r, keys, NULL);
}
