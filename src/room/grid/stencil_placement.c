/* SPDX-License-Identifier: MIT */
#include "room/grid/stencil_placement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "room/grid/point_stencil.h"
#include "solver/schemes/leapfrog/corners.h"

/* Tolerance in cells, so that positions written as i X use one point. */
static const double on_point = 1e-6;

/* A position and the voxels around it. Beyond an end of the grid, where there is no air, the field is its mirror image:
 * a ball of air meets that end at walls alone. */
struct site {
    const struct voxel_set *voxels; /* NULL: all is air */
    const struct grid *grid;
    bool fixed[FACES]; /* the walls at this end are held at p = 0 */
    double at[3];      /* position, cells */
    long home[3];      /* an air voxel that holds it */
};

static long count_along(const struct site *s, int axis)
{
    return (long)s->grid->voxels[axis];
}

/* Index of the point within the box of which point `index` is the mirror image, one wall after the other in a small
 * room; *sign changes at fixed walls. */
static long fold_point(const struct site *s, int axis, long index, double *sign)
{
    const long last = count_along(s, axis);
    while (index < 0 || index > last) {
        const int wall = 2 * axis + (index > last);
        *sign = s->fixed[wall] ? -*sign : *sign;
        index = index < 0 ? -index : 2 * last - index;
    }
    return index;
}

static long fold_voxel(const struct site *s, int axis, long index)
{
    const long count = count_along(s, axis);
    while (index < 0 || index >= count)
        index = index < 0 ? -1 - index : 2 * count - 1 - index;
    return index;
}

/* Whether a voxel in the grid, or its mirror image beyond, is air. */
static bool air_at(const struct site *s, const long voxel[3])
{
    return !s->voxels || voxel_set_is_air(s->voxels, (size_t)fold_voxel(s, 0, voxel[0]),
                                          (size_t)fold_voxel(s, 1, voxel[1]), (size_t)fold_voxel(s, 2, voxel[2]));
}

/* Whether air around the position meets an end of the grid at p = 0. */
static bool end_is_fixed(const struct site *s, int wall)
{
    const int b = (wall / 2 + 1) % 3, c = (wall / 2 + 2) % 3;
    const long reach = (long)ceil(point_stencil_radii[0].cells) + 1;
    long voxel[3];
    voxel[wall / 2] = wall % 2 ? count_along(s, wall / 2) - 1 : 0;
    for (long i = -reach; i <= reach; i++)
        for (long k = -reach; k <= reach; k++) {
            voxel[b] = fold_voxel(s, b, (long)floor(s->at[b]) + i);
            voxel[c] = fold_voxel(s, c, (long)floor(s->at[c]) + k);
            const struct face_run *face =
                voxel_set_face(s->voxels, (size_t)voxel[0], (size_t)voxel[1], (size_t)voxel[2], wall);
            if (face)
                return face->code == CELL_FIXED;
        }
    return false;
}

enum { NEAR = 27 };

/* Voxel i of those around the position's. */
static void near_voxel(long voxel[3], const struct site *s, int i)
{
    voxel[0] = (long)floor(s->at[0]) + i % 3 - 1;
    voxel[1] = (long)floor(s->at[1]) + i / 3 % 3 - 1;
    voxel[2] = (long)floor(s->at[2]) + i / 9 - 1;
}

/* Which of the voxels around the position are air that others of them join with `voxel`, in the grid; all that are air
 * where it is none of them. */
static void find_joined(bool joined[NEAR], const struct site *s, const size_t *voxel)
{
    static const int step[3] = {1, 3, 9};
    bool air[NEAR], any = false, more = true;
    for (int i = 0; i < NEAR; i++) {
        long at[3];
        near_voxel(at, s, i);
        bool inside = true, same = voxel != NULL;
        for (int axis = 0; axis < 3; axis++) {
            inside = inside && at[axis] >= 0 && at[axis] < count_along(s, axis);
            same = same && at[axis] == (long)voxel[axis];
        }
        air[i] = inside && air_at(s, at);
        joined[i] = air[i] && same;
        any = any || joined[i];
    }
    while (any && more) {
        more = false;
        for (int i = 0; i < NEAR; i++)
            for (int axis = 0; axis < 3 && air[i] && !joined[i]; axis++)
                if ((i / step[axis] % 3 > 0 && joined[i - step[axis]]) ||
                    (i / step[axis] % 3 < 2 && joined[i + step[axis]]))
                    joined[i] = more = true;
    }
    if (!any)
        memcpy(joined, air, sizeof air);
}

