/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Verdicts about programs and code. An exec is decided twice: at the check, by the file alone, where it can still be refused;
 * and at the commit, when the kernel has its own copy of arguments and environment, and a violation can only end the process.
 */
#ifndef BH_LIB_PROGRAM_H
#define BH_LIB_PROGRAM_H

#include "bpf/lib/answer.h"

/* Where the edge of `tool` leads by a file with these rights: see struct bh_edge_row. Masked, so that no table leads out of the policy. */
static BH_INLINE __u32 bh_edge(const struct bh_policy *policy, const struct bh_accept *accept, __u32 tool)
{
	return policy->edges[accept->edge_row & (BH_EDGE_ROWS_MAX - 1)].to[bh_tool_slot(tool)];
}

/* NULL: `next` is a tool, or nothing. */
static BH_INLINE const struct bh_choice *bh_choice_of(const struct bh_policy *policy, __u32 next)
{
	const struct bh_choice *choice = next & BH_NEXT_CHOICE ? &policy->choices[next & (BH_CHOICES_MAX - 1)] : 0;

	BH_OPAQUE(choice); /* to be compared with NULL itself, not by the bit */
	return choice;
}

/* The set of tools that the task may be about to become. */
static BH_INLINE __u32 bh_next_tools(const struct bh_policy *policy, __u32 next)
{
	const struct bh_choice *choice = bh_choice_of(policy, next);

	return choice ? choice->targets : bh_tool_bit(next);
}

/* No edge: because the policy forbids everybody this program, or for `reason`. */
static BH_INLINE void bh_answer_no_edge(struct bh_answer *answer, const struct bh_accept *accept, __u16 reason)
{
	answer->reason = accept->never_run_rule ? BH_REASON_X10 : reason;
	answer->rule = accept->never_run_rule;
}

/* What a sandbox wrote is no program. */
static BH_INLINE void bh_answer_written(struct bh_answer *answer)
{
	answer->reason = BH_REASON_X9;
	answer->rule = 0;
	answer->to = 0;
	answer->next = 0;
}

/*
 * May `tool` execute this file, and what does it become? BH_TOOL_NONE asks for the entry edge, BH_TOOL_ATTACH for a session's.
 * answer.to is 0 when that depends on more than the file: bh_decide_exec_commit then decides about answer.next.
 */
static BH_INLINE struct bh_answer bh_decide_exec(const struct bh_policy *policy, __u32 tool,
						 const struct bh_path_question *path)
{
	struct bh_answer answer = {};
	const struct bh_accept *accept = bh_path_accept(policy, path);

	if (!accept->never_run_rule)
		answer.next = bh_edge(policy, accept, tool);
	if (!answer.next)
		bh_answer_no_edge(&answer, accept, BH_REASON_X1);
	else if (path->written) /* no program lies where its own policy lets anybody write, but another name of it may */
		bh_answer_written(&answer);
	else if (!(answer.next & BH_NEXT_CHOICE))
		answer.to = answer.next;
	return answer;
}

/* A file's content, as far as it was looked at. */
struct bh_content {
	__u8 sha256[32];
	__u32 known; /* 0: whatever it is, it is right */
	__u32 pad0;
};

/* The ways of a choice that want this content, or any. */
BH_ONCE __u32 bh_content_fits(const struct bh_policy *policy, __u32 next, const struct bh_content *content)
{
	const struct bh_choice *choice;
	__u32 ways = 0;

	if (!policy || !content)
		return 0;
	choice = bh_choice_of(policy, next);
	if (!content->known || !choice)
		return (1u << BH_WAYS) - 1;
	for (__u32 w = 0; w < BH_WAYS; w++) {
		const __u8 *hash = policy->hashes[choice->ways[w].hash & (BH_HASHES_MAX - 1)];
		__u32 different = 0;

		for (__u32 i = 0; i < 32; i++)
			different |= hash[i] ^ content->sha256[i];
		if (!choice->ways[w].hash || !different)
			ways |= 1u << w;
	}
	return ways;
}

/*
 * The ways whose arguments these are. block: those that the caller gave, but for the first, each with its NUL, `length`
 * bytes together; longer than BH_ARGS_MAX: too many to look at, so that they fit only where any do.
 */
BH_ONCE __u32 bh_arguments_fit(const struct bh_policy *policy, __u32 next, const struct bh_path_bytes *block,
			       __u32 length)
{
	const struct bh_choice *choice;

	if (!policy || !block)
		return 0;
	choice = bh_choice_of(policy, next);
	if (!choice)
		return (1u << BH_WAYS) - 1;
	return choice->args_any | bh_state_accept(policy, bh_walk_path(policy, block, choice->args_start, 0, length));
}

/* An environment on its way through the automata, piece by piece. */
struct bh_environment {
	__u32 states[BH_WAYS]; /* of the ways' own automata */
	__u32 obeyed; /* of the one that looks for variables that the target's programs or their loader obey */
	__u32 ways; /* that are still asked about */
};

