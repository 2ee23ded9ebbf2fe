/* SPDX-License-Identifier: MIT */
#include "render/synth/large_amplitude.h"

#include <math.h>
#include <stdlib.h>

#include "render/synth/airy_functions.h"
#include "render/synth/ritz_functions.h"

/* ---- nodes */

/* Whether a node has Ψ: at a free edge all eight neighbours must move, at a fixed one those that do not are at rest. */
static bool has_stress(const struct surface *s, const struct surface_plan *plan, size_t at)
{
    for (size_t dy = 0; dy < 3 && s->kind[at] && plan->edge == SURFACE_FREE; dy++)
        for (size_t dx = 0; dx < 3; dx++)
            if (!s->kind[at + dy * s->nx + dx - s->nx - 1])
                return false;
    return s->kind[at] != 0;
}

static int list_quarter(struct plate_stretching *p, const struct surface *s, const struct surface_plan *plan)
{
    const size_t nx = s->nx, ny = s->ny, width = (nx + 1) / 2, height = (ny + 1) / 2;
    p->lightness = calloc(nx * ny, sizeof *p->lightness);
    p->share = calloc(width * height, sizeof *p->share);
    p->image[0] = calloc(4 * width * height, sizeof *p->image[0]);
    if (!p->lightness || !p->share || !p->image[0])
        return -1;
    for (int i = 1; i < 4; i++)
        p->image[i] = p->image[i - 1] + width * height;
    for (size_t i = 0; i < nx * ny; i++)
        p->lightness[i] = s->kind[i] ? s->lightness[i] : 0.0;
    for (size_t y = 1; y < height; y++)
        for (size_t x = 1; x < width; x++) {
            const size_t row[2] = {y, ny - 1 - y}, column[2] = {x, nx - 1 - x};
            if (!has_stress(s, plan, y * nx + x))
                continue;
            for (size_t i = 0; i < 4; i++)
                p->image[i][p->quarter] = (uint32_t)(row[i >> 1] * nx + column[i & 1]);
            p->share[p->quarter++] = (row[0] == row[1] ? 0.5 : 1.0) * (column[0] == column[1] ? 0.5 : 1.0);
        }
    return 0;
}

static void place_of(double place[2], const struct surface_grid *grid, size_t nx, size_t node)
{
    place[0] = grid->first[0] + (double)(node % nx) * grid->spacing[0];
    place[1] = grid->first[1] + (double)(node / nx) * grid->spacing[1];
}

static int sample_functions(struct plate_stretching *p, const struct airy_functions *a, const struct surface_grid *grid)
{
    for (int parity = 0; parity < PARITIES; parity++) {
        const size_t count = p->functions[parity] = a->count[parity];
        p->by_node[parity] = calloc(p->quarter * count + 1, sizeof *p->by_node[parity]);
        p->by_function[parity] = calloc(p->quarter * count + 1, sizeof *p->by_function[parity]);
        if (!p->by_node[parity] || !p->by_function[parity])
            return -1;
        for (size_t i = 0; i < p->quarter; i++) {
            double place[2], value[AIRY_MAX];
            place_of(place, grid, p->nx, p->image[0][i]);
            airy_functions_at(value, a, parity, place[0], place[1]);
            for (size_t q = 0; q < count; q++)
                p->by_node[parity][i * count + q] = p->by_function[parity][q * p->quarter + i] = (float)value[q];
        }
    }
    return 0;
}

/* ---- the weight on V */

/* Deflections, even or odd about both axes, for which V shall be exact: the lowest mode where it has a closed form. */
static double shape_at(const struct surface_plan *p, const struct disc_mode *mode, double x, double y)
{
    const double u = x / p->half[0], v = y / p->half[1];
    if (p->outline == SURFACE_CIRCLE)
        return disc_mode_at(mode, hypot(u, v)) * cos(mode->order * atan2(v, u));
    if (p->edge == SURFACE_SUPPORTED)
        return cos(0.5 * M_PI * u) * cos(0.5 * M_PI * v);
    const double bow = (1.0 - u * u) * (1.0 - v * v);
    return p->edge == SURFACE_CLAMPED ? bow * bow : u * v;
}