static bool is_near(const struct site *s, const size_t voxel[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (labs((long)voxel[axis] - (long)floor(s->at[axis])) > 1)
            return false;
    return true;
}

/* Finds the nearest voxel of air around the position, on its side of walls; of several that hold it, the first. False:
 * there is none, or the position is in or on fixed voxels, as *fixed says. */
static bool find_home(struct site *s, const size_t *seed, bool *fixed)
{
    double nearest = INFINITY;
    bool joined[NEAR];
    *fixed = false;
    if (seed && !is_near(s, seed)) { /* where what is around the position is solid, or behind a thin sheet */
        for (int axis = 0; axis < 3; axis++)
            s->home[axis] = (long)seed[axis];
        return true;
    }
    find_joined(joined, s, seed);
    for (int i = 0; i < NEAR; i++) {
        long voxel[3];
        near_voxel(voxel, s, i);
        const double distance = grid_voxel_distance_squared(s->at, voxel);
        const size_t at[3] = {(size_t)voxel[0], (size_t)voxel[1], (size_t)voxel[2]};
        *fixed = *fixed || (s->voxels && distance == 0.0 && room_voxels_is_fixed(s->voxels, at));
        if (!joined[i] || !(distance < nearest))
            continue;
        nearest = distance;
        memcpy(s->home, voxel, sizeof voxel);
    }
    return isfinite(nearest) && !*fixed;
}

/* Whether a ball around the position touches only air, in the box and in its mirror images. */
static bool is_clear(const struct site *s, double radius)
{
    long voxel[3], low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = (long)floor(s->at[axis] - radius);
        high[axis] = (long)floor(s->at[axis] + radius);
    }
    for (voxel[2] = low[2]; voxel[2] <= high[2]; voxel[2]++)
        for (voxel[1] = low[1]; voxel[1] <= high[1]; voxel[1]++)
            for (voxel[0] = low[0]; voxel[0] <= high[0]; voxel[0]++)
                if (grid_voxel_distance_squared(s->at, voxel) < radius * radius - on_point && !air_at(s, voxel))
                    return false;
    return true;
}

/* Whether voxels of air alone hold a place between the position and a point; a place on faces is in several voxels, of
 * which one is enough. */
static bool is_air(const struct site *s, const double place[3])
{
    for (int side = 0; side < 8; side++) {
        long voxel[3];
        bool holds = true;
        for (int axis = 0; axis < 3; axis++) {
            const bool lower = side >> axis & 1, face = fabs(place[axis] - round(place[axis])) < 1e-9;
            voxel[axis] = (long)(face ? round(place[axis]) : floor(place[axis])) - lower;
            holds = holds && (face || !lower);
        }
        if (holds && air_at(s, voxel))
            return true;
    }
    return false;
}

enum { CROSSINGS_MAX = 32 };

/* Finds where the straight line to a point crosses faces of voxels, as ascending fractions of its
 * length including both ends. Returns their number. */
static int find_crossings(double crossing[CROSSINGS_MAX], const struct site *s, const double point[3])
{
    int count = 2;
    crossing[0] = 0.0;
    crossing[1] = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        const double from = s->at[axis], way = point[axis] - from;
        for (double face = ceil(fmin(from, point[axis])); face <= fmax(from, point[axis]); face += 1.0)
            if (fabs(way) > 1e-9 && count < CROSSINGS_MAX)
                crossing[count++] = (face - from) / way;
    }
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && crossing[k] < crossing[k - 1]; k--) {
            const double swap = crossing[k];
            crossing[k] = crossing[k - 1];
            crossing[k - 1] = swap;
        }
    return count;
}