/* The tool that these ways of the choice lead to: those that the same arguments fit all lead to one. */
static BH_INLINE __u32 bh_ways_target(const struct bh_choice *choice, __u32 ways)
{
	__u32 to = 0;

	for (__u32 w = BH_WAYS; w > 0; w--) {
		if (ways >> (w - 1) & 1)
			to = choice->ways[w - 1].to;
	}
	return to;
}

/* Begins, for these ways of the choice. */
BH_ONCE int bh_environment_begin(const struct bh_policy *policy, __u32 next, __u32 ways,
				 struct bh_environment *environment)
{
	const struct bh_choice *choice;

	if (!policy || !environment)
		return 0;
	choice = bh_choice_of(policy, next);
	environment->ways = choice ? ways & ((1u << BH_WAYS) - 1) : 0;
	environment->obeyed =
		policy->head.obeyed_start[bh_tool_slot(choice ? bh_ways_target(choice, environment->ways) : next)];
	for (__u32 w = 0; w < BH_WAYS; w++) {
		environment->states[w] = choice ? choice->ways[w].env_start : 0;
		if (!environment->states[w])
			environment->ways &= ~(1u << w);
	}
	return 0;
}

/* Goes on over a piece of `length` bytes: the variables one behind the other, each with its NUL. */
BH_ONCE int bh_environment_walk(const struct bh_policy *policy, struct bh_environment *environment,
				const struct bh_path_bytes *piece, __u32 length)
{
	if (!policy || !environment || !piece)
		return 0;
	environment->obeyed = bh_walk_path(policy, piece, environment->obeyed, 0, length);
	for (__u32 w = 0; w < BH_WAYS; w++) {
		if (environment->ways >> w & 1)
			environment->states[w] = bh_walk_path(policy, piece, environment->states[w], 0, length);
	}
	return 0;
}

/* Whether the walk has met a variable that makes the environment wrong: for all ways that were asked about, or one that is obeyed. */
static BH_INLINE int bh_environment_wrong(const struct bh_environment *environment, int obeyed)
{
	__u32 alive = 0;

	if (obeyed)
		return environment->obeyed == BH_STATE_DEAD;
	for (__u32 w = 0; w < BH_WAYS; w++) {
		if (environment->ways >> w & 1)
			alive |= environment->states[w];
	}
	return !alive;
}

/* What is known of an exec at its commit. Ways: sets, way w = bit w. */
struct bh_exec_facts {
	__u32 content; /* ways that want the file's content: bh_content_fits */
	__u32 arguments; /* ways whose arguments these are: bh_arguments_fit */
	__u32 too_large; /* the environment has more than BH_ENV_MAX bytes: it fits only where any does */
	struct bh_environment environment; /* walked to its end */
};

/* Whether the environment that was walked to its end holds a variable that the target's programs or their loader obey. */
static BH_INLINE int bh_target_obeys(const struct bh_policy *policy, const struct bh_exec_facts *facts)
{
	return !bh_state_accept(policy, facts->environment.obeyed);
}

/* The ways whose environment it is. */
BH_ONCE __u32 bh_environment_fits(const struct bh_policy *policy, const struct bh_choice *choice,
				  const struct bh_exec_facts *facts)
{
	__u32 ways = 0;

	if (!policy || !choice || !facts)
		return 0;
	for (__u32 w = 0; w < BH_WAYS; w++) {
		if (!choice->ways[w].env_start || (!facts->too_large && facts->environment.ways >> w & 1 &&
						   bh_state_accept(policy, facts->environment.states[w])))
			ways |= 1u << w;
	}
	return ways;
}

/* One target left of a choice: fills to, or the reason for which there is none. */
static BH_INLINE void bh_choose(const struct bh_policy *policy, const struct bh_choice *choice,
				const struct bh_exec_facts *facts, struct bh_answer *answer)
{
	__u32 ways = facts->content, fit, rule = 0;

	for (__u32 w = 0; w < BH_WAYS; w++) {
		if (w >= choice->count)
			ways &= ~(1u << w);
	}
	if (!ways) {
		answer->reason = BH_REASON_X2;
		return;
	}
	ways &= facts->arguments;
	if (!ways) {
		answer->reason = BH_REASON_X3;
		answer->rule = choice->count == 1 ? choice->ways[0].rule : 0;
		return;
	}
	fit = ways & bh_environment_fits(policy, choice, facts);
	for (__u32 w = BH_WAYS; w > 0; w--) { /* the first one counts */
		if ((fit ? fit : ways) >> (w - 1) & 1) {
			answer->to = choice->ways[w - 1].to;
			rule = choice->ways[w - 1].rule;
		}
	}
	if (!fit) {
		answer->to = 0;
		answer->reason = BH_REASON_X4;
		answer->rule = rule;
	}
}

/*
 * What does `tool` become by the exec whose check answered `next`? From one tool into another no variable goes that the
 * dynamic loader or the target's programs obey (policy.md 4.3); that reason is given before X4.
 */
