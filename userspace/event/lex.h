/* SPDX-License-Identifier: GPL-2.0-only */
/* JSON as RFC 8259 has it, read from left to right out of one line, without memory of its own. */
#ifndef BH_EVENT_LEX_H
#define BH_EVENT_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BH_LEX_DEPTH 16u /* of objects and lists within each other */

/* Where the reading stands. The first fault sticks: afterwards nothing is read any more. */
struct bh_lex {
	const char *text, *at, *end;
	const char *fault; /* static text without a full stop; NULL: none */
	const char *fault_at;
};

void bh_lex_init(struct bh_lex *lex, const char *text, size_t length);
/* Remembers the first fault. Returns false. */
bool bh_lex_fail(struct bh_lex *lex, const char *at, const char *fault);

/* The next character that is no blank; 0 at the end. */
char bh_lex_peek(struct bh_lex *lex);
/* Takes exactly this character, behind blanks. */
bool bh_lex_take(struct bh_lex *lex, char wanted);

/*
 * Takes a string, into buffer as UTF-8 with a NUL behind it. Its whole length is checked; what does not fit is cut at a
 * whole character, and *ret_cut (may be NULL) says so. \u0000 is a fault: no text of ours holds it. size: at least 5.
 */
bool bh_lex_string(struct bh_lex *lex, char *buffer, size_t size, bool *ret_cut);
/* Takes a whole number from 0 to most. */
bool bh_lex_number(struct bh_lex *lex, uint64_t most, uint64_t *ret);
/* Takes any value and forgets it. depth: of what it lies in. */
bool bh_lex_skip(struct bh_lex *lex, unsigned int depth);
/* Nothing but blanks is left. */
bool bh_lex_end(struct bh_lex *lex);

/*
 * Steps through an object or a list: call it before each item, with *first true before the first one. False: at its end,
 * or a fault.
 */
bool bh_lex_item(struct bh_lex *lex, char open, bool *first);

#endif
