/* SPDX-License-Identifier: MIT */
#include "geometry/leaks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/erosion.h"
#include "geometry/leak_way.h"
#include "geometry/source_voxels.h"

/* Voxels of padding around the lattice, which connect the outside and limit the clearance that is
 * searched. Larger values serve lattices of few rows; wider holes are searched on a coarser
 * lattice. */
enum { REACH_MIN = 24, REACH_MAX = 160, ROWS_MANY = 40000, TOO_WIDE = 2 };

struct search {
    struct room_cuts cuts;
    const struct lattice *lattice;
    size_t source[3]; /* moves inwards as clearance grows */
    int reach;        /* greatest clearance */
    /* Where walls all vanish at once, as in a corridor without an end, the source may move to the outside. So when it
     * first moves far, the hole is kept that is found if it stays. NULL: a hole was found; of size 0: it has not moved
     * far. */
    struct voxel_leak *stay;
};

/* Returns 1 if the source is connected to the outside in g, 0 if not, -1 when out of memory. */
static int is_joined(const struct search *s, const struct regions *g)
{
    const uint32_t run = regions_run_at(g, s->source);
    bool *outside = leak_outside_parts(g);
    if (!outside)
        return -1;
    const int joined = run != NO_RUN && outside[g->part[run]];
    free(outside);
    return joined;
}

/* ---- positions */

/* Calls see(context, point, triangle) for each point, in voxels, at which a triangle crosses a
 * link. */
static void visit_crossings(const struct room_cuts *r,
                            void (*see)(void *context, const double at[3], const struct snapped_triangle *triangle),
                            void *context)
{
    for (int axis = 0; axis < 3; axis++)
        for (size_t row = 0; row < r->count[1] * r->count[2]; row++)
            for (uint32_t i = r->crossings.start[axis][row]; i < r->crossings.start[axis][row + 1]; i++) {
                const crossing c = r->crossings.at[axis][i];
                double at[3] = {crossing_x(c) + 0.5, (double)(row % r->count[1]) + 0.5,
                                (double)(row / r->count[1]) + 0.5};
                if (crossing_is_seal(c) || crossing_element(c) >= r->snapped.count)
                    continue; /* beyond an edge, or of a thin solid */
                at[axis] += crossing_place(c) / (double)SNAP_UNITS;
                see(context, at, &r->snapped.triangles[crossing_element(c)]);
            }
}

/* The surroundings of a point: crossings of triangles hardly farther away than the nearest. */
struct rim {
    double centre[3], nearest; /* voxels; its square */
    const struct snapped_triangle *triangle;
    double at[3]; /* on it */
    bool flat;    /* all of them lie in its plane */
};

