/* SPDX-License-Identifier: MIT */
/* The volume of air in a room and the area of each material, for reverberation formulae. */
#ifndef AULA_ROOM_GRID_ROOM_MEASURES_H
#define AULA_ROOM_GRID_ROOM_MEASURES_H

#include "base/error.h"
#include "geometry/voxel_report.h"

struct room_measures {
    double volume;       /* m³ of the room's air: all that its sources reach */
    double model_volume; /* m³ of it by the model or the size asked for, before they are rounded to the grid */
    double closed_off;   /* m³ of other air within; insides of closed parts of a mesh count, those of objects do not */
    double surface;      /* m² of all materials */
    double *area;        /* [room->material_count], m²: of the true surfaces behind the voxels' faces */
};

/* Takes both from the report of the voxelizer, as well as model_volume. ERROR_MEMORY. */
int room_measures_make(struct room_measures *s, const struct voxel_report *report, struct error *e);
void room_measures_free(struct room_measures *s); /* safe on a zeroed struct */

#endif
