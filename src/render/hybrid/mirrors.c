/* SPDX-License-Identifier: MIT */
#include "render/hybrid/mirrors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PARALLEL = 1e-3; /* rad: of the normals */

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
    return fail(e, ERROR_MEMORY, "out of memory for the planes of %zu faces", scene->count);
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
