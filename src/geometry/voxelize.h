/* From a surface to the voxels of the room that its sources are in.
 *
 * A link between neighbouring voxels is cut where it crosses a triangle or enters a solid; the room is what uncut links
 * join with the sources. Exact: corners of triangles are moved to multiples of X/65536, every decision is made in
 * integers, and ties as if the lattice were shifted by e1 >> e2 >> e3 > 0. The result does not depend on the order and
 * orientation of triangles, on duplicates, or on the number of threads. */
#ifndef AULA_GEOMETRY_VOXELIZE_H
#define AULA_GEOMETRY_VOXELIZE_H

#include <stddef.h>

#include "base/error.h"
#include "geometry/lattice.h"
#include "geometry/surface.h"
#include "voxels/voxel_set.h"

#define VOXELIZE_SEAL 0.01 /* the default of voxelize_options.seal */

/* A source or a receiver: all of them must be in one room. */
struct voxel_seed {
    double position[3]; /* m */
    const char *name;   /* for messages: source "S1" */
    bool receiver;
};

struct voxelize_options {
    double seal;        /* in X: edges of triangles reach this much further, which closes cracks; 0: they do not */
    bool close_corners; /* 19-point scheme: voxels that touch only along an edge or at a corner are closed */
    bool crop;          /* the set is as large as the room only; else as the lattice */
    bool margin;        /* of a cropped set: one voxel more on each side */
    int threads;        /* 0: as many as OpenMP gives, fewer for small rooms */
};

/* Areas of a material, m². A thin sheet in the room counts with both sides. */
struct material_areas {
    double mesh;      /* of its triangles and solids, one side, duplicates once */
    double wet;       /* of the sides of triangles and solids that the room has */
    double faces;     /* of the voxels' faces */
    double corrected; /* of these faces times area / FACE_AREA_UNITS: what absorbs */
    double buried;    /* of triangles, estimated, that no air of the room touches */
    bool rescaled;    /* corrected was scaled to wet, since nothing of it is buried */
    uint64_t gaps;    /* voxels of air between two parallel surfaces, one of them of this material, one voxel apart */
    double gap_place[3]; /* m: of one of them */
};

/* Air that uncut links join, as large as it is before sheets and corners are closed. */
struct voxel_component {
    double volume;   /* m³ */
    double place[3]; /* m: the centre of one of its voxels */
    bool is_room;    /* with the sources */
    bool is_outside; /* reaches the ends of the lattice */
};

/* A hole through which the room reaches the outside. */
struct voxel_leak {
    double place[3]; /* m */
    double size;     /* m: about its width */
};

enum { VOXEL_COMPONENTS = 16, VOXEL_LEAKS = 4 };

struct voxel_report {
    double volume;                    /* m³ of the room */
    double origin[3];                 /* m: least corner of the set's voxel (0, 0, 0) */
    ptrdiff_t offset[3];              /* of that voxel in the lattice */
    size_t (*seeds)[3];               /* [seed_count]: the voxel of air of each seed, in the set */
    struct material_areas *materials; /* [material_count], as surface.materials */
    size_t material_count;
    struct voxel_component components[VOXEL_COMPONENTS]; /* by falling volume; insides of solids are none */
    size_t component_count;                              /* of all; the first VOXEL_COMPONENTS are listed */
    struct voxel_leak leaks[VOXEL_LEAKS];
    size_t leak_count;
    uint64_t sheet_voxels;         /* that became solid, since a thin sheet must be one voxel thick */
    double sheet_place[3];         /* m: of one of them */
    uint64_t closed_voxels;        /* by close_corners */
    size_t degenerate, duplicates; /* triangles dropped */
};

/* *result: the room, which the caller frees; *report is the caller's as well, also after an error, when it has what was
 * found until then (the components and leaks of a room that leaks). Without seeds the room is all air that does not
 * reach the ends of an open lattice. Fails when the room leaks, when a source or receiver is in a solid or a sheet,
 * when the sources are in different components, and when a receiver is in none of theirs. ERROR_INPUT, ERROR_MEMORY,
 * ERROR_STOPPED. */
int voxelize(struct voxel_set **result, struct voxel_report *report, const struct surface *surface,
             const struct lattice *lattice, const struct voxel_seed *seeds, size_t seed_count,
             const struct voxelize_options *options, struct error *e);

void voxel_report_free(struct voxel_report *r); /* safe on a zeroed struct */

#endif
