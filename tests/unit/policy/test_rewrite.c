/* SPDX-License-Identifier: GPL-2.0-only */
/* A word put into a text or taken out of it, and all else as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "policy/rewrite.h"

static bool is_word(const struct bh_node *item, const void *wanted)
{
	return item->kind == BH_NODE_WORD && strcmp(item->text, wanted) == 0;
}

static struct bh_rewrite add(const char *place, const char *item)
{
	return (struct bh_rewrite){ .kind = BH_REWRITE_ADD_ITEM, .place = place, .yaml = item };
}

static struct bh_rewrite take(const char *place, const char *item)
{
	return (struct bh_rewrite){
		.kind = BH_REWRITE_REMOVE_ITEM, .place = place, .is_wanted = is_word, .wanted = item
	};
}

static struct bh_rewrite add_key(const char *place, const char *key, const char *yaml)
{
	return (struct bh_rewrite){ .kind = BH_REWRITE_ADD_KEY, .place = place, .key = key, .yaml = yaml };
}

static struct bh_rewrite take_key(const char *place, const char *key)
{
	return (struct bh_rewrite){ .kind = BH_REWRITE_REMOVE_KEY, .place = place, .key = key };
}

static void becomes(const char *before, struct bh_rewrite change, const char *after)
{
	struct bh_buf out = { 0 };
	struct bh_err err = { 0 };

	if (bh_rewrite(before, strlen(before), &change, &out, &err))
		fail_msg("%s: %s", before, err.text);
	assert_string_equal((const char *)out.bytes, after);
	bh_buf_done(&out);
}

static void is_refused(const char *before, struct bh_rewrite change, int result, const char *why)
{
	struct bh_buf out = { 0 };
	struct bh_err err = { 0 };

	assert_int_equal(bh_rewrite(before, strlen(before), &change, &out, &err), result);
	assert_string_equal(err.text, why);
	bh_buf_done(&out);
}

static void an_item_goes_to_the_end_of_a_list_in_brackets(void **state)
{
	becomes("l: [a, b] # why\n", add("l", "c"), "l: [a, b, c] # why\n");
	becomes("l: [a, b, ]\n", add("l", "c"), "l: [a, b, c, ]\n");
	becomes("l: []\n", add("l", "c"), "l: [c]\n");
	becomes("l: [   ]\n", add("l", "c"), "l: [c]\n");
	becomes("l: [ # none\n  ]\n", add("l", "c"), "l: [c # none\n  ]\n");
	becomes("m: {l: [a, {x: y}]}", add("m.l", "\"c d\""), "m: {l: [a, {x: y}, \"c d\"]}");
	becomes("l: [a,\n    b]\n", add("l", "c"), "l: [a,\n    b,\n    c]\n");
	becomes("l: [\n  a, # first\n  b # second\n]\n", add("l", "c"), "l: [\n  a, # first\n  b, # second\n  c\n]\n");
	becomes("l: [\n  a,\n  b, # second\n]\n", add("l", "c"), "l: [\n  a,\n  b, # second\n  c,\n]\n");
	becomes("l: [\n  a,\n  b, ]\n", add("l", "c"), "l: [\n  a,\n  b,\n  c, ]\n");
	/* several in a line: the last does not begin one */
	becomes("l: [a,\n    b, c]\n", add("l", "d"), "l: [a,\n    b, c, d]\n");
	/* characters are not bytes */
	becomes("# \303\251\303\251\nl: [a, b] # \303\251\nk: v\n", add("l", "c"),
		"# \303\251\303\251\nl: [a, b, c] # \303\251\nk: v\n");
}

static void an_item_gets_a_line_like_the_others(void **state)
{
	becomes("l:\n  - a\n  - b # why\nk: v\n", add("l", "c"), "l:\n  - a\n  - b # why\n  - c\nk: v\n");
	becomes("l:\n- a\n# below\nk: v\n", add("l", "c"), "l:\n- a\n- c\n# below\nk: v\n");
	becomes("m:\n    l:\n      -  a", add("m.l", "c"), "m:\n    l:\n      -  a\n      -  c");
	becomes("l:\n  - {x: y,\n     z: w}\n", add("l", "c"), "l:\n  - {x: y,\n     z: w}\n  - c\n");
	becomes("l:\n  - x: y\n    z: w\n", add("l", "c"), "l:\n  - x: y\n    z: w\n  - c\n");
	becomes("l:\n  - a: [b]\n", add("l[0].a", "c"), "l:\n  - a: [b, c]\n");
	becomes("l:\n  - a: [b]\n    k: v\n", add("l[0].n", "c"), "l:\n  - a: [b]\n    k: v\n    n: [c]\n");
}

