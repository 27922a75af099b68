/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/caps_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"

#define BH_CPU_PERIOD_US 100000u
#define BH_CPU_US_OF_MILLI (BH_CPU_PERIOD_US / 1000)

static const char *const max = "max";

void bh_cap_count_text(uint64_t value, char buffer[static BH_CAP_TEXT_LEN])
{
	if (value == BH_UNLIMITED)
		snprintf(buffer, BH_CAP_TEXT_LEN, "%s", max);
	else
		snprintf(buffer, BH_CAP_TEXT_LEN, "%" PRIu64, value);
}

/* Reads a number or "max" at *text, up to a blank or the end, and moves there. */
static bool bh_count_read(const char **text, uint64_t *ret_value)
{
	char *end;

	if (!strncmp(*text, max, strlen(max))) {
		*ret_value = BH_UNLIMITED;
		*text += strlen(max);
	} else if (**text >= '0' && **text <= '9') {
		*ret_value = strtoull(*text, &end, 10);
		*text = end;
	} else {
		return false;
	}
	return !**text || **text == ' ' || **text == '\n';
}

bool bh_cap_count_holds(const char *text, uint64_t value, uint64_t unit)
{
	uint64_t found;

	if (!bh_count_read(&text, &found))
		return false;
	return found == (value == BH_UNLIMITED ? value : value - value % unit);
}

void bh_cap_cpu_text(uint64_t millicpu, char buffer[static BH_CAP_TEXT_LEN])
{
	if (millicpu == BH_UNLIMITED)
		snprintf(buffer, BH_CAP_TEXT_LEN, "%s %u", max, BH_CPU_PERIOD_US);
	else
		snprintf(buffer, BH_CAP_TEXT_LEN, "%" PRIu64 " %u", millicpu * BH_CPU_US_OF_MILLI, BH_CPU_PERIOD_US);
}

bool bh_cap_cpu_holds(const char *text, uint64_t millicpu)
{
	uint64_t quota, period;

	if (!bh_count_read(&text, &quota) || *text++ != ' ' || !bh_count_read(&text, &period))
		return false;
	return period == BH_CPU_PERIOD_US &&
	       quota == (millicpu == BH_UNLIMITED ? millicpu : millicpu * BH_CPU_US_OF_MILLI);
}

void bh_cap_io_text(struct bh_block_device device, uint64_t read, uint64_t write, char buffer[static BH_CAP_TEXT_LEN])
{
	char rate[2][BH_CAP_TEXT_LEN];

	bh_cap_count_text(read, rate[0]);
	bh_cap_count_text(write, rate[1]);
	snprintf(buffer, BH_CAP_TEXT_LEN, "%u:%u rbps=%.24s wbps=%.24s", device.major, device.minor, rate[0], rate[1]);
}

/* The value of `name` ("rbps=") among the words of one line; BH_UNLIMITED when it is not there. */
static bool bh_io_word(const char *line, size_t length, const char *name, uint64_t *ret_value)
{
	const char *at = memmem(line, length, name, strlen(name));

	*ret_value = BH_UNLIMITED;
	if (!at)
		return true;
	at += strlen(name);
	return bh_count_read(&at, ret_value);
}

bool bh_cap_io_holds(const char *text, struct bh_block_device device, uint64_t read, uint64_t write)
{
	char head[32];
	size_t length = (size_t)snprintf(head, sizeof(head), "%u:%u ", device.major, device.minor);
	uint64_t found_read, found_write;

	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		if (strncmp(line, head, length) != 0)
			continue;
		return bh_io_word(line, strcspn(line, "\n"), " rbps=", &found_read) &&
		       bh_io_word(line, strcspn(line, "\n"), " wbps=", &found_write) && found_read == read &&
		       found_write == write;
	}
	return read == BH_UNLIMITED && write == BH_UNLIMITED;
}

bool bh_block_device_parse(const char *text, struct bh_block_device *ret_device)
{
	char end;

	return sscanf(text, "%u:%u%c", &ret_device->major, &ret_device->minor, &end) == 3 && end == '\n';
}

uint64_t bh_cap_event_count(const char *text, const char *key)
{
	size_t length = strlen(key);

	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
		if (!strncmp(line, key, length) && line[length] == ' ')
			return strtoull(line + length, NULL, 10);
	return 0;
}

bool bh_controller_listed(const char *list, const char *controller)
{
	size_t length = strlen(controller);

	for (const char *at = list; *at; at += strcspn(at, " \n"), at += strspn(at, " \n"))
		if (strcspn(at, " \n") == length && !strncmp(at, controller, length))
			return true;
	return false;
}

enum bh_controller_place bh_controller_place(const char *proc_cgroups, const char *controller)
{
	for (const char *line = proc_cgroups; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		unsigned int hierarchy, groups, enabled;
		char name[32];

		if (sscanf(line, "%31s %u %u %u", name, &hierarchy, &groups, &enabled) != 4 ||
		    strcmp(name, controller) != 0)
			continue;
		if (!enabled)
			return BH_CONTROLLER_DISABLED;
		return hierarchy ? BH_CONTROLLER_VERSION_1 : BH_CONTROLLER_ABSENT;
	}
	return BH_CONTROLLER_ABSENT;
}
