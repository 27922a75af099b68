/* SPDX-License-Identifier: GPL-2.0-only */
/* Making and unmaking. Watching is in watch.c, what comes out of the sandbox in records.c. */
#include "cli/session.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "bpf/lib/decide.h"
#include "cli/leftovers.h"
#include "cli/limits.h"
#include "cli/links.h"
#include "cli/modes.h"
#include "respond/kill.h"

#define BH_END_LIMIT_MS 10000

static const char *bh_context_tool(const void *data, unsigned int tool)
{
	return tool ? bh_compiled_tool_name(data, tool) : NULL;
}

static const char *bh_context_rule(const void *data, uint32_t rule)
{
	return rule && rule <= bh_compiled_rules_count(data) ? bh_compiled_rule(data, rule - 1)->id : NULL;
}

static void bh_context_fill(struct bh_session *session)
{
	struct bh_event_context *context = &session->context;
	struct timespec now;
	FILE *boot = fopen("/proc/sys/kernel/random/boot_id", "re");

	if (!boot || !fgets(session->boot_id, sizeof(session->boot_id), boot))
		session->boot_id[0] = '\0';
	if (boot)
		fclose(boot);
	session->boot_id[strcspn(session->boot_id, "\n")] = '\0';
	if (gethostname(session->node, sizeof(session->node) - 1))
		session->node[0] = '\0';
	clock_gettime(CLOCK_REALTIME, &now);
	context->boot_id = session->boot_id;
	context->node = session->node;
	context->policy_name = bh_compiled_name(session->compiled);
	context->policy_hash = bh_compiled_hash(session->compiled);
	context->sandbox_name = session->name;
	context->sandbox_cgroup = session->cgroup.name;
	context->sandbox_cgroup_id = session->cgroup.id;
	context->mode = session->mode;
	memcpy(context->modes, session->modes, sizeof(context->modes));
	context->boot_offset_ns = now.tv_sec * 1000000000LL + now.tv_nsec - bh_boot_now();
	context->tool_name = bh_context_tool;
	context->rule_id = bh_context_rule;
	context->data = session->compiled;
}

/* Compiles again with the names that this host's symbolic links lead to, and says which of the policy's own led elsewhere. */
static int bh_session_compile(struct bh_session *session, struct bh_err *err)
{
	struct bh_opened *opened = &session->opened;
	struct bh_aliases aliases = {};
	struct bh_diags *diags;
	int result = bh_links_find(opened->compiled, &aliases, err);

	if (result)
		return result;
	diags = bh_diags_new(session->policy_path, opened->text, opened->length);
	result = diags ? bh_compile(opened->source, opened->shipped, &aliases, diags, &session->compiled) : -ENOMEM;
	if (result) {
		bh_err_set(err, -result, "%s does not hold once its symbolic links are followed", session->policy_path);
		if (diags)
			bh_diags_print(diags, stderr, bh_colour(STDERR_FILENO));
	}
	for (size_t i = 0; !result && i < bh_compiled_rules_count(opened->compiled); i++) {
		const struct bh_rule *rule = bh_compiled_rule(opened->compiled, i);

		for (size_t j = 0; rule->class == BH_RULE_EXEC && j < aliases.count; j++) {
			if (!session->quiet && !strcmp(rule->path, aliases.items[j].listed) && !rule->helper)
				fprintf(stderr, "bulkhead: %s leads to %s: both names are covered\n", rule->path,
					aliases.items[j].resolved);
		}
	}
	bh_diags_free(diags);
	bh_aliases_done(&aliases);
	return result;
}

/* CMD's program must be the entry tool's: said before anything starts, by the kernel's own verdict code. */
static int bh_entry_check(struct bh_session *session, struct bh_err *err)
{
	struct bh_path_question question = {};
	struct bh_answer answer;
	BH_FREE struct bh_path_bytes *bytes = calloc(1, sizeof(*bytes));
	BH_FREE char *real = realpath(session->program.path, NULL);

	if (!bytes || !real || strlen(real) >= BH_PATH_MAX)
		return bh_err_set(err, ENOENT, "cannot resolve %s", session->program.path);
	question.length = (__u32)strlen(real);
	memcpy(bytes->bytes, real, question.length);
	question.path = bytes;
	answer = bh_decide_exec(bh_compiled_tables(session->compiled), BH_TOOL_NONE, &question);
	if (!answer.reason || bh_session_mode_of(session, BH_CLASS_EXEC) != BH_MODE_ENFORCE)
		return 0;
	bh_err_set(err, EPERM, "policy '%s' does not start with %s: its entry tool is '%s'",
		   bh_compiled_name(session->compiled), real, bh_compiled_tool_name(session->compiled, 1));
	bh_err_hint(err, "run one of that tool's binaries, or list %s under spec.tools.%s.binaries", real,
		    bh_compiled_tool_name(session->compiled, 1));
	return -EPERM;
}

