/* SPDX-License-Identifier: MIT */
/* aula info --materials: absorption of each material, and of its wall on the grid. */
#ifndef AULA_APP_MATERIALS_H
#define AULA_APP_MATERIALS_H

#include "app/options.h"

/* Materials of the room given, on its grid; without a room those of the library, on a grid whose valid band just holds
 * all octaves. A table or JSON, and with --plot a picture. */
int show_materials(const struct common_options *o, const char *plot, struct error *e);

#endif
