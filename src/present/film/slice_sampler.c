/* SPDX-License-Identifier: MIT */
#include "present/film/slice_sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "present/film/plane_air.h"

/* The plane of the grid whose points are being collected. */
struct plane {
    const struct model *m;
    const struct film_view *view;
    int depth;     /* the axis normal to the plane */
    size_t layer;  /* of voxels that hold the plane */
    size_t index;  /* of its points along that axis */
    size_t stride; /* only every stride-th point is read */
    size_t count[2];
};

static bool at_corners(const struct model *m)
{
    return m->grid.stencil == STENCIL_19_POINT;
}

static bool is_air(const struct plane *p, size_t across, size_t up)
{
    size_t at[3];
    at[p->view->across] = across;
    at[p->view->up] = up;
    at[p->depth] = p->layer;
    return voxel_set_is_air(p->m->voxels.set, at[0], at[1], at[2]);
}

/* Grid index of a lattice point along an axis of the plane. */
static size_t grid_index(const struct plane *p, int axis, size_t i)
{
    const size_t most = p->m->grid.points[axis] - 1, at = i * p->stride + (at_corners(p->m) ? 0 : p->stride / 2);
    return at < most ? at : most;
}

/* A grid of centres: the voxel is air. A grid of corners: one of the four voxels of the layer around the corner is air. */
static bool is_point(const struct plane *p, size_t across, size_t up)
{
    if (!at_corners(p->m))
        return is_air(p, across, up);
    for (size_t i = 0; i < 4; i++)
        if (across >= (i & 1) && up >= (i >> 1) && is_air(p, across - (i & 1), up - (i >> 1)))
            return true;
    return false;
}

static size_t clamped(double value, size_t most)
{
    return value > 0.0 ? (size_t)fmin(value, (double)most) : 0;
}

/* The layer of voxels and the points nearest to the plane; those of a corner grid may lie on either face of the
 * layer. */
static void place_plane(struct plane *p, struct slice_sampler *s)
{
    const struct grid *g = &p->m->grid;
    const double at = (p->view->at - g->origin[p->depth]) / g->spacing;
    p->layer = clamped(floor(at), g->voxels[p->depth] - 1);
    p->index = at_corners(p->m) ? p->layer + (at - (double)p->layer >= 0.5) : p->layer;
    s->middle = g->origin[p->depth] + g->spacing * ((double)p->layer + 0.5);
    s->at = g->origin[p->depth] + g->spacing * ((double)p->index + (at_corners(p->m) ? 0.0 : 0.5));
}

int slice_sampler_take_points(struct slice_sampler *s, const uint64_t *points, size_t count, struct error *e)
{
    s->tap_count = count;
    s->taps = calloc(count + 1, sizeof *s->taps);
    s->entries = calloc(count + 1, sizeof *s->entries);
    if (!s->taps || !s->entries)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++) {
        s->entries[i] = (struct channel_entry){.point = points[i], .weight = 1.0};
        s->taps[i] = (struct channel){&s->entries[i], 1};
    }
    return 0;
}

/* Reads every point, or every second, third .. point of a large plane. */
static void lay_lattice(size_t lattice[2], struct plane *p)
{
    const size_t *points = p->m->grid.points, across = points[p->view->across], up = points[p->view->up];
    while ((across / p->stride + 1) * (up / p->stride + 1) > SCREEN_TAPS_MAX)
        p->stride++;
    lattice[0] = (across + p->stride - 1) / p->stride;
    lattice[1] = (up + p->stride - 1) / p->stride;
}

static struct plane plane_of(const struct model *m, const struct film_view *view)
{
    return (struct plane){.m = m, .view = view, .depth = 3 - view->across - view->up, .stride = 1};
}

/* Whether the same view has air in a plane at `at`, perhaps on another grid. */
static bool has_air(const void *view, const struct model *m, double at)
{
    struct film_view moved = *(const struct film_view *)view;
    struct plane p = plane_of(m, &moved);
    struct slice_sampler s;
    moved.at = at;
    place_plane(&p, &s);
    lay_lattice(s.lattice, &p);
    for (size_t i = 0; i < s.lattice[0] * s.lattice[1]; i++)
        if (is_point(&p, grid_index(&p, moved.across, i % s.lattice[0]), grid_index(&p, moved.up, i / s.lattice[0])))
            return true;
    return false;
}

