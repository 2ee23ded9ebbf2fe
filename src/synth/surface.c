#include "synth/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "synth/stiffness.h"

/* A surface while it is made. */
struct draft {
    const struct surface_plan *plan;
    struct surface_grid grid;
    struct stiffness stiffness;
    uint8_t *active;
    double (*matrices)[REACH_COUNT]; /* K, then L */
};

static void draft_free(struct draft *d)
{
    free(d->active);
    free(d->matrices);
    d->active = NULL;
    d->matrices = NULL;
}

/* Largest 4 (1/hx² + 1/hy²) that is stable: k²κ² S² + (c²k² + 4 σ1 k) S = 4. */
static double most_squared_wavenumber(const struct surface_plan *p)
{
    const double k = p->time_step, a = p->tension / p->density * k * k + 4.0 * p->sigma1 * k;
    const double b = p->bending / p->density * k * k;
    return 8.0 / (a + sqrt(a * a + 16.0 * b));
}

/* Spacings for so many cells along the radius or the longer side. */
static void space_out(struct surface_grid *g, const struct surface_plan *p, size_t cells)
{
    g->cells = cells;
    if (p->outline == SURFACE_CIRCLE) {
        g->spacing[0] = g->spacing[1] = p->half[0] / (double)cells;
        return;
    }
    const int longer = p->half[1] > p->half[0];
    const double wanted = 2.0 * p->half[longer] / (double)cells, across = round(2.0 * p->half[1 - longer] / wanted);
    g->spacing[longer] = wanted;
    g->spacing[1 - longer] = 2.0 * p->half[1 - longer] / fmax(across, 2.0);
}

static double squared_wavenumber(const struct surface_grid *g)
{
    return 4.0 / (g->spacing[0] * g->spacing[0]) + 4.0 / (g->spacing[1] * g->spacing[1]);
}

/* Whether there is a node at this distance from the centre, m, that moves. */
static bool moves(const struct draft *d, double x, double y)
{
    const struct surface_plan *p = d->plan;
    const double edge = 1e-9 * p->half[0];
    if (p->outline == SURFACE_CIRCLE)
        return sqrt(x * x + y * y) < p->half[0] - edge;
    return fabs(x) < p->half[0] - edge && fabs(y) < p->half[1] - edge;
}

/* Nodes lie on the edge where it is held and half a cell inside of it where it is free. */
static int place_nodes(struct draft *d, struct error *e)
{
    size_t n[2];
    for (int axis = 0; axis < 2; axis++) {
        const size_t cells = (size_t)lround(2.0 * d->plan->half[axis] / d->grid.spacing[axis]);
        n[axis] = cells + 2 * REACH - (d->plan->edge == SURFACE_FREE ? 0 : 1);
        d->grid.first[axis] = -0.5 * (double)(n[axis] - 1) * d->grid.spacing[axis];
    }
    d->stiffness = (struct stiffness){.nx = n[0], .ny = n[1]};
    d->active = calloc(n[0] * n[1], 1);
    d->matrices = calloc(2 * n[0] * n[1], sizeof *d->matrices);
    if (!d->active || !d->matrices)
        return fail(e, ERROR_MEMORY, "out of memory for a surface of %zu x %zu nodes", n[0], n[1]);
    for (size_t y = REACH; y < n[1] - REACH; y++)
        for (size_t x = REACH; x < n[0] - REACH; x++)
            d->active[y * n[0] + x] = moves(d, d->grid.first[0] + (double)x * d->grid.spacing[0],
                                            d->grid.first[1] + (double)y * d->grid.spacing[1]);
    d->stiffness.active = d->active;
    d->stiffness.k = d->matrices;
    d->stiffness.l = d->matrices + n[0] * n[1];
    return 0;
}

/* Second difference over h² about a node along an axis. */
static struct difference curvature(const struct draft *d, size_t at, int axis)
{
    const size_t step = axis ? d->stiffness.nx : 1;
    const double w = 1.0 / (d->grid.spacing[axis] * d->grid.spacing[axis]);
    return (struct difference){3, {at - step, at, at + step}, {w, -2.0 * w, w}};
}

static struct difference both(const struct difference *a, const struct difference *b)
{
    struct difference sum = *a;
    for (size_t i = 0; i < b->count; i++) {
        sum.at[sum.count] = b->at[i];
        sum.term[sum.count++] = b->term[i];
    }
    return sum;
}