static BH_INLINE struct bh_answer bh_decide_exec_commit(const struct bh_policy *policy, __u32 tool, __u32 next,
							const struct bh_exec_facts *facts)
{
	struct bh_answer answer = { .next = next };
	const struct bh_choice *choice = bh_choice_of(policy, next);
	__u32 targets = bh_next_tools(policy, next);

	if (choice)
		bh_choose(policy, choice, facts, &answer);
	else if (targets)
		answer.to = next;
	else
		answer.reason = BH_REASON_X1;
	if (answer.reason && answer.reason != BH_REASON_X4)
		return answer;
	if (bh_tool_bit(tool) && bh_target_obeys(policy, facts) &&
	    (answer.to ? answer.to != tool : targets != bh_tool_bit(tool))) {
		answer.reason = BH_REASON_X5;
		answer.rule = 0;
		answer.to = 0;
	}
	return answer;
}

/* The tools that may map this file as code, apart from their own image. */
static BH_INLINE __u32 bh_load_tools(const struct bh_policy *policy, const struct bh_accept *accept)
{
	__u32 listed = policy->head.load_listed;
	__u32 open = accept->write ? 0 : accept->read & ~listed;

	return accept->floor & BH_FLOOR_READ ? 0 : (open | (accept->load & listed)) & ~accept->never_read;
}

/* Does one of these tools' policy say why it may load what a sandbox wrote? */
static BH_INLINE int bh_written_excused(const struct bh_policy *policy, const struct bh_accept *accept, __u32 tools)
{
	return (bh_load_tools(policy, accept) & accept->load_written & tools) != 0;
}

/*
 * May the kernel open this file on the way to a program that `tool` may run: the program itself, its loader, the interpreter
 * of a script? next: what the check answered, 0 before it. The loader and interpreter count when they could be mapped as
 * code; a loader that nobody may run is still one: whether it is run is asked by bh_decide_exec and bh_decide_interpreter.
 */
static BH_INLINE struct bh_answer bh_decide_exec_open(const struct bh_policy *policy, __u32 tool, __u32 next,
						      const struct bh_path_question *path)
{
	struct bh_answer answer = {};
	const struct bh_accept *accept = bh_path_accept(policy, path);
	__u32 tools = bh_next_tools(policy, next), either = bh_tool_bit(tool) | tools;

	if ((accept->never_run_rule || !(bh_edge(policy, accept, tool) || accept->helper & tools)) &&
	    !(bh_load_tools(policy, accept) & either))
		bh_answer_no_edge(&answer, accept, BH_REASON_X1);
	else if (path->written && !bh_written_excused(policy, accept, either))
		bh_answer_written(&answer);
	return answer;
}

/*
 * May a script of the tool that the task is about to become be run by this interpreter (`#!`, binfmt_misc)? When the
 * arguments are yet to decide which tool that is, each of them must have the interpreter as a helper or among its programs.
 */
static BH_INLINE struct bh_answer bh_decide_interpreter(const struct bh_policy *policy, __u32 next,
							const struct bh_path_question *path)
{
	struct bh_answer answer = {};
	const struct bh_accept *accept = bh_path_accept(policy, path);
	__u32 tools = bh_next_tools(policy, next);

	if (accept->never_run_rule || !tools || ((accept->helper | accept->image) & tools) != tools)
		bh_answer_no_edge(&answer, accept, BH_REASON_X6);
	else if (path->written)
		bh_answer_written(&answer);
	return answer;
}

/*
 * A script's interpreter opens it again, by the name that its caller gave: `name`, which must not lead anywhere else by then,
 * nor be taken for an option. So into another tool only names lead that the policy itself lists, as it lists the file's. later:
 * of an interpreter that is a script itself.
 */
static BH_INLINE int bh_script_led(const struct bh_policy *policy, __u32 tool, __u32 next, int later,
				   const struct bh_path_question *name)
{
	if (!bh_tool_bit(tool) || bh_next_tools(policy, next) == bh_tool_bit(tool))
		return 0;
	if (later)
		return bh_decide_interpreter(policy, next, name).reason != 0;
	return bh_decide_exec(policy, tool, name).next != next;
}

/* May `tool` map this file as code? Its own image; else what its policy lists, or by default what it may read and no tool may write. */
static BH_INLINE struct bh_answer bh_decide_load(const struct bh_policy *policy, __u32 tool,
						 const struct bh_path_question *path)
{
	struct bh_answer answer = {};
	const struct bh_accept *accept = bh_path_accept(policy, path);

	if (!((bh_load_tools(policy, accept) | accept->image) & bh_tool_bit(tool)))
		answer.reason = BH_REASON_X8;
	else if (path->written && !bh_written_excused(policy, accept, bh_tool_bit(tool)))
		bh_answer_written(&answer);
	return answer;
}

/* May `tool` run code in memory that no file stands behind, or that differs from its file, or could? */
static BH_INLINE struct bh_answer bh_decide_jit(const struct bh_policy *policy, __u32 tool)
{
	struct bh_answer answer = {};

	if (!(policy->head.jit & bh_tool_bit(tool)))
		answer.reason = BH_REASON_X11;
	return answer;
}

#endif
