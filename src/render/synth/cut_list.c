/* SPDX-License-Identifier: MIT */
#include "render/synth/cut_list.h"

#include <stdlib.h>

static int add(struct cut_list *l, uint64_t point, int face, const char *owner, struct error *e)
{
    if (l->count == l->room) {
        const size_t room = 2 * l->room + 256;
        struct cut *cuts = realloc(l->cuts, room * sizeof *cuts);
        l->cuts = cuts ? cuts : l->cuts;
        const char **owners = cuts ? realloc((void *)l->owners, room * sizeof *owners) : NULL;
        if (!owners)
            return fail(e, ERROR_MEMORY, "out of memory");
        l->owners = owners;
        l->room = room;
    }
    l->owners[l->count] = owner;
    l->cuts[l->count++] = (struct cut){point, (uint8_t)(1u << face)};
    return 0;
}

static uint64_t point_of(const struct model *m, const size_t cell[3])
{
    return (cell[2] * m->grid.points[1] + cell[1]) * (uint64_t)m->grid.points[0] + cell[0];
}

/* false: the neighbour lies outside the box. */
static bool across(const struct model *m, const size_t cell[3], int face, size_t other[3])
{
    for (int axis = 0; axis < 3; axis++)
        other[axis] = cell[axis];
    const int axis = face / 2;
    if (face % 2 ? cell[axis] + 1 >= m->grid.points[axis] : cell[axis] == 0)
        return false;
    other[axis] = face % 2 ? cell[axis] + 1 : cell[axis] - 1;
    return true;
}

/* A grid too large to step has no voxels and counts as air. */
static bool is_air(const struct model *m, const size_t cell[3])
{
    return !m->voxels.set || voxel_set_is_air(m->voxels.set, cell[0], cell[1], cell[2]);
}

static void centre_of(double place[3], const struct model *m, const size_t cell[3])
{
    for (int axis = 0; axis < 3; axis++)
        place[axis] = m->grid.origin[axis] + ((double)cell[axis] + 0.5) * m->grid.spacing;
}

int cut_link(struct cut_list *l, const struct model *m, const size_t cell[3], int face, const char *part,
             const char *owner, struct error *e)
{
    size_t other[3];
    if (!across(m, cell, face, other) || !is_air(m, cell) || !is_air(m, other)) {
        double near[3];
        centre_of(near, m, cell);
        return fail(e, ERROR_INPUT,
                    "%sinstrument %s crosses a wall or an object near [%.3g, %.3g, %.3g], but needs air on both sides; "
                    "move it, or make it smaller",
                    part, owner, near[0], near[1], near[2]);
    }
    return add(l, point_of(m, cell), face, owner, e) || add(l, point_of(m, other), face ^ 1, owner, e) ? -1 : 0;
}

int cut_list_enclose(struct cut_list *l, const struct model *m, const size_t cell[3], const char *owner,
                     struct error *e)
{
    if (l->inside_count == l->inside_room) {
        const size_t room = 2 * l->inside_room + 256;
        struct enclosed *more = realloc(l->inside, room * sizeof *more);
        if (!more)
            return fail(e, ERROR_MEMORY, "out of memory");
        l->inside = more;
        l->inside_room = room;
    }
    l->inside[l->inside_count++] = (struct enclosed){point_of(m, cell), owner};
    return 0;
}

uint64_t cut_neighbour(const struct model *m, uint64_t point, int face)
{
    const uint64_t step[3] = {1, m->grid.points[0], (uint64_t)m->grid.points[0] * m->grid.points[1]};
    return face % 2 ? point + step[face / 2] : point - step[face / 2];
}

static int by_point(const void *a, const void *b)
{
    const struct cut *p = a, *q = b;
    return (p->point > q->point) - (p->point < q->point);
}

/* What the wall with this code does to the points at its faces beside reflecting; NULL: nothing. */
static const char *effect_of(const struct model *m, uint8_t code)
{
    if (code < CELL_SOLID)
        return NULL;
    const struct wall_model *wall = &m->walls[code - CELL_SOLID];
    if (wall->admittance > 0.0 || wall->branch_count > 0)
        return "an absorbing wall";
    return m->room->materials[code - CELL_SOLID].transmission.given ? "a wall that lets sound through" : NULL;
}

static int check(const struct model *m, uint64_t point, const char *owner, struct error *e)
{
    const size_t nx = m->grid.points[0], ny = m->grid.points[1];
    const size_t cell[3] = {(size_t)(point % nx), (size_t)(point / nx % ny), (size_t)(point / nx / ny)};
    for (int face = 0; face < 6; face++) {
        const struct face_run *wall =
            m->voxels.set ? voxel_set_face(m->voxels.set, cell[0], cell[1], cell[2], face) : NULL;
        double near[3];
        centre_of(near, m, cell);
        const char *effect = wall ? effect_of(m, wall->code) : NULL;
        if (effect)
            return fail(e, ERROR_INPUT,
                        "%s: instrument %s touches %s near [%.3g, %.3g, %.3g]; leave at least %.3g m (two cells of the "
                        "grid) between them",
                        m->room->path, owner, effect, near[0], near[1], near[2], 2.0 * m->grid.spacing);
    }
    return 0;
}

int cut_list_finish(struct cut_list *l, const struct model *m, struct error *e)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->count; i++)
        if (check(m, l->cuts[i].point, l->owners[i], e))
            return -1;
    if (l->count)
        qsort(l->cuts, l->count, sizeof *l->cuts, by_point);
    for (size_t i = 0; i < l->count; i++)
        if (kept && l->cuts[kept - 1].point == l->cuts[i].point)
            l->cuts[kept - 1].faces |= l->cuts[i].faces;
        else
            l->cuts[kept++] = l->cuts[i];
    l->count = kept;
    return 0;
}

void cut_list_free(struct cut_list *l)
{
    free(l->cuts);
    free((void *)l->owners);
    free(l->inside);
    *l = (struct cut_list){0};
}
