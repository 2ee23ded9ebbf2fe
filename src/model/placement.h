/* Placement of sources and receivers on the grid. */
#ifndef AULA_MODEL_PLACEMENT_H
#define AULA_MODEL_PLACEMENT_H

#include "model/model.h"

/* Trilinear weights over the eight points around `position`, m, renormalised over those that are air, times `scale`.
 * `what` and `name` ("source", "S1") are used in messages. Fails outside the box, inside an object and in a fixed
 * layer; nothing is allocated then. */
int placement_make(struct placed *placed, const struct voxels *v, const struct grid *g, const double position[3],
                   double scale, const char *what, const char *name, const struct origin *origin, struct error *e);

#endif
