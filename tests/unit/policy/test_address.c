/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "policy/address.h"

static struct bh_cidr network(const char *text)
{
	struct bh_cidr cidr = { 0 };
	struct bh_address_fault fault = bh_cidr_parse(text, true, &cidr);

	if (fault.code)
		fail_msg("'%s' %s", text, fault.text);
	return cidr;
}

static void a_network_is_read_or_refused_with_the_nearest_right_form(void **state)
{
	static const struct {
		const char *text, *code, *hint; /* code NULL: fine */
	} rows[] = {
		{ "10.0.0.1/32", NULL, "" },
		{ "10.0.0.0/8", NULL, "" },
		{ "2001:db8::/32", NULL, "" },
		{ "::1/128", NULL, "" },
		{ "10.0.0.1", "E310", "write 10.0.0.1/32" },
		{ "2001:db8::1", "E310", "write 2001:db8::1/128" },
		{ "10.1.2.3/8", "E310", "write 10.0.0.0/8" },
		{ "2001:db8::1/64", "E310", "write 2001:db8::/64" },
		{ "10.0.0.0/33", "E310", "" },
		{ "10.0.0.0/", "E310", "" },
		{ "10.0.0.0/08", "E310", "" },
		{ "10.0.0.0/+8", "E310", "" },
		{ "10.0.0.0/8/8", "E310", "" },
		{ "::/129", "E310", "" },
		{ "2852039166/32", "E310", "write it as 10.1.0.0/16 or 2001:db8::/48" },
		{ "0x0a.0.0.1/32", "E310", "write it as 10.1.0.0/16 or 2001:db8::/48" },
		{ "10.1/16", "E310", "write it as 10.1.0.0/16 or 2001:db8::/48" },
		{ "fe80::1%eth0/128", "E310", "write it as 10.1.0.0/16 or 2001:db8::/48" },
		{ "", "E310", "write it as 10.1.0.0/16 or 2001:db8::/48" },
		{ "::ffff:10.0.0.1/128", "E310", "write 10.0.0.1/32" },
		{ "0.0.0.0/0", "E312", "" },
		{ "8.0.0.0/7", "E312", "" },
		{ "::/0", "E312", "" },
		{ "2000::/31", "E312", "" },
	};

	for (size_t i = 0; i < BH_COUNT_OF(rows); i++) {
		struct bh_cidr cidr = { 0 };
		struct bh_address_fault fault = bh_cidr_parse(rows[i].text, false, &cidr);

		if (rows[i].code ? !fault.code || strcmp(fault.code, rows[i].code) != 0 : fault.code != NULL)
			fail_msg("'%s': %s", rows[i].text, fault.code ? fault.code : "no fault");
		assert_string_equal(fault.hint, rows[i].hint);
	}
}

static void ports_are_decimal_and_ranges_run_forward(void **state)
{
	static const char *const good[] = { "1", "443", "65535", "8000-8010", "80-80" };
	static const char *const bad[] = { "",	    "0",       "65536", "080",	 "+80",	 "80 ",	 "-80",	       "80-",
					   "80-79", "1-65536", "0-9",	"1-2-3", "http", "0x50", "99999999999" };
	struct bh_port_range range;

	for (size_t i = 0; i < BH_COUNT_OF(good); i++)
		if (!bh_port_range_parse(good[i], &range))
			fail_msg("'%s' is refused", good[i]);
	for (size_t i = 0; i < BH_COUNT_OF(bad); i++)
		if (bh_port_range_parse(bad[i], &range))
			fail_msg("'%s' is accepted", bad[i]);
	assert_true(bh_port_range_parse("8000-8010", &range));
	assert_int_equal(range.low, 8000);
	assert_int_equal(range.high, 8010);
}

static void a_network_covers_what_lies_inside_it_only(void **state)
{
	struct bh_cidr ten = network("10.0.0.0/8"), inside = network("10.255.255.255/32"),
		       beside = network("11.0.0.0/32"), six = network("::/0"), four = network("0.0.0.0/0");

	assert_true(bh_cidr_covers(&ten, &inside));
	assert_true(bh_cidr_covers(&ten, &ten));
	assert_true(bh_cidr_covers(&four, &ten));
	assert_false(bh_cidr_covers(&inside, &ten));
	assert_false(bh_cidr_covers(&ten, &beside));
	assert_false(bh_cidr_covers(&six, &ten));
}

static void ipv4_in_ipv6_spelling_is_recognised(void **state)
{
	static const char *const forms[] = { "::ffff:169.254.169.254/128", "64:ff9b::169.254.169.254/128",
					     "::169.254.169.254/128", "::ffff:0:169.254.169.254/128" };
	struct bh_cidr metadata = network("169.254.169.254/32"), plain = network("2001:db8::/96"), found;

	for (size_t i = 0; i < BH_COUNT_OF(forms); i++) {
		struct bh_cidr cidr = network(forms[i]);

		assert_true(bh_cidr_hidden_ipv4(&cidr, &found));
		assert_true(bh_cidr_covers(&metadata, &found));
	}
	assert_false(bh_cidr_hidden_ipv4(&plain, &found));
	assert_false(bh_cidr_hidden_ipv4(&metadata, &found));
}

static void a_single_address_is_read(void **state)
{
	static const struct {
		const char *text, *hint; /* hint NULL: fine */
	} rows[] = {
		{ "10.0.0.53", NULL },
		{ "2001:db8::53", NULL },
		{ "10.0.0.53/32", "write it as 10.1.0.1 or 2001:db8::1" },
		{ "example.com", "write it as 10.1.0.1 or 2001:db8::1" },
		{ "::ffff:10.0.0.1", "write 10.0.0.1" },
		{ "", "write it as 10.1.0.1 or 2001:db8::1" },
	};

	for (size_t i = 0; i < BH_COUNT_OF(rows); i++) {
		struct bh_cidr cidr = { 0 };
		struct bh_address_fault fault = bh_address_parse(rows[i].text, &cidr);

		assert_true(!fault.code == !rows[i].hint);
		if (fault.code)
			assert_string_equal(fault.hint, rows[i].hint);
		else
			assert_int_equal(cidr.prefix, cidr.family == 4 ? 32 : 128);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_single_address_is_read),
		cmocka_unit_test(a_network_is_read_or_refused_with_the_nearest_right_form),
		cmocka_unit_test(ports_are_decimal_and_ranges_run_forward),
		cmocka_unit_test(a_network_covers_what_lies_inside_it_only),
		cmocka_unit_test(ipv4_in_ipv6_spelling_is_recognised),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
