/* SPDX-License-Identifier: MIT */
/* A room of voxels stepped by either scheme, for checks: fields on its points, and projections
 * of them. */
#ifndef AULA_VALIDATE_GEOMETRY_VOXEL_RUN_H
#define AULA_VALIDATE_GEOMETRY_VOXEL_RUN_H

#include "validate/geometry/model_room.h"
#include "validate/scene/scene.h"

struct voxel_run {
    struct leapfrog_problem leapfrog;
    struct problem problem; /* its parameters point to `leapfrog`: do not move the struct */
    struct branch branches[SCENE_MESH_MATERIALS][BRANCHES_MAX];
    double spacing, origin[3]; /* m: X; of point (0, 0, 0) */
    double *mass;              /* [points], in voxels of air; 0: not stepped */
    double *values;            /* [points], for fields */
    size_t points;
};

/* Sets only the problem: rigid walls, lossless air, double precision. The room must outlive the
 * run. */
int voxel_run_pose(struct voxel_run *run, const struct voxel_room *room, enum air_stencil stencil, struct error *e);
/* The problem and the arrays. Free with voxel_run_free, also after an error. */
int voxel_run_make(struct voxel_run *run, const struct voxel_room *room, enum air_stencil stencil, struct error *e);
void voxel_run_free(struct voxel_run *run);

/* Sets this specific admittance on every material. */
void voxel_run_admit(struct voxel_run *run, double admittance);
/* Sets random walls on the materials, alternately real admittances and branches. */
void voxel_run_random_walls(struct voxel_run *run, struct random *r);
/* Each is rigid, real, or has up to 16 branches; in every other run none has branches. */
void voxel_run_any_walls(struct voxel_run *run, struct random *r);

double voxel_run_step(const struct voxel_run *run); /* time step, s */
void voxel_run_place(double place[3], const struct voxel_run *run, size_t point);
size_t voxel_run_air_point(const struct voxel_run *run, struct random *r);

/* Sets both levels to `values`. */
int voxel_run_start(struct voxel_run *run, struct solver *solver, struct error *e);
/* Sets both levels to noise of zero mean. */
int voxel_run_noise(struct voxel_run *run, struct solver *solver, struct random *r, struct error *e);

#define SPEED_OF_SOUND 343.2 /* m/s */

extern const char *const stencil_names[]; /* by enum air_stencil: "7-point" */

#endif