/* -L: squared slopes along links; a link of a free edge's node to nothing has none. */
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

/* A held edge: (∇²w)² at the nodes that move; where it is clamped, the curvature that a level edge asks for, over half a
 * cell: w(-1) = w(1). */
static void add_held_bending(struct draft *d, double kappa_squared)
{
    const struct stiffness *s = &d->stiffness;
    for (size_t y = 1; y + 1 < s->ny; y++)
        for (size_t x = 1; x + 1 < s->nx; x++) {
            const size_t at = y * s->nx + x;
            const struct difference along = curvature(d, at, 0), across = curvature(d, at, 1);
            if (s->active[at]) {
                const struct difference laplacian = both(&along, &across);
                stiffness_add(s->k, s, &laplacian, kappa_squared);
            }
            for (int axis = 0; axis < 2 && !s->active[at] && d->plan->edge == SURFACE_CLAMPED; axis++) {
                struct difference edge = axis ? across : along;
                for (size_t i = 0; i < edge.count; i++)
                    edge.term[i] *= 2.0;
                if (s->active[edge.at[0]] != s->active[edge.at[2]])
                    stiffness_add(s->k, s, &edge, 0.5 * kappa_squared);
            }
        }
}

static bool all_active(const struct stiffness *s, const struct difference *d)
{
    for (size_t i = 0; i < d->count; i++)
        if (!s->active[d->at[i]])
            return false;
    return true;
}

/* A free edge: w_xx² + w_yy² + 2ν w_xx w_yy + 2 (1 - ν) w_xy², each where its nodes are. Next to an edge along x there
 * is w_xx alone: the other curvature is then -ν of it, no moment turning the edge. */
static void add_free_bending(struct draft *d, double kappa_squared)
{
    const struct stiffness *s = &d->stiffness;
    const double nu = d->plan->poisson, twist = 1.0 / (d->grid.spacing[0] * d->grid.spacing[1]);
    for (size_t y = 1; y + 1 < s->ny; y++)
        for (size_t x = 1; x + 1 < s->nx; x++) {
            const size_t at = y * s->nx + x;
            const struct difference along = curvature(d, at, 0), across = curvature(d, at, 1);
            const struct difference corner = {
                4, {at, at + 1, at + s->nx, at + s->nx + 1}, {twist, -twist, -twist, twist}};
            const bool has_x = all_active(s, &along), has_y = all_active(s, &across);
            if (has_x && has_y) {
                const struct difference sum = both(&along, &across);
                stiffness_add(s->k, s, &along, kappa_squared * (1.0 - nu));
                stiffness_add(s->k, s, &across, kappa_squared * (1.0 - nu));
                stiffness_add(s->k, s, &sum, kappa_squared * nu);
            } else if (has_x || has_y) {
                stiffness_add(s->k, s, has_x ? &along : &across, kappa_squared * (1.0 - nu * nu));
            }
            if (all_active(s, &corner))
                stiffness_add(s->k, s, &corner, kappa_squared * 2.0 * (1.0 - nu));
        }
}

static void assemble(struct draft *d)
{
    const struct stiffness *s = &d->stiffness;
    const double kappa_squared = d->plan->bending / d->plan->density;
    const double speed_squared = d->plan->tension / d->plan->density;
    add_slopes(d);
    if (d->plan->bending > 0.0 && d->plan->edge == SURFACE_FREE)
        add_free_bending(d, kappa_squared);
    else if (d->plan->bending > 0.0)
        add_held_bending(d, kappa_squared);
    for (size_t i = 0; i < s->nx * s->ny; i++)
        for (size_t j = 0; j < REACH_COUNT; j++)
            s->k[i][j] += speed_squared * s->l[i][j];
}

/* Brings the lowest mode to its exact pitch, where one is known. */
static int tune(struct draft *d, struct error *e)
{
    const struct stiffness *s = &d->stiffness;
    const double pitch = surface_exact_pitch(d->plan), k = d->plan->time_step;
    const double lowest = stiffness_lowest(s, d->plan->edge == SURFACE_FREE, e);
    if (isnan(lowest))
        return -1;
    d->grid.pitch = pitch;
    d->grid.scale = 1.0;
    d->grid.lowest = asin(fmin(1.0, 0.5 * k * sqrt(fmax(0.0, lowest)))) / (M_PI * k);
    if (!(pitch > 0.0) || pitch * k >= 0.5)
        return 0;
    const double wanted = 2.0 * sin(M_PI * pitch * k) / k;
    d->grid.scale = wanted * wanted / lowest;
    d->grid.lowest = pitch;
    for (size_t i = 0; i < s->nx * s->ny; i++)
        for (size_t j = 0; j < REACH_COUNT; j++)
            s->k[i][j] *= d->grid.scale;
    return 0;
}

