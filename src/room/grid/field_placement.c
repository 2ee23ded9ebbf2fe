/* SPDX-License-Identifier: MIT */
#include "room/grid/field_placement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/space/field_stencil.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "solver/schemes/leapfrog/corners.h"
#include "solver/schemes/leapfrog/leapfrog.h"

static const double LOWEST = 0.002;

static double wavenumber_7(double frequency, const double direction[3], double courant_squared)
{
    return cartesian7_wavenumber_along(courant_squared, frequency, direction);
}

static double wavenumber_19(double frequency, const double direction[3], double courant_squared)
{
    (void)courant_squared;
    return isotropic19_wavenumber_along(frequency, direction);
}

static double wavenumber_mapped(double frequency, const double direction[3], double courant_squared)
{
    (void)courant_squared;
    return isotropic19_wavenumber_along(isotropic19_grid_frequency(frequency), direction);
}

struct grid_waves field_waves_of(enum air_stencil stencil, double courant_squared, bool mapped, bool drives)
{
    struct grid_waves waves = {.courant_squared = courant_squared,
                               .lowest = LOWEST,
                               .trapezoid = true,
                               .penalty = {1e-4, 1e-6, 1e-6, 1e-6, 1e-6}};
    if (stencil == STENCIL_7_POINT) {
        waves.wavenumber = wavenumber_7;
        waves.highest = 0.08;
        return waves;
    }
    waves.penalty[3] = 3e-7; /* less: plane waves come out better, but a source 16 cells away worse than -20 dB */
    waves.penalty[4] = 1e-7;
    waves.highest = mapped ? 0.217 : 0.178;
    waves.wavenumber = wavenumber_19;
    if (mapped && !drives) {
        waves.wavenumber = wavenumber_mapped;
        waves.trapezoid = false;
    }
    return waves;
}

double field_radius(enum air_stencil stencil, int order)
{
    /* 4.35: with 4.0, a position between points lacks those 4 cells away along an axis, and nulls of order 1 on the
     * mapped grid rise from -62 to -50 dB */
    if (order == 0)
        return 2.0; /* pressure alone: -54 dB, level within 0.02 dB */
    return stencil == STENCIL_19_POINT || order > 3 ? 4.35 : 3.2;
}

/* Tolerance in cells. */
static const double same_place = 1e-6;

/* A position, the voxel of air that holds it, and the flat walls around. */
struct site {
    const struct voxel_set *voxels; /* NULL: all of the box is air */
    const struct grid *grid;
    double at[3]; /* cells */
    long home[3];
    long corner[3];            /* of the cell of points that holds it, counted in points */
    double radius;             /* cells */
    double lower[3], upper[3]; /* cells: walls along the grid; infinite where there is none within the radius */
};

static bool is_air(const struct site *s, const long voxel[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (voxel[axis] < 0 || voxel[axis] >= (long)s->grid->voxels[axis])
            return false;
    return !s->voxels || voxel_set_is_air(s->voxels, (size_t)voxel[0], (size_t)voxel[1], (size_t)voxel[2]);
}

static bool find_home(struct site *s, const struct placement *p)
{
    for (int axis = 0; axis < 3; axis++) {
        const double at = grid_place(s->grid, p->position, axis), last = (double)s->grid->voxels[axis];
        s->at[axis] = fmin(fmax(at, 0.0), last);
        s->home[axis] = p->voxel ? (long)p->voxel[axis] : (long)fmin(floor(s->at[axis]), last - 1.0);
    }
    return is_air(s, s->home) && sqrt(grid_voxel_distance_squared(s->at, s->home)) <= same_place;
}

/* Walls that steps along an axis from the position's voxel meet within the radius. */
static void find_walls(struct site *s)
{
    const long reach = (long)ceil(s->radius) + 1;
    for (int axis = 0; axis < 3; axis++) {
        long voxel[3] = {s->home[0], s->home[1], s->home[2]};
        s->lower[axis] = -INFINITY;
        s->upper[axis] = INFINITY;
        for (long step = 1; step <= reach && isinf(s->lower[axis]); step++) {
            voxel[axis] = s->home[axis] - step;
            if (!is_air(s, voxel))
                s->lower[axis] = (double)voxel[axis] + 1.0;
        }
        for (long step = 1; step <= reach && isinf(s->upper[axis]); step++) {
            voxel[axis] = s->home[axis] + step;
            if (!is_air(s, voxel))
                s->upper[axis] = (double)voxel[axis];
        }
        s->lower[axis] = s->at[axis] - s->lower[axis] < s->radius ? s->lower[axis] : -INFINITY;
        s->upper[axis] = s->upper[axis] - s->at[axis] < s->radius ? s->upper[axis] : INFINITY;
    }
}

/* How many walls a voxel is beyond; *next: it is in the first layer behind the one. */
static int walls_before(const struct site *s, const long voxel[3], bool *next)
{
    int count = 0;
    *next = false;
    for (int axis = 0; axis < 3; axis++) {
        const double low = (double)voxel[axis];
        const bool below = low<s->lower[axis], above = low + 1.0> s->upper[axis];
        count += below || above;
        *next = *next || (below && low + 1.0 == s->lower[axis]) || (above && low == s->upper[axis]);
    }
    return count;
}

/* Whether, within the radius, all is air between the walls and nothing is right behind each of them. */
static bool is_clear(const struct site *s)
{
    long voxel[3], low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = (long)floor(s->at[axis] - s->radius);
        high[axis] = (long)floor(s->at[axis] + s->radius);
    }
    for (voxel[2] = low[2]; voxel[2] <= high[2]; voxel[2]++)
        for (voxel[1] = low[1]; voxel[1] <= high[1]; voxel[1]++)
            for (voxel[0] = low[0]; voxel[0] <= high[0]; voxel[0]++) {
                bool next;
                const int walls = walls_before(s, voxel, &next);
                if (sqrt(grid_voxel_distance_squared(s->at, voxel)) >= s->radius - same_place || walls > 1 ||
                    (walls == 1 && !next))
                    continue;
                if (is_air(s, voxel) != (walls == 0))
                    return false;
            }
    return true;
}

