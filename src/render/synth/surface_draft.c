/* SPDX-License-Identifier: MIT */
#include "render/synth/surface_draft.h"

#include <math.h>
#include <stdlib.h>

#include "render/synth/surface.h"
#include "room/instrument.h"

void draft_free(struct draft *d)
{
    free(d->active);
    free(d->matrices);
    free(d->lightness);
    d->active = NULL;
    d->matrices = NULL;
    d->lightness = NULL;
}

void draft_space_out(struct surface_grid *g, const struct surface_plan *p, size_t cells)
{
    g->cells = cells;
    if (p->outline == SURFACE_CIRCLE) {
        g->spacing[0] = g->spacing[1] = p->half[0] / (double)cells;
        return;
    }
    const int longer = p->half[1] > p->half[0];
    const double wanted = 2.0 * p->half[longer] / (double)cells, across = round(2.0 * p->half[1 - longer] / wanted);
    g->spacing[longer] = wanted;
    const double min = p->edge == SURFACE_FREE ? 3.0 : 2.0; /* a curvature across needs as many */
    g->spacing[1 - longer] = 2.0 * p->half[1 - longer] / fmax(across, min);
}

/* Whether a membrane's node at x, y, m from the centre, moves. */
static bool membrane_moves(const struct draft *d, double x, double y)
{
    const struct surface_plan *p = d->plan;
    const double edge = 1e-9 * p->half[0];
    if (p->outline == SURFACE_CIRCLE)
        return sqrt(x * x + y * y) < p->half[0] - edge;
    return fabs(x) < p->half[0] - edge && fabs(y) < p->half[1] - edge;
}

static bool moves(const struct draft *d, size_t x, size_t y)
{
    if (d->plan->bending > 0.0)
        return plate_moves(d->plan, &d->grid, (double)x - 0.5 * (double)(d->stiffness.nx - 1),
                           (double)y - 0.5 * (double)(d->stiffness.ny - 1));
    return membrane_moves(d, d->grid.first[0] + (double)x * d->grid.spacing[0],
                          d->grid.first[1] + (double)y * d->grid.spacing[1]);
}

/* Nodes lie on a fixed edge and half a cell inside a free one. */
static int place_nodes(struct draft *d, struct error *e)
{
    size_t n[2];
    for (int axis = 0; axis < 2; axis++) {
        const size_t cells = (size_t)lround(2.0 * d->plan->half[axis] / d->grid.spacing[axis]);
        n[axis] = cells + 2 * RIM - (d->plan->edge == SURFACE_FREE ? 0 : 1);
        d->grid.first[axis] = -0.5 * (double)(n[axis] - 1) * d->grid.spacing[axis];
    }
    const size_t nodes = n[0] * n[1], matrices = 2 + (d->plan->bending > 0.0 ? PLATE_PARTS : 0);
    d->stiffness = (struct stiffness){.nx = n[0], .ny = n[1]};
    d->active = calloc(nodes, 1);
    d->matrices = calloc(matrices * nodes, sizeof *d->matrices);
    d->lightness = calloc(nodes, sizeof *d->lightness);
    if (!d->active || !d->matrices || !d->lightness)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t y = RIM; y < n[1] - RIM; y++)
        for (size_t x = RIM; x < n[0] - RIM; x++)
            d->active[y * n[0] + x] = moves(d, x, y);
    for (size_t i = 0; i < nodes; i++)
        d->lightness[i] = 1.0;
    d->stiffness.active = d->active;
    d->stiffness.l = d->matrices;
    d->stiffness.k = d->matrices + nodes;
    return 0;
}

/* -L: squared slopes along links; at a free edge only links between two moving nodes count. */
static void add_slopes(struct draft *d)
{
    const struct stiffness *s = &d->stiffness;
    const bool is_free = d->plan->edge == SURFACE_FREE;
    for (size_t y = 1; y + 1 < s->ny; y++)
        for (size_t x = 1; x + 1 < s->nx; x++)
            for (int axis = 0; axis < 2; axis++) {
                const size_t at = y * s->nx + x, to = at + (axis ? s->nx : 1);
                const double w = 1.0 / d->grid.spacing[axis];
                const struct difference slope = {2, {at, to}, {-w, w}};
                if (is_free ? s->active[at] && s->active[to] : s->active[at] || s->active[to])
                    stiffness_add(s->l, s, &slope, 1.0);
            }
}

