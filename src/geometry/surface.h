/* What is voxelised: triangles and convex solids with materials, in metres, z up. Borrowed by those who read it. */
#ifndef AULA_GEOMETRY_SURFACE_H
#define AULA_GEOMETRY_SURFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A material of the surface. Several may share a code. */
struct surface_material {
    const char *name; /* for messages; NULL: none */
    uint8_t code;     /* enum cell: CELL_FIXED, or CELL_SOLID + material */
};

/* Orientation and order mean nothing; degenerate and duplicate triangles are dropped. Where triangles of two materials
 * coincide exactly, both sides have the material of the lower index, so that the order in the file does not matter. */
struct surface_triangle {
    double corner[3][3]; /* m */
    uint32_t material;   /* index of surface.materials */
};

enum solid_shape { SOLID_BOX, SOLID_TURNED_BOX, SOLID_CYLINDER, SOLID_SPHERE };

/* A convex solid. It covers the voxels whose centres are in it, a face at a centre belonging to the solid that begins
 * there: [from, to). Of several that cover a voxel the last one owns it, and its material is seen. */
struct surface_solid {
    enum solid_shape shape;
    double from[3], to[3]; /* m: opposite corners of a box, from < to; ends of a cylinder's axis */
    double centre[3];      /* m: of a turned box and of a sphere */
    double half[3];        /* m: half sides of a turned box along its own axes */
    double axes[3][3];     /* unit vectors of these axes, perpendicular to each other */
    double radius;         /* m: cylinder, whose ends are flat, and sphere */
    uint32_t material;     /* index of surface.materials */
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
