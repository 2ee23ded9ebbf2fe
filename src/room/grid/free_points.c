/* SPDX-License-Identifier: MIT */
#include "room/grid/free_points.h"

#include <stdlib.h>

#include "room/grid/receivers.h"
#include "room/grid/sources.h"
#include "room/grid/stencil_placement.h"
#include "solver/schemes/leapfrog/corners.h"

static int allocate(struct air_points *a, size_t count, struct error *e)
{
    *a = (struct air_points){count, malloc((count + 1) * sizeof *a->point), malloc((count + 1) * sizeof *a->weight)};
    if (a->point && a->weight)
        return 0;
    air_points_free(a);
    return fail(e, ERROR_MEMORY, "out of memory for the points of a source or a receiver");
}

/* What a drive adds is divided by the share of air at its points (room/grid/stencil_placement.h). */
static double share_at(const struct model *m, const long point[3])
{
    const size_t at[3] = {(size_t)point[0], (size_t)point[1], (size_t)point[2]};
    if (m->grid.stencil != STENCIL_19_POINT)
        return 1.0;
    return 0.125 * __builtin_popcount(corner_at(m->voxels.set, at).pattern);
}

static int take_channel(struct air_points *a, const struct model *m, const struct channel *c, bool drives,
                        struct error *e)
{
    const size_t *n = m->grid.points;
    if (allocate(a, c->count, e))
        return -1;
    for (size_t q = 0; q < c->count; q++) {
        const uint64_t index = c->entries[q].point;
        a->point[q][0] = (long)(index % n[0]);
        a->point[q][1] = (long)(index / n[0] % n[1]);
        a->point[q][2] = (long)(index / n[0] / n[1]);
        a->weight[q] = c->entries[q].weight * (drives ? share_at(m, a->point[q]) : 1.0);
    }
    return 0;
}

/* Whether a stencil for pressure at this position reaches beyond the grid, where it was folded. */
static bool is_folded(const struct model *m, const double position[3])
{
    const double reach = point_stencil_radii[0].cells;
    bool folded = false;
    for (int axis = 0; axis < 3 && m->grid.stencil == STENCIL_19_POINT; axis++) {
        const double at = grid_place(&m->grid, position, axis);
        folded = folded || at < reach || at > (double)m->grid.voxels[axis] - reach;
    }
    return folded;
}

static int unfold(struct air_points *a, const struct model *m, const struct placement *p, struct error *e)
{
    struct point_stencil *stencil = malloc(sizeof *stencil);
    long base[3];
    int status = stencil ? stencil_unfolded(stencil, base, m, p, e) : fail(e, ERROR_MEMORY, "out of memory");
    status = status || allocate(a, stencil->count, e) ? -1 : 0;
    for (size_t q = 0; q < a->count && !status; q++) {
        for (int axis = 0; axis < 3; axis++)
            a->point[q][axis] = base[axis] + stencil->point[q][axis];
        a->weight[q] = p->scale * stencil->weight[q];
    }
    free(stencil);
    return status;
}

int free_points_of_drive(struct air_points *a, const struct model *m, size_t source, size_t drive, struct error *e)
{
    const struct source *s = &m->room->sources[source];
    const struct placement p = source_placement(m, source);
    *a = (struct air_points){0};
    if (s->directivity == DIRECTIVITY_OMNI && is_folded(m, s->position))
        return unfold(a, m, &p, e);
    return take_channel(a, m, &m->sources[drive].channel, true, e);
}

int free_points_of_tap(struct air_points *a, const struct model *m, size_t receiver, size_t tap, struct error *e)
{
    const struct receiver *r = &m->room->receivers[receiver];
    const size_t place = receiver_place_count(r) > 1 ? tap - room_first_tap(m->room, receiver) : 0;
    const struct placement p = receiver_placement(m, receiver, place);
    *a = (struct air_points){0};
    if (receiver_records(r) == RECORDS_PRESSURE && is_folded(m, p.position))
        return unfold(a, m, &p, e);
    return take_channel(a, m, &m->receivers[tap].channel, false, e);
}
