// SPDX-License-Identifier: GPL-2.0-only
/* Verdicts about addresses, and what is done about a reason. */
#include "sample.h"

static uint32_t net(uint32_t tool, const char *address, uint16_t port, uint8_t protocol)
{
	struct bh_net_question question = { .port = port,
					    .family = strchr(address, ':') ? 6 : 4,
					    .protocol = protocol };

	assert_int_equal(inet_pton(question.family == 6 ? AF_INET6 : AF_INET, address, question.address.bytes), 1);
	return bh_decide_net(policy, &floor_net, tool, &question).reason;
}

static void a_listed_address_is_reached_on_its_ports(void **state)
{
	assert_int_equal(net(GIT, "10.1.0.0", 443, IPPROTO_TCP), 0);
	assert_int_equal(net(GIT, "10.1.255.255", 443, IPPROTO_TCP), 0);
	assert_int_equal(net(GIT, "10.1.2.3", 8000, IPPROTO_TCP), 0);
	assert_int_equal(net(GIT, "10.1.2.3", 8010, IPPROTO_TCP), 0);
	assert_int_equal(net(GIT, "2001:db8:ffff::1", 443, IPPROTO_TCP), 0);
	assert_int_equal(net(GIT, "64:ff9b::8.8.8.8", 443, IPPROTO_TCP), 0);
}

static void anything_else_is_n2(void **state)
{
	assert_int_equal(net(GIT, "10.0.255.255", 443, IPPROTO_TCP), BH_REASON_N2);
	assert_int_equal(net(GIT, "10.2.0.0", 443, IPPROTO_TCP), BH_REASON_N2);
	assert_int_equal(net(GIT, "10.1.2.3", 442, IPPROTO_TCP), BH_REASON_N2);
	assert_int_equal(net(GIT, "10.1.2.3", 444, IPPROTO_TCP), BH_REASON_N2);
	assert_int_equal(net(GIT, "10.1.2.3", 7999, IPPROTO_TCP), BH_REASON_N2);
	assert_int_equal(net(GIT, "10.1.2.3", 8011, IPPROTO_TCP), BH_REASON_N2);
	assert_int_equal(net(GIT, "10.1.2.3", 443, IPPROTO_UDP), BH_REASON_N2);
	assert_int_equal(net(GIT, "10.1.2.3", 443, 0), BH_REASON_N2);
	assert_int_equal(net(WORKER, "10.1.2.3", 443, IPPROTO_TCP), BH_REASON_N2);
	assert_int_equal(net(BH_TOOL_NONE, "10.1.2.3", 443, IPPROTO_TCP), BH_REASON_N2);
	assert_int_equal(net(GIT, "2001:db9::", 443, IPPROTO_TCP), BH_REASON_N2);
	assert_int_equal(net(GIT, "0.0.0.0", 443, IPPROTO_TCP), BH_REASON_N2);
	assert_int_equal(net(GIT, "::", 443, IPPROTO_TCP), BH_REASON_N2);
}

static void a_mapped_address_is_judged_as_ipv4(void **state)
{
	assert_int_equal(net(GIT, "::ffff:10.1.2.3", 443, IPPROTO_TCP), 0);
	assert_int_equal(net(GIT, "::ffff:10.2.2.3", 443, IPPROTO_TCP), BH_REASON_N2);
	assert_int_equal(net(GIT, "::ffff:11.0.0.1", 443, IPPROTO_TCP),
			 BH_REASON_N2); /* listed only in its IPv6 form */
	assert_int_equal(net(GIT, "::10.1.2.3", 443, IPPROTO_TCP), BH_REASON_N2); /* another form is no IPv4 */
	assert_int_equal(net(GIT, "2002:a01:203::", 443, IPPROTO_TCP), BH_REASON_N2);
}

