/* aula info --materials: what each material absorbs and what the wall absorbs that stands for it. */
#ifndef AULA_CMD_MATERIALS_H
#define AULA_CMD_MATERIALS_H

#include "cmd/options.h"

/* Of the room that is named, on its grid; without one of the whole library, on a grid whose valid band just holds all
 * octaves. A table, or JSON, and with --plot a picture. */
int show_materials(const struct options *o, struct error *e);

#endif
