/* SPDX-License-Identifier: GPL-2.0-only */
#include "policy/english_words.h"

#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "bpf/abi.h"

static const struct {
	const char *word, *key;
} classes[BH_CLASSES] = {
	[BH_CLASS_FLOOR] = { "floor", "floor" },       [BH_CLASS_EXEC] = { "exec", "exec" },
	[BH_CLASS_ARGS] = { "argument", "args" },      [BH_CLASS_FILES] = { "file", "files" },
	[BH_CLASS_NETWORK] = { "network", "network" }, [BH_CLASS_PRIVILEGES] = { "privilege", "privileges" },
};

/* "is denied", "ends the process", "freezes the sandbox", "kills the sandbox" */
const char *const bh_english_actions[BH_ENGLISH_ACTIONS] = { "deny", "task", "freeze", "kill" };

static const struct {
	enum bh_english_word_kind kind;
	const char *text;
} words_known[] = {
#define BH_WORD(kind, word) { BH_WORD_##kind, word },
#include "rules/english-words.def"
#undef BH_WORD
};

const char *bh_english_class_key(const struct bh_english_word *word, struct bh_suggestion *suggestion)
{
	for (size_t i = 1; i < BH_CLASSES; i++) {
		if (bh_english_is(word, classes[i].word))
			return classes[i].key;
		bh_suggest_offer(suggestion, word->text, classes[i].word);
	}
	return NULL;
}

const char *bh_english_class_word(unsigned int class)
{
	return classes[class].word;
}

/* How many of the words the text is; 0: they are others. */
static size_t says(struct bh_english_words words, const char *text)
{
	size_t count = 0;

	while (*text) {
		size_t length = strcspn(text, " ");
		const struct bh_english_word *word = &words.first[count];

		if (count == words.count || word->quoted || strlen(word->text) != length ||
		    strncasecmp(word->text, text, length) != 0)
			return 0;
		count++;
		text += length + strspn(text + length, " ");
	}
	return count;
}

bool bh_english_find_word(struct bh_english_words words, enum bh_english_word_kind kind,
			  struct bh_english_words *ret_found)
{
	for (size_t at = 0; at < words.count; at++) {
		struct bh_english_words rest = { &words.first[at], words.count - at };

		for (size_t i = 0; i < BH_COUNT_OF(words_known); i++) {
			size_t count = words_known[i].kind == kind ? says(rest, words_known[i].text) : 0;

			if (count == 0)
				continue;
			*ret_found = (struct bh_english_words){ rest.first, count };
			return true;
		}
	}
	return false;
}