int bh_session_prepare(struct bh_session *session, struct bh_err *err)
{
	int result = bh_session_compile(session, err);

	if (!result)
		result = bh_session_modes(session, err);
	if (!result)
		result = bh_entry_check(session, err);
	if (!result && !session->name[0]) {
		uint32_t number = 0;

		if (getrandom(&number, sizeof(number), 0) != sizeof(number))
			return bh_err_set(err, EIO, "cannot read random bytes");
		snprintf(session->name, sizeof(session->name), "%.50s-%08x", bh_compiled_name(session->compiled),
			 number);
	}
	return result;
}

/* The policy as it goes in force: the command line may have set the mode. */
static int bh_session_publish(struct bh_session *session, struct bh_err *err)
{
	const struct bh_policy *tables = bh_compiled_tables(session->compiled);
	BH_FREE struct bh_policy *policy = malloc(bh_policy_bytes(tables));

	if (!policy)
		return bh_err_set(err, ENOMEM, "out of memory");
	memcpy(policy, tables, bh_policy_bytes(tables));
	bh_session_modes_put(session, &policy->head);
	return bh_core_publish(session->core, session->slot, policy, err);
}

/* Under the node's lock: nobody else takes the name, the slot, or the hooks off meanwhile. */
static int bh_session_bind(struct bh_session *session, const struct bh_floor_net *floor, struct bh_err *err)
{
	BH_CLOSE int registry = bh_registry_lock(err);
	int ring = -EBADF, result = registry < 0 ? registry : bh_core_stand(floor, &session->core, err);

	if (!result)
		result = bh_leftovers_tidy(session->core, &session->host, err);
	if (!result)
		result = bh_name_take(session->core, &session->host, session->name, &session->lock, err);
	if (result)
		return result;
	session->standing = true;
	if (bh_core_slot_free(session->core, &session->slot))
		return bh_err_set(err, ENOSPC, "%u policies are in force already", BH_POLICIES_MAX - 1);
	result = bh_session_publish(session, err);
	bh_cgroup_init(&session->cgroup, session->host.cgroup, session->name);
	if (!result)
		result = bh_cgroup_make(&session->cgroup, err);
	if (!result && (ring = bh_core_ring(session->core, err)) < 0)
		result = ring;
	if (!result)
		result = bh_core_bind(session->core, session->name, &session->cgroup, session->slot, ring,
				      &session->number, err);
	if (!result)
		result = bh_core_attach_packets(session->core, session->number, &session->cgroup, err);
	if (!result)
		result = bh_core_attach(session->core, err);
	if (result)
		bh_core_withdraw(session->core, session->slot);
	return result;
}

int bh_session_stand(struct bh_session *session, struct bh_err *err)
{
	struct bh_lifecycle begun = {
		.kind = "bind_policy", .verdict = "allow", .severity = "info", .latency_us = -1, .lost = -1
	};
	BH_FREE struct bh_floor_net *floor = calloc(1, sizeof(*floor));
	char message[256];
	int result = floor ? bh_floor_compile(session->opened.shipped, floor, err) :
			     bh_err_set(err, ENOMEM, "out of memory");

	if (!result)
		result = bh_session_bind(session, floor, err);
	if (!result)
		result = bh_limits_set(session, err);
	if (result)
		return result;
	bh_context_fill(session);
	snprintf(message, sizeof(message), "policy '%s' is in force in sandbox '%s'", session->context.policy_name,
		 session->name);
	begun.message = message;
	bh_session_say(session, &begun, false);
	return 0;
}

/*
 * Before the program starts, the kernel must show that it judges this very process: by refusing it, and by a record of it.
 * Whatever keeps the hooks from seeing the sandbox (a foreign cgroup namespace, a mount of another hierarchy) ends here.
 */
