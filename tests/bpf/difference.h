/* SPDX-License-Identifier: GPL-2.0-only */
/* What two engines answered differently, in words. */
#ifndef TESTS_BPF_DIFFERENCE_H
#define TESTS_BPF_DIFFERENCE_H

#include "tests/bpf/questions.h"

static inline const char *kind_text(uint32_t kind)
{
	static const char *const texts[KIND_NUMBERS] = {
		[BH_KIND_FILE_OPEN] = "files",
		[BH_KIND_EXEC] = "programs",
		[BH_KIND_EXEC_ARGS] = "programs with arguments and environment",
		[BH_KIND_FILE_RENAME] = "directories",
		[BH_KIND_MMAP_EXEC] = "code",
		[BH_KIND_CONNECT] = "addresses",
		[BH_KIND_UNIX_CONNECT] = "unix sockets",
		[BH_ASK_HOST] = "host names",
		[BH_ASK_DNS] = "names to resolve",
		[BH_ASK_ANSWER] = "resolved addresses",
		[BH_ASK_LISTEN] = "ports to listen on",
		[BH_ASK_ABSTRACT] = "abstract names",
		[BH_ASK_UNIX_LISTEN] = "sockets to listen on",
		[BH_ASK_PRIVILEGE] = "operations",
		[BH_ASK_CAPABILITY] = "capabilities",
		[BH_ASK_JIT] = "code in memory",
	};

	return texts[kind % KIND_NUMBERS];
}

/* Adds the words of a command, for a message. */
static inline size_t describe_words(const struct command *command, char *out, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < command->count && used < size / 2; i++)
		used += (size_t)snprintf(out + used, size - used, " '%.100s'", command->words[i]);
	return used;
}

/* The question and two answers to it, in words. */
static inline void describe_difference(const struct question *q, const char *name, const struct bh_question *got,
				       const struct bh_question *want, char *out, size_t size)
{
	size_t used = (size_t)snprintf(
		out, size,
		"kind %u (%s) tool %u access %u self %u number %u '%.1000s' family %u port %u protocol %u: %s says reason %u to "
		"%u rule %u, the definition %u to %u rule %u; arguments",
		q->kind, kind_text(q->kind), q->tool, q->access, q->self, q->number, q->path, q->net.family,
		q->net.port, q->net.protocol, name, got->reason, got->to, got->rule, want->reason, want->to,
		want->rule);

	used += describe_words(&q->args, out + used, size - used);
	used += (size_t)snprintf(out + used, size - used, "; environment");
	describe_words(&q->env, out + used, size - used);
}

#endif
