/* SPDX-License-Identifier: MIT */
/* Places in the air of a room from which all its modes are seen. */
#ifndef AULA_RENDER_MODES_PLACES_H
#define AULA_RENDER_MODES_PLACES_H

#include "room/grid/model.h"

enum { OWN_CORNERS = 8, OWN_INNER = 6, OWN_PLACES = OWN_CORNERS + OWN_INNER };

/* places[OWN_PLACES], m: the centres of the voxels of air that lie furthest towards the eight corners of the model's
 * bounding box, where modes are loudest, and of voxels within, whose neighbours are air, by Halton's sequence in the
 * bases 2, 3 and 5. Deterministic. *count: fewer in rooms of few voxels. ERROR_INPUT if the model has no voxels. */
int own_places_find(double (*places)[3], size_t *count, const struct model *m, struct error *e);

#endif
