/* SPDX-License-Identifier: GPL-2.0-only */
/* A failure in words: the layer that fails states the fact, each caller puts its goal in front, the last prints it once. */
#ifndef BH_BASE_ERR_H
#define BH_BASE_ERR_H

/* Fixed size, no allocation, so that failing cannot fail. Zero it to begin. */
struct bh_err {
	char text[1024];
	char hint[512]; /* what the person can do; may be empty */
};

/* Sets the text (an earlier one is lost). Returns -error, so that `return bh_err_set(err, EINVAL, ...)` reads well. err may be NULL. */
int bh_err_set(struct bh_err *err, int error, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Sets the hint. err may be NULL. */
void bh_err_hint(struct bh_err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Puts "GOAL: " before the text. Returns result unchanged. err may be NULL. */
int bh_err_goal(struct bh_err *err, int result, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
