/* SPDX-License-Identifier: GPL-2.0-only */
/* The answer that the definition gives (policy.md 3, 4.5, 6.3): every rule is looked at, no table and no verdict code. */
#include "compile/definition.h"
#include "compile/near.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "verify/by_rule.h"

/* Reading all beneath D includes D itself. */
static bool pattern_covers(const char *pattern, uint32_t access, const char *path)
{
	size_t length = strlen(pattern);
	char directory[BH_PATH_MAX];

	if (bh_pattern_matches(pattern, path))
		return true;
	if (access != BH_ACCESS_READ || length < 4 || length - 3 >= sizeof(directory) ||
	    strcmp(pattern + length - 3, "/**") != 0)
		return false;
	memcpy(directory, pattern, length - 3);
	directory[length - 3] = '\0';
	return bh_pattern_matches(directory, path);
}

bool bh_rule_speaks_of_path(const struct bh_rule *rule, const char *path)
{
	return (rule->class == BH_RULE_EXEC || rule->class == BH_RULE_FILE) &&
	       pattern_covers(rule->path, rule->class == BH_RULE_FILE ? rule->access : BH_ACCESS_EXEC, path);
}

static bool floor_forbids(const struct bh_shipped *shipped, uint32_t access, const char *path)
{
	for (size_t i = 0; i < shipped->floors_count; i++) {
		const struct bh_words *words = access == BH_ACCESS_READ ? &shipped->floors[i].read :
									  &shipped->floors[i].write;

		for (size_t k = 0; k < words->count; k++)
			if (pattern_covers(words->items[k].text, access, path))
				return true;
	}
	return false;
}

/* Every right that is asked for must be granted; the floor comes first, then what is forbidden, read before write. */
static void answer_file(const struct bh_exam *exam, struct bh_question *question, const char *path)
{
	const char *tool = bh_compiled_tool_name(exam->compiled, question->tool);
	uint32_t known = question->access & (BH_ACCESS_READ | BH_ACCESS_WRITE);

	if ((known & BH_ACCESS_READ && floor_forbids(exam->shipped, BH_ACCESS_READ, path)) ||
	    (known & BH_ACCESS_WRITE && floor_forbids(exam->shipped, BH_ACCESS_WRITE, path))) {
		question->reason = BH_REASON_F0;
		return;
	}
	question->reason = tool && known ? 0 : BH_REASON_F2;
	for (uint32_t access = BH_ACCESS_READ; tool && access <= BH_ACCESS_WRITE; access <<= 1) {
		const struct bh_rule *rule = NULL;

		if (!(known & access))
			continue;
		rule = bh_rule_for_file(exam->compiled, tool, (uint8_t)access, path);
		if (rule && rule->then == BH_THEN_NEVER) {
			question->reason = BH_REASON_F1;
			question->rule = bh_rule_number(exam, rule);
			return;
		}
		if (!rule)
			question->reason = BH_REASON_F2;
	}
}

/*
 * Whose rules count, by the number that asks. A number that no tool has is no tool's, and yet subject to what is forbidden
 * to all. NULL: the entry.
 */
static const char *asking_tool(const struct bh_exam *exam, uint32_t number)
{
	const char *tool = bh_compiled_tool_name(exam->compiled, number);

	if (tool || number == BH_TOOL_NONE)
		return tool;
	return number == BH_TOOL_ATTACH ? "@attach" : "";
}

/* The tool that is entered by the file alone; 0: there is none, or not for certain. */
static uint32_t edge_without_conditions(const struct bh_exam *exam, const char *tool, const char *path)
{
	const char *scope = tool ? tool : "@entry";
	const struct bh_rule *rule;
	struct bh_near near;

	BH_FOR_EACH_NEAR(exam->compiled, path, &near, rule)
	if (rule->class == BH_RULE_EXEC && (!strcmp(rule->scope, scope) || !strcmp(rule->scope, "*")) &&
	    !rule->args_given && !rule->env && !rule->sha256 && bh_pattern_matches(rule->path, path))
		return bh_compiled_tool_id(exam->compiled, rule->to);
	return 0;
}

