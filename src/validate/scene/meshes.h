/* SPDX-License-Identifier: MIT */
/* Surfaces made of triangles, for checks and tests of the voxelizer. */
#ifndef AULA_VALIDATE_SCENE_MESHES_H
#define AULA_VALIDATE_SCENE_MESHES_H

#include "base/random.h"
#include "geometry/voxelize.h"

struct scene_mesh {
    struct surface_triangle *triangles;
    size_t count, capacity;
};

void mesh_clear(struct scene_mesh *m);
void mesh_add(struct scene_mesh *m, const double a[3], const double b[3], const double c[3], uint32_t material);
void mesh_add_quad(struct scene_mesh *m, const double a[3], const double b[3], const double c[3], const double d[3],
                   uint32_t material);
/* The six walls of a box; materials by enum face, starting at `material`. */
void mesh_add_box(struct scene_mesh *m, const double from[3], const double to[3], uint32_t material);
/* A rectangle across an axis at `at`, in the other two axes b < c, with a rectangular hole. */
void mesh_add_holed(struct scene_mesh *m, int axis, double at, const double from[2], const double to[2],
                    const double hole_from[2], const double hole_to[2], uint32_t material);
/* 20 4^subdivisions triangles. */
void mesh_add_sphere(struct scene_mesh *m, const double centre[3], double radius, int subdivisions, uint32_t material);
/* Turns about z, y and x by yaw, pitch and roll, in degrees. */
void mesh_turn(struct scene_mesh *m, double yaw, double pitch, double roll);
void mesh_turn_point(double turned[3], const double at[3], double yaw, double pitch, double roll);
/* Changes order, first corners and orientations, and repeats some triangles. */
void mesh_shuffle(struct scene_mesh *m, struct random *r);

/* A lattice that begins at the lowest corner of the mesh. */
struct lattice lattice_around(const struct scene_mesh *m, double spacing);

enum { SCENE_MESH_MATERIALS = 32 };
/* Materials with the codes CELL_SOLID and up. */
struct surface surface_of(const struct scene_mesh *m);

/* Whether two sets have the same voxels and faces. */
bool same_sets(const struct voxel_set *a, const struct voxel_set *b);

#endif
