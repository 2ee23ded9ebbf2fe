/* SPDX-License-Identifier: MIT */
/* The sediment scheme on the CPU: point by point as the scheme is defined, and by rows that the
 * compiler vectorizes. Both follow the order of operations of
 * solver/schemes/sediment/sediment.h, and give the same bits. */
#include "solver/schemes/sediment/sediment.h"
#include "solver/cpu/stencils/arrays.h"

/* The arrays of the scheme. */
struct basin {
    const struct sediment_problem *problem;
    struct sediment_factors f;
    ptrdiff_t n[2], pitch;
    const double *h, *s, *alpha, *beta;
    double *h_next, *s_next;
};

static struct basin basin_of(const struct array_grid *g)
{
    return (struct basin){.problem = sediment_of(g->problem),
                          .f = sediment_factors_of(sediment_of(g->problem)),
                          .n = {g->n[0], g->n[1]},
                          .pitch = g->pitch,
                          .h = g->now[0],
                          .s = g->now[1],
                          .alpha = g->now[2],
                          .beta = g->now[3],
                          .h_next = g->next[0],
                          .s_next = g->next[1]};
}

static bool computes(const struct basin *b, enum sediment_part part)
{
    return (b->problem->part & part) != 0;
}

/* Ghosts */

enum ghost { GHOST_H, GHOST_S, GHOST_COEFFICIENT };

static void fill_ghost(const struct basin *b, double *values, enum ghost what, int side, ptrdiff_t i)
{
    const ptrdiff_t row = side == 3 ? b->n[1] - 1 : side == 2 ? 0 : i, x = side == 1 ? b->n[0] - 1 : side == 0 ? 0 : i;
    const ptrdiff_t at = row * b->pitch + x, step = (side & 1 ? 1 : -1) * (side < 2 ? 1 : b->pitch);
    if (what == GHOST_COEFFICIENT) {
        values[at + step] = values[at];
        return;
    }
    const struct sediment_edge edge = sediment_edge_at(b->problem, side, (size_t)i, b->alpha[at], b->beta[at]);
    values[at + step] = what == GHOST_H ? values[at] + edge.rise : edge.twice + edge.sign * values[at];
}

/* Fills the ghost points next to row y. */
static void fill_ghosts(const struct basin *b, double *values, enum ghost what, ptrdiff_t y)
{
    fill_ghost(b, values, what, 0, y);
    fill_ghost(b, values, what, 1, y);
    if (y == 0)
        for (ptrdiff_t x = 0; x < b->n[0]; x++)
            fill_ghost(b, values, what, 2, x);
    if (y == b->n[1] - 1)
        for (ptrdiff_t x = 0; x < b->n[0]; x++)
            fill_ghost(b, values, what, 3, x);
}

/* Fills the ghosts of both copies: a step that leaves h or s unchanged needs them in either
 * copy. */
static void prepare(const struct array_grid *g)
{
    const struct basin b = basin_of(g);
    for (ptrdiff_t y = 0; y < b.n[1]; y++)
        for (int i = 0; i < 2; i++) {
            fill_ghosts(&b, g->now[2 + i], GHOST_COEFFICIENT, y);
            fill_ghosts(&b, g->now[i], i == 0 ? GHOST_H : GHOST_S, y);
            fill_ghosts(&b, g->next[i], i == 0 ? GHOST_H : GHOST_S, y);
        }
}

/* Point by point */

static double sand_at(const struct basin *b, ptrdiff_t at)
{
    return b->alpha[at] * b->s[at];
}

static double mobility_at(const struct basin *b, ptrdiff_t at)
{
    return b->f.sand * sand_at(b, at) + b->f.mud * (b->beta[at] * (1.0 - b->s[at]));
}

/* (3) for a point and its neighbours at distance `stride`. */
static double divergence_h(const struct basin *b, ptrdiff_t at, ptrdiff_t stride)
{
    const double upper = (mobility_at(b, at) + mobility_at(b, at + stride)) * (b->h[at + stride] - b->h[at]);
    const double lower = (mobility_at(b, at - stride) + mobility_at(b, at)) * (b->h[at] - b->h[at - stride]);
    return upper - lower;
}

