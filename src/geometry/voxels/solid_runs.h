/* SPDX-License-Identifier: MIT */
/* Runs of solid voxels between two faces of air, straight through a partition that lets sound through. The solver links
 * the faces of a run, and the room counts them, by the same search.
 *
 * Both faces must have codes that pass. A run that lies along the partition, and not across it, counts as none, so that
 * a partition does not couple its narrow ends: the solid through its first voxel, its last one or one in its middle,
 * along another axis, has air at both ends and less than a third of its length. A mirrored set has the mirrored runs.
 *
 * The work is proportional to the number of solid voxels behind faces that pass. */
#ifndef AULA_GEOMETRY_VOXELS_SOLID_RUNS_H
#define AULA_GEOMETRY_VOXELS_SOLID_RUNS_H

#include "geometry/voxels/voxel_set.h"

struct solid_run {
    size_t lower[3], upper[3]; /* voxels of air at its ends */
    size_t length;             /* of solid voxels between them */
    int axis;
    const struct face_run *faces[2]; /* of the lower and the upper voxel of air, towards the run */
};

struct solid_runs {
    const struct voxel_set *set;
    bool passes[CELL_CODES];
    bool *touched;   /* [planes]: if not NULL, sets the layers of voxels from air to air of each run along z, and of the
                        solid along z that decides that a run lies along a partition */
    size_t planes;   /* length of `touched` */
    uint64_t looked; /* counts voxels that the search looked at */
};

/* Visits all runs by the row y + count[1] z of their lower voxel, those of a row by axis, then by ascending x. Stops
 * when `visit` returns nonzero. ERROR_STOPPED. */
typedef int solid_run_visit(void *context, const struct solid_run *run, struct error *e);
int solid_runs_visit(struct solid_runs *s, solid_run_visit *visit, void *context, struct error *e);

/* The run behind one side of a voxel of air; false: there is none. */
bool solid_run_behind(struct solid_run *run, struct solid_runs *s, const size_t at[3], int side);

#endif
