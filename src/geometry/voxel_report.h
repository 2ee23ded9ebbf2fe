/* SPDX-License-Identifier: MIT */
/* The report of geometry/voxelize.h on a room. */
#ifndef AULA_GEOMETRY_VOXEL_REPORT_H
#define AULA_GEOMETRY_VOXEL_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Areas of a material, m². A thin sheet in the room counts with both sides. */
struct material_areas {
    double mesh;      /* of its triangles and solids, one side, duplicates once */
    double wet;       /* of the sides of triangles and solids that the room has */
    double faces;     /* of the voxels' faces */
    double corrected; /* of these faces times area / FACE_AREA_UNITS: what absorbs */
    double buried;    /* of triangles, estimated, that no air of the room touches */
    bool rescaled;    /* the shares of its triangles were scaled to wet, since nothing of it is buried */
    bool true_area;   /* corrected is wet within 0.1 % */
    uint64_t gaps;    /* voxels of air between two parallel surfaces, one of them of this material, one voxel apart */
    double gap_place[3]; /* m: of one of them */
};

/* Faces that the room has, drawn on those of another material. */
struct covered_area {
    uint32_t top, below; /* indices of materials: what is heard, and what is not */
    bool by_front; /* both look at each other's back, and the front of `top` into the air; else `top` comes later */
    double area;   /* m² */
};

/* A connected part of the air, measured before sheets and corners are closed. */
struct voxel_component {
    double volume;   /* m³ */
    double place[3]; /* m: the centre of one of its voxels */
    bool is_room;    /* with the sources */
    bool is_beside;  /* a partition that lets sound through is beside it */
    bool is_outside; /* reaches the ends of the lattice */
};

/* A hole through which the room reaches the outside. */
struct voxel_leak {
    double place[3]; /* m */
    double size;     /* m: about its width */
};

enum { VOXEL_COMPONENTS = 16, VOXEL_LEAKS = 4 };

struct voxel_report {
    double volume;                      /* m³ of the room */
    double model_volume;                /* m³ by its true surfaces, with solids as on the grid */
    double model_low[3], model_high[3]; /* m: corners of the triangles that the room has; INFINITY: it has none */
    double origin[3];                   /* m: least corner of the set's voxel (0, 0, 0) */
    ptrdiff_t offset[3];                /* of that voxel in the lattice */
    size_t (*source_voxels)[3];         /* [source_voxel_count]: the air voxel of each, in the set */
    struct material_areas *materials;   /* [material_count], as surface.materials */
    size_t material_count;
    struct covered_area *covered; /* [covered_count] */
    size_t covered_count;
    struct voxel_component components[VOXEL_COMPONENTS]; /* by falling volume; insides of solids are none */
    size_t component_count;                              /* of all; the first VOXEL_COMPONENTS are listed */
    size_t closed_count;                                 /* of those that are neither the room nor outside */
    double closed_volume;                                /* m³ of these: rooms beside this one, and insides of closed
                                                            parts of a mesh */
    struct voxel_leak leaks[VOXEL_LEAKS];
    size_t leak_count;
    uint64_t sheet_voxels;         /* that became solid, since a thin sheet must be one voxel thick */
    double sheet_place[3];         /* m: of one of them */
    uint64_t closed_voxels;        /* by close_corners */
    size_t degenerate, duplicates; /* triangles dropped */
    bool *solids;                  /* [solid_count]: whether it covers a voxel or cuts a link at all */
    size_t solid_count;
};

void voxel_report_free(struct voxel_report *r); /* safe on a zeroed struct */

#endif