static int bh_session_prove(struct bh_session *session, struct bh_err *err)
{
	int error, result = bh_child_prove(&session->child, &error);

	if (!result)
		result = bh_session_drain(session, err);
	if (result)
		return bh_err_set(err, -result, "the sandbox's first process does not answer: %s", strerror(-result));
	session->proof_denied = error == EPERM;
	if (session->proven &&
	    (session->proof_denied || bh_session_mode_of(session, BH_CLASS_FILES) != BH_MODE_ENFORCE))
		return 0;
	bh_err_set(err, EOPNOTSUPP, "the kernel programs are attached, but do not see processes in %s",
		   session->cgroup.path);
	bh_err_hint(err, "is cgroup v2 mounted from another namespace? run `bulkhead run` in the host's own");
	return -EOPNOTSUPP;
}

int bh_session_start(struct bh_session *session, struct bh_err *err)
{
	const struct bh_policy_head *head = &bh_compiled_tables(session->compiled)->head;
	struct bh_rights rights = { .capabilities = head->capabilities & ~bh_capabilities_floor(),
				    .operations = head->operations };
	int result = bh_protect_self(&session->program.before);

	if (result && !session->quiet)
		fprintf(stderr, "bulkhead: cannot keep itself apart from a shortage of memory: %s\n",
			strerror(-result));
	bh_limits_of_program(session, &session->program);
	result = bh_child_fork(&session->program, &rights, &session->child, err);
	if (!result)
		result = bh_cgroup_add(&session->cgroup, session->child.pid, err);
	if (!result)
		result = bh_session_prove(session, err);
	if (result)
		return result;
	session->start_ns = bh_boot_now();
	result = bh_child_release(&session->child, &session->program);
	if (result) {
		struct bh_err ignored;

		bh_session_drain(session, &ignored);
		return bh_err_set(err, -result, "cannot start %s: %s", session->program.path, strerror(-result));
	}
	return 0;
}

static void bh_session_say_end(struct bh_session *session, const struct bh_sandbox *sandbox)
{
	struct bh_lifecycle lost = { .kind = "drop", .verdict = "alert", .severity = "high", .latency_us = -1 };
	struct bh_lifecycle ended = {
		.kind = "exit", .verdict = "allow", .severity = "info", .latency_us = -1, .lost = -1
	};
	char message[256];

	if (sandbox->lost + session->unwritten) {
		lost.lost = (int64_t)(sandbox->lost + session->unwritten);
		snprintf(message, sizeof(message),
			 "%llu events of sandbox '%s' found no room; each was denied all the same",
			 (unsigned long long)lost.lost, session->name);
		lost.message = message;
		bh_session_say(session, &lost, true);
	}
	snprintf(message, sizeof(message), "sandbox '%s' has ended", session->name);
	ended.message = message;
	bh_session_say(session, &ended, false);
}

static int bh_session_unbind(struct bh_session *session, struct bh_err *err)
{
	BH_CLOSE int registry = bh_registry_lock(err);

	return registry < 0 ? registry : bh_sandbox_remove(session->core, session->name, &session->cgroup, err);
}

int bh_session_fall(struct bh_session *session, struct bh_err *err)
{
	struct bh_kill_result killed;
	struct bh_sandbox sandbox = {};
	int result = 0;

	if (session->standing && session->cgroup.id && bh_kill_sandbox(&session->cgroup, BH_END_LIMIT_MS, &killed))
		/* enforcement stays: pins and cgroup are left for the next run */
		result = bh_err_set(err, EBUSY, "sandbox '%s' does not end; it stays enforced in %s", session->name,
				    session->cgroup.path);
	if (session->child.pid > 0 && session->status < 0 && waitpid(session->child.pid, &session->status, 0) < 0)
		session->status = 0;
	bh_child_done(&session->child);
	bh_disk_free(&session->disk);
	if (session->core && session->context.data) {
		struct bh_err ignored;

		bh_session_drain(session, &ignored);
		if (!bh_core_sandbox(session->core, session->number, &sandbox))
			bh_session_say_end(session, &sandbox);
		session->denials = sandbox.denied - (session->proven && session->proof_denied && sandbox.denied);
	}
	if (session->standing && !result) {
		result = bh_session_unbind(session, err);
		bh_rest_later(bh_core_folder(session->core));
	}
	session->standing = false;
	session->context.data = NULL;
	bh_core_free(BH_TAKE(session->core));
	bh_cleanup_close(&session->lock);
	session->lock = -EBADF;
	bh_compiled_free(BH_TAKE(session->compiled));
	bh_opened_done(&session->opened);
	return result;
}
