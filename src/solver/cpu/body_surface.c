/* SPDX-License-Identifier: MIT */
/* The step of a surface: its nodes, and the air on both sides. */
#include "solver/cpu/body_state.h"

/* out += Σ c_k in_k over a run of nodes, in_k: `from` shifted to neighbour k. Taking five at a time keeps the sum in
 * registers; the order of additions, and so the bits, are those of one at a time. */
static void add_neighbours(double *restrict out, const double *restrict from, size_t length, const double *c,
                           const int32_t *offset, uint32_t count)
{
    uint32_t k = 0;
    if (length == 1) { /* mostly along a rim */
        double sum = *out;
        for (; k < count; k++)
            sum += c[k] * from[offset[k]];
        *out = sum;
        return;
    }
    for (; k + 5 <= count; k += 5) {
        const double *a = from + offset[k], *b = from + offset[k + 1], *d = from + offset[k + 2];
        const double *f = from + offset[k + 3], *g = from + offset[k + 4];
        const double ca = c[k], cb = c[k + 1], cd = c[k + 2], cf = c[k + 3], cg = c[k + 4];
        for (size_t i = 0; i < length; i++)
            out[i] = ((((out[i] + ca * a[i]) + cb * b[i]) + cd * d[i]) + cf * f[i]) + cg * g[i];
    }
    for (; k < count; k++) {
        const double *a = from + offset[k];
        for (size_t i = 0; i < length; i++)
            out[i] += c[k] * a[i];
    }
}

/* w⁺ = N w + B w⁻ + force_gain f by runs of nodes with the same stencil, which vectorises. */
static void step_nodes(const struct surface *s, const struct surface_state *state, double *restrict next,
                       const double *restrict now, const double *restrict before)
{
    for (size_t r = 0; r < state->run_count; r++) {
        const struct node_run run = state->runs[r];
        const struct stencil *stencil = &s->stencils[run.kind];
        double *restrict out = next + run.start;
        for (size_t i = 0; i < run.length; i++)
            out[i] = s->force_gain * state->force[run.start + i];
        add_neighbours(out, before + run.start, run.length, stencil->before, stencil->offset, stencil->lossy);
        add_neighbours(out, now + run.start, run.length, stencil->now, stencil->offset, stencil->count);
    }
}

void surface_lossy(const struct surface *s, const struct surface_state *state, const double *restrict d,
                   double *restrict out)
{
    for (size_t r = 0; r < state->run_count; r++) {
        const struct node_run run = state->runs[r];
        const struct stencil *stencil = &s->stencils[run.kind];
        for (size_t i = 0; i < run.length; i++)
            out[run.start + i] = (2.0 - s->denominator) * d[run.start + i];
        for (uint32_t k = 0; k < stencil->lossy; k++) {
            const double c = stencil->before[k], *in = d + (ptrdiff_t)run.start + stencil->offset[k];
            for (size_t i = 0; i < run.length; i++)
                out[run.start + i] += c * in[i];
        }
    }
}

/* Solves for r, after the air's own step. */
static void couple_air(const struct body_states *b, struct body_state *body, const void *next)
{
    const struct surface *surface = body->body->surface;
    struct surface_state *s = &body->surface;
    double *displacement = body_level(b, s->displacement, 0);
    const double *displacement_before = body_level(b, s->displacement, 2);
    sparse_apply(&surface->map, surface->cells, body_level(b, s->w, 0), displacement);
    for (size_t i = 0; i < surface->cells; i++) {
        const double difference = field_at(b, next, s->below[i]) - field_at(b, next, s->above[i]);
        s->right[i] = surface->pressure_gain * (difference - s->difference[i]) +
                      surface->load * (displacement_before[i] - displacement[i] / surface->denominator);
    }
    surface_solve(surface, s->right, s->r, s->scratch);
}

void surface_step(const struct body_states *b, struct body_state *body, const void *next)
{
    const struct surface *surface = body->body->surface;
    const struct surface_state *s = &body->surface;
    double *w = body_level(b, s->w, 0);
    step_nodes(surface, s, w, body_level(b, s->w, 1), body_level(b, s->w, 2));
    if (surface->cells)
        couple_air(b, body, next);
    for (size_t r = 0; r < s->run_count; r++)
        for (size_t i = s->runs[r].start; i < (size_t)s->runs[r].start + s->runs[r].length; i++) {
            double sum = 0.0;
            for (uint32_t k = surface->cells ? surface->spread.start[i] : 0;
                 k < (surface->cells ? surface->spread.start[i + 1] : 0); k++)
                sum += surface->spread.value[k] * s->r[surface->spread.column[k]];
            w[i] = (w[i] + surface->area_ratio * sum) / surface->denominator;
        }
}

void surface_move_air(const struct body_states *b, struct body_state *body, void *next)
{
    const struct surface *surface = body->body->surface;
    struct surface_state *s = &body->surface;
    double *displacement = body_level(b, s->displacement, 0);
    const double *displacement_before = body_level(b, s->displacement, 2);
    sparse_apply(&surface->map, surface->cells, body_level(b, s->w, 0), displacement);
    for (size_t i = 0; i < surface->cells; i++) {
        const double flow = surface->flow_gain * (displacement[i] - displacement_before[i]);
        field_add(b, next, s->below[i], -flow);
        field_add(b, next, s->above[i], flow);
    }
}