/* The share of air among the eight voxels at a point of a 19-point grid; 1 on others. */
static double share_of_air(const struct site *s, const long point[3])
{
    double share = 1.0;
    if (s->grid->stencil != STENCIL_19_POINT)
        return 1.0;
    if (s->voxels)
        return 0.125 *
               __builtin_popcount(
                   corner_at(s->voxels, (size_t[]){(size_t)point[0], (size_t)point[1], (size_t)point[2]}).pattern);
    for (int axis = 0; axis < 3; axis++)
        share *= point[axis] == 0 || point[axis] == (long)s->grid->voxels[axis] ? 0.5 : 1.0;
    return share;
}

static void add_point(struct field_cloud *cloud, const struct site *s, const long point[3])
{
    struct field_stencil *stencil = &cloud->stencil;
    const double half = s->grid->stencil == STENCIL_19_POINT ? 0.0 : 0.5;
    double squares = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double place = (double)point[axis] + half, apart = place - s->at[axis];
        squares += apart * apart;
        if (point[axis] < 0 || point[axis] >= (long)s->grid->points[axis] || place < s->lower[axis] ||
            place > s->upper[axis])
            return;
    }
    if (squares > s->radius * s->radius + 1e-9 || stencil->count == FIELD_POINTS_MAX)
        return;
    const double share = share_of_air(s, point);
    if (!(share > 0.0)) /* held at p = 0 */
        return;
    const size_t *n = s->grid->points;
    for (int axis = 0; axis < 3; axis++)
        stencil->point[stencil->count][axis] = (int)(point[axis] - s->corner[axis]);
    cloud->share[stencil->count] = share;
    cloud->index[stencil->count++] = ((uint64_t)point[2] * n[1] + (uint64_t)point[1]) * n[0] + (uint64_t)point[0];
}

static void take_points(struct field_cloud *cloud, const struct site *s)
{
    long point[3], low[3], end[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = s->corner[axis] + FIELD_LOWEST;
        end[axis] = low[axis] + FIELD_SIDE;
    }
    for (point[2] = low[2]; point[2] < end[2]; point[2]++)
        for (point[1] = low[1]; point[1] < end[1]; point[1]++)
            for (point[0] = low[0]; point[0] < end[0]; point[0]++)
                add_point(cloud, s, point);
}

static void find_corner(struct site *s, double fraction[3])
{
    const double half = s->grid->stencil == STENCIL_19_POINT ? 0.0 : 0.5;
    for (int axis = 0; axis < 3; axis++) {
        const double at = s->at[axis] - half;
        s->corner[axis] = (long)floor(at);
        fraction[axis] = at - floor(at);
    }
}

/* Cells to the last points before the nearest wall, which are half a cell before it on a 7-point grid. */
static double reach_of(const struct site *s, double *wall)
{
    *wall = INFINITY;
    for (int axis = 0; axis < 3; axis++)
        *wall = fmin(*wall, fmin(s->at[axis] - s->lower[axis], s->upper[axis] - s->at[axis]));
    return *wall - (s->grid->stencil == STENCIL_19_POINT ? 0.0 : 0.5);
}