static void answer_exec(const struct bh_exam *exam, struct bh_question *question, const char *path)
{
	const char *tool = asking_tool(exam, question->tool);
	const struct bh_rule *rule = bh_rule_for_exec(exam->compiled, tool, path);

	if (!rule) {
		question->reason = BH_REASON_X1;
	} else if (rule->then == BH_THEN_NEVER) {
		question->reason = BH_REASON_X10;
		question->rule = bh_rule_number(exam, rule);
	} else {
		question->to = edge_without_conditions(exam, tool, path);
	}
}

/* The whole of it: file, content, arguments, environment. */
static void answer_run(const struct bh_exam *exam, struct bh_question *question, const struct bh_asked *asked,
		       const char *path)
{
	const char *tool = asking_tool(exam, question->tool);
	struct bh_exec run = { .path = path,
			       .args = { asked->args, question->args_length },
			       .variables = { asked->env, question->env_length },
			       .sha256 = question->content_known ? question->sha256 : NULL };
	struct bh_exec_result result;

	bh_exec_decide(exam->compiled, tool, &run, &result);
	question->reason = result.reason;
	if (!result.reason)
		question->to = bh_compiled_tool_id(exam->compiled, result.rule->to);
	else if (result.rule)
		question->rule = bh_rule_number(exam, result.rule);
}

/* Has the component a letter of its own, and is not all wildcards? */
static bool is_named(const char *component, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (component[i] != '*' && component[i] != '?')
			return true;
	return false;
}

/*
 * Is the path one of the pattern's directories, above the last component? With a `**` in front only those that the pattern
 * names: otherwise every directory would be one. All beneath a final `**` may be such a directory.
 */
static bool lies_above(const char *path, const char *pattern)
{
	size_t length = strlen(pattern), start = 1;
	bool deep = false;
	char prefix[BH_PATH_MAX];

	if (length >= sizeof(prefix))
		return false;
	for (;;) {
		size_t end = start + strcspn(pattern + start, "/");

		if (end == length)
			return strcmp(pattern + start, "**") == 0 && bh_pattern_matches(pattern, path);
		memcpy(prefix, pattern, end);
		prefix[end] = '\0';
		if (strcmp(prefix + start, "**") == 0)
			deep = true;
		else if ((!deep || is_named(prefix + start, end - start)) && bh_pattern_matches(prefix, path))
			return true;
		start = end + 1;
	}
}

/* What is executed or forbidden pins the directories above it (F4). */
static void answer_move(const struct bh_exam *exam, struct bh_question *question, const char *path)
{
	const struct bh_rule *rule;
	bool pinned = false;

	for (size_t i = 0; !pinned && (rule = bh_compiled_wall(exam->compiled, i)); i++)
		pinned = lies_above(path, rule->path);
	for (size_t i = 0; i < exam->shipped->floors_count && !pinned; i++) {
		const struct bh_prohibition *floor = &exam->shipped->floors[i];

		for (size_t k = 0; k < floor->read.count && !pinned; k++)
			pinned = lies_above(path, floor->read.items[k].text);
		for (size_t k = 0; k < floor->write.count && !pinned; k++)
			pinned = lies_above(path, floor->write.items[k].text);
	}
	question->reason = pinned ? BH_REASON_F4 : 0;
}

