/* SPDX-License-Identifier: MIT */
/* Areas of a room's faces: of the true surface behind each, in 1/FACE_AREA_UNITS of a voxel's face, and by material.
 *
 * By theory (38) a face along axis a that shows a triangle of unit normal n has the share |n_a|: the sum over the faces
 * of an area A is A (n_x² + n_y² + n_z²) = A. Where nothing of a material is hidden from the room, its triangles'
 * shares are scaled to their true area, also beyond whole faces. Rounding keeps the sum over each material:
 * geometry/area_rounding.h. */
#ifndef AULA_GEOMETRY_AREAS_H
#define AULA_GEOMETRY_AREAS_H

#include "geometry/row_faces.h"
#include "geometry/voxelize.h"

/* Of a triangle, along each axis. */
struct triangle_counts {
    uint32_t crossings[3]; /* of links, other than a seal's */
    uint32_t sides[3];     /* of these crossings, that are in air of the room: 0 to 2 each */
    uint32_t buried[3];    /* of these crossings, neither side of which is */
    uint32_t faces[3];     /* that show it */
    uint8_t share[3];      /* of the true area, in units, of each face that shows it */
};

/* Of a material: faces that show a triangle along an axis have `sign` units more than its share, those `left` that come
 * first in the order of rows, here among the slab's own. */
struct share_split {
    uint32_t triangle, left;
    int axis, sign;
};

struct areas {
    struct triangle_counts *triangles; /* [snapped.count] */
    struct share_split *splits;        /* [material_count] */
    uint64_t voxels;                   /* of the slab's own air, before sheets are filled */
    int64_t beyond;                    /* geometry/model_size.h */
};

/* Before sheets are filled: which sides of triangles are in the room, of the slab's own links. ERROR_MEMORY,
 * ERROR_STOPPED. */
int areas_open(struct areas *a, const struct room_cuts *r, struct error *e);
/* At the end: the shares, alike in all slabs, which call it together, and the report's areas of triangles.
 * ERROR_MEMORY, ERROR_STOPPED. */
int areas_share(struct areas *a, const struct room_cuts *r, struct voxel_report *report, struct error *e);

/* Faces of one share. */
struct share_run {
    uint32_t length;
    unsigned units;
};
/* The shares of a run of the slab's own planes, in one or two parts; how many. Each run is asked for once, in the order
 * of rows. */
int areas_of_run(struct share_run parts[2], struct areas *a, const struct room_cuts *r, const struct seen_run *run);
void areas_free(struct areas *a); /* safe on a zeroed struct */

#endif
