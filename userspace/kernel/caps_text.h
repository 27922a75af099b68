/* SPDX-License-Identifier: GPL-2.0-only */
/* What cgroup version 2 files take for a limit, and whether they say it back. Pure: texts and numbers only. */
#ifndef BH_KERNEL_CAPS_TEXT_H
#define BH_KERNEL_CAPS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BH_CAP_TEXT_LEN 128u

/* A block device as io.max names it. */
struct bh_block_device {
	unsigned int major, minor;
};

/* "536870912" or, for BH_UNLIMITED, "max": memory.max, memory.swap.max, pids.max. */
void bh_cap_count_text(uint64_t value, char buffer[static BH_CAP_TEXT_LEN]);
/* Does the file's text mean that value? The kernel rounds down to whole `unit`s: pages for memory, 1 for the rest. */
bool bh_cap_count_holds(const char *text, uint64_t value, uint64_t unit);

/* cpu.max: "50000 100000" is half a CPU. */
void bh_cap_cpu_text(uint64_t millicpu, char buffer[static BH_CAP_TEXT_LEN]);
bool bh_cap_cpu_holds(const char *text, uint64_t millicpu);

/* io.max, one device: "254:0 rbps=1048576 wbps=max". BH_UNLIMITED: none. */
void bh_cap_io_text(struct bh_block_device device, uint64_t read, uint64_t write, char buffer[static BH_CAP_TEXT_LEN]);
/* Has the file's text, a line for each device that has limits, one with these? */
bool bh_cap_io_holds(const char *text, struct bh_block_device device, uint64_t read, uint64_t write);

/* "254:0\n", as /sys/block/NAME/dev has it. False: no such text. */
bool bh_block_device_parse(const char *text, struct bh_block_device *ret_device);

/* The number behind `key` in lines like those of memory.events and pids.events; 0 when there is no such line. */
uint64_t bh_cap_event_count(const char *text, const char *key);

/* Is the word in a list separated by blanks, as cgroup.controllers is? */
bool bh_controller_listed(const char *list, const char *controller);

/* Where a controller is that version 2 has not, from /proc/cgroups. */
enum bh_controller_place {
	BH_CONTROLLER_ABSENT, /* not built, or not shown */
	BH_CONTROLLER_DISABLED, /* by the kernel's arguments */
	BH_CONTROLLER_VERSION_1,
};
enum bh_controller_place bh_controller_place(const char *proc_cgroups, const char *controller);

#endif
