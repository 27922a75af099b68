/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/node.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/cleanup.h"

/* The parse in progress: the containers that are open, innermost last. */
struct builder {
	struct bh_document *document;
	struct bh_diags *diags;
	struct bh_node *open[BH_DEPTH_LIMIT];
	unsigned int depth;
	unsigned int documents;
	bool done;
};

static struct bh_loc loc_of(const yaml_mark_t *start, const yaml_mark_t *end)
{
	struct bh_loc loc = { .line = (uint32_t)start->line + 1, .column = (uint32_t)start->column + 1, .width = 1 };

	if (end && end->line == start->line && end->column > start->column)
		loc.width = (uint32_t)(end->column - start->column);
	return loc;
}

static void refuse_at(struct bh_diags *diags, const char *code, struct bh_loc loc, const char *hint, const char *what)
{
	bh_diag_add(diags, BH_SEVERITY_ERROR, code, loc, hint, "%s", what);
}

static void refuse(struct builder *builder, const char *code, struct bh_loc loc, const char *hint, const char *what)
{
	refuse_at(builder->diags, code, loc, hint, what);
}

/* What the scanner or parser of libyaml found, with the construct it was in. */
static int scanner_error(struct builder *builder, const yaml_parser_t *parser)
{
	char hint[160];
	const yaml_mark_t *place = &parser->problem_mark;

	if (parser->error == YAML_MEMORY_ERROR)
		return -ENOMEM;
	if (parser->context && parser->context_mark.line + parser->context_mark.column > 0)
		snprintf(hint, sizeof(hint), "%s that began in line %zu, column %zu", parser->context,
			 parser->context_mark.line + 1, parser->context_mark.column + 1);
	else
		snprintf(hint, sizeof(hint), "%s",
			 parser->context ? parser->context : "check quotes, colons and indentation");
	bh_diag_add(builder->diags, BH_SEVERITY_ERROR, "E100", loc_of(place, NULL), hint, "this is not YAML: %s",
		    parser->problem ? parser->problem : "unreadable");
	return -EINVAL;
}

void bh_node_append(struct bh_node *parent, struct bh_node *node)
{
	if (parent->last)
		parent->last->next = node;
	else
		parent->first = node;
	parent->last = node;
	parent->count++;
}

struct bh_node *bh_node_new(struct bh_document *document, enum bh_node_kind kind, struct bh_loc loc, const char *text,
			    size_t length)
{
	struct bh_node *node = NULL;

	if (document->nodes < BH_NODES_LIMIT)
		node = calloc(1, sizeof(*node) + length + 1);
	if (!node)
		return NULL;
	document->nodes++;
	node->kind = kind;
	node->loc = loc;
	node->length = length;
	memcpy(node->text, text, length);
	node->older = document->newest;
	document->newest = node;
	return node;
}

int bh_node_none(const struct bh_document *document, struct bh_diags *diags, struct bh_loc loc)
{
	if (document->nodes < BH_NODES_LIMIT)
		return -ENOMEM;
	bh_diag_add(diags, BH_SEVERITY_ERROR, "E104", loc, NULL,
		    "more than %u words, lists and mappings in one document", BH_NODES_LIMIT);
	return -EINVAL;
}

/* A node where the document has got to. */
static struct bh_node *node_next(struct builder *builder, enum bh_node_kind kind, const yaml_event_t *event,
				 const char *text, size_t length)
{
	struct bh_loc loc = loc_of(&event->start_mark, &event->end_mark);
	struct bh_node *node = bh_node_new(builder->document, kind, loc, text, length);

	if (!node)
		return NULL;
	node->begin = event->start_mark.index;
	node->end = event->end_mark.index;
	if (builder->depth)
		bh_node_append(builder->open[builder->depth - 1], node);
	else
		builder->document->root = node;
	return node;
}

