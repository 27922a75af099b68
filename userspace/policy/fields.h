/* SPDX-License-Identifier: GPL-2.0-only */
/* The readers that the key table names: each turns one checked node into one field of the model. */
#ifndef BH_POLICY_FIELDS_H
#define BH_POLICY_FIELDS_H

#include "policy/limits.h"
#include "policy/schema.h"

/* words.c: single words and lists of them. The field is a struct bh_word or a struct bh_words. */
void bh_read_name(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_free_text(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_names(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_presets(struct bh_reader *reader, const struct bh_at *at, void *field);

/* path_fields.c: paths, patterns, and lists of them. The field is a struct bh_word, bh_words or bh_pairs. */
void bh_read_binary_path(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_sha256(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_binaries(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_load_path(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_load(struct bh_reader *reader, const struct bh_at *at, void *field); /* the tool */
void bh_read_helpers(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_readable(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_writable(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_forbidden(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_directory(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_workspaces(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_sockets(struct bh_reader *reader, const struct bh_at *at, void *field);

/* choices.c: one of a few words. The field is a uint8_t, of a flag a bool; NULL where only the check matters. */
void bh_read_flag(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_api_version(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_kind(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_mode(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_action(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_args_action(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_protocol(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_listen_protocol(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_procfs(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_dns_names(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_answer(struct bh_reader *reader, const struct bh_at *at, void *field); /* of a threshold */
void bh_read_class_mode(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_no_mode(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_operands(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_status(struct bh_reader *reader, const struct bh_at *at, void *field);

/* sections.c: mappings. The field is the struct that the mapping fills. */
void bh_read_metadata(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_spec(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_tools(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_files(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_egress(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_respond(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_tool_respond(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_never(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_unix(struct bh_reader *reader, const struct bh_at *at, void *field);

void bh_read_grace(struct bh_reader *reader, const struct bh_at *at, void *field); /* the policy */
void bh_read_date(struct bh_reader *reader, const struct bh_at *at, void *field); /* seconds since 1970 */
void bh_read_modes(struct bh_reader *reader, const struct bh_at *at, void *field);

/* select.c: the field is the struct bh_select; of a clause's keys the clause, and the row's number tells which. */
void bh_read_select(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_priority(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_select_clauses(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_select_group(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_select_word(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_select_list(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_select_labels(struct bh_reader *reader, const struct bh_at *at, void *field);

/* privileges.c: a mapping and what it holds while it is read. */
struct bh_privileges_draft {
	struct bh_privileges privileges;
	struct bh_pairs reasons;
};
void bh_read_privileges(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_capabilities(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_allowed(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_reasons(struct bh_reader *reader, const struct bh_at *at, void *field);

/* resources.c: the field is the struct bh_resources; of a cap too, and the row's number tells which. */
void bh_read_resources(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_caps(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_io(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_disk(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_cap(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_thresholds(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_signal(struct bh_reader *reader, const struct bh_at *at, void *field); /* of a threshold: its members */
void bh_read_over(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_for(struct bh_reader *reader, const struct bh_at *at, void *field);

/* dns.c: the field is the struct bh_dns, or the networks. */
void bh_read_dns(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_resolvers(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_unreachable(struct bh_reader *reader, const struct bh_at *at, void *field);

/* arguments.c: command lines and environments. */
void bh_read_args(struct bh_reader *reader, const struct bh_at *at, void *field); /* the tool */
void bh_read_arg_words(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_any_args(struct bh_reader *reader, const struct bh_at *at, void *field); /* the clause's kind */
void bh_read_env(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_env_names(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_env_values(struct bh_reader *reader, const struct bh_at *at, void *field);

/* sockets.c: what a tool serves. */
void bh_read_listen(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_listen_port(struct bh_reader *reader, const struct bh_at *at, void *field); /* the range */
void bh_read_abstract(struct bh_reader *reader, const struct bh_at *at, void *field);

/* exceptions.c: the field is a struct bh_word; for a place the struct bh_acceptance, for a whole list the policy. */
void bh_read_reason(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_guard_name(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_lifts(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_warning_code(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_place(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_acceptances(struct bh_reader *reader, const struct bh_at *at, void *field);

/* destinations.c: names, networks and ports. The field is a struct bh_words, bh_cidrs, or a destination's ports. */
void bh_read_destinations(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_hosts(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_cidrs(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_ports(struct bh_reader *reader, const struct bh_at *at, void *field);

/* shipped_fields.c: what only files of rules/ hold. */
void bh_read_version(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_string(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_floor_address(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_floor_addresses(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_except_port(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_floors(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_guards(struct bh_reader *reader, const struct bh_at *at, void *field);
void bh_read_strings(struct bh_reader *reader, const struct bh_at *at, void *field);

/* Copies a word and its place; false (and reader->out_of_memory) without memory. */
bool bh_word_take(struct bh_reader *reader, const struct bh_node *node, struct bh_word *ret_word);
/* As calloc, and remembers a failure in the reader. count 0 gives NULL without failing. */
void *bh_reader_array(struct bh_reader *reader, size_t count, size_t size);
/* A network beneath the reader's limits and rules; false after adding a finding. */
bool bh_cidr_take(struct bh_reader *reader, const struct bh_node *node, struct bh_cidr *ret_cidr);

/* Are there not too many networks with those of this list? Counts them; E113 if there are. */
bool bh_networks_take(struct bh_reader *reader, const struct bh_at *at);

/* Is it a name (words.c)? E109 if not. */
bool bh_name_check(struct bh_reader *reader, const struct bh_node *node);
/* Is an item of a list a word that says something? E106 if not. */
bool bh_item_is_word(struct bh_reader *reader, const struct bh_at *at, const struct bh_node *item);
/* Has the list or mapping at most `most` items? E113 if not. */
bool bh_few_enough(struct bh_reader *reader, const struct bh_at *at, size_t most);
/* Is an item of a list a mapping? E106 if not. */
bool bh_item_is_map(struct bh_reader *reader, const struct bh_at *at, const struct bh_node *item);

/* Checks one item of a list; false: a finding was added and the item is left out. */
typedef bool (*bh_item_check)(struct bh_reader *reader, const struct bh_node *item);
/* The words of a list that pass the check. */
void bh_words_read(struct bh_reader *reader, const struct bh_at *at, struct bh_words *words, bh_item_check check);

#endif