static void metadata_is_denied_even_if_listed(void **state)
{
	assert_int_equal(net(GIT, "169.254.169.253", 443, IPPROTO_TCP), 0);
	assert_int_equal(net(GIT, "169.254.169.254", 443, IPPROTO_TCP), BH_REASON_N0);
	assert_int_equal(net(GIT, "169.254.169.255", 443, IPPROTO_TCP), 0);
	assert_int_equal(net(GIT, "64:ff9b::169.254.169.253", 443, IPPROTO_TCP), 0);
	assert_int_equal(net(GIT, "64:ff9b::169.254.169.254", 443, IPPROTO_TCP), BH_REASON_N0);
	assert_int_equal(net(GIT, "::ffff:169.254.169.254", 443, IPPROTO_TCP), BH_REASON_N0);
	assert_int_equal(net(GIT, "2001:db8::5efe:169.254.169.254", 443, IPPROTO_TCP), BH_REASON_N0);
	assert_int_equal(net(WORKER, "169.254.169.254", 80, IPPROTO_UDP), BH_REASON_N0);
	assert_int_equal(net(BH_TOOL_NONE, "169.254.169.254", 80, IPPROTO_TCP), BH_REASON_N0);
	assert_int_equal(net(200, "169.254.169.254", 80, IPPROTO_TCP), BH_REASON_N0);
}

static void another_family_is_n7(void **state)
{
	static const uint8_t families[] = { 0, 1, 2, 3, 5, 7, 10, 255 };

	for (size_t i = 0; i < sizeof(families); i++) {
		struct bh_net_question question = { { { 10, 1, 2, 3 } }, 443, families[i], IPPROTO_TCP };

		assert_int_equal(bh_decide_net(policy, &floor_net, GIT, &question).reason, BH_REASON_N7);
	}
}

#define BH_REASON(number, code, class, text) { number, BH_CLASS_##class },
static const struct {
	uint32_t number, class;
} reasons[] = {
#include "rules/reasons.def"
};
#undef BH_REASON
#define REASONS (sizeof(reasons) / sizeof(reasons[0]))

static void every_reason_has_the_class_of_its_list(void **state)
{
	for (size_t i = 0; i < REASONS; i++) {
		assert_in_range(reasons[i].class, 1, BH_CLASSES - 1);
		assert_int_equal(bh_reason_class_of(reasons[i].number), reasons[i].class);
	}
	assert_int_equal(bh_reason_class_of(0), 0);
	assert_int_equal(bh_reason_class_of(9999), 0);
}

/* What a reason leads to in a class that answers so. */
static uint32_t expected_verdict(uint32_t class, uint32_t respond)
{
	if (respond == BH_VERDICT_KILL || respond == BH_VERDICT_FREEZE)
		return respond;
	return class == BH_CLASS_ARGS ? BH_VERDICT_TASK : BH_VERDICT_DENY;
}

static void each_class_answers_as_the_policy_says(void **state)
{
	static const uint8_t responses[] = { BH_VERDICT_DENY, BH_VERDICT_KILL, BH_VERDICT_FREEZE };

	for (uint32_t round = 0; round < 3 * 3 * 3 * 3 * 3 * 3; round++) {
		struct bh_policy_head head = { .mode = BH_MODE_ENFORCE };

		for (uint32_t class = 1, left = round; class < BH_CLASSES; class ++, left /= 3)
			head.respond[7][class] = responses[left % 3];
		assert_int_equal(bh_verdict_of(&head, 7, 0, BH_MODE_ENFORCE), BH_VERDICT_ALLOW);
		for (size_t i = 0; i < REASONS; i++)
			assert_int_equal(bh_verdict_of(&head, 7, reasons[i].number, BH_MODE_ENFORCE),
					 expected_verdict(reasons[i].class, head.respond[7][reasons[i].class]));
		assert_int_equal(bh_verdict_of(&head, 7, 9999, BH_MODE_ENFORCE), BH_VERDICT_DENY);
		assert_int_equal(bh_verdict_of(&head, 8, BH_REASON_F2, BH_MODE_ENFORCE), BH_VERDICT_DENY);
	}
}