static void refuse_decoration(struct builder *builder, const yaml_event_t *event, const yaml_char_t *anchor,
			      const yaml_char_t *tag)
{
	struct bh_loc loc = loc_of(&event->start_mark, NULL);

	if (anchor)
		refuse(builder, "E103", loc, "write the value out where it is needed", "anchors are not allowed");
	if (tag)
		refuse(builder, "E103", loc, "every value is typed by its key", "tags are not allowed");
}

/* Only printable ASCII may have a meaning: no look-alike letters, also none that an escape like "\u202e" makes. */
static bool plain_text(const yaml_event_t *event)
{
	for (size_t i = 0; i < event->data.scalar.length; i++) {
		unsigned char byte = event->data.scalar.value[i];
		bool folded = byte == '\n' && event->start_mark.line != event->end_mark.line;

		if ((byte < 0x20 || byte > 0x7e) && !folded)
			return false;
	}
	return true;
}

static int take_word(struct builder *builder, const yaml_event_t *event)
{
	bool plain = plain_text(event);
	const char *text = plain ? (const char *)event->data.scalar.value : "";
	size_t length = plain ? event->data.scalar.length : 0;
	struct bh_node *node = node_next(builder, BH_NODE_WORD, event, text, length);

	if (!node)
		return bh_node_none(builder->document, builder->diags, loc_of(&event->start_mark, NULL));
	node->empty = plain && length == 0 && event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	refuse_decoration(builder, event, event->data.scalar.anchor, event->data.scalar.tag);
	if (!plain) {
		node->bad = true;
		refuse(builder, "E102", node->loc,
		       "keys and values are printable ASCII; look-alike letters are refused",
		       "a character outside printable ASCII is only allowed in a comment");
	}
	return 0;
}

static int take_alias(struct builder *builder, const yaml_event_t *event)
{
	struct bh_node *node = node_next(builder, BH_NODE_WORD, event, "", 0);

	if (!node)
		return bh_node_none(builder->document, builder->diags, loc_of(&event->start_mark, NULL));
	node->bad = true;
	refuse(builder, "E103", node->loc, "write the value out where it is needed", "aliases are not allowed");
	return 0;
}

static int open_container(struct builder *builder, enum bh_node_kind kind, const yaml_event_t *event)
{
	struct bh_node *node;

	if (builder->depth == BH_DEPTH_LIMIT) {
		refuse(builder, "E104", loc_of(&event->start_mark, NULL), NULL, "nested deeper than 12 levels");
		return -EINVAL;
	}
	node = node_next(builder, kind, event, "", 0);
	if (!node)
		return bh_node_none(builder->document, builder->diags, loc_of(&event->start_mark, NULL));
	node->loc.width = 1;
	if (kind == BH_NODE_MAP) {
		node->flow = event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
		refuse_decoration(builder, event, event->data.mapping_start.anchor, event->data.mapping_start.tag);
	} else {
		node->flow = event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
		refuse_decoration(builder, event, event->data.sequence_start.anchor, event->data.sequence_start.tag);
	}
	builder->open[builder->depth++] = node;
	return 0;
}

static int by_text(const void *left, const void *right)
{
	const struct bh_node *a = *(struct bh_node *const *)left, *b = *(struct bh_node *const *)right;
	int order = strcmp(a->text, b->text);

	if (order == 0)
		order = a->loc.line != b->loc.line ?
				(a->loc.line < b->loc.line ? -1 : 1) :
				(a->loc.column < b->loc.column ? -1 : a->loc.column > b->loc.column);
	return order;
}

static void refuse_duplicates(struct bh_diags *diags, struct bh_node **keys, size_t count)
{
	size_t original = 0;

	qsort(keys, count, sizeof(*keys), by_text);
	for (size_t i = 1; i < count; i++) {
		char hint[96];

		if (strcmp(keys[i]->text, keys[original]->text) != 0 || keys[i]->bad) {
			original = i;
			continue;
		}
		keys[i]->bad = true;
		snprintf(hint, sizeof(hint), "it was first given in line %u, column %u", keys[original]->loc.line,
			 keys[original]->loc.column);
		bh_diag_add(diags, BH_SEVERITY_ERROR, "E101", keys[i]->loc, hint, "duplicate key '%s'", keys[i]->text);
	}
}

