/* SPDX-License-Identifier: MIT */
#include "room/grid/placement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "room/grid/field_placement.h"
#include "room/grid/receivers.h"
#include "room/grid/sources.h"
#include "room/grid/stencil_placement.h"
#include "solver/schemes/leapfrog/corners.h"

/* Tolerance in spacings, so that positions written as (i + ½) X use one point. */
static const double on_point = 1e-6;

int placement_refuse(const struct placement *p, struct error *e, const char *reason)
{
    char where[512];
    origin_text(p->origin, "", where, sizeof where);
    return fail(e, ERROR_INPUT, "%s%s%s %s at (%g, %g, %g) m %s", where, *where ? ": " : "", p->what, p->name,
                p->position[0], p->position[1], p->position[2], reason);
}

static const char held[] = "lies in a layer with p = 0, not in the air; move it";

static int refuse_outside(const struct model *m, const struct placement *p, int axis, struct error *e)
{
    const struct grid *g = &m->grid;
    char reason[256];
    snprintf(reason, sizeof reason, "lies outside the room, which spans %.6g to %.6g m along %c", g->origin[axis],
             g->origin[axis] + g->size[axis], "xyz"[axis]);
    return placement_refuse(p, e, reason);
}

static int check_bounds(const struct model *m, const struct placement *p, struct error *e)
{
    const struct grid *g = &m->grid;
    for (int axis = 0; axis < 3; axis++) {
        /* rounding to whole cells may have shortened the room by half a cell */
        const double slack = fmax(0.0, -g->rounding[axis]) + on_point * g->spacing;
        const double at = p->position[axis] - g->origin[axis];
        if (!(at >= 0.0 && at <= g->size[axis] + slack))
            return refuse_outside(m, p, axis, e);
        for (int upper = 0; upper < 2 && room_form(m->room) == ROOM_BOX; upper++) {
            const double nearest = round(at / g->spacing - 0.5), last = (double)g->voxels[axis] - 1.0;
            if (room_voxels_has_layer(g, m->room, 2 * axis + upper) && (upper ? nearest >= last : nearest <= 0.0))
                return placement_refuse(p, e, held);
        }
    }
    if (room_form(m->room) == ROOM_POLYGON && !room_spans(m->room, p->position))
        return placement_refuse(p, e, "lies outside the room's floor plan or above its ceiling; move it into the room");
    return 0;
}

static int check_place(const struct model *m, const struct placement *p, struct error *e)
{
    char reason[256], inside[OBJECT_NAME];
    if (check_bounds(m, p, e))
        return -1;
    const size_t object = room_object_at(m->room, p->position);
    if (object == m->room->object_count)
        return 0;
    snprintf(reason, sizeof reason, "lies inside %s; move it or the object", room_object_name(m->room, object, inside));
    return placement_refuse(p, e, reason);
}

int placement_check(const struct model *m, struct error *e)
{
    const struct room *room = m->room;
    for (size_t i = 0; i < room->source_count; i++) {
        const struct source *s = &room->sources[i];
        if (check_place(m, &(struct placement){"source", s->name, &s->origin, s->position, .scale = 1.0}, e))
            return -1;
    }
    for (size_t i = 0; i < room->receiver_count; i++) {
        const struct receiver *r = &room->receivers[i];
        for (size_t k = 0; k < receiver_place_count(r); k++)
            if (check_place(m, &(struct placement){"receiver", r->name, &r->origin, receiver_place(r, k), .scale = 1.0},
                            e))
                return -1;
    }
    return 0;
}

/* The eight voxels around a position: bit dx + 2 dy + 4 dz of those at base + (dx, dy, dz). */
struct eight {
    size_t base[3], points[3];
    double fraction[3];
    unsigned inside; /* in the grid */
};

static void find_block(struct eight *b, const struct grid *g, const double position[3])
{
    *b = (struct eight){.inside = 0};
    for (int axis = 0; axis < 3; axis++) {
        double u = grid_place(g, position, axis) - 0.5;
        if (fabs(u - round(u)) < on_point)
            u = round(u);
        /* beyond the outermost points: weight 1 for these, as missing points are left out */
        u = fmin(fmax(u, 0.0), (double)g->points[axis] - 1.0);
        b->base[axis] = (size_t)floor(u);
        b->points[axis] = g->points[axis];
        b->fraction[axis] = u - floor(u);
    }
    for (unsigned corner = 0; corner < 8; corner++) {
        bool inside = true;
        for (int axis = 0; axis < 3; axis++)
            inside = inside && b->base[axis] + (corner >> axis & 1u) < g->points[axis];
        b->inside |= (unsigned)inside << corner;
    }
}

static double weight_of(const struct eight *b, unsigned corner)
{
    double weight = 1.0;
    for (int axis = 0; axis < 3; axis++)
        weight *= corner >> axis & 1u ? b->fraction[axis] : 1.0 - b->fraction[axis];
    return b->inside >> corner & 1u ? weight : 0.0;
}

