/* How much air a room holds, and how much of each material shows to it: what volume and area mean in formulae of
 * reverberation. */
#ifndef AULA_MODEL_SPACE_H
#define AULA_MODEL_SPACE_H

#include "model/voxels.h"

struct space {
    double volume;     /* m³ of air that the sources reach */
    double closed_off; /* m³ of air that they do not */
    double surface;    /* m² that shows to that air */
    size_t parts;      /* that this air is in, with nothing but solids between them */
    double *area;      /* [room->material_count] of it, m² */
};

/* From the voxel map: points of air that are joined to one beside a source, through faces; beside a receiver in a room
 * without sources; all air in one without either. Volumes are whole voxels. So are areas of walls and boxes, less what
 * objects cover; of a cylinder each face of a voxel counts with the part that its normal has along the face's axis, so
 * that the staircase adds up to the area of the surface itself. A map of more than half a million different rows, as of a
 * slanted cylinder in a grid too large to be stepped, is looked at on a coarser grid. ERROR_MEMORY, ERROR_STOPPED. */
int space_make(struct space *s, const struct voxels *v, struct error *e);
void space_free(struct space *s); /* safe on a zeroed struct */

#endif
