/* SPDX-License-Identifier: MIT */
/* Whether cairo and libpng are there: linked in a program; loaded when first needed in libaula, which does not depend on
 * them. */
#ifndef AULA_IO_DRAWING_DRAWING_LIBRARY_H
#define AULA_IO_DRAWING_DRAWING_LIBRARY_H

#include "base/error.h"

/* ERROR_FAILED names the library that is missing. Call it before anything is drawn. May be called from any thread. */
int drawing_library_load(struct error *e);

#endif
