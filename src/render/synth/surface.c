/* SPDX-License-Identifier: MIT */
#include "render/synth/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/synth/surface_draft.h"

/* Largest stable S = 4 (1/hx² + 1/hy²) for second differences: k²κ² S² + (c²k² + 4 σ1 k) S = 4. */
static double squared_wavenumber_max(const struct surface_plan *p)
{
    const double k = p->time_step, a = p->tension / p->density * k * k + 4.0 * p->sigma1 * k;
    const double b = p->bending / p->density * k * k;
    return 8.0 / (a + sqrt(a * a + 16.0 * b));
}

static double squared_wavenumber(const struct surface_grid *g)
{
    return 4.0 / (g->spacing[0] * g->spacing[0]) + 4.0 / (g->spacing[1] * g->spacing[1]);
}

/* False: more neighbours than a stencil can hold. */
static bool stencil_of(struct stencil *s, const struct draft *d, size_t at)
{
    const struct surface_plan *p = d->plan;
    const double k = p->time_step;
    memset(s, 0, sizeof *s);
    for (int with_loss = 1; with_loss >= 0; with_loss--)
        for (size_t j = 0; j < REACH_COUNT; j++) {
            const bool is_centre = j == REACH_COUNT / 2;
            const double stiff = k * k * d->stiffness.k[at][j], loss = 2.0 * p->sigma1 * k * d->stiffness.l[at][j];
            const double before = loss - (is_centre ? 1.0 - p->sigma0 * k : 0.0);
            const double now = (is_centre ? 2.0 : 0.0) - stiff - loss;
            if ((before != 0.0) != with_loss || (before == 0.0 && now == 0.0))
                continue;
            if (s->count == STENCIL_MAX)
                return false;
            s->offset[s->count] = (int32_t)stiffness_step(&d->stiffness, j);
            s->now[s->count] = now;
            s->before[s->count++] = before;
            s->lossy += (uint32_t)with_loss;
        }
    return true;
}

/* Nodes with equal rows share a stencil. */
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
        struct stencil wanted;
        if (!stencil_of(&wanted, d, i))
            return -1;
        size_t kind = last < s->stencil_count && !memcmp(&s->stencils[last], &wanted, sizeof wanted) ? last : 1;
        while (kind < s->stencil_count && memcmp(&s->stencils[kind], &wanted, sizeof wanted) != 0)
            kind++;
        if (kind == STENCIL_KINDS_MAX)
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
                "instrument %s: %zu cells along %s are unstable at %.6g steps per second, where at most %zu are "
                "stable; leave out cells, or raise grid.rate",
                name, g->cells, along, 1.0 / p->time_step, g->cells_max);
}

static int too_coarse(const struct surface_plan *p, size_t cells, const char *name, struct error *e)
{
    return fail(e, ERROR_INPUT,
                "instrument %s: at %.6g steps per second only %zu cells along %s are stable, fewer than the minimum of "
                "%d; raise grid.rate, or make it larger, thinner or less tense",
                name, 1.0 / p->time_step, cells, p->outline == SURFACE_CIRCLE ? "its radius" : "its longer side",
                CELLS_MIN);
}

static size_t useful_cells(const struct surface_plan *p)
{
    const bool circle = p->outline == SURFACE_CIRCLE;
    return p->bending > 0.0 ? (size_t)PLATE_CELLS / (circle ? 2 : 1) : (size_t)MEMBRANE_CELLS * (circle ? 1 : 2);
}

/* The largest stable number of cells, at most the requested or useful number, by the bound for
 * second differences. */
static size_t stable_cells(const struct surface_plan *p)
{
    size_t max = CELLS_MIN - 1;
    for (size_t n = CELLS_MIN; n <= (p->cells ? 4096u : useful_cells(p)); n++) {
        struct surface_grid g;
        draft_space_out(&g, p, n);
        if (squared_wavenumber(&g) > squared_wavenumber_max(p))
            break;
        max = n;
    }
    return max;
}

