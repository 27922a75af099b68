/* SPDX-License-Identifier: GPL-2.0-only */
/* The compiler's stages in order, and what one may ask of its product. */
#include "compile/compiled.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/catalogue.h"

/* The front end finds some things already; a model may also come from elsewhere. Each is said once. */
bool bh_compile_said(const struct bh_compile *c, const char *code, struct bh_loc loc)
{
	for (size_t i = 0; i < bh_diags_count(c->diags); i++) {
		const struct bh_diag *diag = bh_diags_get(c->diags, i);

		if (strcmp(diag->code, code) == 0 && diag->loc.line == loc.line && diag->loc.column == loc.column)
			return true;
	}
	return false;
}

/*
 * What follows a violation, by tool; of a task that is none yet, what the policy says for all. But for files: that nobody who
 * has not started may open one is how a run sees, before its first program, that the sandbox stands.
 */
static void fill_respond(struct bh_compile *c)
{
	struct bh_policy_head *head = &c->compiled->tables->head;

	for (unsigned int slot = 0; slot < BH_TOOL_SLOTS; slot++) {
		const char *name = bh_compiled_tool_name(c->compiled, slot);
		const struct bh_tool *tool = name ? bh_compile_find_tool(c->policy, name) : NULL;

		for (unsigned int class = 1; class < BH_CLASSES; class ++) {
			uint8_t respond = tool ? tool->respond[class] : 0;

			if (!respond)
				respond = c->policy->respond[class];
			if (!respond || respond == BH_VERDICT_DENY) /* too late to be refused */
				respond = class == BH_CLASS_ARGS ? BH_VERDICT_TASK : BH_VERDICT_DENY;
			head->respond[slot][class] = respond;
		}
	}
	head->respond[BH_TOOL_NONE][BH_CLASS_FILES] = BH_VERDICT_DENY;
	for (unsigned int class = 1; class < BH_CLASSES; class ++)
		head->modes[class] = c->policy->modes[class] == c->policy->mode ? 0 : c->policy->modes[class];
}

/* Operations and capabilities, as bits. */
static void fill_rights(struct bh_compile *c)
{
	const struct bh_privileges *privileges = &c->policy->privileges;
	struct bh_policy_head *head = &c->compiled->tables->head;

	for (size_t i = 0; i < privileges->allow.count; i++)
		for (const struct bh_privilege_entry *entry = bh_privilege_list; entry->name; entry++)
			if (!entry->floor && strcmp(entry->name, privileges->allow.items[i].word.text) == 0)
				head->operations |= UINT64_C(1) << entry->bit;
	for (size_t i = 0; i < privileges->capabilities.count; i++)
		for (const struct bh_capability_entry *entry = bh_capabilities; entry->name; entry++)
			if (strcmp(entry->name, privileges->capabilities.items[i].text) == 0)
				head->capabilities |= UINT64_C(1) << entry->number;
}

static void fill_head(struct bh_compile *c)
{
	struct bh_policy_head *head = &c->compiled->tables->head;

	head->abi = BH_ABI_VERSION;
	head->mode = c->policy->mode;
	head->tools = (uint8_t)c->compiled->tools;
	head->entry = 1;
	head->dns = c->policy->dns.names ? c->policy->dns.names : BH_NAMES_NONE;
	for (unsigned int t = 1; t <= c->compiled->tools; t++) {
		const struct bh_tool *tool = bh_compile_find_tool(c->policy, c->compiled->tool_names[t]);

		head->jit |= (uint32_t)tool->jit << (t - 1);
		head->load_listed |= (uint32_t)(tool->load_given || tool->load.count) << (t - 1);
	}
	fill_respond(c);
	fill_rights(c);
}

static int compare_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The path patterns of all rules, sorted, each once. */
static int list_patterns(struct bh_compiled *compiled)
{
	size_t count = 0, kept = 0;

	compiled->patterns = calloc(compiled->rules_count + 1, sizeof(*compiled->patterns));
	if (!compiled->patterns)
		return -ENOMEM;
	for (size_t i = 0; i < compiled->rules_count; i++)
		if (bh_rule_has_pattern(&compiled->rules[i]))
			compiled->patterns[count++] = (char *)compiled->rules[i].path;
	qsort(compiled->patterns, count, sizeof(*compiled->patterns), compare_text);
	for (size_t i = 0; i < count; i++)
		if (!i || strcmp(compiled->patterns[kept - 1], compiled->patterns[i]) != 0)
			compiled->patterns[kept++] = compiled->patterns[i];
	compiled->patterns_count = kept;
	return 0;
}

