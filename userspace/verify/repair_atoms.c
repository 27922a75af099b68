/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "verify/repairing.h"

static void atom_done(struct bh_atom *atom)
{
	for (size_t i = 0; i < atom->edits_count; i++) {
		free((char *)atom->edits[i].owner);
		free((char *)atom->edits[i].item);
	}
	free(atom->text);
}

void bh_atoms_done(struct bh_atoms *atoms)
{
	for (size_t i = 0; i < atoms->count; i++)
		atom_done(&atoms->items[i]);
	free(atoms->items);
	memset(atoms, 0, sizeof(*atoms));
}

/* False without memory. */
static bool copy_edit(struct bh_atom *atom, const struct bh_edit *edit)
{
	struct bh_edit *copy = &atom->edits[atom->edits_count++];

	*copy = *edit;
	copy->owner = edit->owner ? strdup(edit->owner) : NULL;
	copy->item = strdup(edit->item);
	return copy->item && (copy->owner || !edit->owner);
}

void bh_atoms_add(struct bh_atoms *atoms, unsigned int cost, const struct bh_edit *edit, const struct bh_edit *with)
{
	struct bh_atom atom = { .cost = cost };
	struct bh_buf text = { 0 };

	bh_edit_describe(edit, 0, &text);
	if (with) {
		bh_buf_print(&text, "; ");
		bh_edit_describe(with, 0, &text);
	}
	atom.text = (char *)text.bytes;
	for (size_t i = 0; i < atoms->count && !text.error; i++)
		if (strcmp(atoms->items[i].text, atom.text) == 0) {
			free(atom.text);
			return;
		}
	if (text.error || BH_RESERVE(atoms->items, atoms->capacity, atoms->count + 1) || !copy_edit(&atom, edit) ||
	    (with && !copy_edit(&atom, with))) {
		atom_done(&atom);
		atoms->error = -ENOMEM;
		return;
	}
	atoms->items[atoms->count++] = atom;
}

static int compare_atoms(const void *left, const void *right)
{
	const struct bh_atom *a = left, *b = right;

	return strcmp(a->text, b->text);
}

void bh_atoms_sort(struct bh_atoms *atoms)
{
	if (atoms->count)
		qsort(atoms->items, atoms->count, sizeof(*atoms->items), compare_atoms);
}

size_t bh_atoms_find(const struct bh_atoms *atoms, const char *text)
{
	size_t low = 0, high = atoms->count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = strcmp(atoms->items[middle].text, text);

		if (order == 0)
			return middle;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return atoms->count;
}
