/* SPDX-License-Identifier: GPL-2.0-only */
/* A copy of a policy in which every pointer points at something: both are freed, so one that is shared is freed twice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "policy/model.h"
#include "tests/unit/allocation.h"

static unsigned int named; /* every text is another one */

static struct bh_word word(void)
{
	char text[16];

	snprintf(text, sizeof(text), "w%u", named++);
	return (struct bh_word){ strdup(text), { named, 2, 3 } };
}

static struct bh_words words(void)
{
	struct bh_words list = { calloc(2, sizeof(*list.items)), 2 };

	list.items[0] = word();
	list.items[1] = word();
	return list;
}

static struct bh_pairs pairs(void)
{
	struct bh_pairs list = { calloc(1, sizeof(*list.items)), 1 };

	list.items[0] = (struct bh_pair){ word(), word() };
	return list;
}

static struct bh_cidrs cidrs(void)
{
	struct bh_cidrs list = { calloc(1, sizeof(*list.items)), 1 };

	list.items[0].prefix = (uint8_t)named++;
	return list;
}

static struct bh_port_ranges ports(void)
{
	struct bh_port_ranges list = { calloc(1, sizeof(*list.items)), 1 };

	list.items[0].low = (uint16_t)named++;
	return list;
}

static struct bh_unix sockets(void)
{
	return (struct bh_unix){ .given = true, .connect = words(), .listen = words(), .abstract = words() };
}

static void fill_tool(struct bh_tool *tool)
{
	*tool = (struct bh_tool){ .name = word(),
				  .binaries = pairs(),
				  .args_given = true,
				  .args = calloc(1, sizeof(*tool->args)),
				  .args_count = 1,
				  .env = { .given = true, .keep = words(), .require = pairs() },
				  .may_run = words(),
				  .helpers = words(),
				  .read = words(),
				  .write = words(),
				  .load = pairs(),
				  .reach = words(),
				  .listen = ports(),
				  .unix_sockets = sockets(),
				  .jit = true };
	tool->args[0] = (struct bh_args_clause){
		.exact = words(), .first = words(), .options = words(), .require = words(), .refuse = words()
	};
}

static void fill_lists(struct bh_source_policy *policy)
{
	policy->tools = calloc(1, sizeof(*policy->tools));
	policy->tools_count = 1;
	fill_tool(policy->tools);
	policy->destinations = calloc(1, sizeof(*policy->destinations));
	policy->destinations_count = 1;
	policy->destinations[0] = (struct bh_destination){
		.name = word(), .hosts = words(), .cidrs = cidrs(), .resolves_to = cidrs(), .ports = ports()
	};
	policy->select.any = calloc(1, sizeof(*policy->select.any));
	policy->select.count = 1;
	policy->select.any[0].terms = calloc(1, sizeof(*policy->select.any[0].terms));
	policy->select.any[0].count = 1;
	policy->select.any[0].terms[0] = (struct bh_select_term){ .label = word(), .value = word() };
	policy->resources.thresholds = calloc(1, sizeof(*policy->resources.thresholds));
	policy->resources.thresholds_count = 1;
	policy->resources.thresholds[0].tool = word();
	policy->lifts = calloc(1, sizeof(*policy->lifts));
	policy->lifts_count = 1;
	policy->lifts[0] = (struct bh_lift){ word(), word() };
	policy->acceptances = calloc(1, sizeof(*policy->acceptances));
	policy->acceptances_count = 1;
	policy->acceptances[0] = (struct bh_acceptance){ .code = word(), .at = word(), .reason = word() };
}

static struct bh_source_policy *full_policy(void)
{
	struct bh_source_policy *policy = calloc(1, sizeof(*policy));

	named = 0;
	policy->name = word();
	policy->description = word();
	policy->owner = word();
	policy->ticket = word();
	policy->entry = word();
	policy->attach = words();
	policy->presets = words();
	policy->workspaces = words();
	policy->never_read = words();
	policy->never_write = words();
	policy->never_run = words();
	policy->never_reach = cidrs();
	policy->dns.resolvers = cidrs();
	policy->dns.reason = word();
	policy->unix_sockets = sockets();
	policy->privileges.capabilities = words();
	policy->privileges.allow = pairs();
	policy->resources.disk_path = word();
	fill_lists(policy);
	return policy;
}

static void nothing_is_shared(void **state)
{
	struct bh_source_policy *policy = full_policy(), *copy = bh_source_policy_copy(policy);
	char *refused = strdup(policy->tools[0].args[0].refuse.items[1].text);
	char *reason = strdup(policy->acceptances[0].reason.text);

	assert_non_null(copy);
	assert_string_equal(copy->ticket.text, policy->ticket.text);
	assert_ptr_not_equal(copy->ticket.text, policy->ticket.text);
	bh_source_policy_free(policy);
	assert_string_equal(copy->name.text, "w0");
	assert_int_equal(copy->name.loc.line, 1);
	assert_true(copy->tools[0].jit && copy->tools[0].args_given);
	assert_int_equal(copy->tools[0].args_count, 1);
	assert_string_equal(copy->tools[0].args[0].refuse.items[1].text, refused);
	assert_string_equal(copy->acceptances[0].reason.text, reason);
	free(refused);
	free(reason);
	bh_source_policy_free(copy);
}

static void every_failing_allocation_is_survived(void **state)
{
	struct bh_source_policy *policy, *copy = NULL;
	long n = 0, before;

#ifdef SANITISED
	skip();
#endif
	policy = full_policy();
	before = alive;
	for (; !copy; n++) {
		left = n;
		copy = bh_source_policy_copy(policy);
		left = -1;
		if (!copy)
			assert_int_equal(alive, before);
	}
	assert_true(n > 100);
	bh_source_policy_free(copy);
	bh_source_policy_free(policy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_shared),
		cmocka_unit_test(every_failing_allocation_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
