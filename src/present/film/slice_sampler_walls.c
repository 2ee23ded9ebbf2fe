/* SPDX-License-Identifier: MIT */
/* Sampler for all walls seen from outside and above. Each pixel shows the pressure in the air next to the face there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "present/film/slice_sampler.h"
#include "present/report/room_in_voxels.h"
#include "present/views/picture.h"

enum { COARSEST = 32 /* points along a face to one that is read */, DRAFT = 100 /* a quarter of a draft's columns */ };

static int by_value(const void *a, const void *b)
{
    const uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return (p > q) - (p < q);
}

/* The grid point in front of a face, rounded to every `stride`-th point along the face. */
static uint64_t point_before(const struct model *m, const struct rectangle *face, const double place[3], size_t stride)
{
    const struct grid *g = &m->grid;
    const int axis = face->side / 2;
    const bool corners = g->stencil == STENCIL_19_POINT;
    size_t at[3];
    int axes[2];
    rectangle_axes(face->side, axes);
    for (int i = 0; i < 2; i++) {
        const double voxels = grid_place(g, place, axes[i]), most = face->to[i] - (corners ? 0.0 : 1.0);
        const size_t point = (size_t)fmin(most, fmax(face->from[i], corners ? rint(voxels) : floor(voxels)));
        const size_t coarse = point / stride * stride;
        at[axes[i]] = coarse < face->from[i] ? face->from[i] : coarse;
    }
    at[axis] = corners || face->side % 2 == 0 ? face->at : face->at - 1;
    return ((uint64_t)at[2] * g->points[1] + at[1]) * g->points[0] + at[0];
}

/* Whether the visible plane or side changes here, which draws a line. */
static bool is_line(const struct picture *p, const struct rectangles *faces, size_t column, size_t row)
{
    const size_t here = row * p->columns + column;
    const size_t beside[2] = {column + 1 < p->columns ? here + 1 : here, row + 1 < p->rows ? here + p->columns : here};
    for (int i = 0; i < 2; i++) {
        const uint32_t a = p->faces[here], b = p->faces[beside[i]];
        if (a == b)
            continue;
        if (!a || !b)
            return true;
        const struct rectangle *f = &faces->list[a - 1], *g = &faces->list[b - 1];
        if (f->side / 2 != g->side / 2 || labs((long)f->at - (long)g->at) > 2) /* staircases are one surface */
            return true;
    }
    return false;
}

struct walls {
    const struct model *m;
    const struct viewed_room *room;
    struct rectangles faces;
    struct picture picture;
    uint64_t *point, *sorted; /* [rows][columns]; sorted: without doubles */
    size_t count;             /* of sorted */
    size_t left, top;         /* of what is cut out, pixels */
};

/* Finds the point of every pixel and the sorted list of distinct points. */
static void find_points(struct walls *w, size_t stride)
{
    const struct picture *p = &w->picture;
    w->count = 0;
    for (size_t i = 0; i < p->rows * p->columns; i++) {
        if (!p->faces[i])
            continue;
        double place[3];
        const struct rectangle *face = &w->faces.list[p->faces[i] - 1];
        picture_place(place, w->room, &viewpoint_first, p->columns, p->rows, face, i % p->columns, i / p->columns);
        w->point[i] = point_before(w->m, face, place, stride);
        w->sorted[w->count++] = w->point[i];
    }
    qsort(w->sorted, w->count, sizeof *w->sorted, by_value);
    size_t kept = 0;
    for (size_t i = 0; i < w->count; i++)
        if (!kept || w->sorted[kept - 1] != w->sorted[i])
            w->sorted[kept++] = w->sorted[i];
    w->count = kept;
}

