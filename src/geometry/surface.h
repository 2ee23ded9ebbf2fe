/* SPDX-License-Identifier: MIT */
/* The input of the voxelizer: triangles and solids with materials, in metres, z up. Readers borrow
 * it. */
#ifndef AULA_GEOMETRY_SURFACE_H
#define AULA_GEOMETRY_SURFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A material of the surface. Several may share a code. */
struct surface_material {
    const char *name; /* for messages; NULL: none */
    uint8_t code;     /* enum cell: CELL_FIXED, or CELL_SOLID + material */
    bool joins;       /* it lets sound through, so that the air on both sides belongs to the room */
};

/* The order of triangles is irrelevant, and so is their orientation if both sides have one
 * material. Degenerate and duplicate triangles are dropped. Coinciding triangles of several
 * materials are resolved first (geometry/overlaps.h); if some remain, both sides have the material
 * of the lower index. */
struct surface_triangle {
    double corner[3][3]; /* m, counter-clockwise as seen from its front */
    uint32_t material;   /* index of surface.materials: of its front */
    uint32_t back;       /* of its back */
    uint32_t below;      /* on which it was drawn; its own: on none */
    double covering;     /* that share of its area */
};

/* Sets one material for both sides. */
static inline void surface_triangle_paint(struct surface_triangle *t, uint32_t material)
{
    t->material = t->back = t->below = material;
    t->covering = 0.0;
}

enum solid_shape {
    SOLID_BOX,
    SOLID_TURNED_BOX,
    SOLID_WEDGE,        /* the part of a box below a plane through its centre, of which two edges are in it */
    SOLID_TURNED_WEDGE, /* the same of a turned box */
    SOLID_PRISM,        /* upright, over a floor plan; the only one that need not be convex */
    SOLID_CYLINDER,
    SOLID_SPHERE
};

/* A solid covers the voxels whose centres lie in it; a face at a centre belongs to the solid that
 * begins there: [from, to). If several solids cover a voxel, the last one owns it and shows its
 * material. If a line between two neighbouring centres passes through a solid that covers neither,
 * the solid cuts that link, like a sheet. Of surfaces at the same point of a link, that of the last
 * solid is visible, before triangles and walls. */
struct surface_solid {
    enum solid_shape shape;
    double from[3], to[3];      /* m: opposite corners of a box or wedge, and of the box around a prism, from < to;
                                     ends of a cylinder's axis */
    double centre[3];           /* m: of a turned box, of the box of a wedge, and of a sphere */
    double half[3];             /* m: half sides of a turned box along its own axes */
    double axes[3][3];          /* unit vectors of these axes, perpendicular to each other */
    double slope[3];            /* unit normal of a wedge's slope, which points out of it */
    const double (*corners)[2]; /* m: [corner_count], the plan of a prism as of geometry/floor_plan.h */
    size_t corner_count;
    double radius;     /* m: cylinder, whose ends are flat, and sphere */
    uint32_t material; /* index of surface.materials */
};

struct surface {
    const struct surface_material *materials; /* [material_count] */
    size_t material_count;
    const struct surface_triangle *triangles; /* [triangle_count], at most SURFACE_TRIANGLES_MAX */
    size_t triangle_count;
    const struct surface_solid *solids; /* [solid_count] */
    size_t solid_count;
};

enum { SURFACE_TRIANGLES_MAX = (1 << 23) - 1 };

#endif