static double divergence_sand(const struct basin *b, ptrdiff_t at, ptrdiff_t stride)
{
    const double upper = (sand_at(b, at) + sand_at(b, at + stride)) * (b->h[at + stride] - b->h[at]);
    const double lower = (sand_at(b, at - stride) + sand_at(b, at)) * (b->h[at] - b->h[at - stride]);
    return upper - lower;
}

/* (4): the sand difference on the side where h is higher. */
static double upwind_sand(const struct basin *b, ptrdiff_t at, ptrdiff_t stride)
{
    const double rise = b->h_next[at + stride] - b->h_next[at - stride];
    const double sand =
        rise < 0.0 ? sand_at(b, at) - sand_at(b, at - stride) : sand_at(b, at + stride) - sand_at(b, at);
    return sand * rise;
}

static void reference_h(const struct array_grid *g, ptrdiff_t row0, ptrdiff_t row1)
{
    const struct basin b = basin_of(g);
    for (ptrdiff_t y = row0; y < row1 && computes(&b, SEDIMENT_H); y++) {
        for (ptrdiff_t x = 0, at = y * b.pitch; x < b.n[0]; x++, at++)
            b.h_next[at] = b.h[at] + (b.f.h[0] * divergence_h(&b, at, 1) + b.f.h[1] * divergence_h(&b, at, b.pitch));
        fill_ghosts(&b, b.h_next, GHOST_H, y);
    }
}

static void reference_s(const struct array_grid *g, ptrdiff_t row0, ptrdiff_t row1)
{
    const struct basin b = basin_of(g);
    double (*const along)(const struct basin *, ptrdiff_t, ptrdiff_t) =
        b.problem->conservative ? divergence_sand : upwind_sand;
    for (ptrdiff_t y = row0; y < row1 && computes(&b, SEDIMENT_S); y++) {
        for (ptrdiff_t x = 0, at = y * b.pitch; x < b.n[0]; x++, at++) {
            const double supply = b.f.s[0] * along(&b, at, 1) + b.f.s[1] * along(&b, at, b.pitch);
            b.s_next[at] = (b.f.layer * b.s[at] + supply) / (b.f.layer + (b.h_next[at] - b.h[at]));
        }
        fill_ghosts(&b, b.s_next, GHOST_S, y);
    }
}

/* By rows, in tiles of columns narrow enough to keep the mobility of three rows in the
 * first-level cache. */

enum { STRIP = 510 };

static void mobility_row(const struct basin *b, double *restrict mobility, ptrdiff_t at, ptrdiff_t count)
{
    const double *s = b->s + at, *alpha = b->alpha + at, *beta = b->beta + at;
    const double sand = b->f.sand, mud = b->f.mud;
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++)
        mobility[i] = sand * (alpha[i] * s[i]) + mud * (beta[i] * (1.0 - s[i]));
}

/* The arrays of mobilities begin one point before the tile. */
static void h_row(const struct basin *b, const double *below, const double *here, const double *above, ptrdiff_t at,
                  ptrdiff_t count)
{
    const double *h = b->h + at, *h_below = h - b->pitch, *h_above = h + b->pitch;
    double *restrict next = b->h_next + at;
    const double fx = b->f.h[0], fy = b->f.h[1];
#pragma omp simd
    for (ptrdiff_t i = 0; i < count; i++) {
        const double m = here[i + 1];
        const double x = (m + here[i + 2]) * (h[i + 1] - h[i]) - (here[i] + m) * (h[i] - h[i - 1]);
        const double y = (m + above[i + 1]) * (h_above[i] - h[i]) - (below[i + 1] + m) * (h[i] - h_below[i]);
        next[i] = h[i] + (fx * x + fy * y);
    }
}

