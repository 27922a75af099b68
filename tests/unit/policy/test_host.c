/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of hosts; the wording of what is wrong with one is in tests/golden/messages/E302, E303. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "policy/host.h"

static void expect(const char *host, const char *code)
{
	const char *got = bh_host_form(host).code;

	if (!code != !got || (code && strcmp(code, got) != 0))
		fail_msg("'%s': wanted %s, got %s", host, code ? code : "none", got ? got : "none");
}

static void a_name_is_lower_case_letters_digits_and_hyphens(void **state)
{
	static const char *const good[] = { "example.com",	     "a",	  "a-b.c",
					    "xn--bcher-kva.example", "1.example", "*.example.com" };
	static const char *const bad[] = { "",	     "a b",    "a_b.com", "A.com",    "a..b",	 ".a",	    "a.",
					   "-a.com", "a-.com", "*a.com",  "a.*.com",  "*.",	 "1.2.3.4", "1",
					   "::1",    "a:1",    "a/b",	  "http://a", "*.-a.com" };

	for (size_t i = 0; i < BH_COUNT_OF(good); i++)
		expect(good[i], NULL);
	for (size_t i = 0; i < BH_COUNT_OF(bad); i++)
		expect(bad[i], "E302");
}

static void a_wildcard_needs_a_suffix_that_somebody_owns(void **state)
{
	static const char *const bad[] = { "*",
					   "*.com",
					   "*.de",
					   "*.co.uk",
					   "*.com.au",
					   "*.github.io",
					   "*.s3.amazonaws.com",
					   "*.amazonaws.com",
					   "*.a.compute.amazonaws.com",
					   "*.cloudfront.net",
					   "*.workers.dev",
					   "*.pages.dev",
					   "*.vercel.app",
					   "*.netlify.app",
					   "*.azurewebsites.net",
					   "*.blob.core.windows.net",
					   "*.windows.net",
					   "*.herokuapp.com",
					   "*.web.app",
					   "*.firebaseapp.com",
					   "*.appspot.com",
					   "*.run.app",
					   "*.ngrok.io",
					   "*.duckdns.org" };
	static const char *const good[] = {
		"*.example.com",     "*.example.co.uk", "*.x.github.io", "*.github.com", "*.b.a.compute.amazonaws.com",
		"*.xcloudfront.net", "*.debian.org"
	};

	for (size_t i = 0; i < BH_COUNT_OF(bad); i++)
		expect(bad[i], "E303");
	for (size_t i = 0; i < BH_COUNT_OF(good); i++)
		expect(good[i], NULL);
}

static void a_wildcard_stands_for_one_label_or_more(void **state)
{
	assert_true(bh_host_matches("a.com", "a.com"));
	assert_false(bh_host_matches("a.com", "b.a.com"));
	assert_true(bh_host_matches("*.a.com", "b.a.com"));
	assert_true(bh_host_matches("*.a.com", "c.b.a.com"));
	assert_false(bh_host_matches("*.a.com", "a.com"));
	assert_false(bh_host_matches("*.a.com", "ba.com"));
	assert_false(bh_host_matches("*.a.com", "a.com.evil"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_is_lower_case_letters_digits_and_hyphens),
		cmocka_unit_test(a_wildcard_needs_a_suffix_that_somebody_owns),
		cmocka_unit_test(a_wildcard_stands_for_one_label_or_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