/* Taps of the lattice, in its order. */
static int take_lattice(struct slice_sampler *s, const struct plane *p, struct error *e)
{
    const struct grid *g = &p->m->grid;
    const size_t total = s->lattice[0] * s->lattice[1];
    const struct plane_asked asked = {p->m, p->depth, p->view->at, has_air, p->view};
    uint64_t *points = malloc((total + 1) * sizeof *points);
    s->tap_at = malloc((total + 1) * sizeof *s->tap_at);
    if (!points || !s->tap_at) {
        free(points);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    size_t count = 0;
    for (size_t i = 0; i < total; i++) {
        size_t at[3];
        at[p->view->across] = grid_index(p, p->view->across, i % s->lattice[0]);
        at[p->view->up] = grid_index(p, p->view->up, i / s->lattice[0]);
        at[p->depth] = p->index;
        s->tap_at[i] = SCREEN_NONE;
        if (!is_point(p, at[p->view->across], at[p->view->up]))
            continue;
        s->tap_at[i] = (uint32_t)count;
        points[count++] = ((uint64_t)at[2] * g->points[1] + at[1]) * g->points[0] + at[0];
    }
    const int status =
        count ? slice_sampler_take_points(s, points, count, e) : plane_refuse(&asked, "the plane contains no air", e);
    free(points);
    return status;
}

/* Finds the voxel of each pixel and the lattice points on both sides of it. side: 0 for columns, 1 for rows. */
static void place_pixels(struct slice_sampler *s, const struct plane *p, int side, size_t *voxel)
{
    const struct film_view *view = p->view;
    const struct grid *g = &p->m->grid;
    const int axis = side ? view->up : view->across;
    const size_t count = side ? s->rows : s->columns;
    const double first = at_corners(p->m) ? 0.0 : (double)(p->stride / 2) + 0.5;
    for (size_t i = 0; i < count; i++) {
        const double pixel = side ? (double)(count - i) - 0.5 : (double)i + 0.5;
        const double at = (view->lower[axis] + pixel / view->scale - g->origin[axis]) / g->spacing;
        const double between = (at - first) / (double)p->stride;
        const size_t before = clamped(floor(between), s->lattice[side] - 1);
        voxel[i] = at < 0.0 || at >= (double)g->voxels[axis] ? SIZE_MAX : (size_t)at;
        s->first[side][i] = (uint32_t)before;
        s->share[side][i] = (float)fmin(1.0, fmax(0.0, between - (double)before));
    }
}

/* Up to four lattice points around a pixel that are air, with their weights. */
static size_t around(uint32_t tap[4], float weight[4], const struct slice_sampler *s, size_t column, size_t row)
{
    size_t count = 0;
    for (size_t i = 0; i < 4; i++) {
        const size_t x = s->first[0][column] + (i & 1), y = s->first[1][row] + (i >> 1);
        if (x >= s->lattice[0] || y >= s->lattice[1] || s->tap_at[y * s->lattice[0] + x] == SCREEN_NONE)
            continue;
        const float across = i & 1 ? s->share[0][column] : 1.0F - s->share[0][column];
        const float up = i >> 1 ? s->share[1][row] : 1.0F - s->share[1][row];
        tap[count] = s->tap_at[y * s->lattice[0] + x];
        weight[count++] = across * up + 1e-6F; /* the weights of a pixel exactly on a lattice line would be 0 */
    }
    return count;
}

static void find_nearest(struct slice_sampler *s, const struct plane *p, const size_t *across, const size_t *up)
{
    for (size_t row = 0; row < s->rows; row++)
        for (size_t column = 0; column < s->columns; column++) {
            uint32_t tap[4], *nearest = &s->nearest[row * s->columns + column];
            float weight[4], most = 0.0F;
            *nearest = SCREEN_NONE;
            if (across[column] == SIZE_MAX || up[row] == SIZE_MAX || !is_air(p, across[column], up[row]))
                continue;
            const size_t count = around(tap, weight, s, column, row);
            for (size_t i = 0; i < count; i++)
                if (weight[i] > most) {
                    most = weight[i];
                    *nearest = tap[i];
                }
        }
}

static int make_plane(struct slice_sampler *s, const struct model *m, const struct film_view *view, struct error *e)
{
    struct plane p = plane_of(m, view);
    place_plane(&p, s);
    lay_lattice(s->lattice, &p);
    for (int side = 0; side < 2; side++) {
        const size_t pixels = side ? s->rows : s->columns;
        s->first[side] = calloc(pixels + 1, sizeof *s->first[side]);
        s->share[side] = calloc(pixels + 1, sizeof *s->share[side]);
    }
    size_t *voxel[2] = {calloc(s->columns + 1, sizeof **voxel), calloc(s->rows + 1, sizeof **voxel)};
    int status = s->first[0] && s->first[1] && s->share[0] && s->share[1] && voxel[0] && voxel[1]
                     ? take_lattice(s, &p, e)
                     : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        place_pixels(s, &p, 0, voxel[0]);
        place_pixels(s, &p, 1, voxel[1]);
        find_nearest(s, &p, voxel[0], voxel[1]);
    }
    free(voxel[0]);
    free(voxel[1]);
    return status;
}

int slice_sampler_no_voxels(const struct model *m, struct error *e)
{
    return fail(e, ERROR_INPUT, "%s: the grid has too many voxels; lower grid.max_frequency", m->room->path);
}

int slice_sampler_make(struct slice_sampler *s, const struct model *m, const struct film_view *view, struct error *e)
{
    s->columns = view->columns;
    s->rows = view->rows;
    s->nearest = malloc((s->columns * s->rows + 1) * sizeof *s->nearest);
    if (!s->nearest)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (!m->voxels.set)
        return slice_sampler_no_voxels(m, e);
    return view->walls ? slice_sampler_make_walls(s, m, view, e) : make_plane(s, m, view, e);
}

float slice_sampler_value(const struct slice_sampler *s, const float *values, size_t column, size_t row)
{
    uint32_t tap[4];
    float weight[4], sum = 0.0F, all = 0.0F;
    if (!s->lattice[0])
        return values[s->nearest[row * s->columns + column]];
    const size_t count = around(tap, weight, s, column, row);
    for (size_t i = 0; i < count; i++) {
        sum += weight[i] * values[tap[i]];
        all += weight[i];
    }
    return sum / all;
}

void slice_sampler_free(struct slice_sampler *s)
{
    for (int side = 0; side < 2; side++) {
        free(s->first[side]);
        free(s->share[side]);
    }
    free(s->nearest);
    free(s->tap_at);
    free(s->light);
    free(s->marks);
    free(s->taps);
    free(s->entries);
    memset(s, 0, sizeof *s);
}
