/* SPDX-License-Identifier: MIT */
/* Finds and names the first difference between the descriptions of two runs. */
#ifndef AULA_SOLVER_CHECKPOINT_DIFFERENCE_H
#define AULA_SOLVER_CHECKPOINT_DIFFERENCE_H

#include "base/error.h"

/* Returns the first difference between two JSON texts in new memory, such as "room.grid.rate is
 * 8000 in the checkpoint and 9000 in this run"; *text is NULL if there is none. Only the part of
 * a file name after the last "/" is compared, as folders may move and checksums cover the
 * contents. ERROR_INPUT if a text is not valid JSON, ERROR_MEMORY. */
int difference_find(char **text, const char *there, const char *here, struct error *e);

#endif
