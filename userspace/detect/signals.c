/* SPDX-License-Identifier: GPL-2.0-only */
/* Which signals a record counts for. */
#include "detect/private.h"
#include "event/describe.h"

static void count(struct bh_detect *detect, unsigned int signal, const struct bh_moment *moment)
{
	if (detect->first[signal])
		bh_watch_count(detect, signal, moment->event->tool, 1, moment->event);
}

static void count_refused(struct bh_detect *detect, const struct bh_moment *moment)
{
	const struct bh_event *event = moment->event;
	unsigned int class = bh_reason_class(event->reason);

	if (class == BH_CLASS_PRIVILEGES || event->reason == BH_REASON_C0)
		count(detect, BH_WATCH_syscall_denied_privilege, moment);
	if (bh_event_is_file(event) && (class == BH_CLASS_FILES || event->reason == BH_REASON_F0))
		count(detect, BH_WATCH_syscall_denied_file, moment);
	if (event->kind == BH_KIND_EXEC || event->kind == BH_KIND_EXEC_ARGS)
		count(detect, BH_WATCH_syscall_exec_failures, moment);
	if (event->kind == BH_KIND_EXEC)
		count(detect, BH_WATCH_behavioral_denied_exec, moment);
	if (event->kind == BH_KIND_EXEC_ARGS)
		count(detect, BH_WATCH_behavioral_denied_args, moment);
	if (bh_event_is_network(event))
		count(detect, BH_WATCH_network_denied, moment);
	if (event->reason == BH_REASON_N0)
		count(detect, BH_WATCH_network_denied_metadata, moment);
	if (event->reason == BH_REASON_F1)
		count(detect, BH_WATCH_behavioral_secret_touch, moment);
}

void bh_detect_signals(struct bh_detect *detect, const struct bh_moment *moment)
{
	if (!detect->watches_count)
		return;
	if (moment->refused)
		count_refused(detect, moment);
	if (moment->event->kind == BH_KIND_MMAP_EXEC && (!moment->path || moment->event->reason == BH_REASON_X11))
		count(detect, BH_WATCH_syscall_anon_exec_maps, moment);
	if (moment->starts)
		count(detect, BH_WATCH_syscall_exec_rate, moment);
	if (moment->new_program)
		count(detect, BH_WATCH_behavioral_new_binary, moment);
	if (moment->hop)
		count(detect, BH_WATCH_behavioral_tool_hop_rate, moment);
	if (moment->own_program)
		count(detect, BH_WATCH_behavioral_write_then_exec, moment);
	if (moment->new_peer)
		count(detect, BH_WATCH_network_new_peers, moment);
	if (moment->starts && moment->process && detect->first[BH_WATCH_behavioral_child_depth])
		bh_watch_state(detect, BH_WATCH_behavioral_child_depth, moment->event->tool, moment->process->depth,
			       moment->event);
	count(detect, BH_WATCH_behavioral_idle_then_burst, moment);
}