static void keys_that_are_missing_are_made(void **state)
{
	becomes("m:\n    a: v\n", add("m.l", "c"), "m:\n    a: v\n    l: [c]\n");
	becomes("m:\n    a: v # why\nk: v", add("m.f.l", "c"), "m:\n    a: v # why\n    f:\n        l: [c]\nk: v");
	becomes("m: {a: v}\n", add("m.f.l", "c"), "m: {a: v, f: {l: [c]}}\n");
	becomes("m: {}\n", add("m.l", "c"), "m: {l: [c]}\n");
	becomes("m: {\n  a: v\n}\n", add("m.l", "c"), "m: {\n  a: v,\n  l: [c]\n}\n");
	becomes("m:\n  a:\n    - b\n", add("m.l", "c"), "m:\n  a:\n    - b\n  l:\n    - c\n");
	becomes("m:\n  a:\n  - b\n", add("m.f.l", "c"), "m:\n  a:\n  - b\n  f:\n    l:\n    - c\n");
	becomes("m:\n  a: |\n    text\n    more\n\n# below\n", add("m.l", "c"),
		"m:\n  a: |\n    text\n    more\n  l: [c]\n\n# below\n");
}

static void a_key_is_added(void **state)
{
	becomes("m:\n  a: {n: [b]}\n", add_key("m", "x", "{n: [c]}"), "m:\n  a: {n: [b]}\n  x: {n: [c]}\n");
	becomes("m: {a: {n: [b]}}\n", add_key("m", "x", "{n: [c]}"), "m: {a: {n: [b]}, x: {n: [c]}}\n");
	becomes("a: b\n", add_key("e.d", "x", "{n: [c]}"), "a: b\ne:\n  d:\n    x: {n: [c]}\n");
	becomes("a: b\ne: {}\n", add_key("e.d", "x", "{n: [c]}"), "a: b\ne: {d: {x: {n: [c]}}}\n");
	is_refused("m: {x: y}\n", add_key("m", "x", "1"), -EINVAL, "the key is there already");
}

static void an_item_leaves_brackets_with_its_comma(void **state)
{
	becomes("l: [a, b, c]\n", take("l", "b"), "l: [a, c]\n");
	becomes("l: [a, b, c]\n", take("l", "a"), "l: [b, c]\n");
	becomes("l: [a, b, c]\n", take("l", "c"), "l: [a, b]\n");
	becomes("l: [a, b, c, ]\n", take("l", "c"), "l: [a, b, ]\n");
	becomes("l: [b]\n", take("l", "b"), "l: []\n");
	becomes("l: [b, a, b]\n", take("l", "b"), "l: [a]\n");
	becomes("l: [\"b\" , 'a']\n", take("l", "b"), "l: ['a']\n");
	becomes("l: [a,\n    b,\n    c]\n", take("l", "b"), "l: [a,\n    c]\n");
	becomes("l: [a,\n    b,\n    c]\n", take("l", "c"), "l: [a,\n    b]\n");
	becomes("l: [\n  a, # first\n  b, # second\n  c # third\n]\n", take("l", "b"),
		"l: [\n  a, # first\n  c # third\n]\n");
	becomes("l: [\n  a, # first\n  b, # second\n  c # third\n]\n", take("l", "c"),
		"l: [\n  a, # first\n  b # second\n]\n");
	becomes("l: [\n  a # first\n  , b\n]\n", take("l", "a"), "l: [\n   b\n]\n");
	becomes("l: [a, # x\n b # y\n ]\n", take("l", "b"), "l: [a # x\n ]\n");
}