static double squared_distance(const double a[3], const double b[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sum;
}

static double off_plane(const struct rim *rim, const double at[3])
{
    double off = 0.0;
    for (int k = 0; k < 3; k++)
        off += rim->triangle->normal[k] * (at[k] - rim->at[k]);
    return off;
}

static void see_nearest(void *context, const double at[3], const struct snapped_triangle *triangle)
{
    struct rim *rim = context;
    const double distance = squared_distance(at, rim->centre);
    if (rim->triangle && distance >= rim->nearest)
        return;
    rim->nearest = distance;
    rim->triangle = triangle;
    memcpy(rim->at, at, sizeof rim->at);
}

static void see_rim(void *context, const double at[3], const struct snapped_triangle *triangle)
{
    struct rim *rim = context;
    const double reach = sqrt(rim->nearest) + 1.0, *n = rim->triangle->normal, *m = triangle->normal;
    if (squared_distance(at, rim->centre) < reach * reach)
        rim->flat =
            rim->flat && fabs(n[0] * m[0] + n[1] * m[1] + n[2] * m[2]) > 0.999 && fabs(off_plane(rim, at)) < 0.5;
}

/* If the surfaces nearest to a position lie in one plane, the opening lies in that plane, and the
 * position is moved there. Returns the distance moved, in voxels; -1: they do not lie in one plane,
 * as in a passage with an open end. */
static double move_to_plane(double moved[3], const struct room_cuts *r, const size_t at[3])
{
    struct rim rim = {.flat = true};
    for (int k = 0; k < 3; k++)
        rim.centre[k] = (double)at[k] + 0.5;
    visit_crossings(r, see_nearest, &rim);
    if (!rim.triangle)
        return -1.0;
    visit_crossings(r, see_rim, &rim);
    const double off = off_plane(&rim, rim.centre);
    for (int k = 0; k < 3; k++)
        moved[k] = r->lattice->origin[k] +
                   (rim.centre[k] - off * rim.triangle->normal[k] - (double)r->shift) * r->lattice->spacing;
    return rim.flat ? fabs(off) : -1.0;
}

/* Among the positions on a path, the one nearest to the plane of its surroundings, the middle one
 * first; or else the mouth. */
static void place_leak(double place[3], const struct room_cuts *r, const struct leak_way *way)
{
    double least = INFINITY;
    cuts_place(place, r, way->mouth);
    for (int i = 0; i < LEAK_WAY_PLACES; i++) {
        double moved[3];
        const int at = LEAK_WAY_PLACES / 2 + (i % 2 ? -(i + 1) / 2 : i / 2);
        const double off = move_to_plane(moved, r, way->places[at]);
        if (off >= 0.0 && off < least) {
            least = off;
            memcpy(place, moved, sizeof moved);
        }
        if (i == 0 && off >= 0.0)
            break; /* as in most cases */
    }
}

static void note_leak(struct voxel_leak *leak, const struct search *s, const struct leak_way *way, int clearance)
{
    place_leak(leak->place, &s->cuts, way);
    leak->size = (clearance ? 2.0 * clearance : 1.0) * s->lattice->spacing;
}

/* ---- all holes */

/* Moves the source into `wide`. Returns the result of is_joined there; 0: no path leads there. */
static int move_source(struct search *s, const struct regions *narrow, const struct regions *wide,
                       const struct room_cuts *cuts, int clearance)
{
    struct leak_way way;
    const size_t before[3] = {s->source[0], s->source[1], s->source[2]};
    const int steps = leak_move_inwards(s->source, narrow, wide, cuts);
    if (steps > LEAK_STEPS_FAR)
        return 0;
    if (steps > LEAK_STEPS_NEAR && s->stay && s->stay->size == 0.0) {
        const int found = leak_find_way(&way, before, narrow, wide, cuts);
        if (found < 0)
            return -1;
        if (found)
            note_leak(s->stay, s, &way, clearance);
    }
    return is_joined(s, wide);
}

/* Finds the widest hole and its clearance in `air`, which connects source and outside. Returns 1:
 * found; 0: not found; TOO_WIDE; -1: failed. */
static int widest(struct leak_way *way, int *clearance, struct search *s, const struct regions *air, struct error *e)
{
    struct regions levels[2] = {{.rows = 0}, {.rows = 0}};
    const struct regions *narrow = air;
    int joined = 1;
    for (*clearance = 0; joined == 1; ++*clearance) {
        struct regions *wide = &levels[*clearance % 2];
        const struct room_cuts *cuts = *clearance ? NULL : &s->cuts;
        regions_free(wide);
        if (erode(wide, narrow, cuts, e)) {
            joined = -2; /* *e says why */
            break;
        }
        joined = move_source(s, narrow, wide, cuts, *clearance);
        if (joined == 0) {
            joined = leak_find_way(way, s->source, narrow, wide, cuts);
            break;
        }
        if (joined == 1 && *clearance == s->reach)
            joined = TOO_WIDE;
        narrow = wide;
    }
    regions_free(&levels[0]);
    regions_free(&levels[1]);
    if (joined == -1)
        return fail(e, ERROR_MEMORY, "out of memory");
    return joined < 0 ? -1 : joined;
}

/* Removes the voxels around a hole from the air. */
static int plug(struct regions *air, const struct room_cuts *cuts, const size_t hole[3], int clearance, struct error *e)
{
    const size_t reach = (size_t)clearance + 2, width = 2 * reach + 1;
    uint64_t *voxels = malloc(width * width * width * sizeof *voxels);
    size_t count = 0;
    if (!voxels)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < width * width * width; i++) {
        const size_t at[3] = {hole[0] + i % width - reach, hole[1] + i / width % width - reach,
                              hole[2] + i / width / width - reach};
        if (at[0] < air->count[0] && at[1] < air->count[1] && at[2] < air->count[2])
            voxels[count++] = regions_index(air, at);
    }
    const int status = regions_remove(air, voxels, count, e) || regions_join(air, &cuts->crossings, e);
    free(voxels);
    return status ? -1 : 0;
}

