/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "policy/english_parts.h"

/* Where the scan is. Outside comments every character is one byte, or a finding. */
struct scan {
	const char *at, *end;
	struct bh_loc loc; /* of *at */
	const char *line; /* where it began */
	char *free; /* where the next byte of a word goes */
	struct bh_diags *diags;
	struct bh_english_text *text;
	bool foreign; /* said already, for this word */
};

static void step(struct scan *scan)
{
	/* The second to fourth byte of a character has no column of its own. */
	if (*scan->at == '\n') {
		scan->loc.line++;
		scan->loc.column = 1;
		scan->line = scan->at + 1;
	} else if (((unsigned char)*scan->at & 0xc0) != 0x80) {
		scan->loc.column++;
	}
	scan->at++;
}

static bool is_space(char byte)
{
	return byte == ' ' || byte == '\n';
}

/* Over blanks and comments, which are whole lines. */
static void skip_space(struct scan *scan)
{
	while (scan->at < scan->end) {
		if (*scan->at == '#' && scan->line + strspn(scan->line, " ") == scan->at)
			while (scan->at < scan->end && *scan->at != '\n')
				step(scan);
		else if (is_space(*scan->at))
			step(scan);
		else
			return;
	}
}

static void refuse_string(struct scan *scan, struct bh_loc loc, const char *hint, const char *what)
{
	bh_diag_add(scan->diags, BH_SEVERITY_ERROR, "L060", loc, hint, "%s", what);
}

/* One byte into the word, unless nothing can have it there. */
static void keep(struct scan *scan, char byte)
{
	if ((unsigned char)*scan->at >= 0x80 && !scan->foreign) {
		scan->foreign = true;
		bh_diag_add(scan->diags, BH_SEVERITY_ERROR, "E102", scan->loc,
			    "sentences are printable ASCII; look-alike letters are refused",
			    "a character outside printable ASCII is only allowed in a comment");
	}
	*scan->free++ = byte;
	step(scan);
}

/* Behind a backslash within quotes. */
static void take_escape(struct scan *scan)
{
	struct bh_loc loc = scan->loc;

	step(scan);
	if (scan->at < scan->end && *scan->at == 'n') {
		keep(scan, '\n');
	} else if (scan->at < scan->end && (*scan->at == '"' || *scan->at == '\\')) {
		keep(scan, *scan->at);
	} else {
		loc.width = 2;
		refuse_string(scan, loc, "write \\\\ for a backslash", "behind a backslash stands \\, \" or n");
	}
}

static void take_quoted(struct scan *scan, struct bh_english_word *word)
{
	step(scan);
	while (scan->at < scan->end && *scan->at != '"' && *scan->at != '\n') {
		if (*scan->at == '\\')
			take_escape(scan);
		else
			keep(scan, *scan->at);
	}
	if (scan->at == scan->end || *scan->at == '\n') {
		refuse_string(scan, word->loc, "a string ends on its line; \\n stands for a line end",
			      "this string has no closing quote");
		/* Most likely only the quote is missing. */
		word->stop = scan->free > word->text && scan->free[-1] == '.';
		scan->free -= word->stop;
		return;
	}
	step(scan);
	if (scan->at < scan->end && *scan->at == ',') {
		word->comma = true;
		step(scan);
	} else if (scan->at < scan->end && *scan->at == '.') {
		word->stop = true;
		step(scan);
	}
	if (scan->at < scan->end && !is_space(*scan->at))
		refuse_string(scan, scan->loc, "put a space between them",
			      "behind a closing quote stands white space, a comma or a full stop");
}

static void take_bare(struct scan *scan, struct bh_english_word *word)
{
	bool refused = false;

	while (scan->at < scan->end && !is_space(*scan->at)) {
		if (*scan->at == '"' && !refused) {
			refused = true;
			refuse_string(scan, scan->loc, "put the whole word into quotes", "a quote inside a word");
		}
		keep(scan, *scan->at);
	}
	word->stop = scan->free > word->text && scan->free[-1] == '.';
	scan->free -= word->stop;
	word->comma = scan->free > word->text && scan->free[-1] == ',';
	scan->free -= word->comma;
}

static int take_word(struct scan *scan)
{
	struct bh_english_text *text = scan->text;
	struct bh_english_word word = { .text = scan->free, .loc = scan->loc };
	size_t length;

	scan->foreign = false;
	word.quoted = *scan->at == '"';
	if (word.quoted)
		take_quoted(scan, &word);
	else
		take_bare(scan, &word);
	length = scan->loc.column - word.loc.column;
	if (length > (size_t)word.comma + word.stop)
		length -= (size_t)word.comma + word.stop;
	word.loc.width = (uint32_t)length;
	*scan->free++ = '\0';
	if (!word.quoted && word.text[0] == '\0' && text->count > 0) {
		/* A comma or stop that stands alone belongs to the word before it. */
		text->words[text->count - 1].comma |= word.comma;
		text->words[text->count - 1].stop |= word.stop;
		return 0;
	}
	if (BH_RESERVE(text->words, text->capacity, text->count + 1))
		return -ENOMEM;
	text->words[text->count++] = word;
	return 0;
}

int bh_english_lex(const char *text, size_t length, struct bh_diags *diags, struct bh_english_text *ret_text)
{
	/* A word of n bytes needs n + 1, and but for the last a blank follows each; quotes make room, too. */
	struct bh_english_text made = { .bytes = malloc(2 * length + 2) };
	struct scan scan = { .at = text,
			     .end = text + length,
			     .loc = { 1, 1, 1 },
			     .line = text,
			     .free = made.bytes,
			     .diags = diags,
			     .text = &made };
	int r = made.bytes ? 0 : -ENOMEM;

	while (r == 0) {
		skip_space(&scan);
		if (scan.at == scan.end)
			break;
		r = take_word(&scan);
	}
	if (r < 0)
		bh_english_text_done(&made);
	else
		*ret_text = made;
	return r;
}

void bh_english_text_done(struct bh_english_text *text)
{
	free(text->words);
	free(text->bytes);
}

bool bh_english_is(const struct bh_english_word *word, const char *text)
{
	return !word->quoted && strcasecmp(word->text, text) == 0;
}

void bh_english_quote(struct bh_english_words words, bool whole, char *buffer, size_t size)
{
	size_t used = 0;

	buffer[0] = '\0';
	for (size_t i = 0; i < words.count && used < size; i++) {
		const struct bh_english_word *word = &words.first[i];
		bool ended = whole || i + 1 < words.count;
		const char *quote = word->quoted ? "\"" : "", *end = word->comma ? "," : word->stop ? "." : "";
		int added = snprintf(buffer + used, size - used, "%s%s%s%s%s", i ? " " : "", quote, word->text, quote,
				     ended ? end : "");

		used += added > 0 ? (size_t)added : 0;
	}
	if (used >= size && size > 4)
		memcpy(buffer + size - 4, "...", 4);
}
