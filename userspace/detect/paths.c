/* SPDX-License-Identifier: GPL-2.0-only */
/* rules/detection-paths.def: names that give a detection away. */
#include <string.h>

#include "base/cleanup.h"
#include "detect/private.h"

enum access {
	ACCESS_ANY = BH_TOUCH_ANY,
	ACCESS_WRITE = BH_TOUCH_WRITE,
	ACCESS_SOCKET = BH_TOUCH_SOCKET,
};

static const struct name {
	const char *pattern;
	uint16_t length;
	uint8_t detection;
	uint8_t access;
} names[] = {
#define BH_DETECTION_PATH(detection, access, pattern)                                                                  \
	{ pattern, sizeof(pattern) - 1, BH_DETECTION_##detection, ACCESS_##access },
#include "rules/detection-paths.def"
#undef BH_DETECTION_PATH
};

/* One pattern without a leading double star, against the whole path. A star stands for bytes of one component. */
static bool fits(const char *pattern, const char *pattern_end, const char *path, const char *end)
{
	const char *star = NULL, *resume = NULL;

	for (;;) {
		bool beneath = pattern_end - pattern == 3 && !memcmp(pattern, "/**", 3);

		if (beneath && path + 1 < end && *path == '/')
			return true;
		if (!beneath && pattern < pattern_end && *pattern == '*') {
			star = ++pattern;
			resume = path;
		} else if (pattern == pattern_end && path == end) {
			return true;
		} else if (!beneath && pattern < pattern_end && path < end && *pattern == *path) {
			pattern++;
			path++;
		} else if (star && resume < end && *resume != '/') {
			pattern = star;
			path = ++resume;
		} else {
			return false;
		}
	}
}

/* From each slash on: such a pattern may begin at any component. */
static bool fits_anywhere(const char *pattern, const char *pattern_end, const char *path, const char *end)
{
	for (const char *at = path; at && at < end; at = memchr(at + 1, '/', (size_t)(end - at - 1)))
		if (*at == '/' && fits(pattern, pattern_end, at, end))
			return true;
	return false;
}

static bool name_fits(const struct name *name, const char *path, size_t length)
{
	const char *end = name->pattern + name->length;

	if (name->pattern[0] == '*')
		return fits_anywhere(name->pattern + 2, end, path, path + length);
	/* most differ early */
	return length > 4 && !memcmp(name->pattern, path, 4) && fits(name->pattern, end, path, path + length);
}

enum bh_detection bh_path_detection(const char *path, size_t length, unsigned int touch)
{
	for (size_t i = 0; i < BH_COUNT_OF(names); i++)
		if (names[i].access & touch && name_fits(&names[i], path, length))
			return names[i].detection;
	return 0;
}