static int show_walls(struct slice_sampler *s, struct walls *w, struct error *e)
{
    const struct picture *p = &w->picture;
    size_t stride = 1;
    do
        find_points(w, stride++);
    while (w->count > SCREEN_TAPS_MAX && stride <= COARSEST);
    if (w->count > SCREEN_TAPS_MAX)
        return fail(e, ERROR_INPUT,
                    "--walls: the picture shows %zu grid points, more than the limit of %d; use a smaller --size",
                    w->count, SCREEN_TAPS_MAX);
    for (size_t i = 0; i < s->rows * s->columns; i++) {
        const size_t column = w->left + i % s->columns, row = w->top + i / s->columns, from = row * p->columns + column;
        s->nearest[i] = SCREEN_NONE;
        if (column >= p->columns || row >= p->rows || !p->faces[from])
            continue;
        const uint64_t *at = bsearch(&w->point[from], w->sorted, w->count, sizeof *w->sorted, by_value);
        const double light = 0.5 + 0.5 * side_light(w->faces.list[p->faces[from] - 1].side);
        s->nearest[i] = (uint32_t)(at - w->sorted);
        s->light[i] = is_line(p, &w->faces, column, row) ? 0 : (uint8_t)lrint(255.0 * light);
    }
    for (size_t i = 0; i < w->room->mark_count; i++) {
        s->marks[i][0] = p->marks[i][0] - (double)w->left;
        s->marks[i][1] = p->marks[i][1] - (double)w->top;
    }
    return slice_sampler_take_points(s, w->sorted, w->count, e);
}

/* Draws the picture of 4 : 3 that the window shows a part of. */
static int draw_walls(struct walls *w, size_t columns, size_t rows, struct error *e)
{
    return rectangles_find(&w->faces, w->m->voxels.set, e) ||
                   picture_make(&w->picture, w->room, &w->faces, &viewpoint_first, columns, rows, e)
               ? -1
               : 0;
}

int slice_sampler_find_walls(struct film_view *view, const struct model *m, struct error *e)
{
    struct room_in_voxels v = {0};
    struct walls w = {.m = m, .room = &v.view};
    size_t low[2] = {4 * DRAFT, 3 * DRAFT}, high[2] = {0, 0};
    if (!m->voxels.set)
        return slice_sampler_no_voxels(m, e);
    const int status = room_in_voxels_make(&v, m->room, m->voxels.set, m->grid.origin, m->grid.spacing, e) ||
                       draw_walls(&w, 4 * DRAFT, 3 * DRAFT, e);
    for (size_t i = 0; !status && i < 12 * DRAFT * DRAFT; i++) {
        const size_t at[2] = {i % (4 * DRAFT), i / (4 * DRAFT)};
        for (int k = 0; k < 2 && w.picture.faces[i]; k++) {
            low[k] = at[k] < low[k] ? at[k] : low[k];
            high[k] = at[k] > high[k] ? at[k] : high[k];
        }
    }
    for (int k = 0; k < 2; k++) {
        const double all = (k ? 3.0 : 4.0) * DRAFT;
        view->box[k] = fmax(0.0, (double)low[k] - 2.0) / all;
        view->box[2 + k] = fmin(all, (double)high[k] + 3.0) / all;
    }
    picture_free(&w.picture);
    rectangles_free(&w.faces);
    room_in_voxels_free(&v);
    return status;
}

int slice_sampler_make_walls(struct slice_sampler *s, const struct model *m, const struct film_view *view,
                             struct error *e)
{
    struct room_in_voxels v = {0};
    const size_t columns = (size_t)ceil(4.0 * view->scale), rows = (size_t)ceil(3.0 * view->scale);
    struct walls w = {.m = m,
                      .room = &v.view,
                      .left = (size_t)(view->box[0] * 4.0 * view->scale),
                      .top = (size_t)(view->box[1] * 3.0 * view->scale)};
    w.point = malloc((columns * rows + 1) * sizeof *w.point);
    w.sorted = malloc((columns * rows + 1) * sizeof *w.sorted);
    s->light = calloc(s->columns * s->rows + 1, sizeof *s->light);
    s->marks = calloc(m->room->source_count + m->room->receiver_count + 1, sizeof *s->marks);
    int status = w.point && w.sorted && s->light && s->marks
                     ? room_in_voxels_make(&v, m->room, m->voxels.set, m->grid.origin, m->grid.spacing, e)
                     : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        status = draw_walls(&w, columns, rows, e) || show_walls(s, &w, e) ? -1 : 0;
    picture_free(&w.picture);
    rectangles_free(&w.faces);
    room_in_voxels_free(&v);
    free(w.point);
    free(w.sorted);
    return status;
}