static void observing_allows_all_but_the_floor(void **state)
{
	struct bh_policy_head head = { .mode = BH_MODE_OBSERVE };

	memset(head.respond, BH_VERDICT_KILL, sizeof(head.respond));
	for (size_t i = 0; i < REASONS; i++)
		assert_int_equal(bh_verdict_of(&head, 1, reasons[i].number, BH_MODE_OBSERVE),
				 reasons[i].class == BH_CLASS_FLOOR ? BH_VERDICT_KILL : BH_VERDICT_ALLOW);
	head.respond[1][BH_CLASS_FLOOR] = BH_VERDICT_DENY;
	assert_int_equal(bh_verdict_of(&head, 1, BH_REASON_F0, BH_MODE_OBSERVE), BH_VERDICT_DENY);
	assert_int_equal(bh_verdict_of(&head, 1, BH_REASON_N0, BH_MODE_OBSERVE), BH_VERDICT_DENY);
	assert_int_equal(bh_verdict_of(&head, 1, BH_REASON_R1, BH_MODE_OBSERVE), BH_VERDICT_DENY);
	assert_int_equal(bh_verdict_of(&head, 1, 0, BH_MODE_OBSERVE), BH_VERDICT_ALLOW);
}

static void grace_enforces_what_is_forbidden(void **state)
{
	static const uint32_t forbidden[] = { BH_REASON_F1, BH_REASON_X10, BH_REASON_N10, BH_REASON_U1 };
	struct bh_policy_head head = { .mode = BH_MODE_GRACE };

	for (size_t i = 0; i < REASONS; i++) {
		uint32_t want = reasons[i].class == BH_CLASS_FLOOR ? BH_VERDICT_DENY : BH_VERDICT_ALLOW;

		for (size_t k = 0; k < 4; k++)
			want = reasons[i].number == forbidden[k] ? BH_VERDICT_DENY : want;
		assert_int_equal(bh_verdict_of(&head, 1, reasons[i].number, BH_MODE_GRACE), want);
	}
}

static void a_class_may_have_a_mode_of_its_own(void **state)
{
	struct bh_policy_head head = { .mode = BH_MODE_ENFORCE };

	assert_int_equal(bh_mode_of(&head, BH_REASON_F2), BH_MODE_ENFORCE);
	head.modes[BH_CLASS_FILES] = BH_MODE_OBSERVE;
	assert_int_equal(bh_mode_of(&head, BH_REASON_F2), BH_MODE_OBSERVE);
	assert_int_equal(bh_mode_of(&head, BH_REASON_F0), BH_MODE_ENFORCE);
	assert_int_equal(bh_mode_of(&head, BH_REASON_N2), BH_MODE_ENFORCE);
	assert_int_equal(bh_mode_of(&head, 9999), BH_MODE_ENFORCE);
}

static void a_response_or_mode_that_nobody_defined_denies(void **state)
{
	struct bh_policy_head head = { 0 };

	for (unsigned int value = 0; value < 256; value++) {
		memset(head.respond, (int)value, sizeof(head.respond));
		assert_int_equal(bh_verdict_of(&head, 1, BH_REASON_F2, BH_MODE_ENFORCE),
				 expected_verdict(BH_CLASS_FILES, value));
		assert_int_equal(bh_verdict_of(&head, 1, BH_REASON_X3, BH_MODE_ENFORCE),
				 expected_verdict(BH_CLASS_ARGS, value));
		assert_int_equal(bh_verdict_of(&head, 1000 + value, BH_REASON_F2, BH_MODE_ENFORCE),
				 expected_verdict(BH_CLASS_FILES, value));
	}
	head.respond[1][BH_CLASS_FILES] = BH_VERDICT_DENY;
	assert_int_equal(bh_verdict_of(&head, 1, BH_REASON_F2, 0), BH_VERDICT_DENY);
	assert_int_equal(bh_verdict_of(&head, 1, BH_REASON_F2, 77), BH_VERDICT_DENY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_listed_address_is_reached_on_its_ports),
		cmocka_unit_test(anything_else_is_n2),
		cmocka_unit_test(a_mapped_address_is_judged_as_ipv4),
		cmocka_unit_test(metadata_is_denied_even_if_listed),
		cmocka_unit_test(another_family_is_n7),
		cmocka_unit_test(every_reason_has_the_class_of_its_list),
		cmocka_unit_test(each_class_answers_as_the_policy_says),
		cmocka_unit_test(observing_allows_all_but_the_floor),
		cmocka_unit_test(grace_enforces_what_is_forbidden),
		cmocka_unit_test(a_class_may_have_a_mode_of_its_own),
		cmocka_unit_test(a_response_or_mode_that_nobody_defined_denies),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