/* s of the shape by differences, whose error is a few millionths of it. */
static double shape_curvature(const struct surface_plan *p, const struct disc_mode *mode, double x, double y)
{
    const double h = 1e-3 * fmin(p->half[0], p->half[1]);
    double w[3][3];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            w[j][i] = shape_at(p, mode, x + (i - 1) * h, y + (j - 1) * h);
    const double along = w[1][0] - 2.0 * w[1][1] + w[1][2], across = w[0][1] - 2.0 * w[1][1] + w[2][1];
    const double twist = 0.25 * ((w[0][0] + w[2][2]) - (w[0][2] + w[2][0]));
    return (along * across - twist * twist) / (h * h * h * h);
}

/* Σ (∬ Ψ_p s)² over the true outline. s is even about both axes, and so is every Ψ that it meets. */
static double exact_sum(const struct airy_functions *a, const struct surface_plan *p, const struct disc_mode *mode)
{
    enum { POINTS = 40 };
    double sum[AIRY_MAX] = {0.0}, total = 0.0;
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < POINTS; j++) {
            double value[AIRY_MAX], u, v, wu, wv;
            gauss_point(&u, &wu, POINTS, i);
            gauss_point(&v, &wv, POINTS, j);
            u = 0.5 * (u + 1.0);
            v = 0.5 * (v + 1.0);
            const bool disc = p->outline == SURFACE_CIRCLE;
            const double x = p->half[0] * u * (disc ? cos(0.5 * M_PI * v) : 1.0);
            const double y = disc ? p->half[0] * u * sin(0.5 * M_PI * v) : p->half[1] * v;
            const double area = p->half[0] * p->half[1] * wu * wv * (disc ? 0.5 * M_PI * u : 1.0);
            const double s = shape_curvature(p, mode, x, y);
            airy_functions_at(value, a, 0, x, y);
            for (size_t q = 0; q < a->count[0]; q++)
                sum[q] += area * s * value[q];
        }
    for (size_t q = 0; q < a->count[0]; q++)
        total += sum[q] * sum[q];
    return total;
}

static int fit_weight(struct plate_stretching *p, double *weight, const struct airy_functions *a,
                      const struct surface_grid *grid, const struct surface_plan *plan)
{
    const size_t nodes = p->nx * p->ny;
    double *w = calloc(2 * nodes + plate_stretching_scratch(p), sizeof *w);
    struct disc_mode mode = {.order = 0};
    if (!w)
        return -1;
    if (plan->outline == SURFACE_CIRCLE)
        disc_mode_find(&mode, plan, plan->edge == SURFACE_FREE ? 2 : 0);
    for (size_t i = 0; i < nodes; i++) {
        double place[2];
        place_of(place, grid, p->nx, i);
        w[i] = p->lightness[i] > 0.0 ? shape_at(plan, &mode, place[0], place[1]) / p->lightness[i] : 0.0;
    }
    *weight = 0.5 * exact_sum(a, plan, &mode) * p->stiffness / plate_stretching(p, w, w + nodes, w + 2 * nodes);
    free(w);
    return 0;
}

int large_amplitude_make(struct plate_stretching **out, struct large_amplitude_fit *fit, const struct surface *surface,
                         const struct surface_grid *grid, const struct surface_plan *plan, double membrane,
                         struct error *e)
{
    struct airy_functions airy;
    struct plate_stretching *p = *out = calloc(1, sizeof *p);
    *fit = (struct large_amplitude_fit){.weight = 1.0};
    if (!p)
        return fail(e, ERROR_MEMORY, "out of memory");
    *p = (struct plate_stretching){
        .nx = surface->nx, .ny = surface->ny, .spacing = {grid->spacing[0], grid->spacing[1]}, .stiffness = membrane};
    int status = airy_functions_make(&airy, plan, grid->spacing, e);
    if (!status && (list_quarter(p, surface, plan) || sample_functions(p, &airy, grid) ||
                    fit_weight(p, &fit->weight, &airy, grid, plan)))
        status = fail(e, ERROR_MEMORY, "out of memory");
    for (int parity = 0; parity < PARITIES; parity++)
        fit->functions += airy.count[parity];
    p->stiffness *= fit->weight;
    airy_functions_free(&airy);
    return status;
}
