/* SPDX-License-Identifier: GPL-2.0-only */
/* Entries in lines of their own: behind a dash, or a key and its value. */
#include <errno.h>
#include <string.h>

#include "policy/rewriting.h"

/* The entry with the indentation behind each of its line ends. */
static void print_lines(struct bh_buf *out, const char *entry, size_t indent)
{
	for (;;) {
		size_t length = strcspn(entry, "\n");

		bh_buf_add(out, entry, length);
		entry += length;
		if (!*entry)
			return;
		entry++;
		bh_buf_print(out, "\n%*s", (int)indent, "");
	}
}

int bh_block_add(struct bh_rewriting *r, const struct bh_node *container, const char *entry)
{
	struct bh_entry last = bh_entry_last(container);
	size_t indent = container->loc.column - 1, gap = 1;
	struct bh_buf *out;

	if (!last.first || (container->kind == BH_NODE_LIST && r->text[container->begin] != '-'))
		return bh_rewriting_refuse(r, "its list is spelled in an unusual way");
	if (container->kind == BH_NODE_LIST && last.first->loc.column > container->loc.column + 1 &&
	    r->text[bh_line_begin(r, last.begin) + indent] == '-')
		gap = last.first->loc.column - container->loc.column - 1;
	out = bh_splice(r, bh_line_end(r, last.end), 0);
	if (!out)
		return -EINVAL;
	bh_buf_print(out, "\n%*s", (int)indent, "");
	if (container->kind == BH_NODE_LIST)
		bh_buf_print(out, "-%*s", (int)gap, "");
	print_lines(out, entry, indent);
	return 0;
}

/* Where the entry's own lines begin; false when something else stands in the first of them. */
static bool find_lines(const struct bh_rewriting *r, const struct bh_node *container, size_t begin, size_t *ret_begin)
{
	size_t line = bh_line_begin(r, begin);

	if (container->kind == BH_NODE_LIST) {
		while (begin > line && r->text[begin - 1] == ' ')
			begin--;
		if (begin == line || r->text[--begin] != '-')
			return false;
	}
	*ret_begin = line;
	return bh_is_blank(r, line, begin);
}

/* What is left of a container without entries is said in brackets, behind its key. */
static int leave_empty(struct bh_rewriting *r, const struct bh_node *container, const struct bh_node *key)
{
	struct bh_buf *out;
	size_t at;

	if (!key)
		return bh_rewriting_refuse(r, "a list inside of a list would become empty");
	for (at = key->end; at < r->length && r->text[at] == ' '; at++)
		;
	if (at == r->length || r->text[at] != ':')
		return bh_rewriting_refuse(r, "its key is spelled in an unusual way");
	out = bh_splice(r, at + 1, 0);
	if (!out)
		return -EINVAL;
	bh_buf_print(out, container->kind == BH_NODE_LIST ? " []" : " {}");
	return 0;
}

int bh_block_remove(struct bh_rewriting *r, const struct bh_node *container, const struct bh_node *parent_key,
		    const struct bh_node *first)
{
	struct bh_entry entry = bh_entry_at(container, first);
	size_t begin, end = bh_line_end(r, entry.end);
	int result = 0;

	if (!find_lines(r, container, entry.begin, &begin))
		return bh_rewriting_refuse(r, "it shares its line with something else");
	if (first == container->first && !bh_entry_next(container, first))
		result = leave_empty(r, container, parent_key);
	if (result)
		return result;
	if (end < r->length)
		end++;
	else if (begin > 0)
		begin--; /* the line end in front, in the place of the one that is not there */
	return bh_splice(r, begin, end - begin) ? 0 : -EINVAL;
}