static int draft_make(struct draft *d, const struct surface_plan *p, size_t cells, struct error *e)
{
    *d = (struct draft){.plan = p};
    space_out(&d->grid, p, cells);
    if (place_nodes(d, e))
        return -1;
    assemble(d);
    return tune(d, e);
}

static struct stencil stencil_of(const struct draft *d, size_t at)
{
    const struct surface_plan *p = d->plan;
    const double k = p->time_step;
    struct stencil s = {0};
    for (int with_loss = 1; with_loss >= 0; with_loss--)
        for (size_t j = 0; j < REACH_COUNT; j++) {
            const bool is_centre = j == REACH_COUNT / 2;
            const double stiff = k * k * d->stiffness.k[at][j], loss = 2.0 * p->sigma1 * k * d->stiffness.l[at][j];
            const double before = loss - (is_centre ? 1.0 - p->sigma0 * k : 0.0);
            const double now = (is_centre ? 2.0 : 0.0) - stiff - loss;
            if ((before != 0.0) != with_loss || (before == 0.0 && now == 0.0))
                continue;
            s.offset[s.count] = (int32_t)(((ptrdiff_t)(j / REACH_WIDTH) - REACH) * (ptrdiff_t)d->stiffness.nx +
                                          (ptrdiff_t)(j % REACH_WIDTH) - REACH);
            s.now[s.count] = now;
            s.before[s.count++] = before;
            s.lossy += (uint32_t)with_loss;
        }
    return s;
}

/* Nodes that look alike share a stencil. */
static int make_stencils(struct surface *s, const struct draft *d)
{
    const size_t nodes = s->nx * s->ny;
    size_t room = 0, last = 1;
    s->stencil_count = 1;
    for (size_t i = 0; i < nodes; i++) {
        if (s->stencil_count >= room) {
            room = 2 * room + 64;
            struct stencil *more = realloc(s->stencils, room * sizeof *more);
            if (!more)
                return -1;
            s->stencils = more;
            memset(&s->stencils[0], 0, sizeof *s->stencils);
        }
        if (!d->active[i])
            continue;
        const struct stencil wanted = stencil_of(d, i);
        size_t kind = last < s->stencil_count && !memcmp(&s->stencils[last], &wanted, sizeof wanted) ? last : 1;
        while (kind < s->stencil_count && memcmp(&s->stencils[kind], &wanted, sizeof wanted) != 0)
            kind++;
        if (kind == STENCIL_KINDS_MOST)
            return -1;
        if (kind == s->stencil_count)
            s->stencils[s->stencil_count++] = wanted;
        s->kind[i] = (uint16_t)kind;
        last = kind;
    }
    return 0;
}

static int too_fine(const struct surface_plan *p, const struct surface_grid *g, const char *name, struct error *e)
{
    const char *along = p->outline == SURFACE_CIRCLE ? "a radius" : "its longer side";
    return fail(e, ERROR_INPUT,
                "instrument %s: %zu cells along %s are unstable at %.6g steps a second: at most %zu are stable; leave "
                "cells out, or raise grid.rate",
                name, g->cells, along, 1.0 / p->time_step, g->cells_most);
}

static int too_coarse(const struct surface_plan *p, size_t cells, const char *name, struct error *e)
{
    return fail(e, ERROR_INPUT,
                "instrument %s: at %.6g steps a second only %zu cells along %s are stable, and fewer than %d are no "
                "instrument: raise grid.rate, or make it larger, thinner or less tense",
                name, 1.0 / p->time_step, cells, p->outline == SURFACE_CIRCLE ? "its radius" : "its longer side",
                CELLS_LEAST);
}