static int refuse(const struct placement *p, const struct site *s, const char *what_for, struct error *e)
{
    char reason[320];
    snprintf(reason, sizeof reason,
             "has an object, or a wall that is not aligned with the grid, within %g cells, but %s needs %.3g m of air "
             "around it; move it, or use a finer grid",
             s->radius, what_for, s->radius * s->grid->spacing);
    return placement_refuse(p, e, reason);
}

/* The points of a site and their weights. */
static int make_cloud(struct field_cloud **out, struct site *s, struct field_lattice **lattices,
                      const struct grid_waves *waves, int order, struct error *e)
{
    struct field_cloud *cloud = *out = calloc(1, sizeof *cloud);
    if (!cloud)
        return fail(e, ERROR_MEMORY, "out of memory");
    cloud->stencil.order = order;
    cloud->stencil.radius = s->radius;
    cloud->spacing = s->grid->spacing;
    cloud->radius = s->radius * s->grid->spacing;
    find_corner(s, cloud->stencil.fraction);
    take_points(cloud, s);
    if (!field_stencil_fit(&cloud->stencil, lattices, waves, e))
        return 0;
    free(cloud);
    *out = NULL;
    return -1;
}

int field_cloud_make(struct field_cloud **out, struct model *m, const struct placement *p, int order,
                     const char *what_for, struct error *e)
{
    const struct grid *g = &m->grid;
    struct site s = {.voxels = m->voxels.set, .grid = g, .radius = field_radius(g->stencil, order)};
    const struct grid_waves waves = field_waves_of(g->stencil, g->courant_squared, g->mapped, p->drives);
    double wall;
    *out = NULL;
    if (!find_home(&s, p))
        return placement_refuse(p, e, "lies in a solid voxel of the grid; move it, or use a finer grid");
    find_walls(&s);
    if (!is_clear(&s))
        return refuse(p, &s, what_for, e);
    const double reach = reach_of(&s, &wall);
    const int allowed = reach >= FIELD_WALL_FULL - same_place ? order : reach >= FIELD_WALL_LEAST - same_place ? 1 : 0;
    if (make_cloud(out, &s, &m->lattices, &waves, allowed < order ? allowed : order, e))
        return -1;
    (*out)->wall = wall * g->spacing;
    return 0;
}

int field_pressure_place(struct placed *placed, bool *made, struct model *m, const struct placement *p, struct error *e)
{
    static const double pressure[1] = {1.0};
    const struct grid *g = &m->grid;
    struct site s = {.voxels = m->voxels.set, .grid = g, .radius = field_radius(g->stencil, 0)};
    struct grid_waves waves = field_waves_of(g->stencil, g->courant_squared, g->mapped, p->drives);
    struct field_cloud *cloud;
    double wall;
    *made = false;
    if (!find_home(&s, p))
        return 0;
    find_walls(&s);
    if (!is_clear(&s) || reach_of(&s, &wall) < -same_place)
        return 0;
    waves.penalty[0] = 1e-3; /* so that no wave of the grid, however short, comes out louder than it is */
    if (make_cloud(&cloud, &s, &m->lattices, &waves, 0, e))
        return -1;
    const int status = field_cloud_channel(&placed->channel, cloud, pressure, 0, p->scale, false, e);
    field_cloud_free(cloud);
    memcpy(placed->position, p->position, sizeof placed->position);
    *made = !status;
    return status;
}

int field_cloud_check_order(const struct field_cloud *cloud, const struct model *m, const struct placement *p,
                            const char *what_for, struct error *e)
{
    const double half = m->grid.stencil == STENCIL_19_POINT ? 0.0 : 0.5;
    char reason[256];
    if (cloud->stencil.order >= 1)
        return 0;
    snprintf(reason, sizeof reason, "is %.3g m from a wall, but %s needs %.3g m; move it, or use a finer grid",
             cloud->wall, what_for, (FIELD_WALL_LEAST + half) * m->grid.spacing);
    return placement_refuse(p, e, reason);
}

void field_cloud_free(struct field_cloud *cloud)
{
    free(cloud);
}

int field_cloud_channel(struct channel *channel, const struct field_cloud *cloud, const double *coefficients, int order,
                        double scale, bool drives, struct error *e)
{
    const struct field_stencil *s = &cloud->stencil;
    const int least = order < s->order ? order : s->order;
    channel->count = s->count;
    channel->entries = calloc(s->count + 1, sizeof *channel->entries);
    if (!channel->entries)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t q = 0; q < s->count; q++) {
        double weight = 0.0;
        for (size_t c = 0; c < harmonics_count(least); c++)
            weight += coefficients[c] * pow(cloud->spacing, -harmonics_order_of(c)) * s->weight[c][q];
        weight *= drives ? scale / cloud->share[q] : scale;
        channel->entries[q] =
            (struct channel_entry){.point = cloud->index[q], .weight = weight, .level = drives ? 1 : 0};
    }
    return 0;
}