static int find_all(struct voxel_report *report, struct search *s, struct error *e)
{
    struct regions *air = &s->cuts.air;
    for (report->leak_count = 0; report->leak_count < VOXEL_LEAKS;) {
        struct leak_way way;
        size_t source[3];
        int clearance;
        memcpy(source, s->source, sizeof source);
        const int joined = is_joined(s, air);
        if (joined < 0)
            return fail(e, ERROR_MEMORY, "out of memory");
        const int found = joined ? widest(&way, &clearance, s, air, e) : 0;
        if (found != 1)
            return found == TOO_WIDE && report->leak_count > 0 ? 0 : found;
        note_leak(&report->leaks[report->leak_count++], s, &way, clearance);
        s->stay = NULL;
        if (plug(air, &s->cuts, way.places[LEAK_WAY_PLACES / 2], clearance, e))
            return -1;
        if (regions_run_at(air, source) != NO_RUN) /* else on from where it has moved to */
            memcpy(s->source, source, sizeof source);
    }
    return 0;
}

/* No hole is wider than the second of the three extents. */
static int reach_for(const struct lattice *l)
{
    const size_t *n = l->count, least = n[0] < n[1] ? n[0] : n[1], most = n[0] < n[1] ? n[1] : n[0];
    const size_t second = n[2] < least ? least : n[2] < most ? n[2] : most, reach = second / 2 + 2;
    const size_t end = n[1] * n[2] < ROWS_MANY ? REACH_MAX : REACH_MIN;
    return (int)(reach < REACH_MIN ? REACH_MIN : reach > end ? end : reach);
}

/* 0: done; TOO_WIDE; -1: failed. */
static int find_on(struct voxel_report *report, struct voxel_leak *stay, const struct surface *surface,
                   const struct lattice *lattice, const double source[3], double seal, int threads, struct error *e)
{
    struct search s = {.lattice = lattice, .reach = reach_for(lattice), .stay = stay};
    struct room_cuts *r = &s.cuts;
    r->threads = threads;
    int status =
        cuts_find(r, surface, lattice, (size_t)s.reach, seal, e) || regions_join(&r->air, &r->crossings, e) ? -1 : 0;
    if (!status && source_voxel_run(s.source, r, source) != NO_RUN)
        status = find_all(report, &s, e);
    cuts_free(r);
    return status;
}

int leaks_find(struct voxel_report *report, const struct surface *surface, const struct lattice *lattice,
               const double source[3], double seal, int threads, struct error *e)
{
    struct lattice coarse = *lattice;
    struct voxel_leak stay = {.size = 0.0};
    int status = find_on(report, &stay, surface, &coarse, source, seal, threads, e);
    while (status == TOO_WIDE && coarse.count[0] + coarse.count[1] + coarse.count[2] > 3 * REACH_MIN) {
        coarse.spacing *= 2.0;
        for (int k = 0; k < 3; k++)
            coarse.count[k] = (coarse.count[k] + 1) / 2;
        status = find_on(report, &stay, surface, &coarse, source, seal, threads, e);
    }
    if (status >= 0 && report->leak_count == 0 && stay.size > 0.0)
        report->leaks[report->leak_count++] = stay;
    return status < 0 ? -1 : 0;
}
