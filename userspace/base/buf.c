/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

void *bh_buf_grown(void *array, size_t *capacity, size_t need, size_t item)
{
	size_t wanted = *capacity ? *capacity : 16;
	void *grown;

	if (need <= *capacity && array)
		return array;
	while (wanted < need) {
		if (wanted > SIZE_MAX / 2)
			return NULL;
		wanted *= 2;
	}
	grown = reallocarray(array, wanted, item);
	if (!grown)
		return NULL;
	memset((char *)grown + *capacity * item, 0, (wanted - *capacity) * item);
	*capacity = wanted;
	return grown;
}

void bh_buf_done(struct bh_buf *buf)
{
	free(buf->bytes);
	memset(buf, 0, sizeof(*buf));
}

void bh_buf_add(struct bh_buf *buf, const void *bytes, size_t length)
{
	if (buf->error)
		return;
	if (length > SIZE_MAX - buf->length - 1 || BH_RESERVE(buf->bytes, buf->capacity, buf->length + length + 1)) {
		buf->error = -ENOMEM;
		return;
	}
	if (length)
		memcpy(buf->bytes + buf->length, bytes, length);
	buf->length += length;
	buf->bytes[buf->length] = 0;
}

void bh_buf_add_text(struct bh_buf *buf, const char *text)
{
	bh_buf_add(buf, text, strlen(text));
}

void bh_buf_print(struct bh_buf *buf, const char *format, ...)
{
	BH_FREE char *text = NULL;
	va_list args;
	int length;

	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	if (length < 0) {
		text = NULL; /* its value is undefined after a failure */
		buf->error = -ENOMEM;
		return;
	}
	bh_buf_add(buf, text, (size_t)length);
}

void bh_buf_align(struct bh_buf *buf, size_t alignment)
{
	while (!buf->error && buf->length % alignment)
		bh_buf_add(buf, "", 1);
}

static void add_integer(struct bh_buf *buf, uint64_t value, unsigned int bytes)
{
	uint8_t image[8];

	for (unsigned int i = 0; i < bytes; i++)
		image[i] = (uint8_t)(value >> (8 * i));
	bh_buf_add(buf, image, bytes);
}

void bh_buf_add_u16(struct bh_buf *buf, uint16_t value)
{
	add_integer(buf, value, 2);
}

void bh_buf_add_u32(struct bh_buf *buf, uint32_t value)
{
	add_integer(buf, value, 4);
}

void bh_buf_add_u64(struct bh_buf *buf, uint64_t value)
{
	add_integer(buf, value, 8);
}
