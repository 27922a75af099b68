/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/parse.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "policy/catalogue.h"
#include "policy/check.h"
#include "policy/english.h"
#include "policy/fields.h"

static void cleanup_policy(struct bh_source_policy **policy)
{
	bh_source_policy_free(*policy);
}

/* What holds when the policy does not say: refuse quietly, except where asking at all shows bad intent. */
static void set_defaults(struct bh_source_policy *policy)
{
	policy->mode = BH_MODE_ENFORCE;
	policy->respond[BH_CLASS_FLOOR] = BH_VERDICT_KILL;
	policy->respond[BH_CLASS_EXEC] = BH_VERDICT_DENY;
	policy->respond[BH_CLASS_FILES] = BH_VERDICT_DENY;
	policy->respond[BH_CLASS_NETWORK] = BH_VERDICT_DENY;
	policy->respond[BH_CLASS_PRIVILEGES] = BH_VERDICT_KILL;
	policy->respond[BH_CLASS_ARGS] = BH_RESPOND_TASK;
	policy->procfs = BH_PROCFS_OWN;
	policy->dns.names = BH_DNS_NONE;
	policy->select.priority = 100;
	for (unsigned int i = 1; i < BH_CAPS; i++)
		policy->resources.caps[i].value = bh_caps[i].standard;
}

static int read_root(struct bh_reader *reader, const struct bh_node *root, struct bh_source_policy *policy)
{
	reader->root = root;
	if (root->kind == BH_NODE_MAP)
		bh_fields_read(reader, "policy", "", NULL, root, policy);
	else
		bh_refuse(reader, "E106", root,
			  "begin with 'apiVersion: bulkhead.dev/v1', or in English with 'Policy NAME.'",
			  "a policy is a mapping");
	return reader->out_of_memory ? -ENOMEM : 0;
}

int bh_policy_parse(const char *text, size_t length, const struct bh_shipped *shipped, struct bh_diags *diags,
		    struct bh_source_policy **ret_policy)
{
	BH_CLEANUP(cleanup_policy) struct bh_source_policy *policy = calloc(1, sizeof(*policy));
	BH_CLEANUP(bh_document_done) struct bh_document document = { 0 };
	struct bh_reader reader = { .diags = diags, .shipped = shipped };
	int r;

	if (!policy)
		return -ENOMEM;
	if (length > BH_SOURCE_MAX) {
		bh_diag_add(diags, BH_SEVERITY_ERROR, "E104", (struct bh_loc){ 1, 1, 1 }, NULL,
			    "the policy has %zu bytes; at most %u are possible", length, BH_SOURCE_MAX);
		return -EINVAL;
	}
	if (!bh_lexical_check(text, length, diags))
		return -EINVAL;
	reader.english = bh_english_begins(text, length);
	if (reader.english)
		r = bh_english_parse(text, length, diags, &document);
	else
		r = bh_document_parse(text, length, diags, &document);
	if (r < 0)
		return r;
	set_defaults(policy);
	reader.partial = document.partial;
	r = read_root(&reader, document.root, policy);
	if (r < 0)
		return r;
	if (!document.partial)
		bh_policy_check(policy, shipped, diags);
	if (bh_diags_errors(diags) > 0)
		return -EINVAL;
	*ret_policy = BH_TAKE(policy);
	return 0;
}
