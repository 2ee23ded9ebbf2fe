/* SPDX-License-Identifier: MIT */
/* Lines: their modes, and their coupling with the surface they drive. */
#include <math.h>

#include "solver/cpu/body_state.h"

static void step_modes(const struct line_body *line, double *restrict next, const double *restrict now,
                       const double *restrict old, const double *restrict force)
{
    for (size_t m = 0; m < line->modes; m++)
        next[m] = line->now[m] * now[m] - line->before[m] * old[m] + line->gain[m] * force[m];
}

/* Steps the modes of a line whose end moves from `old` over `now` to 0, into q⁺. Returns the force of the line on that
 * end, without the part that depends on the end's next displacement. */
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

/* N/m: the factor of η⁺ in the force f = outward η⁺ + inward η⁻ of a spring with a dashpot, η its elongation. */
static double outward(const struct body_states *b, const struct connection *c)
{
    return 0.5 * c->stiffness + 0.5 * c->resistance / b->bodies->time_step;
}

static double inward(const struct body_states *b, const struct connection *c)
{
    return 0.5 * c->stiffness - 0.5 * c->resistance / b->bodies->time_step;
}

/* Steps the modes for w⁺ = 0 and computes the reaction. w, old: the surface at the connection at n, n - 1. */
static void line_before(const struct body_states *b, const struct line_body *line, struct line_state *s, double w,
                        double old)
{
    const struct connection *c = &line->connection;
    const double k2 = b->bodies->time_step * b->bodies->time_step, out = outward(b, c), in = inward(b, c);
    if (c->kind == CONNECTION_END) {
        s->reaction = step_fixed_end(b, line, s, w, old);
    } else if (c->kind == CONNECTION_BRIDGE) {
        const double now = body_level(b, s->q, 1)[line->modes], before = body_level(b, s->q, 2)[line->modes];
        const double spring = in * (before - old);
        const double stiff = c->bridge_mass / k2 + (c->end_mass - connection_gain(line) / k2) / k2 + out;
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

/* Adds to the modes what w⁺ = w contributes, with the force F on the surface. */
static void line_after(const struct body_states *b, const struct line_body *line, struct line_state *s, double w,
                       double force, double slope)
{
    const struct connection *c = &line->connection;
    double moved = w / (b->bodies->time_step * b->bodies->time_step), *q = body_level(b, s->q, 0);
    if (c->kind == CONNECTION_POINT)
        moved = force;
    if (c->kind == CONNECTION_BRIDGE) { /* slope = out - out²/stiff, and the bridge goes to partial + out w/stiff */
        const double next = s->partial + (1.0 - slope / outward(b, c)) * w;
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