/* Whether the straight line from the position to a point passes only through air. */
static bool is_seen(const struct site *s, const double point[3])
{
    double crossing[CROSSINGS_MAX];
    const int count = find_crossings(crossing, s, point);
    for (int i = 1; i < count; i++) {
        const double middle = 0.5 * (crossing[i - 1] + crossing[i]);
        double place[3];
        for (int axis = 0; axis < 3; axis++)
            place[axis] = s->at[axis] + middle * (point[axis] - s->at[axis]);
        if (crossing[i] - crossing[i - 1] > 1e-9 && !is_air(s, place))
            return false;
    }
    return true;
}

/* Leaves out the points, counted from `base`, that objects hide. */
static void leave_out_hidden(struct point_stencil *stencil, const struct site *s, const long base[3])
{
    size_t kept = 0;
    for (size_t q = 0; q < stencil->count; q++) {
        double point[3];
        for (int axis = 0; axis < 3; axis++)
            point[axis] = (double)(base[axis] + stencil->point[q][axis]);
        if (is_seen(s, point))
            memmove(stencil->point[kept++], stencil->point[q], sizeof *stencil->point);
    }
    stencil->count = kept;
}

/* m: the share of air among the eight voxels at a point of the grid; 0: held at p = 0. */
static double share_of_air(const struct site *s, const long point[3])
{
    double share = 1.0;
    if (s->voxels)
        return 0.125 *
               __builtin_popcount(
                   corner_at(s->voxels, (size_t[]){(size_t)point[0], (size_t)point[1], (size_t)point[2]}).pattern);
    for (int axis = 0; axis < 3; axis++)
        share *= point[axis] == 0 || point[axis] == count_along(s, axis) ? 0.5 : 1.0;
    return share;
}

static int by_point(const void *a, const void *b)
{
    const uint64_t left = ((const struct channel_entry *)a)->point, right = ((const struct channel_entry *)b)->point;
    return left < right ? -1 : left > right;
}

/* Adds a weight to the entry of a point of the box, by its canonical index. */
static void add_entry(struct channel *c, uint64_t point, double weight)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->entries[i].point == point) {
            c->entries[i].weight += weight;
            return;
        }
    c->entries[c->count++] = (struct channel_entry){.point = point, .weight = weight};
}

/* Folds a stencil, whose points count from `base`, into the box. */
static void add_entries(struct channel *c, const struct site *s, const struct point_stencil *stencil,
                        const long base[3], const struct placement *p)
{
    for (size_t q = 0; q < stencil->count; q++) {
        long point[3];
        uint64_t index = 0;
        double weight = p->scale * stencil->weight[q];
        for (int axis = 2; axis >= 0; axis--) {
            point[axis] = fold_point(s, axis, base[axis] + stencil->point[q][axis], &weight);
            index = index * (uint64_t)(count_along(s, axis) + 1) + (uint64_t)point[axis];
        }
        const double share = share_of_air(s, point);
        if (share > 0.0)
            add_entry(c, index, p->drives ? weight / share : weight);
    }
    qsort(c->entries, c->count, sizeof *c->entries, by_point);
}

/* Makes the widest stencil that fits into the air around the position. NULL: out of memory. */
static const struct point_stencil_radius *make_stencil(struct point_stencil *stencil, long base[3],
                                                       const struct site *s, struct error *e)
{
    const struct point_stencil_radius *radius = point_stencil_radii;
    double fraction[3];
    bool single = true;
    for (int axis = 0; axis < 3; axis++) {
        base[axis] = (long)floor(s->at[axis]);
        fraction[axis] = s->at[axis] - (double)base[axis];
        single = single && fraction[axis] == 0.0;
    }
    if (single) {
        *stencil = (struct point_stencil){.count = 1, .weight = {1.0}};
        return radius;
    }
    while (!radius->partial && !is_clear(s, radius->cells))
        radius++;
    point_stencil_points(stencil, fraction, radius->cells);
    if (radius->partial)
        leave_out_hidden(stencil, s, base);
    return point_stencil_fit(stencil, fraction, e) ? NULL : radius;
}