/* theory (68): K = c² L, scaled so that the lowest mode has its exact pitch: the staircase of a circle lowers it. */
static int tune_membrane(struct draft *d, struct error *e)
{
    const struct stiffness *s = &d->stiffness;
    const double speed_squared = d->plan->tension / d->plan->density;
    for (size_t i = 0; i < s->nx * s->ny; i++)
        for (size_t j = 0; j < REACH_COUNT; j++)
            s->k[i][j] = speed_squared * s->l[i][j];
    const double pitch = membrane_pitch(d->plan), k = d->plan->time_step;
    const double lowest = stiffness_lowest(s, e);
    if (isnan(lowest))
        return -1;
    d->grid.pitch = pitch;
    d->grid.scale = 1.0;
    d->grid.lowest = asin(fmin(1.0, 0.5 * k * sqrt(fmax(0.0, lowest)))) / (M_PI * k);
    if (pitch * k >= 0.5)
        return 0;
    const double wanted = 2.0 * sin(M_PI * pitch * k) / k;
    d->grid.scale = wanted * wanted / lowest;
    d->grid.lowest = pitch;
    for (size_t i = 0; i < s->nx * s->ny; i++)
        for (size_t j = 0; j < REACH_COUNT; j++)
            s->k[i][j] *= d->grid.scale;
    return 0;
}

/* ---- plates */

/* Replaces masses by lightness 1/√mass. The state is the displacement over the lightness. */
static void masses_to_lightness(struct draft *d)
{
    for (size_t i = 0; i < d->stiffness.nx * d->stiffness.ny; i++) {
        const double mass = d->active[i] ? d->lightness[i] : 1.0;
        d->lightness[i] = fabs(mass - 1.0) < 1e-9 ? 1.0 : 1.0 / sqrt(mass);
    }
}

static void scale_by_lightness(const struct draft *d, double (*matrix)[REACH_COUNT])
{
    for (size_t i = 0; i < d->stiffness.nx * d->stiffness.ny; i++)
        for (size_t j = 0; j < REACH_COUNT && d->active[i]; j++)
            if (matrix[i][j] != 0.0)
                matrix[i][j] *= d->lightness[i] * d->lightness[stiffness_other(&d->stiffness, i, j)];
}

static void weigh_parts(const struct draft *d, const struct plate_nodes *p, const double weight[PLATE_PARTS])
{
    for (size_t i = 0; i < d->stiffness.nx * d->stiffness.ny; i++)
        for (size_t j = 0; j < REACH_COUNT; j++) {
            double sum = 0.0;
            for (int part = 0; part < PLATE_PARTS; part++)
                sum += weight[part] * p->part[part][i][j];
            d->stiffness.k[i][j] = sum;
        }
}

static int make_plate(struct draft *d, const struct plate_modes *exact, struct error *e)
{
    static const double before[PLATE_PARTS] = {1.0, 1.0, 0.0}, tunable_max = 8.0;
    const struct surface_plan *p = d->plan;
    const size_t nodes = d->stiffness.nx * d->stiffness.ny;
    struct plate_nodes n = {.plan = p, .grid = &d->grid, .matrix = &d->stiffness};
    for (int part = 0; part < PLATE_PARTS; part++)
        n.part[part] = d->matrices + (size_t)(2 + part) * nodes;
    if (p->edge == SURFACE_FREE) {
        if (plate_assemble_free(&n, d->lightness, e))
            return -1;
        masses_to_lightness(d);
        scale_by_lightness(d, d->stiffness.l);
        for (int part = 0; part < PLATE_PARTS; part++)
            scale_by_lightness(d, n.part[part]);
    } else {
        plate_assemble_fixed(&n);
    }
    weigh_parts(d, &n, before);
    d->bound = stiffness_bound(&d->stiffness, p->time_step, p->sigma1);
    if (d->bound > tunable_max)
        return 0;
    struct plate_tuning t;
    if (plate_tune(&t, &n, exact, e))
        return -1;
    weigh_parts(d, &n, t.weight);
    d->grid.pitch = d->grid.lowest = t.pitch;
    d->grid.scale = t.weight[PART_BENDING];
    d->grid.worst = t.worst;
    return 0;
}

int draft_make(struct draft *d, const struct surface_plan *p, size_t cells, const struct plate_modes *exact,
               struct error *e)
{
    *d = (struct draft){.plan = p};
    draft_space_out(&d->grid, p, cells);
    if (place_nodes(d, e))
        return -1;
    add_slopes(d);
    if (p->bending > 0.0 ? make_plate(d, exact, e) : tune_membrane(d, e))
        return -1;
    d->bound = stiffness_bound(&d->stiffness, p->time_step, p->sigma1);
    return 0;
}

/* Closed forms of the lowest modes of membranes. */

double membrane_pitch(const struct surface_plan *p)
{
    const double a = 2.0 * p->half[0], b = 2.0 * p->half[1], radius = p->half[0];
    const double inverse_square = 1.0 / (a * a) + 1.0 / (b * b);
    return (p->outline == SURFACE_CIRCLE ? J0_FIRST_ZERO / (2.0 * M_PI * radius) : 0.5 * sqrt(inverse_square)) *
           sqrt(p->tension / p->density);
}
