/* SPDX-License-Identifier: MIT */
/* Volume of the air in a room and area of each material that it touches, for formulae of reverberation. */
#ifndef AULA_ROOM_GRID_SPACE_H
#define AULA_ROOM_GRID_SPACE_H

#include "base/error.h"
#include "geometry/voxel_report.h"

struct space {
    double volume;       /* m³ of the room's air: all that its sources reach */
    double model_volume; /* m³ of it by the model or the size asked for, before they are rounded to the grid */
    double closed_off;   /* m³ of other air within; insides of closed parts of a mesh count, those of objects do not */
    double surface;      /* m² of all materials */
    double *area;        /* [room->material_count], m²: of the true surfaces behind the voxels' faces */
};

/* From what the voxelizer found; model_volume is that of the report. ERROR_MEMORY. */
int space_make(struct space *s, const struct voxel_report *report, struct error *e);
void space_free(struct space *s); /* safe on a zeroed struct */

#endif