int bh_node_complete(struct bh_node *map, struct bh_diags *diags)
{
	BH_FREE struct bh_node **keys = NULL;
	size_t used = 0;

	map->count /= 2;
	if (map->count == 0)
		return 0;
	keys = calloc(map->count, sizeof(*keys));
	if (!keys)
		return -ENOMEM;
	for (struct bh_node *key = map->first; key; key = key->next->next) {
		if (key->bad)
			continue;
		if (key->kind != BH_NODE_WORD) {
			key->bad = true;
			refuse_at(diags, "E106", key->loc, NULL, "a key must be a single word");
		} else if (strcmp(key->text, "<<") == 0) {
			key->bad = true;
			refuse_at(diags, "E103", key->loc, "write the keys out", "merge keys are not allowed");
		} else {
			keys[used++] = key;
		}
	}
	refuse_duplicates(diags, keys, used);
	return 0;
}

static int close_container(struct builder *builder, const yaml_event_t *event)
{
	struct bh_node *node;

	/* libyaml only closes what it opened. */
	assert(builder->depth > 0);
	node = builder->open[--builder->depth];
	assert(node);
	node->end = node->flow ? event->end_mark.index : node->begin;
	return node->kind == BH_NODE_MAP ? bh_node_complete(node, builder->diags) : 0;
}

static int start_document(struct builder *builder, const yaml_event_t *event)
{
	struct bh_loc loc = loc_of(&event->start_mark, &event->end_mark);

	if (++builder->documents > 1) {
		refuse(builder, "E105", loc, "put each policy into a file of its own",
		       "a second document is not allowed");
		return -EINVAL;
	}
	if (event->data.document_start.version_directive ||
	    event->data.document_start.tag_directives.start != event->data.document_start.tag_directives.end) {
		refuse(builder, "E105", loc, "remove the line that begins with %", "directives are not allowed");
		return -EINVAL;
	}
	return 0;
}

static int take_event(struct builder *builder, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_DOCUMENT_START_EVENT:
		return start_document(builder, event);
	case YAML_SCALAR_EVENT:
		return take_word(builder, event);
	case YAML_ALIAS_EVENT:
		return take_alias(builder, event);
	case YAML_MAPPING_START_EVENT:
		return open_container(builder, BH_NODE_MAP, event);
	case YAML_SEQUENCE_START_EVENT:
		return open_container(builder, BH_NODE_LIST, event);
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT:
		return close_container(builder, event);
	case YAML_STREAM_END_EVENT:
		builder->done = true;
		return 0;
	default:
		return 0;
	}
}

static int run(struct builder *builder, yaml_parser_t *parser)
{
	int r = 0;

	while (r == 0 && !builder->done) {
		yaml_event_t event;

		if (!yaml_parser_parse(parser, &event))
			return scanner_error(builder, parser);
		r = take_event(builder, &event);
		yaml_event_delete(&event);
	}
	return r;
}

int bh_document_parse(const char *text, size_t length, struct bh_diags *diags, struct bh_document *ret_document)
{
	struct bh_document document = { 0 };
	struct builder builder = { .document = &document, .diags = diags };
	yaml_parser_t parser;
	int r;

	if (!yaml_parser_initialize(&parser))
		return -ENOMEM;
	/* Said, not guessed: a byte order mark must not switch the decoder. */
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
	r = run(&builder, &parser);
	yaml_parser_delete(&parser);
	if (r == 0 && (!document.root || document.root->empty)) {
		refuse(&builder, "E105", (struct bh_loc){ 1, 1, 1 }, NULL, "the document is empty");
		r = -EINVAL;
	}
	if (r < 0)
		bh_document_done(&document);
	else
		*ret_document = document;
	return r;
}

void bh_document_done(struct bh_document *document)
{
	while (document->newest) {
		struct bh_node *node = document->newest;

		document->newest = node->older;
		free(node);
	}
	document->root = NULL;
}
