/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The key table, the one place that knows what a file may say.
 */
#include "base/cleanup.h"
#include "policy/fields.h"

#define POLICY(member) offsetof(struct bh_source_policy, member)
#define TOOL(member) offsetof(struct bh_tool, member)
#define DESTINATION(member) offsetof(struct bh_destination, member)
#define PAIR(member) offsetof(struct bh_pair, member)
#define CLAUSE(member) offsetof(struct bh_args_clause, member)
#define ENV(member) offsetof(struct bh_env, member)
#define UNIX(member) offsetof(struct bh_unix, member)
#define PORTS(member) offsetof(struct bh_port_range, member)
#define PRIVILEGES(member) offsetof(struct bh_privileges_draft, member)
#define RESOURCES(member) offsetof(struct bh_resources, member)
#define THRESHOLD(member) offsetof(struct bh_threshold, member)
#define SELECT(member) offsetof(struct bh_select, member)
#define DNS(member) offsetof(struct bh_dns, member)
#define PRESET(member) offsetof(struct bh_preset, member)
#define LIFT(member) offsetof(struct bh_lift, member)
#define ACCEPTANCE(member) offsetof(struct bh_acceptance, member)
#define PROHIBITION(member) offsetof(struct bh_prohibition, member)
#define ADDRESS(member) offsetof(struct bh_floor_address, member)
#define SHIPPED(member) offsetof(struct bh_shipped, member)
const struct bh_key bh_keys[] = {
	/* The rows of one kind of mapping stand together. */
	{ "policy", "apiVersion", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_api_version, 0 },
	{ "policy", "kind", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_kind, 0 },
	{ "policy", "metadata", BH_NODE_MAP, BH_KEY_REQUIRED, bh_read_metadata, 0 },
	{ "policy", "spec", BH_NODE_MAP, BH_KEY_REQUIRED, bh_read_spec, 0 },

	{ "metadata", "name", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_name, POLICY(name) },
	{ "metadata", "description", BH_NODE_WORD, 0, bh_read_free_text, POLICY(description) },
	{ "metadata", "owner", BH_NODE_WORD, 0, bh_read_free_text, POLICY(owner) },
	{ "metadata", "ticket", BH_NODE_WORD, 0, bh_read_free_text, POLICY(ticket) },

	{ "spec", "select", BH_NODE_MAP, 0, bh_read_select, POLICY(select) },
	{ "spec", "mode", BH_NODE_WORD, 0, bh_read_mode, POLICY(mode) },
	{ "spec", "grace", BH_NODE_MAP, 0, bh_read_grace, 0 },
	{ "spec", "modes", BH_NODE_MAP, 0, bh_read_modes, 0 },
	{ "spec", "presets", BH_NODE_LIST, 0, bh_read_presets, POLICY(presets) },
	{ "spec", "entry", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_name, POLICY(entry) },
	{ "spec", "attach", BH_NODE_LIST, 0, bh_read_names, POLICY(attach) },
	{ "spec", "workspaces", BH_NODE_LIST, 0, bh_read_workspaces, POLICY(workspaces) },
	{ "spec", "procfs", BH_NODE_WORD, 0, bh_read_procfs, POLICY(procfs) },
	{ "spec", "privileges", BH_NODE_MAP, 0, bh_read_privileges, POLICY(privileges) },
	{ "spec", "resources", BH_NODE_MAP, 0, bh_read_resources, POLICY(resources) },
	{ "spec", "tools", BH_NODE_MAP, BH_KEY_REQUIRED, bh_read_tools, 0 },
	{ "spec", "egress", BH_NODE_MAP, 0, bh_read_egress, 0 },
	{ "spec", "respond", BH_NODE_MAP, 0, bh_read_respond, 0 },
	{ "spec", "accept", BH_NODE_LIST, 0, bh_read_acceptances, 0 },
	{ "spec", "guards", BH_NODE_LIST, 0, bh_read_lifts, 0 },
	{ "spec", "never", BH_NODE_MAP, 0, bh_read_never, 0 },
	{ "spec", "unix", BH_NODE_MAP, 0, bh_read_unix, POLICY(unix_sockets) },

	{ "grace", "until", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_date, POLICY(grace_until) },

	{ "modes", "files", BH_NODE_WORD, 0, bh_read_class_mode, POLICY(modes[BH_CLASS_FILES]) },
	{ "modes", "floor", BH_NODE_WORD, 0, bh_read_no_mode, 0 },
	{ "modes", "exec", BH_NODE_WORD, 0, bh_read_no_mode, 0 },
	{ "modes", "args", BH_NODE_WORD, 0, bh_read_no_mode, 0 },
	{ "modes", "network", BH_NODE_WORD, 0, bh_read_no_mode, 0 },
	{ "modes", "privileges", BH_NODE_WORD, 0, bh_read_no_mode, 0 },

	{ "select", "any", BH_NODE_LIST, BH_KEY_REQUIRED, bh_read_select_clauses, 0 },
	{ "select", "priority", BH_NODE_WORD, 0, bh_read_priority, SELECT(priority) },

	{ "select.", "systemd", BH_NODE_MAP, 0, bh_read_select_group, 0 },
	{ "select.", "container", BH_NODE_MAP, 0, bh_read_select_group, 0 },
	{ "select.", "kubernetes", BH_NODE_MAP, 0, bh_read_select_group, 0 },
#define WORD BH_NODE_WORD, 0, bh_read_select_word
#define PATTERN BH_NODE_WORD, 0, bh_read_select_word
#define LIST BH_NODE_LIST, 0, bh_read_select_list
#define LABELS BH_NODE_MAP, 0, bh_read_select_labels
#define BH_SELECT(number, id, group, key, kind, english) { "select." group, key, kind, 0, number },
#include "../../rules/select.def"
#undef BH_SELECT
#undef WORD
#undef PATTERN
#undef LIST
#undef LABELS

	{ "privileges", "capabilities", BH_NODE_LIST, 0, bh_read_capabilities, PRIVILEGES(privileges.capabilities) },
	{ "privileges", "allow", BH_NODE_LIST, 0, bh_read_allowed, PRIVILEGES(privileges.allow) },
	{ "privileges", "reasons", BH_NODE_MAP, 0, bh_read_reasons, PRIVILEGES(reasons) },

	{ "resources", "caps", BH_NODE_MAP, 0, bh_read_caps, 0 },
	{ "resources", "thresholds", BH_NODE_LIST, 0, bh_read_thresholds, 0 },

	{ "caps", "memory", BH_NODE_WORD, 0, bh_read_cap, 0, BH_CAP_MEMORY },
	{ "caps", "swap", BH_NODE_WORD, 0, bh_read_cap, 0, BH_CAP_SWAP },
	{ "caps", "pids", BH_NODE_WORD, 0, bh_read_cap, 0, BH_CAP_PIDS },
	{ "caps", "cpu", BH_NODE_WORD, 0, bh_read_cap, 0, BH_CAP_CPU },
	{ "caps", "io", BH_NODE_MAP, 0, bh_read_io, 0 },
	{ "caps", "disk", BH_NODE_MAP, 0, bh_read_disk, 0 },
	{ "caps", "wall", BH_NODE_WORD, 0, bh_read_cap, 0, BH_CAP_WALL },
	{ "caps", "open_files", BH_NODE_WORD, 0, bh_read_cap, 0, BH_CAP_OPEN_FILES },

	{ "io", "read", BH_NODE_WORD, 0, bh_read_cap, 0, BH_CAP_IO_READ },
	{ "io", "write", BH_NODE_WORD, 0, bh_read_cap, 0, BH_CAP_IO_WRITE },

	{ "disk", "path", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_directory, RESOURCES(disk_path) },
	{ "disk", "size", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_cap, 0, BH_CAP_DISK },

	{ "threshold", "signal", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_signal, THRESHOLD(signal) },
	{ "threshold", "over", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_over, 0 },
	{ "threshold", "for", BH_NODE_WORD, 0, bh_read_for, THRESHOLD(for_ms) },
	{ "threshold", "respond", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_answer, THRESHOLD(respond) },
	{ "threshold", "tool", BH_NODE_WORD, 0, bh_read_name, THRESHOLD(tool) },

	{ "tool", "binaries", BH_NODE_LIST, BH_KEY_REQUIRED, bh_read_binaries, TOOL(binaries) },
	{ "tool", "args", BH_NODE_LIST, 0, bh_read_args, 0 },
	{ "tool", "env", BH_NODE_MAP, 0, bh_read_env, TOOL(env) },
	{ "tool", "may_run", BH_NODE_LIST, 0, bh_read_names, TOOL(may_run) },
	{ "tool", "helpers", BH_NODE_LIST, 0, bh_read_helpers, TOOL(helpers) },
	{ "tool", "files", BH_NODE_MAP, 0, bh_read_files, 0 },
	{ "tool", "load", BH_NODE_LIST, 0, bh_read_load, 0 },
	{ "tool", "reach", BH_NODE_LIST, 0, bh_read_names, TOOL(reach) },
	{ "tool", "listen", BH_NODE_LIST, 0, bh_read_listen, TOOL(listen) },
	{ "tool", "unix", BH_NODE_MAP, 0, bh_read_unix, TOOL(unix_sockets) },
	{ "tool", "procfs", BH_NODE_WORD, 0, bh_read_procfs, TOOL(procfs) },
	{ "tool", "respond", BH_NODE_MAP, 0, bh_read_tool_respond, 0 },
	{ "tool", "jit", BH_NODE_WORD, 0, bh_read_flag, TOOL(jit) },
	{ "tool", "runs_code", BH_NODE_WORD, 0, bh_read_flag, TOOL(runs_code) },

	{ "binary", "path", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_binary_path, PAIR(word) },
	{ "binary", "sha256", BH_NODE_WORD, 0, bh_read_sha256, PAIR(value) },

	{ "args", "exact", BH_NODE_LIST, 0, bh_read_arg_words, CLAUSE(exact) },
	{ "args", "first", BH_NODE_LIST, 0, bh_read_arg_words, CLAUSE(first) },
	{ "args", "options", BH_NODE_LIST, 0, bh_read_arg_words, CLAUSE(options) },
	{ "args", "operands", BH_NODE_WORD, 0, bh_read_operands, CLAUSE(operands) },
	{ "args", "any", BH_NODE_WORD, 0, bh_read_any_args, 0 },
	{ "args", "require", BH_NODE_LIST, 0, bh_read_arg_words, CLAUSE(require) },
	{ "args", "refuse", BH_NODE_LIST, 0, bh_read_arg_words, CLAUSE(refuse) },

	{ "env", "keep", BH_NODE_LIST, 0, bh_read_env_names, ENV(keep) },
	{ "env", "require", BH_NODE_MAP, 0, bh_read_env_values, ENV(require) },

	{ "load", "path", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_load_path, PAIR(word) },
	{ "load", "reason", BH_NODE_WORD, 0, bh_read_reason, PAIR(value) },

	{ "listen", "port", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_listen_port, 0 },
	{ "listen", "protocol", BH_NODE_WORD, 0, bh_read_listen_protocol, PORTS(protocol) },

	{ "unix", "connect", BH_NODE_LIST, 0, bh_read_sockets, UNIX(connect) },
	{ "unix", "listen", BH_NODE_LIST, 0, bh_read_sockets, UNIX(listen) },
	{ "unix", "abstract", BH_NODE_LIST, 0, bh_read_abstract, UNIX(abstract) },

	{ "files", "read", BH_NODE_LIST, 0, bh_read_readable, TOOL(read) },
	{ "files", "write", BH_NODE_LIST, 0, bh_read_writable, TOOL(write) },

	{ "egress", "dns", BH_NODE_MAP, 0, bh_read_dns, POLICY(dns) },
	{ "egress", "destinations", BH_NODE_MAP, 0, bh_read_destinations, 0 },

	{ "dns", "names", BH_NODE_WORD, 0, bh_read_dns_names, DNS(names) },
	{ "dns", "resolvers", BH_NODE_LIST, 0, bh_read_resolvers, DNS(resolvers) },
	{ "dns", "reason", BH_NODE_WORD, 0, bh_read_reason, DNS(reason) },

	{ "destination", "names", BH_NODE_LIST, 0, bh_read_hosts, DESTINATION(hosts) },
	{ "destination", "cidrs", BH_NODE_LIST, 0, bh_read_cidrs, DESTINATION(cidrs) },
	{ "destination", "ports", BH_NODE_LIST, 0, bh_read_ports, 0 },
	{ "destination", "protocol", BH_NODE_WORD, 0, bh_read_protocol, DESTINATION(protocol) },
	{ "destination", "resolves_to", BH_NODE_LIST, 0, bh_read_cidrs, DESTINATION(resolves_to) },
	{ "destination", "sni", BH_NODE_WORD, 0, bh_read_flag, DESTINATION(sni) },

	{ "respond", "floor", BH_NODE_WORD, 0, bh_read_action, POLICY(respond[BH_CLASS_FLOOR]) },
	{ "respond", "exec", BH_NODE_WORD, 0, bh_read_action, POLICY(respond[BH_CLASS_EXEC]) },
	{ "respond", "args", BH_NODE_WORD, 0, bh_read_args_action, POLICY(respond[BH_CLASS_ARGS]) },
	{ "respond", "files", BH_NODE_WORD, 0, bh_read_action, POLICY(respond[BH_CLASS_FILES]) },
	{ "respond", "network", BH_NODE_WORD, 0, bh_read_action, POLICY(respond[BH_CLASS_NETWORK]) },
	{ "respond", "privileges", BH_NODE_WORD, 0, bh_read_action, POLICY(respond[BH_CLASS_PRIVILEGES]) },

	{ "tool-respond", "floor", BH_NODE_WORD, 0, bh_read_action, TOOL(respond[BH_CLASS_FLOOR]) },
	{ "tool-respond", "exec", BH_NODE_WORD, 0, bh_read_action, TOOL(respond[BH_CLASS_EXEC]) },
	{ "tool-respond", "args", BH_NODE_WORD, 0, bh_read_args_action, TOOL(respond[BH_CLASS_ARGS]) },
	{ "tool-respond", "files", BH_NODE_WORD, 0, bh_read_action, TOOL(respond[BH_CLASS_FILES]) },
	{ "tool-respond", "network", BH_NODE_WORD, 0, bh_read_action, TOOL(respond[BH_CLASS_NETWORK]) },
	{ "tool-respond", "privileges", BH_NODE_WORD, 0, bh_read_action, TOOL(respond[BH_CLASS_PRIVILEGES]) },

	{ "never", "read", BH_NODE_LIST, 0, bh_read_forbidden, POLICY(never_read) },
	{ "never", "write", BH_NODE_LIST, 0, bh_read_forbidden, POLICY(never_write) },
	{ "never", "run", BH_NODE_LIST, 0, bh_read_forbidden, POLICY(never_run) },
	{ "never", "reach", BH_NODE_LIST, 0, bh_read_unreachable, POLICY(never_reach) },

	{ "lift", "lift", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_guard_name, LIFT(guard) },
	{ "lift", "reason", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_reason, LIFT(reason) },

	{ "acceptance", "code", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_warning_code, ACCEPTANCE(code) },
	{ "acceptance", "at", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_place, 0 },
	{ "acceptance", "reason", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_reason, ACCEPTANCE(reason) },

	/* Files of rules/ */
	{ "preset", "version", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_version, PRESET(version) },
	{ "preset", "name", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_string, PRESET(name) },
	{ "preset", "read", BH_NODE_LIST, 0, bh_read_readable, PRESET(read) },
	{ "preset", "write", BH_NODE_LIST, 0, bh_read_writable, PRESET(write) },

	{ "floor-files", "version", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_version, SHIPPED(floor_version) },
	{ "floor-files", "floors", BH_NODE_MAP, BH_KEY_REQUIRED, bh_read_floors, 0 },

	{ "guards", "version", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_version, SHIPPED(floor_version) },
	{ "guards", "guards", BH_NODE_MAP, BH_KEY_REQUIRED, bh_read_guards, 0 },

	{ "prohibition", "read", BH_NODE_LIST, 0, bh_read_readable, PROHIBITION(read) },
	{ "prohibition", "write", BH_NODE_LIST, 0, bh_read_writable, PROHIBITION(write) },
	{ "prohibition", "programs", BH_NODE_LIST, 0, bh_read_names, PROHIBITION(programs) },
	{ "prohibition", "variables", BH_NODE_LIST, 0, bh_read_env_names, PROHIBITION(variables) },
	{ "prohibition", "except", BH_NODE_LIST, 0, bh_read_env_names, PROHIBITION(except) },
	{ "prohibition", "below_workspaces", BH_NODE_WORD, 0, bh_read_flag, PROHIBITION(below_workspaces) },

	{ "interpreters", "version", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_version, SHIPPED(floor_version) },
	{ "interpreters", "interpreters", BH_NODE_LIST, BH_KEY_REQUIRED, bh_read_names, SHIPPED(interpreters) },

	{ "floor-net", "version", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_version, SHIPPED(floor_version) },
	{ "floor-net", "addresses", BH_NODE_LIST, BH_KEY_REQUIRED, bh_read_floor_addresses, 0 },
	{ "floor-net", "names", BH_NODE_LIST, BH_KEY_REQUIRED, bh_read_strings, SHIPPED(blocked_names) },

	{ "floor-address", "address", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_floor_address, ADDRESS(cidr) },
	{ "floor-address", "who", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_string, ADDRESS(who) },
	{ "floor-address", "source", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_string, ADDRESS(source) },
	{ "floor-address", "status", BH_NODE_WORD, BH_KEY_REQUIRED, bh_read_status, 0 },
	{ "floor-address", "except_port", BH_NODE_WORD, 0, bh_read_except_port, ADDRESS(except_port) },
};

const size_t bh_keys_count = BH_COUNT_OF(bh_keys);