/* Puts cells and accepts into the tables, what is behind the first of them right behind the tables. */
static int take_blocks(struct bh_compiled *compiled, const struct bh_comb *comb)
{
	struct bh_policy *tables = compiled->tables;
	size_t chunks = (comb->used - 1) / BH_CHUNK_CELLS + 1, accepts = compiled->accepts_count;
	size_t first = accepts < BH_ACCEPTS_FIRST ? accepts : BH_ACCEPTS_FIRST,
	       cells = comb->used * sizeof(struct bh_cell);
	size_t pages = (accepts - first + BH_ACCEPTS_PAGE - 1) / BH_ACCEPTS_PAGE;
	char *blocks;

	tables->head.cells = comb->used;
	tables->head.accepts = accepts ? (uint32_t)accepts : 1;
	tables->head.chunks = (uint32_t)chunks;
	tables->head.blocks = (uint32_t)(chunks + pages);
	tables = realloc(tables, bh_policy_bytes(tables));
	if (!tables)
		return -ENOMEM;
	compiled->tables = tables;
	blocks = (char *)tables + offsetof(struct bh_policy, chunk);
	memcpy(blocks, comb->cells, cells);
	memset(blocks + cells, 0, tables->head.blocks * sizeof(struct bh_chunk) - cells);
	if (first)
		memcpy(tables->accepts, compiled->accepts, first * sizeof(struct bh_accept));
	for (size_t i = first; i < accepts; i++)
		memcpy(blocks + (chunks + (i - first) / BH_ACCEPTS_PAGE) * sizeof(struct bh_chunk) +
			       (i - first) % BH_ACCEPTS_PAGE * sizeof(struct bh_accept),
		       &compiled->accepts[i], sizeof(struct bh_accept));
	return 0;
}

/* The addresses first: they have no way into other chunks than the first. */
static int fill_cells(struct bh_compile *c)
{
	struct bh_comb comb;
	int result = bh_comb_init(&comb, BH_CHUNKS_MAX * BH_CHUNK_CELLS);

	if (!result)
		result = bh_compile_nets(c, &comb);
	if (!result)
		result = bh_compile_paths(c, &comb);
	if (!result)
		result = take_blocks(c->compiled, &comb);
	bh_comb_done(&comb);
	return result;
}

/*
 * Warnings that the policy accepts. One that is not there is an error, so that no acceptance outlives what it was for; but
 * aliases may take a warning away, and a compiled policy does not know its places.
 */
static void accept_warnings(struct bh_compile *c)
{
	for (size_t i = 0; i < c->policy->acceptances_count; i++) {
		const struct bh_acceptance *it = &c->policy->acceptances[i];
		size_t accepted = 0;

		if (!it->places[1].line)
			continue;
		for (size_t k = 0; k < 2; k++)
			accepted += bh_diags_accept(c->diags, it->code.text, it->places[k], it->reason.text);
		if (!accepted && !c->aliases)
			bh_diag_add(c->diags, BH_SEVERITY_ERROR, "E151", it->at.loc, "remove it",
				    "there is no %s at '%s' to accept", it->code.text, it->at.text);
	}
}

static int begin(struct bh_compile *c)
{
	c->compiled->tables = calloc(1, sizeof(*c->compiled->tables));
	c->compiled->name = strdup(c->policy->name.text);
	return c->compiled->tables && c->compiled->name ? 0 : -ENOMEM;
}

static int make_rules(struct bh_compile *c)
{
	int result = bh_compile_tools(c);

	if (!result)
		result = bh_compile_forms(c);
	if (!result)
		result = bh_compile_rules(c);
	if (!result)
		result = bh_compile_common_rules(c);
	return result ? result : bh_compile_obeyed(c);
}