int surface_make(struct surface **out, struct surface_grid *grid, const struct surface_plan *p, const char *name,
                 struct error *e)
{
    struct draft d = {0};
    size_t most = CELLS_LEAST - 1;
    const size_t useful = p->bending > 0.0 ? (size_t)PLATE_CELLS / (p->outline == SURFACE_CIRCLE ? 2 : 1)
                                           : (size_t)MEMBRANE_CELLS * (p->outline == SURFACE_CIRCLE ? 1 : 2);
    const size_t wanted = p->cells ? p->cells : useful;
    *out = NULL;
    for (size_t n = CELLS_LEAST; n <= (p->cells ? 4096u : useful); n++) {
        space_out(grid, p, n);
        if (squared_wavenumber(grid) > most_squared_wavenumber(p))
            break;
        most = n;
    }
    if (most < CELLS_LEAST)
        return too_coarse(p, most, name, e);
    size_t cells = wanted < most ? wanted : most;
    for (;; cells--) { /* tuning may stiffen it a little beyond */
        draft_free(&d);
        if (draft_make(&d, p, cells, e))
            goto fail;
        if (stiffness_bound(&d.stiffness, p->time_step, p->sigma1) <= 4.0)
            break;
        if (cells == CELLS_LEAST) {
            too_coarse(p, cells - 1, name, e);
            goto fail;
        }
    }
    *grid = d.grid;
    grid->cells_most = cells < wanted ? cells : most;
    if (p->cells && cells < p->cells) {
        grid->cells = p->cells;
        too_fine(p, grid, name, e);
        goto fail;
    }
    struct surface *s = calloc(1, sizeof *s);
    if (s) {
        s->nx = d.stiffness.nx;
        s->ny = d.stiffness.ny;
        s->kind = calloc(s->nx * s->ny, sizeof *s->kind);
        s->denominator = 1.0 + p->sigma0 * p->time_step;
        s->force_gain = p->time_step * p->time_step / (p->density * grid->spacing[0] * grid->spacing[1]);
        s->iterations = 1;
    }
    if (!s || !s->kind || make_stencils(s, &d)) {
        surface_free(s);
        fail(e, ERROR_MEMORY, "out of memory for instrument %s", name);
        goto fail;
    }
    draft_free(&d);
    *out = s;
    return 0;
fail:
    draft_free(&d);
    return -1;
}

static void sparse_free(struct sparse *m)
{
    free(m->start);
    free(m->column);
    free(m->value);
}

void surface_free(struct surface *s)
{
    if (!s)
        return;
    free(s->kind);
    free(s->stencils);
    free(s->below);
    free(s->above);
    free(s->diagonal);
    sparse_free(&s->map);
    sparse_free(&s->spread);
    sparse_free(&s->coupling);
    free(s);
}

/* Shares of the four nodes around a place that are held or beyond the outline do not count. Returns the sum. */
static double weigh(uint32_t node[4], double weight[4], const struct surface *s, const struct surface_grid *grid,
                    const struct surface_plan *plan, const double place[2], double scale)
{
    double at[2], sum = 0.0;
    size_t first[2];
    const size_t count[2] = {s->nx, s->ny};
    for (int axis = 0; axis < 2; axis++) {
        at[axis] = (scale * place[axis] * plan->half[axis] - grid->first[axis]) / grid->spacing[axis];
        at[axis] = fmin(fmax(at[axis], 0.0), (double)count[axis] - 1.5);
        first[axis] = (size_t)at[axis];
        at[axis] -= (double)first[axis];
    }
    for (int i = 0; i < 4; i++) {
        const size_t x = first[0] + (size_t)(i & 1), y = first[1] + (size_t)(i >> 1);
        node[i] = (uint32_t)(y * s->nx + x);
        weight[i] = (i & 1 ? at[0] : 1.0 - at[0]) * (i >> 1 ? at[1] : 1.0 - at[1]);
        weight[i] = s->kind[node[i]] ? weight[i] : 0.0;
        sum += weight[i];
    }
    return sum;
}

double surface_place(uint32_t node[4], double weight[4], const struct surface *s, const struct surface_grid *grid,
                     const struct surface_plan *plan, const double place[2])
{
    double scale = 1.0, sum = weigh(node, weight, s, grid, plan, place, scale);
    if (plan->edge != SURFACE_FREE)
        return sum;
    while (!(sum > 0.0) && scale > 0.5) { /* a disc's staircase may end a little inside its rim */
        scale -= 0.01;
        sum = weigh(node, weight, s, grid, plan, place, scale);
    }
    for (int i = 0; i < 4 && sum > 0.0; i++)
        weight[i] /= sum;
    return sum > 0.0 ? 1.0 : 0.0;
}
