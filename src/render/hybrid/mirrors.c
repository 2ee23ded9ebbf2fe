/* SPDX-License-Identifier: MIT */
#include "render/hybrid/mirrors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "render/hybrid/mesh_images.h"

static const double PARALLEL = 1e-3; /* rad, between normals */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool lies_on(const struct ray_face *face, const struct mirror *mirror)
{
    if (!(fabs(dot(face->normal, mirror->normal)) >= cos(PARALLEL)))
        return false;
    for (int corner = 0; corner < 3; corner++)
        if (!(fabs(dot(face->corner[corner], mirror->normal) - mirror->offset) <= MIRROR_FLAT))
            return false;
    return true;
}

static void extend(struct mirror *mirror, const struct ray_face *face)
{
    for (int corner = 0; corner < 3; corner++)
        for (int axis = 0; axis < 3; axis++) {
            mirror->lower[axis] = fmin(mirror->lower[axis], face->corner[corner][axis] - MIRROR_FLAT);
            mirror->upper[axis] = fmax(mirror->upper[axis], face->corner[corner][axis] + MIRROR_FLAT);
        }
}

struct by_area {
    double area;
    uint32_t face;
};

static int compare_areas(const void *left, const void *right)
{
    const struct by_area *a = left, *b = right;
    if (a->area != b->area)
        return a->area < b->area ? 1 : -1;
    return a->face < b->face ? -1 : a->face > b->face;
}

static uint32_t place_face(struct mirrors *m, const struct ray_face *face)
{
    for (size_t i = 0; i < m->count; i++)
        if (lies_on(face, &m->list[i])) {
            extend(&m->list[i], face);
            return (uint32_t)i;
        }
    struct mirror *added = &m->list[m->count];
    *added = (struct mirror){.offset = dot(face->corner[0], face->normal),
                             .lower = {INFINITY, INFINITY, INFINITY},
                             .upper = {-INFINITY, -INFINITY, -INFINITY}};
    memcpy(added->normal, face->normal, sizeof added->normal);
    extend(added, face);
    return (uint32_t)m->count++;
}

int mirrors_make(struct mirrors *m, const struct ray_scene *scene, struct error *e)
{
    struct by_area *order = calloc(scene->count + 1, sizeof *order);
    *m = (struct mirrors){.list = calloc(scene->count + 1, sizeof *m->list),
                          .of_face = calloc(scene->count + 1, sizeof *m->of_face)};
    const bool good = order && m->list && m->of_face;
    for (size_t i = 0; i < scene->count && good; i++)
        order[i] = (struct by_area){scene->faces[i].area, (uint32_t)i};
    if (good)
        qsort(order, scene->count, sizeof *order, compare_areas);
    for (size_t i = 0; i < scene->count && good; i++) {
        const struct ray_face *face = &scene->faces[order[i].face];
        m->of_face[order[i].face] = face->curved ? MIRROR_NONE : place_face(m, face);
    }
    free(order);
    if (good)
        return 0;
    mirrors_free(m);
    return fail(e, ERROR_MEMORY, "out of memory");
}

void mirrors_free(struct mirrors *m)
{
    free(m->list);
    free(m->of_face);
    memset(m, 0, sizeof *m);
}

bool mirror_image(double image[3], const struct mirror *mirror, const double place[3])
{
    const double above = dot(place, mirror->normal) - mirror->offset;
    for (int axis = 0; axis < 3; axis++)
        image[axis] = place[axis] - 2.0 * above * mirror->normal[axis];
    return fabs(above) > 1e-6;
}

/* Directions spread evenly over the sphere on a golden-angle spiral. */
static void direction_of(double direction[3], size_t index, size_t count)
{
    const double z = 1.0 - (2.0 * (double)index + 1.0) / (double)count, out = sqrt(1.0 - z * z);
    const double angle = fmod((double)index * M_PI * (3.0 - sqrt(5.0)), 2.0 * M_PI);
    direction[0] = out * cos(angle);
    direction[1] = out * sin(angle);
    direction[2] = z;
}

/* Mirrors met by a ray: sequence [order], MIRROR_NONE from the first miss on. */
static void follow(uint32_t sequence[PATH_WALLS_MAX], const struct mesh_room *room, struct ray ray, size_t order)
{
    for (size_t n = 0; n < PATH_WALLS_MAX; n++)
        sequence[n] = MIRROR_NONE;
    for (size_t n = 0; n < order; n++) {
        struct ray_hit hit;
        double normal[3];
        if (!ray_tree_closest(room->tree, &ray, &hit))
            return;
        sequence[n] = room->mirrors->of_face[hit.face];
        if (sequence[n] == MIRROR_NONE)
            return;
        ray_leave(ray.origin, normal, room->scene, &ray, &hit);
        const double along = ray.direction[0] * normal[0] + ray.direction[1] * normal[1] + ray.direction[2] * normal[2];
        for (int k = 0; k < 3; k++)
            ray.direction[k] -= 2.0 * along * normal[k];
        ray.left = hit.face;
    }
}

static int compare(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    for (size_t n = 0; n < PATH_WALLS_MAX; n++)
        if (a[n] != b[n])
            return a[n] < b[n] ? -1 : 1;
    return 0;
}

/* Removes duplicates, sequences that are too short, and those that repeat a mirror consecutively. */
static void tidy(struct mirror_sequences *s, size_t least)
{
    size_t kept = 0;
    qsort(s->list, s->count, sizeof *s->list, compare);
    for (size_t i = 0; i < s->count; i++) {
        bool good = s->list[i][least - 1] != MIRROR_NONE && (!kept || compare(s->list[i], s->list[kept - 1]));
        for (size_t n = 1; n < PATH_WALLS_MAX; n++)
            good = good && (s->list[i][n] == MIRROR_NONE || s->list[i][n] != s->list[i][n - 1]);
        if (good)
            memmove(s->list[kept++], s->list[i], sizeof *s->list);
    }
    s->count = kept;
}

int mirror_sequences_find(struct mirror_sequences *s, const struct mesh_room *room, const double source[3],
                          size_t least, size_t order, size_t rays, struct error *e)
{
    const size_t lengths = order - least + 1;
    *s = (struct mirror_sequences){.list = calloc(rays * lengths + 1, sizeof *s->list), .count = rays * lengths};
    if (!s->list)
        return fail(e, ERROR_MEMORY, "out of memory");
#pragma omp parallel for schedule(dynamic, 256)
    for (size_t i = 0; i < rays; i++) {
        if (stop_requested())
            continue;
        uint32_t *first = s->list[i * lengths];
        struct ray ray = {.reach = INFINITY, .left = RAY_NO_FACE};
        memcpy(ray.origin, source, sizeof ray.origin);
        direction_of(ray.direction, i, rays);
        follow(first, room, ray, order);
        for (size_t k = 1; k < lengths; k++) { /* the same path, truncated */
            uint32_t *cut = s->list[i * lengths + k];
            memcpy(cut, first, sizeof *s->list);
            cut[order - k] = MIRROR_NONE;
        }
    }
    if (stop_check(e)) {
        mirror_sequences_free(s);
        return -1;
    }
    tidy(s, least);
    return 0;
}

void mirror_sequences_free(struct mirror_sequences *s)
{
    free(s->list);
    memset(s, 0, sizeof *s);
}
