/* SPDX-License-Identifier: MIT */
#include "validate/scene/scene_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "geometry/voxels/voxel_set.h"
#include "validate/scene/scene.h"

struct scene_set {
    struct voxel_set *voxels;
    uint8_t *cells; /* a copy of the cells the set was made from; likewise the next two */
    uint8_t outside[FACES];
    uint64_t areas;
};

void scene_set_free(struct scene_set *set)
{
    if (!set)
        return;
    voxel_set_free(set->voxels);
    free(set->cells);
    free(set);
}

/* Appends a row, with a random area for each face of a voxel, divided at random between its corners. */
static int append_with_areas(struct voxel_set_builder *b, const struct voxel_row *row, struct face_run *faces,
                             struct random *r, struct error *e)
{
    size_t made = 0;
    for (int side = 0; side < FACES; side++)
        for (size_t i = 0; i < row->face_count[side]; i++) {
            const struct face_run *f = &row->faces[side][i];
            for (uint64_t x = f->start; x < f->start + f->length; x++) {
                faces[made] = *f;
                faces[made].start = x & VOXEL_ROW_MAX;
                faces[made].length = 1;
                faces[made].before = random_between(r, 0, FACE_BEFORE_MAX) & FACE_BEFORE_MAX;
                faces[made++].area = random_between(r, 0, FACE_AREA_MAX) & FACE_AREA_MAX;
            }
        }
    return voxel_set_append(b, row->air, row->air_count, faces, made, e);
}

/* Replaces a set by one whose faces have random areas. */
static int give_areas(struct voxel_set **v, uint64_t seed, struct error *e)
{
    const size_t count[3] = {voxel_set_count(*v, 0), voxel_set_count(*v, 1), voxel_set_count(*v, 2)};
    struct random random = {seed};
    struct voxel_set_builder *b;
    if (voxel_set_open(&b, count, e))
        return -1;
    struct face_run *faces = malloc((FACES * count[0] + 1) * sizeof *faces);
    int status = faces ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count[1] * count[2] && !status; i++) {
        const struct voxel_row row = voxel_set_row(*v, i % count[1], i / count[1]);
        status = stop_check(e) || append_with_areas(b, &row, faces, &random, e) ? -1 : 0;
    }
    free(faces);
    if (status) {
        voxel_set_abandon(b);
        return -1;
    }
    voxel_set_free(*v);
    *v = voxel_set_close(b);
    return 0;
}

static bool is_as_it_was(const struct scene *s)
{
    return s->set && !memcmp(s->set->cells, s->cells, s->voxels[0] * s->voxels[1] * s->voxels[2]) &&
           !memcmp(s->set->outside, s->outside, sizeof s->outside) && s->set->areas == s->areas;
}

int scene_voxels(struct scene *s, struct error *e)
{
    const size_t total = s->voxels[0] * s->voxels[1] * s->voxels[2];
    if (is_as_it_was(s))
        return 0;
    scene_set_free(s->set);
    s->leapfrog.voxels = NULL;
    s->set = calloc(1, sizeof *s->set);
    if (!s->set || !(s->set->cells = malloc(total + 1)))
        return fail(e, ERROR_MEMORY, "out of memory");
    memcpy(s->set->cells, s->cells, total);
    memcpy(s->set->outside, s->outside, sizeof s->outside);
    s->set->areas = s->areas;
    if (voxel_set_of_cells(&s->set->voxels, s->voxels, s->cells, s->outside, e) ||
        (s->areas && give_areas(&s->set->voxels, s->areas, e))) {
        scene_set_free(s->set);
        s->set = NULL;
        return -1;
    }
    s->leapfrog.voxels = s->set->voxels;
    return 0;
}

int scene_open(struct solver **solver, struct scene *s, const struct solver_options *c, struct error *e)
{
    *solver = NULL;
    return scene_voxels(s, e) ? -1 : solver_open(solver, &s->problem, c, e);
}
