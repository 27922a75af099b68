/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes that records spoke of, by number. One number is one process at a time: start tells a new one from the old. */
#include "detect/private.h"

static struct bh_process *row_of(struct bh_detect *detect, uint32_t pid)
{
	return &detect->processes[pid % (BH_PROCESSES / BH_KEY_WAYS) * BH_KEY_WAYS];
}

static struct bh_process *find(struct bh_detect *detect, uint32_t pid)
{
	struct bh_process *row = row_of(detect, pid);

	for (size_t i = 0; pid && i < BH_KEY_WAYS; i++)
		if (row[i].pid == pid)
			return &row[i];
	return NULL;
}

static struct bh_process *longest_unused(struct bh_detect *detect, uint32_t pid)
{
	struct bh_process *row = row_of(detect, pid), *oldest = row;

	for (size_t i = 0; i < BH_KEY_WAYS; i++) {
		if (!row[i].pid)
			return &row[i];
		if (row[i].used_ns < oldest->used_ns)
			oldest = &row[i];
	}
	return oldest;
}

/* A child begins in its parent's tool. Whose parent is unknown is taken for a child of the first process. */
static struct bh_process born(const struct bh_detect *detect, const struct bh_event *event,
			      const struct bh_process *parent)
{
	struct bh_process process = { .pid = event->pid, .start_ns = event->start_ns };

	if (parent) {
		process.tool = parent->tool;
		process.depth = parent->depth < UINT8_MAX ? parent->depth + 1 : UINT8_MAX;
	} else if (detect->first_pid) {
		process.depth = 1;
	}
	return process;
}

struct bh_process *bh_process_of(struct bh_detect *detect, const struct bh_event *event)
{
	struct bh_process *process, *parent, fresh;

	if (!event->pid)
		return NULL;
	process = find(detect, event->pid);
	if (!process || process->start_ns != event->start_ns) {
		parent = event->ppid == event->pid ? NULL : find(detect, event->ppid);
		fresh = born(detect, event, parent);
		if (!process)
			process = longest_unused(detect, event->pid);
		*process = fresh;
		if (!detect->first_pid)
			detect->first_pid = event->pid;
	}
	process->used_ns = detect->now_ns;
	return process;
}

void bh_process_end(struct bh_detect *detect, const struct bh_event *event)
{
	struct bh_process *process = find(detect, event->pid);

	if (process && process->start_ns == event->start_ns)
		*process = (struct bh_process){ 0 };
}