static int note_radius(struct model *m, const struct placement *p, const struct point_stencil_radius *used,
                       struct error *e)
{
    const struct point_stencil_radius *widest = point_stencil_radii;
    if (used == widest)
        return 0;
    return lines_add(&m->notes, &m->note_count, e,
                     "%s %s is close to a surface and uses grid points within %g cells (%.3g m)%s instead of %g; down "
                     "to 4 points per wavelength its level is off by %+.2f to %+.2f dB instead of %+.2f to %+.2f dB",
                     p->what, p->name, used->cells, used->cells * m->grid.spacing,
                     used->partial ? " that the surface does not hide" : "", widest->cells, used->low, used->high,
                     widest->low, widest->high);
}

static void find_site(struct site *s, const struct model *m, const double position[3])
{
    *s = (struct site){.voxels = m->voxels.set, .grid = &m->grid};
    for (int axis = 0; axis < 3; axis++) {
        const double at = grid_place(&m->grid, position, axis);
        s->at[axis] = fabs(at - round(at)) < on_point ? round(at) : at;
        s->at[axis] = fmin(fmax(s->at[axis], 0.0), (double)count_along(s, axis));
    }
    for (int wall = 0; wall < FACES && s->voxels; wall++)
        s->fixed[wall] = end_is_fixed(s, wall);
}

static bool is_on_fixed_wall(const struct site *s)
{
    for (int wall = 0; wall < FACES; wall++)
        if (s->fixed[wall] && s->at[wall / 2] == (wall % 2 ? (double)count_along(s, wall / 2) : 0.0))
            return true;
    return false;
}

static const char held[] = "lies in a layer with p = 0, not in the air; move it";

/* The site of a position, moved out of the voxels of an object. */
static int settle(struct site *s, const struct model *m, const struct placement *p, struct error *e)
{
    bool fixed;
    find_site(s, m, p->position);
    if (is_on_fixed_wall(s))
        return placement_refuse(p, e, held);
    if (!find_home(s, p->voxel, &fixed))
        return placement_refuse(p, e,
                                fixed ? held : "has no grid point in the air around it; move it, or use a finer grid");
    for (int axis = 0; axis < 3; axis++)
        s->at[axis] = fmin(fmax(s->at[axis], (double)s->home[axis]), (double)s->home[axis] + 1.0);
    return 0;
}

int stencil_unfolded(struct point_stencil *stencil, long base[3], const struct model *m, const struct placement *p,
                     struct error *e)
{
    struct site s;
    return settle(&s, m, p, e) || !make_stencil(stencil, base, &s, e) ? -1 : 0;
}

bool stencil_sees(const struct model *m, const double from[3], const double to[3])
{
    struct site s = {.voxels = m->voxels.set, .grid = &m->grid};
    double point[3];
    for (int axis = 0; axis < 3; axis++) {
        s.at[axis] = grid_place(&m->grid, from, axis);
        point[axis] = grid_place(&m->grid, to, axis);
    }
    return is_seen(&s, point);
}

int stencil_place(struct placed *placed, struct model *m, const struct placement *p, struct error *e)
{
    struct site s;
    long base[3];
    if (settle(&s, m, p, e))
        return -1;
    for (int axis = 0; axis < 3; axis++)
        placed->position[axis] = m->grid.origin[axis] + s.at[axis] * m->grid.spacing;
    struct point_stencil *stencil = malloc(sizeof *stencil);
    const struct point_stencil_radius *radius = NULL;
    int status = -1;
    placed->channel.entries = calloc(POINT_STENCIL_MAX, sizeof *placed->channel.entries);
    if (!stencil || !placed->channel.entries)
        fail(e, ERROR_MEMORY, "out of memory");
    else if ((radius = make_stencil(stencil, base, &s, e))) {
        add_entries(&placed->channel, &s, stencil, base, p);
        status = placed->channel.count ? note_radius(m, p, radius, e) : placement_refuse(p, e, held);
    }
    free(stencil);
    if (status) {
        free(placed->channel.entries);
        memset(placed, 0, sizeof *placed);
    }
    return status;
}
