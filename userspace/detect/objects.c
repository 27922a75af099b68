/* SPDX-License-Identifier: GPL-2.0-only */
/* What a single record gives away by its kind, its reason or the name it is about. */
#include <string.h>

#include "detect/private.h"
#include "event/describe.h"

/* By what was refused, whatever its name. */
static enum bh_detection by_kind(const struct bh_event *event)
{
	switch (event->kind) {
	case BH_KIND_CGROUP_MOVE:
		return BH_DETECTION_cgroup_escape;
	case BH_KIND_NAMESPACE:
		return BH_DETECTION_namespace_change;
	case BH_KIND_PTRACE:
		return BH_DETECTION_process_injection;
	case BH_KIND_BPF:
		return BH_DETECTION_kernel_code;
	case BH_KIND_TERMINAL:
		return BH_DETECTION_terminal_injection;
	default:
		break;
	}
	switch (event->reason) {
	case BH_REASON_X11:
		return BH_DETECTION_code_in_memory;
	case BH_REASON_N0:
		return BH_DETECTION_metadata_touch;
	case BH_REASON_U0:
		return BH_DETECTION_runtime_socket;
	case BH_REASON_F0:
		return BH_DETECTION_kernel_interface;
	default:
		return 0;
	}
}

static unsigned int touch_of(const struct bh_moment *moment)
{
	switch (moment->event->kind) {
	case BH_KIND_UNIX_CONNECT:
		return BH_TOUCH_SOCKET;
	case BH_KIND_FILE_OPEN:
	case BH_KIND_FILE_WRITE:
	case BH_KIND_FILE_LINK:
	case BH_KIND_FILE_RENAME:
		return BH_TOUCH_ANY | (moment->writes ? BH_TOUCH_WRITE : 0);
	default:
		return 0;
	}
}

static bool ends_in(const struct bh_moment *moment, const char *end)
{
	size_t length = strlen(end);

	return moment->path_length > length && !memcmp(moment->path + moment->path_length - length, end, length);
}

/* A shell keeps the history of what it was told, and git lays out samples of hooks that nothing runs. */
static bool is_usual(const struct bh_moment *moment, enum bh_detection what)
{
	const char *exe = (const char *)moment->event->exe;

	if (what == BH_DETECTION_log_wiping)
		return ends_in(moment, "_history") && bh_is_shell(exe, strnlen(exe, sizeof(moment->event->exe)));
	return what == BH_DETECTION_repository_hook && ends_in(moment, ".sample");
}

static enum bh_detection by_name(const struct bh_detect *detect, const struct bh_moment *moment)
{
	unsigned int touch = moment->path ? touch_of(moment) : 0;
	enum bh_detection what;

	if (!touch)
		return 0;
	for (size_t i = 0; i < detect->config.honey_count; i++)
		if (detect->honey[i] == moment->path_key)
			return BH_DETECTION_honey_credential;
	what = bh_path_detection(moment->path, moment->path_length, touch);
	return is_usual(moment, what) ? 0 : what;
}

void bh_detect_objects(struct bh_detect *detect, const struct bh_moment *moment)
{
	enum bh_detection what = by_name(detect, moment);

	if (!what && moment->refused)
		what = by_kind(moment->event);
	if (what)
		bh_detect_raise_event(detect, what, moment->event);
}
