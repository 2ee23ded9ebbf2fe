#include "model/placement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/stencil_placement.h"

/* Tolerance in spacings, so that positions written as (i + ½) X use one point. */
static const double on_point = 1e-6;

int placement_refuse(const struct placement *p, struct error *e, const char *reason)
{
    char where[512];
    origin_text(p->origin, "", where, sizeof where);
    return fail(e, ERROR_INPUT, "%s%s%s %s at (%g, %g, %g) m %s", where, *where ? ": " : "", p->what, p->name,
                p->position[0], p->position[1], p->position[2], reason);
}

/* Refuses positions outside the box and inside objects. */
static int check_place(const struct model *m, const struct placement *p, struct error *e)
{
    const struct grid *g = &m->grid;
    char reason[256], inside[OBJECT_NAME];
    for (int axis = 0; axis < 3; axis++) {
        /* rounding to whole cells may have shortened the room by half a cell */
        const double slack = fmax(0.0, -g->rounding[axis]) + on_point * g->spacing;
        if (p->position[axis] >= 0.0 && p->position[axis] <= g->size[axis] + slack)
            continue;
        snprintf(reason, sizeof reason, "lies outside the room, which spans 0 to %.6g m along %c", g->size[axis],
                 "xyz"[axis]);
        return placement_refuse(p, e, reason);
    }
    const size_t object = room_object_at(m->voxels.room, p->position);
    if (object == m->voxels.room->object_count)
        return 0;
    snprintf(reason, sizeof reason, "lies inside %s, not in the air: move it or the object",
             room_object_name(m->voxels.room, object, inside));
    return placement_refuse(p, e, reason);
}

static int place_trilinear(struct placed *placed, const struct model *m, const struct placement *p, struct error *e)
{
    const struct voxels *v = &m->voxels;
    const struct grid *g = &m->grid;
    double base[3], fraction[3];
    size_t nearest[3];
    for (int axis = 0; axis < 3; axis++) {
        double u = p->position[axis] / g->spacing - 0.5, last = (double)g->points[axis] - 1.0;
        if (fabs(u - round(u)) < on_point)
            u = round(u);
        /* beyond the outermost points: weight 1 for these, as missing points are left out */
        u = fmin(fmax(u, 0.0), last);
        base[axis] = floor(u);
        fraction[axis] = u - base[axis];
        double n = round(u);
        nearest[axis] = (size_t)(n < 0.0 ? 0.0 : n > last ? last : n);
    }
    if (voxels_cell(v, nearest[0], nearest[1], nearest[2]) == CELL_FIXED)
        return placement_refuse(p, e, "lies in a layer held at p = 0, not in the air: move it");
    placed->channel.entries = calloc(8, sizeof *placed->channel.entries);
    if (!placed->channel.entries)
        return fail(e, ERROR_MEMORY, "out of memory");
    double total = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1.0, index[3];
        bool inside = true;
        for (int axis = 0; axis < 3; axis++) {
            int upper = corner >> axis & 1;
            weight *= upper ? fraction[axis] : 1.0 - fraction[axis];
            index[axis] = base[axis] + upper;
            inside = inside && index[axis] >= 0.0 && index[axis] < (double)g->points[axis];
        }
        if (!inside || weight == 0.0)
            continue;
        size_t at[3] = {(size_t)index[0], (size_t)index[1], (size_t)index[2]};
        if (voxels_cell(v, at[0], at[1], at[2]) != CELL_AIR)
            continue;
        placed->channel.entries[placed->channel.count++] = (struct channel_entry){
            .point = ((uint64_t)at[2] * g->points[1] + at[1]) * g->points[0] + at[0], .weight = weight};
        total += weight;
        for (int axis = 0; axis < 3; axis++)
            placed->position[axis] += weight * (index[axis] + 0.5) * g->spacing;
    }
    if (!(total > 0.0)) { /* in a gap below the grid's resolution */
        free(placed->channel.entries);
        memset(placed, 0, sizeof *placed);
        return placement_refuse(p, e, "has no air point of the grid around it: move it, or raise grid.rate");
    }
    for (size_t i = 0; i < placed->channel.count; i++)
        placed->channel.entries[i].weight *= p->scale / total;
    for (int axis = 0; axis < 3; axis++)
        placed->position[axis] /= total;
    return 0;
}

int placement_make(struct placed *placed, struct model *m, const struct placement *p, struct error *e)
{
    memset(placed, 0, sizeof *placed);
    if (check_place(m, p, e))
        return -1;
    return m->grid.stencil == STENCIL_19_POINT ? stencil_place(placed, m, p, e) : place_trilinear(placed, m, p, e);
}
