/* SPDX-License-Identifier: MIT */
/* How many parts step a room fastest (docs/design/parallel.md), by trial in the room itself. */
#ifndef AULA_RENDER_PICK_PARTS_H
#define AULA_RENDER_PICK_PARTS_H

#include "room/grid/model.h"

enum { PICK_TEXT = 400 };

/* Sets the parts of *c, and of its list of GPUs those that have one: of 1, 2, 4 .. and as many as there are GPUs in the
 * list, or threads of the cpu engine. GPUs: from all of them down, since a large grid may not fit fewer; threads: from
 * one up; as far as each number is faster than the one before, and while trials take less than a tenth of the run of
 * the sources first .. first + count - 1. why: what each takes. A number that does not fit is passed over; the error is
 * that of the last one where none does. */
int pick_parts(struct solver_options *c, char why[PICK_TEXT], const struct model *m, size_t first, size_t count,
               struct error *e);

#endif
