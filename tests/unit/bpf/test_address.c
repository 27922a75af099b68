// SPDX-License-Identifier: GPL-2.0-only
/* The address floor that ships, in every form that some host, router or gateway turns back into the blocked address. */
#include "tests/unit/compile/build.h"

#include "bpf/lib/address.h"
#include "policy/parse.h"

static struct bh_floor_net *tables;

static int load_floor(void **state)
{
	struct bh_shipped *shipped = NULL;
	int result = bh_shipped_load(&shipped, NULL);

	tables = calloc(1, sizeof(*tables));
	if (!result && tables)
		result = bh_floor_compile(shipped, tables, NULL);
	bh_shipped_free(shipped);
	return result;
}

static int free_floor(void **state)
{
	free(tables);
	return 0;
}

static struct bh_address parse(const char *text)
{
	struct bh_address address = { { 0 } };

	assert_int_equal(inet_pton(strchr(text, ':') ? AF_INET6 : AF_INET, text, address.bytes), 1);
	return address;
}

static bool blocked(const char *text, uint32_t port)
{
	struct bh_address address = parse(text);

	return bh_floor_blocks(tables, strchr(text, ':') ? 6 : 4, &address, port);
}

static void assert_blocked(const char *text)
{
	static const uint16_t ports[] = { 0, 22, 53, 80, 443, 32526, 65535 };

	for (size_t i = 0; i < sizeof(ports) / sizeof(ports[0]); i++)
		if (!blocked(text, ports[i]))
			fail_msg("%s port %u is open", text, ports[i]);
}

static void assert_open(const char *text)
{
	if (blocked(text, 80) || blocked(text, 53))
		fail_msg("%s is blocked", text);
}