static int run_stages(struct bh_compile *c)
{
	int result = begin(c);

	if (!result)
		result = make_rules(c);
	if (!result)
		result = bh_compile_canon(c);
	if (!result)
		result = bh_compile_lint(c);
	if (!result)
		result = fill_cells(c);
	if (!result)
		result = list_patterns(c->compiled);
	if (!result)
		result = bh_near_build(c->compiled->rules, c->compiled->rules_count, &c->compiled->near);
	if (!result)
		fill_head(c);
	if (!result && !bh_diags_errors(c->diags))
		accept_warnings(c);
	return result ? result : bh_diags_errors(c->diags) ? -EINVAL : 0;
}

int bh_compile(const struct bh_source_policy *policy, const struct bh_shipped *shipped,
	       const struct bh_aliases *aliases, struct bh_diags *diags, struct bh_compiled **ret_compiled)
{
	struct bh_compile c = { policy, shipped, aliases, diags, calloc(1, sizeof(struct bh_compiled)), NULL };
	int result = c.compiled ? run_stages(&c) : -ENOMEM;

	if (result)
		bh_compiled_free(c.compiled);
	else
		*ret_compiled = c.compiled;
	return result;
}

int bh_compile_outline(const struct bh_source_policy *policy, const struct bh_shipped *shipped, struct bh_diags *diags,
		       struct bh_compiled **ret_compiled)
{
	struct bh_compile c = { policy, shipped, NULL, diags, calloc(1, sizeof(struct bh_compiled)), NULL };
	int result = c.compiled ? begin(&c) : -ENOMEM;

	if (!result)
		result = make_rules(&c);
	if (!result)
		result = bh_near_build(c.compiled->rules, c.compiled->rules_count, &c.compiled->near);
	if (result) {
		bh_compiled_free(c.compiled);
		return result;
	}
	fill_head(&c);
	*ret_compiled = c.compiled;
	return 0;
}

void bh_compiled_free(struct bh_compiled *compiled)
{
	if (!compiled)
		return;
	for (size_t i = 0; i < compiled->blocks_count; i++)
		free(compiled->blocks[i]);
	free(compiled->blocks);
	free(compiled->patterns);
	free(compiled->rules);
	free(compiled->json);
	free(compiled->name);
	bh_near_done(&compiled->near);
	free(compiled->accepts);
	free(compiled->tables);
	free(compiled);
}

const struct bh_policy *bh_compiled_tables(const struct bh_compiled *compiled)
{
	return compiled->tables;
}

size_t bh_policy_bytes(const struct bh_policy *tables)
{
	return sizeof(*tables) + (tables->head.blocks - 1) * sizeof(tables->chunk);
}

const char *bh_compiled_json(const struct bh_compiled *compiled, size_t *ret_length)
{
	if (ret_length)
		*ret_length = compiled->json_length;
	return compiled->json;
}

const char *bh_compiled_hash(const struct bh_compiled *compiled)
{
	return compiled->hash;
}

const char *bh_compiled_name(const struct bh_compiled *compiled)
{
	return compiled->name;
}

size_t bh_compiled_rules_count(const struct bh_compiled *compiled)
{
	return compiled->rules_count;
}

const struct bh_rule *bh_compiled_rule(const struct bh_compiled *compiled, size_t index)
{
	return index < compiled->rules_count ? &compiled->rules[index] : NULL;
}

const char *bh_compiled_tool_name(const struct bh_compiled *compiled, unsigned int tool)
{
	return tool >= 1 && tool <= compiled->tools ? compiled->tool_names[tool] : NULL;
}

unsigned int bh_compiled_tool_id(const struct bh_compiled *compiled, const char *name)
{
	for (unsigned int t = 1; t <= compiled->tools; t++)
		if (strcmp(compiled->tool_names[t], name) == 0)
			return t;
	return 0;
}

void bh_compiled_sizes(const struct bh_compiled *compiled, struct bh_compiled_size *ret_size)
{
	struct bh_compiled_size size = { .tools = compiled->tools,
					 .rules = compiled->rules_count,
					 .states = compiled->states,
					 .cells = compiled->tables->head.cells,
					 .accepts = compiled->tables->head.accepts };

	for (size_t i = 0; i < compiled->rules_count; i++) {
		size.exec_rules += compiled->rules[i].class == BH_RULE_EXEC;
		size.file_rules += compiled->rules[i].class == BH_RULE_FILE;
		size.net_rules += compiled->rules[i].class == BH_RULE_NET;
		size.never_rules += compiled->rules[i].then == BH_THEN_NEVER;
	}
	*ret_size = size;
}