/* A number of cells nearer to the stable limit, from a draft's bound, without skipping stable ones. */
static size_t next_cells(const struct draft *d, size_t cells)
{
    if (!(d->plan->bending > 0.0) || !isfinite(d->bound))
        return cells - 1;
    const size_t near = (size_t)ceil(1.03 * (double)cells * pow(4.0 / d->bound, 0.25));
    return near < CELLS_MIN ? CELLS_MIN : near < cells ? near : cells - 1;
}

/* The stable draft with the most cells, at most those requested. *cells_max: largest stable number,
 * an estimate for a plate that could have more. */
static int draft_stable(struct draft *d, size_t *cells_max, const struct surface_plan *p, const char *name,
                        struct error *e)
{
    const bool plate = p->bending > 0.0;
    const size_t max = stable_cells(p), wanted = p->cells ? p->cells : useful_cells(p);
    struct plate_modes exact;
    if (max < CELLS_MIN)
        return too_coarse(p, max, name, e);
    if (plate && plate_modes_find(&exact, p, e))
        return -1;
    size_t cells = wanted < max ? wanted : max;
    for (;; cells = next_cells(d, cells)) { /* tuning may raise the stiffness above the bound */
        draft_free(d);
        if (draft_make(d, p, cells, &exact, e))
            return -1;
        if (d->bound <= 4.0)
            break;
        if (cells == CELLS_MIN)
            return too_coarse(p, cells - 1, name, e);
    }
    const size_t near = plate ? (size_t)(0.98 * (double)cells * pow(4.0 / d->bound, 0.25)) : max;
    *cells_max = cells < wanted || near < cells ? cells : near < max ? near : max;
    return 0;
}

static struct surface *surface_of(struct draft *d)
{
    const struct surface_plan *p = d->plan;
    struct surface *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->nx = d->stiffness.nx;
    s->ny = d->stiffness.ny;
    s->kind = calloc(s->nx * s->ny, sizeof *s->kind);
    s->denominator = 1.0 + p->sigma0 * p->time_step;
    s->force_gain = p->time_step * p->time_step / (p->density * d->grid.spacing[0] * d->grid.spacing[1]);
    s->iterations = 1;
    s->lightness = d->lightness;
    d->lightness = NULL;
    if (!s->kind || make_stencils(s, d)) {
        surface_free(s);
        return NULL;
    }
    return s;
}

int surface_make(struct surface **out, struct surface_grid *grid, const struct surface_plan *p, const char *name,
                 struct error *e)
{
    struct draft d = {0};
    size_t max = 0;
    *out = NULL;
    int status = draft_stable(&d, &max, p, name, e);
    if (!status) {
        *grid = d.grid;
        grid->cells_max = max;
    }
    if (!status && p->cells && grid->cells < p->cells) {
        grid->cells = p->cells;
        status = too_fine(p, grid, name, e);
    }
    if (!status && !(*out = surface_of(&d)))
        status = fail(e, ERROR_MEMORY, "out of memory");
    draft_free(&d);
    return status ? -1 : 0;
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
    free(s->lightness);
    free(s->below);
    free(s->above);
    free(s->diagonal);
    sparse_free(&s->map);
    sparse_free(&s->spread);
    sparse_free(&s->coupling);
    free(s);
}

/* Bilinear weights over the four nodes around a place; those of fixed or absent nodes are 0.
 * Returns the sum. */
static double bilinear_weights(uint32_t node[4], double weight[4], const struct surface *s,
                               const struct surface_grid *grid, const struct surface_plan *plan, const double place[2],
                               double scale)
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
    double scale = 1.0, sum = bilinear_weights(node, weight, s, grid, plan, place, scale);
    if (plan->edge != SURFACE_FREE) /* all nodes have equal mass */
        return sum;
    while (!(sum > 0.0) && scale > 0.5) { /* a disc's staircase may end inside its rim */
        scale -= 0.01;
        sum = bilinear_weights(node, weight, s, grid, plan, place, scale);
    }
    for (int i = 0; i < 4 && sum > 0.0; i++)
        weight[i] *= s->lightness[node[i]] / sum;
    return sum > 0.0 ? 1.0 : 0.0;
}
