/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "solver/cpu/body_state.h"

/* Lines: their modes, and their coupling with the surface they drive. */

static void step_modes(const struct line_body *line, double *restrict next, const double *restrict now,
                       const double *restrict old, const double *restrict force)
{
    for (size_t m = 0; m < line->modes; m++)
        next[m] = line->now[m] * now[m] - line->before[m] * old[m] + line->gain[m] * force[m];
}

/* Steps the modes of a line whose end moves from `old` through `now` to 0, into q⁺. Returns the
 * force of the line on that end, excluding the part that depends on the end's next displacement. */
static double step_fixed_end(const struct body_states *b, const struct line_body *line, struct line_state *s,
                             double now, double old)
{
    const struct connection *c = &line->connection;
    const double k2 = b->bodies->time_step * b->bodies->time_step, push = (2.0 * now - old) / k2;
    double *next = body_level(b, s->q, 0), sum = 0.0;
    const double *q = body_level(b, s->q, 1), *q_old = body_level(b, s->q, 2);
    step_modes(line, next, q, q_old, s->force);
    for (size_t m = 0; m < line->modes; m++) {
        next[m] += line->gain[m] * c->shape[m] * push;
        sum += c->shape[m] * (next[m] - 2.0 * q[m] + q_old[m]);
    }
    return (c->end_mass * (2.0 * now - old) - sum) / k2 - c->end_stiffness * now;
}

/* N/m: factor of η⁻ in the force of a spring with a dashpot, connection_outward's of η⁺. */
static double inward(const struct body_states *b, const struct connection *c)
{
    return 0.5 * c->stiffness - 0.5 * c->resistance / b->bodies->time_step;
}

/* Steps the modes for w⁺ = 0 and computes the reaction. w, old: displacement of the surface at
 * the connection at n and n - 1. */
static void line_before(const struct body_states *b, const struct line_body *line, struct line_state *s, double w,
                        double old)
{
    const struct connection *c = &line->connection;
    const double k = b->bodies->time_step, k2 = k * k, out = connection_outward(c, k), in = inward(b, c);
    if (c->kind == CONNECTION_END) {
        s->reaction = step_fixed_end(b, line, s, w, old);
    } else if (c->kind == CONNECTION_BRIDGE) {
        const double now = body_level(b, s->q, 1)[line->modes], before = body_level(b, s->q, 2)[line->modes];
        const double spring = in * (before - old);
        const double stiff = connection_stiffness(line, k);
        const double string = step_fixed_end(b, line, s, now, before) + s->force[line->modes];
        s->partial = (c->bridge_mass * (2.0 * now - before) / k2 + string - spring) / stiff;
        s->reaction = out * s->partial + spring;
    } else {
        const double gain = connection_gain(line);
        step_modes(line, body_level(b, s->q, 0), body_level(b, s->q, 1), body_level(b, s->q, 2), s->force);
        const double free = connection_reach(line, body_level(b, s->q, 0)),
                     before = connection_reach(line, body_level(b, s->q, 2));
        s->reaction = isinf(c->stiffness) ? free / gain : (out * free + in * (before - old)) / (1.0 + out * gain);
    }
}

/* Adds the contribution of w⁺ = w to the modes; F is the force on the surface. */
static void line_after(const struct body_states *b, const struct line_body *line, struct line_state *s, double w,
                       double force, double slope)
{
    const struct connection *c = &line->connection;
    double moved = w / (b->bodies->time_step * b->bodies->time_step), *q = body_level(b, s->q, 0);
    if (c->kind == CONNECTION_POINT)
        moved = force;
    if (c->kind == CONNECTION_BRIDGE) { /* slope = out - out²/stiff; the bridge moves to partial + out w/stiff */
        const double next = s->partial + (1.0 - slope / connection_outward(c, b->bodies->time_step)) * w;
        q[line->modes] = next;
        moved = next / (b->bodies->time_step * b->bodies->time_step);
    }
    for (size_t m = 0; m < line->modes; m++)
        q[m] -= line->gain[m] * c->shape[m] * moved;
}

void lines_couple(const struct body_states *b, struct body_state *s)
{
    const struct line_coupling *j = &s->line_coupling;
    double *w = body_level(b, s->surface.w, 0);
    for (size_t i = 0; i < j->lines; i++) {
        const struct connection *c = &s->body->lines[i].connection;
        s->at[0][i] = connection_at(c, w);
        line_before(b, &s->body->lines[i], &s->lines[i], connection_at(c, body_level(b, s->surface.w, 1)),
                    connection_at(c, body_level(b, s->surface.w, 2)));
    }
    for (size_t i = 0; i < j->lines; i++) {
        s->at[1][i] = 0.0;
        for (size_t k = 0; k < j->lines; k++)
            s->at[1][i] += j->free[i * j->lines + k] * s->at[0][k] + j->forced[i * j->lines + k] * s->lines[k].reaction;
    }
    for (size_t i = 0; i < j->lines; i++) {
        const double force = s->lines[i].reaction - j->slope[i] * s->at[1][i];
        for (uint32_t k = j->answer.start[i]; k < j->answer.start[i + 1]; k++)
            w[j->answer.column[k]] += j->answer.value[k] * force;
        line_after(b, &s->body->lines[i], &s->lines[i], s->at[1][i], force, j->slope[i]);
    }
}

void line_step_alone(const struct body_states *b, const struct line_body *line, struct line_state *s)
{
    step_modes(line, body_level(b, s->q, 0), body_level(b, s->q, 1), body_level(b, s->q, 2), s->force);
}

void ports_couple(const struct body_states *b, struct body_state *s)
{
    if (!s->body->port_count && !s->body->stretching_count)
        return;
    struct ports_step step = {.body = s->body,
                              .lines = &s->line_coupling,
                              .coupling = &s->port_coupling,
                              .time_step = b->bodies->time_step,
                              .now = body_level(b, s->levels, 1),
                              .old = body_level(b, s->levels, 2),
                              .next = body_level(b, s->levels, 0),
                              .inputs = s->port_inputs,
                              .outputs = s->port_outputs,
                              .state = s->ports,
                              .stretched = s->stretched,
                              .scratch = s->port_scratch};
    ports_step(&step);
    s->lost += step.lost;
    s->given += step.given;
}

/* The step of a surface: its nodes, and the air on both sides. */

void surface_lossy(const struct surface *s, const struct surface_state *state, const double *restrict d,
                   double *restrict out)
{
    for (size_t r = 0; r < state->runs.count; r++) {
        const struct node_run run = state->runs.run[r];
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

/* Solves for r after the air's own step. */
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
    body_loops()->step(w, surface, &s->runs, body_level(b, s->w, 1), body_level(b, s->w, 2), s->force,
                       surface->cells ? 1.0 : surface->denominator);
    if (!surface->cells)
        return;
    couple_air(b, body, next);
    for (size_t r = 0; r < s->runs.count; r++)
        for (size_t i = s->runs.run[r].start; i < (size_t)s->runs.run[r].start + s->runs.run[r].length; i++)
            w[i] = (w[i] + surface->area_ratio * sparse_row(&surface->spread, i, s->r)) / surface->denominator;
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
