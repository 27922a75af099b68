/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a command line and an environment must look like, word by word as policy.md 2.4.1 says it: slow, obvious, independent
 * of the automata, and able to say what is wrong.
 */
#ifndef BH_COMPILE_FITS_H
#define BH_COMPILE_FITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compile/compile.h"
#include "compile/obeyed.h"

/* Strings as they lie in a program's memory, each with its NUL. length beyond what may be looked at: any bytes. */
struct bh_block {
	const uint8_t *bytes;
	size_t length;
};

/* Why something does not fit. */
struct bh_misfit {
	char code[4]; /* "A5", "E1"; empty: it fits */
	char text[200]; /* "option '-c' is not listed"; printable */
};

/*
 * Do the arguments (without the program's name) fit one of the clauses? misfit may be NULL; else it says why they do not fit
 * the clause that comes nearest.
 */
bool bh_args_fit(const struct bh_args_clause *clauses, size_t count, const struct bh_block *args,
		 struct bh_misfit *misfit);

/* Is the environment one of these? misfit may be NULL. */
bool bh_env_fits(const struct bh_env *env, const struct bh_block *variables, struct bh_misfit *misfit);

/* Does it hold a variable of one of these families (a set, as bits)? */
bool bh_env_obeyed(const struct bh_family *families, uint64_t set, const struct bh_block *variables);

/* Do the arguments, the environment and the content fit what the rule asks for? One after the other, by these. */
bool bh_rule_fits_args(const struct bh_rule *rule, const struct bh_block *args, struct bh_misfit *misfit);
bool bh_rule_fits_env(const struct bh_rule *rule, const struct bh_block *variables, struct bh_misfit *misfit);
bool bh_rule_fits_content(const struct bh_rule *rule, const uint8_t *sha256); /* NULL: not known, so it fits */

/*
 * Makes a block of words. Returns its length; more than `size` when the words are too many, too long or too much for
 * arguments (environments have no limit on words: words_max 0).
 */
size_t bh_block_fill(const char *const *words, size_t count, size_t words_max, uint8_t *bytes, size_t size);

#endif
