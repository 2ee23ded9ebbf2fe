/* SPDX-License-Identifier: MIT */
/* Chooses the fastest number of parts for a room (docs/design/parallel.md) by trial in the room
 * itself. */
#ifndef AULA_RENDER_PICK_PARTS_H
#define AULA_RENDER_PICK_PARTS_H

#include "room/grid/model.h"

enum { PICK_TEXT = 400 };

/* Sets the parts of *c, and its list of GPUs to those with a part. Candidates are 1, 2, 4 .. and
 * the number of listed GPUs, or of threads of the cpu engine. GPUs are tried from all downwards,
 * since a large grid may not fit fewer, and threads from one upwards. Trials end at the first
 * candidate that is slower, or when they have taken a tenth of the run of the sources first ..
 * first + count - 1. why: the times. A candidate that does not fit is skipped; if none fits, the
 * last error is returned. */
int pick_parts(struct solver_options *c, char why[PICK_TEXT], const struct model *m, size_t first, size_t count,
               struct error *e);

#endif
