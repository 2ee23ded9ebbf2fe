/* SPDX-License-Identifier: MIT */
/* aula info --materials: the absorption of each material and of its wall on the grid. */
#ifndef AULA_APP_MATERIALS_H
#define AULA_APP_MATERIALS_H

#include "app/options.h"

/* Prints the materials of a room on its grid. Without a room, prints those of the library on a grid whose valid band
 * just covers all octaves. Output is a table or JSON, and with --plot also a picture. */
int show_materials(const struct common_options *o, const char *plot, struct error *e);

#endif
