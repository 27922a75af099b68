/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int bh_err_set(struct bh_err *err, int error, const char *format, ...)
{
	va_list args;

	if (err) {
		va_start(args, format);
		vsnprintf(err->text, sizeof(err->text), format, args);
		va_end(args);
		err->hint[0] = '\0';
	}
	return -error;
}

void bh_err_hint(struct bh_err *err, const char *format, ...)
{
	va_list args;

	if (!err)
		return;
	va_start(args, format);
	vsnprintf(err->hint, sizeof(err->hint), format, args);
	va_end(args);
}

int bh_err_goal(struct bh_err *err, int result, const char *format, ...)
{
	char fact[sizeof(err->text)];
	va_list args;
	int length;

	if (!err)
		return result;
	memcpy(fact, err->text, sizeof(fact));
	va_start(args, format);
	length = vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	if (length >= 0 && (size_t)length < sizeof(err->text))
		snprintf(err->text + length, sizeof(err->text) - (size_t)length, ": %s", fact);
	return result;
}
