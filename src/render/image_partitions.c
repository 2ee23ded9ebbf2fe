/* SPDX-License-Identifier: MIT */
#include "render/image_partitions.h"

#include <math.h>
#include <string.h>

#include "room/grid/partition_rooms.h"

static const double FRONT = 1.5;    /* cells: from a face to the air in front of it */
static const double TOUCHING = 0.5; /* cells: narrower gaps between two solids have hardly a voxel of air */
enum { BURIED = RAY_BODY + 1, PLACES = 4, NEAR = 4 /* cells from that air to the solid behind the face */ };

/* The voxel of a place; false: outside the grid. */
static bool voxel_at(size_t voxel[3], const struct model *m, const double at[3])
{
    for (int k = 0; k < 3; k++) {
        const double place = floor((at[k] - m->grid.origin[k]) / m->grid.spacing);
        if (!(place >= 0.0 && place < (double)voxel_set_count(m->partitions.set, k)))
            return false;
        voxel[k] = (size_t)place;
    }
    return true;
}

/* m from a place on a face along a direction to the air that the grid joins with that before the face; 0: none, and
 * below 0 also no air before the face. */
static double distance_to_air(const struct model *m, const double at[3], const double direction[3])
{
    const double x = fabs(direction[0]), y = fabs(direction[1]), z = fabs(direction[2]);
    const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2, side = 2 * axis + (direction[axis] > 0.0);
    struct solid_run run;
    double front[3];
    size_t voxel[3];
    for (int k = 0; k < 3; k++)
        front[k] = at[k] - FRONT * m->grid.spacing * direction[k];
    if (!voxel_at(voxel, m, front) || !voxel_set_is_air(m->partitions.set, voxel[0], voxel[1], voxel[2]))
        return -1.0;
    for (int i = 0; i < NEAR && voxel_set_is_air(m->partitions.set, voxel[0], voxel[1], voxel[2]); i++) {
        if (partition_behind(&run, m, voxel, side))
            return ((double)run.length + 1.0) * m->grid.spacing / fabs(direction[axis]);
        voxel[axis] += side % 2 ? 1 : (size_t)-1; /* wraps below 0, where there is no air */
    }
    return 0.0;
}

/* Whether another face is on the way to the air behind a face. */
static bool is_body(const struct ray_scene *scene, const struct ray_tree *tree, uint32_t face, const double at[3],
                    const double direction[3], double distance)
{
    struct ray ray = {.left = face, .reach = distance};
    if (scene->faces[face].solid != RAY_NO_SOLID)
        return true;
    memcpy(ray.origin, at, sizeof ray.origin);
    memcpy(ray.direction, direction, sizeof ray.direction);
    return ray_tree_blocked(tree, &ray);
}

/* The kind of a face at one of its places; BURIED: there is no air on either side. */
static int through_at(const struct ray_scene *scene, const struct ray_tree *tree, uint32_t face, const double at[3],
                      const struct model *m)
{
    bool buried = true;
    for (int side = -1; side <= 1; side += 2) {
        double direction[3];
        for (int k = 0; k < 3; k++)
            direction[k] = side * scene->faces[face].normal[k];
        const double distance = distance_to_air(m, at, direction);
        if (distance > 0.0)
            return is_body(scene, tree, face, at, direction, distance) ? RAY_BODY : RAY_SHEET;
        buried = buried && distance < 0.0;
    }
    return buried ? BURIED : RAY_OPAQUE;
}

/* The kind at most of its places that are not buried: the middle, and one near each corner. */
static enum ray_through through_of(const struct ray_scene *scene, const struct ray_tree *tree, uint32_t face,
                                   const struct model *m)
{
    static const double share[PLACES][3] = {
        {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}, {0.6, 0.2, 0.2}, {0.2, 0.6, 0.2}, {0.2, 0.2, 0.6}};
    int votes[BURIED + 1] = {0};
    for (int i = 0; i < PLACES; i++) {
        double at[3] = {0.0, 0.0, 0.0};
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                at[k] += share[i][c] * scene->faces[face].corner[c][k];
        votes[through_at(scene, tree, face, at, m)]++;
    }
    if (votes[BURIED] == PLACES || 2 * votes[RAY_OPAQUE] > PLACES - votes[BURIED])
        return RAY_OPAQUE;
    return votes[RAY_BODY] >= votes[RAY_SHEET] ? RAY_BODY : RAY_SHEET;
}

void image_partitions_mark(struct ray_scene *scene, const struct ray_tree *tree, const struct model *m)
{
    scene->touching = m->partitions.any ? TOUCHING * m->grid.spacing : 0.0;
    for (size_t i = 0; i < scene->count && m->partitions.any; i++) {
        struct ray_face *f = &scene->faces[i];
        if (!m->room->materials[f->material].transmission.given && !m->room->materials[f->back].transmission.given)
            continue;
        if (m->partitions.counted)
            f->through = (uint8_t)through_of(scene, tree, (uint32_t)i, m);
        else if (f->solid != RAY_NO_SOLID)
            f->through = RAY_BODY;
    }
}

void image_partitions_close_slits(struct room_surface *surface, const struct model *m)
{
    const struct grid *g = &m->grid;
    const double slack = 1e-6; /* m */
    if (!m->partitions.any || room_form(m->room) != ROOM_BOX)
        return;
    for (size_t i = 0; i < surface->surface.solid_count; i++) {
        struct surface_solid *s = &surface->solids[i];
        for (int k = 0; k < 3; k++) {
            const bool straight = s->shape == SOLID_BOX || (s->shape == SOLID_PRISM && k == 2);
            if (straight && s->to[k] >= g->size[k] - g->rounding[k] - slack)
                s->to[k] = fmax(s->to[k], g->size[k]);
        }
    }
}