/* The bit of a voxel of the block; 0: it is not in it. */
static unsigned bit_of(const struct eight *b, const size_t voxel[3])
{
    unsigned corner = 0;
    for (int axis = 0; axis < 3; axis++) {
        if (voxel[axis] < b->base[axis] || voxel[axis] > b->base[axis] + 1)
            return 0;
        corner |= (unsigned)(voxel[axis] - b->base[axis]) << axis;
    }
    return 1u << corner;
}

/* That voxel alone: where the block is solid, or behind a thin sheet. */
static void block_of_one(struct eight *b, const size_t voxel[3])
{
    memcpy(b->base, voxel, sizeof b->base);
    memset(b->fraction, 0, sizeof b->fraction);
    b->inside = 1;
}

/* Of the air of the block what is joined through faces to a bit of it. */
static unsigned joined_with(unsigned bit, unsigned air)
{
    static const unsigned lower[3] = {0x55u, 0x33u, 0x0fu};
    unsigned joined = bit & air, before;
    do {
        before = joined;
        for (int axis = 0; axis < 3; axis++)
            joined |= (((joined & lower[axis]) << (1 << axis)) | ((joined & ~lower[axis]) >> (1 << axis))) & air;
    } while (joined != before);
    return joined;
}

static unsigned air_of(const struct eight *b, const struct model *m, const size_t *home)
{
    const struct voxel_set *set = m->voxels.set;
    unsigned air = 0, start = home ? bit_of(b, home) : 0;
    if (!set)
        return b->inside;
    for (unsigned corner = 0; corner < 8; corner++)
        if (voxel_set_is_air(set, b->base[0] + (corner & 1u), b->base[1] + (corner >> 1 & 1u),
                             b->base[2] + (corner >> 2)))
            air |= 1u << corner;
    return start & air ? joined_with(start, air) : air;
}

static int place_trilinear(struct placed *placed, const struct model *m, const struct placement *p, struct error *e)
{
    const struct grid *g = &m->grid;
    struct eight b;
    find_block(&b, g, p->position);
    if (m->voxels.set && p->voxel && !bit_of(&b, p->voxel))
        block_of_one(&b, p->voxel);
    const unsigned air = air_of(&b, m, p->voxel);
    placed->channel.entries = calloc(8, sizeof *placed->channel.entries);
    if (!placed->channel.entries)
        return fail(e, ERROR_MEMORY, "out of memory");
    double total = 0.0;
    for (unsigned corner = 0; corner < 8; corner++) {
        const double weight = weight_of(&b, corner);
        if (weight == 0.0 || !(air >> corner & 1u))
            continue;
        const size_t at[3] = {b.base[0] + (corner & 1u), b.base[1] + (corner >> 1 & 1u), b.base[2] + (corner >> 2)};
        placed->channel.entries[placed->channel.count++] = (struct channel_entry){
            .point = ((uint64_t)at[2] * g->points[1] + at[1]) * g->points[0] + at[0], .weight = weight};
        total += weight;
        for (int axis = 0; axis < 3; axis++)
            placed->position[axis] += weight * ((double)at[axis] + 0.5) * g->spacing;
    }
    if (!(total > 0.0)) { /* in a gap below the grid's resolution */
        free(placed->channel.entries);
        memset(placed, 0, sizeof *placed);
        return placement_refuse(p, e, "has no grid point in the air around it; move it, or use a finer grid");
    }
    for (size_t i = 0; i < placed->channel.count; i++)
        placed->channel.entries[i].weight *= p->scale / total;
    for (int axis = 0; axis < 3; axis++)
        placed->position[axis] = g->origin[axis] + placed->position[axis] / total;
    return 0;
}

/* Whether the voxel nearest to a position is held at p = 0, as a fixed object is. */
static bool is_held(const struct model *m, const double position[3])
{
    size_t nearest[3];
    for (int axis = 0; axis < 3; axis++) {
        const double n = round(grid_place(&m->grid, position, axis) - 0.5);
        nearest[axis] = (size_t)fmin(fmax(n, 0.0), (double)m->grid.voxels[axis] - 1.0);
    }
    return m->voxels.set && room_voxels_is_fixed(m->voxels.set, nearest);
}

static bool is_on_point(const struct model *m, const double position[3])
{
    bool on = true;
    for (int axis = 0; axis < 3; axis++) {
        const double u = grid_place(&m->grid, position, axis) - 0.5;
        on = on && fabs(u - round(u)) < on_point;
    }
    return on;
}

int placement_make(struct placed *placed, struct model *m, const struct placement *p, struct error *e)
{
    bool made = false;
    memset(placed, 0, sizeof *placed);
    if (stop_check(e))
        return -1;
    if (m->grid.stencil == STENCIL_19_POINT)
        return stencil_place(placed, m, p, e);
    if (is_held(m, p->position))
        return placement_refuse(p, e, held);
    if (!is_on_point(m, p->position) && field_pressure_place(placed, &made, m, p, e))
        return -1;
    return made ? 0 : place_trilinear(placed, m, p, e);
}

static int allocate(struct air_points *a, size_t count, struct error *e)
{
    *a = (struct air_points){count, malloc((count + 1) * sizeof *a->point), malloc((count + 1) * sizeof *a->weight)};
    if (a->point && a->weight)
        return 0;
    air_points_free(a);
    return fail(e, ERROR_MEMORY, "out of memory");
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
