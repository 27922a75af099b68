/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define KEPT_MAX 50u /* of each severity */
#define TEXT_MAX 512u /* bytes of one sentence; a key may be as long as the whole source */
#define LINE_COLUMNS 120u /* of a source line; longer ones are cut around the caret */
#define CUT_MARK "..."
#define CUT_COLUMNS 3u

struct bh_diags {
	char *name;
	const char *text;
	size_t length;
	struct bh_diag kept[KEPT_MAX * 3];
	size_t count;
	size_t most_errors; /* kept; of the others KEPT_MAX each */
	size_t seen[BH_SEVERITY_ERROR + 1]; /* by severity, dropped ones included */
	bool out_of_memory;
};

static bool printable(unsigned char byte)
{
	return byte >= 0x20 && byte < 0x7f;
}

/* A copy in printable ASCII: every other byte becomes \xNN. Cut with dots at TEXT_MAX. NULL when out of memory. */
static char *escaped(const char *raw)
{
	char buffer[TEXT_MAX + 8];
	size_t used = 0;

	for (; *raw; raw++) {
		if (used >= TEXT_MAX) {
			used += (size_t)snprintf(buffer + used, sizeof(buffer) - used, CUT_MARK);
			break;
		}
		if (printable((unsigned char)*raw))
			buffer[used++] = *raw;
		else
			used += (size_t)snprintf(buffer + used, sizeof(buffer) - used, "\\x%02x", (unsigned char)*raw);
	}
	buffer[used] = '\0';
	return strdup(buffer);
}

struct bh_diags *bh_diags_new(const char *name, const char *text, size_t length)
{
	struct bh_diags *diags = calloc(1, sizeof(*diags));

	if (!diags)
		return NULL;
	diags->name = escaped(name);
	if (!diags->name) {
		free(diags);
		return NULL;
	}
	diags->text = text;
	diags->length = length;
	diags->most_errors = KEPT_MAX;
	return diags;
}

void bh_diags_keep_errors(struct bh_diags *diags, size_t most)
{
	if (most < diags->most_errors)
		diags->most_errors = most;
}

static size_t most_of(const struct bh_diags *diags, enum bh_severity severity)
{
	return severity == BH_SEVERITY_ERROR ? diags->most_errors : KEPT_MAX;
}

void bh_diags_free(struct bh_diags *diags)
{
	if (!diags)
		return;
	for (size_t i = 0; i < diags->count; i++) {
		free(diags->kept[i].text);
		free(diags->kept[i].hint);
	}
	free(diags->name);
	free(diags);
}

static bool comes_after(const struct bh_diag *one, const struct bh_loc *loc)
{
	if (one->loc.line != loc->line)
		return one->loc.line > loc->line;
	return one->loc.column > loc->column;
}

/* Keeps the list in source order; equal places stay in the order of adding. */
static void keep(struct bh_diags *diags, const struct bh_diag *diag)
{
	size_t at = diags->count;

	while (at > 0 && comes_after(&diags->kept[at - 1], &diag->loc)) {
		diags->kept[at] = diags->kept[at - 1];
		at--;
	}
	diags->kept[at] = *diag;
	diags->count++;
}

void bh_diag_add(struct bh_diags *diags, enum bh_severity severity, const char *code, struct bh_loc loc,
		 const char *hint, const char *format, ...)
{
	struct bh_diag diag = { .severity = severity, .code = code, .loc = loc };
	char raw[TEXT_MAX + 8];
	va_list args;

	if (++diags->seen[severity] > most_of(diags, severity))
		return;
	va_start(args, format);
	if (vsnprintf(raw, sizeof(raw), format, args) >= (int)sizeof(raw))
		memcpy(raw + TEXT_MAX, CUT_MARK, sizeof(CUT_MARK));
	va_end(args);
	if (diag.loc.width == 0)
		diag.loc.width = 1;
	diag.text = escaped(raw);
	diag.hint = hint ? escaped(hint) : NULL;
	if (!diag.text || (hint && !diag.hint)) {
		free(diag.text);
		free(diag.hint);
		diags->out_of_memory = true;
		return;
	}
	keep(diags, &diag);
}

size_t bh_diags_accept(struct bh_diags *diags, const char *code, struct bh_loc loc, const char *why)
{
	size_t accepted = 0;

	for (size_t i = 0; i < diags->count; i++) {
		struct bh_diag *diag = &diags->kept[i];
		char raw[2 * TEXT_MAX], *text;

		if (diag->severity != BH_SEVERITY_WARNING || strcmp(diag->code, code) != 0 ||
		    diag->loc.line != loc.line || diag->loc.column != loc.column)
			continue;
		snprintf(raw, sizeof(raw), "%s (accepted: %s)", diag->text, why);
		text = escaped(raw);
		if (!text) {
			diags->out_of_memory = true;
			return accepted;
		}
		free(diag->text);
		diag->text = text;
		diag->severity = BH_SEVERITY_NOTE;
		diags->seen[BH_SEVERITY_WARNING]--;
		diags->seen[BH_SEVERITY_NOTE]++;
		accepted++;
	}
	return accepted;
}

