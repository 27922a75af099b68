/* SPDX-License-Identifier: GPL-2.0-only */
/* Growing arrays and a growing byte string. */
#ifndef BH_BASE_BUF_H
#define BH_BASE_BUF_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The array, made to hold at least `need` items of `item` bytes; *capacity follows. The content stays, new items are
 * zero. NULL when out of memory: then the old array is still valid and the caller's.
 */
void *bh_buf_grown(void *array, size_t *capacity, size_t need, size_t item);

/* Makes a typed array hold `need` items. 0 or -ENOMEM. */
#define BH_RESERVE(array, capacity, need)                                                                              \
	({                                                                                                             \
		size_t need_ = (need);                                                                                 \
		void *grown_ = (array) && need_ <= (capacity) ?                                                        \
				       (array) :                                                                       \
				       bh_buf_grown((array), &(capacity), need_, sizeof(*(array)));                    \
		if (grown_)                                                                                            \
			(array) = grown_;                                                                              \
		grown_ ? 0 : -ENOMEM;                                                                                  \
	})

/* A byte string under construction. Zero it to begin. Running out of memory is remembered in error (-ENOMEM). */
struct bh_buf {
	uint8_t *bytes; /* always NUL-terminated once something was added */
	size_t length, capacity;
	int error;
};

void bh_buf_done(struct bh_buf *buf);

/* Adds bytes. After an earlier failure it does nothing. */
void bh_buf_add(struct bh_buf *buf, const void *bytes, size_t length);

/* Adds a text without its NUL. */
void bh_buf_add_text(struct bh_buf *buf, const char *text);

/* Adds formatted text. */
void bh_buf_print(struct bh_buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds zero bytes until the length is a multiple of `alignment`. */
void bh_buf_align(struct bh_buf *buf, size_t alignment);

/* Adds integers, least significant byte first. */
void bh_buf_add_u16(struct bh_buf *buf, uint16_t value);
void bh_buf_add_u32(struct bh_buf *buf, uint32_t value);
void bh_buf_add_u64(struct bh_buf *buf, uint64_t value);

#endif