static void an_item_leaves_with_its_line(void **state)
{
	becomes("l:\n  - a\n  - b # why\n  - c\n", take("l", "b"), "l:\n  - a\n  - c\n");
	becomes("l:\n  # what\n  - a\n  - b", take("l", "b"), "l:\n  # what\n  - a");
	becomes("l: # why\n  - a\nk: v\n", take("l", "a"), "l: [] # why\nk: v\n");
	becomes("l:\n- a\n- b\n", take("l", "a"), "l:\n- b\n");
	becomes("m: {k: v}\nl:\n  - a\n  - a\n", take("l", "a"), "m: {k: v}\nl: []\n");
	is_refused("l:\n  - - a\n    - b\n", take("l[0]", "a"), -EINVAL, "it shares its line with something else");
	is_refused("l: [a]\n", take("l", "b"), -ENOENT, "what is to be removed is not there");
	is_refused("l: [a]\n", take("m", "a"), -ENOENT, "what is to be removed is not there");
}

static void a_key_leaves_with_its_value(void **state)
{
	becomes("m:\n  a: b\n  x:\n    n: [c] # y\n    p: q\n  k: v\n", take_key("m", "x"), "m:\n  a: b\n  k: v\n");
	becomes("m: {x: {n: [c]}, k: v}\n", take_key("m", "x"), "m: {k: v}\n");
	becomes("m: {x: {n: [c]}}\n", take_key("m", "x"), "m: {}\n");
	becomes("m: # why\n  x: {n: [c]}\n", take_key("m", "x"), "m: {} # why\n");
	is_refused("m:\n  a: b\n", take_key("m", "x"), -ENOENT, "what is to be removed is not there");
}

static void what_is_spelled_otherwise_is_refused(void **state)
{
	is_refused("m:\n  l: word\n", add("m.l", "c"), -EINVAL, "there is no list at its place");
	is_refused("m:\n  l: word\n", add("m.l.k", "c"), -EINVAL, "a key that it needs is not there");
	is_refused("m:\n  l: []\n", add("m.l[0].k", "c"), -EINVAL, "a key that it needs is not there");
	is_refused("l: [a\n", add("l", "c"), -EINVAL, "it is not the strict YAML of a policy");
	is_refused("l: [\t]\n", add("l", "c"), -EINVAL, "it is not the strict YAML of a policy");
}

static void a_word_is_read_back_as_it_was(void **state)
{
	static const char *const words[] = {
		"/usr/bin/sed", "/usr/bin/[", "-m:1", "--depth", "--",	 "-",	 "a b", "a: b",
		"a #b",		"*",	      "x*",   "\"q\"",	 "a\\b", "[a",	 "a]",	"{",
		"a,b",		",",	      "=a",   "~",	 "::1",	 "a:",	 "1",	"true",
		"!t",		"&a",	      "|",    ">",	 "%a",	 "@a",	 "`",	"'",
		"a'b",		"^-",	      "",     "?x",	 ".",	 "a::b",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		for (size_t flow = 0; flow < 2; flow++) {
			struct bh_buf item = { 0 };
			struct bh_buf out = { 0 };
			struct bh_document document = { 0 };
			const char *text = flow ? "l: [a]\n" : "l:\n  - a\n";
			struct bh_diags *diags;
			struct bh_rewrite change;

			bh_rewrite_word(&item, words[i]);
			change = add("l", (const char *)item.bytes);
			assert_int_equal(bh_rewrite(text, strlen(text), &change, &out, NULL), 0);
			diags = bh_diags_new("", (const char *)out.bytes, out.length);
			assert_int_equal(bh_document_parse((const char *)out.bytes, out.length, diags, &document), 0);
			assert_int_equal(document.root->first->next->count, 2);
			assert_string_equal(document.root->first->next->last->text, words[i]);
			assert_int_equal(document.root->first->next->last->kind, BH_NODE_WORD);
			bh_document_done(&document);
			bh_diags_free(diags);
			bh_buf_done(&item);
			bh_buf_done(&out);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_item_goes_to_the_end_of_a_list_in_brackets),
		cmocka_unit_test(an_item_gets_a_line_like_the_others),
		cmocka_unit_test(keys_that_are_missing_are_made),
		cmocka_unit_test(a_key_is_added),
		cmocka_unit_test(an_item_leaves_brackets_with_its_comma),
		cmocka_unit_test(an_item_leaves_with_its_line),
		cmocka_unit_test(a_key_leaves_with_its_value),
		cmocka_unit_test(what_is_spelled_otherwise_is_refused),
		cmocka_unit_test(a_word_is_read_back_as_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
