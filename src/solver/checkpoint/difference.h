/* SPDX-License-Identifier: MIT */
/* What differs between two runs, by name. */
#ifndef AULA_SOLVER_CHECKPOINT_DIFFERENCE_H
#define AULA_SOLVER_CHECKPOINT_DIFFERENCE_H

#include "base/error.h"

/* The first value that differs between two texts of JSON, as "room.grid.rate is 8000 there and 9000 here", in fresh
 * memory; NULL in *text: none. Of names of files only what follows the last "/" counts: folders can be moved, and
 * what is in the files is compared by checksums. ERROR_INPUT when one is no JSON, ERROR_MEMORY. */
int difference_find(char **text, const char *there, const char *here, struct error *e);

#endif