static void every_listed_address_is_blocked(void **state)
{
	static const char *const all[] = {
		"169.254.169.254", "169.254.170.2",	 "169.254.170.23", "169.254.169.252",	"192.0.0.192",
		"100.100.100.200", "169.254.42.42",	 "169.254.0.23",   "fd00:ec2::254",	"fd00:ec2::23",
		"fd20:ce::254",	   "fd00:c1::a9fe:a9fe", "fd00:42::42",	   "fd00:a9fe:a9fe::1", "fe80::a9fe:a9fe",
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		assert_blocked(all[i]);
}

static void the_address_beside_is_open(void **state)
{
	static const char *const all[] = {
		"169.254.169.253", "169.254.169.255",	 "169.254.168.254",   "169.254.170.1",	   "169.254.170.3",
		"169.254.170.22",  "169.254.170.24",	 "169.254.169.251",   "192.0.0.191",	   "192.0.0.193",
		"100.100.100.199", "100.100.100.201",	 "169.254.42.41",     "169.254.42.43",	   "169.254.0.22",
		"168.63.129.15",   "168.63.129.17",	 "169.254.0.24",      "41.254.169.254",	   "254.169.254.169",
		"fd00:ec2::253",   "fd00:ec2::255",	 "fd00:ec2::1:254",   "fd00:ec2::22",	   "fd00:ec2::24",
		"fd20:ce::253",	   "fd00:c1::a9fe:a9ff", "fd00:42::41",	      "fd00:a9fe:a9fe::2", "fe80::a9fe:a9fd",
		"fd00:ec3::254",   "fe81::a9fe:a9fe",	 "fe80::1:a9fe:a9fe",
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		assert_open(all[i]);
}

static void metadata_is_blocked_in_every_encoding(void **state)
{
	static const char *const all[] = {
		"::ffff:169.254.169.254", /* mapped */
		"::169.254.169.254", /* compatible */
		"::ffff:0:169.254.169.254", /* SIIT */
		"64:ff9b::169.254.169.254", /* NAT64, well-known prefix */
		"64:ff9b:1::169.254.169.254", /* NAT64, local prefix */
		"64:ff9b:1:abcd:1:2:a9fe:a9fe", /* and any /96 inside it */
		"2002:a9fe:a9fe::", /* 6to4 */
		"2002:a9fe:a9fe:1:2:3:4:5",
		"2001:0:1234:5678:0:ffff:5601:5601", /* Teredo, the client's address inverted */
		"2001::5601:5601",
		"fe80::5efe:169.254.169.254", /* ISATAP */
		"2001:db8::200:5efe:169.254.169.254", /* with the universal bit */
		"2001:db8:1:2:100:5efe:a9fe:a9fe", /* the group bit */
		"2001:db8:1:2:300:5efe:a9fe:a9fe", /* both */
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		assert_blocked(all[i]);
}

static void one_address_beside_is_open_in_every_encoding(void **state)
{
	static const char *const all[] = {
		"::ffff:169.254.169.253",
		"::ffff:169.254.169.255",
		"::169.254.169.253",
		"::169.254.169.255",
		"::ffff:0:169.254.169.253",
		"::ffff:0:169.254.169.255",
		"64:ff9b::169.254.169.253",
		"64:ff9b::169.254.169.255",
		"64:ff9b:1::169.254.169.253",
		"64:ff9b:1::169.254.169.255",
		"2002:a9fe:a9fd::",
		"2002:a9fe:a9ff::",
		"2001::5601:5600",
		"2001::5601:5602",
		"fe80::5efe:169.254.169.253",
		"fe80::5efe:169.254.169.255",
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		assert_open(all[i]);
}

static void a_prefix_that_nobody_translates_is_open(void **state)
{
	static const char *const all[] = {
		"::fffe:169.254.169.254",     "::1:ffff:169.254.169.254", "::fffe:0:169.254.169.254",
		"::ffff:1:169.254.169.254",   "64:ff9c::169.254.169.254", "64:ff9b:2::169.254.169.254",
		"64:ff9b:0:1::a9fe:a9fe",     "64:ff9b::1:0:a9fe:a9fe",	  "2003:a9fe:a9fe::",
		"2001:1::5601:5601",	      "2001::a9fe:a9fe", /* Teredo carries it inverted */
		"fe80::5eff:169.254.169.254", "fe80::400:5efe:a9fe:a9fe", "fe80::201:5efe:a9fe:a9fe",
		"2001:db8::169.254.169.254",
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		assert_open(all[i]);
}

static void wireserver_is_blocked_except_for_dns_in_every_encoding(void **state)
{
	static const char *const all[] = {
		"168.63.129.16",	  "::ffff:168.63.129.16",   "::168.63.129.16",
		"::ffff:0:168.63.129.16", "64:ff9b::168.63.129.16", "64:ff9b:1::a83f:8110",
		"2002:a83f:8110::",	  "2001::57c0:7eef",	    "fe80::5efe:a83f:8110",
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		assert_false(blocked(all[i], 53));
		assert_true(blocked(all[i], 52));
		assert_true(blocked(all[i], 54));
		assert_true(blocked(all[i], 80));
		assert_true(blocked(all[i], 32526));
		assert_true(blocked(all[i], 0));
		assert_true(blocked(all[i], 53 + 256));
	}
}

static void loopback_and_the_unspecified_address_hide_nothing(void **state)
{
	struct bh_address address = parse("::");
	uint8_t ipv4[4];

	assert_int_equal(bh_hidden_ipv4(address.bytes, ipv4), 0);
	address = parse("::1");
	assert_int_equal(bh_hidden_ipv4(address.bytes, ipv4), 0);
	address = parse("::2");
	assert_int_equal(bh_hidden_ipv4(address.bytes, ipv4), BH_HIDDEN_OTHER);
	assert_memory_equal(ipv4, "\0\0\0\2", 4);
}

static void only_the_mapped_form_is_ipv4_to_the_kernel(void **state)
{
	struct bh_address address = parse("::ffff:1.2.3.4");
	uint8_t ipv4[4];

	assert_int_equal(bh_hidden_ipv4(address.bytes, ipv4), BH_HIDDEN_MAPPED);
	assert_memory_equal(ipv4, "\1\2\3\4", 4);
	address = parse("64:ff9b::1.2.3.4");
	assert_int_equal(bh_hidden_ipv4(address.bytes, ipv4), BH_HIDDEN_OTHER);
	assert_memory_equal(ipv4, "\1\2\3\4", 4);
	address = parse("2002:102:304::9");
	assert_int_equal(bh_hidden_ipv4(address.bytes, ipv4), BH_HIDDEN_OTHER);
	assert_memory_equal(ipv4, "\1\2\3\4", 4);
	address = parse("2001:db8::1");
	assert_int_equal(bh_hidden_ipv4(address.bytes, ipv4), 0);
}

static void a_floor_that_ships_leaves_ordinary_addresses_open(void **state)
{
	static const char *const all[] = {
		"127.0.0.1", "10.0.0.1", "8.8.8.8",	"0.0.0.0", "255.255.255.255",
		"::",	     "::1",	 "2001:db8::1", "fe80::1", "fd00::1",
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		assert_open(all[i]);
}

static void a_hostile_floor_stays_inside_its_table(void **state)
{
	struct bh_floor_net *floor = malloc(sizeof(*floor));
	uint64_t seed = 5;

	assert_non_null(floor);
	for (int round = 0; round < 20; round++) {
		struct bh_address address;

		for (size_t i = 0; i < sizeof(*floor) / 8; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			memcpy((uint8_t *)floor + 8 * i, &seed, 8);
		}
		for (int i = 0; i < 500; i++) {
			for (unsigned int k = 0; k < 16; k++) {
				seed = seed * 6364136223846793005u + 1442695040888963407u;
				address.bytes[k] = (uint8_t)(seed >> 40);
			}
			(void)bh_floor_blocks(floor, i % 2 ? 4 : 6, &address, (uint32_t)(seed >> 48));
		}
	}
	free(floor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_listed_address_is_blocked),
		cmocka_unit_test(the_address_beside_is_open),
		cmocka_unit_test(metadata_is_blocked_in_every_encoding),
		cmocka_unit_test(one_address_beside_is_open_in_every_encoding),
		cmocka_unit_test(a_prefix_that_nobody_translates_is_open),
		cmocka_unit_test(wireserver_is_blocked_except_for_dns_in_every_encoding),
		cmocka_unit_test(loopback_and_the_unspecified_address_hide_nothing),
		cmocka_unit_test(only_the_mapped_form_is_ipv4_to_the_kernel),
		cmocka_unit_test(a_floor_that_ships_leaves_ordinary_addresses_open),
		cmocka_unit_test(a_hostile_floor_stays_inside_its_table),
	};

	return cmocka_run_group_tests(tests, load_floor, free_floor);
}