/* Where code may come from: an image of this tool; what its list names, or else what it reads and no tool writes. */
static void answer_load(const struct bh_exam *exam, struct bh_question *question, const char *path)
{
	const char *tool = bh_compiled_tool_name(exam->compiled, question->tool);
	bool listed = tool && bh_compiled_tables(exam->compiled)->head.load_listed >> (question->tool - 1) & 1;
	bool image = false, forbidden = false, written = false, load = false, excused = false;
	const struct bh_rule *reads = tool ? bh_rule_for_file(exam->compiled, tool, BH_ACCESS_READ, path) : NULL;
	const struct bh_rule *rule;
	struct bh_near near;

	BH_FOR_EACH_NEAR(exam->compiled, path, &near, rule)
	{
		if (!tool || !bh_pattern_matches(rule->path, path))
			continue;
		if (rule->class == BH_RULE_EXEC && rule->then == BH_THEN_NEVER)
			forbidden = true;
		else if (rule->class == BH_RULE_EXEC)
			image = image || strcmp(rule->to, tool) == 0;
		else if (rule->class == BH_RULE_FILE && rule->then == BH_THEN_ALLOW && rule->access == BH_ACCESS_WRITE)
			written = true;
		else if (rule->class == BH_RULE_FILE && rule->access == BH_ACCESS_LOAD && !strcmp(rule->scope, tool)) {
			load = true;
			excused = excused || rule->reason;
		}
	}
	if (image && !forbidden)
		return;
	if (floor_forbids(exam->shipped, BH_ACCESS_READ, path) || (reads && reads->then == BH_THEN_NEVER) ||
	    (listed ? !load || (written && !excused) : !reads || written))
		question->reason = BH_REASON_X8;
}

/* A socket's path: what forbids reading or writing it forbids using it. */
static void answer_unix(const struct bh_exam *exam, struct bh_question *question, const char *path)
{
	const char *tool = bh_compiled_tool_name(exam->compiled, question->tool);
	uint8_t op = question->kind == BH_ASK_UNIX_LISTEN ? BH_UNIX_LISTEN : BH_UNIX_CONNECT;
	static const uint8_t accesses[] = { BH_ACCESS_WRITE, BH_ACCESS_READ };

	if (floor_forbids(exam->shipped, BH_ACCESS_READ, path) || floor_forbids(exam->shipped, BH_ACCESS_WRITE, path)) {
		question->reason = BH_REASON_U0;
		return;
	}
	for (size_t i = 0; tool && i < BH_COUNT_OF(accesses); i++) {
		const struct bh_rule *rule = bh_rule_for_file(exam->compiled, tool, accesses[i], path);

		if (!rule || rule->then != BH_THEN_NEVER)
			continue;
		question->reason = BH_REASON_U1;
		question->rule = bh_rule_number(exam, rule);
		return;
	}
	if (!tool || !bh_rule_for_unix(exam->compiled, tool, op, path))
		question->reason = BH_REASON_U2;
}

/* The path as it is judged: the asking process's own number in /proc is "self"; what is too long is no path. */
static const char *judged_path(const struct bh_question *question, const char *path, char room[BH_PATH_MAX + 16])
{
	char own[32];
	size_t length = (size_t)snprintf(own, sizeof(own), "/proc/%u", question->self);

	if (!path || strlen(path) > BH_PATH_MAX)
		return "";
	if (!question->self || strncmp(path, own, length) != 0 || (path[length] && path[length] != '/'))
		return path;
	snprintf(room, BH_PATH_MAX + 16, "/proc/self%s", path + length);
	return room;
}

static int answer_about_path(const struct bh_exam *exam, struct bh_question *question, const struct bh_asked *asked)
{
	char room[BH_PATH_MAX + 16];
	const char *path = judged_path(question, asked->text, room);

	switch (question->kind) {
	case BH_KIND_EXEC:
		answer_exec(exam, question, path);
		return 0;
	case BH_KIND_EXEC_ARGS:
		answer_run(exam, question, asked, path);
		return 0;
	case BH_KIND_FILE_OPEN:
		answer_file(exam, question, path);
		return 0;
	case BH_KIND_FILE_RENAME:
		answer_move(exam, question, path);
		return 0;
	case BH_KIND_MMAP_EXEC:
		answer_load(exam, question, path);
		return 0;
	case BH_KIND_UNIX_CONNECT:
	case BH_ASK_UNIX_LISTEN:
		answer_unix(exam, question, path);
		return 0;
	default:
		return -EINVAL;
	}
}

int bh_ask_definition(void *data, struct bh_question *question, const struct bh_asked *asked)
{
	int result;

	question->reason = question->to = question->rule = 0;
	result = answer_about_path(data, question, asked);
	if (result == -EINVAL)
		result = bh_answer_about_peer(data, question, asked->text ? asked->text : "");
	return result == -EINVAL ? bh_answer_about_right(data, question) : result;
}
