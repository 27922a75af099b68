/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's verdict code, natively. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "bpf/lib/ask.h"
#include "verify/engine.h"

static uint32_t lay(uint8_t *to, const void *from, size_t length, size_t size)
{
	if (from)
		memcpy(to, from, length < size ? length : size);
	return (uint32_t)length;
}

/* A host name as the automaton reads it. */
static uint32_t lay_name(uint8_t *to, const char *name)
{
	size_t length = strlen(name);

	if (length && name[length - 1] == '.')
		length--;
	for (size_t i = 0; i < length && i < BH_PATH_MAX; i++)
		to[i] = (uint8_t)tolower((unsigned char)name[length - 1 - i]);
	return (uint32_t)length;
}

void bh_asked_lay(struct bh_question *question, const struct bh_asked *asked, struct bh_texts *ret_texts)
{
	bool is_name = question->kind == BH_ASK_HOST || question->kind == BH_ASK_DNS || question->kind == BH_ASK_ANSWER;
	const char *text = asked->text ? asked->text : "";

	question->text_length = is_name ? lay_name(ret_texts->text, text) :
					  lay(ret_texts->text, text, strlen(text), sizeof(ret_texts->text));
	if (question->args_length <= sizeof(ret_texts->args))
		lay(ret_texts->args, asked->args, question->args_length, sizeof(ret_texts->args));
	if (question->env_length <= sizeof(ret_texts->env))
		lay(ret_texts->env, asked->env, question->env_length, sizeof(ret_texts->env));
}

int bh_ask_tables(void *data, struct bh_question *question, const struct bh_asked *asked)
{
	const struct bh_exam *exam = data;
	BH_FREE struct bh_texts *texts = calloc(1, sizeof(*texts));

	if (!texts)
		return -ENOMEM;
	bh_asked_lay(question, asked, texts);
	return bh_ask_answer(bh_compiled_tables(exam->compiled), exam->floor, question, texts) ? -EINVAL : 0;
}