size_t bh_diags_errors(const struct bh_diags *diags)
{
	return diags->seen[BH_SEVERITY_ERROR] + (diags->out_of_memory ? 1 : 0);
}

size_t bh_diags_warnings(const struct bh_diags *diags)
{
	return diags->seen[BH_SEVERITY_WARNING];
}

size_t bh_diags_count(const struct bh_diags *diags)
{
	return diags->count;
}

const struct bh_diag *bh_diags_get(const struct bh_diags *diags, size_t index)
{
	return index < diags->count ? &diags->kept[index] : NULL;
}

const char *bh_diags_name(const struct bh_diags *diags)
{
	return diags->name;
}

/* Start of a line counted from 1, its length without the line end; false when the text has fewer lines. */
static bool find_line(const struct bh_diags *diags, uint32_t line, const char **ret_start, size_t *ret_length)
{
	const char *at = diags->text, *end = diags->text + diags->length, *stop;

	for (uint32_t n = 1; n < line; n++) {
		at = memchr(at, '\n', (size_t)(end - at));
		if (!at)
			return false;
		at++;
	}
	stop = memchr(at, '\n', (size_t)(end - at));
	*ret_start = at;
	*ret_length = (size_t)((stop ? stop : end) - at);
	return true;
}

/* Bytes of the character at `at`: a well-formed UTF-8 sequence, else one. Columns count characters, as editors do. */
static size_t character_bytes(const unsigned char *at, size_t left)
{
	size_t want = at[0] >= 0xf0 && at[0] < 0xf5 ? 4 : at[0] >= 0xe0 ? 3 : at[0] >= 0xc2 ? 2 : 1;

	if (at[0] >= 0xf5 || want > left)
		return 1;
	for (size_t i = 1; i < want; i++)
		if ((at[i] & 0xc0) != 0x80)
			return 1;
	return want;
}

/* Columns first..last (from 0, last not included) of a line: a source file must not be able to drive the terminal. */
static size_t print_columns(FILE *out, const char *line, size_t length, size_t first, size_t last)
{
	size_t column = 0;

	for (size_t at = 0; at < length; column++) {
		unsigned char byte = (unsigned char)line[at];

		if (out && column >= first && column < last)
			fputc(printable(byte) ? byte : byte == '\t' ? ' ' : '?', out);
		at += character_bytes((const unsigned char *)line + at, length - at);
	}
	return column;
}

static void print_source(const struct bh_diags *diags, const struct bh_loc *loc, FILE *out, const char *on,
			 const char *off)
{
	size_t length, columns, first = 0, last, caret = loc->column ? loc->column - 1 : 0, width = loc->width;
	const char *line;

	if (loc->line == 0 || loc->column == 0 || !find_line(diags, loc->line, &line, &length))
		return;
	columns = print_columns(NULL, line, length, 0, 0);
	if (caret > columns)
		caret = columns;
	last = columns;
	if (columns > LINE_COLUMNS) {
		first = caret > LINE_COLUMNS / 3 ? caret - LINE_COLUMNS / 3 : 0;
		if (columns - first > LINE_COLUMNS)
			last = first + LINE_COLUMNS;
	}
	if (caret + width > last)
		width = last > caret ? last - caret : 1;
	fputs(first ? CUT_MARK : "", out);
	print_columns(out, line, length, first, last);
	fprintf(out, "%s\n%*s%s^", last < columns ? CUT_MARK : "", (int)(caret - first + (first ? CUT_COLUMNS : 0)), "",
		on);
	while (--width > 0)
		fputc('~', out);
	fprintf(out, "%s\n", off);
}

static void print_one(const struct bh_diags *diags, const struct bh_diag *diag, FILE *out, bool colour)
{
	static const char *const words[] = { "", "note", "warning", "error" };
	static const char *const colours[] = { "", "\033[36m", "\033[33m", "\033[31m" };
	const char *on = colour ? colours[diag->severity] : "", *off = colour ? "\033[0m" : "";

	fputs(diags->name, out);
	if (diag->loc.line)
		fprintf(out, ":%u:%u", diag->loc.line, diag->loc.column);
	fprintf(out, ": %s%s[%s]%s: %s\n", on, words[diag->severity], diag->code, off, diag->text);
	print_source(diags, &diag->loc, out, on, off);
	if (diag->hint)
		fprintf(out, "    help: %s\n", diag->hint);
}

void bh_diags_print(const struct bh_diags *diags, FILE *out, bool colour)
{
	static const char *const plurals[] = { "", "notes", "warnings", "errors" };

	for (size_t i = 0; i < diags->count; i++)
		print_one(diags, &diags->kept[i], out, colour);
	for (unsigned int severity = BH_SEVERITY_ERROR; severity >= BH_SEVERITY_NOTE; severity--)
		if (diags->seen[severity] > most_of(diags, severity))
			fprintf(out, "%s: %zu more %s not shown\n", diags->name,
				diags->seen[severity] - most_of(diags, severity), plurals[severity]);
	if (diags->out_of_memory)
		fprintf(out, "%s: out of memory: findings are missing\n", diags->name);
}
