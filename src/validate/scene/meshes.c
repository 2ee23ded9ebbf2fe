/* SPDX-License-Identifier: MIT */
#include "validate/scene/meshes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/acoustics/conventions.h"
#include "geometry/geodesic_sphere.h"

void mesh_clear(struct scene_mesh *m)
{
    free(m->triangles);
    memset(m, 0, sizeof *m);
}

void mesh_add(struct scene_mesh *m, const double a[3], const double b[3], const double c[3], uint32_t material)
{
    const double *const corners[3] = {a, b, c};
    if (m->count == m->capacity) {
        m->capacity = 2 * m->capacity + 64;
        m->triangles = realloc(m->triangles, m->capacity * sizeof *m->triangles);
        if (!m->triangles)
            abort();
    }
    struct surface_triangle *t = &m->triangles[m->count++];
    memset(t, 0, sizeof *t);
    surface_triangle_paint(t, material);
    for (int i = 0; i < 3; i++)
        memcpy(t->corner[i], corners[i], sizeof t->corner[i]);
}

void mesh_add_quad(struct scene_mesh *m, const double a[3], const double b[3], const double c[3], const double d[3],
                   uint32_t material)
{
    mesh_add(m, a, b, c, material);
    mesh_add(m, a, c, d, material);
}

static void add_rectangle(struct scene_mesh *m, int axis, double at, const double from[2], const double to[2],
                          uint32_t material)
{
    const int b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
    double corner[4][3];
    for (int i = 0; i < 4; i++) {
        corner[i][axis] = at;
        corner[i][b] = i == 1 || i == 2 ? to[0] : from[0];
        corner[i][c] = i >= 2 ? to[1] : from[1];
    }
    mesh_add_quad(m, corner[0], corner[1], corner[2], corner[3], material);
}

void mesh_add_box(struct scene_mesh *m, const double from[3], const double to[3], uint32_t material)
{
    for (int side = 0; side < FACES; side++) {
        const int axis = side / 2, b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
        add_rectangle(m, axis, side % 2 ? to[axis] : from[axis], (const double[]){from[b], from[c]},
                      (const double[]){to[b], to[c]}, material + (uint32_t)side);
    }
}

void mesh_add_holed(struct scene_mesh *m, int axis, double at, const double from[2], const double to[2],
                    const double hole_from[2], const double hole_to[2], uint32_t material)
{
    add_rectangle(m, axis, at, from, (const double[]){to[0], hole_from[1]}, material);
    add_rectangle(m, axis, at, (const double[]){from[0], hole_to[1]}, to, material);
    add_rectangle(m, axis, at, (const double[]){from[0], hole_from[1]}, (const double[]){hole_from[0], hole_to[1]},
                  material);
    add_rectangle(m, axis, at, (const double[]){hole_to[0], hole_from[1]}, (const double[]){to[0], hole_to[1]},
                  material);
}

struct ball {
    struct scene_mesh *mesh;
    double centre[3], radius;
    uint32_t material;
};

static void add_of_ball(void *context, const double corner[3][3])
{
    const struct ball *b = context;
    double placed[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            placed[i][k] = b->centre[k] + b->radius * corner[i][k];
    mesh_add(b->mesh, placed[0], placed[1], placed[2], b->material);
}

void mesh_add_sphere(struct scene_mesh *m, const double centre[3], double radius, int subdivisions, uint32_t material)
{
    struct ball b = {m, {centre[0], centre[1], centre[2]}, radius, material};
    geodesic_sphere(subdivisions, add_of_ball, &b);
}

void mesh_turn_point(double turned[3], const double at[3], double yaw, double pitch, double roll)
{
    const double degree = 3.14159265358979323846 / 180.0, angles[3] = {roll * degree, pitch * degree, yaw * degree};
    double p[3] = {at[0], at[1], at[2]};
    for (int axis = 0; axis < 3; axis++) {
        const int b = (axis + 1) % 3, c = (axis + 2) % 3;
        const double cosine = cos(angles[axis]), sine = sin(angles[axis]), old = p[b];
        p[b] = cosine * old - sine * p[c];
        p[c] = sine * old + cosine * p[c];
    }
    memcpy(turned, p, sizeof p);
}

void mesh_turn(struct scene_mesh *m, double yaw, double pitch, double roll)
{
    for (size_t i = 0; i < m->count; i++)
        for (int k = 0; k < 3; k++)
            mesh_turn_point(m->triangles[i].corner[k], m->triangles[i].corner[k], yaw, pitch, roll);
}

void mesh_shuffle(struct scene_mesh *m, struct random *r)
{
    const size_t count = m->count;
    for (size_t i = 0; i < count; i++) {
        const struct surface_triangle t = m->triangles[i];
        if (random_between(r, 0, 4) == 0)
            mesh_add(m, t.corner[0], t.corner[1], t.corner[2], t.material);
    }
    for (size_t i = 0; i < m->count; i++) {
        const size_t other = random_between(r, i, m->count - 1), first = random_between(r, 0, 2);
        const size_t step = random_between(r, 1, 2);
        const struct surface_triangle t = m->triangles[other];
        m->triangles[other] = m->triangles[i];
        m->triangles[i] = t;
        for (size_t k = 0; k < 3; k++)
            memcpy(m->triangles[i].corner[k], t.corner[(first + step * k) % 3], sizeof t.corner[k]);
    }
}

struct lattice lattice_around(const struct scene_mesh *m, double spacing)
{
    struct lattice l = {.spacing = spacing};
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < m->count; i++)
            for (int c = 0; c < 3; c++) {
                low = fmin(low, m->triangles[i].corner[c][k]);
                high = fmax(high, m->triangles[i].corner[c][k]);
            }
        l.origin[k] = low;
        l.count[k] = (size_t)fmax(ceil((high - low) / spacing - 1e-9), 1.0);
    }
    return l;
}

struct surface surface_of(const struct scene_mesh *m)
{
    static struct surface_material materials[SCENE_MESH_MATERIALS];
    for (size_t i = 0; i < SCENE_MESH_MATERIALS; i++)
        materials[i] = (struct surface_material){.name = "m", .code = (uint8_t)(CELL_SOLID + i)};
    return (struct surface){.materials = materials,
                            .material_count = SCENE_MESH_MATERIALS,
                            .triangles = m->triangles,
                            .triangle_count = m->count};
}

static bool same_rows(const struct voxel_row *a, const struct voxel_row *b)
{
    if (a->air_count != b->air_count || (a->air_count && memcmp(a->air, b->air, a->air_count * sizeof *a->air)))
        return false;
    for (int side = 0; side < FACES; side++)
        if (a->face_count[side] != b->face_count[side] ||
            (a->face_count[side] &&
             memcmp(a->faces[side], b->faces[side], a->face_count[side] * sizeof *a->faces[side])))
            return false;
    return true;
}

bool same_sets(const struct voxel_set *a, const struct voxel_set *b)
{
    for (int k = 0; k < 3; k++)
        if (voxel_set_count(a, k) != voxel_set_count(b, k))
            return false;
    for (size_t z = 0; z < voxel_set_count(a, 2); z++)
        for (size_t y = 0; y < voxel_set_count(a, 1); y++) {
            const struct voxel_row one = voxel_set_row(a, y, z), other = voxel_set_row(b, y, z);
            if (!same_rows(&one, &other))
                return false;
        }
    return true;
}
