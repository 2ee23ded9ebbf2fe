/* Volume of the air in a room and area of each material that it touches, for formulae of reverberation. */
#ifndef AULA_MODEL_SPACE_H
#define AULA_MODEL_SPACE_H

#include "model/voxels.h"

struct space {
    double volume;     /* m³ of air that the sources reach */
    double closed_off; /* m³ of other air */
    double surface;    /* m² of all materials */
    size_t parts;      /* number of unconnected parts of this air */
    double *area;      /* [room->material_count], m² */
};

/* From the voxel map: air points connected through faces to one beside a source; beside a receiver in a room without
 * sources; all air without either. Volumes are whole voxels, as are areas of walls and boxes less what objects cover;
 * each voxel face of a cylinder is weighted with the normal's component along the face's axis, so that the staircase
 * has the area of the true surface. A map of more than half a million different rows (a slanted cylinder in a very
 * large grid) is measured on a coarser grid. ERROR_MEMORY, ERROR_STOPPED. */
int space_make(struct space *s, const struct voxels *v, struct error *e);
void space_free(struct space *s); /* safe on a zeroed struct */

#endif
