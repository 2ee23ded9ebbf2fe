/* SPDX-License-Identifier: MIT */
/* Converts a surface to the voxels of the room that contains the sources. A link between
 * neighbouring voxels is cut where it crosses a triangle or enters a solid; the room is the air
 * that uncut links connect to the sources, and that beside the same materials that join. The result is exact: corners of triangles are moved to
 * multiples of X/65536, every decision is made in integers, and ties are broken as if the lattice
 * were shifted by e1 >> e2 >> e3 > 0. It does not depend on the order or orientation of triangles,
 * on duplicates, or on the number of threads. */
#ifndef AULA_GEOMETRY_VOXELIZE_H
#define AULA_GEOMETRY_VOXELIZE_H

#include "base/error.h"
#include "base/transport/transport.h"
#include "geometry/lattice.h"
#include "geometry/surface.h"
#include "geometry/voxel_report.h"
#include "geometry/voxels/voxel_set.h"

#define VOXELIZE_SEAL 0.01 /* the default of voxelize_options.seal */

/* A source or a receiver; all of them must be in one room. */
struct source_voxel {
    double position[3]; /* m */
    const char *name;   /* for messages: source "S1" */
    bool receiver;
};

struct voxelize_options {
    double seal;        /* in X: edges of triangles reach this much further, which closes cracks; 0: they do not */
    bool close_corners; /* 19-point scheme: voxels that touch only along an edge or at a corner are closed */
    bool crop;          /* the set is as large as the room only; else as the lattice */
    bool bodies; /* closed parts may be bodies: air beyond what joins counts only with a source or receiver in it */
    bool margin; /* of a cropped set: one voxel more on each side */
    int threads; /* 0: as many as OpenMP gives, fewer for small rooms */
};

/* The caller frees *result, the room, and *report, which after an error contains the findings up to
 * then (the components and leaks of a leaking room). Without source voxels the room is all air that does
 * not reach the ends of an open lattice. Fails if the room leaks, if a source or receiver is in a
 * solid or a sheet, if the sources are in different components, or if a receiver is in another one.
 * ERROR_INPUT, ERROR_MEMORY, ERROR_STOPPED. */
int voxelize(struct voxel_set **result, struct voxel_report *report, const struct surface *surface,
             const struct lattice *lattice, const struct source_voxel *source_voxels, size_t source_voxel_count,
             const struct voxelize_options *options, struct error *e);

/* The planes of a set that one of several parts made. */
struct voxel_planes {
    struct voxel_set *set; /* planes first .. of the whole set, with its rows; none in a part beyond the room */
    size_t first;
    size_t count[3]; /* of the whole set */
};

/* The same by several parts, which all call it with the same arguments; transport: to the others;
 * NULL: a single part. Each makes a slab of planes of the set, *made, in the order of parts. Report
 * and error are the same in all parts, and set and report have the same bits for any number of
 * parts. Only part 0 searches for leaks, with the memory of the whole lattice. */
int voxelize_planes(struct voxel_planes *made, struct voxel_report *report, const struct surface *surface,
                    const struct lattice *lattice, const struct source_voxel *source_voxels, size_t source_voxel_count,
                    const struct voxelize_options *options, struct transport *transport, struct error *e);

#endif
