/* SPDX-License-Identifier: GPL-2.0-only */
/* Entries between brackets or braces, with commas. They may stand in one line or in lines of their own. */
#include <errno.h>

#include "policy/rewriting.h"

/* The comma after `at`, before any word or bracket: past spaces, line ends and comments. r->length when there is none. */
static size_t find_comma(const struct bh_rewriting *r, size_t at)
{
	for (; at < r->length; at++) {
		if (r->text[at] == ',')
			return at;
		if (r->text[at] == '#')
			at = bh_line_end(r, at);
		else if (r->text[at] != ' ' && r->text[at] != '\n')
			break;
	}
	return r->length;
}

/* Is there nothing before it in its line? */
static bool begins_line(const struct bh_rewriting *r, size_t at)
{
	return bh_is_blank(r, bh_line_begin(r, at), at);
}

/* Does a comment follow in the line? */
static bool is_commented(const struct bh_rewriting *r, size_t at)
{
	while (at < r->length && r->text[at] == ' ')
		at++;
	return at < r->length && r->text[at] == '#';
}

static int add_first(struct bh_rewriting *r, const struct bh_node *container, const char *entry)
{
	size_t open = container->begin + 1, close = container->end - 1;
	bool blank = bh_is_blank(r, open, close);
	struct bh_buf *out = bh_splice(r, open, blank ? close - open : 0);

	if (!out)
		return -EINVAL;
	bh_buf_print(out, "%s", entry);
	return 0;
}

/* In a line of its own, like the last one; the comment behind that one stays there. */
static int add_line(struct bh_rewriting *r, const struct bh_node *container, const struct bh_entry *last,
		    const char *entry)
{
	size_t comma = find_comma(r, last->end), indent = last->begin - bh_line_begin(r, last->begin);
	bool trailing = comma < container->end;
	size_t after = bh_line_end(r, trailing ? comma : last->end);
	struct bh_buf *out;

	if (!trailing) {
		out = bh_splice(r, last->end, 0);
		if (!out)
			return -EINVAL;
		bh_buf_print(out, ",");
	}
	if (after > container->end - 1) { /* the bracket closes in this line */
		after = trailing ? comma + 1 : last->end;
		out = trailing ? bh_splice(r, after, 0) : &r->splices[r->count - 1].insert;
	} else {
		out = bh_splice(r, after, 0);
	}
	if (!out)
		return -EINVAL;
	bh_buf_print(out, "\n%*s", (int)indent, "");
	bh_buf_print(out, "%s", entry);
	if (trailing)
		bh_buf_print(out, ",");
	return 0;
}

int bh_flow_add(struct bh_rewriting *r, const struct bh_node *container, const char *entry)
{
	struct bh_entry last = bh_entry_last(container);
	struct bh_buf *out;

	if (!last.first)
		return add_first(r, container, entry);
	if (begins_line(r, last.begin) && last.first->loc.line != container->loc.line)
		return add_line(r, container, &last, entry);
	out = bh_splice(r, last.end, 0);
	if (!out)
		return -EINVAL;
	bh_buf_print(out, ", ");
	bh_buf_print(out, "%s", entry);
	return 0;
}

/* The comma in front of the entry goes when none follows it. */
static int remove_comma_before(struct bh_rewriting *r, const struct bh_node *container, const struct bh_entry *entry,
			       bool *ret_joined)
{
	const struct bh_node *before = container->first;
	size_t end, comma;

	*ret_joined = false;
	if (before == entry->first)
		return 0;
	while (bh_entry_next(container, before) != entry->first)
		before = bh_entry_next(container, before);
	end = bh_entry_at(container, before).end;
	comma = find_comma(r, end);
	if (comma >= entry->begin)
		return bh_rewriting_refuse(r, "the comma before it is not where it was looked for");
	*ret_joined = bh_is_blank(r, comma + 1, entry->begin) && !is_commented(r, entry->end);
	return bh_splice(r, comma, *ret_joined ? entry->end - comma : 1) ? 0 : -EINVAL;
}

int bh_flow_remove(struct bh_rewriting *r, const struct bh_node *container, const struct bh_node *first)
{
	struct bh_entry entry = bh_entry_at(container, first);
	size_t comma = find_comma(r, entry.end), end = entry.end;
	bool follows = comma < container->end - 1, joined = false;
	int result;

	if (!follows) {
		result = remove_comma_before(r, container, &entry, &joined);
		if (result || joined)
			return result;
	} else if (bh_is_blank(r, entry.end, comma) && bh_line_end(r, entry.end) > comma) {
		end = comma + 1;
	} else if (!bh_splice(r, comma, 1)) {
		return -EINVAL;
	}
	if (begins_line(r, entry.begin) && bh_line_end(r, end) < container->end &&
	    (bh_is_blank(r, end, bh_line_end(r, end)) || is_commented(r, end))) {
		size_t begin = bh_line_begin(r, entry.begin);

		return bh_splice(r, begin, bh_line_end(r, end) + 1 - begin) ? 0 : -EINVAL;
	}
	while (follows && end > entry.end && r->text[end] == ' ')
		end++;
	return bh_splice(r, entry.begin, end - entry.begin) ? 0 : -EINVAL;
}