static void rows_h(const struct array_grid *g, ptrdiff_t row0, ptrdiff_t row1)
{
    const struct basin b = basin_of(g);
    double mobility[3][STRIP + 2];
    if (!computes(&b, SEDIMENT_H) || row0 >= row1)
        return;
    for (ptrdiff_t x = 0; x < b.n[0]; x += STRIP) {
        const ptrdiff_t count = b.n[0] - x < STRIP ? b.n[0] - x : STRIP;
        double *below = mobility[0], *here = mobility[1], *above = mobility[2];
        mobility_row(&b, below, (row0 - 1) * b.pitch + x - 1, count + 2);
        mobility_row(&b, here, row0 * b.pitch + x - 1, count + 2);
        for (ptrdiff_t y = row0; y < row1; y++) {
            mobility_row(&b, above, (y + 1) * b.pitch + x - 1, count + 2);
            h_row(&b, below, here, above, y * b.pitch + x, count);
            double *spare = below;
            below = here;
            here = above;
            above = spare;
        }
    }
    for (ptrdiff_t y = row0; y < row1; y++)
        fill_ghosts(&b, b.h_next, GHOST_H, y);
}

static void conservative_row(const struct basin *b, ptrdiff_t at)
{
    const ptrdiff_t pitch = b->pitch;
    const double *h = b->h + at, *s = b->s + at, *alpha = b->alpha + at, *h_next = b->h_next + at;
    double *restrict next = b->s_next + at;
    const double fx = b->f.s[0], fy = b->f.s[1], layer = b->f.layer;
#pragma omp simd
    for (ptrdiff_t i = 0; i < b->n[0]; i++) {
        const double m = alpha[i] * s[i];
        const double x =
            (m + alpha[i + 1] * s[i + 1]) * (h[i + 1] - h[i]) - (alpha[i - 1] * s[i - 1] + m) * (h[i] - h[i - 1]);
        const double y = (m + alpha[i + pitch] * s[i + pitch]) * (h[i + pitch] - h[i]) -
                         (alpha[i - pitch] * s[i - pitch] + m) * (h[i] - h[i - pitch]);
        next[i] = (layer * s[i] + (fx * x + fy * y)) / (layer + (h_next[i] - h[i]));
    }
}

static void published_row(const struct basin *b, ptrdiff_t at)
{
    const ptrdiff_t pitch = b->pitch;
    const double *h = b->h + at, *s = b->s + at, *alpha = b->alpha + at, *h_next = b->h_next + at;
    double *restrict next = b->s_next + at;
    const double fx = b->f.s[0], fy = b->f.s[1], layer = b->f.layer;
#pragma omp simd
    for (ptrdiff_t i = 0; i < b->n[0]; i++) {
        const double m = alpha[i] * s[i];
        const double x_rise = h_next[i + 1] - h_next[i - 1], y_rise = h_next[i + pitch] - h_next[i - pitch];
        const double x_lower = m - alpha[i - 1] * s[i - 1], x_upper = alpha[i + 1] * s[i + 1] - m;
        const double y_lower = m - alpha[i - pitch] * s[i - pitch], y_upper = alpha[i + pitch] * s[i + pitch] - m;
        const double x = (x_rise < 0.0 ? x_lower : x_upper) * x_rise;
        const double y = (y_rise < 0.0 ? y_lower : y_upper) * y_rise;
        next[i] = (layer * s[i] + (fx * x + fy * y)) / (layer + (h_next[i] - h[i]));
    }
}

static void rows_s(const struct array_grid *g, ptrdiff_t row0, ptrdiff_t row1)
{
    const struct basin b = basin_of(g);
    for (ptrdiff_t y = row0; y < row1 && computes(&b, SEDIMENT_S); y++) {
        if (b.problem->conservative)
            conservative_row(&b, y * b.pitch);
        else
            published_row(&b, y * b.pitch);
        fill_ghosts(&b, b.s_next, GHOST_S, y);
    }
}

/* The check of the scheme already refuses single precision. */
static const char *always(const struct problem *p)
{
    (void)p;
    return NULL;
}

const struct array_kernel sediment_rows = {
    .name = "rows",
    .scheme = &sediment_scheme,
    .applicable = always,
    .phases = 2,
    .rows = {{[PRECISION_DOUBLE] = rows_h}, {[PRECISION_DOUBLE] = rows_s}},
    .prepare = prepare,
};
const struct array_kernel sediment_reference = {
    .name = "reference",
    .scheme = &sediment_scheme,
    .one_thread = true,
    .applicable = always,
    .phases = 2,
    .rows = {{[PRECISION_DOUBLE] = reference_h}, {[PRECISION_DOUBLE] = reference_s}},
    .prepare = prepare,
};
